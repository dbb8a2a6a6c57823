#include "system/RigidMotion.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>

namespace verve {
namespace {

/// Calls body(i) for every point that is not held.
template <class Body>
void for_each_free(const System& system, const State& state, const Body& body) {
  auto held = state.held.begin();
  for (int i = 0; i < system.points(); ++i) {
    if (held != state.held.end() && *held == i)
      ++held;
    else
      body(i);
  }
}

}  // namespace

Vec3 RigidMotion::spin_momentum() const {
  return angular - centre.cross(linear);
}

Vec3 RigidMotion::spin(const Vec3& l) const {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
  Vec3 along = eigen.eigenvectors().transpose() * l;
  for (int k = 0; k < 3; ++k) {
    const double i = eigen.eigenvalues()[k];
    along[k] = i > 1e-12 * eigen.eigenvalues()[2] ? along[k] / i : 0.0;
  }
  return eigen.eigenvectors() * along;
}

double RigidMotion::inner_kinetic() const {
  const Vec3 l = spin_momentum();
  return kinetic - 0.5 * linear.squaredNorm() / mass - 0.5 * l.dot(spin(l));
}

std::vector<RigidMotion> rigid_motions(const System& system, const Vector& x, const Vector& v,
                                       const std::vector<int>& held) {
  std::vector<RigidMotion> pieces(system.pieces);
  for (int i = 0; i < system.points(); ++i) {
    RigidMotion& r = pieces[system.piece[i]];
    const double m = system.mass[3 * Eigen::Index(i)];
    r.mass += m;
    r.centre += m * point(x, i);
    r.linear += m * point(v, i);
    r.angular += m * Vec3(point(x, i)).cross(Vec3(point(v, i)));
    r.kinetic += 0.5 * m * point(v, i).squaredNorm();
  }
  for (RigidMotion& r : pieces) r.centre /= r.mass;
  for (int i = 0; i < system.points(); ++i) {
    RigidMotion& r = pieces[system.piece[i]];
    const Vec3 d = point(x, i) - r.centre;
    r.inertia += system.mass[3 * Eigen::Index(i)] * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  for (int i : held) pieces[system.piece[i]].held = true;
  return pieces;
}

double held_pieces_kinetic(const System& system, const std::vector<RigidMotion>& pieces, const State& state) {
  double sum = 0.0;
  for_each_free(system, state, [&](int i) {
    if (pieces[system.piece[i]].held)
      sum += 0.5 * system.mass[3 * Eigen::Index(i)] * point(state.v, i).squaredNorm();
  });
  return sum;
}

void scale_inner_motion(const System& system, const std::vector<RigidMotion>& pieces, double scale,
                        State& state) {
  std::vector<Vec3> spins;
  for (const RigidMotion& r : pieces) spins.push_back(r.spin(r.spin_momentum()));
  for_each_free(system, state, [&](int i) {
    const RigidMotion& r = pieces[system.piece[i]];
    Vec3 rigid = Vec3::Zero();
    if (!r.held) rigid = r.linear / r.mass + spins[system.piece[i]].cross(Vec3(point(state.x, i)) - r.centre);
    point(state.v, i) = rigid + scale * (point(state.v, i) - rigid);
  });
}

}  // namespace verve
