// Geometry from NumPy arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "geometry/FrameSource.h"

namespace verve {

/// From {"points": (n, 3) or (frames, n, 3), "tets": (m, 4), "polygons": (m, k) or lists of corners, "lines":
/// likewise, "attributes": {name: (n,) or (n, k) numbers, or n words}}. Throws an Error that begins with
/// `name` and says which array, row or point is wrong.
std::shared_ptr<const FrameSource> frames_from(const pybind11::dict& arrays, const std::string& name,
                                               int first_frame);

}  // namespace verve
