#include "formats/MeshFileCursor.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include "base/Error.h"

namespace verve {
namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

template <class T>
bool parse(std::string_view word, T& value) {
  if (!word.empty() && word[0] == '+') word.remove_prefix(1);
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  return result.ec == std::errc() && result.ptr == word.data() + word.size();
}

// A word of a damaged file may be anything: show only what fits in a sentence.
std::string quoted(std::string_view word) {
  std::string shown = "'";
  for (char c : word.substr(0, 32)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (word.size() > 32 ? "...'" : "'");
}

}  // namespace

bool parse_number(std::string_view word, double& value) {
  return parse(word, value);
}
bool parse_integer(std::string_view word, std::int64_t& value) {
  return parse(word, value);
}

std::string_view cut_word(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && is_space(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && !is_space(line[end])) ++end;
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

MeshFileCursor::MeshFileCursor(std::string path) : path_(std::move(path)) {
  std::ifstream file(path_, std::ios::binary);
  if (!file) throw Error(path_ + ": cannot be opened; check the name and that you may read it");
  text_.assign(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) throw Error(path_ + ": cannot be read");
}

bool MeshFileCursor::more() {
  while (place_ < text_.size()) {
    if (is_space(text_[place_]))
      ++place_;
    else if (comment_ && text_[place_] == comment_)
      line();
    else
      return true;
  }
  return false;
}

std::string_view MeshFileCursor::word(const char* what) {
  if (!more()) fail(std::string("the file ends where ") + what + " should be; it is truncated");
  const std::size_t begin = place_;
  while (place_ < text_.size() && !is_space(text_[place_])) ++place_;
  return std::string_view(text_).substr(begin, place_ - begin);
}

double MeshFileCursor::number(const char* what) {
  const std::string_view w = word(what);
  double value = 0;
  if (!parse(w, value)) fail(quoted(w) + " is not a number; expected " + what);
  return value;
}

std::int64_t MeshFileCursor::integer(const char* what) {
  const std::string_view w = word(what);
  std::int64_t value = 0;
  if (!parse(w, value)) fail(quoted(w) + " is not a whole number; expected " + what);
  return value;
}

std::string_view MeshFileCursor::line() {
  const std::size_t begin = place_, end = std::min(text_.find('\n', place_), text_.size());
  place_ = std::min(end + 1, text_.size());
  std::string_view found = std::string_view(text_).substr(begin, end - begin);
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  return found;
}

std::size_t MeshFileCursor::require_room(std::int64_t count, std::size_t bytes_each, const char* what) const {
  if (count < 0) fail("the number of " + std::string(what) + " is negative");
  if (std::uint64_t(count) > (text_.size() - place_) / bytes_each)
    fail("the file announces " + std::to_string(count) + " " + what + " but is too short for them");
  return std::size_t(count);
}

int MeshFileCursor::index(std::int64_t number, std::int64_t first, std::size_t points, const char* element,
                          std::size_t element_number) const {
  if (number < first || std::uint64_t(number) - std::uint64_t(first) >= points)
    fail(std::string(element) + " " + std::to_string(element_number) + " uses point " +
         std::to_string(number) + ", which does not exist");
  return int(number - first);
}

void MeshFileCursor::take(char* bytes, std::size_t size, const char* what, bool swapped) {
  if (text_.size() - place_ < size) fail(std::string("the file ends inside ") + what + "; it is truncated");
  std::memcpy(bytes, text_.data() + place_, size);
  if (swapped) std::reverse(bytes, bytes + size);
  place_ += size;
}

void MeshFileCursor::fail(const std::string& sentence) const {
  const auto lines = std::count(text_.begin(), text_.begin() + std::ptrdiff_t(place_), '\n');
  const bool binary = text_.find('\0') != std::string::npos;
  throw Error(path_ + (binary ? ", byte " + std::to_string(place_) : ", line " + std::to_string(lines + 1)) +
              ": " + sentence);
}

}  // namespace verve
