// Pressure, wind, air and attachments of scene files: what runs, and what is refused with which words.
#include <gtest/gtest.h>

#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

const char* const bodies =
    R"({"name": "ball", "geometry": {"shape": "shell", "radius": 0.3, "cells": 4}, "material": {"fabric": "cotton"}, "transform": {"translate": [0, 1, 0]}},
 {"name": "cloth", "geometry": {"shape": "sheet", "size": [0.6, 0.6], "cells": [4, 4]}, "material": {"fabric": "cotton"}},
 {"name": "block", "geometry": {"shape": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]},
  "transform": {"translate": [1, 1, 0]}})";

SceneFile read(const std::string& more, const std::vector<std::string>& settings = {}) {
  return make_scene(std::string(R"({"fps": 24, "contact": {"bodies": false}, "bodies": [)") + bodies +
                        R"(], "colliders": [{"name": "hook", "shape": "sphere", "radius": 0.1}])" + more +
                        "}",
                    "s.json", SceneSources("."), settings);
}

std::string error(const std::string& more, const std::vector<std::string>& settings = {}) {
  try {
    const SceneFile file = read(more, settings);
    Simulation simulation(file.scene);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

void expect(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

const char* const everything = R"(, "wind": {"velocity": [3, 0, 0], "gust": 1}, "attachments": [
  {"body": "cloth", "points": [0, 4], "to": "ball", "stiffness": 20, "break": 5},
  {"body": "cloth", "points": [20, 24], "to": [0, 0.5, 0], "stiffness": 20},
  {"body": "block", "points": [0], "to": "hook", "slide": true, "damping": 0.1},
  {"body": 2, "points": [1, 2], "to": {"body": 1, "points": [1, 2]}, "length": 0, "until": 0.3}])";

TEST(SceneTerms, AllTogetherCloseTheBooksUnderEveryIntegrator) {
  for (const std::string type :
       {"avf", "hp", "backward_euler", "implicit_midpoint", "newmark", "bdf2", "bathe"}) {
    SCOPED_TRACE(type);
    const SceneFile file =
        read(everything, {"integrator.type=" + type, "damping.delta=0.02", "solver.tolerance=1e-9",
                          type == "avf" ? "substeps=\"auto\"" : "substeps=4",
                          R"(bodies.0.pressure={"gas": "isothermal", "amount": 1.2, "outside": 500})",
                          R"(bodies.2.pressure={"value": {"keys": [[0, 0], [0.5, 100]]}})"});
    Simulation simulation(file.scene);
    FrameReport report;
    for (int i = 0; i < (type == "avf" ? 24 : 4); ++i) {
      report = simulation.advance();
      if (type == "avf") {
        EXPECT_LE(std::abs(report.ledger_error()), 1e-8) << i;
      }
    }
    if (type == "avf") {
      EXPECT_GT(report.ledger.dissipated, 0.0);
    }
  }
}

TEST(SceneTerms, NothingOfThemChangesAnythingWhereItIsNotAsked) {
  EXPECT_FALSE(read("").scene.air);
  EXPECT_FALSE(read("").scene.attachments);
  EXPECT_TRUE(read(R"(, "air": {})").scene.air);
  const SceneFile file = read("");
  EXPECT_TRUE(Simulation(file.scene).system().terms.empty());
}

TEST(SceneTerms, PressureSaysWhatIsWrong) {
  const auto set = [](const std::string& pressure, int body = 0) {
    return error("", {"bodies." + std::to_string(body) + ".pressure=" + pressure});
  };
  expect(set(R"({"value": 10})", 1), "body 'cloth': has a pressure, but its surface is open and would leak");
  expect(set("{}"), "'bodies[0].pressure' needs either a value in Pa or a gas");
  expect(set(R"({"value": 10, "gas": "adiabatic"})"), "needs either a value in Pa or a gas");
  expect(set(R"({"value": 10, "amount": 2})"), "'bodies[0].pressure.amount' belongs to a gas");
  expect(set(R"({"gas": "adiabatic", "amount": -1})"),
         "'bodies[0].pressure.amount' is -1; it must be above 0");
  expect(set(R"({"gas": "steam"})"), "'bodies[0].pressure.gas' cannot be 'steam'");
  expect(set(R"({"value": "much"})"), "must be a number or {\"keys\"");
  expect(set(R"({"value": {"keys": [[1, 2], [0, 3]]}})"), "'bodies[0].pressure.value.keys[1]' is not later");
}

TEST(SceneTerms, AttachmentsSayWhatIsWrong) {
  const auto attach = [](const std::string& rest) {
    return error(R"(, "attachments": [{"body": "cloth", "points": [0, 1])" + rest + "}]");
  };
  expect(attach(R"(, "to": "bell")"), "there is no body and no collider \"bell\"; did you mean 'ball'");
  expect(attach(R"(, "to": "cloth")"), "attaches a body to itself");
  expect(attach(R"(, "to": [0, 1])"), "must be a place of 3 numbers");
  expect(attach(R"(, "to": {"body": "ball", "place": [0, 0, 0]})"),
         "more than one of body, collider and place");
  expect(attach(R"(, "to": {"collider": "hok"})"), "there is no collider \"hok\"");
  expect(attach(R"(, "to": "ball", "slide": true)"), "goes along the surface of a collider");
  expect(attach(R"(, "from": 2, "until": 1)"), "'attachments[0].until' must be later than 'from'");
  expect(attach(R"(, "stiffness": -1)"), "'attachments[0].stiffness' is -1; it must be at least 0");
  expect(attach(R"(, "break": 0)"), "it must be above 0");
  expect(attach(R"(, "to": {"body": "cloth", "points": [0, 1]})"), "attaches point 0 to itself");
  expect(error(R"(, "attachments": [{"body": "cloth", "points": [99], "to": "ball"}])"), "names point 99");
  expect(error(R"(, "attachments": [{"body": "cloth", "to": "ball"}])"), "needs a box or points");
}

TEST(SceneTerms, WhatDoesNotGoTogetherIsRefused) {
  expect(error(R"(, "wind": {"velocity": [1, 0, 0]})", {"integrator.type=asynchronous"}),
         "asynchronous does not know 'air'");
  expect(error("", {R"(bodies.0.pressure={"value": 10})", "integrator.type=asynchronous"}),
         "asynchronous does not know 'pressure'");
  expect(error(R"(, "air": {})", {"integrator.order=4"}),
         "through which 'air' of this scene would feed energy in");
  expect(error(R"(, "wind": {"size": 0})"), "'wind.size' is 0; it must be above 0");
  expect(error(R"(, "wind": {"speed": 3})"), "unknown key 'wind.speed'");
}

}  // namespace
}  // namespace verve
