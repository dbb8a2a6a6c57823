#include "contact/PathPotential.h"

#include <cmath>

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

double spring_path_gap(double a, double force) {
  if (a <= 0.0) return force >= -a ? -a - force : a + a * a / force;
  return -0.5 * (force + std::sqrt(force * (force + 4.0 * a)));
}

double spring_path_secant(double a, double b, double force) {
  const PathPotential here = spring_path(a, b);
  if (!(force > 0.0) && a <= 0.0) return here.curvature;
  const double there = spring_path_gap(a, force);
  constexpr double same = 1e-7;  // of lengths, below which the difference is round-off
  if (std::abs(b - there) <= same * (std::abs(a) + std::abs(b) + std::abs(there))) return here.curvature;
  return (here.slope + force) / (b - there);
}

double force_centre(double a, double b) {
  // The force grows with depth: over a stretch in contact that begins at the surface it is centred at two
  // thirds.
  if (a <= 0.0 && b <= 0.0) return a + b < 0.0 ? (a / 3.0 + b * 2.0 / 3.0) / (a + b) : 0.5;
  if (a > 0.0 && b < 0.0) return 1.0 - (1.0 / 3.0) * b / (b - a);
  if (a < 0.0 && b > 0.0) return (1.0 / 3.0) * a / (a - b);
  return a < b ? 0.0 : 1.0;
}

}  // namespace verve
