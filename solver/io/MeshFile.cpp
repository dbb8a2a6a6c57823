#include "io/MeshFile.h"

#include <algorithm>
#include <cctype>

#include "base/Error.h"
#include "io/Gmsh.h"
#include "mesh/MeshCheck.h"
#include "mesh/MeshGeometry.h"

namespace verve {
namespace {

struct Format {
  const char* ending;
  MeshFile (*read)(const std::string& path);
};

constexpr Format formats[] = {
    {".msh", read_gmsh},
};

}  // namespace

MeshFile load_mesh(const std::string& path) {
  std::string lower = path;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  std::string endings;
  for (const Format& format : formats) {
    const std::string ending = format.ending;
    if (lower.size() > ending.size() &&
        lower.compare(lower.size() - ending.size(), ending.size(), ending) == 0)
      return format.read(path);
    endings += " " + ending;
  }
  throw Error(path + ": not a kind of mesh file that is known here; use one of" + endings);
}

TetMesh load_tet_mesh(const std::string& path) {
  MeshFile file = load_mesh(path);
  if (file.tets.empty() && !file.triangles.empty())
    throw Error(path + ": holds triangles but no tets; mesh the surface first");
  TetMesh mesh{std::move(file.points), std::move(file.tets)};
  if (!orientation(mesh).mixed()) orient(mesh);
  require_usable(mesh, path);
  return mesh;
}

TriangleMesh load_triangle_mesh(const std::string& path) {
  MeshFile file = load_mesh(path);
  if (file.triangles.empty()) return surface({std::move(file.points), std::move(file.tets)});
  return {std::move(file.points), std::move(file.triangles)};
}

}  // namespace verve
