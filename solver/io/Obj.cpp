#include "io/Obj.h"

#include <map>

#include "geometry/TetSurface.h"
#include "io/TextNumbers.h"

namespace verve {

namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Geometry read(std::vector<std::string>* warnings) {
    while (!text_.empty()) {
      line_ += continued_ + 1;
      continued_ = 0;
      read_line(whole_line());
    }
    Geometry& g = geometry_;
    g.point_count = static_cast<int>(points_.size() / 3);
    g.put(Owner::Point, Attribute{"P", "point", 3, std::move(points_), {}, {0}});
    attach("uv", "texturecoord", uv_, 1);
    attach("N", "normal", normals_, 2);
    std::string words;
    for (const auto& [word, count] : ignored_)
      words += (words.empty() ? "" : ", ") + word + " (" + std::to_string(count) + ")";
    if (warnings && !words.empty()) warnings->push_back("lines left out that begin with " + words);
    check(g);
    return std::move(g);
  }

 private:
  std::string_view text_;
  std::size_t line_ = 0, continued_ = 0;
  std::string joined_;
  Geometry geometry_;
  std::vector<double> points_;
  std::vector<float> uv_, normals_;
  /// Of every vertex: its point, its texture coordinate and its normal; -1 for none.
  std::vector<std::array<int, 3>> corners_;
  std::map<std::string, int> ignored_;

  std::string_view next_line() {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }

  /// A line with those that it goes on in, as a backslash at its end says.
  std::string_view whole_line() {
    std::string_view line = next_line();
    if (line.empty() || line.back() != '\\') return line;
    joined_.clear();
    while (!line.empty() && line.back() == '\\') {
      joined_.append(line.substr(0, line.size() - 1)) += ' ';
      line = next_line();
      ++continued_;
    }
    return joined_.append(line);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error("line " + std::to_string(line_) + ": " + what);
  }

  static void skip_blanks(std::string_view& text) {
    while (!text.empty() && (text[0] == ' ' || text[0] == '\t')) text.remove_prefix(1);
  }

  void read_line(std::string_view line) {
    skip_blanks(line);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string word(line.substr(0, end));
    line.remove_prefix(end);
    if (word == "v") {
      read_numbers(line, points_, 3, 3);
    } else if (word == "vt") {
      read_numbers(line, uv_, 3, 1);
    } else if (word == "vn") {
      read_numbers(line, normals_, 3, 3);
    } else if (word == "f") {
      read_corners(line, PrimitiveType::Polygon, 3);
    } else if (word == "l") {
      read_corners(line, PrimitiveType::Polyline, 2);
    } else if (!word.empty() && word[0] != '#') {
      ++ignored_[word];
    }
  }

  /// Takes up to `count` numbers, of which `needed` must be there; the rest are zero.
  template <class T>
  void read_numbers(std::string_view line, std::vector<T>& out, int count, int needed) {
    for (int k = 0; k < count; ++k) {
      skip_blanks(line);
      T value = 0;
      if (!take_number(line, value) && k < needed) fail("expected " + std::to_string(needed) + " numbers");
      out.push_back(value);
    }
  }

  void read_corners(std::string_view line, PrimitiveType type, std::size_t needed) {
    std::vector<int> points;
    const std::size_t sizes[] = {points_.size() / 3, uv_.size() / 3, normals_.size() / 3};
    for (skip_blanks(line); !line.empty() && line[0] != '#'; skip_blanks(line)) {
      std::array<int, 3> corner = {-1, -1, -1};
      for (std::size_t k = 0; k < 3; ++k) {
        int index = 0;
        if (take_number(line, index)) {
          // Negative numbers count back from the last one so far.
          const std::int64_t from_zero =
              index < 0 ? static_cast<std::int64_t>(sizes[k]) + index : std::int64_t(index) - 1;
          if (from_zero < 0 || from_zero > std::int64_t(0x7ffffffe))
            fail("there is no number " + std::to_string(index));
          corner[k] = static_cast<int>(from_zero);
        } else if (k == 0) {
          fail("expected the number of a point");
        }
        if (line.empty() || line[0] != '/') break;
        line.remove_prefix(1);
      }
      if (!line.empty() && line[0] != ' ' && line[0] != '\t') fail("expected numbers such as 3 or 3/1/2");
      points.push_back(corner[0]);
      corners_.push_back(corner);
    }
    if (points.size() < needed) fail("a face needs three points and a line two");
    geometry_.add_primitive(type, points);
  }

  void attach(const char* name, const char* type_info, const std::vector<float>& values, std::size_t which) {
    if (values.empty() || corners_.empty()) return;
    for (const auto& corner : corners_) {
      if (corner[which] < 0) return;
      if (static_cast<std::size_t>(corner[which]) >= values.size() / 3)
        throw Error(std::string("a face refers to a '") + name + "' that is not in the file");
    }
    auto& out = geometry_.add<float>(Owner::Vertex, name, 3, type_info);
    for (std::size_t j = 0; j < corners_.size(); ++j)
      for (std::size_t k = 0; k < 3; ++k)
        out[3 * j + k] = values[3 * static_cast<std::size_t>(corners_[j][which]) + k];
  }
};

void append_indices(std::string& out, const char* word, const int* points, std::size_t count) {
  out += word;
  for (std::size_t k = 0; k < count; ++k) {
    out += ' ';
    append_number(out, points[k] + 1);
  }
  out += '\n';
}

}  // namespace

std::string write_obj(const Geometry& geometry) {
  check(geometry);
  std::string out = "# Verve\n";
  const Vector x = geometry.positions();
  const bool single = geometry.find(Owner::Point, "P")->as<double>() == nullptr;
  for (Eigen::Index i = 0; i < x.size(); i += 3) {
    out += 'v';
    for (Eigen::Index k = 0; k < 3; ++k) {
      out += ' ';
      if (single)
        append_number(out, static_cast<float>(x[i + k]));
      else
        append_number(out, x[i + k]);
    }
    out += '\n';
  }
  for (std::size_t i = 0; i < geometry.primitive_types.size(); ++i) {
    const int begin = geometry.primitive_starts[i], end = geometry.primitive_starts[i + 1];
    if (geometry.primitive_types[i] == PrimitiveType::Tetrahedron || end == begin) continue;
    append_indices(out, geometry.primitive_types[i] == PrimitiveType::Polygon ? "f" : "l",
                   geometry.vertex_points.data() + begin, static_cast<std::size_t>(end - begin));
  }
  for (const auto& triangle : tet_surface(geometry)) append_indices(out, "f", triangle.data(), 3);
  return out;
}

Geometry read_obj(std::string_view bytes, std::vector<std::string>* warnings) {
  return Reader(bytes).read(warnings);
}

}  // namespace verve
