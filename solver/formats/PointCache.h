// PC2 and MDD: the positions of a fixed set of points over time, as many programs play them back onto a mesh
// that they already have. Points only: no primitives, no other attributes.
#pragma once

#include <memory>
#include <string>

#include "base/FileBytes.h"
#include "geometry/FrameSource.h"

namespace verve {

/// PC2: little-endian, with first frame and step; every frame must have the same number of points, and the
/// frames must be equally far apart.
void write_pc2(const FrameSource& frames, NewFile& out);
std::unique_ptr<FrameSource> open_pc2(std::string bytes, double fps);

/// MDD: big-endian, with the time of each frame in seconds. Frames are numbered by their time at `fps`; 0
/// stands for the rate that the times suggest.
void write_mdd(const FrameSource& frames, NewFile& out);
std::unique_ptr<FrameSource> open_mdd(std::string bytes, double fps);

}  // namespace verve
