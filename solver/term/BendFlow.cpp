#include "term/BendFlow.h"

#include <algorithm>
#include <cmath>

namespace verve {
namespace {

/// How much flows of a curvature of that size in h seconds: d(size) = -d(flow) and d(yield) = hardening
/// d(flow), so that what lies beyond fades exponentially.
double flow_of(double size, const PlasticLaw& law, double h, double so_far) {
  const double beyond = size - law.yield - law.hardening * so_far;
  if (!(beyond > 0.0) || !(h > 0.0)) return 0.0;
  const double share = std::isinf(law.creep) ? 1.0 : -std::expm1(-law.creep * h);
  return share * beyond / (1.0 + law.hardening);
}

}  // namespace

bool flow_curvature(const double (&elastic)[3], const PlasticLaw& law, double h, double* numbers) {
  const double size =
      std::sqrt(elastic[0] * elastic[0] + elastic[1] * elastic[1] + 0.5 * elastic[2] * elastic[2]);
  const double flow = flow_of(size, law, h, numbers[3]);
  if (flow == 0.0) return false;
  for (int k = 0; k < 3; ++k) numbers[k] += flow / size * elastic[k];
  numbers[3] += flow;
  return true;
}

double angle_of_joint(double length, double arm) {
  return 2.0 * std::acos(std::clamp(length / arm, 0.0, 1.0));
}

double length_of_joint(double angle, double arm) {
  return arm * std::cos(0.5 * angle);
}

bool flow_joint(double angle, double rest_angle, double arm, const PlasticLaw& law, double h,
                double* numbers) {
  const double elastic = angle - rest_angle,
               flow = flow_of(std::abs(elastic) / (0.5 * arm), law, h, numbers[1]);
  if (flow == 0.0) return false;
  numbers[0] += std::copysign(0.5 * arm * flow, elastic);
  numbers[1] += flow;
  return true;
}

}  // namespace verve
