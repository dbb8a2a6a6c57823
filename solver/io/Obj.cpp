#include "io/Obj.h"

#include "base/Error.h"
#include "io/MeshFileCursor.h"
#include "io/MeshFileWriter.h"

namespace verve {
namespace {

// Goes through the file a line at a time; lines that end in a backslash go on in the next.
class ObjReader {
 public:
  explicit ObjReader(const std::string& path) : in_(path) {}

  struct Corner {
    int point, normal;  // -1: no normal
  };

  // Calls point(position), normal(direction) and face(corners); corners are checked only when all is read.
  template <class Point, class Normal, class Face>
  void read(const Point& point, const Normal& normal, const Face& face) {
    std::vector<Corner> corners;
    while (in_.more()) {
      start_ = in_.place();
      std::string_view line = whole_line();
      const std::string_view kind = cut_word(line);
      if (kind == "v") {
        point(triple(line, "a point"));
        ++points_;
      } else if (kind == "vn") {
        normal(triple(line, "a normal"));
        ++normals_;
      } else if (kind == "f") {
        corners.clear();
        for (std::string_view word = cut_word(line); !word.empty(); word = cut_word(line))
          corners.push_back(corner(word));
        if (corners.size() < 3) fail("a face needs at least three corners");
        face(corners);
        ++faces_;
      }
    }
  }

  const MeshFileCursor& cursor() const { return in_; }

 private:
  std::string_view whole_line() {
    std::string_view line = in_.line();
    if (line.empty() || line.back() != '\\') return line;
    joined_.clear();
    while (!line.empty() && line.back() == '\\') {
      joined_.append(line.substr(0, line.size() - 1)) += ' ';
      line = in_.line();
    }
    return joined_.append(line);
  }

  Vec3 triple(std::string_view& line, const char* what) {
    Vec3 v;
    for (int axis = 0; axis < 3; ++axis)
      if (!parse_number(cut_word(line), v[axis])) fail(std::string(what) + " needs three numbers");
    return v;
  }

  // "7", "7/1", "7//3" or "7/1/3", counted from 1 or, when negative, back from the last one so far.
  Corner corner(std::string_view word) {
    const std::size_t slash = word.find('/'), second = word.find('/', slash + 1);
    Corner c{number(word.substr(0, slash), points_), -1};
    if (slash != std::string_view::npos && second != std::string_view::npos)
      c.normal = number(word.substr(second + 1), normals_);
    return c;
  }

  int number(std::string_view word, std::int64_t so_far) {
    std::int64_t n = 0;
    if (!parse_integer(word, n) || n == 0 || n > INT32_MAX) fail("a face has a corner that is not a number");
    if (n < 0) n += so_far + 1;
    if (n <= 0) fail("face " + std::to_string(faces_) + " uses a point before the first one");
    return int(n - 1);
  }

  [[noreturn]] void fail(const std::string& sentence) {
    in_.move_to(start_);
    in_.fail(sentence);
  }

  MeshFileCursor in_;
  std::size_t start_ = 0;
  std::string joined_;
  std::int64_t points_ = 0, normals_ = 0, faces_ = 0;
};

void require_count(const std::string& path, std::size_t wanted, std::size_t given, const char* what) {
  if (wanted != given)
    throw Error(path + ": has " + std::to_string(wanted) + " " + what + " but " + std::to_string(given) +
                " new ones were given");
}

}  // namespace

MeshFile read_obj(const std::string& path) {
  MeshFile file;
  std::vector<int> polygon;
  ObjReader reader(path);
  reader.read([&](const Vec3& p) { file.points.push_back(p); }, [](const Vec3&) {},
              [&](const std::vector<ObjReader::Corner>& corners) {
                polygon.clear();
                for (const auto& c : corners) polygon.push_back(c.point);
                add_polygon(file, polygon);
              });
  for (std::size_t i = 0; i < file.triangles.size(); ++i)
    for (int p : file.triangles[i])
      reader.cursor().index(std::int64_t(p) + 1, 1, file.points.size(), "triangle", i);
  return file;
}

ObjNormals read_obj_normals(const std::string& path) {
  ObjNormals out;
  std::vector<ObjReader::Corner> used;
  ObjReader(path).read([](const Vec3&) {},
                       [&](const Vec3& n) { out.normals.push_back(n.stableNormalized()); },
                       [&](const std::vector<ObjReader::Corner>& corners) {
                         used.insert(used.end(), corners.begin(), corners.end());
                       });
  out.points.assign(out.normals.size(), -1);
  for (const auto& c : used) {
    if (c.normal < 0) continue;
    if (std::size_t(c.normal) >= out.points.size())
      throw Error(path + ": a face uses normal " + std::to_string(c.normal + 1) + ", which does not exist");
    if (out.points[c.normal] < 0) out.points[c.normal] = c.point;
  }
  return out;
}

void write_obj(const std::string& path, const TriangleMesh& mesh) {
  MeshFileWriter out(path, false);
  for (const Vec3& p : mesh.points) out.text("v ").values(p).end_row();
  for (const auto& t : mesh.triangles) {
    out.text("f ");
    for (int p : t) out.value(p + 1);
    out.end_row();
  }
  out.close();
}

void rewrite_obj(const std::string& original, const std::string& path, const std::vector<Vec3>& positions,
                 const std::vector<Vec3>& normals) {
  MeshFileCursor in(original);
  MeshFileWriter out(path, false);
  std::size_t points = 0, turned = 0;
  while (!in.left().empty()) {
    const std::string_view whole = in.line();
    std::string_view line = whole;
    const std::string_view kind = cut_word(line);
    const bool is_point = kind == "v", is_normal = kind == "vn";
    if (is_point || is_normal) {
      const auto& values = is_point ? positions : normals;
      std::size_t& at = is_point ? points : turned;
      if (at < values.size()) {
        for (int axis = 0; axis < 3; ++axis) cut_word(line);
        out.text(kind).text(" ").values(values[at]).text(line);
      }
      ++at;
    } else {
      out.text(whole);
    }
    out.text("\n");
  }
  require_count(original, points, positions.size(), "points");
  require_count(original, turned, normals.size(), "normals");
  out.close();
}

}  // namespace verve
