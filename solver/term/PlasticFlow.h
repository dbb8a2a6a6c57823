// What stays of a tet's deformation when its stress goes beyond what the material bears.
#pragma once

#include "base/Types.h"

namespace verve {

struct PlasticLaw {
  double yield, creep, hardening;  ///< Pa, 1/s, Pa
};

/// The part of Fp that is not identity, and the sum of all plastic strain so far.
struct PlasticState {
  Mat3 inverse = Mat3::Identity();  ///< Fp^-1
  double strain = 0.0;
};

/// Von Mises' stress of the elastic part `fe` of a deformation gradient: sqrt(6) mu |dev ln U|. Zero for
/// elements that are all but turned inside out: their strain has no direction to flow in.
double mises_stress(const Mat3& fe, double mu);

/// Lets the stress of F (with the plastic state as it is) beyond the yield stress flow for h seconds. True
/// when anything did.
bool flow(const Mat3& f, double mu, const PlasticLaw& law, double h, PlasticState& state);

}  // namespace verve
