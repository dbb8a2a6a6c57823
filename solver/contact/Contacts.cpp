#include "contact/Contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/Error.h"
#include "base/Parallel.h"

namespace verve {
namespace {

constexpr int turning_rounds = 12, friction_rounds = 6, most_rounds = 40;

/// The contact's whole force on its point at x, as the step's function has it.
Vec3 force_at(const Contact& c, const Chord& chord, const Vec3& at) {
  return c.force(chord, c.gap(at)) * c.normal + c.correction + c.friction(at).force;
}

}  // namespace

Contacts::Contacts(ContactInput input, const Vector& mass, const Vec3& gravity)
    : input_(std::move(input)), mass_(mass), gravity_(gravity.norm()) {
  for (const ColliderSpec& spec : input_.colliders) colliders_.emplace_back(spec);
  const std::size_t points = mass.size() / 3;
  const auto fits = [&](std::size_t size, const char* what) {
    if (size != 0 && size != points)
      throw Error("contact: " + std::string(what) + " has " + std::to_string(size) + " values for " +
                  std::to_string(points) + " points; give one for each");
  };
  fits(input_.stiffness.size(), "the stiffness by point");
  fits(input_.friction.size(), "the friction by point");
  fits(input_.group.size(), "the collision group by point");
  if (input_.points.empty()) {
    input_.points.resize(points);
    std::iota(input_.points.begin(), input_.points.end(), 0);
  }
  clearance_.resize(input_.points.size());
  found_.resize(input_.points.size());
}

Contact Contacts::make_contact(int point, int collider) const {
  const ColliderSpec& spec = colliders_[collider].spec();
  Contact c;
  c.key = {collider, point, -1};
  c.point[0] = point;
  c.stiffness = spec.stiffness * (input_.stiffness.empty() ? 1.0 : input_.stiffness[point]);
  const double rub = input_.friction.empty() ? 1.0 : input_.friction[point];
  c.static_friction = rub * spec.static_friction;
  c.dynamic_friction = rub * spec.dynamic_friction;
  return c;
}

double Contacts::eased(const Contact& contact, double time) const {
  return contact.overlap * std::max(0.0, 1.0 - std::max(0.0, time - begun_) / input_.settings.ease);
}

ContactBooks Contacts::begin_step(const Vector& x, const Vector& v, double time, double h, ContactState& state) {
  ContactBooks books;
  const bool first = !state.open;
  if (first) state.begun = time;
  begun_ = state.begun;
  time_ = time;
  h_ = h;
  x0_ = x;
  rounds_ = 0;
  for (Collider& collider : colliders_) collider.begin_step(time, time + h);

  // A contact may be within reach of the velocity and of what gravity adds; should a point go farther, it is
  // looked at again when the step has been solved.
  parallel_pieces(int(input_.points.size()), 64, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      const int i = input_.points[n];
      const Vec3 p = point(x, i);
      const double reach = 1.5 * std::abs(h) * (point(v, i).norm() + std::abs(h) * gravity_);
      clearance_[n] = reach;
      found_[n].clear();
      const unsigned group = input_.group.empty() ? ~0u : input_.group[i];
      for (int c = 0; c < int(colliders_.size()); ++c) {
        const Collider& collider = colliders_[c];
        if (!(collider.spec().group & group)) continue;
        const double limit = reach + collider.motion(p), gap = collider.start_gap(p, limit);
        if (gap <= limit) found_[n].push_back({c, gap});
      }
    }
  });

  contacts_.clear();
  int overlapping = 0, deepest_point = -1, deepest_collider = -1;
  double deepest = 0.0;
  for (std::size_t n = 0; n < found_.size(); ++n)
    for (const Found& f : found_[n]) {
      Contact c = make_contact(input_.points[n], f.collider);
      if (c.stiffness == 0.0) continue;
      // Deeper than a small pile of such points would press it: it did not get there by itself.
      const double rest = 10.0 * gravity_ * mass_[3 * Eigen::Index(c.point[0])] / (2.0 * c.stiffness);
      if (first && -f.gap > rest) {
        c.overlap = -f.gap;
        ++overlapping;
        if (-f.gap > deepest) deepest = -f.gap, deepest_point = c.point[0], deepest_collider = f.collider;
      }
      contacts_.push_back(c);
    }
  if (overlapping > 0)
    warnings_.push_back(std::to_string(overlapping) + " points start inside colliders, point " +
                        std::to_string(deepest_point) + " deepest: " + std::to_string(deepest) + " m inside '" +
                        colliders_[deepest_collider].spec().name + "'; they are eased out over " +
                        std::to_string(input_.settings.ease) + " s");
  std::sort(contacts_.begin(), contacts_.end(), [](const Contact& a, const Contact& b) { return a.key < b.key; });
  sorted_ = contacts_.size();

  // What was remembered of contacts that are no longer near is let go.
  auto c = contacts_.begin();
  for (const ContactMemory& m : state.memories) {
    while (c != contacts_.end() && c->key < m.key) ++c;
    if (c == contacts_.end() || !(c->key == m.key)) {
      const Contact gone = make_contact(m.key.a, m.key.kind);
      books.dissipated += gone.bristle_energy(m.stretch);
      continue;
    }
    c->stretch = m.stretch;
    c->slides = m.slides;
    c->overlap = m.overlap;
    if (m.attached) c->law = Contact::Law::attached;
  }

  double energy = 0.0;
  for (Contact& contact : contacts_) {
    const Distance d = colliders_[contact.key.kind].start_surface(point(x, contact.point[0]));
    contact.before = contact.place = point(x, contact.point[0]);
    contact.start = contact.end = d.value + eased(contact, time);
    contact.normal = d.normal;
    if (input_.settings.rule == ContactRule::paper && contact.start < 0.0) contact.law = Contact::Law::attached;
    contact.press = std::abs(contact.potential(contact.start).slope);
    energy += contact.potential(contact.start).value + contact.bristle_energy(contact.stretch);
  }
  if (input_.settings.rule == ContactRule::paper) {
    const auto separate = [](const Contact& q) { return q.law != Contact::Law::attached; };
    contacts_.erase(std::remove_if(contacts_.begin(), contacts_.end(), separate), contacts_.end());
    sorted_ = contacts_.size();
  }
  if (first) books.work += energy;
  state.open = true;
  return books;
}

bool Contacts::is_listed(const ContactKey& key) const {
  const auto less = [](const Contact& c, const ContactKey& k) { return c.key < k; };
  const auto end = contacts_.begin() + std::ptrdiff_t(sorted_);
  const auto place = std::lower_bound(contacts_.begin(), end, key, less);
  if (place != end && place->key == key) return true;
  return std::any_of(end, contacts_.end(), [&](const Contact& c) { return c.key == key; });
}

void Contacts::look(Contact& c, const Chord& chord, const Vector& x, bool turn) const {
  const Vec3 at = c.gather(x);
  const double where = chord.average ? -1.0 : chord.samples.front().s;
  const Touch t = colliders_[c.key.kind].touch(c.before, at, where);
  const double ease0 = eased(c, time_), ease1 = eased(c, time_ + h_);
  c.start = t.start + ease0;
  c.moved = t.moved + ease1 - ease0;
  c.slide = t.slide;
  const double end = t.end + ease1;
  if (turn) {
    c.place = at;
    c.normal = t.normal;
    c.end = end;
    // The gap is taken to change evenly along the chord: let it be right where the scheme samples it.
    if (!chord.average && where > 0.0)
      c.end = c.start + (t.middle + ease0 + where * (ease1 - ease0) - c.start) / where;
  }
  const double linear_force = c.force(chord, c.gap(at));
  c.correction.setZero();
  if (chord.average) {
    const Vec3 path = at - c.before;
    const double squared = path.squaredNorm();
    const double gap = c.force(chord, end) * (end - c.start) - linear_force * (c.moved + c.normal.dot(path));
    if (squared > 1e-24) c.correction = gap / squared * path;
  }
  if (rounds_ < friction_rounds) c.press = std::abs(linear_force);
}

bool Contacts::update_correction(const Chord& chord, const Vector& x) {
  if (input_.settings.rule == ContactRule::paper || rounds_ >= most_rounds) return false;
  bool changed = false;
  for (std::size_t n = 0; n < input_.points.size(); ++n) {
    const int i = input_.points[n];
    if ((point(x, i) - point(x0_, i)).norm() <= clearance_[n]) continue;
    clearance_[n] = std::numeric_limits<double>::infinity();
    const unsigned group = input_.group.empty() ? ~0u : input_.group[i];
    for (int k = 0; k < int(colliders_.size()); ++k) {
      if (!(colliders_[k].spec().group & group) || is_listed({k, i, -1})) continue;
      Contact c = make_contact(i, k);
      if (c.stiffness == 0.0) continue;
      c.before = point(x0_, i);
      contacts_.push_back(c);
    }
  }
  change_.assign(contacts_.size(), 0.0);
  size_.assign(contacts_.size(), 0.0);
  parallel_pieces(int(contacts_.size()), 64, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      Contact& c = contacts_[k];
      const Vec3 at = c.gather(x), before = force_at(c, chord, at);
      look(c, chord, x, rounds_ < turning_rounds);
      const Vec3 after = force_at(c, chord, at);
      change_[k] = (after - before).norm();
      size_[k] = after.norm();
    }
  });
  ++rounds_;
  double size = 0.0;
  for (double s : size_) size = std::max(size, s);
  for (double s : change_) changed |= s > 1e-13 * size;
  return changed;
}

double Contacts::evaluate(const Chord& chord, const Vector& x, Vector* gradient) const {
  double sum = 0.0;
  const double weight = chord.average_weight();
  for (const Contact& c : contacts_) {
    const Vec3 at = c.gather(x);
    const PathPotential p = c.along(chord, c.gap(at));
    sum += p.value + weight * c.correction.dot(at - c.before);
    Vec3 force = p.slope * c.normal + weight * c.correction;
    if (c.press > 0.0) {
      const Contact::Friction rub = c.friction(at);
      sum += weight * rub.value;
      force += weight * rub.force;
    }
    if (gradient)
      for (int i = 0; i < c.points; ++i) point(*gradient, c.point[i]) += c.weight[i] * force;
  }
  return sum;
}

void Contacts::add_hessian(const Chord& chord, const Vector& x, double, BlockMatrix& hessian) const {
  const double weight = chord.average_weight();
  for (const Contact& c : contacts_) {
    const Vec3 at = c.gather(x);
    Mat3 h = c.along(chord, c.gap(at)).curvature * c.normal * c.normal.transpose();
    if (c.press > 0.0) h += weight * c.friction(at).stiffness;
    if (h.isZero(0.0)) continue;
    for (int i = 0; i < c.points; ++i)
      for (int j = 0; j < c.points; ++j) {
        const BlockPattern& pattern = *hessian.pattern;
        const int place = i == j ? pattern.diagonal[c.point[i]] : pattern.find(c.point[i], c.point[j]);
        double* out = &hessian.values[9 * std::size_t(place)];
        const double w = c.weight[i] * c.weight[j];
        for (int k = 0; k < 9; ++k) out[k] += w * h(k / 3, k % 3);
      }
  }
}

void Contacts::add_start_gradient(Vector& gradient) const {
  for (const Contact& c : contacts_) {
    const Vec3 force = c.potential(c.start).slope * c.normal;
    for (int i = 0; i < c.points; ++i) point(gradient, c.point[i]) += c.weight[i] * force;
  }
}

void Contacts::add_explicit_gradient(const Vector& x, Vector& gradient) const {
  add_start_gradient(gradient);
  for (const Contact& c : contacts_) {
    const Vec3 force = c.friction(c.gather(x)).force;
    for (int i = 0; i < c.points; ++i) point(gradient, c.point[i]) += c.weight[i] * force;
  }
}

ContactBooks Contacts::end_step(const Chord& chord, const Vector& x, ContactState& state) const {
  ContactBooks books;
  state.energy = 0.0;
  state.touching = 0;
  state.deepest = 0.0;
  state.memories.clear();
  for (const Contact& c : contacts_) {
    const Vec3 at = c.gather(x);
    const double end = c.law == Contact::Law::attached
                           ? c.gap(at)
                           : colliders_[c.key.kind].end_gap(at, 0.0) + eased(c, time_ + h_);
    books.work += c.force(chord, c.gap(at)) * c.moved;

    ContactMemory m;
    m.key = c.key;
    const Vec3 rub = c.friction(at).force;
    books.work -= rub.dot(c.slide);
    m.stretch = c.bristle(at);
    const double limit = c.bristle_limit(), length = m.stretch.norm();
    m.slides = length > limit && limit > 0.0;
    if (length > limit) m.stretch *= limit / length;
    books.dissipated +=
        rub.dot(at - c.before - c.slide) - c.bristle_energy(m.stretch) + c.bristle_energy(c.stretch);
    if (eased(c, time_ + h_) > 0.0) m.overlap = c.overlap;

    const bool touches = end < 0.0;
    if (c.law == Contact::Law::attached) {
      const double leaving = c.normal.dot(at - c.before) / h_;
      m.attached = touches || leaving <= 0.0;
    }
    if (c.law != Contact::Law::attached || m.attached) state.energy += c.potential(end).value;
    state.energy += c.bristle_energy(m.stretch);
    state.touching += touches;
    state.deepest = std::max(state.deepest, -end);
    if (!m.empty()) state.memories.push_back(m);
  }
  std::sort(state.memories.begin(), state.memories.end(),
            [](const ContactMemory& a, const ContactMemory& b) { return a.key < b.key; });
  return books;
}

}  // namespace verve
