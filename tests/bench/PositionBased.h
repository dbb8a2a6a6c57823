// A yardstick: what position-based dynamics with small steps (Macklin and others 2019, "Small steps in
// physics simulation"; Vellum works this way) costs on the same meshes. Stretch constraints along edges and
// springs, volume constraints of tets, contact by projection with friction; one sweep of Gauss and Seidel a
// substep.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "simulation/Scene.h"

namespace verve::bench {

class PositionBased {
 public:
  PositionBased(const Scene& scene, int substeps)
      : scene_(scene), h_(1.0 / (scene.fps * substeps)), substeps_(substeps) {
    for (const Body& body : scene.bodies) {
      const int first = int(x_.size());
      x_.insert(x_.end(), body.x.begin(), body.x.end());
      v_.insert(v_.end(), body.v.begin(), body.v.end());
      v_.resize(x_.size(), Vec3::Zero());
      for (double m : body.mass) inverse_.push_back(1.0 / m);
      for (std::size_t s = 0; s < body.springs.size(); ++s) {
        const auto [a, b] = body.springs[s];
        const double length = (body.rest[a] - body.rest[b]).norm();
        // k/2 (|p|^2 - l^2)^2 is 1/2 (4 k l^2) (|p| - l)^2 for small strains.
        add_stretch(first + a, first + b, length, 4.0 * body.spring_material.stiffness[s] * length * length);
      }
      std::set<std::array<int, 2>> edges;
      double mean_mu = 0.0;
      for (std::size_t t = 0; t < body.tets.size(); ++t) {
        const auto& q = body.tets[t];
        const double volume = (body.rest[q[1]] - body.rest[q[0]])
                                  .cross(body.rest[q[2]] - body.rest[q[0]])
                                  .dot(body.rest[q[3]] - body.rest[q[0]]) /
                              6.0;
        volumes_.push_back({{first + q[0], first + q[1], first + q[2], first + q[3]},
                            volume,
                            volume / std::max(body.tet_material.lambda[t] - body.tet_material.mu[t],
                                              0.01 * body.tet_material.mu[t])});
        mean_mu += body.tet_material.mu[t] * volume;
        for (int a = 0; a < 4; ++a)
          for (int b = a + 1; b < 4; ++b) edges.insert({std::min(q[a], q[b]), std::max(q[a], q[b])});
      }
      // Each edge carries an equal share. Edges that go everywhere alike, 15 mu V of k l^2 in all, have the
      // energy V (mu e:e + mu/2 tr^2 e): the volume constraints bring what lambda has beyond mu.
      for (const auto& [a, b] : edges) {
        const double length = (body.rest[a] - body.rest[b]).norm();
        add_stretch(first + a, first + b, length, 15.0 * mean_mu / double(edges.size()) / (length * length));
      }
    }
    for (const auto& t : volumes_) rest_volume_ += t.rest;
    before_ = x_;
  }

  void advance() {
    for (int s = 0; s < substeps_; ++s) substep();
  }

  double kinetic() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < v_.size(); ++i) sum += 0.5 / inverse_[i] * v_[i].squaredNorm();
    return sum;
  }
  double gravity() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < x_.size(); ++i) sum -= scene_.gravity.dot(x_[i]) / inverse_[i];
    return sum;
  }
  double elastic() const {
    double sum = 0.0;
    for (const Stretch& s : stretches_) {
      const double c = (x_[s.a] - x_[s.b]).norm() - s.rest;
      sum += 0.5 * c * c / s.compliance;
    }
    for (const Volume& t : volumes_) {
      const double c = volume_of(t) - t.rest;
      sum += 0.5 * c * c / t.compliance;
    }
    return sum;
  }
  double volume() const {  ///< as a share of the one at rest
    double sum = 0.0;
    for (const Volume& t : volumes_) sum += volume_of(t);
    return rest_volume_ > 0.0 ? sum / rest_volume_ : 1.0;
  }
  double penetration() const {
    double deepest = 0.0;
    for (const Vec3& p : x_)
      for (const ColliderSpec& c : scene_.colliders)
        deepest = std::max(deepest, -c.shape->distance(p, std::numeric_limits<double>::infinity()).value);
    return deepest;
  }

 private:
  struct Stretch {
    int a, b;
    double rest, compliance;
  };
  struct Volume {
    std::array<int, 4> point;
    double rest, compliance;
  };

  void add_stretch(int a, int b, double rest, double stiffness) {
    stretches_.push_back({a, b, rest, 1.0 / stiffness});
  }
  double volume_of(const Volume& t) const {
    const Vec3& o = x_[t.point[0]];
    return (x_[t.point[1]] - o).cross(x_[t.point[2]] - o).dot(x_[t.point[3]] - o) / 6.0;
  }

  void substep() {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      v_[i] += h_ * scene_.gravity;
      before_[i] = x_[i];
      x_[i] += h_ * v_[i];
    }
    for (const Stretch& s : stretches_) {
      const Vec3 r = x_[s.a] - x_[s.b];
      const double length = r.norm(), w = inverse_[s.a] + inverse_[s.b];
      const Vec3 move = (s.rest - length) / (w + s.compliance / (h_ * h_)) / length * r;
      x_[s.a] += inverse_[s.a] * move;
      x_[s.b] -= inverse_[s.b] * move;
    }
    for (const Volume& t : volumes_) {
      Vec3 gradient[4] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
      const Vec3 a = x_[t.point[1]] - x_[t.point[0]], b = x_[t.point[2]] - x_[t.point[0]],
                 c = x_[t.point[3]] - x_[t.point[0]];
      gradient[1] = b.cross(c) / 6.0, gradient[2] = c.cross(a) / 6.0, gradient[3] = a.cross(b) / 6.0;
      gradient[0] = -gradient[1] - gradient[2] - gradient[3];
      double w = t.compliance / (h_ * h_);
      for (int k = 0; k < 4; ++k) w += inverse_[t.point[k]] * gradient[k].squaredNorm();
      const double lambda = (t.rest - a.cross(b).dot(c) / 6.0) / w;
      for (int k = 0; k < 4; ++k) x_[t.point[k]] += lambda * inverse_[t.point[k]] * gradient[k];
    }
    for (std::size_t i = 0; i < x_.size(); ++i)
      for (const ColliderSpec& c : scene_.colliders) {
        const Distance d = c.shape->distance(x_[i], std::numeric_limits<double>::infinity());
        const double depth = c.thickness - d.value;
        if (depth <= 0.0) continue;
        x_[i] += depth * d.normal;
        const Vec3 way = x_[i] - before_[i];
        const Vec3 slip = way - d.normal.dot(way) * d.normal;
        const double length = slip.norm(), most = c.dynamic_friction * depth;
        x_[i] -= length > most ? Vec3(most / length * slip) : slip;
      }
    for (std::size_t i = 0; i < x_.size(); ++i) v_[i] = (x_[i] - before_[i]) / h_;
  }

  const Scene& scene_;
  double h_;
  int substeps_;
  std::vector<Vec3> x_, v_, before_;
  std::vector<double> inverse_;
  std::vector<Stretch> stretches_;
  std::vector<Volume> volumes_;
  double rest_volume_ = 0.0;
};

}  // namespace verve::bench
