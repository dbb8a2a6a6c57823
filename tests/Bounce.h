// What damping, material and contact make of an impact: how high a soft box comes back that falls by a metre
// on a plane, and other shots. The tests and the bench measure it alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "scene/SceneFile.h"
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

/// What a scene file says of time.
inline std::string timing(int fps, const std::string& substeps, double tolerance) {
  return R"("fps": )" + std::to_string(fps) + R"(, "substeps": )" + substeps +
         R"(, "solver": {"tolerance": )" + std::to_string(tolerance) + "}";
}

inline std::string text_of(const BounceScene& s) {
  return "{" + timing(s.fps, s.substeps, s.tolerance) + R"(, "damping": {"delta": )" +
         std::to_string(s.delta) + R"(}, "bodies": [)" + box_of(s, "[0, 1.25, 0]") +
         R"(], "colliders": [{"shape": "plane", "stiffness": )" + std::to_string(s.stiffness) + "}]}";
}

struct Bounce {
  double height = 0.0;  ///< of the centre at the top over where it began, plus a metre, m
  double ledger = 0.0;  ///< largest error of the energy balance
  bool bound = false;   ///< whether a frame asked for more steps than it got
  int steps = 0;

  void add(const FrameReport& report) {
    ledger = std::max(ledger, std::abs(report.ledger_error()));
    bound |= report.bound;
    steps += report.substeps;
  }
};

inline double centre_height(const Simulation& simulation, const FrameReport& report, const System& system) {
  return report.levels.gravity / (simulation.scene().gravity.norm() * system.mass.sum() / 3.0);
}

/// The first bounce of what falls by about a metre.
inline Bounce first_bounce(const std::string& text) {
  const SceneFile file = make_scene(text, "bounce", {});
  Simulation simulation(file.scene);
  Bounce result;
  const double start = centre_height(simulation, simulation.report(), simulation.system());
  std::vector<double> y;
  bool low = false;
  while (y.size() < std::size_t(1.6 * file.scene.fps)) {
    const FrameReport report = simulation.advance();
    result.add(report);
    y.push_back(centre_height(simulation, report, simulation.system()) - start + 1.0);
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

inline Bounce bounce(const BounceScene& s) {
  return first_bounce(text_of(s));
}

/// Motion through contact, or in a fast turn, and the number that tells what became of it.
struct Shot {
  const char* name;
  const char* content;  ///< of the scene: all keys but those of time
  double seconds;
  enum class Measure {
    top,       ///< of the first bounce
    height,    ///< of the centre at the end, m
    along,     ///< how far along x the centre is from where it began, m
    parting,   ///< speed along x of the second body at the end, m/s
    radius,    ///< root of the mean square from the origin at the end, m
    momentum,  ///< angular, about y, at the end
  } measure;
  double share, least;  ///< by how much it may differ from the converged motion: the larger of both
};

inline const std::vector<Shot>& shots() {
  using M = Shot::Measure;
  static const char* const spun = R"("gravity": [0, 0, 0], "damping": {"delta": 0.01}, "bodies": [{"geometry":
      {"shape": "sheet", "size": [1, 1], "cells": [12, 12]}, "material": {"model": "springs", "mu": 2000, "bend": 0.5},
      "mass": 0.4, "angular_velocity": [0, 15.708, 0]}])";
  static const std::vector<Shot> all = {
      {"ball on a ball",
       R"("damping": {"delta": 0.01}, "bodies": [{"geometry": {"shape": "sphere", "radius": 0.25,
          "spacing": 0.14}, "density": 100, "material": {"young": 60000, "poisson": 0.3},
          "transform": {"translate": [0, 1.25, 0]}}],
          "colliders": [{"shape": "sphere", "center": [0, -0.5, 0], "radius": 0.5, "stiffness": 20000}])",
       1.2, M::top, 0.05, 0.01},
      {"cloth on a ball",
       R"("damping": {"delta": 0.02}, "bodies": [{"geometry": {"shape": "sheet", "size": [1.2, 1.2],
          "cells": [14, 14]}, "material": {"model": "springs", "mu": 400, "bend": 0.5}, "mass": 0.4,
          "transform": {"translate": [0, 1.15, 0]}}], "colliders": [{"shape": "sphere", "center": [0, 0.6, 0],
          "radius": 0.5, "stiffness": 800, "friction": 0.3, "thickness": 0.01}])",
       0.75, M::height, 0.05, 0.01},
      {"body against body",
       R"("gravity": [0, 0, 0], "damping": {"delta": 0.01}, "bodies": [{"geometry": {"shape": "box",
          "size": [0.4, 0.4, 0.4], "cells": [3, 3, 3]}, "density": 100, "material": {"young": 60000, "poisson": 0.3},
          "transform": {"translate": [-0.5, 0, 0]}, "velocity": [3, 0, 0]}, {"geometry": {"shape": "box",
          "size": [0.4, 0.4, 0.4], "cells": [2, 2, 2]}, "density": 100, "material": {"young": 60000, "poisson": 0.3}}],
          "contact": {"bodies": true, "stiffness": 5000, "thickness": 0.02})",
       0.5, M::parting, 0.05, 0.01},
      {"slide to rest",
       R"("damping": {"delta": 0.01}, "bodies": [{"geometry": {"shape": "box", "size": [0.5, 0.2, 0.5],
          "cells": [4, 2, 4]}, "density": 100, "material": {"young": 60000, "poisson": 0.3},
          "transform": {"translate": [0, 0.1, 0]}, "velocity": [2, 0, 0]}],
          "colliders": [{"shape": "plane", "stiffness": 20000, "friction": 0.3}])",
       1.2, M::along, 0.02, 0.0},
      {"spun cloth, radius", spun, 1.0, M::radius, 0.03, 0.0},
      {"spun cloth, momentum", spun, 1.0, M::momentum, 0.03, 0.0},
  };
  return all;
}

/// What it comes to at that many frames a second.
inline double outcome(const Shot& shot, int fps, const std::string& substeps, double tolerance = 1e-6) {
  const std::string text = "{" + timing(fps, substeps, tolerance) + ", " + shot.content + "}";
  if (shot.measure == Shot::Measure::top) return first_bounce(text).height;
  const SceneFile file = make_scene(text, shot.name, {});
  Simulation simulation(file.scene);
  const System& system = simulation.system();
  const auto along = [&] {
    double sum = 0.0;
    for (int i = 0; i < system.points(); ++i)
      sum += system.mass[3 * Eigen::Index(i)] * simulation.state().x[3 * i];
    return sum / (system.mass.sum() / 3.0);
  };
  const double start = along();
  for (int f = 0; f < int(std::lround(shot.seconds * fps)); ++f) simulation.advance();
  const State& s = simulation.state();
  switch (shot.measure) {
    case Shot::Measure::along:
      return along() - start;
    case Shot::Measure::parting: {
      double momentum = 0.0, mass = 0.0;
      for (int i = int(file.scene.bodies[0].rest.size()); i < system.points(); ++i) {
        momentum += system.mass[3 * Eigen::Index(i)] * s.v[3 * i];
        mass += system.mass[3 * Eigen::Index(i)];
      }
      return momentum / mass;
    }
    case Shot::Measure::radius:
      return std::sqrt(s.x.squaredNorm() / system.points());
    case Shot::Measure::momentum:
      return simulation.report().momentum.angular[1];
    default:
      return centre_height(simulation, simulation.report(), system);
  }
}

}  // namespace verve::test
