// The part of PairWalls that begins and ends steps, and knows who meets whom.
#include <algorithm>
#include <cmath>

#include "contact/Contacts.h"
#include "contact/PairWalls.h"

namespace verve {

PairWalls::PairWalls(const ContactInput& input, const std::vector<Skin>& skins,
                     const std::vector<Collider>& colliders, const Vector& mass, double gravity)
    : input_(input),
      skins_(skins),
      colliders_(colliders),
      mass_(mass),
      gravity_(gravity),
      total_mass_(mass.sum() / 3.0),
      points_(int(mass.size() / 3)),
      owners_(int(skins.size() + colliders.size())) {
  PairParts bodies, outside;
  for (int p = 0; p < points_; ++p) rest_.emplace_back(point(input.rest, p));
  double thickest = 0.0;
  for (std::size_t s = 0; s < skins.size(); ++s) {
    const MeshSurface& surface = skins[s].surface();
    for (int p : skins[s].points()) bodies.points.push_back({{p}, int(s)});
    for (int e = 0; e < int(surface.edges.size()); ++e)
      bodies.edges.push_back({skins[s].edge_points(e), int(s)});
    for (int t = 0; t < int(surface.triangles.size()); ++t) {
      const std::array<int, 3> corners = skins[s].corners(t);
      if (corners[1] != corners[2])
        bodies.triangles.push_back({corners, int(s)});  // else it is a rope's line
    }
    edge_.push_back(skins[s].mean_edge());
    for (int p : skins[s].points()) {
      const auto i = std::size_t(p);
      thickest = std::max(
          thickest, input.half_thickness.empty() ? input.settings.thickness : 2.0 * input.half_thickness[i]);
    }
  }
  for (std::size_t c = 0; c < colliders.size(); ++c) {
    first_outside_.push_back(int(outside_vertex_.size()));
    if (!colliders[c].has_corners()) continue;
    const MeshSurface& surface = colliders[c].corners();
    const int owner = int(skins.size() + c), first = points_ + int(outside_vertex_.size());
    std::vector<int> number(surface.joined.size(), -1);
    for (int i = 0; i < int(surface.joined.size()); ++i) {
      if (surface.joined[std::size_t(i)] != i) continue;
      number[std::size_t(i)] = points_ + int(outside_vertex_.size());
      outside_vertex_.push_back({int(c), i});
      outside.points.push_back({{number[std::size_t(i)]}, owner});
      rest_.push_back(colliders[c].start_vertex(i));
    }
    (void)first;
    for (const MeshSurface::Edge& e : surface.edges)
      outside.edges.push_back({{number[std::size_t(e.point[0])], number[std::size_t(e.point[1])]}, owner});
    double widest = colliders[c].spec().thickness;
    if (!input.radius.empty()) widest += *std::max_element(input.radius.begin(), input.radius.end());
    thickest = std::max(thickest, widest);
  }
  reach_ = std::max(thickest, 5.0 * input.settings.wall_reach);
  for (auto& places : outside_) places.resize(outside_vertex_.size());
  tangled_.assign(std::size_t(owners_ * owners_), 0);
  search_ = std::make_unique<PairSearch>(std::move(bodies), std::move(outside), rest_);
}

bool PairWalls::meet(const PairFound& f) const {
  const int bodies = int(skins_.size()), first = corners_of_first(f.kind());
  if (tangled(f.first_owner, f.second_owner)) return false;
  bool all_held = !held_.empty();
  for (int p : f.point) all_held = all_held && (!of_body(p) || held_[std::size_t(p)]);
  if (all_held) return false;
  if (f.first_owner >= bodies) {
    const int collider = f.first_owner - bodies;
    if (colliders_[std::size_t(collider)].spec().stiffness == 0.0) return false;
    for (int k = first; k < 4; ++k)
      if (!input_.collision_matrix.meets_collider(f.point[std::size_t(k)], collider)) return false;
    return true;
  }
  if (f.first_owner == f.second_owner ? !input_.settings.self : !input_.settings.between) return false;
  for (int i = 0; i < first; ++i)
    for (int j = first; j < 4; ++j)
      if (!input_.collision_matrix.meet(f.point[std::size_t(i)], f.point[std::size_t(j)])) return false;
  if (f.first_owner != f.second_owner) return true;
  const auto rest = [&](int k) -> const Vec3& { return rest_[std::size_t(f.point[std::size_t(k)])]; };
  const double apart = nearest(f.kind(), {rest(0), rest(1), rest(2), rest(3)}).distance;
  return apart > 1e-6 * edge_[std::size_t(f.first_owner)];
}

/// Who overlaps whom. Those that once are free of each other stay so.
void PairWalls::look_for_tangles(const Vector& x, bool first, ContactState& state) {
  state.intersecting.clear();
  if (!first && state.tangled.empty()) return;
  std::vector<Vec3> places;
  for (int p = 0; p < int(rest_.size()); ++p)
    places.push_back(of_body(p) ? Vec3(point(x, p)) : start_place(p));
  std::vector<char> crossing(tangled_.size(), 0);
  const auto note = [&](int a, int b) {
    crossing[std::size_t(a * owners_ + b)] = crossing[std::size_t(b * owners_ + a)] = 1;
  };
  std::vector<char> before(tangled_.size(), first ? 1 : 0);
  for (const auto& [a, b] : state.tangled)
    before[std::size_t(a * owners_ + b)] = before[std::size_t(b * owners_ + a)] = 1;
  const auto all_meet = [&](const std::array<int, 2>& edge, int owner, const std::array<int, 3>& triangle) {
    if (owner < int(skins_.size())) return input_.collision_matrix.all_meet(edge, triangle);
    return input_.collision_matrix.all_meet_collider(triangle, owner - int(skins_.size()));
  };
  search_->for_each_crossing(places, [&](const auto& edge, int a, const auto& triangle, int b) {
    const bool asked = a >= int(skins_.size()) || (a == b ? input_.settings.self : input_.settings.between);
    if (!asked || !before[std::size_t(a * owners_ + b)] || !all_meet(edge, a, triangle)) return;
    note(a, b);
    for (int p : edge)
      if (of_body(p)) state.intersecting.push_back(p);
    state.intersecting.insert(state.intersecting.end(), triangle.begin(), triangle.end());
  });
  // What touches has no side to be kept on either.
  tangled_.assign(tangled_.size(), 0);
  Boxes boxes;
  for (const Vec3& p : places) boxes.emplace_back(p);
  search_->find(
      boxes, 1e-6, [&](const PairFound& f) { return meet(f); }, found_);
  for (const PairFound& f : found_) {
    const double size = edge_[std::size_t(f.second_owner)];
    if (!before[std::size_t(f.first_owner * owners_ + f.second_owner)]) continue;
    if (nearest(f.kind(), start_corners(f)).distance < 1e-6 * size) note(f.first_owner, f.second_owner);
  }
  tangled_ = crossing;
  state.tangled.clear();
  for (int a = 0; a < owners_; ++a)
    for (int b = a; b < owners_; ++b)
      if (tangled(a, b)) state.tangled.push_back({a, b});
  auto& points = state.intersecting;
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (first && !points.empty())
    warnings_.push_back(
        std::to_string(points.size()) +
        " points start on triangles that intersect; springs ease them apart, and a wall keeps bodies "
        "apart as soon as they are free of each other");
}

ContactBooks PairWalls::begin_step(const Vector& x, const Vector& v, double h, const std::vector<char>& held,
                                   bool still, ContactState& state) {
  ContactBooks books;
  x0_ = x, v0_ = v, h_ = h, held_ = held, still_ = still;
  rounds_ = 0;
  // A share of the mean energy by mass, for what floats at rest.
  energy_ = state.wall_energy;
  floor_ = 1e-4 * 2.0 * energy_ / total_mass_;
  for (std::size_t k = 0; k < outside_vertex_.size(); ++k) {
    const auto& [collider, vertex] = outside_vertex_[k];
    outside_[0][k] = colliders_[std::size_t(collider)].start_vertex(vertex);
    outside_[1][k] = colliders_[std::size_t(collider)].end_vertex(vertex);
  }
  tangled_.assign(tangled_.size(), 0);
  for (const auto& [a, b] : state.tangled)
    tangled_[std::size_t(a * owners_ + b)] = tangled_[std::size_t(b * owners_ + a)] = 1;
  look_for_tangles(x, !state.open, state);

  boxes_.clear();
  pairs_.clear();
  number_.clear();
  cover(x, x + h * v);
  auto m = state.pairs.begin();
  const auto skip_to = [&](const ContactKey* key) {
    for (; m != state.pairs.end() && (!key || m->key < *key); ++m) books.let_go(m->energy);
  };
  for (const PairFound& f : found_) {
    if (nearest(f.kind(), start_corners(f)).distance >= reach_) continue;
    list(f);
  }
  for (WallPair& pair : pairs_) {
    skip_to(&pair.found.key);
    const bool known = m != state.pairs.end() && m->key == pair.found.key;
    set_law(pair, known ? &*m : nullptr, h, books);
    double share = pair.found.kind() == PairKind::edge_edge ? share_of(start_corners(pair.found)) : 1.0;
    pair.law.share = share;
    const double stored = pair.law.energy(pair.start);
    pair.free = !(stored > 0.0);
    if (known && !pair.free) {
      // It keeps its strength where it could become more of a contact, and lets go what it is less.
      pair.law.share = std::min(share, m->share);
      if (pair.law.share < m->share)
        books.let_go((m->share - pair.law.share) / pair.law.share * pair.law.energy(pair.start));
    }
    if (known) ++m;
  }
  skip_to(nullptr);
  return books;
}

ContactBooks PairWalls::end_step(const Vector& x, double h, Vector& impulse, ContactState& state) {
  ContactBooks books;
  state.pairs.clear();
  gather_open(x);
  for (const WallPair& pair : pairs_) {
    const PairFound& f = pair.found;
    const Corners x0 = start_corners(f), x1 = corners(x, f);
    const PairPlace at = nearest(f.kind(), x1);
    const double full = full_law(f).outer(), after = pair.law.energy(at.distance);
    const Corners push = push_on(pair, at);
    if (pair.gives_way)
      for (int p : f.point)
        if (of_body(p)) state.given_way.push_back(p);
    PairMemory m;
    m.key = f.key;
    const Vec3 rub = pair.rub.press > 0.0 ? pair.rub.friction(sum(pair.rub.weight, x1)).force : Vec3::Zero();
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec3 way = x1[i] - x0[i], force = push[i] + pair.rub.weight[i] * rub;
      if (of_body(f.point[i]))
        point(impulse, f.point[i]) -= h * force;
      else
        books.work += force.dot(way);
    }
    double bristle = 0.0;
    if (pair.rub.press > 0.0) {
      m.bristle.stretch = pair.rub.bristle(sum(pair.rub.weight, x1));
      const double limit = pair.rub.bristle_limit(), length = m.bristle.stretch.norm();
      m.bristle.slides = length > limit;
      if (m.bristle.slides) m.bristle.stretch *= limit / length;
      bristle = pair.rub.bristle_energy(m.bristle.stretch);
      books.dissipated += rub.dot(sum(pair.rub.weight, x1) - pair.rub.before);
    }
    books.dissipated += pair.rub.bristle_energy(pair.rub.stretch) - bristle;
    state.energy += after + bristle;
    if (after > 0.0) {
      ++state.touching;
      state.deepest = std::max(state.deepest, pair.law.thickness - at.distance);
      for (int p : f.point)
        if (of_body(p)) state.touched.push_back(p);
    }
    if (!(at.distance < full) && bristle == 0.0) continue;
    m.strength = pair.law.strength, m.reach = pair.law.reach, m.thickness = pair.law.thickness;
    m.share = pair.law.share;
    m.energy = after + bristle;
    state.pairs.push_back(m);
  }
  std::sort(state.pairs.begin(), state.pairs.end(),
            [](const PairMemory& a, const PairMemory& b) { return a.key < b.key; });
  return books;
}

}  // namespace verve
