// The one door to geometry files: the format is chosen by the file's name.
#pragma once

#include <string>
#include <vector>

#include "geometry/Geometry.h"

namespace verve {

/// Reads .bgeo.sc, .bgeo, .geo, .vtu, .obj, or the first frame of .usda, .pc2 and .mdd. What had to be left
/// out is appended to `warnings` if it is not null. An Error names the file and says what is wrong with it,
/// or lists the known endings. For all frames of a sequence see SequenceFile.h.
Geometry read_geometry(const std::string& path, std::vector<std::string>* warnings = nullptr);

/// Writes the whole file or, with an Error, nothing. Houdini's formats keep everything; see left_out for the
/// others.
void write_geometry(const std::string& path, const Geometry& geometry);

/// The ending that decides the format, such as "bgeo.sc" or "obj", in lower case without the first dot.
std::string geometry_ending(const std::string& path);

/// An Error that lists the known endings if `ending` is none of them.
void check_geometry_ending(const std::string& ending);

/// What of `geometry` a file with this ending cannot hold, a sentence each; empty if it keeps all.
std::vector<std::string> left_out(const std::string& ending, const Geometry& geometry);

}  // namespace verve
