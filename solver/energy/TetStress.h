// The stress and stored energy of one tet, for artists to see; the hot loops have their own.
#pragma once

#include "base/Types.h"
#include "energy/TetEnergy.h"

namespace verve {

struct TetStress {
  double energy_density = 0.0;  ///< J/m^3 of the rest shape
  double von_mises = 0.0;       ///< of Cauchy's stress, Pa
  Mat3 cauchy = Mat3::Zero();   ///< Pa; zero where the tet has no volume
};

/// At the deformation gradient f.
TetStress tet_stress(TetModel model, double mu, double lambda, const Mat3& f);

}  // namespace verve
