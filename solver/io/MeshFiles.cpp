#include "io/MeshFiles.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/Error.h"
#include "formats/Gmsh.h"
#include "formats/Medit.h"
#include "formats/Off.h"
#include "formats/Ply.h"
#include "formats/Stl.h"
#include "formats/TetGen.h"
#include "formats/Vtk.h"
#include "io/GeometryFile.h"
#include "io/GeometryMesh.h"
#include "mesh/MeshCheck.h"
#include "mesh/MeshGeometry.h"

namespace verve {
namespace {

struct Format {
  const char* ending;
  MeshFile (*read)(const std::string& path);
  void (*write_tets)(const std::string& path, const TetMesh& mesh);
  void (*write_surface)(const std::string& path, const TriangleMesh& mesh);
};

void write_msh(const std::string& path, const TetMesh& mesh) {
  write_gmsh(path, mesh);
}
void write_binary_ply(const std::string& path, const TriangleMesh& mesh) {
  write_ply(path, mesh);
}

constexpr Format formats[] = {
    {".ply", read_ply, nullptr, write_binary_ply}, {".stl", read_stl, nullptr, write_stl},
    {".off", read_off, nullptr, write_off},        {".msh", read_gmsh, write_msh, nullptr},
    {".node", read_tetgen, write_tetgen, nullptr}, {".ele", read_tetgen, write_tetgen, nullptr},
    {".mesh", read_medit, write_medit, nullptr},   {".vtk", read_vtk, write_vtk, nullptr},
};

constexpr const char* geometry_endings[] = {"geo", "bgeo", "bgeo.sc", "vtu", "usda", "obj"};

bool is_geometry(const std::string& path) {
  const std::string ending = geometry_ending(path);
  return std::find(std::begin(geometry_endings), std::end(geometry_endings), ending) !=
         std::end(geometry_endings);
}

// The format of a name's ending, among those that can do what is wanted.
template <class Can>
const Format& format_of(const std::string& path, const char* what, const Can& can) {
  std::string lower = path, endings;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const Format& format : formats) {
    if (!can(format)) continue;
    const std::string ending = format.ending;
    if (lower.size() > ending.size() &&
        lower.compare(lower.size() - ending.size(), ending.size(), ending) == 0)
      return format;
    endings += " " + ending;
  }
  for (const char* ending : geometry_endings) endings += std::string(" .") + ending;
  throw Error(path + ": not a kind of file that " + what + "; use one of" + endings);
}

}  // namespace

bool has_attributes(const std::string& path) {
  return is_geometry(path);
}

MeshFile load_mesh(const std::string& path, std::vector<std::string>* warnings) {
  if (std::filesystem::is_directory(path)) throw Error(path + ": this is a folder, not a mesh file");
  if (is_geometry(path)) return mesh_of(read_geometry(path, warnings));
  return format_of(path, "meshes can be read from", [](const Format& f) { return f.read; }).read(path);
}

TetMesh tet_mesh_of(MeshFile file, const std::string& path, std::vector<std::string>* warnings) {
  if (file.tets.empty() && !file.triangles.empty())
    throw Error(path + ": holds triangles but no tets; mesh the surface first");
  TetMesh mesh{std::move(file.points), std::move(file.tets)};
  if (!orientation(mesh).mixed() && orient(mesh).negative > 0 && warnings)
    warnings->push_back(path + ": all " + std::to_string(mesh.tets.size()) +
                        " tets were inside out and have been turned round");
  require_usable(mesh, path);
  return mesh;
}

TetMesh load_tet_mesh(const std::string& path, std::vector<std::string>* warnings) {
  return tet_mesh_of(load_mesh(path, warnings), path, warnings);
}

TriangleMesh triangle_mesh_of(MeshFile file, const std::string& path) {
  if (file.triangles.empty() && file.tets.empty()) throw Error(path + ": has neither triangles nor tets");
  if (file.triangles.empty()) return surface({std::move(file.points), std::move(file.tets)});
  return {std::move(file.points), std::move(file.triangles)};
}

TriangleMesh load_triangle_mesh(const std::string& path, std::vector<std::string>* warnings) {
  return triangle_mesh_of(load_mesh(path, warnings), path);
}

void save_tet_mesh(const std::string& path, const TetMesh& mesh) {
  // An .obj would hold the surface alone.
  if (is_geometry(path) && geometry_ending(path) != "obj")
    return write_geometry(path, geometry_of({mesh.points, {}, mesh.tets}));
  format_of(path, "tets can be written to", [](const Format& f) {
    return f.write_tets;
  }).write_tets(path, mesh);
}

void save_triangle_mesh(const std::string& path, const TriangleMesh& mesh) {
  if (is_geometry(path)) return write_geometry(path, geometry_of({mesh.points, mesh.triangles, {}}));
  format_of(path, "surfaces can be written to", [](const Format& f) {
    return f.write_surface;
  }).write_surface(path, mesh);
}

}  // namespace verve
