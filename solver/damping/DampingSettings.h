// How motion is damped, and what the artist may say about it.
#pragma once

#include <memory>

#include "base/Types.h"
#include "energy/Energy.h"

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

/// Seconds: a delta of what is stretched (solids with it) and one of what is bent.
struct Deltas {
  double stretch = 0.0, bend = 0.0;

  Deltas() = default;
  Deltas(double all) : stretch(all), bend(all) {}
  Deltas(double of_stretch, double of_bend) : stretch(of_stretch), bend(of_bend) {}
  double of(const Energy& energy) const { return energy.bends() ? bend : stretch; }
  double largest() const { return stretch > bend ? stretch : bend; }
  bool operator==(const Deltas& o) const { return stretch == o.stretch && bend == o.bend; }
};

/// How the blend shares delta out over a step, in seconds; the four together damp a slow swing by delta.
struct DampingShares {
  Deltas split;    ///< as the damping's own flow, half before and half after the step
  Deltas in_step;  ///< along the step, as -D (x1 - x0)/h
  /// As an impulse along the step, `filter_weight` times what the flow would take from the velocity that the
  /// step's first half ends with, v0 + h/2 a0. That velocity also shows a vibration whose positions jump from
  /// side to side while v stays near zero, which the split part cannot see.
  Deltas filter;
  double filter_weight = 0.0;
};

/// A value a point, which may be changed between two steps; whoever does counts `version` up.
struct PointScale {
  Vector value;
  long version = 0;
};

struct DampingSettings {
  DampingModel model = DampingModel::blend;
  double eta = 0.0;
  double delta = 0.0;
  double bend_delta = -1.0;  ///< of bending; below 0: as delta
  /// blend: the step is a trapezoidal one, whose first half is known beforehand.
  bool filtered = false;
  std::shared_ptr<const PointScale> multiplier;  ///< scales eta and delta; none: 1 everywhere

  Deltas deltas() const { return {delta, bend_delta < 0.0 ? delta : bend_delta}; }
  bool any() const { return eta > 0.0 || deltas().largest() > 0.0; }
  /// The multiplier's values; empty: 1 everywhere.
  const Vector& multipliers() const;
  /// blend: for a step of h seconds.
  DampingShares shares(double h) const;
};

/// Throws an Error for values that make no sense, or a multiplier for another number of points.
void check(const DampingSettings& settings, int points);

}  // namespace verve
