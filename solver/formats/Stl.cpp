#include "formats/Stl.h"

#include <Eigen/Geometry>
#include <cstdint>

#include "formats/MeshFileCursor.h"
#include "formats/MeshFileWriter.h"
#include "mesh/MeshCheck.h"
#include "mesh/MeshTopology.h"

namespace verve {
namespace {

constexpr std::size_t header_bytes = 80, triangle_bytes = 50;

// Text files begin with "solid", but so do some binary ones: only the size is sure.
bool is_binary(const MeshFileCursor& in) {
  const std::string_view bytes = in.left();
  if (bytes.size() < header_bytes + 4) return false;
  std::uint32_t count;
  std::memcpy(&count, bytes.data() + header_bytes, 4);
  return bytes.size() == header_bytes + 4 + triangle_bytes * std::size_t(count) ||
         bytes.substr(0, 5) != "solid";
}

void add_triangle(TriangleMesh& mesh) {
  const int n = int(mesh.points.size());
  mesh.triangles.push_back({n - 3, n - 2, n - 1});
}

void read_binary(MeshFileCursor& in, TriangleMesh& mesh) {
  in.move_to(header_bytes);
  const std::size_t count =
      in.require_room(in.binary<std::uint32_t>("the number of triangles"), triangle_bytes, "triangles");
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) in.binary<float>("a normal");
    for (int c = 0; c < 3; ++c) {
      const float x = in.binary<float>("x"), y = in.binary<float>("y"), z = in.binary<float>("z");
      mesh.points.emplace_back(x, y, z);
    }
    in.binary<std::uint16_t>("the end of a triangle");
    add_triangle(mesh);
  }
}

void read_text(MeshFileCursor& in, TriangleMesh& mesh) {
  if (in.word("solid") != "solid") in.fail("not an .stl surface; a text file should begin with 'solid'");
  in.line();
  int corners = 0;
  bool ended = false;
  while (in.more()) {
    const std::string_view word = in.word("a facet");
    if (word == "vertex") {
      const double x = in.number("x"), y = in.number("y"), z = in.number("z");
      mesh.points.emplace_back(x, y, z);
      ++corners;
    } else if (word == "endloop") {
      if (corners != 3) in.fail("a facet has " + std::to_string(corners) + " corners instead of three");
      add_triangle(mesh);
      corners = 0;
    } else if (word == "facet" || word == "solid" || word == "endsolid") {
      ended = word == "endsolid";
      in.line();
    } else if (word != "outer" && word != "loop" && word != "endfacet") {
      in.fail("expected a facet; the file is damaged");
    }
  }
  if (!ended) in.fail("the file ends before 'endsolid'; it is truncated");
}

}  // namespace

MeshFile read_stl(const std::string& path) {
  MeshFileCursor in(path);
  TriangleMesh mesh;
  is_binary(in) ? read_binary(in, mesh) : read_text(in, mesh);
  const std::vector<int> same = coincident_points(mesh.points);
  for (auto& t : mesh.triangles)
    for (int& p : t) p = same[p];
  remove_unreferenced(mesh);
  return {std::move(mesh.points), std::move(mesh.triangles), {}};
}

void write_stl(const std::string& path, const TriangleMesh& mesh) {
  MeshFileWriter out(path, true);
  std::string header = "verve";
  header.resize(header_bytes, ' ');
  out.text(header).value(std::uint32_t(mesh.triangles.size()));
  for (const auto& t : mesh.triangles) {
    const Vec3& a = mesh.points[t[0]];
    const Vec3 normal = (mesh.points[t[1]] - a).cross(mesh.points[t[2]] - a).stableNormalized();
    for (const Vec3& v : {normal, a, mesh.points[t[1]], mesh.points[t[2]]})
      for (int axis = 0; axis < 3; ++axis) out.value(float(v[axis]));
    out.value(std::uint16_t(0));
  }
  out.close();
}

}  // namespace verve
