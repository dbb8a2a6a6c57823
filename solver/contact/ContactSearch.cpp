// The part of Contacts that finds what may touch, once at the start of each step.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/Error.h"
#include "base/Parallel.h"
#include "contact/Contacts.h"

namespace verve {

Contacts::Contacts(ContactInput input, const Vector& mass, const Vec3& gravity)
    : input_(std::move(input)), mass_(mass), gravity_(gravity.norm()) {
  const std::size_t points = mass.size() / 3;
  const auto fits = [&](std::size_t size, const char* what) {
    if (size != 0 && size != points)
      throw Error("contact: " + std::string(what) + " has " + std::to_string(size) + " values for " +
                  std::to_string(points) + " points; give one for each");
  };
  fits(input_.stiffness.size(), "the stiffness by point");
  fits(input_.friction.size(), "the friction by point");
  fits(input_.group.size(), "the collision group by point");
  if (input_.settings.static_friction < input_.settings.dynamic_friction)
    throw Error("contact: the bodies' static friction is less than their dynamic friction; raise the first");
  if ((input_.settings.between || input_.settings.self) && !(input_.settings.stiffness > 0.0))
    throw Error("contact: the bodies' stiffness must be greater than zero for them to meet");

  for (const ColliderSpec& spec : input_.colliders) {
    colliders_.emplace_back(spec);
    const auto& found = colliders_.back().warnings();
    warnings_.insert(warnings_.end(), found.begin(), found.end());
  }
  skin_of_point_.assign(points, -1);
  for (const ContactBody& body : input_.bodies) {
    if (std::size_t(input_.rest.size()) != 3 * points)
      throw Error("contact: body '" + body.name + "' has no rest shape to tell its neighbours by");
    skins_.emplace_back(body.triangles, input_.rest, body.name);
    for (int p : skins_.back().points()) skin_of_point_[p] = int(skins_.size()) - 1;
  }
  skin_reach_.resize(skins_.size());
  first_edge_ = {0};
  for (const Skin& skin : skins_)
    first_edge_.push_back(first_edge_.back() + int(skin.surface().edges.size()));
  if (input_.points.empty()) {
    input_.points.resize(points);
    std::iota(input_.points.begin(), input_.points.end(), 0);
  }
  clearance_.resize(input_.points.size());
  found_.resize(input_.points.size());
}

Vec3 Contacts::place_of(int i, const Vector& x) const {
  const CarriedPoint* c = carried(i);
  if (!c) return point(x, i);
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 4; ++k) sum += c->weights[k] * point(x, c->corners[k]);
  return sum;
}

double Contacts::multiplier(const std::vector<double>& by_point, int i) const {
  if (by_point.empty()) return 1.0;
  const CarriedPoint* c = carried(i);
  if (!c) return by_point[i];
  // A point outside of its tet has weights below zero: what it takes on stays between its corners' values.
  double sum = 0.0, total = 0.0;
  for (int k = 0; k < 4; ++k) {
    const double w = std::max(0.0, c->weights[k]);
    sum += w * by_point[c->corners[k]];
    total += w;
  }
  return sum / total;
}

int Contacts::own_point(const ContactKey& key) const {
  if (of_edges(key)) return -1;
  const int skin = (key.kind - collider_count()) % skin_count();
  return pricking_collider(key) < 0 && skin_of_point_[key.a] == skin ? key.a : -1;
}

double Contacts::skin_thickness(const ContactKey& key) const {
  const int collider = pricking_collider(key);
  return collider < 0 ? input_.settings.thickness : colliders_[collider].spec().thickness;
}

Contact Contacts::make_contact(const ContactKey& key) const {
  const ContactSettings& s = input_.settings;
  const int collider = with_collider(key) ? key.kind : pricking_collider(key);
  Contact c;
  c.key = key;
  c.stiffness = s.stiffness;
  c.static_friction = s.static_friction;
  c.dynamic_friction = s.dynamic_friction;
  if (collider >= 0) {
    const ColliderSpec& spec = colliders_[collider].spec();
    c.stiffness = spec.stiffness;
    c.static_friction = spec.static_friction;
    c.dynamic_friction = spec.dynamic_friction;
    // The multipliers where an edge is touched are taken from its middle, so that they do not change.
    std::vector<int> own;
    if (of_edges(key))
      own = {colliders_[collider].corners().edges[key.a].point[0],
             colliders_[collider].corners().edges[key.a].point[1]};
    else if (!with_collider(key))
      own = {key.a};
    double stiffness = 0.0, friction = 0.0;
    for (int i : own) {
      stiffness += colliders_[collider].stiffness_at_vertex(i) / double(own.size());
      friction += colliders_[collider].friction_at_vertex(i) / double(own.size());
    }
    if (!own.empty()) c.stiffness *= stiffness, c.grip = friction;
  }
  if (of_edges(key)) {
    std::vector<int> points;
    for (int number : {key.a, key.b})
      if (number == key.b || collider < 0)
        for (int p : edge_points(number)) points.push_back(p);
    const auto mean = [&](const std::vector<double>& by_point) {
      double sum = 0.0;
      for (int p : points) sum += multiplier(by_point, p) / double(points.size());
      return sum;
    };
    c.stiffness *= mean(input_.stiffness);
    c.static_friction *= mean(input_.friction);
    c.dynamic_friction *= mean(input_.friction);
  } else if (with_collider(key) || collider < 0) {
    if (const CarriedPoint* skin = carried(key.a)) {
      c.points = 4;
      c.point = skin->corners;
      c.weight = skin->weights;
    } else {
      c.point[0] = key.a;
    }
    c.stiffness *= multiplier(input_.stiffness, key.a);
    c.static_friction *= multiplier(input_.friction, key.a);
    c.dynamic_friction *= multiplier(input_.friction, key.a);
  }
  return c;
}

// A contact may be within reach of the velocity and of what gravity adds; should a point go farther, it is
// looked at again when the step has been solved.
void Contacts::find_at_colliders(const Vector& x, const Vector& v) {
  parallel_pieces(int(input_.points.size()), 64, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      const int i = input_.points[n];
      const Vec3 p = place_of(i, x);
      const double reach = 1.5 * std::abs(h_) * (place_of(i, v).norm() + std::abs(h_) * gravity_);
      clearance_[n] = reach;
      found_[n].clear();
      for (int c = 0; c < collider_count(); ++c) {
        const Collider& collider = colliders_[c];
        if (!(collider.spec().group & group_of(i))) continue;
        const double limit = reach + collider.motion(p, reach + collider.spec().thickness);
        const Distance d = collider.start_distance(p, limit);
        if (collider.gap_of(d, 0).value <= limit) found_[n].push_back({{c, i, -1}, d});
      }
    }
  });
}

void Contacts::find_near_skin(int skin, const ContactKey& key, const Vec3& p, double reach, int own,
                              std::vector<Found>& out) const {
  const double limit = reach + skin_reach_[skin], thickness = skin_thickness(key);
  const Eigen::AlignedBox3d box = skins_[skin].start_bounds();
  const double far = limit + thickness;
  if (box.squaredExteriorDistance(p) > far * far) return;
  const Distance d = skins_[skin].start_distance(p, far, {own, p, thickness});
  const double value = skins_[skin].is_sheet() ? std::abs(d.value) : d.value;
  if (d.triangle >= 0 && value <= far) out.push_back({key, d});
}

void Contacts::find_at_skins(const Vector& x, const Vector& v) {
  found_at_skins_.clear();
  if (skins_.empty()) return;
  for (int s = 0; s < skin_count(); ++s) {
    double fastest = 0.0;
    for (int i : skins_[s].points()) fastest = std::max(fastest, point(v, i).norm());
    skin_reach_[s] = 1.5 * std::abs(h_) * (fastest + std::abs(h_) * gravity_);
  }
  const ContactSettings& settings = input_.settings;
  if (settings.between || settings.self)
    for (int from = 0; from < skin_count(); ++from) {
      const std::vector<int>& points = skins_[from].points();
      const std::size_t first = found_at_skins_.size();
      found_at_skins_.resize(first + points.size());
      parallel_pieces(int(points.size()), 64, [&](int begin, int end) {
        for (int n = begin; n < end; ++n) {
          const int i = points[n];
          const double reach = 1.5 * std::abs(h_) * (point(v, i).norm() + std::abs(h_) * gravity_);
          for (int s = 0; s < skin_count(); ++s) {
            if (s == from ? !settings.self : !settings.between) continue;
            if (s != from && !(group_of(i) & group_of(skins_[s].points().front()))) continue;
            find_near_skin(s, {collider_count() + s, i, -1}, point(x, i), reach, s == from ? i : -1,
                           found_at_skins_[first + n]);
          }
        }
      });
    }
  for (int c = 0; c < collider_count(); ++c) {
    const Collider& collider = colliders_[c];
    for (int s = 0; s < skin_count() && collider.has_corners(); ++s) {
      if (!(collider.spec().group & group_of(skins_[s].points().front()))) continue;
      const MeshSurface& mesh = collider.corners();
      std::vector<int> near;
      collider.for_each_near(reached(s, collider.spec().thickness), [&](int triangle) {
        // Once only, from one of the triangles at it.
        for (int p : mesh.triangles[triangle])
          if (mesh.joined[p] == p && mesh.incident[mesh.incident_start[p]] == triangle) near.push_back(p);
      });
      const double size = skins_[s].mean_edge(),
                   depth = std::max(0.1 * collider.spec().thickness, 1e-3 * size);
      const std::size_t first = found_at_skins_.size();
      found_at_skins_.resize(first + near.size());
      parallel_pieces(int(near.size()), 64, [&](int begin, int end) {
        for (int n = begin; n < end; ++n) {
          if (!collider.stands_out(near[n], size, depth)) continue;
          const Vec3 p = collider.start_vertex(near[n]);
          const double reach = (collider.end_vertex(near[n]) - p).norm();
          find_near_skin(s, {collider_count() + (c + 1) * skin_count() + s, near[n], -1}, p, reach, -1,
                         found_at_skins_[first + n]);
        }
      });
    }
  }
}

Eigen::AlignedBox3d Contacts::reached(int skin, double thickness) const {
  const Eigen::AlignedBox3d box = skins_[skin].start_bounds();
  const Vec3 margin = Vec3::Constant(skin_reach_[skin] + thickness);
  return {Vec3(box.min() - margin), Vec3(box.max() + margin)};
}

double Contacts::gap_of(const Found& f) const {
  if (of_edges(f.key)) return 0.0;
  if (with_collider(f.key)) return colliders_[f.key.kind].gap_of(f.distance, 0).value;
  const double value = f.distance.value;
  return (skin_of(f.key).is_sheet() ? std::abs(value) : value) - skin_thickness(f.key);
}

void Contacts::list_found(const ContactState& state) {
  const bool first = !state.open;
  listed_.clear();
  for (const auto* found : {&found_, &found_at_skins_, &found_edges_})
    for (const auto& some : *found) listed_.insert(listed_.end(), some.begin(), some.end());
  std::sort(listed_.begin(), listed_.end(), [](const Found& a, const Found& b) { return a.key < b.key; });
  contacts_.clear();
  int overlapping = 0;
  double deepest_gap = 0.0;
  ContactKey deepest;
  std::size_t kept = 0;
  for (const Found& f : listed_) {
    Contact c = make_contact(f.key);
    if (c.stiffness == 0.0) continue;
    // Deeper than a small pile of such points would press it: it did not get there by itself.
    const bool of_point = with_collider(f.key) || (!of_edges(f.key) && pricking_collider(f.key) < 0);
    const int any = of_point ? anchor(f.key.a) : 0;
    const double gap = gap_of(f);
    const double rest = 10.0 * gravity_ * mass_[3 * Eigen::Index(any)] / (2.0 * c.stiffness);
    if (first && -gap > rest && !of_edges(f.key)) {
      c.overlap = -gap;
      ++overlapping;
      if (gap < deepest_gap) deepest = f.key, deepest_gap = gap;
    }
    contacts_.push_back(c);
    listed_[kept++] = f;
  }
  listed_.resize(kept);
  if (overlapping > 0) {
    const bool outside = with_collider(deepest);
    const int kind = outside ? deepest.kind : (deepest.kind - collider_count()) % skin_count();
    warnings_.push_back(std::to_string(overlapping) +
                        " points start in contact too deep to rest there; the deepest is " +
                        (outside || pricking_collider(deepest) < 0 ? "point " : "collider point ") +
                        std::to_string(deepest.a) + ", " + std::to_string(-deepest_gap) + " m inside '" +
                        (outside ? colliders_[kind].spec().name : input_.bodies[kind].name) +
                        "'; they are eased out over " + std::to_string(input_.settings.ease) + " s");
  }
}

void Contacts::set_start(Contact& c, const Vector& x, const Distance* known) const {
  if (of_edges(c.key)) return set_edge_start(c, x);
  Distance d;
  if (with_collider(c.key)) {
    const Collider& collider = colliders_[c.key.kind];
    const Vec3 p = c.gather(x);
    d = known ? *known : collider.start_distance(p, std::numeric_limits<double>::infinity());
    if (c.side == 0) c.side = collider.is_sheet() && d.value < 0.0 ? -1 : 1;
    d = collider.gap_of(d, c.side);
    c.share = c.end_share = collider.stiffness_at(d);
    c.before = c.place = p;
  } else {
    const int pricking = pricking_collider(c.key);
    const Vec3 p = pricking < 0 ? Vec3(point(x, c.key.a)) : colliders_[pricking].start_vertex(c.key.a);
    const double thickness = skin_thickness(c.key);
    d = known ? *known
              : skin_of(c.key).start_distance(p, std::numeric_limits<double>::infinity(),
                                              {own_point(c.key), p, thickness});
    if (c.side == 0) c.side = skin_of(c.key).is_sheet() && d.value < 0.0 ? -1 : 1;
    if (c.side < 0 && !d.rim) d.value = -d.value, d.normal = -d.normal;
    d.value -= thickness;
    if (d.triangle >= 0) c.set_triangle(skin_of(c.key).corners(d.triangle), d.weights, pricking >= 0);
    c.before = c.place = c.gather(x);
  }
  c.start = c.end = d.value + shift(c, time_);
  c.normal = c.start_normal = d.normal;
}

/// Whether what seems to touch is only behind: a body's own far side is behind each of its points, and the
/// far side of a solid collider behind its points and edges. A contact can only begin from the front.
bool Contacts::is_inside(const Contact& c) const {
  if (with_collider(c.key)) return false;
  const double thickness = skin_thickness(c.key);
  if (of_edges(c.key)) {
    const BodyEdge b = body_edge(c.key.b);
    const bool own = pricking_collider(c.key) < 0 && body_edge(c.key.a).skin == b.skin;
    return c.start < -thickness - (own ? 0.0 : 0.25 * skins_[b.skin].mean_edge());
  }
  if (own_point(c.key) >= 0) return c.start < -thickness;
  const int pricking = pricking_collider(c.key);
  if (pricking < 0 || !skin_of(c.key).is_sheet() || colliders_[pricking].is_sheet()) return false;
  const Vec3 to_sheet = -c.before - colliders_[pricking].start_vertex(c.key.a);
  const Vec3 out = colliders_[pricking].start_vertex_normal(c.key.a).stableNormalized();
  return out.dot(to_sheet) < -0.2 * to_sheet.norm();
}

// Only what the velocity leads to, and its neighbours, is coupled: at the speed of an impact everything would
// be within reach of everything. A contact that slides farther than that costs iterations, and is right all
// the same. The wider the region that is coupled at once, the more seldom the matrix needs a new pattern.
void Contacts::couple(const Vector& x, const Vector& v, ContactState& state) {
  if (skins_.empty()) return;
  if (state.coupled != coupled_) {
    coupled_ = state.coupled;
    pairs_changed_ = true;
  }
  const Vector ahead = x + h_ * v;
  for (Skin& skin : skins_) skin.set_end(ahead);
  const auto for_each_pair = [&](double widening, const auto& visit) {
    for (const Contact& c : contacts_) {
      if (with_collider(c.key) || pricking_collider(c.key) >= 0) continue;
      if (of_edges(c.key)) {
        const double travel = (c.gather(ahead) - c.before).norm();
        Contact there = c;
        Touch touch;
        if (!meet_edge(there, touch) || there.share + c.share == 0.0) continue;
        if (std::min(c.start, touch.end) > widening * (0.25 * travel + skin_thickness(c.key))) continue;
        for (int i : edge_points(c.key.a))
          for (int k : edge_points(c.key.b)) visit(std::array<int, 2>{std::min(i, k), std::max(i, k)});
        continue;
      }
      const Skin& skin = skin_of(c.key);
      const double thickness = skin_thickness(c.key), travel = (c.gather(ahead) - c.gather(x)).norm();
      const Distance d = skin.end_distance(point(ahead, c.key.a), std::numeric_limits<double>::infinity(),
                                           {own_point(c.key), point(x, c.key.a), thickness});
      const double gap = (c.side < 0 && !d.rim ? -d.value : d.value) - thickness;
      if (d.triangle < 0 || std::min(c.start, gap) > 0.25 * widening * travel + thickness) continue;
      const Vec3 half = Vec3::Constant(widening * (0.75 * skin.mean_edge() + 0.1 * travel));
      const auto around = [&](const Vec3& place, bool end) {
        skin.for_each_near({Vec3(place - half), Vec3(place + half)}, end, [&](int triangle) {
          const std::array<int, 3> q = skin.corners(triangle);
          for (int k = 0; k < 3; ++k)
            for (int other : {c.key.a, q[(k + 1) % 3]})
              if (q[k] != other) visit(std::array<int, 2>{std::min(q[k], other), std::max(q[k], other)});
        });
      };
      around(point(x, c.key.a) - c.gather(x), false);
      Vec3 place = Vec3::Zero();
      const std::array<int, 3> q = skin.corners(d.triangle);
      for (int k = 0; k < 3; ++k) place += d.weights[k] * point(ahead, q[k]);
      around(place, true);
    }
  };
  bool missing = false;
  for_each_pair(1.0, [&](const std::array<int, 2>& pair) {
    missing = missing || !std::binary_search(coupled_.begin(), coupled_.end(), pair);
  });
  if (!missing) return;
  coupled_.clear();
  for_each_pair(1.5, [&](const std::array<int, 2>& pair) { coupled_.push_back(pair); });
  std::sort(coupled_.begin(), coupled_.end());
  coupled_.erase(std::unique(coupled_.begin(), coupled_.end()), coupled_.end());
  state.coupled = coupled_;
  pairs_changed_ = true;
}

void Contacts::append_pairs(std::vector<std::array<int, 2>>& pairs) const {
  pairs.insert(pairs.end(), coupled_.begin(), coupled_.end());
}

/// A contact that becomes less of one loses energy; one that becomes more keeps it, with a smaller gap.
void Contacts::change_share(Contact& c, const ContactMemory& memory, double& gap, ContactBooks& books,
                            double& purse) const {
  if (memory.share == c.share) return;
  if (c.share > memory.share) {
    const double factor = std::sqrt(memory.share / c.share);
    gap *= factor;
    c.stretch *= factor;
    return;
  }
  Contact before = c;
  before.share = memory.share;
  const double left = before.potential(gap).value - c.potential(gap).value;
  books.dissipated += left + before.bristle_energy(c.stretch) - c.bristle_energy(c.stretch);
  purse += left;
  if (c.share == 0.0) gap = 0.0, c.stretch.setZero();
}

/// The gap goes on where the last step left it; where the geometry tells another story the difference fades.
/// That takes and gives energy, and never gives more than it took.
void Contacts::take_booked_gap(Contact& c, const ContactMemory* memory, ContactBooks& books,
                               double& purse) const {
  const bool booked = memory && memory->booked;
  double gap = booked ? memory->gap : 0.0;
  if (memory) change_share(c, *memory, gap, books, purse);
  // A contact with a skin that was overlooked begins without energy.
  if (!booked && (with_collider(c.key) || c.start >= 0.0)) return;
  c.offset = gap - c.start;
  c.start = c.end = gap;
  const double faded = c.offset * std::max(0.0, h_) / std::max(h_, input_.settings.ease);
  const double change = c.potential(gap - faded).value - c.potential(gap).value;
  if (change > purse) return;
  c.offset -= faded;
  c.start = c.end = gap - faded;
  purse -= change;
  (change > 0.0 ? books.work : books.dissipated) += std::abs(change);
}

ContactBooks Contacts::begin_step(const Vector& x, const Vector& v, double time, double h,
                                  ContactState& state) {
  ContactBooks books;
  const bool first = !state.open;
  if (first) state.begun = time;
  begun_ = state.begun;
  time_ = time;
  h_ = h;
  x0_ = x;
  rounds_ = 0;
  for (Collider& collider : colliders_) collider.begin_step(time, time + h);
  for (Skin& skin : skins_) skin.begin_step(x);
  find_at_colliders(x, v);
  find_at_skins(x, v);
  find_at_edges(x, v);
  list_found(state);

  // What was remembered of contacts that are no longer near is let go.
  memory_.assign(contacts_.size(), nullptr);
  auto c = contacts_.begin();
  const auto let_go = [&](Contact contact, const ContactMemory& m) {
    contact.share = m.share;
    books.dissipated += contact.bristle_energy(m.stretch);
    if (!m.booked) return;
    const double left = contact.potential(m.gap).value;
    books.dissipated += left;
    state.purse += left;
  };
  for (const ContactMemory& m : state.memories) {
    while (c != contacts_.end() && c->key < m.key) ++c;
    if (c == contacts_.end() || !(c->key == m.key)) {
      let_go(make_contact(m.key), m);
      continue;
    }
    memory_[c - contacts_.begin()] = &m;
    c->stretch = m.stretch;
    c->slides = m.slides;
    c->overlap = m.overlap;
    c->side = m.side;
    if (m.attached) c->law = Contact::Law::attached;
  }

  const bool paper = input_.settings.rule == ContactRule::paper;
  double energy = 0.0;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Contact& contact = contacts_[k];
    const bool met_before = contact.side != 0;
    set_start(contact, x, &listed_[k].distance);
    const bool nowhere = !with_collider(contact.key) && contact.points == 1;
    if (nowhere || (!met_before && is_inside(contact))) {
      if (memory_[k]) let_go(contact, *memory_[k]);
      continue;
    }
    if ((!first || of_edges(contact.key)) && !paper) take_booked_gap(contact, memory_[k], books, state.purse);
    if (paper && contact.start < 0.0) contact.law = Contact::Law::attached;
    if (paper && contact.law != Contact::Law::attached) continue;
    contact.press = std::abs(contact.potential(contact.start).slope);
    energy += contact.potential(contact.start).value + contact.bristle_energy(contact.stretch);
    contacts_[kept++] = contact;
  }
  contacts_.resize(kept);
  sorted_ = kept;
  couple(x, v, state);
  if (first) books.work += energy;
  state.open = true;
  return books;
}

}  // namespace verve
