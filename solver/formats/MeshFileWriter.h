// Writes a mesh file as text or binary through one set of calls.
#pragma once

#include <fstream>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/Types.h"

namespace verve {

/// Values are raw bytes in binary files and words with spaces between them in text files, with as many digits
/// as give the same bits back. Nothing is left behind under the wanted name unless close() succeeds.
class MeshFileWriter {
 public:
  MeshFileWriter(std::string path, bool binary);
  ~MeshFileWriter();

  MeshFileWriter& text(std::string_view words);
  template <class T>
  MeshFileWriter& value(T v) {
    if (binary_)
      buffer_.append(reinterpret_cast<const char*>(&v), sizeof(T));
    else if constexpr (std::is_floating_point_v<T>)
      spell(v);
    else
      spell(static_cast<long long>(v));
    return flush_when_full();
  }
  MeshFileWriter& values(const Vec3& v) { return value(v[0]).value(v[1]).value(v[2]); }
  /// Ends a line of a text file; nothing in a binary one.
  MeshFileWriter& end_row();
  void close();

 private:
  void spell(double v);
  void spell(float v);
  void spell(long long v);
  void separate();
  MeshFileWriter& flush_when_full();

  std::string path_, unfinished_;
  std::ofstream file_;
  std::string buffer_;
  bool binary_;
  bool begun_row_ = false;
};

}  // namespace verve
