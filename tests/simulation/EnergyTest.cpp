// The promises about energy and momenta, on the bar and the sheet that the papers' figures resemble.
#include <gtest/gtest.h>

#include "Scenes.h"

namespace verve {
namespace {

using test::bar_scene;
using test::drift;
using test::sheet_scene;

double drift_of(Scene scene, IntegratorType type, double tolerance, int frames) {
  scene.integrator.type = type;
  scene.integrator.newton.tolerance = tolerance;
  Simulation simulation(scene);
  return drift(simulation, frames);
}

/// How much of the energy is there after `frames`, and at most until then. Stops early once past `enough`.
std::pair<double, double> energy_after(Scene scene, IntegratorType type, int frames, double enough) {
  scene.integrator.type = type;
  scene.integrator.newton.tolerance = 1e-6;
  Simulation simulation(scene);
  const double start = simulation.report().levels.total();
  double now = 1.0, most = 1.0;
  for (int i = 0; i < frames && most < enough; ++i) {
    now = simulation.advance().levels.total() / start;
    most = std::max(most, now);
  }
  return {now, most};
}

// A step changes the energy by (2/h^2) r.dx, and the residual's definition holds that below tolerance/1000.
TEST(Energy, AvfKeepsTheBarsEnergyToTheTolerance) {
  for (double tolerance : {1e-6, 1e-8, 1e-10})
    EXPECT_LE(drift_of(bar_scene(), IntegratorType::avf, tolerance, 100), 10 * tolerance);
}

TEST(Energy, AvfKeepsTheSheetsEnergyToTheTolerance) {
  for (double tolerance : {1e-6, 1e-8, 1e-10})
    EXPECT_LE(drift_of(sheet_scene(), IntegratorType::avf, tolerance, 200), 10 * tolerance);
}

/// Squeezed and let go: the middle of a step sees nothing of tets that turn over at its end.
FrameReport squeezed(TetModel model, double length, int substeps) {
  Scene scene = bar_scene(model, length, 1.0, {8, 2, 2});
  scene.integrator.type = IntegratorType::hp;
  scene.substeps = substeps;
  Simulation simulation(scene);
  FrameReport sums;
  for (int frame = 0; frame < 60; ++frame) {
    const FrameReport report = simulation.advance();
    sums.inverted += report.inverted;
    sums.halvings += report.halvings;
    // Solves that end at round-off may leave so much; attempts that failed do not count.
    EXPECT_LE(report.steps.residual, 1e-5);
  }
  return sums;
}

TEST(Energy, StepsThatTurnTetsOverAreHalved) {
  const FrameReport sums = squeezed(TetModel::neo_hookean, 0.1, 4);
  EXPECT_GT(sums.halvings, 0) << "the scene must be hard enough to need it";
  EXPECT_EQ(sums.inverted, 0);
}

TEST(Energy, RunsGoOnWhereHalvingDoesNotKeepTetsUpright) {
  EXPECT_GT(squeezed(TetModel::mooney_rivlin, 0.1, 2).inverted, 0)
      << "the scene must be hard enough to turn some over";
}

TEST(Energy, MidpointAndNewmarkExplodeOnTheBar) {
  EXPECT_GT(energy_after(bar_scene(), IntegratorType::implicit_midpoint, 1000, 10).second, 10);
  EXPECT_GT(energy_after(bar_scene(), IntegratorType::newmark, 1000, 10).second, 10);
}

TEST(Energy, MidpointAndNewmarkExplodeOnTheSheet) {
  EXPECT_GT(energy_after(sheet_scene(), IntegratorType::implicit_midpoint, 1000, 10).second, 10);
  EXPECT_GT(energy_after(sheet_scene(), IntegratorType::newmark, 1000, 10).second, 10);
}

TEST(Energy, BackwardEulerLosesIt) {
  EXPECT_LT(energy_after(bar_scene(), IntegratorType::backward_euler, 1000, 10).first, 1e-3);
  EXPECT_LT(energy_after(sheet_scene(1.4, 0.0), IntegratorType::backward_euler, 1000, 10).first, 1e-3);
}

TEST(Energy, Bdf2AndBatheLoseSomeOfIt) {
  for (IntegratorType type : {IntegratorType::bdf2, IntegratorType::bathe})
    EXPECT_LT(energy_after(sheet_scene(), type, 300, 10).first, 0.9);
}

TEST(Energy, LocalCorrectionKeepsItForEveryMaterial) {
  for (TetModel model : {TetModel::stable_neo_hookean, TetModel::neo_hookean, TetModel::mooney_rivlin}) {
    Scene scene = bar_scene(model, 1.3, 1.0);
    scene.integrator.gauss = 3;
    Simulation plain(scene);
    EXPECT_GT(drift(plain, 100), 1e-7) << "gauss3 alone is not exact, or this test shows nothing";
    scene.integrator.correction = Correction::local;
    Simulation corrected(scene);
    EXPECT_LE(drift(corrected, 300), 1e-9);
  }
}

TEST(Energy, MoreGaussPointsDriftLess) {
  double before = 1.0;
  for (int points : {2, 4, 8}) {
    Scene scene = bar_scene(TetModel::stable_neo_hookean, 1.3, 1.0);
    scene.integrator.gauss = points;
    Simulation simulation(scene);
    const double now = drift(simulation, 50);
    EXPECT_LT(now, 0.2 * before) << points;
    before = now;
  }
}

TEST(Energy, ProjectionKeepsEnergyAndBothMomenta) {
  Scene scene = bar_scene(TetModel::stvk, 1.3, 0.5);
  set_in_motion(scene.bodies[0], {0.3, -0.2, 0.1}, {1, 2, 3});
  scene.integrator.project_momentum = true;
  Simulation simulation(scene);
  const FrameReport start = simulation.report();
  double linear = 0, angular = 0, energy = 0, raw = 0;
  for (int i = 0; i < 300; ++i) {
    const FrameReport r = simulation.advance();
    linear =
        std::max(linear, (r.momentum.linear - start.momentum.linear).norm() / start.momentum.linear.norm());
    angular = std::max(angular,
                       (r.momentum.angular - start.momentum.angular).norm() / start.momentum.angular.norm());
    energy = std::max(energy, std::abs(r.ledger_error()));
    raw = std::max(raw, std::abs(r.raw_drift()));
  }
  EXPECT_LT(linear, 1e-10);
  EXPECT_LT(angular, 1e-10);
  EXPECT_LT(energy, 1e-10);
  EXPECT_LE(raw, 10 * scene.integrator.newton.tolerance);
  EXPECT_GT(raw, 0.0);

  scene.integrator.project_momentum = false;
  Simulation free(scene);
  double wander = 0;
  for (int i = 0; i < 300; ++i)
    wander = std::max(wander, (free.advance().momentum.angular - start.momentum.angular).norm());
  EXPECT_GT(wander, 1e-4 * start.momentum.angular.norm()) << "without projection it does wander";
}

}  // namespace
}  // namespace verve
