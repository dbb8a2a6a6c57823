// verve info: what a file holds.
#include <algorithm>
#include <cstdio>

#include "base/Error.h"
#include "base/FileBytes.h"
#include "cli/Commands.h"
#include "io/GeometryFile.h"
#include "io/GeometryMesh.h"
#include "io/MeshFiles.h"
#include "io/SequenceFile.h"
#include "mesh/MeshCheck.h"
#include "mesh/MeshQuality.h"
#include "mesh/MeshSummary.h"
#include "run/MakeSimulation.h"
#include "scene/SceneFile.h"
#include "simulation/Bodies.h"
#include "simulation/Checkpoint.h"
#include "simulation/Simulation.h"
#include "viewer/CacheName.h"

namespace verve {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Lines of a summary, set in as the others are.
void print_lines(const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::printf("  %s\n", text.substr(begin, end - begin).c_str());
    begin = end + 1;
  }
}

void print_step(const TetMesh& mesh) {
  constexpr double young = 1e5, poisson = 0.4, density = 1000.0;
  const Lame lame = lame_from_young(young, poisson);
  std::printf("  stable step: %.2g s for explicit integrators, with young %g Pa, poisson %g and %g kg/m^3\n",
              stable_step(mesh, lame.mu, lame.lambda, density), young, poisson, density);
}

/// What a solver would make of the file's tets or triangles.
void print_mesh(const MeshFile& file) {
  if (file.tets.empty()) return print_lines(summarize(TriangleMesh{file.points, file.triangles}));
  TetMesh mesh{file.points, file.tets};
  if (!orientation(mesh).mixed() && orient(mesh).negative > 0)
    std::printf("  warning    all tets are inside out; here they are turned round\n");
  print_lines(summarize(mesh));
  if (check(mesh).clean()) print_step(mesh);
}

int scene_info(const std::string& path) {
  const SceneFile file = read_scene(path);
  const Simulation simulation = start(file, path, Simulation::Begin::given);
  const Scene& scene = file.scene;
  std::printf("%s: a scene\n  frames     %d to %d at %g a second, %s\n", path.c_str(), scene.first_frame,
              scene.last_frame, scene.fps,
              scene.substeps == 0   ? "as many steps a frame as the motion needs"
              : scene.substeps == 1 ? "1 step a frame"
                                    : (std::to_string(scene.substeps) + " steps a frame").c_str());
  for (const Body& body : scene.bodies) {
    double mass = 0.0;
    for (double m : body.mass) mass += m;
    std::printf("  body       %s: %zu points, ", body.name.c_str(), body.rest.size());
    if (!body.tets.empty()) std::printf("%zu tets, ", body.tets.size());
    if (!body.membrane.empty()) std::printf("%zu triangles, ", body.membrane.size());
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
  for (const char* ending : {"geo", "bgeo", "bgeo.sc", "vtu", "usda", "pc2", "mdd", "pvd"})
    if (geometry_ending(path) == ending) return true;
  return false;
}

int cache_info(const CacheName& cache) {
  std::vector<std::string> warnings;
  const auto frames = open_sequence(cache.path, &warnings, cache.fps);
  if (frames->count() == 0) throw Error(cache.path + ": there is no frame in it");
  const Geometry g = frames->read(0);
  if (frames->count() > 1)
    std::printf("%s: a cache\n  frames     %zu, %d to %d at %g a second\n", cache.path.c_str(),
                frames->count(), frames->frame(0), frames->frame(frames->count() - 1), frames->fps());
  else
    std::printf("%s: geometry\n", cache.path.c_str());
  std::printf("  points     %d\n  vertices   %d\n  primitives %d\n", g.point_count, g.vertex_count(),
              g.primitive_count());
  for (int owner = 0; owner < kOwners; ++owner)
    for (const Attribute& a : g.attributes[owner])
      std::printf("  %-10s %s: %s[%d]%s\n", name_of(Owner(owner)), a.name.c_str(), storage_name(a.values),
                  a.tuple_size, a.is_array() ? " array" : "");
  for (const Group& group : g.groups)
    std::printf("  group      %s (%s): %ld\n", group.name.c_str(), name_of(group.owner),
                long(std::count(group.members.begin(), group.members.end(), 1)));
  const MeshFile mesh = mesh_of(g);
  if (!mesh.tets.empty() || !mesh.triangles.empty()) print_mesh(mesh);
  for (const std::string& warning : warnings) std::printf("  warning    %s\n", warning.c_str());
  return 0;
}

int mesh_info(const std::string& path) {
  const MeshFile file = load_mesh(path);
  std::printf("%s: %s\n", path.c_str(), file.tets.empty() ? "a surface" : "a tet mesh");
  print_mesh(file);
  return 0;
}

}  // namespace

int info_command(const std::string& path) {
  const CacheName cache = find_cache(path);
  if (ends_with(path, ".json")) return scene_info(path);
  if (ends_with(path, ".verve")) return checkpoint_info(path);
  return cache.path != path || is_geometry(path) || path.find("$F") != std::string::npos ? cache_info(cache)
                                                                                         : mesh_info(path);
}

}  // namespace verve
