#include "term/Pressure.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "base/Error.h"
#include "base/Text.h"
#include "system/State.h"
#include "term/MeanForce.h"

namespace verve {
namespace {

/// The volume along a chord is a cubic of s and its gradient a parabola, known from three places.
struct AlongChord {
  Vector start, middle, end;  // gradients of V
  double volume = 0.0;        // at the start
  double slope = 0.0, bow = 0.0, twist = 0.0;

  void set(double start_slope, double middle_slope, double end_slope) {
    slope = start_slope;
    bow = -3.0 * start_slope + 4.0 * middle_slope - end_slope;
    twist = 2.0 * (start_slope - 2.0 * middle_slope + end_slope);
  }
  double at(double s) const { return volume + s * (slope + s * (0.5 * bow + s * twist / 3.0)); }
  /// The gradient at s is the sum of those at the three places with these weights.
  static Vec3 weights(double s) {
    return {(1.0 - s) * (1.0 - 2.0 * s), 4.0 * s * (1.0 - s), s * (2.0 * s - 1.0)};
  }
};

class Pressure final : public Term {
 public:
  Pressure(const PressureSettings& settings, const std::vector<ClosedPiece>& pieces, const Vector& rest)
      : settings_(settings) {
    for (const ClosedPiece& piece : pieces) {
      Held held{ClosedVolume(piece), 0.0, {}, {}};
      held.at_rest = held.inside.volume(rest);
      held_.push_back(std::move(held));
    }
  }

  const char* name() const override { return "pressure"; }

  void append_pairs(std::vector<std::array<int, 2>>& pairs) const override {
    for (const Held& h : held_) h.inside.append_pairs(pairs);
  }
  void attach(const BlockPattern& pattern) override {
    for (Held& h : held_) h.inside.attach(pattern);
  }

  TermBooks begin(const Drivers&, const State& state, double h, TermMemory& memory) override {
    const double now = strength(state.time + 0.5 * h), before = memory.empty() ? strength(0.0) : memory[0];
    TermBooks books;
    for (Held& held : held_) {
      held.law = law(held, now);
      AlongChord& along = held.along;
      along.volume = held.inside.volume(state.x);
      held.inside.gradient(state.x, along.start);
      // What is pumped in or let out brings its energy.
      if (now != before) books.work += held.law.energy(along.volume) - law(held, before).energy(along.volume);
    }
    memory = {now};
    return books;
  }

  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override {
    mean_.set(chord, rule_);
    double sum = 0.0;
    for (const Held& held : held_) {
      const AlongChord& along = follow(held, chord, x);
      Vec3 force = Vec3::Zero();
      for (const MeanForce::Node& node : mean_.nodes) {
        const double v = along.at(node.s), slope = held.law.slope(v);
        sum += mean_.weight * node.share *
               (node.s == 0.0 ? slope * along.slope : held.law.change(along.volume, v) / node.s);
        force += mean_.weight * node.share * slope * AlongChord::weights(node.s);
      }
      if (!gradient) continue;
      const std::vector<int>& points = held.inside.points();
      for (std::size_t k = 0; k < points.size(); ++k)
        point(*gradient, points[k]) += force[0] * point(along.start, int(k)) +
                                       force[1] * point(along.middle, int(k)) +
                                       force[2] * point(along.end, int(k));
    }
    return sum;
  }

  void add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const override {
    mean_.set(chord, rule_);
    for (const Held& held : held_) {
      const AlongChord& along = follow(held, chord, x);
      double at_start = 0.0, at_end = 0.0;
      Mat3 low = Mat3::Zero();
      for (const MeanForce::Node& node : mean_.nodes) {
        const double v = along.at(node.s), w = mean_.weight * node.share * node.s;
        at_start += w * held.law.slope(v) * (1.0 - node.s);
        at_end += w * held.law.slope(v) * node.s;
        const Vec3 weights = AlongChord::weights(node.s);
        low += w * held.law.curvature(v) * weights * weights.transpose();
      }
      // The part of -p V has no sign and no diagonal: without it the rest is definite by itself.
      if (filter < 1.0)
        held.inside.add_hessian((1.0 - filter) * at_start, chord.x0, (1.0 - filter) * at_end, x, hessian);
      if (held.law.is_gas()) add_dyads(held, along, low, hessian);
    }
  }

  void add_explicit_gradient(const Vector& x, const Vector&, Vector& gradient) const override {
    for (const Held& held : held_) {
      held.inside.gradient(x, gradient_);
      const double slope = held.law.slope(held.inside.volume(x));
      const std::vector<int>& points = held.inside.points();
      for (std::size_t k = 0; k < points.size(); ++k)
        point(gradient, points[k]) += slope * point(gradient_, int(k));
    }
  }

  TermBooks end(const Chord&, const Vector& x, TermMemory&) override {
    TermBooks books;
    for (const Held& held : held_)
      if (!held.law.is_gas()) books.work -= held.law.change(held.along.volume, held.inside.volume(x));
    return books;
  }

  double energy(const Vector& x, const TermMemory& memory) const override {
    double sum = 0.0;
    if (settings_.kind == GasLaw::Kind::constant) return sum;
    for (const Held& held : held_)
      sum += law(held, memory.empty() ? strength(0.0) : memory[0]).energy(held.inside.volume(x));
    return sum;
  }
  /// What a closed surface holds pushes it as a whole nowhere.
  bool from_outside() const override { return false; }

 private:
  struct Held {
    ClosedVolume inside;
    double at_rest;
    GasLaw law;                // of this step
    mutable AlongChord along;  // of the last x
  };

  double strength(double time) const {
    return (settings_.kind == GasLaw::Kind::constant ? settings_.value : settings_.amount).at(time);
  }
  GasLaw law(const Held& held, double strength) const {
    if (settings_.kind == GasLaw::Kind::constant) return {settings_.kind, strength, 0.0};
    return {settings_.kind, settings_.outside, strength * held.at_rest};
  }

  const AlongChord& follow(const Held& held, const Chord& chord, const Vector& x) const {
    AlongChord& along = held.along;
    middle_ = 0.5 * (chord.x0 + x);
    held.inside.gradient(middle_, along.middle);
    held.inside.gradient(x, along.end);
    Vec3 slopes = Vec3::Zero();
    const std::vector<int>& points = held.inside.points();
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Vec3 d = point(x, points[k]) - point(chord.x0, points[k]);
      slopes += Vec3(point(along.start, int(k)).dot(d), point(along.middle, int(k)).dot(d),
                     point(along.end, int(k)).dot(d));
    }
    along.set(slopes[0], slopes[1], slopes[2]);
    return along;
  }

  /// Adds sum low_ij g_i g_j^T, with g the gradients at the three places.
  void add_dyads(const Held& held, const AlongChord& along, const Mat3& low, BlockMatrix& hessian) const {
    const Eigen::LDLT<Mat3> factor(low);
    const Mat3 root = factor.transpositionsP().transpose() * Mat3(factor.matrixL());
    const Vec3 d = factor.vectorD();
    for (int c = 0; c < 3; ++c) {
      if (!(d[c] > 1e-14 * d.maxCoeff())) continue;
      Vector& u = hessian.add_dyad(held.inside.points()).u;
      u = std::sqrt(d[c]) * (root(0, c) * along.start + root(1, c) * along.middle + root(2, c) * along.end);
    }
  }

  PressureSettings settings_;
  std::vector<Held> held_;
  const Quadrature rule_ = gauss(24);  // of numbers only: gases follow no polynomial
  mutable MeanForce mean_;
  mutable Vector middle_, gradient_;
};

}  // namespace

std::unique_ptr<Term> make_pressure(const std::string& name, const PressureSettings& settings,
                                    const std::vector<std::array<int, 3>>& triangles, const Vector& rest,
                                    bool solid) {
  std::vector<Vec3> places;
  for (int i = 0; i < int(rest.size() / 3); ++i) places.push_back(point(rest, i));
  ClosedPieces pieces = closed_pieces(triangles, places);
  if (solid && pieces.hollow > 0 && pieces.hollow < int(pieces.closed.size()))
    pieces.closed.erase(pieces.closed.begin(), pieces.closed.end() - pieces.hollow);
  const auto fail = [&](const std::string& what) { throw Error("body '" + name + "': " + what); };
  if (triangles.empty()) fail("has a pressure but no surface that could hold it");
  if (pieces.closed.empty())
    fail("has a pressure, but its surface is open and would leak: " + pieces.leak +
         "; close it, or fuse points that lie at the same place");
  if (settings.kind != GasLaw::Kind::constant) {
    for (const KeyedNumber::Key& key : settings.amount.keys)
      if (!(key.value > 0.0)) fail("pressure.amount is " + shortest(key.value) + "; it must be above 0");
    for (const ClosedPiece& piece : pieces.closed) {
      const double edge = (places[std::size_t(piece[0][0])] - places[std::size_t(piece[0][1])]).norm();
      if (!(ClosedVolume(piece).volume(rest) > 1e-6 * edge * edge * edge))
        fail(
            "encloses no volume at rest, so pressure.amount says nothing about its gas; give pressure.value "
            "instead, or a rest shape that is not flat");
    }
  }
  return std::make_unique<Pressure>(settings, pieces.closed, rest);
}

std::string pressure_warning(const std::string& name, const std::vector<std::array<int, 3>>& triangles,
                             const std::vector<Vec3>& rest) {
  const ClosedPieces pieces = closed_pieces(triangles, rest);
  if (pieces.open == 0 || pieces.closed.empty()) return "";
  return "body '" + name + "': the pressure acts in " + std::to_string(pieces.closed.size()) +
         " closed pieces; " + std::to_string(pieces.open) + " more would leak and have none: " + pieces.leak;
}

}  // namespace verve
