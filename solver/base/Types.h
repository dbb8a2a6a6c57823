// The few names that every room uses. All quantities are SI: metres, kilograms, seconds.
#pragma once

#include <Eigen/Core>

namespace verve {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
/// A value per degree of freedom: x, y, z of point 0, then of point 1, and so on.
using Vector = Eigen::VectorXd;

/// The three entries of point `i` in a vector of degrees of freedom.
inline auto point(Vector& v, int i) {
  return v.segment<3>(3 * Eigen::Index(i));
}
inline auto point(const Vector& v, int i) {
  return v.segment<3>(3 * Eigen::Index(i));
}

}  // namespace verve
