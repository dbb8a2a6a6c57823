#include "term/Air.h"

#include <Eigen/Geometry>
#include <cmath>

#include "base/Parallel.h"
#include "system/State.h"
#include "term/EndWeight.h"

namespace verve {
namespace {

class Air final : public Term {
 public:
  Air(const AirSettings& settings, std::vector<AirTriangle> triangles, const Vector& mass)
      : settings_(settings), mass_(mass), area_at_(Vector::Zero(mass.size() / 3)) {
    for (AirTriangle& t : triangles) sails_.emplace_back().triangle = t;
  }

  const char* name() const override { return "air"; }
  bool reversible() const override { return false; }

  void append_pairs(std::vector<std::array<int, 2>>& pairs) const override {
    for (const Sail& s : sails_)
      for (int k = 0; k < 3; ++k)
        pairs.push_back({s.triangle.points[std::size_t(k)], s.triangle.points[std::size_t((k + 1) % 3)]});
  }
  void attach(const BlockPattern& pattern) override {
    for (Sail& s : sails_)
      for (int k = 0; k < 9; ++k)
        s.block[std::size_t(k)] =
            pattern.find(s.triangle.points[std::size_t(k / 3)], s.triangle.points[std::size_t(k % 3)]);
  }

  TermBooks begin(const Drivers&, const State& state, double h, TermMemory&) override {
    h_ = h;
    area_at_.setZero();
    // The velocities of light cloth may ring from step to step; the way of the last step does not.
    const bool known = state.h_before > 0.0 && state.x_before.size() == state.x.size();
    const auto half_way = [&](int i) -> Vec3 {
      if (known) return 0.5 * h / state.h_before * (point(state.x, i) - point(state.x_before, i));
      return 0.5 * h * point(state.v, i);
    };
    const auto blow_at = [&](Sail& s) {
      const auto [a, b, c] = s.triangle.points;
      const Vec3 p = point(state.x, a) + half_way(a), q = point(state.x, b) + half_way(b),
                 r = point(state.x, c) + half_way(c);
      const Vec3 across = (q - p).cross(r - p);
      const double size = across.norm();
      s.normal = size > 0.0 ? Vec3(across / size) : Vec3::Zero();
      s.area = 0.5 * size * (s.triangle.one_sided ? 0.5 : 1.0);
      s.wind = s.triangle.wind + settings_.wind.at((p + q + r) / 3.0, state.time + 0.5 * h);
      s.start = mean(s, state.v) - s.wind;
    };
    parallel_pieces(int(sails_.size()), 128, [&](int begin, int end) {  // gusts are dear
      for (int k = begin; k < end; ++k) blow_at(sails_[std::size_t(k)]);
    });
    for (const Sail& s : sails_)
      for (int i : s.triangle.points) area_at_[i] += s.area / 3.0;
    for (Sail& s : sails_) {
      // How fast the air alone would slow the corners.
      double rate = 0.0;
      for (int i : s.triangle.points)
        rate += 0.5 * settings_.density * area_at_[i] / mass_[3 * Eigen::Index(i)] / 3.0;
      s.rate_normal = rate * settings_.drag_normal * s.triangle.drag_normal;
      s.rate_tangent = rate * settings_.drag_tangent * s.triangle.drag_tangent;
      const double across = s.normal.dot(s.start);
      s.theta_normal = theta_of_drag(s.rate_normal * std::abs(across) * h);
      s.theta_tangent = theta_of_drag(s.rate_tangent * (s.start - across * s.normal).norm() * h);
    }
    return {};
  }

  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override {
    const double weight = chord.average_weight();
    double sum = 0.0;
    for (const Sail& s : sails_) {
      const Slip u = slip(s, chord, x, weight);
      const double kn = strength_normal(s), kt = strength_tangent(s), speed = u.tangent.norm();
      const double across = std::abs(u.normal);
      sum +=
          weight * h_ *
          (kn * across * across * across / u.beyond_normal + kt * speed * speed * speed / u.beyond_tangent) /
          3.0;
      s.force = kn * across * u.normal * s.normal + kt * speed * u.tangent;
      if (gradient)
        for (int i : s.triangle.points) point(*gradient, i) += weight / 3.0 * s.force;
    }
    return sum;
  }

  void add_hessian(const Chord& chord, const Vector& x, double, BlockMatrix& hessian) const override {
    const double weight = chord.average_weight();
    for (const Sail& s : sails_) {
      const Slip u = slip(s, chord, x, weight);
      const double speed = u.tangent.norm();
      const Mat3 across = s.normal * s.normal.transpose();
      Mat3 block = 2.0 * strength_normal(s) * std::abs(u.normal) * u.beyond_normal * across;
      if (speed > 0.0)
        block += strength_tangent(s) * u.beyond_tangent *
                 (speed * (Mat3::Identity() - across) + u.tangent * u.tangent.transpose() / speed);
      block *= weight / (9.0 * h_);
      for (int k : s.block) {
        double* out = &hessian.values[9 * std::size_t(k)];
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) out[3 * r + c] += block(r, c);
      }
    }
  }

  /// The impulse of a whole step: what the air alone would do to the velocity v in it.
  void add_explicit_gradient(const Vector&, const Vector& v, Vector& gradient) const override {
    for (const Sail& s : sails_) {
      const Vec3 u = mean(s, v) - s.wind;
      const double normal = s.normal.dot(u);
      const Vec3 tangent = u - normal * s.normal;
      const double across = std::abs(normal), speed = tangent.norm();
      s.force = strength_normal(s) * across * normal / (1.0 + s.rate_normal * across * h_) * s.normal +
                strength_tangent(s) * speed / (1.0 + s.rate_tangent * speed * h_) * tangent;
      for (int i : s.triangle.points) point(gradient, i) += s.force / 3.0;
    }
  }

  TermBooks end(const Chord& chord, const Vector& x, TermMemory&) override {
    TermBooks books;
    for (const Sail& s : sails_) {
      const Vec3 blown = h_ * s.wind;
      books.work -= s.force.dot(blown);
      books.dissipated += s.force.dot(mean(s, x) - mean(s, chord.x0) - blown);
    }
    return books;
  }

 private:
  struct Sail {
    AirTriangle triangle;
    std::array<int, 9> block{};  // of the matrix
    // Of the step:
    Vec3 normal = Vec3::Zero(), wind = Vec3::Zero();
    double area = 0.0;                             // that meets air
    Vec3 start = Vec3::Zero();                     // velocity relative to the air
    double rate_normal = 0.0, rate_tangent = 0.0;  // c of v' = -c |v| v, 1/m
    double theta_normal = 0.5, theta_tangent = 0.5;
    mutable Vec3 force = Vec3::Zero();  // of the last evaluation, against the motion
  };
  /// The velocity relative to the air that the drag goes by.
  struct Slip {
    double normal;
    Vec3 tangent;
    double beyond_normal, beyond_tangent;
  };

  static Vec3 mean(const Sail& s, const Vector& of) {
    const auto [a, b, c] = s.triangle.points;
    return (point(of, a) + point(of, b) + point(of, c)) / 3.0;
  }
  double strength_normal(const Sail& s) const {
    return 0.5 * settings_.density * s.area * settings_.drag_normal * s.triangle.drag_normal;
  }
  double strength_tangent(const Sail& s) const {
    return 0.5 * settings_.density * s.area * settings_.drag_tangent * s.triangle.drag_tangent;
  }
  Slip slip(const Sail& s, const Chord& chord, const Vector& x, double weight) const {
    const Vec3 change = (mean(s, x) - mean(s, chord.x0)) / h_ - s.wind - s.start;
    Slip u;
    u.beyond_normal = beyond_mean(s.theta_normal, weight, h_);
    u.beyond_tangent = beyond_mean(s.theta_tangent, weight, h_);
    u.normal = s.normal.dot(s.start + u.beyond_normal * change);
    u.tangent = s.start + u.beyond_tangent * change;
    u.tangent -= s.normal.dot(u.tangent) * s.normal;
    return u;
  }

  AirSettings settings_;
  Vector mass_, area_at_;
  std::vector<Sail> sails_;
  double h_ = 1.0;
};

}  // namespace

std::unique_ptr<Term> make_air(const AirSettings& settings, std::vector<AirTriangle> triangles,
                               const Vector& mass) {
  return std::make_unique<Air>(settings, std::move(triangles), mass);
}

}  // namespace verve
