// OpenUSD's text form, one file a sequence: a mesh with time samples that every USD program plays.
//
// Kept: polygons, tetrahedra (as their skin, and whole in custom attributes), open polygons (as linear
// curves); the point and detail attributes with one to four numbers or a string; primitive and vertex
// attributes where all primitives are polygons. What never changes is stored once. Left out: groups, array
// and dictionary attributes. Small integers come back as 32-bit ones.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/FileBytes.h"
#include "geometry/FrameSource.h"

namespace verve {

/// The points and primitives must stay the same; an Error names the first frame that differs.
void write_usda(const FrameSource& frames, NewFile& out);

/// Reads the first mesh of a file with its time samples: what write_usda writes, and plain meshes of others.
std::unique_ptr<FrameSource> open_usda(std::string bytes, std::vector<std::string>* warnings);

}  // namespace verve
