#include "mesh/Mesher.h"

#include <algorithm>

#include "base/Parallel.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshTopology.h"
#include "mesh/ShapeSize.h"
#include "mesh/Stuffing.h"
#include "mesh/SurfaceField.h"
#include "mesh/SurfaceRepair.h"

namespace verve {
namespace {

void require_sane(const MeshingOptions& options) {
  require_length("meshing", "spacing", options.spacing);
  if (options.coarsening < 0 || options.coarsening > 8)
    throw Error("meshing: coarsening is " + std::to_string(options.coarsening) +
                "; give a number from 0 to 8");
}

void require_indices(const TriangleMesh& surface) {
  if (surface.triangles.empty()) throw Error("meshing: the surface is empty; it has no triangles");
  const MeshReport report = check(surface);
  const auto& range = report[Defect::out_of_range];
  if (range.count > 0)
    throw Error("meshing: triangle " + std::to_string(range.first) + " " + describe(Defect::out_of_range) +
                "; the surface is damaged, export it again");
}

void warn_of_repairs(const RepairedSurface& repaired, std::vector<std::string>& warnings) {
  const auto warn = [&](const MeshReport::Entry& entry, const char* what) {
    if (entry.count > 0)
      warnings.push_back(std::string(what) + ": " + std::to_string(entry.count) + " (first: triangle " +
                         std::to_string(entry.first) + ")");
  };
  warn(repaired.not_finite, "triangles left out, as a point is not a finite number");
  warn(repaired.open_edges, "holes were bridged; edges that only one triangle has");
  warn(repaired.inside_out, "pieces turned round, as they faced inwards");
  warn(repaired.flipped, "triangles turned round, as they wound against their neighbours");
  warn(repaired.duplicates, "duplicate triangles left out");
  warn(repaired.collapsed, "triangles left out, as their corners coincide");
  warn(repaired.flat, "triangles without area");
  warn(repaired.crowded_edges, "edges that more than two triangles have");
}

// Triangles of the surface that are farther than a spacing outside of the result have lost what they covered.
void find_vanished(const RepairedSurface& repaired, const TetMesh& mesh, double spacing,
                   MeshingReport& report) {
  const TriangleTree result(surface(mesh));
  const auto& triangles = repaired.mesh.triangles;
  const auto gone = [&](const Vec3& p) {
    return result.nearest(p, spacing * spacing).triangle < 0 && result.winding(p) < 0.5;
  };
  std::vector<char> lost(triangles.size(), 0);
  parallel_pieces(int(triangles.size()), 256, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const auto& t = triangles[i];
      Vec3 middle = Vec3::Zero();
      for (int p : t) middle += repaired.mesh.points[p] / 3;
      lost[i] = gone(middle);
    }
  });
  double all = 0, gone_area = 0;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const auto& t = triangles[i];
    const Vec3& a = repaired.mesh.points[t[0]];
    const double size = (repaired.mesh.points[t[1]] - a).cross(repaired.mesh.points[t[2]] - a).norm();
    all += size;
    if (!lost[i]) continue;
    gone_area += size;
    if (report.first_vanished < 0) report.first_vanished = repaired.triangle_of[i];
  }
  if (report.first_vanished < 0) return;
  report.vanished_area = all > 0 ? gone_area / all : 0;
  report.warnings.insert(report.warnings.begin(),
                         short_number(100 * report.vanished_area) +
                             " % of the surface is too thin for the spacing " + short_number(spacing) +
                             " and vanished (first: triangle " + std::to_string(report.first_vanished) +
                             "); choose a smaller spacing to keep it");
}

}  // namespace

TetMesh mesh_solid(const Implicit& solid, const MeshingOptions& options) {
  require_sane(options);
  TetMesh mesh = stuff(make_lattice(solid, options.spacing, options.coarsening), solid);
  if (mesh.tets.empty())
    throw Error("meshing: nothing is thick enough for the spacing " + short_number(options.spacing) +
                "; choose a smaller spacing (the shape is " +
                short_number(solid.bounds().sizes().maxCoeff()) +
                " metres long) or check that the shape encloses a volume");
  return mesh;
}

TetMesh mesh_surface(const TriangleMesh& surface, const MeshingOptions& options, MeshingReport& report) {
  report = {};
  require_sane(options);
  require_indices(surface);
  const RepairedSurface repaired = repair_surface(surface);
  if (repaired.mesh.triangles.empty())
    throw Error("meshing: no triangle of the surface can be used; " +
                std::to_string(repaired.not_finite.count) + " have points that are not finite numbers, " +
                std::to_string(repaired.collapsed.count) + " have coinciding corners");
  TetMesh mesh = mesh_solid(SurfaceField(repaired.mesh, repaired.open_length), options);
  warn_of_repairs(repaired, report.warnings);
  const TopologyReport hangs = topology(mesh);
  report.pieces = hangs.pieces;
  if (report.pieces > repaired.pieces)
    report.warnings.insert(report.warnings.begin(),
                           "the tets form " + std::to_string(report.pieces) +
                               " separate pieces but the surface " + std::to_string(repaired.pieces) +
                               "; the smallest has " + std::to_string(hangs.smallest_piece) +
                               " tets (first: tet " + std::to_string(hangs.first_of_smallest) +
                               "); thin bridges may have vanished, choose a smaller spacing");
  find_vanished(repaired, mesh, options.spacing, report);
  return mesh;
}

}  // namespace verve
