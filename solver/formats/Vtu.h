// VTK's .vtu (one frame) and .pvd (a list of frames), for ParaView and its kin.
//
// Kept: all primitives; point, primitive and detail attributes that are numbers. Left out: vertex attributes,
// text, array attributes and groups.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geometry/Geometry.h"

namespace verve {

std::string write_vtu(const Geometry& geometry);
/// Reads all pieces of files with text, base64 or appended data, plain or compressed with zlib. Other cells
/// than lines, polygons and tetrahedra are left out and named in `warnings`.
Geometry read_vtu(std::string_view bytes, std::vector<std::string>* warnings);

/// Times in seconds and the files that hold them, by names relative to the list.
std::string write_pvd(const std::vector<std::pair<double, std::string>>& files);
std::vector<std::pair<double, std::string>> read_pvd(std::string_view bytes);

}  // namespace verve
