#include "term/Wind.h"

#include <array>
#include <cmath>

namespace verve {
namespace {

using Vec4 = Eigen::Vector4d;

/// Scrambles the bits of a number (the finaliser of MurmurHash3, public domain).
std::uint32_t scramble(std::uint32_t k) {
  k ^= k >> 16, k *= 0x85ebca6bu;
  k ^= k >> 13, k *= 0xc2b2ae35u;
  return k ^ (k >> 16);
}

/// Between -1 and 1, for each corner of the grid another.
double random(std::uint32_t corner, std::uint32_t channel) {
  return double(scramble(corner + 0x9e3779b9u * (channel + 1))) / 2147483647.5 - 1.0;
}

/// Random vectors at the corners of a grid in space and time, with two continuous derivatives in between.
Vec3 noise(const Vec4& p, std::uint32_t seed) {
  std::array<std::int64_t, 4> cell;
  Vec4 blend;
  for (int d = 0; d < 4; ++d) {
    const double low = std::floor(p[d]), t = p[d] - low;
    cell[std::size_t(d)] = std::int64_t(low);
    blend[d] = t * t * t * (10.0 + t * (6.0 * t - 15.0));
  }
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 16; ++k) {
    std::uint32_t corner = seed;
    double weight = 1.0;
    for (int d = 0; d < 4; ++d) {
      const int up = (k >> d) & 1;
      corner = scramble(corner * 31u + std::uint32_t(cell[std::size_t(d)] + up));
      weight *= up ? blend[d] : 1.0 - blend[d];
    }
    sum += weight * Vec3(random(corner, 0), random(corner, 1), random(corner, 2));
  }
  return sum;
}

}  // namespace

Vec3 Wind::at(const Vec3& place, double time) const {
  if (gust == 0.0) return velocity;
  // Of a component at the corners the variance is 1/3; blending leaves .7836 of it for each of the four axes.
  // With the second octave of half the height the three components together have this root mean square.
  constexpr double rms = 0.6864;
  Vec4 p;
  p << (place - time * velocity) / size, time * gust / size;
  return velocity + gust / rms * (noise(p, seed) + 0.5 * noise(2.0 * p, seed + 1));
}

}  // namespace verve
