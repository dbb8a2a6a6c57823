#include "contact/PathPotential.h"

#include <cmath>
#include <limits>

namespace verve {
namespace {

/// log(1 + r) - r + r^2/2 without the cancellation that small r would bring.
double log_rest(double r) {
  if (r >= 0.05) return std::log1p(r) - r + 0.5 * r * r;
  double sum = 0.0, power = r * r * r;
  for (int k = 3; k < 16; ++k, power *= -r) sum += power / k;
  return sum;
}

}  // namespace

PathPotential spring(double s) {
  if (s >= 0.0) return {};
  return {s * s, 2.0 * s, 2.0};
}

PathPotential spring_path(double a, double b) {
  if (a <= 0.0) {
    if (b <= 0.0) return {0.5 * (b - a) * (b + 3.0 * a), a + b, 1.0};
    if (a == 0.0) return {};
    const double q = a / (b - a);
    return {-a * a * (1.5 + std::log1p(-b / a)), -a * q, q * q};
  }
  if (b >= 0.0) return {};
  if (a < 1e-12 * -b) return {0.5 * b * b, b, 1.0};
  const double q = b / (b - a);
  return {a * a * log_rest(-b / a), b * q, q * (2.0 - q)};
}

PathPotential barrier(double t, double d) {
  if (d >= t) return {};
  if (d <= 0.0) return {std::numeric_limits<double>::infinity(), 0.0, 0.0};
  return {(t - d) * (t - d) * t / d, t * (1.0 - t * t / (d * d)), 2.0 * t * t * t / (d * d * d)};
}

// Each piece of G' is a sum of a constant, A/b and B/(b - a); the constants of integration join the pieces at
// b = t.
PathPotential barrier_path(double t, double a, double b) {
  if (b <= 0.0) return {std::numeric_limits<double>::infinity(), 0.0, 0.0};
  if (a < t) {
    const double t2 = t * t;
    if (b <= t)
      return {t * (b - t - t2 / a * std::log(b / t)), t * (1.0 - t2 / (a * b)), t * t2 / (a * b * b)};
    const double start = (t - a) * (t - a) * t / a, gap = b - a;
    return {-start * std::log(gap / (t - a)), -start / gap, start / (gap * gap)};
  }
  if (b >= t) return {};
  const double u = t - b, v = b - a, slope = t * u * u / (b * v);
  const double rest = a > t ? (t - a) * (t - a) / a * std::log((a - b) / (a - t)) : 0.0;
  return {t * (b - t - t * t / a * std::log(b / t) + rest), slope,
          -slope * (2.0 / u + 1.0 / b + 1.0 / v)};
}

}  // namespace verve
