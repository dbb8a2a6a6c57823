// Runs a scene asynchronously and looks at the way of every particle.
#pragma once

#include "PassThrough.h"
#include "asynchronous/Asynchronous.h"
#include "asynchronous/LayerSurface.h"
#include "simulation/SceneDrivers.h"

namespace verve::test {

class TracedRun {
 public:
  explicit TracedRun(Scene scene) : scene_(std::move(scene)) {
    scene_.integrator.type = IntegratorType::asynchronous;
    scene_.contact.rule = ContactRule::layers;
    compile(scene_, system_, state_);
    record(measure(system_, state_), state_.ledger);
    drivers_ = std::make_unique<SceneDrivers>(scene_, system_, state_.x);
    surface_ = std::make_unique<LayerSurface>(*system_.layers, system_.points());
    integrator_ = make_asynchronous(system_, scene_.integrator, [this](int i, double time, const Vec3& x) {
      if (traces_) ways_[i].add(time, x);
    });
    integrator_->check(state_);
  }

  const State& state() const { return state_; }
  System& system() { return system_; }
  StepReport step() {
    ways_.assign(surface_->particles, Way());
    traces_ = false;
    const double start = state_.time, h = 1.0 / (scene_.fps * scene_.substeps);
    const Vector x = state_.x;
    for (int i = 0; i < system_.points(); ++i) ways_[i] = Way(scene_.gravity);
    std::vector<Pin> pins;
    drivers_->pins(start + h, pins);
    for (const Pin& pin : pins) ways_[pin.point] = Way();
    for (int i = 0; i < system_.points(); ++i) ways_[i].add(start, point(x, i));
    for (std::size_t c = 0; c < surface_->colliders.size(); ++c) {
      const ColliderSpec& spec = surface_->colliders[c];
      const Eigen::Isometry3d pose = spec.pose ? spec.pose(start) : Eigen::Isometry3d::Identity();
      for (std::size_t k = 0; k < surface_->corners[c].size(); ++k)
        ways_[surface_->first_particle[c] + k].add(start, pose * surface_->corners[c][k]);
    }
    traces_ = true;
    const StepReport report = integrator_->step(*drivers_, state_, h);
    record(measure(system_, state_), state_.ledger);
    return report;
  }
  double ledger_error() const { return state_.ledger.error(measure(system_, state_).total()); }

  /// How many pairs touched during the last step: none, if the layers do their work.
  int passed() const {
    const double a = state_.time - 1.0 / (scene_.fps * scene_.substeps), b = state_.time;
    std::vector<Eigen::AlignedBox3d> boxes;
    for (const Way& way : ways_) boxes.push_back(way.box());
    const auto box = [&](const auto& corners) {
      Eigen::AlignedBox3d sum;
      for (int i : corners) sum.extend(boxes[i]);
      return sum;
    };
    const auto boxes_of = [&](const auto& parts) {
      std::vector<Eigen::AlignedBox3d> list;
      for (const auto& corners : parts.corners) list.push_back(box(corners));
      return list;
    };
    const auto vertices = boxes_of(surface_->vertices), edges = boxes_of(surface_->edges),
               triangles = boxes_of(surface_->triangles);
    int count = 0;
    const auto check = [&](const std::array<int, 4>& p, bool is_edges) {
      for (int i = 0; i < (is_edges ? 2 : 1); ++i)
        for (int j = is_edges ? 2 : 1; j < 4; ++j)
          if (p[i] == p[j]) return;
      count += ways_touch({&ways_[p[0]], &ways_[p[1]], &ways_[p[2]], &ways_[p[3]]}, is_edges, a, b);
    };
    for (int i = 0; i < surface_->vertices.size(); ++i)
      for (int t = 0; t < surface_->triangles.size(); ++t)
        if (surface_->may_meet(surface_->vertices.owner[i], surface_->triangles.owner[t]) &&
            vertices[i].intersects(triangles[t])) {
          const auto& c = surface_->triangles.corners[t];
          check({surface_->vertices.corners[i][0], c[0], c[1], c[2]}, false);
        }
    for (int e = 0; e < surface_->edges.size(); ++e)
      for (int f = e + 1; f < surface_->edges.size(); ++f)
        if (surface_->may_meet(surface_->edges.owner[e], surface_->edges.owner[f]) &&
            edges[e].intersects(edges[f])) {
          const auto &c = surface_->edges.corners[e], &d = surface_->edges.corners[f];
          check({c[0], c[1], d[0], d[1]}, true);
        }
    for (const ColliderSpec& spec : surface_->colliders)
      if (!spec.mesh && !spec.pose)
        for (const auto& vertex : surface_->vertices.corners)
          count += way_touches(ways_[vertex[0]], *spec.shape, a, b);
    return count;
  }

 private:
  Scene scene_;
  System system_;
  State state_;
  std::unique_ptr<SceneDrivers> drivers_;
  std::unique_ptr<LayerSurface> surface_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<Way> ways_;
  bool traces_ = false;
};

}  // namespace verve::test
