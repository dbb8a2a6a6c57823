// Places, transforms, motions and keyed numbers as scene files write them; `place` names them in messages.
#pragma once

#include <string>

#include "base/Keys.h"
#include "parameters/SceneCheck.h"
#include "simulation/Motion.h"

namespace verve {

/// Three numbers, checked before.
Vec3 vec3(const Json& json);
/// A motion from {"keys": [[time, {transform}], ...]}; `place` names it in messages.
Motion read_motion(const Json& json, const std::string& place);
Transform read_transform(const Json& json, const std::string& place);
/// A number, or {"keys": [[time, number], ...]}.
KeyedNumber read_keyed(const Json& json, const std::string& place);

}  // namespace verve
