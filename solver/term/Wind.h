// How the air moves: a function of place and time alone, so that every step and every run sees the same.
#pragma once

#include <cstdint>

#include "base/Types.h"

namespace verve {

/// A steady wind with gusts that it carries along and that change while they go.
struct Wind {
  Vec3 velocity = Vec3::Zero();  ///< m/s
  double gust = 0.0;             ///< root mean square of the gusts' speed, m/s
  double size = 1.0;             ///< across a gust, m
  std::uint32_t seed = 0;        ///< other gusts of the same kind

  Vec3 at(const Vec3& place, double time) const;
};

}  // namespace verve
