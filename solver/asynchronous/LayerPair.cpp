#include "asynchronous/LayerPair.h"

#include <algorithm>

#include "base/Error.h"

namespace verve {

LayerPair::Look LayerPair::look(const Particles& particles, double time) const {
  Look look;
  for (int k = 0; k < corners(); ++k) look.x[k] = particles.at(corner[k], time);
  if (kind == point_triangle) {
    look.near = point_to_triangle(look.x);
  } else if (kind == edge_edge) {
    look.near = edge_to_edge(look.x);
  } else {
    const Distance d = shape->distance(look.x[0], time);
    look.near.distance = d.value;
    look.near.direction = d.normal;
    look.near.weight[0] = 1.0;
  }
  look.near.distance -= radius;
  return look;
}

double LayerPair::energy(const Look& look) const {
  const double sum = rule.law.energy(look.near.distance);
  return kind == edge_edge ? edge_fade(look.x).value * sum : sum;
}

void LayerPair::kick(const Look& look, int l, double time, double h, const LayerSettings& settings,
                     Particles& particles) const {
  const Nearness& near = look.near;
  const double stiffness = rule.law.stiffness(l), depth = rule.law.outer(l) - near.distance;
  const EdgeFade fade = kind == edge_edge ? edge_fade(look.x) : EdgeFade{};
  const double press = h * stiffness * depth * fade.value, bend = 0.5 * h * stiffness * depth * depth;
  const Vec3 drag = shape ? shape->velocity(look.x[0], time) : Vec3(Vec3::Zero());
  const auto push = [&](double share) {
    for (int k = 0; k < corners(); ++k)
      particles.kick(corner[k], share * (press * near.weight[k] * near.direction - bend * fade.gradient[k]));
    if (shape) particles.work += share * press * near.direction.dot(drag);
  };
  for (int k = 0; k < corners(); ++k) particles.advance(corner[k], time);
  if (settings.damping == 0.0 && rule.static_friction == 0.0) {
    push(1.0);
    return;
  }
  // What takes energy out acts amid the impulse, where the velocity is nearest to the motion's.
  push(0.5);
  rub(look, press, h * settings.damping * stiffness * fade.value, drag, particles);
  push(0.5);
}

void LayerPair::rub(const Look& look, double press, double damper, const Vec3& drag,
                    Particles& particles) const {
  const Nearness& near = look.near;
  Vec3 relative = -drag;
  double inverse = 0.0;
  for (int k = 0; k < corners(); ++k) {
    relative += near.weight[k] * particles.v[corner[k]];
    inverse += near.weight[k] * near.weight[k] * particles.inverse_mass[corner[k]];
  }
  if (!(inverse > 0.0)) return;  // only what the outside moves meets there
  const double speed = near.direction.dot(relative);
  // As if damping acted alone: it never turns the motion round.
  Vec3 impulse = -speed / inverse * (1.0 - std::exp(-damper * inverse)) * near.direction;
  const Vec3 slide = relative - speed * near.direction;
  const double slip = slide.norm();
  if (slip > 0.0) {
    const double stop = slip / inverse;
    const bool sticks = stop <= rule.static_friction * press;
    impulse -= (sticks ? stop : std::min(stop, rule.dynamic_friction * press)) / slip * slide;
  }
  for (int k = 0; k < corners(); ++k) particles.kick(corner[k], near.weight[k] * impulse);
  particles.work += impulse.dot(drag);
  particles.dissipated -= impulse.dot(relative) + 0.5 * inverse * impulse.squaredNorm();
}

double LayerPair::safe_until(const Look& look, double least, double time, double until,
                             const Particles& particles) const {
  const auto stray = [&](int k) { return std::sqrt(particles.stray_squared[corner[k]]); };
  const Vec3& n = look.near.direction;
  if (kind == point_shape)
    return shape->safe_until(look.x[0], {look.near.distance, n}, least, particles.course_at(corner[0], time),
                             particles.fall[corner[0]], stray(0), time, until);
  double place[4], rate[4], acceleration[4];  // along n, the latter towards the other side
  for (int k = 0; k < 4; ++k) {
    place[k] = n.dot(look.x[k]);
    const double side = k < split() ? -1.0 : 1.0;
    rate[k] = side * n.dot(particles.course_at(corner[k], time)) + stray(k);
    acceleration[k] = side * n.dot(particles.fall[corner[k]]);
  }
  double safe = std::numeric_limits<double>::infinity();
  for (int i = 0; i < split(); ++i)
    for (int j = split(); j < 4; ++j)
      safe = std::min(safe, time_to_close(place[i] - place[j] - radius - least, rate[i] + rate[j],
                                          acceleration[i] + acceleration[j]));
  return time + safe;
}

std::int64_t LayerPair::ticks(int l, const Span& span, const LayerSettings& settings) const {
  return ticks_for(span.length, settings.safety / std::sqrt(rule.law.stiffness(l) * inverse_mass));
}

bool make_pair(const LayerSurface& surface, const std::vector<ShapeMotion>& shapes,
               const Particles& particles, LayerPair::Kind kind, int a, int b, LayerPair& pair) {
  pair.kind = kind, pair.a = a, pair.b = b;
  const auto& inverse = particles.inverse_mass;
  if (kind == LayerPair::point_shape) {
    const int collider = b;
    const int p = pair.corner[0] = surface.vertices.corners[a][0];
    if (surface.vertices.owner[a] < surface.bodies && !surface.meetings.meets_collider(p, collider))
      return false;
    pair.rule = surface.with_collider[collider];
    surface.multiply(pair.corner, pair.corner + 1, pair.rule);
    pair.shape = &shapes[collider];
    pair.inverse_mass = inverse[p];
    return pair.inverse_mass > 0.0 && pair.rule.law.rigidity > 0.0;
  }
  const bool edges = kind == LayerPair::edge_edge;
  const int owner_a = edges ? surface.edges.owner[a] : surface.vertices.owner[a];
  const int owner_b = edges ? surface.edges.owner[b] : surface.triangles.owner[b];
  const bool meet =
      edges ? surface.may_meet(surface.edges.corners[a], owner_a, surface.edges.corners[b], owner_b)
            : surface.may_meet(surface.vertices.corners[a], owner_a, surface.triangles.corners[b], owner_b);
  if (!meet) return false;
  const int split = edges ? 2 : 1;
  double largest[2] = {0.0, 0.0};
  for (int k = 0; k < 4; ++k) {
    pair.corner[k] = edges    ? surface.edges.corners[k < 2 ? a : b][k % 2]
                     : k == 0 ? surface.vertices.corners[a][0]
                              : surface.triangles.corners[b][k - 1];
    double& side = largest[k >= split];
    side = std::max(side, inverse[pair.corner[k]]);
    for (int j = 0; k >= split && j < split; ++j)
      if (pair.corner[j] == pair.corner[k]) return false;
  }
  pair.rule = surface.rule(owner_a, owner_b);
  if (std::max(owner_a, owner_b) < surface.bodies) {
    surface.multiply(pair.corner, pair.corner + 4, pair.rule);
  } else {
    surface.multiply(pair.corner, pair.corner + split, pair.rule);
    surface.multiply(pair.corner + split, pair.corner + 4, pair.rule);
  }
  pair.radius = surface.round(std::max(owner_a, owner_b));
  pair.shape = nullptr;
  pair.inverse_mass = largest[0] + largest[1];
  return pair.inverse_mass > 0.0 && pair.rule.law.rigidity > 0.0;
}

}  // namespace verve
