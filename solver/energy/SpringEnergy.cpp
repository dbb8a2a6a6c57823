#include "energy/SpringEnergy.h"

#include <algorithm>

#include "energy/Definite.h"

namespace verve {
namespace {

/// A spring pulls at a vector p that is a sum of its points with these weights.
struct Springs {
  Pack stiffness, length;
  Pack mass;  ///< the inertia against a change of p; of two ends, half the share of mass that each carries
};

/// Between two points: p = x1 - x0.
struct Pairs : Springs {
  static constexpr int N = 2;
  static constexpr int constants = 2, rest_constants = 1;  ///< length; stiffness
  Pack3 vector(const Pack3 (&q)[N]) const {
    return {{q[1][0] - q[0][0], q[1][1] - q[0][1], q[1][2] - q[0][2]}};
  }
  Pack weight(int i) const { return i == 0 ? -1.0 : 1.0; }
  void set_weights(int, const double*) {}
  void get(int lane, double* out) const { out[0] = length[lane], out[1] = stiffness[lane]; }
  void set(int lane, const double* from) { length.set(lane, from[0]), stiffness.set(lane, from[1]); }
};

double stiffness_of_corner(double rigidity, const double* sides) {
  return 2.0 * rigidity / (sides[0] + sides[1]);
}

/// At the middle one of three points of a rope: p is the change of the tangent, over its length at rest.
struct Corners : Springs {
  static constexpr int N = 3;
  static constexpr int constants = 4, rest_constants = 3;  ///< angle, two sides; rigidity
  Pack before, after;
  Pack3 vector(const Pack3 (&q)[N]) const {
    Pack3 p;
    for (int k = 0; k < 3; ++k) p[k] = after * (q[2][k] - q[1][k]) - before * (q[1][k] - q[0][k]);
    return p;
  }
  Pack weight(int i) const { return i == 0 ? before : i == 2 ? after : -(before + after); }
  void set_weights(int lane, const double* sides) {
    before.set(lane, 1.0 / sides[0]), after.set(lane, 1.0 / sides[1]);
  }
  void get(int lane, double* out) const {
    out[0] = length[lane], out[1] = 1.0 / before[lane], out[2] = 1.0 / after[lane];
    out[3] = stiffness[lane] * 0.5 * (out[1] + out[2]);
  }
  void set(int lane, const double* from) {
    length.set(lane, from[0]), set_weights(lane, from + 1);
    stiffness.set(lane, stiffness_of_corner(from[3], from + 1));
  }
};

/// A spring's energy as a function of p = p1 - p0: the gradient is force * p, the Hessian force * 1 + outer *
/// p p^T.
struct Response {
  Pack value, force, outer;
};

struct StVKSpring {
  static constexpr bool quartic = true;
  static Response at(const Springs& s, const Pack3& p) {
    const Pack strain = dot(p, p) - s.length * s.length, force = 2.0 * s.stiffness * strain;
    return {0.5 * s.stiffness * strain * strain, force, 4.0 * s.stiffness};
  }
};

struct HookeanSpring {
  static constexpr bool quartic = false;
  static Response at(const Springs& s, const Pack3& p) {
    const Pack squared = dot(p, p), length = sqrt(squared), strain = length - s.length;
    Response r{0.5 * s.stiffness * strain * strain, s.stiffness * strain / length,
               s.stiffness * s.length / (squared * length)};
    for (int lane = 0; lane < Pack::size; ++lane)
      if (squared[lane] == 0.0) {  // there is no direction to push in
        r.force.set(lane, s.length[lane] == 0.0 ? s.stiffness[lane] : 0.0);
        r.outer.set(lane, 0.0);
      }
    return r;
  }
};

template <class Model, class Form>
class SpringEnergy final : public Energy {
  static constexpr int N = Form::N;

 public:
  /// `sides` has two lengths a corner; pairs have none.
  SpringEnergy(const std::vector<std::array<int, N>>& springs, const SpringMaterial& material,
               const std::vector<double>& sides, const Partition& partition, bool changes = false)
      : stencils_(springs, partition), springs_(stencils_.size()) {
    quartic_ = Model::quartic || (!changes && std::all_of(material.length.begin(), material.length.end(),
                                                          [](double length) { return length == 0.0; }));
    for (int i = 0; i < stencils_.size(); ++i)
      for (int lane = 0; lane < Pack::size; ++lane) {
        const int e = stencils_[i].element[lane];
        springs_[i].set_weights(lane, sides.data() + (sides.empty() ? 0 : 2 * e));
        springs_[i].stiffness.set(lane, material.stiffness[e]);
        springs_[i].length.set(lane, material.length[e]);
        springs_[i].mass.set(lane, 0.5 * material.mass[e]);
      }
  }

  void append_pairs(std::vector<std::array<int, 2>>& pairs) const override { stencils_.append_pairs(pairs); }
  void attach(const BlockPattern& pattern) override { stencils_.attach(pattern); }

  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override {
    const bool corrected = corrected_ && chord.has_start();
    const double weight = corrected ? chord.average_weight() : 0.0;
    return stencils_.sum_each([&](int i) {
      const Ends ends = gather(i, chord, x);
      Pack energy = 0.0;
      Pack3 force = {};
      for (const Sample& j : chord.samples) {
        const Pack3 p = between(ends, j.s);
        const Response r = Model::at(springs_[i], p);
        energy += j.w * r.value;
        for (int k = 0; k < 3; ++k) force[k] += (j.w * j.s) * r.force * p[k];
      }
      if (corrected) {
        energy += weight * dot(correction_[i], ends.p1);
        for (int k = 0; k < 3; ++k) force[k] += weight * correction_[i][k];
      }
      if (gradient) {
        scatter(i, force, *gradient);
      }
      return energy;
    });
  }

  void add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const override {
    stencils_.for_each([&](int i) {
      const Ends ends = gather(i, chord, x);
      Pack b[3][3] = {};
      for (const Sample& j : chord.samples) {
        const Pack3 p = between(ends, j.s);
        const Response r = Model::at(springs_[i], p);
        const double w = j.w * j.s * j.s;
        for (int k = 0; k < 3; ++k) {
          for (int l = 0; l < 3; ++l) b[k][l] += w * r.outer * p[k] * p[l];
          b[k][k] += w * r.force;
        }
      }
      if (filter > 0.0) {
        const unsigned bad = indefinite_lanes(b, springs_[i].mass);
        if (bad) filter_lanes(b, springs_[i].mass, filter, bad);
      }
      scatter(i, b, hessian);
    });
  }

  int elements() const override { return stencils_.elements(); }
  int stencil(int element, int (&points)[max_stencil]) const override {
    return stencils_.points_of(element, points);
  }
  void element_gradients(const int (&elements)[Pack::size], const Pack3 (&x)[max_stencil],
                         Pack3 (&gradient)[max_stencil]) const override {
    Form s;
    for (int lane = 0; lane < Pack::size; ++lane) {
      const auto place = stencils_.place_of(elements[lane]);
      const Form& from = springs_[place.block];
      s.stiffness.set(lane, from.stiffness[place.lane]);
      s.length.set(lane, from.length[place.lane]);
      if constexpr (N == 3)
        s.before.set(lane, from.before[place.lane]), s.after.set(lane, from.after[place.lane]);
    }
    Pack3 q[N];
    std::copy(x, x + N, q);
    const Pack3 p = s.vector(q);
    const Pack force = Model::at(s, p).force;
    for (int a = 0; a < N; ++a)
      for (int k = 0; k < 3; ++k) gradient[a][k] = s.weight(a) * (force * p[k]);
  }

  bool bends() const override { return N == 3; }
  int constants() const override { return Form::constants; }
  int rest_constants() const override { return Form::rest_constants; }
  void get_constants(double* out) const override {
    stencils_.for_each_lane(
        [&](int i, int lane, int element) { springs_[i].get(lane, out + Form::constants * element); });
  }
  void set_constants(const double* from) override {
    stencils_.for_each_lane(
        [&](int i, int lane, int element) { springs_[i].set(lane, from + Form::constants * element); });
  }

  double strain_change(const Vector& from, const Vector& x, double weight, const Vector& multiplier,
                       Vector* gradient) const override {
    return weight * stencils_.sum_each([&](int i) {
      const Pack3 p = vector_at(i, x);
      const Response r = Model::at(rested_at(i, from), p);
      const Pack share = stencils_.mean(i, multiplier);
      if (gradient) {
        Pack3 force;
        for (int k = 0; k < 3; ++k) force[k] = weight * share * r.force * p[k];
        scatter(i, force, *gradient);
      }
      return share * r.value;
    });
  }

  void add_strain_change_hessian(const Vector& from, const Vector& x, double weight, const Vector& multiplier,
                                 double filter, BlockMatrix& hessian) const override {
    stencils_.for_each([&](int i) {
      const Pack3 p = vector_at(i, x);
      const Form spring = rested_at(i, from);
      const Pack share = weight * stencils_.mean(i, multiplier);
      const Response r = Model::at(spring, p);
      // Along p the Hessian is outer |p|^2 + force; without the (signed) force across it stays semi-definite.
      const Pack squared = dot(p, p), kept = (1.0 - filter) * r.force;
      Pack along = r.outer;
      if (filter > 0.0)
        for (int lane = 0; lane < Pack::size; ++lane) {
          const double total = r.outer[lane] * squared[lane] + r.force[lane];
          if (squared[lane] > 0.0) along.set(lane, (std::max(0.0, total) - kept[lane]) / squared[lane]);
        }
      Pack b[3][3];
      for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) b[k][l] = share * along * p[k] * p[l];
        b[k][k] += share * kept;
      }
      scatter(i, b, hessian);
    });
  }

  /// As for tets: the force along the change of p that closes the balance of this spring.
  bool update_correction(const Chord& chord, const Vector& x) override {
    corrected_ = true;
    correction_.resize(springs_.size());
    const double share = 1.0 / chord.average_weight();
    stencils_.for_each([&](int i) {
      const Springs& spring = springs_[i];
      const Ends ends = gather(i, chord, x);
      const Response r0 = Model::at(spring, ends.p0), r1 = Model::at(spring, ends.p1);
      Pack3 q, dp;
      for (int k = 0; k < 3; ++k) q[k] = chord.start_share * r0.force * ends.p0[k];
      for (const Sample& j : chord.samples) {
        const Pack3 p = between(ends, j.s);
        const Pack force = Model::at(spring, p).force;
        for (int k = 0; k < 3; ++k) q[k] += (share * j.w * j.s) * force * p[k];
      }
      for (int k = 0; k < 3; ++k) dp[k] = ends.p1[k] - ends.p0[k];
      const Pack squared = dot(dp, dp), gap = r1.value - r0.value - dot(q, dp);
      const Pack scale = r0.value + r1.value + spring.stiffness * spring.length * spring.length;
      for (int lane = 0; lane < Pack::size; ++lane) {
        const double length = spring.length[lane];
        const bool real =
            squared[lane] > 1e-10 * length * length && std::abs(gap[lane]) > 1e-15 * scale[lane];
        for (int k = 0; k < 3; ++k)
          correction_[i][k].set(lane, real ? gap[lane] / squared[lane] * dp[k][lane] : 0.0);
      }
    });
    return true;
  }
  void clear_correction() override { corrected_ = false; }
  bool quartic() const override { return quartic_; }

 private:
  struct Ends {
    Pack3 p0, p1;  ///< the spring's vector at the chord's ends
  };

  static Pack3 between(const Ends& ends, double s) {
    if (s == 1.0) return ends.p1;
    Pack3 p;
    for (int k = 0; k < 3; ++k) p[k] = ends.p0[k] + s * (ends.p1[k] - ends.p0[k]);
    return p;
  }

  void scatter(int i, const Pack3& force, Vector& gradient) const {
    Pack3 g[N];
    for (int a = 0; a < N; ++a)
      for (int k = 0; k < 3; ++k) g[a][k] = springs_[i].weight(a) * force[k];
    stencils_.scatter(i, g, gradient);
  }
  void scatter(int i, const Pack (&b)[3][3], BlockMatrix& hessian) const {
    Pack h[N][N][9];
    for (int a = 0; a < N; ++a)
      for (int c = 0; c < N; ++c) {
        const Pack by = springs_[i].weight(a) * springs_[i].weight(c);
        for (int k = 0; k < 9; ++k) h[a][c][k] = by * b[k / 3][k % 3];
      }
    stencils_.scatter(i, h, hessian);
  }

  /// The springs as if they were at rest at x.
  Form rested_at(int i, const Vector& x) const {
    Form spring = springs_[i];
    const Pack3 p = vector_at(i, x);
    spring.length = sqrt(dot(p, p));
    return spring;
  }

  Pack3 vector_at(int i, const Vector& x) const {
    Pack3 q[N];
    stencils_.gather(i, x, q);
    return springs_[i].vector(q);
  }
  Ends gather(int i, const Chord& chord, const Vector& x) const {
    const Pack3 p1 = vector_at(i, x);
    return {chord.has_start() ? vector_at(i, chord.x0) : p1, p1};
  }

  Stencils<N> stencils_;
  std::vector<Form> springs_;
  bool quartic_ = false;
  bool corrected_ = false;
  std::vector<Pack3> correction_;
};

}  // namespace

std::unique_ptr<Energy> make_spring_energy(const std::vector<std::array<int, 2>>& springs,
                                           const SpringMaterial& material, const Partition& partition) {
  if (material.model == SpringModel::hookean)
    return std::make_unique<SpringEnergy<HookeanSpring, Pairs>>(springs, material, std::vector<double>(),
                                                                partition);
  return std::make_unique<SpringEnergy<StVKSpring, Pairs>>(springs, material, std::vector<double>(),
                                                           partition);
}

std::unique_ptr<Energy> make_rope_bending(const std::vector<std::array<int, 3>>& corners,
                                          const RopeMaterial& material, const Partition& partition,
                                          bool changes) {
  SpringMaterial springs;
  springs.length = material.angle;
  for (std::size_t e = 0; e < corners.size(); ++e)
    springs.stiffness.push_back(stiffness_of_corner(material.rigidity[e], &material.sides[2 * e]));
  springs.mass.assign(corners.size(), 0.0);
  return std::make_unique<SpringEnergy<HookeanSpring, Corners>>(corners, springs, material.sides, partition,
                                                                changes);
}

std::vector<double> spread_mass(const std::vector<std::array<int, 2>>& springs,
                                const std::vector<double>& mass) {
  std::vector<int> degree(mass.size(), 0);
  for (const auto& s : springs) ++degree[s[0]], ++degree[s[1]];
  std::vector<double> share;
  share.reserve(springs.size());
  for (const auto& s : springs)
    share.push_back(std::min(mass[s[0]] / degree[s[0]], mass[s[1]] / degree[s[1]]));
  return share;
}

}  // namespace verve
