#include "contact/PairWalls.h"

#include <algorithm>
#include <cmath>

#include "contact/Contacts.h"

namespace verve {
namespace {

constexpr double anywhere = std::numeric_limits<double>::infinity();
/// A wall's strength: as many times the energy that its own points have against each other, and that they would gain by
/// falling through its reach. What more is behind them squeezes the wall, which never ends.
constexpr double of_motion = 1.0, of_weight = 10.0;
constexpr int friction_rounds = 10, settled_rounds = 20, last_round = 60;
/// Share of the first residual below which forces are made exact: far from the solution they would lead astray.
constexpr double near_solution = 0.03;

}  // namespace

double PairWalls::share_of(const Corners& edges) {
  constexpr double least = 0.05;  // so that there is always something that resists
  return std::max(least, edge_share(edges));
}

Corners PairWalls::start_corners(const PairFound& f) const {
  return {start_place(f.point[0]), start_place(f.point[1]), start_place(f.point[2]), start_place(f.point[3])};
}

Corners PairWalls::corners(const Vector& x, const PairFound& f) const {
  return {place(x, f.point[0]), place(x, f.point[1]), place(x, f.point[2]), place(x, f.point[3])};
}

/// What one side of a pair brings to the thickness: the most that its points have.
double PairWalls::half_thickness(int owner, const int* points, int count, bool other_outside) const {
  if (owner >= int(skins_.size())) return colliders_[std::size_t(owner) - skins_.size()].spec().thickness;
  const std::vector<double>& by_point = other_outside ? input_.radius : input_.half_thickness;
  if (by_point.empty()) return other_outside ? 0.0 : 0.5 * input_.settings.thickness;
  double most = 0.0;
  for (int k = 0; k < count; ++k) most = std::max(most, by_point[std::size_t(points[k])]);
  return most;
}

PairLaw PairWalls::full_law(const PairFound& f) const {
  const int first = corners_of_first(f.kind()), bodies = int(skins_.size());
  const bool outside = f.first_owner >= bodies;
  PairLaw law;
  law.thickness = half_thickness(f.first_owner, f.point.data(), first, outside) +
                  half_thickness(f.second_owner, f.point.data() + first, 4 - first, outside);
  law.stiffness = outside ? colliders_[std::size_t(f.first_owner - bodies)].spec().stiffness : input_.settings.stiffness;
  if (!input_.stiffness.empty()) {
    double sum = 0.0;
    int count = 0;
    for (int p : f.point)
      if (of_body(p)) sum += input_.stiffness[std::size_t(p)], ++count;
    law.stiffness *= sum / count;
  }
  law.reach = law.thickness > 0.0 ? 0.5 * law.thickness : input_.settings.wall_reach;
  if (f.first_owner != f.second_owner) return law;
  // Neighbours on the same surface have no more room than at rest.
  const double apart = nearest(f.kind(), {rest_[std::size_t(f.point[0])], rest_[std::size_t(f.point[1])],
                                          rest_[std::size_t(f.point[2])], rest_[std::size_t(f.point[3])]})
                           .distance;
  if (apart <= std::max(1.2 * law.thickness, 2.0 * edge_[std::size_t(f.first_owner)])) {
    law.thickness = 0.0;
    law.reach = std::min(law.reach, 0.5 * apart);
  }
  return law;
}

double PairWalls::strength(const WallPair& pair) const {
  const PairFound& f = pair.found;
  const int first = corners_of_first(f.kind());
  double mass = 0.0, fastest = 0.0;
  const auto velocity = [&](int p) -> Vec3 {
    if (of_body(p)) return point(v0_, p);
    return (place(x0_, p) - start_place(p)) / h_;
  };
  for (int p : f.point)
    if (of_body(p)) mass += mass_[3 * Eigen::Index(p)];
  for (int i = 0; i < first; ++i)
    for (int j = first; j < 4; ++j)
      fastest = std::max(fastest, (velocity(f.point[std::size_t(i)]) - velocity(f.point[std::size_t(j)])).squaredNorm());
  return mass * (of_motion * fastest + of_weight * gravity_ * pair.law.reach + floor_);
}

/// A pair that is found nearer than its law allows begins where it is. The spring is let out in time; the wall as far as
/// the pair leaves it free.
void PairWalls::set_law(WallPair& pair, const ContactMemory* memory, double h, ContactBooks& books) const {
  const PairLaw full = full_law(pair.found);
  const double d = pair.start;
  pair.law = full;
  if (!memory) {
    pair.law.thickness = std::min(full.thickness, d);
    pair.law.reach = std::min(full.reach, d);
    pair.law.strength = strength(pair);
    return;
  }
  pair.law.strength = memory->wall;
  pair.law.reach = memory->wall_shift;
  pair.law.thickness = memory->wall_rate;
  if (!(d < pair.law.reach)) {
    pair.law.reach = std::min(full.reach, d);
    pair.law.strength = strength(pair);
  }
  if (pair.law.thickness < full.thickness) {
    const double before = pair.law.energy(d);
    const double grown = pair.law.thickness + full.thickness * std::abs(h) / std::max(std::abs(h), input_.settings.ease);
    pair.law.thickness = std::min(full.thickness, grown);
    books.work += pair.law.energy(d) - before;
  }
  pair.rub.stretch = memory->stretch;
  pair.rub.slides = memory->slides;
}

void PairWalls::list(const PairFound& f) {
  if (!number_.emplace(f.number(), int(pairs_.size())).second) return;
  WallPair pair;
  pair.found = f;
  const Corners x0 = start_corners(f);
  pair.start = nearest(f.kind(), x0).distance;
  pair.rub.stiffness = input_.settings.stiffness;
  pair.rub.static_friction = input_.settings.static_friction;
  pair.rub.dynamic_friction = input_.settings.dynamic_friction;
  if (const int c = f.first_owner - int(skins_.size()); c >= 0) {
    const ColliderSpec& spec = colliders_[std::size_t(c)].spec();
    pair.rub.stiffness = spec.stiffness;
    pair.rub.static_friction = spec.static_friction;
    pair.rub.dynamic_friction = spec.dynamic_friction;
  }
  if (!input_.friction.empty()) {
    double sum = 0.0;
    int count = 0;
    for (int p : f.point)
      if (of_body(p)) sum += input_.friction[std::size_t(p)], ++count;
    pair.rub.grip = sum / count;
  }
  ContactBooks none;
  set_law(pair, nullptr, h_, none);
  if (f.kind() == PairKind::edge_edge) pair.law.share = share_of(x0);
  pairs_.push_back(pair);
}

/// The force that does exactly the work of the change of energy, without a torque. Only the part of the way within the
/// law's reach has a force.
Corners PairWalls::exact_force(const WallPair& pair, const Corners& x0, const Corners& x1) const {
  const PairKind kind = pair.found.kind();
  const PairPlace at0 = nearest(kind, x0), at1 = nearest(kind, x1);
  const double d0 = pair.start, d1 = at1.distance, outer = pair.law.outer();
  Corners force{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  if (d0 >= outer && d1 >= outer) return force;
  double share = 1.0;
  if (d0 <= outer && d1 <= outer) {
    force = path_direction(at0, x0, at1, x1);
  } else {
    double low = 0.0, high = 1.0;
    const auto there = [&](double s) -> Corners {
      return {x0[0] + s * (x1[0] - x0[0]), x0[1] + s * (x1[1] - x0[1]), x0[2] + s * (x1[2] - x0[2]),
              x0[3] + s * (x1[3] - x0[3])};
    };
    for (int k = 0; k < 50; ++k) {
      const double middle = 0.5 * (low + high);
      const bool within = nearest(kind, there(middle)).distance < outer;
      (within == (d1 < outer) ? high : low) = middle;
    }
    const double s = 0.5 * (low + high);
    const Corners edge = there(s);
    const PairPlace at_edge = nearest(kind, edge);
    share = d0 > outer ? 1.0 - s : s;
    force = d0 > outer ? path_direction(at_edge, edge, at1, x1) : path_direction(at0, x0, at_edge, edge);
  }
  const double slope = pair.law.along(std::min(d0, outer), std::min(d1, outer)).slope;
  for (Vec3& f : force) f *= share * slope;
  return force;
}

/// Normal, weights and pressure are those of the force.
void PairWalls::set_friction(WallPair& pair, const Corners& force, double push) const {
  Contact& c = pair.rub;
  if (!(c.static_friction > 0.0)) return;
  const int first = corners_of_first(pair.found.kind());
  Vec3 total = Vec3::Zero();
  for (int i = 0; i < first; ++i) total += force[std::size_t(i)];
  const double size = total.norm();
  if (!(size > 0.0) || !(push > 0.0)) {
    c.press = 0.0;
    return;
  }
  c.press = size;
  c.normal = -total / size;
  for (std::size_t i = 0; i < 4; ++i) c.weight[i] = -force[i].dot(c.normal) / size;
  c.before = sum(c.weight, start_corners(pair.found));
}

bool PairWalls::update_correction(const Vector& x, double left) {
  if (rounds_ > last_round) return false;
  static const int wanted_rounds = getenv("VR") ? atoi(getenv("VR")) : 0;
  if (rounds_ > 4 && rounds_ > wanted_rounds + 3) return false;
  const bool exact = wanted_rounds > 0 && (left <= near_solution || rounds_ > 3);
  const double share = rounds_ < settled_rounds ? 1.0 : 0.5;
  std::vector<double> change(pairs_.size()), size(pairs_.size());
  parallel_pieces(int(pairs_.size()), 64, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      WallPair& pair = pairs_[std::size_t(n)];
      if (pair.gives_way) continue;
      const Corners x0 = start_corners(pair.found), x1 = corners(x, pair.found);
      const PairPlace at = nearest(pair.found.kind(), x1);
      if (pair.free && rounds_ < 4 && pair.found.kind() == PairKind::edge_edge) pair.law.share = share_of(x1);
      const double slope = pair.law.along(pair.start, at.distance).slope;
      Corners wanted{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
      if (slope != 0.0) {
        Corners force = exact_force(pair, x0, x1);
        if (rounds_ < friction_rounds) set_friction(pair, force, -slope);
        if (exact)
          for (std::size_t i = 0; i < 4; ++i) wanted[i] = force[i] - slope * at.weight[i] * at.direction;
      } else {
        pair.rub.press = 0.0;
      }
      double moved = 0.0;
      for (std::size_t i = 0; i < 4; ++i) {
        const Vec3 by = share * (wanted[i] - pair.correction[i]);
        pair.correction[i] += by;
        moved = std::max(moved, by.norm());
      }
      change[std::size_t(n)] = moved;
      size[std::size_t(n)] = std::abs(slope);
    }
  });
  ++rounds_;
  double largest = 0.0, moved = 0.0;
  for (std::size_t n = 0; n < size.size(); ++n) largest = std::max(largest, size[n]), moved = std::max(moved, change[n]);
  return moved > 1e-13 * largest;
}

void PairWalls::follow_slip(const Vector& from, const Vector& to) {
  for (WallPair& pair : pairs_)
    if (pair.rub.press > 0.0)
      pair.rub.follow_slip(sum(pair.rub.weight, corners(from, pair.found)), sum(pair.rub.weight, corners(to, pair.found)));
}

double PairWalls::evaluate(double weight, const Vector& x, Vector* gradient) const {
  double total = 0.0;
  for (const WallPair& pair : pairs_) {
    if (pair.gives_way) continue;
    const Corners x1 = corners(x, pair.found);
    const PairPlace at = nearest(pair.found.kind(), x1);
    if (!(at.distance > 0.0)) return anywhere;
    const PathPotential push = pair.law.along(pair.start, at.distance);
    const bool rubs = pair.rub.press > 0.0;
    total += push.value;
    Corners force;
    for (std::size_t i = 0; i < 4; ++i) {
      force[i] = push.slope * at.weight[i] * at.direction + pair.correction[i];
      if (!pair.correction[i].isZero(0.0)) total += pair.correction[i].dot(x1[i] - start_place(pair.found.point[i]));
    }
    if (rubs) {
      const Contact::Friction rub = pair.rub.friction(sum(pair.rub.weight, x1));
      total += rub.value;
      for (std::size_t i = 0; i < 4; ++i) force[i] += pair.rub.weight[i] * rub.force;
    }
    if (gradient)
      for (std::size_t i = 0; i < 4; ++i)
        if (of_body(pair.found.point[i])) point(*gradient, pair.found.point[i]) += weight * force[i];
  }
  return weight * total;
}

void PairWalls::add_hessian(double weight, const Vector& x, BlockMatrix& hessian) const {
  for (const WallPair& pair : pairs_) {
    if (pair.gives_way) continue;
    const Corners x1 = corners(x, pair.found);
    const PairPlace at = nearest(pair.found.kind(), x1);
    const PathPotential push = pair.law.along(pair.start, at.distance);
    PairMatrix h = PairMatrix::Zero();
    if (push.slope != 0.0 || push.curvature != 0.0) h = distance_hessian(at, x1, push.slope, push.curvature);
    if (pair.rub.press > 0.0) {
      const Mat3 rub = pair.rub.friction(sum(pair.rub.weight, x1)).stiffness;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          h.block<3, 3>(3 * i, 3 * j) += pair.rub.weight[std::size_t(i)] * pair.rub.weight[std::size_t(j)] * rub;
    }
    if (h.isZero(0.0)) continue;
    const BlockPattern& pattern = *hessian.pattern;
    std::array<std::array<int, 4>, 4> spot;
    bool coupled = true;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        const int a = pair.found.point[i], b = pair.found.point[j];
        spot[i][j] = !of_body(a) || !of_body(b) ? -2 : a == b ? pattern.diagonal[a] : pattern.find(a, b);
        coupled = coupled && spot[i][j] != -1;
      }
    // Without all of its couplings it has none: some of them alone would make the matrix indefinite.
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        if (spot[i][j] < 0 || (!coupled && i != j)) continue;
        double* out = &hessian.values[9 * std::size_t(spot[i][j])];
        for (int k = 0; k < 9; ++k) out[k] += weight * h(3 * int(i) + k / 3, 3 * int(j) + k % 3);
      }
  }
}

}  // namespace verve
