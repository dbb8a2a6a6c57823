// Small scenes that between them use nearly every key.
#pragma once

#include <string>
#include <vector>

namespace verve {

inline std::vector<std::string> scene_seeds() {
  return {
      R"({"frames": [1, 3], "fps": 30, "substeps": 2, "gravity": [0, -9.81, 0],
  "integrator": {"type": "avf", "quadrature": "gauss3", "correction": "local", "momentum": "projected"},
  "solver": {"tolerance": 1e-9, "max_iterations": 50, "linear": "direct"}, "damping": {"delta": 0.01, "eta": 0.1},
  "bodies": [{"name": "a", "geometry": {"shape": "box", "size": [1, 1, 1], "cells": [2, 2, 2]},
    "material": {"model": "neo_hookean", "young": 1e4, "poisson": 0.3}, "mass": 2,
    "transform": {"translate": [0, 1, 0], "rotate": [10, 20, 30], "scale": [1, 2, 1]}, "velocity": [1, 0, 0],
    "angular_velocity": [0, 0, 3], "stretch": 1.1, "twist": 0.5,
    "pins": [{"box": [[-2, -2, -2], [-0.2, 3, 3]],
      "motion": {"keys": [[0, {"translate": [0, 0, 0]}], [1, {"translate": [0, 1, 0]}]]}}],
    "targets": [{"points": [1, 2], "stiffness": 10, "damping": 0.1}]}],
  "colliders": [{"shape": "plane", "normal": [0, 1, 0], "offset": 0, "stiffness": 2000, "friction": 0.3},
    {"shape": "sphere", "center": [0, -3, 0], "radius": 1, "thickness": 0.01}],
  "output": {"format": "bgeo.sc", "every": 1, "checkpoint_every": 2}})",
      R"({"frames": [1, 2], "integrator": {"type": "hp", "alpha": 0.5, "order": 2},
  "damping": {"half_life": 0.5, "frequency": 2},
  "bodies": [{"geometry": {"shape": "sheet", "size": [1, 1], "cells": [4, 4]},
    "material": {"model": "springs", "mu": 100, "bend": 1}, "density": 0.1, "pins": [{"points": [0, 4]}]},
    {"geometry": {"shape": "rod", "length": 1, "thickness": 0.1, "cells": 4}, "transform": {"translate": [0, 3, 0]}}],
  "contact": {"rule": "exact", "self": true, "bodies": true, "stiffness": 1000, "thickness": 0.01},
  "constraints": [{"type": "distance", "body": 0, "points": [3], "to": {"body": 1, "points": [2]}}]})",
      R"({"frames": [1, 2], "integrator": {"type": "asynchronous", "safety": 0.1},
  "bodies": [{"geometry": {"file": "a.obj", "fill": true, "spacing": 0.8}, "material": {"model": "stvk", "mu": 400,
    "lambda": 100}, "density": 100}, {"geometry": {"shape": "sphere", "radius": 4, "spacing": 3},
    "transform": {"translate": [50, 0, 0]}}],
  "colliders": [{"shape": "box", "size": [1, 1, 1], "transform": {"translate": [0, -9, 0]}},
    {"shape": "capsule", "length": 1, "radius": 0.2, "transform": {"translate": [0, -12, 0]}}],
  "contact": {"law": "impact", "safety": 0.02}})"};
}

}  // namespace verve
