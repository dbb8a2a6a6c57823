#include "formats/MeshFileWriter.h"

#include <charconv>
#include <cstdio>

#include "base/Error.h"

namespace verve {

MeshFileWriter::MeshFileWriter(std::string path, bool binary)
    : path_(std::move(path)),
      unfinished_(path_ + ".part"),
      file_(unfinished_, std::ios::binary),
      binary_(binary) {
  if (!file_)
    throw Error(path_ + ": cannot be written; check that the folder exists and that you may write there");
}

MeshFileWriter::~MeshFileWriter() {
  if (!file_.is_open()) return;
  file_.close();
  std::remove(unfinished_.c_str());
}

MeshFileWriter& MeshFileWriter::text(std::string_view words) {
  buffer_ += words;
  begun_row_ = false;
  return flush_when_full();
}

MeshFileWriter& MeshFileWriter::end_row() {
  if (!binary_) buffer_ += '\n';
  begun_row_ = false;
  return *this;
}

void MeshFileWriter::separate() {
  if (begun_row_) buffer_ += ' ';
  begun_row_ = true;
}

template <class T>
static void append(std::string& buffer, T v) {
  char word[32];
  buffer.append(word, std::to_chars(word, word + sizeof(word), v).ptr);
}

void MeshFileWriter::spell(double v) {
  separate(), append(buffer_, v);
}
void MeshFileWriter::spell(float v) {
  separate(), append(buffer_, v);
}
void MeshFileWriter::spell(long long v) {
  separate(), append(buffer_, v);
}

MeshFileWriter& MeshFileWriter::flush_when_full() {
  if (buffer_.size() > std::size_t(1) << 20) {
    file_.write(buffer_.data(), std::streamsize(buffer_.size()));
    buffer_.clear();
  }
  return *this;
}

void MeshFileWriter::close() {
  file_.write(buffer_.data(), std::streamsize(buffer_.size()));
  file_.close();
  if (!file_ || std::rename(unfinished_.c_str(), path_.c_str()) != 0) {
    std::remove(unfinished_.c_str());
    throw Error(path_ + ": could not be written to the end; is the disk full?");
  }
}

}  // namespace verve
