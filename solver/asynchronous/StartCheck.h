// Looks at the first state of a run for what penalty layers cannot begin with.
#pragma once

#include "asynchronous/LayerSurface.h"

namespace verve {

/// Throws an Error that names the bodies and the points when, at x and at `time`, bodies intersect each
/// other, themselves or a collider, or when the parts of a body that meets itself lie closer at rest than the
/// outermost layer is thick.
void check_start(const LayerSurface& surface, const Vector& rest, const Vector& x, double time);

}  // namespace verve
