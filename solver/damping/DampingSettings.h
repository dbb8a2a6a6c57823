// How motion is damped, and what the artist may say about it.
#pragma once

#include <vector>

#include "base/Types.h"

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

/// How the blend shares delta out over a step, in seconds; the four together damp a slow swing by delta.
struct DampingShares {
  double split = 0.0;    ///< as the damping's own flow, half before and half after the step
  double in_step = 0.0;  ///< along the step, as -D (x1 - x0)/h
  /// As an impulse along the step, `filter_weight` times what the flow would take from the velocity that the
  /// step's first half ends with, v0 + h/2 a0. That velocity also shows a vibration whose positions jump from
  /// side to side while v stays near zero, which the split part cannot see.
  double filter = 0.0, filter_weight = 0.0;
};

struct DampingSettings {
  DampingModel model = DampingModel::blend;
  double eta = 0.0;
  double delta = 0.0;
  /// blend: the step is a trapezoidal one, whose first half is known beforehand.
  bool filtered = false;
  /// Scales eta and delta, a value per point; empty: 1 everywhere.
  std::vector<double> multiplier;

  bool any() const { return eta > 0.0 || delta > 0.0; }
  Vector multipliers() const;
  /// blend: for a step of h seconds.
  DampingShares shares(double h) const;
};

/// Throws an Error for values that make no sense, or a multiplier for another number of points.
void check(const DampingSettings& settings, int points);

}  // namespace verve
