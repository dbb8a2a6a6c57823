#include "energy/TetStress.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "energy/MooneyRivlin.h"
#include "energy/NeoHookean.h"
#include "energy/StVK.h"
#include "energy/StableNeoHookean.h"

namespace verve {
namespace {

Density density_of(TetModel model, const Strain& strain, double mu, double lambda) {
  switch (model) {
    case TetModel::neo_hookean:
      return NeoHookean::at(strain, mu, lambda);
    case TetModel::stable_neo_hookean:
      return StableNeoHookean::at(strain, mu, lambda);
    case TetModel::mooney_rivlin:
      return MooneyRivlin::at(strain, mu, lambda);
    case TetModel::stvk:
      break;
  }
  return StVK::at(strain, mu, lambda);
}

Mat3 cofactor(const Mat3& f) {
  Mat3 c;
  for (int i = 0; i < 3; ++i) c.col(i) = f.col((i + 1) % 3).cross(f.col((i + 2) % 3));
  return c;
}

}  // namespace

TetStress tet_stress(TetModel model, double mu, double lambda, const Mat3& f) {
  const Mat3 c = f.transpose() * f, e = 0.5 * (c - Mat3::Identity());
  const double volume = f.determinant();
  const Density d = density_of(model, {e.trace(), e.squaredNorm(), volume}, mu, lambda);
  TetStress stress;
  stress.energy_density = d.value[0];
  if (volume == 0.0) return stress;
  const Mat3 p = 2.0 * d.linear[0] * f - 2.0 * d.c2[0] * f * c + d.g1[0] * cofactor(f);
  stress.cauchy = p * f.transpose() / volume;
  const Mat3 deviator = stress.cauchy - stress.cauchy.trace() / 3.0 * Mat3::Identity();
  stress.von_mises = std::sqrt(1.5) * deviator.norm();
  return stress;
}

}  // namespace verve
