#include "asynchronous/LayerPair.h"

#include <algorithm>

#include "base/Error.h"

namespace verve {
namespace {

/// Of the critical damping of a point on friction's spring: what sticks comes to rest, as friction is no
/// spring that swings for ever.
constexpr double friction_damping = 0.25;

/// The largest s in [0, 1] with |a + s b| <= limit, where |a| is.
double share_within(const Vec3& a, const Vec3& b, double limit) {
  const double bb = b.squaredNorm(), ab = a.dot(b), c = a.squaredNorm() - limit * limit;
  if (bb + 2.0 * ab + c <= 0.0) return 1.0;
  if (!(bb > 0.0)) return 0.0;
  return std::min(1.0, std::max(0.0, (std::sqrt(std::max(0.0, ab * ab - bb * c)) - ab) / bb));
}

}  // namespace

LayerPair::Look LayerPair::look(const Particles& particles, double time) const {
  Look look;
  for (int k = 0; k < corners(); ++k) look.x[k] = particles.at(corner[k], time);
  if (kind == PairKind::point_triangle) {
    look.near = point_to_triangle(look.x);
  } else if (kind == PairKind::edge_edge) {
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
  return kind == PairKind::edge_edge ? edge_fade(look.x).value * sum : sum;
}

void LayerPair::kick(const Look& look, int l, double time, double h, const LayerSettings& settings,
                     LayerMemory* memory, Particles& particles) const {
  const SimplexDistance& near = look.near;
  const double stiffness = rule.law.stiffness(l), depth = rule.law.outer(l) - near.distance;
  const EdgeFade fade = kind == PairKind::edge_edge ? edge_fade(look.x) : EdgeFade{};
  const double press = h * stiffness * depth * fade.value, bend = 0.5 * h * stiffness * depth * depth;
  const Vec3 drag = shape ? shape->velocity(look.x[0], time) : Vec3(Vec3::Zero());
  for (int k = 0; k < corners(); ++k) particles.advance(corner[k], time);
  Vec3 impulse = press * near.direction;
  const auto push = [&](double share) {
    for (int k = 0; k < corners(); ++k)
      particles.kick(corner[k], share * (near.weight[k] * impulse - bend * fade.gradient[k]));
    if (shape) particles.work += share * impulse.dot(drag);
  };
  if (!memory) {
    push(1.0);
    return;
  }
  memory->stiffness = stiffness;
  Motion motion{Vec3::Zero(), drag, time - memory->time};
  if (memory->inside) {
    motion.way = -motion.seconds * drag;
    for (int k = 0; k < corners(); ++k) motion.way += near.weight[k] * (look.x[k] - memory->before[k]);
  }
  stretch(look, motion, depth * fade.value, *memory, particles);
  impulse -= h * stiffness * memory->bristle.stretch;
  // What takes energy out acts amid the impulse, where the velocity is nearest to the motion's.
  push(0.5);
  if (memory->inside && motion.seconds > 0.0) {
    memory->age += motion.seconds;
    const double share = std::min(1.0, motion.seconds / std::min(memory->age, memory->window));
    memory->drift += share * (motion.way / motion.seconds - memory->drift);
    damp(look, motion, depth * fade.value, fade.value * settings.damping, *memory, particles);
  }
  push(0.5);
  memory->inside = true;
  memory->time = time;
  for (int k = 0; k < corners(); ++k) memory->before[k] = look.x[k];
}

void LayerPair::stretch(const Look& look, const Motion& motion, double depth, LayerMemory& memory,
                        Particles& particles) const {
  const Vec3& n = look.near.direction;
  const Vec3 drawn = memory.bristle.stretch + motion.way - n.dot(motion.way) * n;
  Vec3 along = drawn - n.dot(drawn) * n;
  // The layer presses with its stiffness times the depth, so that this is how far friction's spring holds.
  const double length = along.norm(), dynamic = rule.dynamic_friction * depth;
  memory.bristle.slides = length > (memory.bristle.slides ? dynamic : rule.static_friction * depth);
  if (memory.bristle.slides) along *= std::min(1.0, dynamic / length);
  // The work of the mean force, less what the spring keeps: nothing where it holds.
  particles.dissipated += 0.5 * memory.stiffness * (memory.bristle.stretch + along).dot(drawn - along);
  memory.bristle.stretch = along;
}

void LayerPair::damp(const Look& look, const Motion& motion, double depth, double delta,
                     const LayerMemory& memory, Particles& particles) const {
  const SimplexDistance& near = look.near;
  Vec3 relative = -motion.drag;
  double inverse = 0.0;
  for (int k = 0; k < corners(); ++k) {
    relative += near.weight[k] * particles.v[corner[k]];
    inverse += near.weight[k] * near.weight[k] * particles.inverse_mass[corner[k]];
  }
  if (!(inverse > 0.0)) return;  // only what the outside moves meets there
  const double stiffness = memory.stiffness, damping = delta * stiffness * inverse;
  // As if each acted alone, on the mean velocity since the last tick or that of now along it, whichever is
  // less: none turns the motion round, however many act on the same points, and none takes energy from what
  // rests.
  const auto taken = [&](double rate, const Vec3& drift) {
    const double mean = drift.norm();
    if (!(mean > 0.0)) return Vec3(Vec3::Zero());
    const double speed = std::min(mean, std::max(0.0, relative.dot(drift) / mean));
    return Vec3(std::expm1(-rate * motion.seconds) / inverse * speed / mean * drift);
  };
  const Vec3 approach = near.direction.dot(memory.drift) * near.direction;
  Vec3 impulse = taken(damping, approach);
  if (!memory.bristle.slides && rule.static_friction > 0.0) {
    const Vec3 along =
        taken(damping + 2.0 * friction_damping * std::sqrt(stiffness * inverse), memory.drift - approach);
    // Friction's spring and its damper together do not pull harder than friction holds.
    const double unit = motion.seconds * stiffness;
    impulse +=
        share_within(-unit * memory.bristle.stretch, along, unit * rule.static_friction * depth) * along;
  }
  for (int k = 0; k < corners(); ++k) particles.kick(corner[k], near.weight[k] * impulse);
  particles.work += impulse.dot(motion.drag);
  particles.dissipated -= impulse.dot(relative) + 0.5 * inverse * impulse.squaredNorm();
}

double LayerPair::safe_until(const Look& look, double least, double time, double until,
                             const Particles& particles) const {
  const auto stray = [&](int k) { return std::sqrt(particles.stray_squared[corner[k]]); };
  const Vec3& n = look.near.direction;
  if (kind == PairKind::point_collider)
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
               const Particles& particles, PairKind kind, int a, int b, LayerPair& pair) {
  pair.kind = kind, pair.a = a, pair.b = b;
  const auto& inverse = particles.inverse_mass;
  if (kind == PairKind::point_collider) {
    const int collider = b;
    const int p = pair.corner[0] = surface.vertices.corners[a][0];
    if (surface.vertices.owner[a] < surface.bodies && !surface.collision_matrix.meets_collider(p, collider))
      return false;
    pair.rule = surface.with_collider[collider];
    surface.multiply(pair.corner, pair.corner + 1, pair.rule);
    pair.shape = &shapes[collider];
    pair.inverse_mass = inverse[p];
    return pair.inverse_mass > 0.0 && pair.rule.law.rigidity > 0.0;
  }
  const bool edges = kind == PairKind::edge_edge;
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
