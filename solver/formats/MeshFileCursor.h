// Reads a mesh file from memory, word by word or byte by byte, and knows where it is when something is wrong.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace verve {

/// The whole of a file and a place in it. Every read that fails throws an Error that names the file, the line
/// (or byte, in binary parts) and what was expected there.
class MeshFileCursor {
 public:
  /// Reads the file; throws when it cannot be opened.
  explicit MeshFileCursor(std::string path);

  const std::string& path() const { return path_; }
  std::string_view left() const { return std::string_view(text_).substr(place_); }
  std::size_t place() const { return place_; }
  void move_to(std::size_t place) { place_ = place; }

  /// From now on, what follows this character on a line is passed over by more() and word().
  void skip_comments(char mark) { comment_ = mark; }

  /// Skips white space; false at the end of the file.
  bool more();
  /// The next word; `what` says what it should have been when there is none.
  std::string_view word(const char* what);
  double number(const char* what);
  std::int64_t integer(const char* what);
  /// The rest of the present line, without its end; moves to the next line. Empty at the end of the file.
  std::string_view line();

  /// Copies raw bytes out, for binary files; with `swapped` the bytes come in reverse order.
  template <class T>
  T binary(const char* what, bool swapped = false) {
    char bytes[sizeof(T)];
    take(bytes, sizeof(T), what, swapped);
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }

  /// Throws unless `count` items of at least `bytes_each` can still follow, so that a damaged count is found
  /// before memory is taken for it. Returns the count.
  std::size_t require_room(std::int64_t count, std::size_t bytes_each, const char* what) const;

  /// Turns a number from the file, which counts points from `first`, into an index below `points`; throws in
  /// the name of the element when there is no such point.
  int index(std::int64_t number, std::int64_t first, std::size_t points, const char* element,
            std::size_t element_number) const;

  [[noreturn]] void fail(const std::string& sentence) const;

 private:
  void take(char* bytes, std::size_t size, const char* what, bool swapped);

  std::string path_;
  std::string text_;
  std::size_t place_ = 0;
  char comment_ = '\0';
};

/// Numbers from a word; false when the word is something else.
bool parse_number(std::string_view word, double& value);
bool parse_integer(std::string_view word, std::int64_t& value);
/// Cuts the first word off a line; empty when there is none left.
std::string_view cut_word(std::string_view& line);

}  // namespace verve
