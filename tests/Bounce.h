// A soft box that falls by a metre on a plane: how high it comes back is what damping, material and contact
// make of an impact. The tests and the bench measure it alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "io/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve::test {

struct BounceScene {
  double delta = 0.0;
  int fps = 24;
  std::string substeps = "\"auto\"";
  std::string model = "stable_neo_hookean";
  double young = 60000;
  double stiffness = 20000;  ///< of the plane
  int cells = 3;
  double tolerance = 1e-6;
};

inline std::string box_of(const BounceScene& s, const std::string& place) {
  const std::string n = std::to_string(s.cells);
  return R"({"geometry": {"shape": "box", "size": [0.5, 0.5, 0.5], "cells": [)" + n + ", " + n + ", " + n +
         R"(]}, "density": 100, "material": {"poisson": 0.3, "young": )" + std::to_string(s.young) +
         R"(, "model": ")" + s.model + R"("}, "transform": {"translate": )" + place + "}}";
}

inline std::string text_of(const BounceScene& s) {
  return R"({"fps": )" + std::to_string(s.fps) + R"(, "substeps": )" + s.substeps +
         R"(, "solver": {"tolerance": )" + std::to_string(s.tolerance) + R"(}, "damping": {"delta": )" +
         std::to_string(s.delta) + R"(}, "bodies": [)" + box_of(s, "[0, 1.25, 0]") +
         R"(], "colliders": [{"shape": "plane", "stiffness": )" + std::to_string(s.stiffness) + "}]}";
}

struct Bounce {
  double height = 0.0;  ///< of the centre at the top over where it would stand, m
  double ledger = 0.0;  ///< largest error of the energy balance
  bool bound = false;   ///< whether a frame asked for more steps than it got
  int steps = 0;
};

/// The first bounce.
inline Bounce bounce(const BounceScene& s) {
  const SceneFile file = make_scene(text_of(s), "bounce", {});
  Simulation simulation(file.scene);
  const double weight = 9.81 * simulation.system().mass.sum() / 3.0;
  Bounce result;
  std::vector<double> y;
  bool low = false;
  while (y.size() < std::size_t(1.6 * s.fps)) {
    const FrameReport report = simulation.advance();
    result.ledger = std::max(result.ledger, std::abs(report.ledger_error()));
    result.bound |= report.bound;
    result.steps += report.substeps;
    y.push_back(report.levels.gravity / weight - 0.25);
    const std::size_t n = y.size();
    if (n < 3) continue;
    const double a = y[n - 3], b = y[n - 2], c = y[n - 1];
    if (!low)
      low = b <= a && b < c && b < 0.25;
    else if (b >= a && b > c) {  // the top lies between frames: that of the parabola through three
      result.height = b - (c - a) * (c - a) / (8.0 * (a - 2.0 * b + c));
      break;
    }
  }
  return result;
}

}  // namespace verve::test
