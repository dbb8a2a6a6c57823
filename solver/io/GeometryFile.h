// The one door to geometry files: the format is chosen by the file's name.
#pragma once

#include <string>
#include <vector>

#include "geometry/Geometry.h"

namespace verve {

/// Reads .geo, .bgeo or .bgeo.sc. What had to be left out is appended to `warnings` if it is not null. An
/// Error names the file and says what is wrong with it, or lists the known endings.
Geometry read_geometry(const std::string& path, std::vector<std::string>* warnings = nullptr);

/// Writes the whole file or, with an Error, nothing.
void write_geometry(const std::string& path, const Geometry& geometry);

/// The ending that decides the format, such as "bgeo.sc" or "obj", in lower case without the first dot.
std::string geometry_ending(const std::string& path);

}  // namespace verve
