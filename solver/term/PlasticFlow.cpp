#include "term/PlasticFlow.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

namespace verve {
namespace {

constexpr double least_volume = 0.05;

/// The deviator of Hencky's strain along its axes.
struct Shear {
  Mat3 axes = Mat3::Identity();
  Vec3 strain = Vec3::Zero();
};

Shear shear_of(const Mat3& fe) {
  Shear s;
  if (!(fe.determinant() > least_volume)) return s;
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  eigen.compute(fe.transpose() * fe);
  const Vec3 hencky = 0.5 * eigen.eigenvalues().array().max(1e-12).log();
  s.axes = eigen.eigenvectors();
  s.strain = hencky.array() - hencky.mean();
  return s;
}

double stress_of(const Vec3& strain, double mu) {
  return std::sqrt(6.0) * mu * strain.norm();
}

}  // namespace

double mises_stress(const Mat3& fe, double mu) {
  return stress_of(shear_of(fe).strain, mu);
}

bool flow(const Mat3& f, double mu, const PlasticLaw& law, double h, PlasticState& state) {
  const Shear shear = shear_of(f * state.inverse);
  const double stress = stress_of(shear.strain, mu), yield = law.yield + law.hardening * state.strain;
  if (!(stress > yield) || !(h > 0.0)) return false;
  // d(stress) = -3 mu d(strain) and d(yield) = hardening d(strain): what lies beyond fades exponentially.
  const double share = std::isinf(law.creep) ? 1.0 : -std::expm1(-law.creep * h);
  const double strain = share * (stress - yield) / (3.0 * mu + law.hardening);
  const Vec3 back = -3.0 * mu * strain / stress * shear.strain;
  state.inverse *= shear.axes * back.array().exp().matrix().asDiagonal() * shear.axes.transpose();
  state.strain += strain;
  return true;
}

}  // namespace verve
