#include "term/Attachments.h"

#include <Eigen/Geometry>
#include <cmath>

#include "system/State.h"
#include "term/EndWeight.h"
#include "term/MeanForce.h"

namespace verve {
namespace {

/// What a spring remembers from step to step, as it stands in the term's memory.
struct Memory {
  static constexpr std::size_t size = attachment_numbers;
  enum Phase { waits, holds, gone };

  explicit Memory(double* at) : at_(at) {}
  double& phase() { return at_[0]; }
  double& length() { return at_[1]; }
  Eigen::Map<Vec3> end() { return Eigen::Map<Vec3>(at_ + 2); }  ///< where its outer end is
  Eigen::Map<Vec3> normal() { return Eigen::Map<Vec3>(at_ + 5); }
  CarriedPlace carried() const {
    const Vec3 numbers(at_[11], at_[12], at_[13]);
    return {{int(at_[8]), int(at_[9]), int(at_[10])}, numbers, numbers};
  }
  void keep(const CarriedPlace& p) {
    for (int k = 0; k < 3; ++k) at_[8 + k] = p.corners[std::size_t(k)];
    Eigen::Map<Vec3>(at_ + 11) = p.corners[0] < 0 ? p.local : p.weights;
  }

 private:
  double* at_;
};

class Attachments final : public Term {
 public:
  Attachments(const AttachmentList& list, const std::vector<ColliderSpec>& colliders, const Vector& x,
              const Vector& mass) {
    std::vector<int> carrier(colliders.size(), -1);
    initial_.assign(Memory::size * list.springs.size(), 0.0);
    for (std::size_t k = 0; k < list.springs.size(); ++k) {
      Spring s;
      s.is = list.springs[k];
      s.points[s.count++] = s.is.point, s.share[0] = 1.0;
      for (int c = 0; c < 3; ++c)
        if (s.is.to[std::size_t(c)] >= 0 && s.is.weights[c] != 0.0)
          s.points[s.count] = s.is.to[std::size_t(c)], s.share[s.count++] = -s.is.weights[c];
      double give = 0.0;
      for (int i = 0; i < s.count; ++i) give += s.share[i] * s.share[i] / mass[3 * Eigen::Index(s.points[i])];
      s.mass = 1.0 / give;
      Memory memory(&initial_[Memory::size * k]);
      Vec3 end = s.is.place;
      if (s.count > 1) end.setZero();
      if (s.is.collider >= 0) {
        int& number = carrier[std::size_t(s.is.collider)];
        if (number < 0) {
          number = int(carriers_.size());
          carriers_.emplace_back(colliders[std::size_t(s.is.collider)]);
          carriers_.back().show(0.0);
        }
        s.carrier = number;
        Vec3 normal;
        const CarriedPlace place = carriers_[std::size_t(number)].nearest(point(x, s.is.point), normal);
        memory.keep(place);
        memory.normal() = normal;
        end = carriers_[std::size_t(number)].at(place);
      }
      memory.end() = end;
      memory.phase() = Memory::waits;
      springs_.push_back(s);
      if (springs_.back().is.from <= 0.0) hold(springs_.back(), x, memory);
    }
  }

  const char* name() const override { return "attachments"; }
  bool reversible() const override {
    for (const Spring& s : springs_)
      if (s.is.damping != 0.0) return false;
    return true;
  }

  void append_pairs(std::vector<std::array<int, 2>>& pairs) const override {
    for (const Spring& s : springs_)
      for (int i = 0; i < s.count; ++i)
        for (int j = 0; j < i; ++j) pairs.push_back({s.points[i], s.points[j]});
  }
  void attach(const BlockPattern& pattern) override {
    for (Spring& s : springs_)
      for (int i = 0; i < s.count; ++i)
        for (int j = 0; j < s.count; ++j) s.block[i][j] = pattern.find(s.points[i], s.points[j]);
  }

  TermBooks begin(const Drivers&, const State& state, double h, TermMemory& memory) override {
    if (memory.size() != initial_.size()) memory = initial_;
    h_ = h;
    TermBooks books;
    const auto each = [&](const auto& act) {
      for (std::size_t k = 0; k < springs_.size(); ++k) act(springs_[k], Memory(&memory[Memory::size * k]));
    };
    bool slides = false;
    each([&](Spring& s, Memory m) {
      if (m.phase() == Memory::holds && state.time >= s.is.until - 1e-9) {
        books.dissipated += energy(s, m, offset(s, state.x, m.end()));
        m.phase() = Memory::gone;
      } else if (m.phase() == Memory::waits && state.time >= s.is.from - 1e-9) {
        hold(s, state.x, m);
        books.work += energy(s, m, offset(s, state.x, m.end()));
      }
      slides |= s.is.slides;
    });
    if (slides) {
      for (Carrier& c : carriers_) c.show(state.time);
      each([&](Spring& s, Memory m) {
        if (!s.is.slides || m.phase() == Memory::gone) return;
        if (m.phase() == Memory::holds) books.work -= energy(s, m, offset(s, state.x, m.end()));
        Vec3 normal;
        Carrier& carrier = carriers_[std::size_t(s.carrier)];
        const CarriedPlace place = carrier.nearest(point(state.x, s.is.point), normal);
        m.keep(place);
        m.normal() = normal;
        m.end() = carrier.at(place);
        if (m.phase() == Memory::holds) books.work += energy(s, m, offset(s, state.x, m.end()));
      });
    }
    for (Carrier& c : carriers_) c.show(state.time + h);
    each([&](Spring& s, Memory m) {
      s.acts = m.phase() == Memory::holds;
      s.length = m.length();
      s.normal = m.normal();
      const Vec3 from = m.end();
      if (s.carrier >= 0) m.end() = carriers_[std::size_t(s.carrier)].at(m.carried());
      s.moved = m.end() - from;
      s.end = from;
      s.start = offset(s, state.x, from);
      s.velocity = offset(s, state.v, s.moved / h);
      s.axis = (s.start + 0.5 * h * s.velocity).normalized();
      s.theta = theta_of_damper(s.is.damping * std::abs(h) / s.mass);
    });
    return books;
  }

  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override {
    mean_.set(chord, rule_);
    double sum = 0.0;
    for (const Spring& s : springs_) {
      if (!s.acts) continue;
      const Vec3 change = offset(s, x, Vec3::Zero()) - offset(s, chord.x0, Vec3::Zero()) - s.moved;
      const double at_start = energy(s, s.start);
      s.pull.setZero();
      for (const MeanForce::Node& node : mean_.nodes) {
        const Vec3 d = s.start + node.s * change, slope = this->slope(s, d);
        sum += mean_.weight * node.share *
               (node.s == 0.0 ? slope.dot(change) : (energy(s, d) - at_start) / node.s);
        s.pull += node.share * slope;
      }
      if (s.is.damping != 0.0) {
        const double beyond = beyond_mean(s.theta, mean_.weight, h_);
        const Vec3 u = along(s, s.velocity + beyond * (change / h_ - s.velocity));
        sum += mean_.weight * h_ * s.is.damping * u.squaredNorm() / (2.0 * beyond);
        s.drag = s.is.damping * u;
      }
      if (!gradient) continue;
      for (int i = 0; i < s.count; ++i)
        point(*gradient, s.points[i]) += mean_.weight * s.share[i] * (s.pull + s.drag);
    }
    return sum;
  }

  void add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const override {
    mean_.set(chord, rule_);
    for (const Spring& s : springs_) {
      if (!s.acts) continue;
      const Vec3 change = offset(s, x, Vec3::Zero()) - offset(s, chord.x0, Vec3::Zero()) - s.moved;
      Mat3 block = Mat3::Zero();
      for (const MeanForce::Node& node : mean_.nodes)
        block += mean_.weight * node.share * node.s * curvature(s, s.start + node.s * change, filter);
      if (s.is.damping != 0.0) {
        const Mat3 way = s.is.slides      ? Mat3(s.normal * s.normal.transpose())
                         : s.length > 0.0 ? Mat3(s.axis * s.axis.transpose())
                                          : Mat3::Identity();
        block += mean_.weight * s.is.damping * beyond_mean(s.theta, mean_.weight, h_) / h_ * way;
      }
      for (int i = 0; i < s.count; ++i)
        for (int j = 0; j < s.count; ++j) {
          double* out = &hessian.values[9 * std::size_t(s.block[i][j])];
          for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) out[3 * r + c] += s.share[i] * s.share[j] * block(r, c);
        }
    }
  }

  void add_explicit_gradient(const Vector& x, const Vector& v, Vector& gradient) const override {
    for (const Spring& s : springs_) {
      if (!s.acts) continue;
      s.pull = slope(s, offset(s, x, s.end));
      const double a = s.is.damping * std::abs(h_) / s.mass;
      s.drag = (a > 0.0 ? -std::expm1(-a) / a : 1.0) * s.is.damping * along(s, offset(s, v, s.moved / h_));
      for (int i = 0; i < s.count; ++i) point(gradient, s.points[i]) += s.share[i] * (s.pull + s.drag);
    }
  }

  TermBooks end(const Chord& chord, const Vector& x, TermMemory& memory) override {
    TermBooks books;
    for (std::size_t k = 0; k < springs_.size(); ++k) {
      const Spring& s = springs_[k];
      if (!s.acts) continue;
      Memory m(&memory[Memory::size * k]);
      const Vec3 d = offset(s, x, m.end());
      books.work -= (s.pull + s.drag).dot(s.moved);
      books.dissipated += s.drag.dot(d - offset(s, chord.x0, m.end() - s.moved));
      if (slope(s, d).norm() > s.is.breaks) {
        books.dissipated += energy(s, d);
        m.phase() = Memory::gone;
      }
    }
    return books;
  }

  double energy(const Vector& x, const TermMemory& memory) const override {
    const TermMemory& now = memory.size() == initial_.size() ? memory : initial_;
    double sum = 0.0;
    for (std::size_t k = 0; k < springs_.size(); ++k) {
      Memory m(const_cast<double*>(&now[Memory::size * k]));
      if (m.phase() == Memory::holds) sum += energy(springs_[k], m, offset(springs_[k], x, m.end()));
    }
    return sum;
  }

 private:
  struct Spring {
    Attachment is;
    int count = 0;  // of points
    int points[4] = {0, 0, 0, 0};
    double share[4] = {0.0, 0.0, 0.0, 0.0};
    int block[4][4] = {};
    int carrier = -1;
    double mass = 1.0;  // that its ends have for it
    // Of the step:
    bool acts = false;
    double length = 0.0, theta = 0.5;
    Vec3 normal = Vec3::Zero(), axis = Vec3::Zero();
    Vec3 start = Vec3::Zero(), velocity = Vec3::Zero();     // from the outer end to the point
    Vec3 end = Vec3::Zero(), moved = Vec3::Zero();          // the outer end's place and its way
    mutable Vec3 pull = Vec3::Zero(), drag = Vec3::Zero();  // of the last evaluation, on average
  };

  /// sum share x - end
  static Vec3 offset(const Spring& s, const Vector& x, const Vec3& end) {
    Vec3 d = -end;
    for (int i = 0; i < s.count; ++i) d += s.share[i] * point(x, s.points[i]);
    return d;
  }
  static Vec3 along(const Spring& s, const Vec3& u) {
    if (s.is.slides) return s.normal.dot(u) * s.normal;
    return s.length > 0.0 ? Vec3(s.axis.dot(u) * s.axis) : u;
  }
  void hold(Spring& s, const Vector& x, Memory m) const {
    m.phase() = Memory::holds;
    m.length() = s.is.slides ? 0.0 : s.is.length >= 0.0 ? s.is.length : offset(s, x, m.end()).norm();
    // What is this near is meant to be at one place.
    if (s.is.length < 0.0 && m.length() < 1e-9) m.length() = 0.0;
  }

  static double energy(double k, double length, bool slides, const Vec3& normal, const Vec3& d) {
    if (slides) return 0.5 * k * normal.dot(d) * normal.dot(d);
    const double square = d.squaredNorm();
    if (length == 0.0) return 0.5 * k * square;
    const double over = square - length * length;
    return k / (8.0 * length * length) * over * over;
  }
  static double energy(const Spring& s, Memory m, const Vec3& d) {
    return energy(s.is.stiffness, m.length(), s.is.slides, m.normal(), d);
  }
  static double energy(const Spring& s, const Vec3& d) {
    return energy(s.is.stiffness, s.length, s.is.slides, s.normal, d);
  }
  static Vec3 slope(const Spring& s, const Vec3& d) {
    const double k = s.is.stiffness;
    if (s.is.slides) return k * s.normal.dot(d) * s.normal;
    if (s.length == 0.0) return k * d;
    return k / (2.0 * s.length * s.length) * (d.squaredNorm() - s.length * s.length) * d;
  }
  /// Pressed springs have less than nothing across; `filter` takes so much of that away.
  static Mat3 curvature(const Spring& s, const Vec3& d, double filter) {
    const double k = s.is.stiffness;
    if (s.is.slides) return k * s.normal * s.normal.transpose();
    if (s.length == 0.0) return k * Mat3::Identity();
    double across = d.squaredNorm() - s.length * s.length;
    if (across < 0.0) across *= 1.0 - filter;
    return k / (2.0 * s.length * s.length) * (across * Mat3::Identity() + 2.0 * d * d.transpose());
  }

  std::vector<Spring> springs_;
  std::vector<Carrier> carriers_;
  TermMemory initial_;
  const Quadrature rule_ = simpson();  // exact for energies of degree four
  double h_ = 1.0;
  mutable MeanForce mean_;
};

}  // namespace

std::unique_ptr<Term> make_attachments(const AttachmentList& list, const std::vector<ColliderSpec>& colliders,
                                       const Vector& x, const Vector& mass) {
  return std::make_unique<Attachments>(list, colliders, x, mass);
}

}  // namespace verve
