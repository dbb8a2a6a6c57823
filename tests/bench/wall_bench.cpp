// A scene, frame by frame: what intersects at each frame and on straight ways between two, what the frame
// took, and what the books say.
//   wall_bench SCENE [--threads N] [--quiet] [--trace FRAME] [--set KEY=VALUE]...
//   wall_bench --shots FOLDER [WORD] ...: its own scenes, whose files it leaves in the folder; those with the
//   word
// in their names are run.
// Mesh and box colliders count among the surfaces. Into round ones, edges and triangles may cut between their
// points: how deep is looked at in some places of each.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "Intersections.h"
#include "WallShots.h"
#include "base/Parallel.h"
#include "contact/Contacts.h"
#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

/// Bodies, and behind them the points of colliders with corners.
struct Stage {
  explicit Stage(const Scene& scene) : colliders(scene.colliders.begin(), scene.colliders.end()) {
    for (const Body& body : scene.bodies) {
      surfaces.add_triangles(body.surface, points);
      surfaces.add_lines(body.lines, points);
      points += int(body.rest.size());
    }
    int first = points;
    for (const Collider& c : colliders) {
      if (!c.has_corners()) continue;
      surfaces.add_triangles(c.corners().triangles, first);
      first += int(c.corners().joined.size());
    }
    all = first;
  }
  Vector at(const Vector& x, double time) {
    Vector out(3 * Eigen::Index(all));
    out.head(x.size()) = x;
    int first = points;
    for (Collider& c : colliders) {
      if (!c.has_corners()) continue;
      c.begin_step(time, time);
      for (int i = 0; i < int(c.corners().joined.size()); ++i) point(out, first + i) = c.end_vertex(i);
      first += int(c.corners().joined.size());
    }
    return out;
  }
  /// How deep the middles of edges and triangles are behind the surface of round colliders, m.
  double cut(const Vector& x, double time) {
    double deepest = 0.0;
    for (Collider& c : colliders) {
      if (c.has_corners()) continue;
      c.begin_step(time, time);
      const auto look = [&](const Vec3& p) {
        deepest = std::max(deepest, -c.wall_distance(p, true, INFINITY).value);
      };
      for (const auto& e : surfaces.edges)
        if (e[1] < points)
          for (double s : {0.25, 0.5, 0.75}) look((1 - s) * point(x, e[0]) + s * point(x, e[1]));
      for (const auto& t : surfaces.triangles)
        if (t[2] < points && t[1] < points && t[0] < points)
          look((point(x, t[0]) + point(x, t[1]) + point(x, t[2])) / 3.0);
    }
    return deepest;
  }
  test::Surfaces surfaces;
  std::vector<Collider> colliders;
  int points = 0, all = 0;
};

void run(const std::string& path, bool quiet, int traced, const std::vector<std::string>& sets) {
  const SceneFile file = read_scene(path, sets);
  Simulation simulation(file.scene);
  int frame = 0;
  if (traced > 0)
    simulation.trace([&](const NewtonRecord& r) {
      constexpr const char* events[] = {"start", "step", "refresh", "close", "stuck", "end"};
      if (frame == traced)
        std::printf(
            "%8.5f %8.5f %-8s %4d norm %9.2e energy %9.2e length %8.1e filter %4.2f evals %d contacts %d "
            "%s\n",
            r.time, r.h, events[int(r.event)], r.iteration, r.norm, r.energy, r.length, r.filter,
            r.evaluations, r.contacts, r.refreshed.c_str());
    });
  Stage stage(file.scene);
  Vector before = stage.at(simulation.state().x, 0.0);
  std::printf("intersections at the start: %d\n", test::intersections(stage.surfaces, before));
  if (!quiet)
    std::printf("%5s %6s %6s %5s %5s %5s %6s %10s %10s %10s %10s %9s %7s\n", "frame", "cross", "swept", "its",
                "steps", "halv", "touch", "kinetic", "elastic", "total", "ledger", "booked", "ms");
  int crossing = 0, swept = 0, touching = 0, most = 0, last_bad = 0;
  double sum = 0.0, ledger = 0.0, cut = 0.0, most_booked = 0.0, seconds = 0.0, free_seconds = 0.0;
  const int frames = file.scene.last_frame - file.scene.first_frame;
  for (int f = 1; f <= frames; ++f) {
    frame = f;
    const FrameReport r = simulation.advance();
    const Vector now = stage.at(simulation.state().x, file.scene.frame_time(file.scene.first_frame + f));
    const int here = test::intersections(stage.surfaces, now),
              between = test::swept_crossings(stage.surfaces, before, now);
    before = now;
    crossing += here, swept += between;
    if (here) last_bad = f;
    cut = std::max(cut, stage.cut(now, file.scene.frame_time(file.scene.first_frame + f)));
    most_booked = std::max(most_booked, r.ledger.booked / r.ledger.largest);
    ledger = std::max(ledger, std::abs(r.ledger_error()));
    if (r.contacts > 0) {
      ++touching, sum += r.steps.newton_iterations, seconds += r.seconds;
      most = std::max(most, r.steps.newton_iterations);
    } else if (free_seconds == 0.0) {
      free_seconds = r.seconds;
    }
    if (!quiet)
      std::printf("%5d %6d %6d %5d %5d %5d %6d %10.3g %10.3g %10.6g %10.1e %9.1e %7.0f\n", f, here, between,
                  r.steps.newton_iterations, r.substeps, r.halvings, r.contacts, r.levels.kinetic,
                  r.levels.elastic, r.levels.total(), r.ledger_error(), r.ledger.booked / r.ledger.largest,
                  1e3 * r.seconds);
    std::fflush(stdout);
  }
  const FrameReport last = simulation.report();
  std::printf(
      "%s: %d intersections (last at frame %d), %d swept, round ones cut by %.2g mm, iterations %.1f mean %d "
      "most "
      "of %d frames in touch, %.0f ms each, free frame %.0f ms, ledger %.1e, booked %.1e of the energy (at "
      "most "
      "%.1e)\n",
      path.c_str(), crossing, last_bad, swept, 1e3 * cut, touching ? sum / touching : 0.0, most, touching,
      touching ? 1e3 * seconds / touching : 0.0, 1e3 * free_seconds, ledger,
      last.ledger.booked / last.ledger.largest, most_booked);
}

/// Writes all shots, and names the scenes that have the word.
std::vector<std::string> write_shots(const std::string& folder, const std::string& word) {
  std::filesystem::create_directories(folder);
  std::vector<std::string> paths;
  for (const bench::WallShot& shot : bench::wall_shots(folder)) {
    std::string name = shot.name;
    for (char& c : name) c = c == ' ' || c == '/' ? '_' : c;
    const std::string path = folder + "/" + name + ".json";
    std::ofstream(path) << "{\"frames\": [1, " << shot.frames << "], " << shot.content << "}\n";
    if (name.find(word) != std::string::npos) paths.push_back(path);
  }
  return paths;
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  using namespace verve;
  std::vector<std::string> paths, sets;
  std::string folder;
  bool quiet = false;
  int traced = 0;
  int threads = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string is = argv[i];
    if (is == "--threads" && i + 1 < argc)
      threads = std::atoi(argv[++i]);
    else if (is == "--trace" && i + 1 < argc)
      traced = std::atoi(argv[++i]);
    else if (is == "--set" && i + 1 < argc)
      sets.push_back(argv[++i]);
    else if (is == "--shots" && i + 1 < argc)
      folder = argv[++i];
    else if (is == "--quiet")
      quiet = true;
    else
      paths.push_back(is);
  }
  if (!folder.empty()) paths = write_shots(folder, paths.empty() ? "" : paths.front());
  if (paths.empty()) {
    std::fprintf(stderr, "wall_bench SCENE | --shots FOLDER [WORD]; see the top of wall_bench.cpp\n");
    return 1;
  }
  const ThreadLimit limit(threads);
  int failed = 0;
  for (const std::string& path : paths) try {
      run(path, quiet, traced, sets);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), e.what());
      ++failed;
    }
  return failed > 0;
}
