// DOP objects as the solver sees them: those that meet each other, and all that acts on them.
#pragma once

#include <string>
#include <vector>

#include "HoudiniGeometry.h"
#include "node/NodeInputs.h"

class SIM_Object;
class SIM_ObjectArray;

namespace verve {

/// Those that affect each other both ways, directly or by others of `objects`, ascending by their ids.
std::vector<std::vector<SIM_Object*>> meeting_objects(const SIM_ObjectArray& objects);

/// The objects' geometry as one in world space, with the network's forces on it; their constraints; and what
/// affects them as colliders. `starts` says where each object begins. Throws an Error that names the object.
NodeFrame read_objects(const std::vector<SIM_Object*>& objects, const NodeSettings& settings, double seconds,
                       std::vector<DetailStart>& starts, std::vector<std::string>& warnings);

}  // namespace verve
