// verve info: what a file holds.
#include <cstdio>
#include <filesystem>

#include "base/Error.h"
#include "cli/Commands.h"
#include "io/FileBytes.h"
#include "io/GeometryFile.h"
#include "io/MeshFile.h"
#include "io/SceneFile.h"
#include "mesh/MeshCheck.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshQuality.h"
#include "simulation/Checkpoint.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

void print_bounds(const std::vector<Vec3>& points) {
  const Eigen::AlignedBox3d box = bounds(points);
  if (box.isEmpty()) return;
  std::printf("  bounds     [%g %g %g] to [%g %g %g]\n", box.min()[0], box.min()[1], box.min()[2],
              box.max()[0], box.max()[1], box.max()[2]);
}

void print_defects(const MeshReport& report) {
  for (int k = 0; k < defect_kinds; ++k) {
    const MeshReport::Entry& entry = report.defects[k];
    if (entry.count)
      std::printf("  warning    %d x %s, first at %s %d\n", entry.count, describe(Defect(k)),
                  offender_is_point(Defect(k)) ? "point" : "element", entry.first);
  }
}

void print_quality(const TetMesh& mesh) {
  const MeshQuality q = measure(mesh);
  std::printf("  volume     %g m^3, smallest tet %g\n", q.volume, q.smallest_volume);
  std::printf("  edges      %g to %g m\n", q.shortest_edge, q.longest_edge);
  std::printf("  dihedral   %.1f to %.1f degrees (worst: tet %d)\n", q.smallest_dihedral, q.largest_dihedral,
              q.worst_tet);
  for (int bin = 0; bin < MeshQuality::bins; ++bin)
    std::printf("    %3d-%3d  %ld\n", 10 * bin, 10 * bin + 10, q.dihedral_histogram[bin]);
  if (q.slivers) std::printf("  warning    %d slivers, first is tet %d\n", q.slivers, q.first_sliver);
}

int scene_info(const std::string& path) {
  const SceneFile file = read_scene(path);
  Simulation simulation(file.scene);
  const Scene& scene = file.scene;
  std::printf("%s: a scene\n  frames     %d to %d at %g a second, %d step%s a frame\n", path.c_str(),
              scene.first_frame, scene.last_frame, scene.fps, scene.substeps, scene.substeps == 1 ? "" : "s");
  for (const Body& body : scene.bodies) {
    double mass = 0.0;
    for (double m : body.mass) mass += m;
    std::printf("  body       %s: %zu points, ", body.name.c_str(), body.rest.size());
    if (!body.tets.empty()) std::printf("%zu tets, ", body.tets.size());
    if (!body.springs.empty()) std::printf("%zu springs, ", body.springs.size());
    std::printf("%g kg\n", mass);
  }
  const FrameReport start = simulation.report();
  std::printf("  energy     %g J: kinetic %g, elastic %g, gravity %g, contact %g\n", start.levels.total(),
              start.levels.kinetic, start.levels.elastic, start.levels.gravity, start.levels.contact);
  for (const std::string& warning : file.warnings) std::printf("  warning    %s\n", warning.c_str());
  return 0;
}

int checkpoint_info(const std::string& path) {
  const Checkpoint c = read_checkpoint(path);
  std::printf(
      "%s: a checkpoint\n  frame      %d, %g s\n  points     %ld\n  work       %g J\n  dissipated %g J\n",
      path.c_str(), c.frame, c.state.time, long(c.state.x.size() / 3), c.state.ledger.work,
      c.state.ledger.dissipated);
  return 0;
}

/// Whether the file's name says that it holds geometry with attributes rather than a bare mesh.
bool is_geometry(const std::string& path) {
  for (const char* ending : {"geo", "bgeo", "bgeo.sc", "usda", "pc2", "mdd"})
    if (geometry_ending(path) == ending) return true;
  return false;
}

int geometry_info(const std::string& path) {
  std::vector<std::string> warnings;
  const Geometry g = read_geometry(path, &warnings);
  std::printf("%s: geometry\n  points     %d\n  vertices   %d\n  primitives %d\n", path.c_str(),
              g.point_count, g.vertex_count(), g.primitive_count());
  for (int owner = 0; owner < kOwners; ++owner)
    for (const Attribute& a : g.attributes[owner])
      std::printf("  %-10s %s: %s[%d]%s\n", name_of(Owner(owner)), a.name.c_str(), storage_name(a.values),
                  a.tuple_size, a.is_array() ? " array" : "");
  for (const Group& group : g.groups)
    std::printf("  group      %s (%s)\n", group.name.c_str(), name_of(group.owner));
  for (const std::string& warning : warnings) std::printf("  warning    %s\n", warning.c_str());
  return 0;
}

int mesh_info(const std::string& path) {
  const MeshFile file = load_mesh(path);
  if (!file.tets.empty()) {
    TetMesh mesh{file.points, file.tets};
    std::printf("%s: a tet mesh\n  points     %zu\n  tets       %zu\n", path.c_str(), mesh.points.size(),
                mesh.tets.size());
    print_bounds(mesh.points);
    if (!orientation(mesh).mixed()) orient(mesh);
    const MeshReport report = check(mesh);
    print_defects(report);
    if (report.clean()) print_quality(mesh);
  } else {
    const TriangleMesh mesh{file.points, file.triangles};
    std::printf("%s: a surface\n  points     %zu\n  triangles  %zu\n", path.c_str(), mesh.points.size(),
                mesh.triangles.size());
    print_bounds(mesh.points);
    print_defects(check(mesh));
  }
  return 0;
}

}  // namespace

int info_command(const std::string& path) {
  if (!std::filesystem::exists(path)) throw Error(path + ": there is no such file");
  if (ends_with(path, ".json")) return scene_info(path);
  if (ends_with(path, ".verve")) return checkpoint_info(path);
  return is_geometry(path) ? geometry_info(path) : mesh_info(path);
}

}  // namespace verve
