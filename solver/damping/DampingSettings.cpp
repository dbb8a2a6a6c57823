#include "damping/DampingSettings.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/Error.h"

namespace verve {

const Vector& DampingSettings::multipliers() const {
  static const Vector none;
  return multiplier ? multiplier->value : none;
}

namespace {

struct Shares {
  double split, in_step, filter, filter_weight;
};

Shares shares_of(double delta, bool filtered, double h) {
  if (!filtered) {
    // A mode is damped right by the split part as long as that is weaker than the step can turn, and by the
    // other part when it is overdamped. The other part also calms what jumps from side to side.
    const double split = std::min(0.85 * delta, 0.5 * h);
    return {split, delta - split, 0.0, 0.0};
  }
  // Overdamped motion creeps over delta seconds, which only the part in the step follows; a little is split
  // off all the same, to stop velocities that change sign from step to step. What is over within a step need
  // not be followed: there the flow and the filter damp every frequency right, from slow swings to positions
  // that jump from side to side. The numbers leave little error over all frequencies, from an eighth of a
  // second to a second on, and give the flow and the filter like matrices, so that one factor serves both.
  const double creeping = std::min(std::max(delta / h - 1.0, 0.0), 1.0), quick = 1.0 - creeping;
  const double little = std::min(0.05 * delta, 0.25 * h);
  return {2.0 / 3.0 * quick * delta + creeping * little, creeping * (delta - little), delta / 3.0, quick};
}

}  // namespace

DampingShares DampingSettings::shares(double h) const {
  const Shares stretch = shares_of(deltas().stretch, filtered, h),
               bend = shares_of(deltas().bend, filtered, h);
  // There is one filter for both: what one of them has less of it than the other is taken off its delta
  // there.
  const double weight = std::max(stretch.filter_weight, bend.filter_weight);
  const auto filter = [&](const Shares& s) {
    return s.filter_weight == weight ? s.filter : s.filter * s.filter_weight / weight;
  };
  return {
      {stretch.split, bend.split}, {stretch.in_step, bend.in_step}, {filter(stretch), filter(bend)}, weight};
}

void check(const DampingSettings& settings, int points) {
  const auto check_value = [](double value, const char* name, const char* unit) {
    // The square of the largest product with a stiffness must still be a number.
    if (!(value >= 0.0 && value < 1e100))
      throw Error(std::string("damping.") + name + ": " + std::to_string(value) +
                  " makes no sense; give 0 or a positive number of " + unit + " below 1e100");
  };
  check_value(settings.eta, "eta", "1/s");
  check_value(settings.delta, "delta", "seconds");
  if (settings.bend_delta >= 0.0) check_value(settings.bend_delta, "bend_delta", "seconds");
  const bool apart = settings.model == DampingModel::blend || settings.model == DampingModel::split;
  if (settings.bend_delta >= 0.0 && settings.bend_delta != settings.delta && !apart)
    throw Error(
        "damping.bend_delta: only the models blend and split tell bending from stretch; choose one of them");
  const Vector& multiplier = settings.multipliers();
  const Eigen::Index count = multiplier.size();
  if (count != 0 && count != points)
    throw Error("damping: the multiplier has " + std::to_string(count) + " values for " +
                std::to_string(points) + " points; give one for each point");
  if (count != 0 && settings.model == DampingModel::in_step && settings.any())
    throw Error("damping.model: in_step damps a body as a whole; choose another model for damping by point");
  for (Eigen::Index i = 0; i < count; ++i)
    if (!(multiplier[i] >= 0.0 && multiplier[i] < 1e100))
      throw Error("damping: the multiplier of point " + std::to_string(i) + " is " +
                  std::to_string(multiplier[i]) + "; give 0 or a positive number");
}

}  // namespace verve
