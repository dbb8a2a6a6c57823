#include "simulation/PaintedMaps.h"

#include "contact/Contacts.h"

namespace verve {
namespace {

bool any_painted(const Scene& scene, Painted::Map<double> Painted::*painted) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                     [&](const Body& b) { return b.painted && !((*b.painted).*painted).empty(); });
}

}  // namespace

std::vector<double> multipliers_at(const Scene& scene, std::vector<double> Body::*own,
                                   Painted::Map<double> Painted::*painted, double time) {
  std::vector<double> all, of_body;
  bool any = false;
  for (const Body& body : scene.bodies) {
    if (body.painted && !((*body.painted).*painted).empty())
      body.painted->at(time, (*body.painted).*painted, of_body);
    else
      of_body = body.*own;
    any |= !of_body.empty();
    if (of_body.empty()) of_body.assign(body.rest.size(), 1.0);
    all.insert(all.end(), of_body.begin(), of_body.end());
  }
  return any ? all : std::vector<double>();
}

PaintedMaps::PaintedMaps(const Scene& scene, System& system) : scene_(scene), system_(system) {
  if (any_painted(scene, &Painted::damping)) damping_ = std::make_shared<PointScale>();
  friction_ = system.contacts && any_painted(scene, &Painted::friction);
  set(0.0);
}

IntegratorSettings PaintedMaps::settings() const {
  IntegratorSettings settings = integrator_settings(scene_);
  if (damping_) settings.damping.multiplier = damping_;
  return settings;
}

void PaintedMaps::set(double time) {
  if (damping_) {
    const std::vector<double> now = multipliers_at(scene_, &Body::damping, &Painted::damping, time);
    const Vector value = Eigen::Map<const Vector>(now.data(), Eigen::Index(now.size()));
    if (damping_->value.size() != value.size() || damping_->value != value)
      damping_->value = value, ++damping_->version;
  }
  if (friction_)
    system_.contacts->set_friction(multipliers_at(scene_, &Body::friction, &Painted::friction, time));
}

}  // namespace verve
