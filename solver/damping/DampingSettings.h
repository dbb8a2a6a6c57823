// How motion is damped, and what the artist may say about it.
#pragma once

#include <vector>

namespace verve {

/// Rayleigh damping, D = eta M + delta K: eta (1/s) slows all motion, delta (s) the change of shape.
enum class DampingModel {
  blend,          ///< part in the step, part split off: the same damping at every step size
  split,          ///< conservative step between two halves of the damping's own flow
  in_step,        ///< the AVF paper's -D v1 with K the stiffness at the step's start (eqs. 13, 14)
  in_step_chord,  ///< -D (x1 - x0)/h, with K the strain-rate part of the stiffness
  hp,             ///< the HP paper's impulse -kD grad W(C(qk, qk+1)), kD = delta (section 5.2)
  hp_frozen,  ///< the same with the strain linearised at qk, which keeps momenta in implicit steps as well
};

struct DampingSettings {
  DampingModel model = DampingModel::blend;
  double eta = 0.0;
  double delta = 0.0;
  /// blend: the least share of delta that acts in the step.
  double kappa = 0.15;
  /// Scales eta and delta, a value per point; empty: 1 everywhere.
  std::vector<double> multiplier;

  bool any() const { return eta > 0.0 || delta > 0.0; }
  /// blend: the delta that is split off from a step of h seconds. A mode is damped right by the split part as
  /// long as that is weaker than the step can turn, and by the other part when it is overdamped.
  double split_delta(double h) const;
};

/// Throws an Error for values that make no sense, or a multiplier for another number of points.
void check(const DampingSettings& settings, int points);

}  // namespace verve
