// The part of Contacts that begins a step with what was found: memory, gaps that go on, and coupled points.
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/Contacts.h"
#include "contact/PairWalls.h"

namespace verve {

// Only what the velocity leads to, and its neighbours, is coupled: at the speed of an impact everything would
// be within reach of everything. A contact that slides farther than that costs iterations, and is right all
// the same. The wider the region that is coupled at once, the more seldom the matrix needs a new pattern.
void Contacts::couple(const Vector& x, const Vector& v, ContactState& state) {
  if (skins_.empty()) return;
  recall(state);
  const Vector ahead = x + h_ * v;
  for (Skin& skin : skins_) skin.set_end(ahead);
  const auto for_each_pair = [&](double widening, const auto& visit) {
    if (pairs_) pairs_->for_each_coupled(ahead, widening, visit);
    for (const Contact& c : contacts_) {
      if (with_collider(c.key) || pricking_collider(c.key) >= 0) continue;
      if (of_edges(c.key)) {
        const double travel = (c.gather(ahead) - c.before).norm();
        Contact there = c;
        Touch touch;
        if (!meet_edge(there, touch) || there.share + c.share == 0.0) continue;
        if (std::min(c.start, touch.end) > widening * (0.25 * travel + widest(c.key))) continue;
        for (int i : edge_points(c.key.a))
          for (int k : edge_points(c.key.b)) visit(std::array<int, 2>{std::min(i, k), std::max(i, k)});
        continue;
      }
      const Skin& skin = skin_of(c.key);
      const double thickness = widest(c.key), travel = (c.gather(ahead) - c.gather(x)).norm();
      const Distance d = skin.end_distance(point(ahead, c.key.a), std::numeric_limits<double>::infinity(),
                                           seeker(c.key, point(x, c.key.a)));
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

bool Contacts::couple_pressed(const Vector& x) {
  if (!pairs_) return false;
  std::vector<std::array<int, 2>> missing;
  pairs_->for_each_pressed(x, [&](const std::array<int, 2>& pair) {
    if (!std::binary_search(coupled_.begin(), coupled_.end(), pair)) missing.push_back(pair);
  });
  if (missing.empty()) return false;
  coupled_.insert(coupled_.end(), missing.begin(), missing.end());
  std::sort(coupled_.begin(), coupled_.end());
  coupled_.erase(std::unique(coupled_.begin(), coupled_.end()), coupled_.end());
  pairs_changed_ = true;
  return true;
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
  books.let_go(left + before.bristle_energy(c.stretch) - c.bristle_energy(c.stretch));
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
  books.booked += change;
}

void Contacts::find(const Vector& x, const Vector& v, double time, double h, const Memories& memories,
                    ContactState* state, ContactBooks* books) {
  time_ = time;
  h_ = h;
  x0_ = x;
  rounds_ = 0;
  for (Collider& collider : colliders_) collider.begin_step(time, still_ ? time : time + h);
  for (Skin& skin : skins_) skin.begin_step(x);
  if (pairs_ && state) {
    *books = pairs_->begin_step(x, v, h, held_, still_, *state);
    for (const std::string& w : pairs_->take_warnings()) warnings_.push_back(w);
  }
  find_at_colliders(x, v, memories);
  find_at_skins(x, v, memories);
  find_at_edges(x, v);
  // Edges that are pressed past each other may lie farther apart by now than a slow step reaches.
  found_edges_.emplace_back();
  for (const ContactMemory& m : memories)
    if (of_edges(m.key) && m.pressed) found_edges_.back().push_back({m.key, {}});
}

const std::vector<Contact>& Contacts::look_ahead(const Vector& x, const Vector& v, double time, double h,
                                                 const ContactState& state) {
  begun_ = state.begun;
  find(x, v, time, h, state.memories);
  list_found(false);
  auto m = state.memories.begin();
  std::size_t kept = 0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Contact& c = contacts_[k];
    while (m != state.memories.end() && m->key < c.key) ++m;
    if (m != state.memories.end() && m->key == c.key) c.side = m->side;
    const bool met_before = c.side != 0;
    set_start(c, x, &listed_[k].distance);
    const bool nowhere = !with_collider(c.key) && c.points == 1;
    if (nowhere || (!met_before && is_inside(c))) continue;
    if (with_collider(c.key) && colliders_[c.key.kind].moves())
      c.moved =
          colliders_[c.key.kind].end_gap(c.before, c.side, std::numeric_limits<double>::infinity()).value +
          shift(c, time) - c.start;
    contacts_[kept++] = c;
  }
  contacts_.resize(kept);
  return contacts_;
}

ContactBooks Contacts::begin_step(const Vector& x, const Vector& v, double time, double h,
                                  ContactState& state) {
  ContactBooks books;
  const bool first = !state.open;
  if (first) state.begun = time;
  begun_ = state.begun;
  wall_energy_ = state.wall_energy = energy_at_hand(v, state);
  tell_given_way(state.given_way, time);
  find(x, v, time, h, state.memories, &state, &books);
  list_found(first);

  // What was remembered of contacts that are no longer near is let go.
  memory_.assign(contacts_.size(), nullptr);
  auto c = contacts_.begin();
  const auto let_go = [&](Contact contact, const ContactMemory& m) {
    contact.share = m.share;
    books.let_go(contact.bristle_energy(m.stretch));
    if (!m.booked) return;  // a wall that has energy is always near
    const double left = contact.potential(m.gap).value;
    books.let_go(left);
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
    if (with_collider(contact.key)) set_wall(contact, memory_[k], books);
    if ((!first || of_edges(contact.key)) && !paper) take_booked_gap(contact, memory_[k], books, state.purse);
    if (paper && contact.start < 0.0) contact.law = Contact::Law::attached;
    if (paper && contact.law != Contact::Law::attached) continue;
    contact.press = std::abs(contact.potential(contact.start).slope);
    energy += contact.potential(contact.start).value + contact.bristle_energy(contact.stretch) +
              (contact.wall.strength > 0.0 ? contact.wall.energy(contact.wall.start) : 0.0);
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
