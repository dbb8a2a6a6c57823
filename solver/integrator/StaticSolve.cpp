#include "integrator/StaticSolve.h"

#include <algorithm>
#include <cmath>

#include "integrator/ChordSolver.h"
#include "integrator/StillDrivers.h"

namespace verve {
namespace {

double size_of(const Vector& x) {
  const auto places = x.reshaped(3, x.size() / 3);
  return (places.rowwise().maxCoeff() - places.rowwise().minCoeff()).norm();
}

/// A push of no direction in particular, the same in every run.
void jiggle(Vector& x, double by) {
  std::uint32_t random = 12345;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    random = random * 1664525u + 1013904223u;
    x[i] += by * (double(random >> 8) / double(1u << 24) - 0.5);
  }
}

class RestSearch {
 public:
  RestSearch(System& system, const Drivers& drivers, const IntegratorSettings& settings,
             const std::vector<char>& settles, double h, State& state)
      : system_(system),
        drivers_(drivers, state.time, system, settles, state.x),
        settles_(settles),
        h_(h),
        state_(state),
        size_(std::max(size_of(state.x), 1e-300)),
        solver_(system, undamped(settings)) {}

  RestReport run() {
    constexpr int most_steps = 400;
    constexpr double tolerance = 1e-10, round_off = 1e-7, longest = 1e9;
    const Vector start = state_.x;
    if (nothing_holds()) return report_;
    state_.ledger.largest = std::max(state_.ledger.largest, push());
    double weight = 1.0;  // of the energies, beside that in a step of h: as in one sqrt(weight) times as long
    for (int n = 0; n < most_steps; ++n) {
      const State before = state_;
      double moved = 0.0, left = 0.0;
      if (!step(weight, moved, left)) {
        state_ = before;
        if ((weight *= 0.1) < 1e-6) break;
        continue;
      }
      if (falls(start)) break;
      report_.residual = std::max(moved / weight, left);
      // Forces much larger than the load may hold each other in a slender body: where the longest steps find
      // nothing to gain, what is left is their rounding.
      const bool balanced = left <= round_off || (moved == 0.0 && weight >= longest);
      if (moved <= tolerance * weight && balanced && weight >= 1e6) {
        if (stable()) {
          report_.found = true;
          break;
        }
        if (++pushed_ > 5) break;
        jiggle(state_.x, 1e-4 * size_);
        weight = 1.0;
        continue;
      }
      // What goes far at once may go past what would hold it.
      const double way = (state_.x - before.x).cwiseAbs().maxCoeff() / size_;
      weight = std::min(longest, way > 1.0 ? 0.25 * weight : way > 0.25 ? weight : 10.0 * weight);
    }
    if (!report_.found && report_.piece < 0) report_.piece = farthest(start);
    return report_;
  }

 private:
  static IntegratorSettings undamped(IntegratorSettings settings) {
    settings.damping = {};
    settings.correction = Correction::none;
    settings.newton.tolerance = 1e-11;
    return settings;
  }

  /// One step without velocity. `moved`: how far it went, as a share of how far gravity alone moves in h;
  /// `left`: the forces that were not balanced.
  bool step(double weight, double& moved, double& left) {
    state_.v.setZero();
    solver_.begin(drivers_, state_, h_);
    solver_.chord.samples = {{1.0, h_ * h_ * weight}};
    solver_.residual_scale = weight;
    solver_.predictor = state_.x;
    const NewtonReport newton = solver_.solve_from_start(state_);
    report_.steps.add(newton);
    if (!newton.solved()) return false;
    left = newton.residual;
    const Vector way = solver_.x() - state_.x;
    moved = std::sqrt(way.cwiseAbs2().dot(system_.mass)) / scale();
    const double time = state_.time;
    solver_.end(Vector::Zero(way.size()), state_);
    state_.time = time;
    return true;
  }

  /// The way that gravity, or a small share of the bodies' size, moves all mass in h.
  double scale() const {
    const double fall = h_ * h_ * system_.gravity.norm();
    return std::sqrt(system_.mass.sum() / 3.0) * std::max(fall, 1e-3 * size_);
  }

  /// The energy that the outside's forces give free mass in h.
  double push() const {
    Vector force = Vector::Zero(state_.x.size());
    drivers_.add_forces(state_.time, force);
    return 0.5 * h_ * h_ * (force.array().square() / system_.mass.array()).sum();
  }

  /// Whether this is a minimum: pushed a little, long steps come back.
  bool stable() {
    const State settled = state_;
    Vector pushed = settled.x;
    jiggle(pushed, 1e-7 * size_);
    state_.x = pushed;
    double moved = 0.0, left = 0.0;
    bool back = true;
    for (int k = 0; k < 2 && back; ++k) back = step(k == 0 ? 1e2 : 1e6, moved, left);
    const double far = (state_.x - settled.x).cwiseAbs().maxCoeff();
    back = back && far < 1e-5 * size_;
    if (back) state_ = settled;
    return back;
  }

  /// Whether a piece is alone in the world with its weight: to look for its rest would be to follow its fall.
  bool nothing_holds() {
    if (system_.contacts || system_.terms.size() > 0 || !system_.constraints.empty()) return false;
    std::vector<Pin> pins;
    std::vector<Target> targets;
    drivers_.pins(state_.time, pins);
    drivers_.targets(state_.time, targets);
    std::vector<char> held(std::size_t(system_.pieces), 0);
    for (const Pin& pin : pins) held[std::size_t(system_.piece[std::size_t(pin.point)])] = 1;
    for (const Target& target : targets) held[std::size_t(system_.piece[std::size_t(target.point)])] = 1;
    Vector force = system_.weight;
    drivers_.add_forces(state_.time, force);
    for (int i = 0; i < system_.points(); ++i) {
      const int p = system_.piece[std::size_t(i)];
      if (held[std::size_t(p)] || point(force, i).isZero(0.0)) continue;
      report_.piece = p;
      report_.falls = true;
      return true;
    }
    return false;
  }

  Vec3 centre(const Vector& x, int piece) const {
    Vec3 sum = Vec3::Zero();
    double mass = 0.0;
    for (int i = 0; i < system_.points(); ++i)
      if (system_.piece[std::size_t(i)] == piece) {
        const double m = system_.mass[3 * Eigen::Index(i)];
        sum += m * point(x, i), mass += m;
      }
    return mass > 0.0 ? Vec3(sum / mass) : sum;
  }
  int farthest(const Vector& start) const {
    int which = -1;
    double most = -1.0;
    for (int p = 0; p < system_.pieces; ++p) {
      if (!settles_[std::size_t(p)]) continue;
      const double way = (centre(state_.x, p) - centre(start, p)).norm();
      if (way > most) most = way, which = p;
    }
    return which;
  }
  bool falls(const Vector& start) {
    const int p = farthest(start);
    if (p < 0 || (centre(state_.x, p) - centre(start, p)).norm() < 100.0 * size_) return false;
    report_.piece = p;
    report_.falls = true;
    return true;
  }

  System& system_;
  StillDrivers drivers_;
  const std::vector<char>& settles_;
  double h_;
  State& state_;
  double size_;
  ChordSolver solver_;
  RestReport report_;
  int pushed_ = 0;
};

}  // namespace

RestReport find_rest(System& system, const Drivers& drivers, const IntegratorSettings& settings,
                     const std::vector<char>& settles, double h, State& state) {
  const State first = state;
  RestReport report;
  {
    const Standstill still(system);
    report = RestSearch(system, drivers, settings, settles, h, state).run();
  }
  state.time = first.time;
  state.ledger = first.ledger;
  state.v = first.v;
  for (int i = 0; i < system.points(); ++i)
    if (settles[std::size_t(system.piece[std::size_t(i)])]) point(state.v, i).setZero();
  state.x_before.resize(0), state.v_before.resize(0);
  state.h_before = 0.0;
  state.held = first.held;
  return report;
}

}  // namespace verve
