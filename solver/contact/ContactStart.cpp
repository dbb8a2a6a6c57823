// The part of Contacts that begins a step with what was found: memory, gaps that go on, and coupled points.
#include <algorithm>
#include <cmath>

#include "contact/Contacts.h"
#include "contact/PairWalls.h"

namespace verve {

// Only what the velocity leads to, and its neighbours, is coupled: at the speed of an impact everything would
// be within reach of everything. A contact that slides farther than that costs iterations, and is right all
// the same. The wider the region that is coupled at once, the more seldom the matrix needs a new pattern.
void Contacts::couple(const Vector& x, const Vector& v, ContactState& state) {
  if (parts_.skins.empty()) return;
  recall(state);
  const Vector ahead = x + parts_.h * v;
  parts_.set_end(ahead);
  const auto for_each_pair = [&](double widening, const auto& visit) {
    if (pairs_) pairs_->for_each_coupled(ahead, widening, visit);
    for (const Contact& c : contacts_) type_of(c.key).for_each_coupled(c, x, ahead, widening, visit);
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
                            double& reserve) const {
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
  reserve += left;
  if (c.share == 0.0) gap = 0.0, c.stretch.setZero();
}

/// The gap goes on where the last step left it; where the geometry tells another story the difference fades.
/// That takes and gives energy, and never gives more than it took.
void Contacts::take_booked_gap(Contact& c, const ContactMemory* memory, ContactBooks& books,
                               double& reserve) const {
  const bool booked = memory && memory->booked.held;
  double gap = booked ? memory->booked.gap : 0.0;
  if (memory) change_share(c, *memory, gap, books, reserve);
  // A contact that was overlooked begins without energy.
  if (!booked && (!type_of(c.key).may_be_overlooked() || c.start >= 0.0)) return;
  c.offset = gap - c.start;
  c.start = c.end = gap;
  const double faded = c.offset * std::max(0.0, parts_.h) / std::max(parts_.h, parts_.input.settings.ease);
  const double change = c.potential(gap - faded).value - c.potential(gap).value;
  if (change > reserve) return;
  c.offset -= faded;
  c.start = c.end = gap - faded;
  reserve -= change;
  (change > 0.0 ? books.work : books.dissipated) += std::abs(change);
  books.booked += change;
}

void Contacts::find(const Vector& x, const Vector& v, double time, double h, const Memories& memories,
                    ContactState* state, ContactBooks* books) {
  rounds_ = 0;
  parts_.begin_step(x, v, time, h);
  if (pairs_ && state) {
    *books = pairs_->begin_step(x, v, h, held_, parts_.still, *state);
    for (const std::string& w : pairs_->take_warnings()) warnings_.push_back(w);
  }
  for (const auto& type : types_) type->find(x, v, memories);
}

void Contacts::list_found(bool first) {
  listed_.clear();
  for (const auto& type : types_)
    for (const auto& some : type->found()) listed_.insert(listed_.end(), some.begin(), some.end());
  std::sort(listed_.begin(), listed_.end(),
            [](const FoundPair& a, const FoundPair& b) { return a.key < b.key; });
  listed_.erase(std::unique(listed_.begin(), listed_.end(),
                            [](const FoundPair& a, const FoundPair& b) { return a.key == b.key; }),
                listed_.end());
  contacts_.clear();
  int overlapping = 0;
  double deepest_gap = 0.0;
  ContactKey deepest;
  std::size_t kept = 0;
  for (const FoundPair& f : listed_) {
    const PairType& type = type_of(f.key);
    Contact c = type.make(f.key);
    if (c.stiffness == 0.0) continue;
    if (first && !parts_.still && type.eases_overlaps()) {
      // Deeper than a small pile of such points would press it: it did not get there by itself.
      const double rest = 10.0 * parts_.gravity * type.mass_at(f.key) / (2.0 * c.stiffness);
      const double gap = type.found_gap(f, c);
      if (-gap > rest) {
        c.overlap = -gap;
        ++overlapping;
        if (gap < deepest_gap) deepest = f.key, deepest_gap = gap;
      }
    }
    contacts_.push_back(c);
    listed_[kept++] = f;
  }
  listed_.resize(kept);
  if (overlapping > 0)
    warnings_.push_back(std::to_string(overlapping) +
                        " points start in contact too deep to rest there; the deepest is " +
                        type_of(deepest).overlap(deepest, -deepest_gap) + "; they are eased out over " +
                        std::to_string(parts_.input.settings.ease) + " s");
}

const std::vector<Contact>& Contacts::look_ahead(const Vector& x, const Vector& v, double time, double h,
                                                 const ContactState& state) {
  parts_.begun = state.begun;
  find(x, v, time, h, state.memories);
  list_found(false);
  auto m = state.memories.begin();
  std::size_t kept = 0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Contact& c = contacts_[k];
    while (m != state.memories.end() && m->key < c.key) ++m;
    if (m != state.memories.end() && m->key == c.key) c.side = m->side;
    const bool met_before = c.side != 0;
    const PairType& type = type_of(c.key);
    const bool somewhere = type.start(c, x, &listed_[k].distance);
    if (!somewhere || (!met_before && type.is_behind(c))) continue;
    type.foresee(c);
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
  parts_.begun = state.begun;
  wall_energy_ = state.wall_energy = energy_at_hand(v, state);
  tell_given_way(state.given_way, time);
  find(x, v, time, h, state.memories, &state, &books);
  list_found(first);

  // What was remembered of contacts that are no longer near is let go.
  memory_.assign(contacts_.size(), nullptr);
  auto c = contacts_.begin();
  const auto let_go = [&](Contact contact, const ContactMemory& m) {
    contact.share = m.share;
    books.let_go(contact.bristle_energy(m.bristle.stretch));
    if (!m.booked.held) return;  // a wall that has energy is always near
    const double left = contact.potential(m.booked.gap).value;
    books.let_go(left);
    state.reserve += left;
  };
  for (const ContactMemory& m : state.memories) {
    while (c != contacts_.end() && c->key < m.key) ++c;
    if (c == contacts_.end() || !(c->key == m.key)) {
      let_go(type_of(m.key).make(m.key), m);
      continue;
    }
    memory_[c - contacts_.begin()] = &m;
    c->stretch = m.bristle.stretch;
    c->slides = m.bristle.slides;
    c->overlap = m.overlap;
    c->side = m.side;
    if (m.attached) c->law = Contact::Law::attached;
  }

  const bool paper = parts_.input.settings.rule == ContactRule::paper;
  double energy = 0.0;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Contact& contact = contacts_[k];
    const bool met_before = contact.side != 0;
    const PairType& type = type_of(contact.key);
    const bool somewhere = type.start(contact, x, &listed_[k].distance);
    if (!somewhere || (!met_before && type.is_behind(contact))) {
      if (memory_[k]) let_go(contact, *memory_[k]);
      continue;
    }
    if (contact.key.kind == PairKind::point_collider) set_wall(contact, memory_[k], books);
    if ((!first || !type.eases_overlaps()) && !paper)
      take_booked_gap(contact, memory_[k], books, state.reserve);
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
