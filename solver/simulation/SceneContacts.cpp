#include "simulation/SceneContacts.h"

#include <algorithm>

#include "base/Error.h"
#include "base/Text.h"
#include "contact/Contacts.h"
#include "simulation/ContactNumbers.h"
#include "simulation/EmbeddedSkin.h"
#include "simulation/PaintedMaps.h"

namespace verve {
namespace {

/// The radius of every body's points; empty when no body has any.
std::vector<double> radii(const Scene& scene, double without) {
  std::vector<double> all;
  bool any = false;
  for (const Body& body : scene.bodies) {
    any |= !body.radius.empty();
    const std::vector<double> own =
        body.radius.empty() ? std::vector<double>(body.rest.size(), without) : body.radius;
    all.insert(all.end(), own.begin(), own.end());
  }
  return any ? all : std::vector<double>();
}

/// What the bodies' points say about whom they meet, over all bodies.
CollisionRules joined_rules(const Scene& scene) {
  CollisionRules all;
  all.kinds.emplace_back();  // of those that say nothing
  bool any = false;
  for (const Body& body : scene.bodies) {
    any |= !body.collision.of_point.empty();
    const int first = int(all.kinds.size());
    all.kinds.insert(all.kinds.end(), body.collision.kinds.begin(), body.collision.kinds.end());
    for (std::size_t i = 0; i < body.rest.size(); ++i)
      all.of_point.push_back(body.collision.of_point.empty() ? 0 : first + body.collision.of_point[i]);
  }
  return any ? all : CollisionRules();
}

/// Sets who meets whom and how near. Penalty layers have one thickness for all, so all points must have one
/// radius.
void set_collision_rules(const Scene& scene, ContactInput& input) {
  std::vector<CollisionKind> kinds = scene.collider_kinds;
  kinds.resize(scene.colliders.size());
  input.collision_matrix = collision_matrix(joined_rules(scene), kinds);
  input.radius = radii(scene, 0.0);
  input.half_thickness = radii(scene, 0.5 * scene.contact.thickness);
  if (scene.contact.rule != ContactRule::layers || input.radius.empty()) return;
  const auto [least, most] = std::minmax_element(input.radius.begin(), input.radius.end());
  if (*least != *most)
    throw Error("pscale: penalty layers are as thick at every point, but it goes from " + shortest(*least) +
                " to " + shortest(*most) + "; give all points the same or choose an implicit integrator");
  input.settings.thickness = 2.0 * *most;
  for (ColliderSpec& collider : input.colliders) collider.thickness += *most;
  input.radius.clear(), input.half_thickness.clear();
}

/// The points with which a body meets colliders: those of its skin where it has one.
void append_collision_points(const Body& body, int first, int points, ContactInput& input) {
  if (!body.skin) {
    for (int i = 0; i < int(body.rest.size()); ++i) input.points.push_back(first + i);
    return;
  }
  for (const SkinBinding::Binding& b : body.skin->binding().bindings()) {
    CarriedPoint p{b.corners, b.weights};
    for (int& corner : p.corners) corner += first;
    input.points.push_back(points + int(input.carried.size()));
    input.carried.push_back(p);
  }
}

/// Of the surfaces of bodies, or of ropes, at rest.
double mean_edge(const Scene& scene) {
  double sum = 0.0;
  long count = 0;
  for (const Body& body : scene.bodies) {
    const auto add = [&](int a, int b) { sum += (body.rest[a] - body.rest[b]).norm(), ++count; };
    for (const auto& t : body.surface)
      for (int k = 0; k < 3; ++k) add(t[k], t[(k + 1) % 3]);
    for (const auto& line : body.lines) add(line[0], line[1]);
  }
  return count > 0 ? sum / double(count) : 0.0;
}

}  // namespace

/// A multiplier of every body's points in their order; empty when no body has any.
std::vector<double> multipliers(const Scene& scene, std::vector<double> Body::*list) {
  std::vector<double> all;
  bool any = false;
  for (const Body& body : scene.bodies) {
    any |= !(body.*list).empty();
    if ((body.*list).empty())
      all.insert(all.end(), body.rest.size(), 1.0);
    else
      all.insert(all.end(), (body.*list).begin(), (body.*list).end());
  }
  return any ? all : std::vector<double>();
}

void add_contacts(const Scene& scene, System& system) {
  ContactInput input;
  input.settings = scene.contact;
  input.settings.between = scene.contact.between && system.pieces > 1;
  input.settings.wall = scene.contact.wall && !is_explicit(scene.integrator);
  input.settings.wall_reach = 0.01 * mean_edge(scene);
  if (!scene.colliders.empty() || input.settings.between || input.settings.self) {
    input.colliders = scene.colliders;
    input.rest = system.rest;
    input.friction = multipliers_at(scene, &Body::friction, &Painted::friction, 0.0);
    input.stiffness = multipliers(scene, &Body::contact_stiffness);
    set_collision_rules(scene, input);
    int begin = 0;
    for (const Body& body : scene.bodies) {
      if (scene.collide_skins) append_collision_points(body, begin, scene.points(), input);
      begin += int(body.rest.size());
    }
    input.bodies = contact_bodies(scene, system);
    if (scene.contact.rule == ContactRule::layers)
      system.layers = std::make_shared<const ContactInput>(std::move(input));
    else
      system.contacts = std::make_shared<Contacts>(std::move(input), system.mass, scene.gravity);
  }
}

}  // namespace verve
