// The sphere-plate impact of "Discrete penalty layers admit multisymplectic integration", section 6, and the
// decomposition contact response (F. Cirak and M. West 2005) that it is compared with.
#pragma once

#include "asynchronous/GrowingTree.h"
#include "asynchronous/LayerScenes.h"
#include "asynchronous/LayerSurface.h"
#include "contact/SimplexDistance.h"

namespace verve::test {

/// A spherical shell of radius 0.125 flies at a plate of radius 0.35 with 100 m/s; both are 3.5 mm of
/// aluminium, as nets of springs. A frame lasts `frame` seconds.
inline Scene impact_scene(int shell_rings, int plate_rings, double frame = 1e-5) {
  constexpr double thickness = 0.0035, young = 7e10, density = 2700.0;
  Scene scene = layer_scene(LayerSpacing::impact, 0.02);
  const double stretch = young * thickness, bend = 0.02 * stretch;
  Body ball = make_cloth("sphere", make_shell(0.125, shell_rings), SpringModel::hookean, stretch, bend,
                         density * thickness);
  for (Vec3& p : ball.x) p.y() += 0.125 + 2.0 * thickness;
  ball.rest = ball.x;
  set_velocity(ball, {0, -100, 0});
  scene.bodies = {ball, make_cloth("plate", make_disc(0.35, plate_rings), SpringModel::hookean, stretch, bend,
                                   density * thickness)};
  scene.contact.between = true;
  scene.contact.thickness = thickness;
  scene.contact.stiffness = 1e7;
  scene.fps = 1.0 / frame;
  scene.integrator.safety = 0.05;
  return scene;
}

/// Decomposition contact response on the same bodies: explicit steps of h seconds for everything; after each,
/// points that have gone through a triangle are projected back, and the momentum of the approach is turned
/// round (elastic impact).
class DecompositionResponse {
 public:
  explicit DecompositionResponse(const Scene& scene) {
    compile(scene, system_, state_);
    surface_ = std::make_unique<LayerSurface>(*system_.layers, system_.points());
    force();
  }
  double energy() const {
    const Vector v = state_.v + 0.5 * last_h_ * acceleration_;  // from between the steps to their end
    double sum = 0.5 * v.cwiseProduct(v).dot(system_.mass);
    for (const auto& energy : system_.elastic) sum += energy->at(state_.x);
    return sum;
  }
  void step(double h) {
    if (last_h_ == 0.0)
      state_.v += 0.5 * h * acceleration_;
    else
      state_.v += h * acceleration_;
    const Vector before = state_.x;
    state_.x += h * state_.v;
    respond(before, h);
    force();
    last_h_ = h;
  }

 private:
  void force() {
    gradient_.setZero(state_.x.size());
    for (const auto& energy : system_.elastic) energy->at(state_.x, &gradient_);
    acceleration_ = -gradient_.cwiseQuotient(system_.mass);
  }
  static double side(const Vector& x, int p, const std::array<int, 3>& t) {
    const Vec3 n = (point(x, t[1]) - point(x, t[0])).cross(Vec3(point(x, t[2]) - point(x, t[0])));
    return n.normalized().dot(point(x, p) - point(x, t[0]));
  }
  /// Pairs of a point and a triangle that may meet before one of them has gone half of `reach`.
  void find_near(double h) {
    constexpr double reach = 1e-3;
    left_ -= h * std::sqrt(state_.v.reshaped(3, state_.v.size() / 3).colwise().squaredNorm().maxCoeff());
    if (left_ > 0.0) return;
    left_ = 0.5 * reach;
    const auto& vertices = surface_->vertices;
    const auto& triangles = surface_->triangles;
    std::vector<Eigen::AlignedBox3d> boxes(std::size_t(triangles.size()));
    for (int t = 0; t < triangles.size(); ++t)
      for (int p : triangles.corners[t]) boxes[std::size_t(t)].extend(Vec3(point(state_.x, p)));
    tree_.reset(std::move(boxes));
    near_.clear();
    for (int i = 0; i < vertices.size(); ++i) {
      const Vec3 x = point(state_.x, vertices.corners[i][0]);
      const Eigen::AlignedBox3d around(x.array() - reach, x.array() + reach);
      const auto end = near_.size();
      tree_.overlapping(around, [&](int t) {
        if (vertices.owner[i] != triangles.owner[t]) near_.push_back({i, t});
      });
      std::sort(near_.begin() + std::ptrdiff_t(end), near_.end());
    }
  }
  void respond(const Vector& before, double h) {
    find_near(h);
    for (const auto& [i, t] : near_) {
      const int p = surface_->vertices.corners[i][0];
      const auto& corners = surface_->triangles.corners[t];
      const double was = side(before, p, corners), is = side(state_.x, p, corners);
      if ((was > 0.0) == (is > 0.0)) continue;
      const Vec3 x[4] = {point(state_.x, p), point(state_.x, corners[0]), point(state_.x, corners[1]),
                         point(state_.x, corners[2])};
      const SimplexDistance near = point_to_triangle(x);
      const Vec3 n = (was > 0.0 ? 1.0 : -1.0) * (x[2] - x[1]).cross(x[3] - x[1]).normalized();
      if (near.distance > 2.0 * std::abs(is)) continue;  // beside the triangle
      double inverse = 0.0, approach = 0.0;
      const int all[4] = {p, corners[0], corners[1], corners[2]};
      for (int k = 0; k < 4; ++k) {
        inverse += near.weight[k] * near.weight[k] / system_.mass[3 * Eigen::Index(all[k])];
        approach += near.weight[k] * n.dot(point(state_.v, all[k]));
      }
      for (int k = 0; k < 4; ++k) {
        const double share = near.weight[k] / (system_.mass[3 * Eigen::Index(all[k])] * inverse);
        point(state_.x, all[k]) += share * (std::abs(is) + 1e-9) * n;
        if (approach < 0.0) point(state_.v, all[k]) -= 2.0 * approach * share * n;
      }
    }
  }

  System system_;
  State state_;
  std::unique_ptr<LayerSurface> surface_;
  GrowingTree tree_;
  std::vector<std::array<int, 2>> near_;  ///< a vertex and a triangle
  double left_ = 0.0;                     ///< of the way until they have to be found anew, m
  Vector gradient_, acceleration_;
  double last_h_ = 0.0;
};

}  // namespace verve::test
