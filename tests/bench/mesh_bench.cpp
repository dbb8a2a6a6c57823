// How fast surfaces become tets and skins follow their cages; angles and volumes are printed beside the
// times.
#include <benchmark/benchmark.h>

#include "mesh/ImplicitShapes.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshQuality.h"
#include "mesh/Mesher.h"
#include "mesh/SkinBinding.h"
#include "simulation/Bodies.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

void report(benchmark::State& state, const TetMesh& mesh) {
  const MeshQuality quality = measure(mesh);
  state.counters["tets"] = double(mesh.tets.size());
  state.counters["tets_per_minute"] =
      benchmark::Counter(60 * double(mesh.tets.size()), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["smallest_angle"] = quality.smallest_dihedral;
  state.counters["largest_angle"] = quality.largest_dihedral;
  state.counters["volume"] = quality.volume;
}

// A bunny-like surface of 14K triangles; the argument is the spacing in units of 0.1 mm at a height of 1 m.
void surface_to_tets(benchmark::State& state) {
  const TriangleMesh hare = surface(make_hare(1, 0.02));
  const MeshingOptions options{1e-4 * double(state.range(0)), int(state.range(1))};
  TetMesh mesh;
  MeshingReport meshing;
  for (auto _ : state) mesh = mesh_surface(hare, options, meshing);
  report(state, mesh);
}
BENCHMARK(surface_to_tets)
    ->ArgNames({"spacing", "coarsening"})
    ->Args({568, 0})
    ->Args({102, 0})
    ->Args({102, 3})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void implicit_to_tets(benchmark::State& state) {
  const Solid hare = hare_solid(1);
  TetMesh mesh;
  for (auto _ : state) mesh = mesh_solid(*hare, {1e-4 * double(state.range(0)), 0});
  report(state, mesh);
}
BENCHMARK(implicit_to_tets)->Arg(568)->Arg(102)->Unit(benchmark::kMillisecond)->UseRealTime();

struct Dressed {
  TetMesh cage = make_hare(1, 0.06);
  TriangleMesh surface = verve::surface(make_hare(1, 0.0077));
  Vector x = Vector(3 * cage.points.size());
  Dressed() {
    for (std::size_t i = 0; i < cage.points.size(); ++i) point(x, int(i)) = cage.points[i];
  }
};

void skin_binds(benchmark::State& state) {
  const Dressed hare;
  for (auto _ : state) benchmark::DoNotOptimize(SkinBinding(hare.surface, hare.cage));
  state.counters["points"] = double(hare.surface.points.size());
  state.counters["tets"] = double(hare.cage.tets.size());
}
BENCHMARK(skin_binds)->Unit(benchmark::kMillisecond)->UseRealTime();

void skin_follows(benchmark::State& state) {
  const Dressed hare;
  const SkinBinding skin(hare.surface, hare.cage);
  std::vector<Vec3> positions, normals;
  for (auto _ : state) {
    skin.positions(hare.x, positions);
    skin.normals(positions, normals);
    benchmark::ClobberMemory();
  }
  state.counters["points"] = double(hare.surface.points.size());
  state.counters["tets"] = double(hare.cage.tets.size());
}
BENCHMARK(skin_follows)->Unit(benchmark::kMillisecond)->UseRealTime();

// What the skin's cost is measured by: a frame of AVF, one step, of the same cage, thrown and spinning.
void cage_steps(benchmark::State& state) {
  Scene scene;
  scene.fps = 30;
  scene.bodies.push_back(
      make_soft_body("hare", Dressed().cage, TetModel::stvk, lame_from_young(1e5, 0.4), 100));
  deform(scene.bodies[0], 1.1, 0.5);
  set_in_motion(scene.bodies[0], Vec3::Zero(), Vec3(1, 2, 3));
  Simulation simulation(scene);
  for (auto _ : state) simulation.advance();
  state.counters["tets"] = double(scene.bodies[0].tets.size());
}
BENCHMARK(cage_steps)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace verve

BENCHMARK_MAIN();
