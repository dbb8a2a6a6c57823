// The one-step implicit integrators as data: solver/scheme has a file for each.
#pragma once

#include "damping/StrainFlow.h"
#include "integrator/Integrator.h"

namespace verve {

/// A scheme is a choice of predictor, samples along the step's chord and closing update:
///   y = x0 + h v0 - start h^2 M^-1 grad E(x0),
///   x = argmin 1/2 |x - y|^2_M + h^2 sum_j w_j E(x0 + s_j (x - x0)),
/// then v from x.
struct ChordScheme {
  enum class Closing {
    chord,      ///< v = (x - x0)/h
    trapezoid,  ///< v = 2 (x - x0)/h - v0
    momentum,   ///< v = (x - x0)/h - h alpha M^-1 grad E(sample), the momentum of HP over the mass
  };
  double start = 0.0;
  std::vector<Sample> samples;  ///< weights in units of h^2
  Closing closing = Closing::chord;
  bool average = false;    ///< the samples stand for the average force (AVF)
  bool symmetric = false;  ///< its own adjoint, so that compositions of it gain order
};

/// The integrator of a scheme; `correction` and `project` as in IntegratorSettings, `filter` as in
/// StepDamping.
std::unique_ptr<Integrator> make_chord_integrator(System& system, const ChordScheme& scheme,
                                                  const IntegratorSettings& settings,
                                                  std::shared_ptr<StrainFlow> filter = nullptr);

}  // namespace verve
