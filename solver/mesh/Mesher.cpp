#include "mesh/Mesher.h"

#include <algorithm>

#include "base/Parallel.h"
#include "mesh/LatticeCells.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshTopology.h"
#include "mesh/ShapeSize.h"
#include "mesh/Stuffing.h"
#include "mesh/SurfaceField.h"
#include "mesh/SurfaceRepair.h"
#include "mesh/Thickness.h"

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

struct Sample {
  Vec3 place;
  double weight;
};

struct Lost {
  double share = 0;
  int first = -1;
};

// Samples of the shape that are farther than a spacing outside of the result.
Lost find_lost(const std::vector<Sample>& samples, const TetMesh& mesh, double spacing) {
  const TriangleTree result(surface(mesh));
  std::vector<char> lost(samples.size(), 0);
  parallel_pieces(int(samples.size()), 256, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Vec3& p = samples[i].place;
      lost[i] = result.nearest(p, spacing * spacing).triangle < 0 && result.winding(p) < 0.5;
    }
  });
  Lost found;
  double all = 0, gone = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    all += samples[i].weight;
    if (!lost[i]) continue;
    gone += samples[i].weight;
    if (found.first < 0) found.first = int(i);
  }
  if (all > 0) found.share = gone / all;
  return found;
}

void report_lost(const Lost& lost, double spacing, const std::string& where, MeshingReport& report) {
  report.vanished = lost.share;
  report.warnings.insert(report.warnings.begin(),
                         short_number(100 * lost.share) + " % of the surface is too thin for the spacing " +
                             short_number(spacing) + " and vanished (first: " + where +
                             "); choose a smaller spacing to keep it");
}

void report_pieces(const TetMesh& mesh, int expected, MeshingReport& report) {
  const TopologyReport hangs = topology(mesh);
  report.pieces = hangs.pieces;
  if (hangs.pieces > expected)
    report.warnings.insert(report.warnings.begin(),
                           "the tets form " + std::to_string(hangs.pieces) + " separate pieces instead of " +
                               std::to_string(expected) + "; the smallest has " +
                               std::to_string(hangs.smallest_piece) + " tets (first: tet " +
                               std::to_string(hangs.first_of_smallest) +
                               "); thin bridges may have vanished, choose a smaller spacing");
}

std::vector<Sample> samples_of(const TriangleMesh& surface) {
  std::vector<Sample> samples;
  for (const auto& t : surface.triangles) {
    const Vec3 &a = surface.points[t[0]], &b = surface.points[t[1]], &c = surface.points[t[2]];
    samples.push_back({(a + b + c) / 3, (b - a).cross(c - a).norm()});
  }
  return samples;
}

// A solid has no triangles to look at: the inner ones of cells half as large that follow its surface stand
// in.
std::vector<Sample> samples_of(const Implicit& solid, double spacing) {
  const LatticeCells fine = make_lattice_cells(solid, spacing / 2, 0);
  std::vector<Sample> samples;
  for (const LatticeCell& cell : fine.cells)
    if (!cell.deep && cell.value > 0)
      samples.push_back(
          {fine.origin + fine.spacing * Vec3(cell.at[0] + 0.5, cell.at[1] + 0.5, cell.at[2] + 0.5), 1});
  return samples;
}

}  // namespace

TetMesh mesh_solid(const Implicit& solid, const MeshingOptions& options) {
  require_sane(options);
  TetMesh mesh = stuff(make_lattice(solid, options.spacing, options.coarsening), solid);
  if (mesh.tets.empty())
    throw Error("meshing: nothing is thick enough for the spacing " + short_number(options.spacing) +
                "; choose a smaller spacing (the shape is " +
                short_number(solid.bounds().sizes().maxCoeff()) +
                " long, in the units of its file) or check that the shape encloses a volume");
  return mesh;
}

TetMesh mesh_solid(const Implicit& solid, const MeshingOptions& options, MeshingReport& report) {
  report = {};
  TetMesh mesh = mesh_solid(solid, options);
  report_pieces(mesh, 1, report);
  const std::vector<Sample> samples = samples_of(solid, options.spacing);
  const Lost lost = find_lost(samples, mesh, options.spacing);
  if (lost.first >= 0) {
    const Vec3& p = samples[lost.first].place;
    report_lost(lost, options.spacing,
                "at " + short_number(p[0]) + " " + short_number(p[1]) + " " + short_number(p[2]), report);
  }
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
  const SurfaceField field(repaired.mesh, repaired.open_length);
  TetMesh mesh;
  if (options.thicken) {
    const ThickenedSolid solid(field, repaired.mesh, thicknesses(repaired.mesh), options.spacing);
    report.thickened = solid.thin_share();
    mesh = mesh_solid(solid, options);
  } else {
    mesh = mesh_solid(field, options);
  }
  warn_of_repairs(repaired, report.warnings);
  report_pieces(mesh, repaired.pieces, report);
  const Lost lost = find_lost(samples_of(repaired.mesh), mesh, options.spacing);
  if (lost.first >= 0) {
    report.first_vanished = repaired.triangle_of[lost.first];
    report_lost(lost, options.spacing, "triangle " + std::to_string(report.first_vanished), report);
  }
  return mesh;
}

}  // namespace verve
