// The shots that whole frames are measured on: what an artist would build, in contact for most of their time.
#pragma once

#include <string>
#include <vector>

namespace verve::bench {

struct Shot {
  std::string name;
  int frames;
  std::string content;  ///< of the scene: all keys but those of time, solver and damping
  double delta = 0.0;   ///< the shot's own damping, s

  std::string scene(const std::string& settings, bool damped = true) const {
    return R"({"fps": 30, "damping": {"delta": )" + std::to_string(damped ? delta : 0.0) + "}, " + settings +
           ", " + content + "}";
  }
};

/// A hare that falls askew on a rough floor: examples/drop.json.
inline Shot hare(const std::string& name, double spacing, const std::string& model = "stvk") {
  return {name, 45,
          R"("bodies": [{"geometry": {"shape": "hare", "height": 1, "spacing": )" + std::to_string(spacing) +
              R"(}, "material": {"model": ")" + model + R"(", "young": 60000, "poisson": 0.3},
      "density": 100, "transform": {"translate": [0, 1.2, 0], "rotate": [0, 0, 25]}}],
      "colliders": [{"shape": "plane", "stiffness": 20000, "friction": 0.4}])",
          0.004};
}

/// Cloth of springs that falls on a ball.
inline Shot drape(const std::string& name, int cells, double friction) {
  const std::string n = std::to_string(cells), f = std::to_string(friction);
  return {name, 45,
          R"("bodies": [{"geometry": {"shape": "sheet", "size": [1.6, 1.6], "cells": [)" + n + "," + n +
              R"(]}, "material": {"model": "springs", "mu": 400, "bend": 0.5}, "mass": 0.4,
      "transform": {"translate": [0, 1.15, 0]}}],
      "colliders": [{"shape": "sphere", "center": [0, 0.6, 0], "radius": 0.5, "stiffness": 800, "friction": )" +
              f + R"(, "thickness": 0.01}, {"shape": "plane", "stiffness": 800, "friction": )" + f + R"(,
      "thickness": 0.01}])",
          0.02};
}

/// A stretched sheet that swings freely.
inline Shot free_sheet(const std::string& name, double stiffness) {
  return {name, 45,
          R"("gravity": [0, 0, 0], "bodies": [{"geometry": {"shape": "sheet", "size": [1, 1],
      "cells": [30, 30]}, "material": {"model": "springs", "mu": )" +
              std::to_string(stiffness) +
              R"(, "bend": 1}, "mass": 0.3, "stretch": 1.2, "angular_velocity": [1, 0.5, 2]}])",
          0.0};
}

/// Blocks that fall on each other, in so many heaps.
inline Shot pile(int count, int heaps = 1) {
  std::string bodies;
  for (int i = 0; i < count; ++i) {
    const auto number = [](double v) { return std::to_string(v); };
    bodies += (i ? ", " : "") +
              std::string(R"({"geometry": {"shape": "box", "size": [0.4, 0.25, 0.4], "cells": [3, 2, 3]},
        "material": {"model": "stvk", "young": 20000, "poisson": 0.35}, "density": 100,
        "transform": {"translate": [)") +
              number(0.12 * ((i * 7) % 5 - 2) + 1.5 * (i % heaps)) + ", " + number(0.2 + 0.32 * (i / heaps)) +
              ", " + number(0.1 * ((i * 3) % 5 - 2)) + R"(], "rotate": [0, )" + number(37.0 * i) + ", " +
              number(4.0 * (i % 3)) + "]}}";
  }
  return {"pile of " + std::to_string(count), 45, R"("bodies": [)" + bodies + R"(],
      "contact": {"stiffness": 3000, "thickness": 0.02, "friction": 0.4},
      "colliders": [{"shape": "plane", "stiffness": 10000, "friction": 0.6}])",
          0.02};
}

/// Two sheets that fall on a ball, one on the other.
inline Shot stacked_sheets() {
  const auto sheet = [](double height) {
    return R"({"geometry": {"shape": "sheet", "size": [1.2, 1.2], "cells": [20, 20]}, "material":
      {"model": "springs", "mu": 400, "bend": 0.5}, "mass": 0.3, "transform": {"translate": [0, )" +
           std::to_string(height) + ", 0]}}";
  };
  return {"two stacked sheets", 45, R"("bodies": [)" + sheet(1.15) + ", " + sheet(1.25) + R"(],
      "contact": {"stiffness": 500, "thickness": 0.02, "friction": 0.3},
      "colliders": [{"shape": "sphere", "center": [0, 0.6, 0], "radius": 0.5, "stiffness": 800, "friction": 0.3,
      "thickness": 0.01}])",
          0.02};
}

/// A square metre of cotton's mass that swings down from two corners; `material` of the sheet.
inline Shot hung(const std::string& name, int cells, const std::string& material) {
  const std::string n = std::to_string(cells);
  return {name, 30,
          R"("bodies": [{"geometry": {"shape": "sheet", "size": [1, 1], "cells": [)" + n + "," + n +
              R"(]}, "material": {)" + material + R"(}, "mass": 0.13,
      "pins": [{"box": [[-0.5, 0, -0.5], [-0.5, 0, -0.5]]}, {"box": [[-0.5, 0, 0.5], [-0.5, 0, 0.5]]}]}])",
          0.002};
}

/// A flag that the wind takes along: examples/windy.json.
inline Shot flag_in_wind() {
  return {"flag in wind", 45,
          R"("wind": {"velocity": [7, 0, 1], "gust": 2, "size": 0.7, "seed": 3},
      "air": {"drag_normal": 1.2, "drag_tangent": 0.05},
      "bodies": [{"geometry": {"shape": "sheet", "size": [1.5, 1.0], "cells": [30, 20]},
      "material": {"model": "springs", "mu": 1000, "bend": 4}, "density": 0.2,
      "transform": {"translate": [0.75, 2, 0], "rotate": [90, 0, 0]},
      "pins": [{"box": [[-0.01, 1.4, -0.1], [0.01, 2.6, 0.1]]}]}])",
          0.003};
}

/// A block that a plate presses and rubs: examples/press.json.
inline Shot squash() {
  return {"squash", 60,
          R"("bodies": [{"geometry": {"shape": "box", "size": [0.8, 0.5, 0.8], "cells": [10, 6, 10]},
      "material": {"model": "stable_neo_hookean", "young": 20000, "poisson": 0.4}, "density": 100,
      "transform": {"translate": [0, 0.25, 0]}}],
      "colliders": [{"shape": "plane", "stiffness": 20000, "friction": 0.5},
      {"shape": "box", "size": [1.2, 0.1, 1.2], "transform": {"translate": [0, 0.7, 0]}, "stiffness": 20000,
      "friction": 0.5, "motion": {"keys": [[0, {}], [1, {"translate": [0, -0.3, 0]}],
      [1.6, {"translate": [0.15, -0.3, 0]}], [2.4, {"translate": [0.15, 0.3, 0]}]]}}])",
          0.01};
}

/// A rope that falls across a ball.
inline Shot rope() {
  return {
      "rope", 45,
      R"("bodies": [{"geometry": {"shape": "rod", "length": 3, "thickness": 0.02, "cells": 150}, "material":
      {"model": "rope", "young": 1e6}, "mass": 0.3,
      "transform": {"translate": [0, 1.3, 0]}}],
      "colliders": [{"shape": "sphere", "center": [0.1, 0.6, 0], "radius": 0.5, "stiffness": 2000,
      "friction": 0.4, "thickness": 0.02}, {"shape": "plane", "stiffness": 2000, "friction": 0.4,
      "thickness": 0.02}])",
      0.01};
}

/// A weight on a cushion that is pumped up: examples/cushion.json.
inline Shot cushion() {
  return {
      "cushion", 45,
      R"("bodies": [{"geometry": {"shape": "shell", "radius": 0.3, "cells": 8}, "material": {"fabric": "denim"},
      "pressure": {"gas": "adiabatic", "amount": {"keys": [[0, 1], [1, 1.15]]}, "outside": 10000},
      "transform": {"translate": [0, 0.075, 0], "scale": [1, 0.2, 1]}},
      {"geometry": {"shape": "box", "size": [0.25, 0.12, 0.25], "cells": [3, 2, 3]},
      "material": {"young": 200000, "poisson": 0.3}, "mass": 2,
      "transform": {"translate": [0, 0.25, 0], "rotate": [0, 25, 0]}}],
      "contact": {"stiffness": 5000, "thickness": 0.015, "friction": 0.6},
      "colliders": [{"shape": "plane", "stiffness": 5000, "friction": 0.6}])",
      0.03};
}

/// Those whose frames are taken apart by phases.
inline std::vector<Shot> phase_shots() {
  std::vector<Shot> shots{hare("hare 1.7K", 0.09),
                          hare("hare 5.2K", 0.06),
                          hare("hare 22.7K", 0.036),
                          hare("hare 100K", 0.022),
                          drape("drape 50x50", 50, 0.4),
                          drape("drape 100x100", 100, 0.4),
                          flag_in_wind(),
                          pile(10),
                          pile(50, 5),
                          squash(),
                          rope(),
                          cushion()};
  shots[3].frames = shots[5].frames = 16;  // the first touches are enough of what takes seconds a frame
  return shots;
}

inline std::vector<Shot> shots() {
  return {hare("hare 1.7K", 0.09),
          hare("hare 5.2K", 0.06),
          hare("hare 22.7K", 0.036),
          drape("drape 50x50, friction .4", 50, 0.4),
          drape("drape 50x50, none", 50, 0.0),
          free_sheet("free sheet, soft", 300),
          free_sheet("free sheet, stiff", 30000),
          pile(10),
          stacked_sheets(),
          hung("hung 50, springs", 50, R"("model": "springs", "mu": 200, "bend": 0.1)"),
          hung("hung 50, cotton", 50, R"("fabric": "cotton")"),
          hung("hung 50, paper", 50, R"("fabric": "paper")"),
          hung("hung 100, springs", 100, R"("model": "springs", "mu": 200, "bend": 0.1)"),
          hung("hung 100, cotton", 100, R"("fabric": "cotton")")};
}

}  // namespace verve::bench
