#include "contact/Contacts.h"

#include <algorithm>
#include <cmath>

#include "base/Parallel.h"
#include "contact/ColliderEdgeEdge.h"
#include "contact/ColliderPointTriangle.h"
#include "contact/EdgeEdge.h"
#include "contact/PairWalls.h"
#include "contact/PointCollider.h"
#include "contact/PointTriangle.h"

namespace verve {
namespace {

constexpr double still = 1e-24;  ///< a way whose square is shorter has no direction, m^2

/// The contact's whole force on its point at x, as the step's function has it.
Vec3 force_at(const Contact& c, const Chord& chord, const Vec3& at) {
  return c.force(chord, c.gap(at)) * c.gradient() + c.correction + c.wall.correction + c.friction(at).force;
}

}  // namespace

Contacts::Contacts(ContactInput input, const Vector& mass, const Vec3& gravity)
    : parts_(std::move(input), mass, gravity, warnings_) {
  const ContactSettings& settings = parts_.input.settings;
  if (settings.wall && settings.rule == ContactRule::exact && !parts_.skins.empty()) {
    pairs_ = std::make_unique<PairWalls>(parts_.input, parts_.skins, parts_.colliders, parts_.mass,
                                         parts_.gravity);
    parts_.walls = pairs_.get();
  }
  auto at_colliders = std::make_unique<PointCollider>(parts_);
  at_colliders_ = at_colliders.get();
  types_ = {std::move(at_colliders), std::make_unique<PointTriangle>(parts_),
            std::make_unique<ColliderPointTriangle>(parts_), std::make_unique<EdgeEdge>(parts_),
            std::make_unique<ColliderEdgeEdge>(parts_)};
  clear_impulse();
}

Contacts::~Contacts() = default;

bool Contacts::is_listed(const ContactKey& key) const {
  const auto less = [](const Contact& c, const ContactKey& k) { return c.key < k; };
  const auto end = contacts_.begin() + std::ptrdiff_t(sorted_);
  const auto place = std::lower_bound(contacts_.begin(), end, key, less);
  if (place != end && place->key == key) return true;
  return std::any_of(end, contacts_.end(), [&](const Contact& c) { return c.key == key; });
}

void Contacts::look(Contact& c, const Chord& chord, const Vector& x, Surroundings& near) const {
  const PairType& type = type_of(c.key);
  if (!type.look(c, chord, x, rounds_, near)) return;
  const double pressed = c.press;
  // Far from the solution the force at x is that of a depth which nothing will keep; the linear model's is
  // not.
  const bool known = c.key.kind == PairKind::point_collider && c.push >= 0.0;
  const bool follow = rounds_ < type.friction_rounds();
  if (follow) c.press = c.slope * (known ? c.push : std::abs(c.force(chord, c.gap(c.gather(x)))));
  if (c.wall.stands()) {
    look_at_wall(c, c.gather(x), rounds_ < 2 * PointCollider::eager_rounds ? 1.0 : 0.5);
    if (!follow) c.press = pressed;
  }
}

double Contacts::end_gap(const Contact& c, const Vector& x) const {
  return c.law == Contact::Law::attached ? c.gap(c.gather(x)) : type_of(c.key).end_gap(c, x);
}

bool Contacts::list_farther(const Vector& x) {
  const std::size_t before = contacts_.size();
  for (const ContactKey& key : at_colliders_->find_farther(x)) {
    if (is_listed(key)) continue;
    Contact c = at_colliders_->make(key);
    if (c.stiffness == 0.0) continue;
    at_colliders_->start(c, parts_.x0);
    ContactBooks none;
    set_wall(c, nullptr, none);
    contacts_.push_back(c);
  }
  return contacts_.size() > before;
}

bool Contacts::update_correction(const Chord& chord, const Vector& x) {
  const ContactSettings& settings = parts_.input.settings;
  if (settings.rule == ContactRule::paper ||
      rounds_ > (settings.wall ? last_wall_round : PointCollider::last_round))
    return false;
  bool changed = list_farther(x);
  parts_.set_end(x);
  change_.assign(contacts_.size(), 0.0);
  size_.assign(contacts_.size(), 0.0);
  if (rounds_ == 0)
    for (Surroundings& near : surroundings_) near.radius = near.margin = -1.0;
  press_was_.resize(contacts_.size());
  for (std::size_t k = 0; k < contacts_.size(); ++k) press_was_[k] = contacts_[k].press;
  surroundings_.resize(std::max(surroundings_.size(), contacts_.size()));
  parallel_pieces(int(contacts_.size()), 64, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      Contact& c = contacts_[k];
      const Vec3 at = c.gather(x), before = force_at(c, chord, at);
      look(c, chord, x, surroundings_[k]);
      const Vec3 after = force_at(c, chord, at);
      change_[k] = (after - before).norm();
      size_[k] = after.norm();
    }
  });
  if (rounds_ < at_colliders_->friction_rounds()) relax_press();
  ++rounds_;
  if (pairs_) changed |= pairs_->update_lagged(x, chord.average);
  double size = 0.0;
  for (double s : size_) size = std::max(size, s);
  for (double s : change_) changed |= s > 1e-13 * size;
  return changed;
}

void Contacts::relax_press() {
  constexpr int settled = 2;  // looks after which the changes are those of one sequence
  constexpr double least = 0.2, most = 2.0;
  const bool compared = rounds_ >= settled && press_change_.size() == contacts_.size();
  press_change_.resize(contacts_.size(), 0.0);
  // Where a wall stands it is the wall that presses.
  const auto relaxed = [&](std::size_t k) {
    return contacts_[k].key.kind == PairKind::point_collider && !contacts_[k].wall.stands();
  };
  const auto asked = [&](std::size_t k) { return relaxed(k) ? contacts_[k].press - press_was_[k] : 0.0; };
  double product = 0.0, square = 0.0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const double difference = asked(k) - press_change_[k];
    product += press_change_[k] * difference;
    square += difference * difference;
  }
  press_relaxation_ =
      compared && square > 0.0 ? std::min(std::max(-press_relaxation_ * product / square, least), most) : 1.0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    press_change_[k] = asked(k);
    if (relaxed(k)) contacts_[k].press = std::max(0.0, press_was_[k] + press_relaxation_ * press_change_[k]);
  }
}

void Contacts::follow(const Chord& chord, const Vector& from, const Vector& to) {
  if (pairs_) pairs_->follow_slip(from, to);
  for (Contact& c : contacts_) {
    const Vec3 before = c.gather(from), after = c.gather(to);
    if (c.press > 0.0) c.follow_slip(before, after);
    if (c.share > 0.0) c.follow_push(chord, c.gap(before), c.gap(after));
  }
}

bool Contacts::foresee(const Chord& chord, const Vector& x, const Vector& trial) {
  bool any = false;
  for (Contact& c : contacts_)
    if (c.share > 0.0) any |= c.foresee(chord, c.gap(c.gather(x)), c.gap(c.gather(trial)));
  return any;
}

double Contacts::evaluate(const Chord& chord, const Vector& x, Vector* gradient) const {
  double sum = 0.0;
  const double weight = chord.average_weight();
  if (pairs_) sum += pairs_->evaluate(weight, x, gradient);
  for (const Contact& c : contacts_) {
    if (c.share == 0.0) continue;
    const Vec3 at = c.gather(x);
    const PathPotential p = c.along(chord, c.gap(at));
    sum += p.value + weight * c.correction.dot(at - c.before);
    Vec3 force = p.slope * c.gradient() + weight * c.correction;
    if (c.wall.stands()) {
      Vec3 normal = Vec3::Zero();
      const PathPotential push = along_wall(c, at, normal);
      if (!std::isfinite(push.value)) return push.value;
      sum += weight * (push.value + c.wall.correction.dot(at - c.before));
      force += weight * (push.slope * normal + c.wall.correction);
    }
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

void Contacts::add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const {
  const double weight = chord.average_weight();
  if (pairs_) pairs_->add_hessian(weight, x, filter, hessian);
  for (const Contact& c : contacts_) {
    if (c.share == 0.0) continue;
    const Vec3 at = c.gather(x);
    Mat3 h = c.curvature(chord, c.gap(at)) * c.gradient() * c.gradient().transpose();
    if (c.wall.stands()) {
      Vec3 normal = Vec3::Zero();
      const double curvature = along_wall(c, at, normal).curvature;
      h += weight * curvature * normal * normal.transpose();
    }
    if (c.press > 0.0) h += weight * c.friction(at).stiffness;
    if (h.isZero(0.0)) continue;
    std::array<std::array<int, 4>, 4> place;
    bool coupled = true;
    for (int i = 0; i < c.points; ++i)
      for (int j = 0; j < c.points; ++j) {
        const BlockPattern& pattern = *hessian.pattern;
        place[i][j] = i == j ? pattern.diagonal[c.point[i]] : pattern.find(c.point[i], c.point[j]);
        coupled = coupled && place[i][j] >= 0;
      }
    for (int i = 0; i < c.points; ++i)
      for (int j = 0; j < c.points; ++j) {
        // It slid farther than was foreseen: without all of its couplings it has none, since some of them
        // alone would make the matrix indefinite.
        if (!coupled && i != j) continue;
        double* out = &hessian.values[9 * std::size_t(place[i][j])];
        const double w = c.weight[i] * c.weight[j];
        for (int k = 0; k < 9; ++k) out[k] += w * h(k / 3, k % 3);
      }
  }
}

void Contacts::add_start_gradient(Vector& gradient) const {
  for (const Contact& c : contacts_) {
    const Vec3 force = c.potential(c.start).slope * c.gradient();
    for (int i = 0; i < c.points; ++i) point(gradient, c.point[i]) += c.weight[i] * force;
  }
}

void Contacts::add_explicit_gradient(const Vector& x, const Vector& next, Vector& gradient) const {
  for (const Contact& c : contacts_) {
    const Vec3 force =
        c.potential(c.gap(c.gather(x))).slope * c.gradient() + c.friction(c.gather(next)).force;
    for (int i = 0; i < c.points; ++i) point(gradient, c.point[i]) += c.weight[i] * force;
  }
}

ContactBooks Contacts::end_step(const Chord& chord, const Vector& x, ContactState& state) {
  ContactBooks books;
  parts_.set_end(x);
  state.energy = 0.0;
  state.touching = 0;
  state.deepest = state.penetration = 0.0;
  state.touched.clear();
  state.given_way.clear();
  state.memories.clear();
  if (pairs_) {
    books = pairs_->end_step(x, parts_.h, impulse_, state);
    state.coupled = coupled_;
  }
  for (Contact& c : contacts_) {
    const Vec3 at = c.gather(x);
    if (c.key.kind == PairKind::point_collider) at_colliders_->turn_to_side(c, at);
    // The spring of a point that passed right through ends with the step.
    const bool goes_on = c.booked && !c.through;
    const double true_end = end_gap(c, x), end = goes_on ? c.gap(at) : true_end;
    books.work += c.force(chord, c.gap(at)) * c.moved;
    ContactMemory m;
    m.key = c.key;
    bool at_wall = false;
    Vec3 force = force_at(c, chord, at);
    if (c.wall.strength > 0.0 || c.wall_overcome)
      force += end_wall(c, at, m, books, state, at_wall) - c.wall.correction;
    for (int i = 0; i < c.points; ++i) point(impulse_, c.point[i]) -= parts_.h * c.weight[i] * force;
    const Vec3 rub = c.friction(at).force;
    books.work -= rub.dot(c.slide);
    Vec3& stretch = m.bristle.stretch = c.bristle(at);
    const double limit = c.bristle_limit(), length = stretch.norm();
    m.bristle.slides = length > limit && limit > 0.0;
    if (length > limit) stretch *= limit / length;
    // What the bristle's energy gains where it becomes stiffer has to come from its stretch.
    if (c.end_share > c.share) stretch *= std::sqrt(c.share / c.end_share);
    const double bristle = c.share > 0.0 ? c.end_share / c.share * c.bristle_energy(stretch) : 0.0;
    books.dissipated += rub.dot(at - c.before - c.slide) - bristle + c.bristle_energy(c.stretch);
    if (parts_.eased(c, parts_.time + parts_.h) > 0.0) m.overlap = c.overlap;
    // Open in the books and in truth, there is nothing to remember.
    if (!c.through && (c.booked || c.offset != 0.0) && c.share > 0.0 &&
        std::min(end, true_end - c.offset) < 0.0) {
      m.booked = {true, parts_.still ? true_end : end};
    }
    m.share = c.end_share;
    const PairType& type = type_of(c.key);
    const bool touches = end < 0.0 && c.share > 0.0;
    type.remember(c, touches && !c.through, m);
    state.penetration = std::max(state.penetration, type.penetration(c, true_end));
    if (c.law == Contact::Law::attached) {
      const double leaving = c.normal.dot(at - c.before) / parts_.h;
      m.attached = touches || leaving <= 0.0;
    }
    if (c.law != Contact::Law::attached || m.attached) state.energy += c.end_potential(end);
    // A point that is held does no work; a collider that turns its stiffer side to it does.
    if ((at - c.before).squaredNorm() <= still) books.work += c.end_potential(end) - c.potential(end).value;
    state.energy += bristle;
    if (c.through) books.let_go(c.potential(c.gap(at)).value - c.potential(end).value);
    state.touching += touches || at_wall;
    if (touches || at_wall) {
      state.deepest = std::max(state.deepest, -end);
      for (int i = 0; i < c.points; ++i)
        if (c.weight[i] != 0.0) state.touched.push_back(c.point[i]);
    }
    if (!m.empty()) state.memories.push_back(m);
  }
  std::sort(state.memories.begin(), state.memories.end(),
            [](const ContactMemory& a, const ContactMemory& b) { return a.key < b.key; });
  std::sort(state.given_way.begin(), state.given_way.end());
  std::sort(state.touched.begin(), state.touched.end());
  state.touched.erase(std::unique(state.touched.begin(), state.touched.end()), state.touched.end());
  return books;
}

int Contacts::passed(const Vector& from, const Vector& to, double start, double end) {
  int count = 0;
  const std::vector<int>& points = parts_.input.points;
  for (int c = 0; c < parts_.collider_count(); ++c) {
    Collider& collider = parts_.colliders[c];
    collider.begin_step(start, end);
    count += int(parallel_sum(int(points.size()), 256, [&](int begin, int until) {
      double sum = 0.0;
      for (int k = begin; k < until; ++k) {
        const int i = points[k];
        sum +=
            parts_.meets_collider(i, c) && collider.passed(parts_.place_of(i, from), parts_.place_of(i, to));
      }
      return sum;
    }));
  }
  return count;
}

}  // namespace verve
