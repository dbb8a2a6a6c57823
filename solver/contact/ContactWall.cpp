// The part of Contacts that keeps points of bodies in front of colliders, behind the springs.
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/Contacts.h"
#include "contact/PairWalls.h"

namespace verve {
namespace {

constexpr double anywhere = std::numeric_limits<double>::infinity();
/// Of the energy at hand: all of it against one wall leaves a hundredth of the wall's reach.
constexpr double strength_share = 0.01;
/// A wall that holds as many times the energy at hand is held against by something that has no end of it.
constexpr double most_energy = 100.0;
/// Nearer to a sheet than this share of the reach a point has not come free of it.
constexpr double least_reach = 1e-3;
constexpr double shortest = 1.0 / 400.0;  ///< steps below it book what they leave open, s
constexpr double still = 1e-24;           ///< a way whose square is shorter has no direction, m^2

double to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double squared = along.squaredNorm();
  const double t = squared > 0.0 ? std::clamp(along.dot(p - a) / squared, 0.0, 1.0) : 0.0;
  return (p - a - t * along).norm();
}

/// Whether a way comes in on one side of a collider, as it is at the step's end, and out at the opposite one.
/// The wall only knows the way's end; without this a fast point would slip around what it should bounce off.
/// Ways that cut a corner, or the rim of a sheet, go around it in shorter steps as well.
bool passes_through(const Collider& collider, const Vec3& from, const Vec3& to) {
  const double length = (to - from).norm(), least = 1e-6 * length;
  const double in = collider.free_share(from, to, 0.0, least);
  if (in >= 1.0) return false;
  const double out = 1.0 - collider.free_share(to, from, 0.0, least);
  const Vec3 enters = from + in * (to - from), leaves = from + out * (to - from);
  const Vec3 normal = collider.wall_distance(enters, true, anywhere).normal;
  if (normal.dot(collider.wall_distance(leaves, true, anywhere).normal) > -0.5) return false;
  if (!collider.is_sheet()) return true;
  for (const MeshSurface::Edge& e : collider.corners().edges)
    if (e.triangle[1] < 0 &&
        to_segment(enters, collider.end_vertex(e.point[0]), collider.end_vertex(e.point[1])) < 0.35 * length)
      return false;
  return true;
}

}  // namespace

void Contacts::set_held(const std::vector<int>& held) {
  held_.assign(std::size_t(parts_.mass.size() / 3), 0);
  for (int i : held) held_[i] = 1;
}

bool Contacts::is_held(const Contact& c) const {
  if (held_.empty()) return false;
  return std::all_of(c.point.begin(), c.point.begin() + c.points, [&](int i) { return held_[i] != 0; });
}

void Contacts::tell_given_way(const std::vector<int>& points, double time) {
  constexpr std::size_t most = 20;
  for (int i : points) {
    const std::string who = "point " + std::to_string(i) + " cannot be kept out of every collider at ";
    const auto told = [&](const std::string& w) { return w.compare(0, who.size(), who) == 0; };
    if (warnings_.size() >= most || std::any_of(warnings_.begin(), warnings_.end(), told)) continue;
    warnings_.push_back(
        who + std::to_string(time) +
        " s: pins or other colliders leave it no room, so a wall gives way to it until it is free");
  }
}

double Contacts::energy_at_hand(const Vector& v, const ContactState& state) const {
  const double moving = 0.5 * (parts_.mass.array() * v.array().square()).sum();
  return std::max(state.wall_energy, moving + state.energy);
}

double Contacts::full_reach(const Contact& c) const {
  const double thickness = parts_.collider(c.key).spec().thickness + c.radius;
  return thickness > 0.0 ? 0.5 * thickness : parts_.input.settings.wall_reach;
}

/// The strength is chosen while there is no energy in the wall, and kept as long as there is some. A point
/// that is found too near without having come there, or behind the surface by less than the reach, meets a
/// wall that begins where it is and is moved out in time; at a sheet, as far as the point leaves it free.
void Contacts::set_wall(Contact& c, const ContactMemory* memory, ContactBooks& books) const {
  const ContactSettings& s = parts_.input.settings;
  if (!s.wall || s.rule != ContactRule::exact) return;
  const Collider& collider = parts_.collider(c.key);
  const double reach = full_reach(c);
  const bool remembered = memory && memory->wall.strength > 0.0;
  double distance = c.start - parts_.shift(c, parts_.time) + collider.spec().thickness;
  if (collider.is_sheet()) distance = std::abs(distance);
  Wall wall;
  wall.reach = reach;
  if (remembered) {
    wall.strength = memory->wall.strength;
    wall.shift = memory->wall.shift, wall.rate = memory->wall.rate;
    if (wall.shift < 0.0) wall.reach += wall.shift, wall.shift = 0.0;
    wall.start = distance + wall.shift;
    const bool outgrown = wall.reach < reach && !(wall.start < wall.reach);
    const bool overcome =
        !(wall.start > 0.0) || wall.energy(wall.start) > most_energy / strength_share * wall.strength;
    if (outgrown) {
      wall = Wall{};
      wall.reach = reach;
    } else if (is_held(c) || overcome) {
      if (wall.start > 0.0) books.let_go(wall.energy(wall.start));
      if (!is_held(c)) c.wall_overcome = true;
      wall = Wall{};
      wall.reach = reach;
    }
  }
  if (is_held(c) || !(reach > 0.0)) return;
  if (!(wall.strength > 0.0)) {
    if (distance <= -reach) return;  // deep inside it is the spring's, which eases it out
    const double weight = parts_.gravity * parts_.total_mass * reach;
    wall.strength = strength_share * std::max(wall_energy_, weight);
    if (distance < reach && collider.is_sheet()) {
      // On either side of it the distance is positive: a gap above that would let the point through.
      if (!(distance > least_reach * reach)) return;
      wall.reach = distance;
    } else if (distance < reach) {
      wall.shift = reach - distance;
      wall.rate = wall.shift / std::max(std::abs(parts_.h), s.ease);
    }
    wall.start = distance + wall.shift;
  }
  // The wall goes back no faster than it can push.
  wall.end_shift =
      std::max({0.0, wall.shift - std::abs(parts_.h) * wall.rate, wall.shift - 0.5 * wall.start});
  wall.carried = c.before;
  wall.carried_gap = distance + wall.end_shift;
  if (collider.moves()) {
    wall.carried = collider.carried(c.before);
    wall.carried_gap = collider.wall_distance(wall.carried, true, anywhere).value + wall.end_shift;
  }
  c.wall = wall;
  if (!(wall.carried_gap > 0.0)) c.wall.gives_way = true;
}

/// The gap at the step's end and its gradient. No more than a lower bound where that lies beyond the reach,
/// as nothing hangs on it there.
double Contacts::wall_gap(const Contact& c, const Vec3& at, Vec3& normal) const {
  const Wall& w = c.wall;
  const double least = w.carried_gap - (at - w.carried).norm();
  if (w.start >= w.reach && least >= w.reach) return least;
  const double limit = w.start >= w.reach ? std::max(0.0, w.reach - w.end_shift) : anywhere;
  const Distance d = parts_.collider(c.key).wall_distance(at, true, limit);
  normal = d.normal;
  return d.value + w.end_shift;
}

PathPotential Contacts::along_wall(const Contact& c, const Vec3& at, Vec3& normal) const {
  if (!c.wall.stands()) return {};
  const double gap = wall_gap(c, at, normal);
  if (!(gap > 0.0)) return {anywhere, 0.0, 0.0};
  return c.wall.along(gap);
}

/// A wall that is curved, or met at an edge, does other work along a straight way than its energy tells: the
/// correction closes the balance, along the way as the collider sees it (Gonzalez' discrete gradient).
void Contacts::look_at_wall(Contact& c, const Vec3& at, double share) const {
  Wall& w = c.wall;
  Vec3 normal = Vec3::Zero();
  const PathPotential push = along_wall(c, at, normal);
  if (push.slope == 0.0) {
    w.correction.setZero();
    return;
  }
  const Vec3 way = at - w.carried;
  const double squared = way.squaredNorm();
  Vec3 wanted = Vec3::Zero();
  if (squared > still) {
    const double gap = wall_gap(c, at, normal);
    wanted = push.slope * (gap - w.carried_gap - normal.dot(way)) / squared * way;
  }
  // On the way to the solution a correction of the wrong place would lead astray.
  if (rounds_ > 0) w.correction += share * (wanted - w.correction);
  if (c.press == 0.0) {
    c.normal = normal;
    c.slide = w.carried - c.before;
    c.grip = 1.0;
  }
  c.press -= push.slope;
}

bool Contacts::chord_is_free(const Vector& x) {
  if (!pairs_) return true;
  if (!pairs_->chord_is_free(x)) return false;
  // Energy from nowhere shows that a step was too long for what meets in it.
  return std::abs(parts_.h) < shortest || parts_.still || pairs_->surplus(x) <= pairs_->most_surplus();
}

ContactBooks Contacts::close_balance(Vector& v, ContactState& state) {
  return pairs_ ? pairs_->close_balance(v, impulse_, state.reserve) : ContactBooks{};
}

bool Contacts::make_feasible(Vector& x) {
  if (!parts_.input.settings.wall) return true;
  if (!pairs_) {
    move_behind_walls(x);
    return true;
  }
  const auto in_front = [&] {
    Vec3 normal;
    return std::all_of(contacts_.begin(), contacts_.end(), [&](const Contact& c) {
      return !c.wall.stands() || wall_gap(c, c.gather(x), normal) > 0.0;
    });
  };
  const Vector wanted = x;
  // What parts bodies may press them into colliders, and the other way round. The last resort is to go no
  // farther than each point has room by itself.
  constexpr int rounds = 6;
  for (bool from_start : {false, true}) {
    if (from_start) pairs_->hold_back(x = wanted);
    for (int round = 0; round < rounds; ++round) {
      move_behind_walls(x);
      if (pairs_->make_feasible(x) && in_front()) return true;
    }
  }
  return false;
}

bool Contacts::move_behind_walls(Vector& x) {
  list_farther(x);
  constexpr int passes = 12;
  // Not so close to the wall that the first iterations only get away from it.
  double nearness = 0.5;
  for (int pass = 0; pass < passes; ++pass, nearness *= 0.9) {
    bool moved = false;
    for (Contact& c : contacts_) {
      const Wall& w = c.wall;
      if (!w.stands()) continue;
      const Vec3 at = c.gather(x);
      const double least = nearness * std::min({w.carried_gap, w.start, w.reach});
      if (w.carried_gap - (at - w.carried).norm() > least) continue;
      const double share = parts_.collider(c.key).free_share(w.carried, at, w.end_shift, least);
      if (share >= 1.0) continue;
      moved = true;
      if (pass == passes - 1) {
        c.wall.gives_way = true;
        continue;
      }
      for (int i = 0; i < c.points; ++i) {
        if (!held_.empty() && held_[c.point[i]]) continue;
        const Vec3 base = Vec3(point(parts_.x0, c.point[i])) + w.carried - c.before;
        point(x, c.point[i]) = base + share * (Vec3(point(x, c.point[i])) - base);
      }
    }
    if (!moved) return true;
  }
  return false;
}

void Contacts::give_way_at(const Vector& x) {
  Vec3 normal;
  for (Contact& c : contacts_)
    if (c.wall.stands() && !(wall_gap(c, c.gather(x), normal) > 0.0)) c.wall.gives_way = true;
}

double Contacts::largest_step(const Vector& x, const Vector& direction) {
  if (!parts_.input.settings.wall) return 1.0;
  trial_ = x + direction;
  list_farther(trial_);
  double share = pairs_ ? pairs_->largest_step(x, direction) : 1.0;
  for (const Contact& c : contacts_) {
    const Wall& w = c.wall;
    if (!w.stands()) continue;
    const Vec3 at = c.gather(x), way = share * c.gather(direction);
    if (w.carried_gap - (at - w.carried).norm() > way.norm()) continue;
    Vec3 normal;
    const double gap = wall_gap(c, at, normal);
    // A tenth is left, so that no iteration ends on the surface.
    const Collider& collider = parts_.collider(c.key);
    share *= collider.free_share(at, at + way, w.end_shift, 0.1 * std::min(gap, w.reach));
    if (w.shift > 0.0) continue;
    const Vec3 full = c.gather(direction);
    while (share > 0.0 && (at + share * full - w.carried).norm() > 4.0 * w.reach &&
           passes_through(collider, w.carried, at + share * full))
      share = share > 0.01 ? 0.5 * share : 0.0;
  }
  return share;
}

/// Books what the wall did over the step and remembers it. Returns its force on the point.
Vec3 Contacts::end_wall(const Contact& c, const Vec3& at, ContactMemory& m, ContactBooks& books,
                        ContactState& state, bool& touches) const {
  const Wall& w = c.wall;
  if (w.gives_way || c.wall_overcome) state.given_way.push_back(c.point[0]);
  if (w.gives_way && w.strength > 0.0) books.let_go(w.energy(w.start));
  if (!w.stands()) return Vec3::Zero();
  Vec3 normal = Vec3::Zero();
  const double gap = wall_gap(c, at, normal);
  const Vec3 force = w.along(gap).slope * normal + w.correction;
  // What the collider brought in by its motion, and the wall by going back to its place.
  const double change = w.energy(gap) - w.energy(w.start), slope = w.along(gap).slope;
  const Vec3 carried = w.carried - c.before;
  const double by_motion = slope * (w.carried_gap - w.start) - force.dot(carried);
  books.work += by_motion;
  if (rounds_ > last_wall_round) {
    const double open = change - force.dot(at - c.before) - by_motion;
    books.work += open, books.booked += open;
  }
  const double stored = w.energy(gap);
  state.energy += stored;
  touches = touches || gap < w.reach;
  if (gap < w.reach || w.end_shift > 0.0) {
    m.wall = {w.strength, w.end_shift, w.rate};
    if (w.reach < full_reach(c)) m.wall.shift = w.reach - full_reach(c);
  }
  return force;
}

}  // namespace verve
