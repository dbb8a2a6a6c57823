// Poly lines as ropes in SI units.
#pragma once

#include <vector>

#include "simulation/Scene.h"

namespace verve {

/// What a rope is made of.
struct RopeLaw {
  double stretch = 1000.0;  ///< EA, N
  double bend = 1e-4;       ///< EI, N m^2
};

/// Of a round rod of this thickness (m).
RopeLaw round_rope(double young, double thickness);

/// Adds a rope along each line of the body's points; one that ends where it began is a ring. `scale` has the
/// rest length of each line over that of the rest shape, `stiffness` a multiplier a point or nothing.
void add_ropes(Body& body, const std::vector<std::vector<int>>& lines, const std::vector<double>& scale,
               const RopeLaw& law, const std::vector<double>& stiffness);

}  // namespace verve
