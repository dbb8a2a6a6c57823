#include "contact/Contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/Parallel.h"
#include "contact/PairWalls.h"

namespace verve {
namespace {

// Contacts with skins keep the energy whichever way they face, and each round costs iterations.
constexpr double still = 1e-24;  ///< a way whose square is shorter has no direction, m^2
constexpr int skin_rounds = 4, eager_rounds = 8, friction_rounds = 10, last_round = 24;

/// The contact's whole force on its point at x, as the step's function has it.
Vec3 force_at(const Contact& c, const Chord& chord, const Vec3& at) {
  return c.force(chord, c.gap(at)) * c.gradient() + c.correction + c.wall.correction + c.friction(at).force;
}

}  // namespace

double Contacts::eased(const Contact& contact, double time) const {
  if (still_) return 0.0;
  return contact.overlap * std::max(0.0, 1.0 - std::max(0.0, time - begun_) / input_.settings.ease);
}

bool Contacts::is_listed(const ContactKey& key) const {
  const auto less = [](const Contact& c, const ContactKey& k) { return c.key < k; };
  const auto end = contacts_.begin() + std::ptrdiff_t(sorted_);
  const auto place = std::lower_bound(contacts_.begin(), end, key, less);
  if (place != end && place->key == key) return true;
  return std::any_of(end, contacts_.end(), [&](const Contact& c) { return c.key == key; });
}

bool Contacts::meet_skin(Contact& c, const Vector& x, Touch& touch) const {
  const Skin& skin = skin_of(c.key);
  const int pricking = pricking_collider(c.key);
  const double anywhere = std::numeric_limits<double>::infinity();
  const Vec3 to = pricking < 0 ? Vec3(point(x, c.key.a)) : colliders_[pricking].end_vertex(c.key.a);
  const Vec3 from = pricking < 0 ? Vec3(point(x0_, c.key.a)) : colliders_[pricking].start_vertex(c.key.a);
  Distance d = skin.end_distance(to, anywhere, seeker(c.key, from));
  if (d.triangle < 0) return false;
  if (c.side < 0 && !d.rim) d.value = -d.value, d.normal = -d.normal;
  c.set_triangle(skin.corners(d.triangle), d.weights, pricking >= 0);
  touch.end = d.value - thickness(c);
  touch.normal = d.normal;
  if (pricking >= 0) touch.slide = from - to;
  return true;
}

void Contacts::look_at_collider(Contact& c, const Chord& chord, const Vector& x, Surroundings& near) const {
  const Collider& collider = colliders_[c.key.kind];
  const double where = chord.average ? -1.0 : chord.samples.front().s;
  // Where looking again and again goes back and forth, half a way each time ends it.
  const double share = rounds_ < eager_rounds ? 1.0 : 0.5;
  const double shift0 = shift(c, time_), shift1 = shift(c, time_ + h_);
  const Vec3 at = c.gather(x);
  const double way = (at - c.before).norm(), start = c.start - shift0;
  // A gap cannot change by more than both travel: most contacts that were listed stay open.
  const double least = start - way - collider.motion(c.before, way + c.radius + collider.spec().thickness);
  if (start > 0.0 && least + std::min(shift0, shift1) > 0.0) {
    // The tangent plane at the start is exact for planes, and open at `at` as well: a lower bound of the gap
    // in its place would push on points that touch nothing.
    c.normal = c.start_normal;
    c.place = c.before;
    c.end = c.start + shift1 - shift0;
    c.moved = c.press = 0.0;
    c.correction.setZero();
    return;
  }
  // What a wall stands against has gone around a sheet, not through it.
  if (c.wall.stands() && collider.is_sheet()) {
    const Distance d = collider.end_gap(at, 1, std::numeric_limits<double>::infinity());
    if (!d.rim) c.side = d.value + collider.spec().thickness < 0.0 ? -1 : 1;
  }
  const Touch t =
      collider.touch(c.before, at, c.side, start, c.start_normal, where, c.radius, near, c.wall.stands());
  c.start = t.start + shift0;
  c.moved = t.moved + shift1 - shift0;
  c.slide = t.slide;
  c.through = t.through;
  c.end_share = t.through ? c.share : t.stiffness;
  c.grip = t.friction;
  c.place = at;
  c.normal = ((1.0 - share) * c.normal + share * t.normal).normalized();
  const double end = c.end = t.end + shift1;
  // The gap is taken to change evenly along the chord: let it be right where the scheme samples it.
  if (!chord.average && where > 0.0)
    c.end = c.start + (t.middle + shift0 + where * (shift1 - shift0) - c.start) / where;
  c.correction *= 1.0 - share;
  if (chord.average) {
    const Vec3 path = at - c.before;
    const double squared = path.squaredNorm(), linear_force = c.force(chord, c.gap(at));
    // Where the collider's stiffness varies, so does the potential on the way.
    const double change = c.end_share == c.share ? c.force(chord, end) * (end - c.start)
                                                 : c.end_potential(end) - c.potential(c.start).value;
    const double gap = change - linear_force * (c.moved + c.normal.dot(path));
    if (squared > still) c.correction += share * gap / squared * path;
  }
}

void Contacts::look(Contact& c, const Chord& chord, const Vector& x, Surroundings& near) const {
  if (!with_collider(c.key)) {
    if (rounds_ < skin_rounds) {
      Touch touch;
      if (!meet(c, x, touch)) return;
      const double centre = force_centre(c.start - shift(c, time_), touch.end);
      Vec3 normal = (1.0 - centre) * c.start_normal + centre * touch.normal;
      if (normal.squaredNorm() > 0.01)
        normal.normalize();
      else
        normal = touch.normal;
      c.before = c.gather(x0_);
      c.normal = normal;
      c.slide = touch.slide;
      c.book(c.gather(x), touch.end + shift(c, time_ + h_), -c.normal.dot(c.slide),
             eased(c, time_ + h_) - eased(c, time_));
    }
  } else if (rounds_ < last_round) {
    look_at_collider(c, chord, x, near);
  } else if (!c.booked) {
    c.book(c.gather(x), c.gap(c.gather(x)), 0.0, c.moved);
    c.end_share = c.share;
  }
  const double pressed = c.press;
  // Far from the solution the force at x is that of a depth which nothing will keep; the linear model's is
  // not.
  const bool known = with_collider(c.key) && c.push >= 0.0;
  if (rounds_ < (with_collider(c.key) ? friction_rounds : skin_rounds))
    c.press = c.slope * (known ? c.push : std::abs(c.force(chord, c.gap(c.gather(x)))));
  if (c.wall.stands()) {
    look_at_wall(c, c.gather(x), rounds_ < 2 * eager_rounds ? 1.0 : 0.5);
    if (rounds_ >= friction_rounds) c.press = pressed;
  }
}

double Contacts::end_gap(const Contact& c, const Vector& x) const {
  if (c.law == Contact::Law::attached) return c.gap(c.gather(x));
  const double shifted = shift(c, time_ + h_);
  if (!with_collider(c.key)) {
    Contact there = c;
    Touch touch;
    return meet(there, x, touch) ? touch.end + shifted : c.gap(c.gather(x));
  }
  // Behind a sheet a point is as far from it as in front: no limit would find the surface.
  const Collider& collider = colliders_[c.key.kind];
  const double limit =
      collider.is_sheet() ? std::numeric_limits<double>::infinity() : std::max(0.0, -shifted);
  return collider.end_gap(c.gather(x), c.side, limit).value + shifted;
}

/// Lists contacts of points that went farther than was foreseen.
bool Contacts::list_farther(const Vector& x) {
  const std::size_t before = contacts_.size();
  for (std::size_t n = 0; n < input_.points.size(); ++n) {
    const int i = input_.points[n];
    if ((place_of(i, x) - place_of(i, x0_)).norm() <= clearance_[n]) continue;
    clearance_[n] = std::numeric_limits<double>::infinity();
    for (int k = 0; k < collider_count(); ++k) {
      if (!meets_collider(i, k) || is_listed({k, i, -1})) continue;
      Contact c = make_contact({k, i, -1});
      if (c.stiffness == 0.0) continue;
      c.side = 0;
      set_start(c, x0_);
      ContactBooks none;
      set_wall(c, nullptr, none);
      contacts_.push_back(c);
    }
  }
  return contacts_.size() > before;
}

bool Contacts::update_correction(const Chord& chord, const Vector& x) {
  if (input_.settings.rule == ContactRule::paper ||
      rounds_ > (input_.settings.wall ? last_wall_round : last_round))
    return false;
  bool changed = list_farther(x);
  for (Skin& skin : skins_) skin.set_end(x);
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
  if (rounds_ < friction_rounds) relax_press();
  ++rounds_;
  if (pairs_) changed |= pairs_->update_lagged(x);
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
  const auto asked = [&](std::size_t k) {
    return with_collider(contacts_[k].key) ? contacts_[k].press - press_was_[k] : 0.0;
  };
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
    if (with_collider(contacts_[k].key))
      contacts_[k].press = std::max(0.0, press_was_[k] + press_relaxation_ * press_change_[k]);
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
  for (Skin& skin : skins_) skin.set_end(x);
  state.energy = 0.0;
  state.touching = 0;
  state.deepest = state.penetration = 0.0;
  state.touched.clear();
  state.given_way.clear();
  state.memories.clear();
  if (pairs_) {
    books = pairs_->end_step(x, h_, impulse_, state);
    state.coupled = coupled_;
  }
  for (const Contact& c : contacts_) {
    const Vec3 at = c.gather(x);
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
    for (int i = 0; i < c.points; ++i) point(impulse_, c.point[i]) -= h_ * c.weight[i] * force;
    const Vec3 rub = c.friction(at).force;
    books.work -= rub.dot(c.slide);
    m.stretch = c.bristle(at);
    const double limit = c.bristle_limit(), length = m.stretch.norm();
    m.slides = length > limit && limit > 0.0;
    if (length > limit) m.stretch *= limit / length;
    // What the bristle's energy gains where it becomes stiffer has to come from its stretch.
    if (c.end_share > c.share) m.stretch *= std::sqrt(c.share / c.end_share);
    const double bristle = c.share > 0.0 ? c.end_share / c.share * c.bristle_energy(m.stretch) : 0.0;
    books.dissipated += rub.dot(at - c.before - c.slide) - bristle + c.bristle_energy(c.stretch);
    if (eased(c, time_ + h_) > 0.0) m.overlap = c.overlap;
    // Open in the books and in truth, there is nothing to remember.
    if (!c.through && (c.booked || c.offset != 0.0) && c.share > 0.0 &&
        std::min(end, true_end - c.offset) < 0.0) {
      m.booked = true;
      m.gap = still_ ? true_end : end;
    }
    m.share = c.end_share;
    const bool at_sheet = !of_edges(c.key) && (with_collider(c.key) ? colliders_[c.key.kind].is_sheet()
                                                                    : skin_of(c.key).is_sheet());
    const bool from_front = !with_collider(c.key) && (own_point(c.key) >= 0 || !input_.meetings.all());
    if (of_edges(c.key))
      m.side = end_side(c);
    else if (from_front || at_sheet)
      m.side = c.side;

    const bool touches = end < 0.0 && c.share > 0.0;
    m.pressed = (at_sheet || of_edges(c.key)) && touches && !c.through;
    if (with_collider(c.key))
      state.penetration = std::max(state.penetration, shift(c, time_ + h_) - true_end - c.radius -
                                                          colliders_[c.key.kind].spec().thickness);
    if (c.law == Contact::Law::attached) {
      const double leaving = c.normal.dot(at - c.before) / h_;
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
  for (int c = 0; c < collider_count(); ++c) {
    Collider& collider = colliders_[c];
    collider.begin_step(start, end);
    const bool all = input_.points.empty();
    const int points = all ? int(mass_.size() / 3) : int(input_.points.size());
    count += int(parallel_sum(points, 256, [&](int begin, int until) {
      double sum = 0.0;
      for (int k = begin; k < until; ++k) {
        const int i = all ? k : input_.points[k];
        sum += meets_collider(i, c) && collider.passed(place_of(i, from), place_of(i, to));
      }
      return sum;
    }));
  }
  return count;
}

}  // namespace verve
