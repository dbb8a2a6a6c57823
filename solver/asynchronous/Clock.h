// Clocks of asynchronous potentials: grids of ticks that divide a step evenly.
#pragma once

#include <cmath>
#include <cstdint>

namespace verve {

/// A step of the whole system, in which every potential ticks at start + length k/n, k = 0 .. n. As every
/// grid has ticks at both ends, the grids of all steps together are the absolute ones j h of the paper, and
/// nothing but positions and velocities has to be known to go on from a step's end.
struct Span {
  double start = 0.0, length = 0.0;  ///< s

  double end() const { return start + length; }
  double tick(std::int64_t k, std::int64_t n) const { return start + length * (double(k) / double(n)); }
  /// The first tick of n after a time.
  std::int64_t tick_after(double time, std::int64_t n) const {
    std::int64_t k = std::int64_t(std::floor((time - start) / length * double(n)));
    while (k > 0 && tick(k - 1, n) > time) --k;
    while (tick(k, n) <= time) ++k;
    return k;
  }
};

/// How many ticks of at most `step` seconds a span of `length` needs, rounded up to one of eight numbers an
/// octave: potentials of about the same stiffness then tick together.
inline std::int64_t ticks_for(double length, double step) {
  const double least = std::ceil(length / step * (1.0 - 1e-12));
  if (!(least > 1.0)) return 1;
  if (least >= 4e15) return std::int64_t(4e15);  // more than any budget of events allows
  std::int64_t n = std::int64_t(least);
  int shift = 0;
  while ((n >> shift) >= 16) ++shift;
  const std::int64_t unit = std::int64_t(1) << shift;
  return (n + unit - 1) / unit * unit;
}

}  // namespace verve
