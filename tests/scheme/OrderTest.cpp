// The order of accuracy of every scheme, measured on a swinging chain of springs with tets beside it.
#include <gtest/gtest.h>

#include "Scenes.h"

namespace verve {
namespace {

/// A small twisted bar, soft enough that the largest step resolves its motion.
Vector end_position(IntegratorType type, int order, int steps) {
  Scene scene = test::bar_scene(TetModel::stvk, 1.1, 0.3, {4, 1, 1});
  scene.integrator.type = type;
  scene.integrator.order = order;
  scene.integrator.newton.tolerance = 1e-13;
  scene.integrator.linear = LinearKind::direct;
  scene.fps = steps / 0.2;
  scene.gravity = {0, -9.81, 0};
  Simulation simulation(scene);
  for (int i = 0; i < steps; ++i) simulation.advance();
  return simulation.state().x;
}

/// The slope of the error over halvings of the step, against a much finer run of order 4.
double measured_order(IntegratorType type, int order, int steps) {
  static const Vector reference = end_position(IntegratorType::implicit_midpoint, 4, 1280);
  const double coarse = (end_position(type, order, steps) - reference).norm();
  const double fine = (end_position(type, order, 2 * steps) - reference).norm();
  return std::log2(coarse / fine);
}

// Halving the step once measures the order up to the next term of the error, a few percent here.
TEST(Order, IsOneForTheEulers) {
  EXPECT_NEAR(measured_order(IntegratorType::backward_euler, 2, 160), 1.0, 0.15);
  EXPECT_NEAR(measured_order(IntegratorType::symplectic_euler, 2, 160), 1.0, 0.15);
}

TEST(Order, IsTwoForTheOthers) {
  for (IntegratorType type : {IntegratorType::avf, IntegratorType::implicit_midpoint, IntegratorType::newmark,
                              IntegratorType::bdf2, IntegratorType::bathe, IntegratorType::hp})
    EXPECT_NEAR(measured_order(type, 2, 80), 2.0, 0.15) << int(type);
}

TEST(Order, IsFourForCompositions) {
  for (IntegratorType type : {IntegratorType::avf, IntegratorType::implicit_midpoint})
    EXPECT_NEAR(measured_order(type, 4, 40), 4.0, 0.3) << int(type);
}

TEST(Order, CompositionOfAvfKeepsTheEnergy) {
  Scene scene = test::bar_scene(TetModel::stvk, 1.2, 0.5);
  scene.integrator.order = 4;
  Simulation simulation(scene);
  // Five solves a frame, each within its own share.
  EXPECT_LE(test::drift(simulation, 60), 10 * scene.integrator.newton.tolerance);
}

}  // namespace
}  // namespace verve
