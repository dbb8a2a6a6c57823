// The scenes that tests and benchmarks share.
#pragma once

#include "mesh/Shapes.h"
#include "simulation/Bodies.h"
#include "simulation/Simulation.h"

namespace verve::test {

/// A free bar of 384 tets, 2 x .25 x .25 m, 1 kg, stretched and twisted; h = 0.033 s, no gravity.
inline Scene bar_scene(TetModel model = TetModel::stvk, double stretch = 1.5, double twist = 1.5,
                       std::array<int, 3> cells = {16, 2, 2}) {
  Scene scene;
  scene.fps = 1.0 / 0.033;
  scene.gravity.setZero();
  Body body = make_soft_body("bar", make_box({2, .25, .25}, cells), model, {400, 100}, 1.0);
  set_mass(body, 1.0);
  deform(body, stretch, twist);
  scene.bodies.push_back(body);
  return scene;
}

/// A free sheet of springs, 1 x 1 m, 1 kg, stretched along x, uneven by `wrinkle` metres so that it may leave
/// its plane.
inline Scene sheet_scene(double stretch = 1.4, double wrinkle = 1e-3, std::array<int, 2> cells = {16, 16}) {
  Scene scene;
  scene.fps = 1.0 / 0.033;
  scene.gravity.setZero();
  Body body = make_cloth("sheet", make_sheet({1, 1}, cells), SpringModel::stvk, 200, 100, 1.0);
  deform(body, stretch, 0.0);
  for (std::size_t i = 0; i < body.x.size(); ++i) body.x[i][1] += wrinkle * std::sin(7.0 * double(i));
  scene.bodies.push_back(body);
  return scene;
}

/// The largest change of the total energy over `frames`, as a share of the first frame's.
inline double drift(Simulation& simulation, int frames) {
  const double start = simulation.report().levels.total();
  double worst = 0.0;
  for (int i = 0; i < frames; ++i)
    worst = std::max(worst, std::abs(simulation.advance().levels.total() - start) / std::abs(start));
  return worst;
}

}  // namespace verve::test
