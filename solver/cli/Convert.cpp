// verve convert and verve mesh: from one file to another.
#include <cmath>
#include <cstdio>

#include "base/Error.h"
#include "cli/Commands.h"
#include "io/GeometryFile.h"
#include "io/MeshFile.h"
#include "mesh/MeshGeometry.h"
#include "mesh/Mesher.h"

namespace verve {

int convert_command(const std::string& in, const std::string& out) {
  std::vector<std::string> warnings;
  const Geometry geometry = read_geometry(in, &warnings);
  for (const std::string& warning : warnings) std::fprintf(stderr, "verve: warning: %s\n", warning.c_str());
  write_geometry(out, geometry);
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
  for (const std::string& warning : report.warnings)
    std::fprintf(stderr, "verve: warning: %s\n", warning.c_str());
  save_tet_mesh(options.out, mesh);
  std::printf("%s: %zu points, %zu tets, %d piece%s, volume %g m^3\n", options.out.c_str(),
              mesh.points.size(), mesh.tets.size(), report.pieces, report.pieces == 1 ? "" : "s",
              volume(mesh));
  return 0;
}

}  // namespace verve
