// A scene for a mesh that comes without one.
#pragma once

#include <string>
#include <vector>

namespace verve {

/// Whether `path` names a mesh rather than a scene.
bool is_mesh_name(const std::string& path);

/// A scene that lets the mesh at `path` fall on a floor: closed surfaces filled with tets whose size suits
/// the shape's thin parts, open ones as cloth, brought to a size of about a metre if they are far from it.
/// `up` is the mesh's axis that points upwards, y or z; empty: z if it stands on z = 0, else y. JSON; what
/// was assumed is appended to `notes`.
std::string scene_of_mesh(const std::string& path, const std::string& up, std::vector<std::string>& notes);

}  // namespace verve
