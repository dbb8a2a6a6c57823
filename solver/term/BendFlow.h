// What stays of a bend that goes beyond what a sheet or a rope bears.
#pragma once

#include "term/PlasticFlow.h"

namespace verve {

/// Here the law's yield is a curvature (1/m), and its hardening by how much that rises for each unit of what
/// stayed.

/// Of a sheet: lets the elastic part of its curvature (warp, weft, twice the mixed one; 1/m) beyond the yield
/// flow for h seconds. `numbers` are what has stayed of each, and the sum of all flow so far. True when
/// anything did.
bool flow_curvature(const double (&elastic)[3], const PlasticLaw& law, double h, double* numbers);

/// Of a rope's joint, whose bend spring spans two links that are `arm` long together: the angle (0: straight)
/// between them when its ends are that far apart, and the other way round.
double angle_of_joint(double length, double arm);
double length_of_joint(double angle, double arm);

/// `numbers`: the angle that has stayed, and the sum of all flow so far (1/m).
bool flow_joint(double angle, double rest_angle, double arm, const PlasticLaw& law, double h,
                double* numbers);

}  // namespace verve
