#include "damping/DampingSettings.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/Error.h"

namespace verve {

double DampingSettings::split_delta(double h) const {
  return std::min((1.0 - kappa) * delta, 0.5 * h);
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
  if (!(settings.kappa > 0.0 && settings.kappa <= 1.0))
    throw Error("damping.kappa: must be above 0 and at most 1");
  const std::size_t count = settings.multiplier.size();
  if (count != 0 && count != std::size_t(points))
    throw Error("damping: the multiplier has " + std::to_string(count) + " values for " +
                std::to_string(points) + " points; give one for each point");
  if (count != 0 && settings.model == DampingModel::in_step && settings.any())
    throw Error("damping.model: in_step damps a body as a whole; choose another model for damping by point");
  for (std::size_t i = 0; i < count; ++i)
    if (!(settings.multiplier[i] >= 0.0 && settings.multiplier[i] < 1e100))
      throw Error("damping: the multiplier of point " + std::to_string(i) + " is " +
                  std::to_string(settings.multiplier[i]) + "; give 0 or a positive number");
}

}  // namespace verve
