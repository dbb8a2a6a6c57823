// What stands beside a cache: the scene as it was run.
#pragma once

#include <string>
#include <vector>

#include "contact/Collider.h"
#include "parameters/SceneCheck.h"

namespace verve {

/// Without a scene.json: no keys, no colliders, and frames from 1. Colliders whose files are gone are left
/// out with a warning on stderr.
struct RunScene {
  std::string folder;
  Json json = Json::object();
  std::vector<ColliderSpec> colliders;  ///< as json["colliders"], in their order
  int first_frame = 1;

  /// `run` is the folder of a run, or a cache in one.
  explicit RunScene(const std::string& run);
};

}  // namespace verve
