// verve convert and verve mesh: from one file to another.
#include <cmath>
#include <cstdio>

#include "base/Error.h"
#include "cli/Commands.h"
#include "io/GeometryFile.h"
#include "io/GeometryMesh.h"
#include "io/MeshFiles.h"
#include "io/SequenceFile.h"
#include "mesh/MeshGeometry.h"
#include "mesh/Mesher.h"
#include "viewer/CacheName.h"

namespace verve {

namespace {

void print(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) std::fprintf(stderr, "verve: warning: %s\n", warning.c_str());
}

bool is_one_of(const std::string& ending, std::initializer_list<const char*> endings) {
  for (const char* known : endings)
    if (ending == known) return true;
  return false;
}

/// Bare meshes, which have no attributes and no frames.
bool is_mesh(const std::string& path) {
  return is_one_of(geometry_ending(path), {"msh", "mesh", "node", "ele", "vtk", "ply", "stl", "off"});
}

void write_mesh(const std::string& path, const MeshFile& mesh) {
  if (!mesh.tets.empty() && !is_one_of(geometry_ending(path), {"ply", "stl", "off"}))
    save_tet_mesh(path, {mesh.points, mesh.tets});
  else
    save_triangle_mesh(path, mesh.tets.empty() ? TriangleMesh{mesh.points, mesh.triangles}
                                               : surface({mesh.points, mesh.tets}));
}

}  // namespace

int convert_command(const std::string& in, const std::string& out) {
  // A wrong ending is told before anything is read, and before what is read is warned of.
  if (!is_mesh(out)) check_geometry_ending(geometry_ending(out));
  if (is_mesh(in) || is_mesh(out)) {
    std::vector<std::string> warnings;
    const MeshFile mesh = load_mesh(find_cache(in).path, &warnings);
    print(warnings);
    if (is_mesh(out))
      write_mesh(out, mesh);
    else
      write_geometry(out, geometry_of(mesh));
    return 0;
  }
  const CacheName cache = find_cache(in);
  std::vector<std::string> warnings;
  const auto frames = open_sequence(cache.path, &warnings, cache.fps);
  if (frames->count() == 0) throw Error(in + ": there is no frame in it");
  const std::vector<std::string> lost = left_out(geometry_ending(out), frames->read(0));
  print(warnings);
  print(lost);
  write_sequence(out, *frames);
  return 0;
}

int mesh_command(const MeshOptions& options) {
  if (!(options.size > 0.0) || !std::isfinite(options.size))
    throw Error("--size must be a length above 0, in metres");
  if (options.coarsening < 0 || options.coarsening > 8) throw Error("--coarsen must be from 0 to 8");
  MeshingReport report;
  const TriangleMesh surface = load_triangle_mesh(options.surface, &report.warnings);
  for (const std::string& warning : report.warnings)
    std::fprintf(stderr, "verve: warning: %s: %s\n", options.surface.c_str(), warning.c_str());
  const TetMesh mesh = mesh_surface(surface, {options.size, options.coarsening}, report);
  print(report.warnings);
  save_tet_mesh(options.out, mesh);
  std::printf("%s: %zu points, %zu tets, %d piece%s, volume %g m^3\n", options.out.c_str(),
              mesh.points.size(), mesh.tets.size(), report.pieces, report.pieces == 1 ? "" : "s",
              volume(mesh));
  return 0;
}

}  // namespace verve
