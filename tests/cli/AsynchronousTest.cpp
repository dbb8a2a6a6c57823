// The asynchronous integrator through the program: refusals, stopping within a frame, going on.
#include "cli/Program.h"

namespace verve::test {
namespace {

std::string scene(const std::string& more = "", const std::string& integrator = "") {
  return R"({"frames": [1, 12], "integrator": {"type": "asynchronous")" + integrator +
         R"(}, "contact": {"self": true, "thickness": 0.01},
      "bodies": [{"geometry": {"shape": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]},
                  "transform": {"translate": [0, 0.2, 0]}, "velocity": [0.3, -2, 0]},
                 {"geometry": {"shape": "sheet", "size": [0.4, 0.4], "cells": [6, 6]},
                  "material": {"model": "springs", "mu": 20000, "bend": 100},
                  "transform": {"translate": [0, 0.05, 0]}}],
      "colliders": [{"shape": "plane", "friction": 0.2}], "output": {"checkpoint_every": 5})" +
         more + "}";
}

Outcome run(const TemporaryFolder& folder, const std::string& text, std::vector<std::string> words = {}) {
  write_text(folder / "s.json", text);
  words.insert(words.begin(), {"run", "s.json", "--out", "out", "--quiet"});
  return verve_program(folder, words);
}

TEST(Asynchronous, GoesOnToTheByte) {
  const TemporaryFolder folder;
  ASSERT_EQ(run(folder, scene()).code, 0);
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "parts", "--frames", "1-7", "--quiet"}).code, 0);
  ASSERT_EQ(
      verve_program(folder, {"run", "s.json", "--out", "parts", "--resume", "--quiet", "--threads", "1"})
          .code,
      0);
  for (int f = 1; f <= 12; ++f) {
    char name[64];
    std::snprintf(name, sizeof name, "/s.%04d.bgeo.sc", f);
    EXPECT_EQ(read_bytes(folder / ("out" + std::string(name))),
              read_bytes(folder / ("parts" + std::string(name))))
        << f;
  }
}

TEST(Asynchronous, StopsWithinALongFrame) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene(R"(, "fps": 0.001)"));
  Program program(folder.path(), {"run", "s.json", "--out", "out"});
  ASSERT_TRUE(program.wait_for(folder / "out/checkpoint.verve"));
  ::usleep(300000);
  program.send(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("--resume"), std::string::npos);
}

TEST(Asynchronous, RefusesWithASentence) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& set, int code, const std::string& words) {
    const Outcome outcome = run(folder, scene(), {"--set", set});
    EXPECT_EQ(outcome.code, code) << set << ": " << outcome.err;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  };
  expect("integrator.safety=1.5", 2, "integrator.safety");
  expect("contact.safety=0.5", 2, "contact.safety");
  expect("contact.thickness=0.5", 2, "contact.thickness");
  expect("contact.rule=paper", 2, "layers");
  expect("integrator.order=4", 2, "integrator.order");
  expect("bodies.0.transform.translate=[0,0.05,0]", 2, "starts");
  expect("integrator.max_events=1000", 1, "integrator.max_events");
  const Outcome outcome =
      run(folder, scene(), {"--set", "integrator.type=avf", "--set", "contact.rule=layers"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("asynchronous"), std::string::npos) << outcome.err;
}

TEST(Asynchronous, SaysInTheSceneThatItUsesLayers) {
  const TemporaryFolder folder;
  ASSERT_EQ(run(folder, scene(), {"--frames", "1-2"}).code, 0);
  EXPECT_NE(read_bytes(folder / "out/scene.json").find("\"rule\": \"layers\""), std::string::npos);
  EXPECT_NE(read_bytes(folder / "out/report.csv").find("events,deepest_layer"), std::string::npos);
}

}  // namespace
}  // namespace verve::test
