#include "contact/PairWalls.h"

#include <algorithm>
#include <cmath>

#include "contact/Contacts.h"

namespace verve {
namespace {

constexpr double anywhere = std::numeric_limits<double>::infinity();
/// A wall's strength: as many times the energy that its own points have against each other, and that they
/// would gain by falling through its reach. What more is behind them squeezes the wall, which never ends.
constexpr double of_motion = 1.0, of_weight = 10.0;
constexpr int share_rounds = 4, eager_rounds = 6, lagged_rounds = 10;
constexpr double wider = 5.0;  ///< than at colliders is the reach between bodies that have no thickness

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
  law.stiffness =
      outside ? colliders_[std::size_t(f.first_owner - bodies)].spec().stiffness : input_.settings.stiffness;
  if (!input_.stiffness.empty()) {
    double sum = 0.0;
    int count = 0;
    for (int p : f.point)
      if (of_body(p)) sum += input_.stiffness[std::size_t(p)], ++count;
    law.stiffness *= sum / count;
  }
  law.reach =
      law.thickness > 0.0 ? 0.5 * law.thickness : (outside ? 1.0 : wider) * input_.settings.wall_reach;
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
      fastest = std::max(
          fastest, (velocity(f.point[std::size_t(i)]) - velocity(f.point[std::size_t(j)])).squaredNorm());
  return mass * (of_motion * fastest + of_weight * gravity_ * pair.law.reach + floor_);
}

/// A pair that is found nearer than its law allows begins where it is. The spring is let out in time; the
/// wall as far as the pair leaves it free.
void PairWalls::set_law(WallPair& pair, const PairMemory* memory, double h, ContactBooks& books) const {
  const PairLaw full = full_law(pair.found);
  const double d = pair.start;
  pair.law = full;
  if (!memory) {
    pair.law.thickness = std::min(full.thickness, d);
    pair.law.reach = std::min(full.reach, d);
    pair.law.strength = strength(pair);
    return;
  }
  pair.law.strength = memory->strength;
  pair.law.reach = memory->reach;
  pair.law.thickness = memory->thickness;
  if (!(d < pair.law.reach)) {
    pair.law.reach = std::min(full.reach, d);
    pair.law.strength = strength(pair);
  }
  if (pair.law.thickness < full.thickness) {
    const double before = pair.law.energy(d);
    const double grown =
        pair.law.thickness + full.thickness * std::abs(h) / std::max(std::abs(h), input_.settings.ease);
    pair.law.thickness = std::min(full.thickness, grown);
    books.work += pair.law.energy(d) - before;
  }
  pair.rub.stretch = memory->bristle.stretch;
  pair.rub.slides = memory->bristle.slides;
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

/// Normal, weights and pressure are those of the force.
void PairWalls::set_friction(WallPair& pair, const PairPlace& at, double push) const {
  Contact& c = pair.rub;
  if (!(c.static_friction > 0.0)) return;
  c.press = push;
  if (!(push > 0.0)) return;
  c.normal = at.direction;
  c.weight = at.weight;
  c.before = sum(c.weight, start_corners(pair.found));
}

/// Brings the correction up to date, and returns by how much. It must not lead: beyond a share of the force
/// itself it would chase its own tail, and what is left of the balance is closed at the step's end.
double PairWalls::correct(WallPair& pair, const PairPlace& at, const Corners& x1, double slope) const {
  constexpr double most = 0.1;
  Corners wanted = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  if (slope != 0.0) {
    const Corners x0 = start_corners(pair.found);
    const PairMean mean = mean_gradient(nearest(pair.found.kind(), x0), x0, at, x1);
    double size = 0.0, squared = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      wanted[i] = slope * (mean.weight[i] * mean.force - at.weight[i] * at.direction);
      size += wanted[i].squaredNorm();
      squared += at.weight[i] * at.weight[i];
    }
    const double limit = most * -slope * std::sqrt(squared);
    if (size > limit * limit)
      for (Vec3& force : wanted) force *= limit / std::sqrt(size);
  }
  const double share = rounds_ < eager_rounds ? 1.0 : 0.5;
  double change = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 by = share * (wanted[i] - pair.correction[i]);
    pair.correction[i] += by;
    change += by.norm();
  }
  return change;
}

bool PairWalls::update_lagged(const Vector& x, bool keeps_energy) {
  keeps_energy_ = keeps_energy;
  if (rounds_ >= lagged_rounds) return false;
  std::vector<double> change(pairs_.size()), size(pairs_.size());
  parallel_pieces(int(pairs_.size()), 64, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      WallPair& pair = pairs_[std::size_t(n)];
      if (pair.gives_way) continue;
      const Corners x1 = corners(x, pair.found);
      const PairPlace at = nearest(pair.found.kind(), x1);
      const double before = pair.rub.press, slope = pair.law.along(pair.start, at.distance).slope;
      double changed = 0.0;
      if (pair.free && rounds_ < share_rounds && pair.found.kind() == PairKind::edge_edge) {
        pair.law.share = share_of(x1);
        changed = std::abs(pair.law.along(pair.start, at.distance).slope - slope);
      }
      const double push = -pair.law.along(pair.start, at.distance).slope;
      set_friction(pair, at, push);
      // On the way to the solution a correction of the wrong place would lead astray.
      if (keeps_energy && rounds_ > 0) changed = std::max(changed, correct(pair, at, x1, -push));
      change[std::size_t(n)] = std::max(changed, std::abs(pair.rub.press - before));
      size[std::size_t(n)] = push;
    }
  });
  ++rounds_;
  double largest = 0.0, moved = 0.0;
  for (std::size_t n = 0; n < size.size(); ++n)
    largest = std::max(largest, size[n]), moved = std::max(moved, change[n]);
  return moved > 1e-13 * largest;
}

void PairWalls::follow_slip(const Vector& from, const Vector& to) {
  for (WallPair& pair : pairs_)
    if (pair.rub.press > 0.0)
      pair.rub.follow_slip(sum(pair.rub.weight, corners(from, pair.found)),
                           sum(pair.rub.weight, corners(to, pair.found)));
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
    const Corners x0 = start_corners(pair.found);
    for (std::size_t i = 0; i < 4; ++i) total += pair.correction[i].dot(x1[i] - x0[i]);
    for (std::size_t i = 0; i < 4; ++i)
      force[i] = push.slope * at.weight[i] * at.direction + pair.correction[i];
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

void PairWalls::add_hessian(double weight, const Vector& x, double filter, BlockMatrix& hessian) const {
  for (const WallPair& pair : pairs_) {
    if (pair.gives_way) continue;
    const Corners x1 = corners(x, pair.found);
    const PairPlace at = nearest(pair.found.kind(), x1);
    const PathPotential push = pair.law.along(pair.start, at.distance);
    PairMatrix h = PairMatrix::Zero();
    if (push.slope != 0.0 || push.curvature != 0.0)
      h = distance_hessian(at, x1, push.slope, push.curvature, filter == 0.0);
    if (pair.rub.press > 0.0) {
      const Mat3 rub = pair.rub.friction(sum(pair.rub.weight, x1)).stiffness;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          h.block<3, 3>(3 * i, 3 * j) +=
              pair.rub.weight[std::size_t(i)] * pair.rub.weight[std::size_t(j)] * rub;
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
