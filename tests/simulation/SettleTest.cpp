// Runs that begin at rest: settled under their load, or with a rest shape that suits the model.
#include <gtest/gtest.h>

#include "base/Error.h"
#include "integrator/StaticSolve.h"
#include "scene/SceneFile.h"
#include "simulation/Checkpoint.h"
#include "simulation/SceneDrivers.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

SceneFile scene(const std::string& bodies, const std::string& rest = "") {
  return make_scene("{\"fps\": 24, \"frames\": [1, 101], \"bodies\": [" + bodies + "]" + rest + "}", "test",
                    {}, {});
}

const std::string cantilever = R"({"geometry": {"shape": "bar", "size": [1, 0.2, 0.2], "cells": [6, 2, 2]},
  "material": {"model": "MODEL", "young": 20000, "poisson": 0.3}, "density": 100,
  "pins": [{"box": [[-0.5, -1, -1], [-0.5, 1, 1]]}], )";
const std::string cloth = R"({"geometry": {"shape": "sheet", "size": [1, 1], "cells": [8, 8]},
  "material": {"model": "springs", "mu": 200, "bend": 1}, "mass": 0.2,
  "pins": [{"box": [[-0.5, -1, -0.5], [-0.5, 1, -0.5]]}, {"box": [[0.5, -1, -0.5], [0.5, 1, -0.5]]}], )";
const std::string blob = R"({"geometry": {"shape": "sphere", "radius": 0.5, "spacing": 0.2},
  "material": {"model": "stable_neo_hookean", "young": 3000, "poisson": 0.4}, "density": 100,
  "pins": [{"box": [[-0.6, -0.1, -0.1], [0.6, 0.1, 0.1]]}], )";
const std::string block =
    R"({"name": "block", "geometry": {"shape": "box", "size": [0.5, 0.5, 0.5], "cells": [2, 2, 2]},
  "material": {"model": "stvk", "mu": 4000, "lambda": 4000}, "density": 100, "transform": {"translate": [0, 0.3, 0]}, )";
const std::string floor_ = R"(, "colliders": [{"shape": "plane", "stiffness": 2000, "friction": 0.5}])";

std::string of(std::string body, const std::string& model) {
  body.replace(body.find("MODEL"), 5, model);
  return body;
}

/// Nothing pops in the hundred frames after the first.
void expect_rest(const SceneFile& file, int frames = 100) {
  Simulation simulation(file.scene);
  const EnergyLevels start = simulation.report().levels;
  const Vector x = simulation.state().x;
  EXPECT_EQ(start.kinetic, 0.0);
  EXPECT_GT(start.elastic, 0.0);
  double most = 0.0, error = 0.0;
  for (int i = 0; i < frames; ++i) {
    const FrameReport report = simulation.advance();
    most = std::max(most, report.levels.kinetic);
    error = std::max(error, std::abs(report.ledger_error()));
  }
  EXPECT_LE(most, 1e-8 * start.elastic);
  EXPECT_LE(error, 1e-8);
  EXPECT_LE((simulation.state().x - x).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Settle, NothingPopsAfterTheFirstFrame) {
  expect_rest(scene(of(cantilever, "stvk") + "\"settle\": true}"));
  expect_rest(scene(cloth + "\"settle\": true}"));
  expect_rest(scene(blob + "\"settle\": true}"));
  expect_rest(scene(block + "\"settle\": true}", floor_));
}

TEST(Settle, FromFarAway) {
  // Twice as long and turned by half a turn at first.
  expect_rest(scene(of(cantilever, "neo_hookean") + R"("settle": true, "stretch": 2, "twist": 3})"), 20);
}

TEST(Settle, ASlenderBeamUnderALoadIsTheElastica) {
  // P L^2 / EI = 10 (Bisshopp and Drucker 1945), without gravity: what is left of the forces along the beam,
  // which are far larger than the load, is rounding. Tolerance: the reference's four digits and 0.4 % for
  // twenty cells.
  const SceneFile file =
      make_scene(R"({"gravity": [0, 0, 0], "bodies": [{"settle": true, "element": "quadratic",
      "geometry": {"shape": "bar", "size": [1, 0.01, 0.01], "cells": [20, 1, 1]}, "density": 1000,
      "material": {"model": "stvk", "young": 1.2e9, "poisson": 0}, "pins": [{"box": [[-0.51, -1, -1], [-0.4999, 1, 1]]}],
      "forces": [{"box": [[0.4999, -1, -1], [0.51, 1, 1]], "force": [0, -10, 0]}]}]})",
                 "test", {}, {});
  const Simulation settled(file.scene);
  Vec3 tip = Vec3::Zero();
  double count = 0.0;
  const std::vector<Vec3>& rest = file.scene.bodies[0].rest;
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (rest[i][0] > 0.4999) tip += point(settled.state().x, int(i)), count += 1.0;
  tip /= count;
  EXPECT_NEAR(-tip[1], 0.8106, 0.0045);
  EXPECT_NEAR(tip[0] + 0.5, 0.4450, 0.0045);
}

TEST(Settle, IsWhereDampedMotionEnds) {
  const Simulation settled(scene(of(cantilever, "stvk") + "\"settle\": true}").scene);
  const SceneFile file =
      scene(of(cantilever, "stvk") + "\"settle\": false}", R"(, "damping": {"delta": 0.2, "eta": 5})");
  Simulation damped(file.scene);
  for (int i = 0; i < 150; ++i) damped.advance();
  EXPECT_LE((damped.state().x - settled.state().x).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(Settle, ResumesToTheBit) {
  const SceneFile file = scene(block + "\"settle\": true}", floor_);
  Simulation unbroken(file.scene), resumed(file.scene, Simulation::Begin::given);
  unbroken.advance();
  const Checkpoint saved = checkpoint_from(to_bytes({1, unbroken.frame(), unbroken.state()}));
  resumed.restore(saved.frame, saved.state);
  EXPECT_EQ(unbroken.advance().ledger_error(), resumed.advance().ledger_error());
  EXPECT_EQ(unbroken.state().x, resumed.state().x);
}

std::string complaint(const std::string& bodies, const std::string& rest = "") {
  try {
    const SceneFile file = scene(bodies, rest);
    Simulation simulation(file.scene);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Settle, SaysWhenThereIsNoRest) {
  EXPECT_NE(complaint(block + "\"settle\": true}").find("body 'block': does not come to rest"),
            std::string::npos);
  EXPECT_NE(complaint(block + R"("settle": true, "velocity": [1, 0, 0]})").find("bodies[0].settle"),
            std::string::npos);
  // A slope without friction.
  EXPECT_NE(
      complaint(block + "\"settle\": true}", R"(, "colliders": [{"shape": "plane", "normal": [0.3, 1, 0]}])")
          .find("does not come to rest"),
      std::string::npos);
}

/// The model stays, and a search for rest from elsewhere comes back to it.
void expect_model(const SceneFile& file) {
  Simulation simulation(file.scene);
  EXPECT_TRUE(simulation.notes().empty()) << simulation.notes().front();
  const Vector model = simulation.state().x;
  std::size_t p = 0;
  for (const Vec3& place : file.scene.bodies[0].x) EXPECT_EQ(Vec3(point(model, int(p++))), place);
  expect_rest(file);
  State moved = simulation.state();
  const Vector start = moved.x;
  for (Eigen::Index i = 0; i < moved.x.size(); ++i) moved.x[i] += 0.01 * std::sin(double(i));
  const SceneDrivers drivers(file.scene, simulation.system(), start);
  const RestReport rest =
      find_rest(simulation.system(), drivers, file.scene.integrator, {1}, 1.0 / 24, moved);
  EXPECT_TRUE(rest.found);
  EXPECT_LE((moved.x - model).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(SagFree, TheModelIsTheRest) {
  expect_model(scene(of(cantilever, "neo_hookean") + "\"sag_free\": true}"));
  expect_model(scene(of(cantilever, "stable_neo_hookean") + "\"sag_free\": true}"));
  expect_model(scene(blob + "\"sag_free\": true}"));
}

// A cloth that hangs from a bar, a plate that stands out from a wall, and a vault of paper.
const std::string curtain = R"({"geometry": {"shape": "sheet", "size": [1, 1], "cells": [8, 8]},
  "transform": {"rotate": [90, 0, 0]}, "material": {"fabric": "cotton"},
  "pins": [{"box": [[-1, 0.499, -1], [1, 1, 1]]}], )";
const std::string balcony = R"({"geometry": {"shape": "sheet", "size": [1, 1], "cells": [8, 8]},
  "material": {"young": 1e8, "thickness": 0.005}, "density": 0.2,
  "pins": [{"box": [[-1, -1, -0.51], [1, 1, -0.37]]}], )";
const std::string vault = R"({"geometry": {"shape": "shell", "radius": 0.5, "cells": 6},
  "material": {"young": 1e8, "thickness": 0.002}, "density": 0.5,
  "pins": [{"box": [[-1, -1, -1], [1, 0.1, 1]]}], )";

TEST(SagFree, TheModelIsTheRestOfSheets) {
  for (const std::string* body : {&curtain, &balcony, &vault}) {
    SCOPED_TRACE(*body);
    // The stiff vault holds 1e-5 J: what steps of the usual tolerance leave is 1e-8 of that.
    expect_model(scene(*body + "\"sag_free\": true}", R"(, "quality": "exact")"));
  }
}

TEST(SagFree, SaysWhatIsTooSoft) {
  // Springs in one plane cannot bear what acts across it.
  Simulation flat(scene(cloth + "\"name\": \"flag\", \"sag_free\": true}").scene);
  ASSERT_EQ(flat.notes().size(), 1u);
  EXPECT_NE(flat.notes()[0].find("body 'flag'"), std::string::npos) << flat.notes()[0];
  EXPECT_NE(flat.notes()[0].find("at point"), std::string::npos);
  // A cloth that hangs from its upper edge: its springs can bear it where it is, but some of them by pushing.
  Simulation hung(scene(R"({"geometry": {"shape": "sheet", "size": [1, 1], "cells": [8, 8]},
    "transform": {"rotate": [90, 0, 0]}, "material": {"model": "springs", "mu": 200, "bend": 1}, "mass": 0.2,
    "pins": [{"box": [[-1, 0.5, -1], [1, 0.5, 1]]}], "sag_free": true})")
                      .scene);
  ASSERT_EQ(hung.notes().size(), 1u);
  EXPECT_NE(hung.notes()[0].find("buckle"), std::string::npos) << hung.notes()[0];
  // By itself this bar would hang down by more than its length, and StVK gives way where it is pushed.
  Simulation bar(scene(of(cantilever, "stvk") + "\"name\": \"bar\", \"sag_free\": true}").scene);
  ASSERT_EQ(bar.notes().size(), 1u);
  EXPECT_NE(bar.notes()[0].find("body 'bar'"), std::string::npos) << bar.notes()[0];
  EXPECT_NE(complaint(block + R"("settle": true, "sag_free": true})").find("settle and sag_free"),
            std::string::npos);
}

}  // namespace
}  // namespace verve
