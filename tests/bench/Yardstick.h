// Shots beside position-based dynamics, and how far each is from a run at h/50. Times are those of the
// processor, so that a busy machine disturbs their ratios little.
#pragma once

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "bench/PositionBased.h"
#include "bench/Shots.h"
#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve::bench {

/// What is seen of a run: the bounce, the energy that is left after a second, volume and contact.
struct Look {
  double seconds = 0.0;      ///< of all processors, a frame
  double top = 0.0;          ///< the highest that the centre comes after its lowest, m
  double energy = 0.0;       ///< at one second, over that of lying where the centre is lowest, J
  double volume = 1.0;       ///< the least, as a share of that at rest
  double penetration = 0.0;  ///< m
  double lowest = 1e30;

  void add(double height, double least, double depth) {
    volume = std::min(volume, least);
    penetration = std::max(penetration, depth);
    if (height < lowest)
      lowest = top = height;
    else
      top = std::max(top, height);
  }
};

template <class Advance>
void timed(Look& look, int frames, const Advance& advance) {
  const std::clock_t begin = std::clock();
  advance();
  look.seconds += double(std::clock() - begin) / CLOCKS_PER_SEC / frames;
}

inline double volume_share(const Scene& scene, const Vector& x) {
  double now = 0.0, rest = 0.0;
  int first = 0;
  for (const Body& body : scene.bodies) {
    for (const auto& q : body.tets) {
      const auto det = [](const Vec3& o, const Vec3& a, const Vec3& b, const Vec3& c) {
        return (a - o).cross(b - o).dot(c - o);
      };
      rest += det(body.rest[q[0]], body.rest[q[1]], body.rest[q[2]], body.rest[q[3]]);
      now +=
          det(point(x, first + q[0]), point(x, first + q[1]), point(x, first + q[2]), point(x, first + q[3]));
    }
    first += int(body.rest.size());
  }
  return rest > 0.0 ? now / rest : 1.0;
}

inline Look ours(const Shot& shot, const std::string& settings) {
  const SceneFile file = make_scene(shot.scene(settings), shot.name, {});
  Simulation simulation(file.scene);
  const double weight = file.scene.gravity.norm() * simulation.system().mass.sum() / 3.0;
  Look look;
  for (int f = 1; f <= shot.frames; ++f) {
    FrameReport report;
    timed(look, shot.frames, [&] { report = simulation.advance(); });
    look.add(report.levels.gravity / weight, volume_share(file.scene, simulation.state().x),
             report.penetration);
    if (f == 30) look.energy = report.levels.total();
  }
  return look;
}

inline Look position_based(const Shot& shot) {
  const SceneFile file = make_scene(shot.scene(R"("substeps": 1)"), shot.name, {});
  const Simulation compiled(file.scene);  // shares out the mass
  PositionBased solver(file.scene, 20);
  double mass = 0.0;
  for (const Body& body : file.scene.bodies)
    for (double m : body.mass) mass += m;
  Look look;
  for (int f = 1; f <= shot.frames; ++f) {
    timed(look, shot.frames, [&] { solver.advance(); });
    look.add(solver.gravity() / (file.scene.gravity.norm() * mass), solver.volume(), solver.penetration());
    if (f == 30) look.energy = solver.kinetic() + solver.gravity() + solver.elastic();
  }
  return look;
}

inline void print_yardstick(const Shot& shot) {
  const auto print = [&](const char* name, const Look& look) {
    std::printf("%-20s %-26s %10.2f %10.4f %10.4f %10.4f %12.2e\n", shot.name.c_str(), name,
                1e3 * look.seconds, look.top, look.energy, look.volume, look.penetration);
    std::fflush(stdout);
  };
  print("position based, 20", position_based(shot));
  print("ours, preview", ours(shot, R"("quality": "preview")"));
  print("ours, final", ours(shot, R"("quality": "final")"));
  print("ours, h/50", ours(shot, R"("substeps": 50, "solver": {"tolerance": 1e-6})"));
}

inline std::vector<Shot> history_shots() {
  return {hare("hare 1.7K", 0.09), hare("hare 5.2K", 0.06), drape("drape 50x50", 50, 0.4)};
}

/// The columns of the history: what a frame costs at preview in units of position-based dynamics, and at
/// final in units of preview.
inline void print_ratio_names() {
  for (const Shot& shot : history_shots())
    std::printf(",%s preview/pbd,%s final/preview", shot.name.c_str(), shot.name.c_str());
  std::printf("\n");
}

inline void print_ratios() {
  for (const Shot& shot : history_shots()) {
    const double unit = position_based(shot).seconds;
    const double preview = ours(shot, R"("quality": "preview")").seconds;
    const double final = ours(shot, R"("quality": "final")").seconds;
    std::printf(",%.2f,%.2f", preview / unit, final / preview);
    std::fflush(stdout);
  }
  std::printf("\n");
}

}  // namespace verve::bench
