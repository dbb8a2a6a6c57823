// The sphere-plate impact of "Discrete penalty layers admit multisymplectic integration", section 6, and the
// decomposition contact response (F. Cirak and M. West 2005) that it is compared with.
#pragma once

#include <map>

#include "asynchronous/LayerScenes.h"
#include "asynchronous/LayerSurface.h"
#include "contact/Nearness.h"

namespace verve::test {

/// An octahedron whose triangles are cut in four again and again.
inline TriangleMesh ball_mesh(double radius, int cuts) {
  TriangleMesh mesh;
  mesh.points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int cut = 0; cut < cuts; ++cut) {
    std::map<std::array<int, 2>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [at, fresh] = middles.try_emplace({std::min(a, b), std::max(a, b)}, int(mesh.points.size()));
      if (fresh) mesh.points.push_back((mesh.points[a] + mesh.points[b]).normalized());
      return at->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const int d = middle(a, b), e = middle(b, c), f = middle(c, a);
      for (const std::array<int, 3>& t : {std::array<int, 3>{a, d, f}, {d, b, e}, {f, e, c}, {d, e, f}})
        finer.push_back(t);
    }
    mesh.triangles = finer;
  }
  for (Vec3& p : mesh.points) p *= radius;
  return mesh;
}

/// A disc in the xz plane: rings of 6, 12, 18, ... points about its middle.
inline TriangleMesh disc_mesh(double radius, int rings) {
  TriangleMesh mesh;
  mesh.points.push_back(Vec3::Zero());
  const auto first = [](int ring) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1); };
  for (int r = 1; r <= rings; ++r)
    for (int k = 0; k < 6 * r; ++k) {
      const double angle = 2.0 * M_PI * k / (6.0 * r);
      mesh.points.push_back(radius * r / rings * Vec3(std::cos(angle), 0, std::sin(angle)));
    }
  for (int r = 1; r <= rings; ++r)
    for (int side = 0; side < 6; ++side)
      for (int k = 0; k < r; ++k) {
        const auto outer = [&](int j) { return first(r) + (side * r + j) % (6 * r); };
        const auto inner = [&](int j) {
          return r == 1 ? 0 : first(r - 1) + (side * (r - 1) + j) % (6 * (r - 1));
        };
        mesh.triangles.push_back({inner(k), outer(k + 1), outer(k)});
        if (k + 1 < r) mesh.triangles.push_back({inner(k), inner(k + 1), outer(k + 1)});
      }
  return mesh;
}

/// A spherical shell of radius 0.125 flies at a plate of radius 0.35 with 100 m/s; both are 3.5 mm of
/// aluminium, as nets of springs. A frame lasts `frame` seconds.
inline Scene impact_scene(int cuts, int rings, double frame = 1e-5) {
  constexpr double thickness = 0.0035, young = 7e10, density = 2700.0;
  Scene scene = layer_scene(LayerSpacing::impact, 0.02);
  const double stretch = young * thickness, bend = 0.02 * stretch;
  Body ball =
      make_cloth("sphere", ball_mesh(0.125, cuts), SpringModel::hookean, stretch, bend, density * thickness);
  for (Vec3& p : ball.x) p.y() += 0.125 + 2.0 * thickness;
  ball.rest = ball.x;
  set_velocity(ball, {0, -100, 0});
  scene.bodies = {ball, make_cloth("plate", disc_mesh(0.35, rings), SpringModel::hookean, stretch, bend,
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
    respond(before);
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
  void respond(const Vector& before) {
    for (int i = 0; i < surface_->vertices.size(); ++i)
      for (int t = 0; t < surface_->triangles.size(); ++t) {
        if (surface_->vertices.owner[i] == surface_->triangles.owner[t]) continue;
        const int p = surface_->vertices.corners[i][0];
        const auto& corners = surface_->triangles.corners[t];
        if ((point(state_.x, p) - point(state_.x, corners[0])).squaredNorm() > 0.05 * 0.05) continue;
        const double was = side(before, p, corners), is = side(state_.x, p, corners);
        if ((was > 0.0) == (is > 0.0)) continue;
        const Vec3 x[4] = {point(state_.x, p), point(state_.x, corners[0]), point(state_.x, corners[1]),
                           point(state_.x, corners[2])};
        const Nearness near = point_to_triangle(x);
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
  Vector gradient_, acceleration_;
  double last_h_ = 0.0;
};

}  // namespace verve::test
