// What artists key over time: smooth between keys, held before the first and after the last.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <vector>

namespace verve {

/// The value at a time of keys in ascending order of time, of which `values(k)` has the channels. Cubic
/// between keys, with a slope that does not jump. At least one key.
template <int N, class Times, class Values>
Eigen::Matrix<double, N, 1> between_keys(double time, int count, const Times& times, const Values& values) {
  using Channels = Eigen::Matrix<double, N, 1>;
  if (time <= times(0)) return values(0);
  if (time >= times(count - 1)) return values(count - 1);
  int b = 1;
  while (times(b) <= time) ++b;
  const int a = b - 1;
  // Slopes from the neighbours on both sides; level at the ends, as the value is held there, and in each
  // channel that two keys hold: between equal keys nothing moves.
  const auto slope = [&](int k) -> Channels {
    if (k == 0 || k + 1 == count) return Channels::Zero();
    const Channels before = values(k - 1), at = values(k), after = values(k + 1);
    const auto holds = (before.array() == at.array()) || (at.array() == after.array());
    return holds.select(0.0, (after - before) / (times(k + 1) - times(k - 1)));
  };
  const double h = times(b) - times(a), s = (time - times(a)) / h, s2 = s * s, s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * values(a) + (s3 - 2 * s2 + s) * h * slope(a) +
         (3 * s2 - 2 * s3) * values(b) + (s3 - s2) * h * slope(b);
}

/// A number that may change over time.
struct KeyedNumber {
  struct Key {
    double time, value;
  };
  std::vector<Key> keys;  ///< ascending by time; never empty

  KeyedNumber(double value = 0.0) : keys{{0.0, value}} {}
  double at(double time) const {
    using One = Eigen::Matrix<double, 1, 1>;
    return between_keys<1>(
        time, int(keys.size()), [&](int k) { return keys[std::size_t(k)].time; },
        [&](int k) { return One(keys[std::size_t(k)].value); })[0];
  }
};

}  // namespace verve
