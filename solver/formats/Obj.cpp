#include "formats/Obj.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "formats/TextNumbers.h"
#include "geometry/TetSurface.h"

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
    attach("uv", "texturecoord", uv_, 1, warnings);
    attach("N", "normal", normals_, 2, warnings);
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

  void attach(const char* name, const char* type_info, const std::vector<float>& values, std::size_t which,
              std::vector<std::string>* warnings) {
    if (values.empty() || corners_.empty()) return;
    const auto without = std::count_if(corners_.begin(), corners_.end(),
                                       [&](const auto& corner) { return corner[which] < 0; });
    if (without > 0) {
      if (warnings && without < static_cast<std::ptrdiff_t>(corners_.size()))
        warnings->push_back(std::string(name) + " left out: " + std::to_string(without) + " of " +
                            std::to_string(corners_.size()) + " corners of faces have none");
      return;
    }
    for (const auto& corner : corners_) {
      if (static_cast<std::size_t>(corner[which]) >= values.size() / 3)
        throw Error(std::string("a face refers to a '") + name + "' that is not in the file");
    }
    auto& out = geometry_.add<float>(Owner::Vertex, name, 3, type_info);
    for (std::size_t j = 0; j < corners_.size(); ++j)
      for (std::size_t k = 0; k < 3; ++k)
        out[3 * j + k] = values[3 * static_cast<std::size_t>(corners_[j][which]) + k];
  }
};

/// An attribute that faces refer to by numbers: its different values, each once, in order of their first use.
class Table {
 public:
  Table(const Geometry& geometry, const char* name) {
    for (const Owner owner : {Owner::Vertex, Owner::Point}) {
      const Attribute* a = geometry.find(owner, name);
      if (a_ || !a || !obj_keeps(geometry, owner, *a)) continue;
      a_ = a;
      of_vertices_ = owner == Owner::Vertex;
    }
  }

  /// Writes the values that polygons and lines use.
  void write(const char* word, std::string& out) {
    if (!a_) return;
    const auto tuple = static_cast<std::size_t>(a_->tuple_size);
    const std::size_t elements = a_->size() / tuple;
    // A third texture coordinate is rarely there.
    std::size_t written = std::min<std::size_t>(tuple, 3);
    if (written == 3 && a_->name == "uv") {
      written = 2;
      for (std::size_t i = 0; i < elements; ++i)
        if (a_->number(i * tuple + 2) != 0.0) written = 3;
    }
    numbers_.resize(elements);
    std::map<std::array<std::uint32_t, 3>, int> known;
    for (std::size_t i = 0; i < elements; ++i) {
      std::array<float, 3> value{};
      for (std::size_t k = 0; k < written; ++k) value[k] = static_cast<float>(a_->number(i * tuple + k));
      std::array<std::uint32_t, 3> bits;
      std::memcpy(bits.data(), value.data(), sizeof bits);
      const auto [found, fresh] = known.try_emplace(bits, static_cast<int>(known.size()) + 1);
      numbers_[i] = found->second;
      if (!fresh) continue;
      out += word;
      for (std::size_t k = 0; k < written; ++k) append_number(out += ' ', value[k]);
      out += '\n';
    }
  }

  /// The number of a corner's value; 0 if it has none. `vertex` is -1 for faces that are no polygons.
  int number(int vertex, int point) const {
    if (!a_ || (of_vertices_ && vertex < 0)) return 0;
    return numbers_[static_cast<std::size_t>(of_vertices_ ? vertex : point)];
  }

 private:
  const Attribute* a_ = nullptr;
  bool of_vertices_ = false;
  std::vector<int> numbers_;
};

/// A face or a line; `vertex` is its first vertex, or -1.
void append_corners(std::string& out, const char* word, const int* points, int count, int vertex,
                    const Table& uv, const Table& normals) {
  out += word;
  for (int k = 0; k < count; ++k) {
    append_number(out += ' ', points[k] + 1);
    const int own = vertex < 0 ? -1 : vertex + k;
    const int t = uv.number(own, points[k]), n = normals.number(own, points[k]);
    if (t > 0 || n > 0) out += '/';
    if (t > 0) append_number(out, t);
    if (n > 0) append_number(out += '/', n);
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
  Table uv(geometry, "uv"), normals(geometry, "N");
  uv.write("vt", out);
  normals.write("vn", out);
  for (std::size_t i = 0; i < geometry.primitive_types.size(); ++i) {
    const int begin = geometry.primitive_starts[i], end = geometry.primitive_starts[i + 1];
    if (geometry.primitive_types[i] == PrimitiveType::Tetrahedron || end == begin) continue;
    append_corners(out, geometry.primitive_types[i] == PrimitiveType::Polygon ? "f" : "l",
                   geometry.vertex_points.data() + begin, end - begin, begin, uv, normals);
  }
  for (const auto& triangle : tet_surface(geometry))
    append_corners(out, "f", triangle.data(), 3, -1, uv, normals);
  return out;
}

bool obj_keeps(const Geometry& geometry, Owner owner, const Attribute& a) {
  if (owner == Owner::Point && a.name == "P") return true;
  if ((owner != Owner::Vertex && owner != Owner::Point) || a.is_array() || a.is_text()) return false;
  if (!(a.name == "uv" && a.tuple_size >= 2 && a.tuple_size <= 3) && !(a.name == "N" && a.tuple_size == 3))
    return false;
  // A corner has one value of each: that of its vertex, if there is one.
  if (owner == Owner::Vertex) return true;
  const Attribute* nearer = geometry.find(Owner::Vertex, a.name);
  return !nearer || !obj_keeps(geometry, Owner::Vertex, *nearer);
}

Geometry read_obj(std::string_view bytes, std::vector<std::string>* warnings) {
  return Reader(bytes).read(warnings);
}

}  // namespace verve
