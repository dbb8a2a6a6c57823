// The elastic energy of quadratic tets, for every material: points in the middle of the edges let an element
// bend, which linear tets can only do by the dozen.
#pragma once

#include "energy/TetEnergy.h"

namespace verve {

/// Corners 0 to 3, then the middles of the edges 01, 02, 03, 12, 13, 23.
using QuadraticTet = std::array<int, 10>;

/// Edges are straight and points lie in their middles at rest; every element must have a positive volume
/// there. One material each; the energy is summed over four Gauss points, of which each is a polynomial of
/// the positions where that of a linear tet is one, so that rules exact there are exact here.
std::unique_ptr<Energy> make_quadratic_tet_energy(const Vector& rest, const std::vector<QuadraticTet>& tets,
                                                  const TetMaterial& material, const Partition& partition);

}  // namespace verve
