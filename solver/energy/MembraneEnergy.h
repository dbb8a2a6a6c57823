// How sheets resist being stretched and sheared in their plane.
#pragma once

#include <memory>

#include "energy/Energy.h"
#include "energy/SheetMaterial.h"
#include "energy/Stencils.h"

namespace verve {

/// St. Venant-Kirchhoff triangles: A/2 e.C e with Green's strain e = (E11, E22, 2 E12) along warp and weft,
/// quartic in the positions, so that Simpson's rule keeps its energy exactly. Every triangle must have an
/// area at `rest`.
std::unique_ptr<Energy> make_membrane_energy(const Vector& rest,
                                             const std::vector<std::array<int, 3>>& triangles,
                                             const std::vector<SheetMaterial>& material,
                                             const Partition& partition);

/// What stops fabric from being stretched beyond its limits: from half a limit on a quartic of the strain
/// along warp or weft grows beside the membrane's own energy. Under an averaging rule its mean force along
/// the chord is taken exactly. Null when no triangle has a limit.
std::unique_ptr<Energy> make_strain_limit(const Vector& rest,
                                          const std::vector<std::array<int, 3>>& triangles,
                                          const std::vector<SheetMaterial>& material,
                                          const Partition& partition);

}  // namespace verve
