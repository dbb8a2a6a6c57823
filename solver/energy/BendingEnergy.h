// How sheets resist bending.
#pragma once

#include <memory>
#include <vector>

#include "energy/Energy.h"
#include "energy/SheetMaterial.h"
#include "energy/Stencils.h"

namespace verve {

/// Where the bending of triangles whose rest shape may change went.
struct ChangingBends {
  Energy* energy = nullptr;  ///< with SheetRest; null: there is none
  std::vector<int> element;  ///< of it, for each triangle; -1: it is not among them
};

/// Bending by the curvature of MorleyCurvature.h, D in N m. Where a sheet is flat at rest it is the quadratic
/// A/2 D_ab h_a.h_b with a constant matrix; elsewhere A/2 D_ab r_a.r_b, r_a = h_a - rest_a N with N = f1 x
/// f2, which is quartic and without force at rest. Appends an energy for each kind there is; triangles
/// without D have none. Those with `changes` (empty: none) are of the second kind also where they are flat.
void append_bending(const Vector& rest, const std::vector<std::array<int, 3>>& triangles,
                    const std::vector<SheetMaterial>& material, const Partition& partition,
                    std::vector<std::unique_ptr<Energy>>& energies, const std::vector<char>& changes = {},
                    ChangingBends* found = nullptr);

}  // namespace verve
