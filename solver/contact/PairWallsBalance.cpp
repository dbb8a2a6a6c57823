// The part of PairWalls that closes the energy balance of a step.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "contact/Contacts.h"
#include "contact/PairWalls.h"

namespace verve {
namespace {

/// Of an island's energy of motion about its centre, in one step.
constexpr double most_scaled = 0.2;

}  // namespace

/// The gradient of a pair's energy at its corners, as the step has it.
Corners PairWalls::push_on(const WallPair& pair, const PairPlace& at) const {
  Corners push = pair.correction;
  if (pair.gives_way) return push;
  const double slope = pair.law.along(pair.start, at.distance).slope;
  for (std::size_t i = 0; i < 4; ++i) push[i] += slope * at.weight[i] * at.direction;
  return push;
}

/// The forces of the step to x, which bodies they join, and what they leave of its energy balance.
void PairWalls::gather_open(const Vector& x) {
  push_.setZero(x.size());
  open_.assign(std::size_t(owners_), 0.0);
  island_.resize(std::size_t(owners_));
  std::iota(island_.begin(), island_.end(), 0);
  const auto island = [&](int owner) {
    while (island_[std::size_t(owner)] != owner) owner = island_[std::size_t(owner)];
    return owner;
  };
  for (const WallPair& pair : pairs_) {
    const PairFound& f = pair.found;
    const Corners x0 = start_corners(f), x1 = corners(x, f);
    const PairPlace at = nearest(f.kind(), x1);
    const Corners push = push_on(pair, at);
    double open = pair.law.energy(at.distance) - pair.law.energy(pair.start);
    bool pushes = false;
    for (std::size_t i = 0; i < 4; ++i) {
      open -= push[i].dot(x1[i] - x0[i]);
      pushes = pushes || !push[i].isZero(0.0);
      if (of_body(f.point[i])) point(push_, f.point[i]) -= push[i];
    }
    open_[std::size_t(f.second_owner)] += open;
    // A collider parts what it touches.
    if (pushes && f.first_owner < int(skins_.size())) {
      const int a = island(f.first_owner), b = island(f.second_owner);
      island_[std::size_t(std::max(a, b))] = std::min(a, b);
    }
  }
  for (int o = 0; o < owners_; ++o)
    if (const int whole = island_[std::size_t(o)] = island(o); whole != o) {
      open_[std::size_t(whole)] += open_[std::size_t(o)];
      open_[std::size_t(o)] = 0.0;
    }
}

/// For how long the step's own forces have to act once more, by themselves, to close what is open: `with` is
/// their power, `square` how fast that grows.
double PairWalls::closing_time(double with, double square, double open) const {
  if (open == 0.0 || !(square > 0.0)) return 0.0;
  const double inside = with * with - 2.0 * square * open;
  const double t =
      inside < 0.0 ? -with / square : -2.0 * open / (with + std::copysign(std::sqrt(inside), with));
  return std::clamp(t, -std::abs(h_), std::abs(h_));  // no more than the step's own
}

double PairWalls::surplus(const Vector& x) {
  if (!keeps_energy_ || pairs_.empty()) return 0.0;
  gather_open(x);
  struct Island {
    double with = 0.0, square = 0.0, mass = 0.0, kinetic = 0.0;
    Vec3 momentum = Vec3::Zero();
  };
  std::vector<Island> islands(open_.size());
  for (int s = 0; s < int(skins_.size()); ++s)
    for (int p : skins_[std::size_t(s)].points()) {
      if (!held_.empty() && held_[std::size_t(p)]) continue;
      Island& island = islands[std::size_t(island_[std::size_t(s)])];
      const double mass = mass_[3 * Eigen::Index(p)];
      const Vec3 v = 2.0 / h_ * (point(x, p) - point(x0_, p)) - point(v0_, p), push = point(push_, p);
      island.with += v.dot(push);
      island.square += push.squaredNorm() / mass;
      island.mass += mass;
      island.kinetic += 0.5 * mass * v.squaredNorm();
      island.momentum += mass * v;
    }
  double most = 0.0;
  for (std::size_t k = 0; k < open_.size(); ++k) {
    const Island& i = islands[k];
    if (!(i.mass > 0.0)) continue;
    const double t = closing_time(i.with, i.square, open_[k]),
                 about_centre = i.kinetic - 0.5 * i.momentum.squaredNorm() / i.mass;
    const double left = open_[k] + (0.5 * i.square * t + i.with) * t;
    most = std::max(most, left - most_scaled * about_centre);
  }
  return most;
}

ContactBooks PairWalls::close_balance(Vector& v, Vector& impulse, double& reserve) const {
  ContactBooks books;
  struct Island {
    double with = 0.0, square = 0.0, mass = 0.0, moving = 0.0, push = 0.0, scale = 1.0;
    Vec3 momentum = Vec3::Zero();
  };
  std::vector<Island> islands{std::size_t(owners_)};
  const auto for_each_free = [&](const auto& visit) {
    for (int s = 0; s < int(skins_.size()); ++s)
      for (int p : skins_[std::size_t(s)].points())
        if (held_.empty() || !held_[std::size_t(p)])
          visit(p, mass_[3 * Eigen::Index(p)], islands[std::size_t(island_[std::size_t(s)])]);
  };
  for_each_free([&](int p, double mass, Island& island) {
    island.with += point(v, p).dot(point(push_, p));
    island.square += point(push_, p).squaredNorm() / mass;
  });
  std::vector<double> left(open_);
  for (std::size_t k = 0; k < left.size(); ++k) {
    const double a = islands[k].square, b = islands[k].with;
    const double t = closing_time(b, a, left[k]);
    islands[k].push = t;
    left[k] += (0.5 * a * t + b) * t;
  }
  for_each_free([&](int p, double mass, Island& island) {
    const Vec3 by = island.push * point(push_, p);
    point(v, p) += by / mass;
    point(impulse, p) += by;
    island.mass += mass;
    island.momentum += mass * point(v, p);
  });
  for_each_free([&](int p, double mass, Island& island) {
    island.moving += 0.5 * mass * (point(v, p) - island.momentum / island.mass).squaredNorm();
  });
  for (std::size_t k = 0; k < left.size(); ++k) {
    Island& island = islands[k];
    books.work += left[k], books.booked += left[k];
    if (!(island.square > 0.0)) continue;
    reserve -= left[k];
    const double back = std::min(std::max(0.0, -reserve), most_scaled * island.moving);
    if (!(back > 0.0)) continue;
    island.scale = std::sqrt(1.0 - back / island.moving);
    reserve += back;
    books.work -= back, books.booked -= back;
  }
  for_each_free([&](int p, double, const Island& island) {
    if (island.scale == 1.0) return;
    const Vec3 mean = island.momentum / island.mass;
    point(v, p) = mean + island.scale * (point(v, p) - mean);
  });
  return books;
}

}  // namespace verve
