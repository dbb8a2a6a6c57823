// Chooses the steps inside a frame that suit the motion.
#pragma once

#include "system/RigidMotion.h"

namespace verve {

/// Steps are 2^level-ths of a frame and begin at multiples of their own length, so that frames are met
/// exactly. The level follows an estimate of what a step misses of each piece's velocity:
/// - contact: a rule of second order misses h/12 (F1 - F0) of the impulse, with F the contact forces on the
/// piece as a
///   whole, averaged over this step and over the last one. Stiff contact springs may flip from step to step;
///   their mean over a step is calm, so resting contact passes at one step a frame, and an impact that a step
///   swallows does not.
/// - turning: along the chord of a turn by the angle a an element looks shorter than it is, by a^2/8 in the
/// middle. Vibrations inside a piece count for nothing: they need not be followed to keep their energy.
class StepControl {
 public:
  /// `tolerance` is the share of its speed that a piece may miss in a step; no step is shorter than a
  /// `most_steps`-th of a frame.
  StepControl(const System& system, double tolerance, int most_steps);

  /// The finest level.
  int deepest() const { return deepest_; }

  /// The first level from `level` on at which no piece that is free so far is expected to hit something too
  /// hard.
  int foresee(const State& state, int level, double frame) const;

  /// What the step of h seconds from `before` to `after` missed, as a multiple of the tolerance. Writes
  /// contact's mean forces to `after`, for the next step to compare with.
  double error(const State& before, State& after, double h, double frame) const;

  /// The same for energy that appeared or vanished in a step, as a share of the run's largest: it adds up
  /// over the steps of an impact.
  double energy_error(double drift, double largest) const {
    return largest > 0.0 ? drift / (0.125 * tolerance_ * largest) : 0.0;
  }

  /// Up to this error a step is taken as it is.
  static constexpr double acceptable = 2.0;
  /// By how many levels steps should become finer after one with such an error; less than 0: coarser.
  static int change(double error);

 private:
  double turning(const State& before, const State& after, const std::vector<RigidMotion>& motions,
                 const std::vector<double>& scale, double h) const;

  const System& system_;
  double tolerance_;
  int deepest_ = 0;
  std::vector<int> neighbour_start_, neighbour_;  ///< the points that elements join to each
};

}  // namespace verve
