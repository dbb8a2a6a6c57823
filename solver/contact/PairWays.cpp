// The part of PairWalls that looks along ways: what may meet on them, and how far they are free.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "contact/Contacts.h"
#include "contact/PairWalls.h"

namespace verve {
namespace {

/// What a step of the search leaves of a distance, at least.
constexpr double left_over = 0.1;
constexpr double shortest = 1e-3;  ///< steps below it (s) give way rather than fail

bool holds(const Eigen::AlignedBox3d& box, const Vec3& p) {
  return box.contains(p);
}

}  // namespace

bool PairWalls::gives_way(const PairFound& f) const {
  const auto known = number_.find(f.number());
  return known != number_.end() && pairs_[std::size_t(known->second)].gives_way;
}

void PairWalls::find_all(const Boxes& boxes) {
  search_->find(
      boxes, reach_, [this](const PairFound& f) { return meet(f); }, found_);
  nearest_.resize(found_.size());
}

void PairWalls::cover(const Vector& from, const Vector& to) {
  const int all = int(rest_.size());
  bool covered = int(boxes_.size()) == all;
  for (int p = 0; covered && p < points_; ++p)
    covered = holds(boxes_[std::size_t(p)], point(from, p)) && holds(boxes_[std::size_t(p)], point(to, p));
  if (covered) return;
  double widest = 0.0;
  for (double e : edge_) widest = std::max(widest, e);
  const Vec3 margin = Vec3::Constant(std::max(0.25 * reach_, 0.05 * widest));
  boxes_.resize(std::size_t(all));
  for (int p = 0; p < all; ++p) {
    Eigen::AlignedBox3d box(of_body(p) ? Vec3(point(from, p)) : start_place(p));
    box.extend(place(to, p));
    if (of_body(p)) box = {Vec3(box.min() - margin), Vec3(box.max() + margin)};
    boxes_[std::size_t(p)] = box;
  }
  find_all(boxes_);
}

double PairWalls::largest_step(const Vector& x, const Vector& direction) {
  const Vector trial = x + direction;
  cover(x, trial);
  std::vector<char> near(found_.size(), 0);
  parallel_pieces(int(found_.size()), 64, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      const PairFound& f = found_[std::size_t(n)];
      nearest_[std::size_t(n)] = 1.0;
      const Corners at = corners(x, f), there = corners(trial, f);
      const Corners way = {there[0] - at[0], there[1] - at[1], there[2] - at[2], there[3] - at[3]};
      if (free_share(f.kind(), at, way, reach_) >= 1.0) continue;
      near[std::size_t(n)] = 1;
      const double d = nearest(f.kind(), at).distance;
      nearest_[std::size_t(n)] = free_share(f.kind(), at, way, left_over * std::min(d, 0.5 * reach_));
    }
  });
  double share = 1.0;
  for (std::size_t n = 0; n < found_.size(); ++n) {
    if (near[n]) list(found_[n]);
    if (nearest_[n] >= share) continue;
    if (gives_way(found_[n])) continue;
    share = nearest_[n];
  }
  return share;
}

void PairWalls::find_meetings(const Vector& x, std::vector<Meeting>& out) {
  cover(x0_, x);
  parallel_pieces(int(found_.size()), 64, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      const PairFound& f = found_[std::size_t(n)];
      const Corners from = start_corners(f), to = corners(x, f);
      const Corners way = {to[0] - from[0], to[1] - from[1], to[2] - from[2], to[3] - from[3]};
      const double d = nearest(f.kind(), from).distance;
      nearest_[std::size_t(n)] = free_share(f.kind(), from, way, 0.5 * std::min(d, 0.5 * reach_));
    }
  });
  out.clear();
  for (std::size_t n = 0; n < found_.size(); ++n)
    if (nearest_[n] < 1.0 && !gives_way(found_[n])) out.push_back({&found_[n], nearest_[n]});
}

/// Takes away what the corners of a pair do against each other beyond a share of it. What is led from outside
/// goes its way; the others follow it, or their common mean.
void PairWalls::part(const PairFound& f, double share, Vector& x) const {
  Vec3 led = Vec3::Zero(), mean = Vec3::Zero();
  double mass = 0.0;
  int leaders = 0;
  const auto fixed = [&](int p) { return !of_body(p) || (!held_.empty() && held_[std::size_t(p)]); };
  for (int p : f.point) {
    const Vec3 way = place(x, p) - start_place(p);
    if (fixed(p)) {
      led += way, ++leaders;
    } else {
      const double m = mass_[3 * Eigen::Index(p)];
      mean += m * way, mass += m;
    }
  }
  mean = leaders > 0 ? Vec3(led / leaders) : Vec3(mean / mass);
  for (int p : f.point)
    if (!fixed(p)) {
      const Vec3 way = place(x, p) - start_place(p);
      point(x, p) = start_place(p) + mean + share * (way - mean);
    }
}

/// What meets goes the same way: groups grow until none meets another.
bool PairWalls::move_together(Vector& x, std::vector<Meeting>& meetings) {
  std::vector<int> group(rest_.size());
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int p) {
    while (group[std::size_t(p)] != p) p = group[std::size_t(p)] = group[std::size_t(group[std::size_t(p)])];
    return p;
  };
  const auto fixed = [&](int p) { return !of_body(p) || (!held_.empty() && held_[std::size_t(p)]); };
  const Vector wanted = x;
  constexpr int passes = 40;
  for (int pass = 0; pass < passes; ++pass) {
    for (const Meeting& m : meetings)
      for (int k = 1; k < 4; ++k) {
        const int a = root(m.found->point[0]), b = root(m.found->point[std::size_t(k)]);
        group[std::size_t(std::max(a, b))] = std::min(a, b);
      }
    std::vector<Vec3> led(rest_.size(), Vec3::Zero()), mean(rest_.size(), Vec3::Zero());
    std::vector<double> mass(rest_.size(), 0.0);
    std::vector<int> leaders(rest_.size(), 0), members(rest_.size(), 0);
    for (int p = 0; p < int(rest_.size()); ++p) {
      const auto r = std::size_t(root(p));
      ++members[r];
      const Vec3 way = place(wanted, p) - start_place(p);
      if (fixed(p)) {
        led[r] += way, ++leaders[r];
      } else {
        mean[r] += mass_[3 * Eigen::Index(p)] * way, mass[r] += mass_[3 * Eigen::Index(p)];
      }
    }
    for (int p = 0; p < points_; ++p) {
      const auto r = std::size_t(root(p));
      if (members[r] > 1 && !fixed(p))
        point(x, p) = start_place(p) + (leaders[r] > 0 ? Vec3(led[r] / leaders[r]) : Vec3(mean[r] / mass[r]));
    }
    find_meetings(x, meetings);
    if (meetings.empty()) return true;
  }
  return false;
}

bool PairWalls::make_feasible(Vector& x) {
  constexpr int passes = 12;
  std::vector<Meeting> meetings;
  for (int pass = 0; pass < passes; ++pass) {
    find_meetings(x, meetings);
    if (meetings.empty()) break;
    for (const Meeting& m : meetings) part(*m.found, 0.8 * m.share, x);
  }
  find_meetings(x, meetings);
  bool found = meetings.empty() || move_together(x, meetings);
  if (!found && std::abs(h_) < shortest) {
    // What leads them asks for more than there is room.
    for (const Meeting& m : meetings) {
      list(*m.found);
      pairs_[std::size_t(number_.at(m.found->number()))].gives_way = true;
    }
    found = true;
  }
  // What may push at x is listed.
  largest_step(x, Vector::Zero(x.size()));
  return found;
}

bool PairWalls::chord_is_free(const Vector& x) {
  cover(x0_, x);
  const double crossing = parallel_max(int(found_.size()), 64, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      const PairFound& f = found_[std::size_t(n)];
      const Corners from = start_corners(f), to = corners(x, f);
      const Corners way = {to[0] - from[0], to[1] - from[1], to[2] - from[2], to[3] - from[3]};
      const double least = std::min(nearest(f.kind(), from).distance, nearest(f.kind(), to).distance);
      if (free_share(f.kind(), from, way, 1e-2 * least) < 1.0 && !gives_way(f)) return 1.0;
    }
    return 0.0;
  });
  return crossing == 0.0;
}

void PairWalls::hold_back(Vector& x) {
  constexpr double share = 0.45;
  cover(x0_, x);
  std::vector<double> room(rest_.size(), std::numeric_limits<double>::infinity());
  for (const PairFound& f : found_) {
    const double d = nearest(f.kind(), start_corners(f)).distance;
    for (int p : f.point) room[std::size_t(p)] = std::min(room[std::size_t(p)], share * d);
  }
  for (int p = 0; p < points_; ++p) {
    if (!held_.empty() && held_[std::size_t(p)]) continue;
    const Vec3 way = point(x, p) - point(x0_, p);
    const double length = way.norm();
    if (length > room[std::size_t(p)]) point(x, p) = point(x0_, p) + room[std::size_t(p)] / length * way;
  }
}

void PairWalls::visit_couplings(const PairFound& f,
                                FunctionRef<void(const std::array<int, 2>&)> visit) const {
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) {
      const int a = f.point[i], b = f.point[j];
      if (of_body(a) && of_body(b)) visit({std::min(a, b), std::max(a, b)});
    }
}

void PairWalls::for_each_pressed(const Vector& x, FunctionRef<void(const std::array<int, 2>&)> visit) const {
  for (const WallPair& pair : pairs_)
    if (nearest(pair.found.kind(), corners(x, pair.found)).distance < pair.law.outer())
      visit_couplings(pair.found, visit);
}

void PairWalls::for_each_coupled(const Vector& ahead, double widening,
                                 FunctionRef<void(const std::array<int, 2>&)> visit) {
  cover(x0_, ahead);
  for (const PairFound& f : found_) {
    const Corners from = start_corners(f), to = corners(ahead, f);
    const Corners way = {to[0] - from[0], to[1] - from[1], to[2] - from[2], to[3] - from[3]};
    if (free_share(f.kind(), from, way, widening * reach_) >= 1.0) continue;
    visit_couplings(f, visit);
  }
}

}  // namespace verve
