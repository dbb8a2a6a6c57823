#include <algorithm>
#include <cmath>

#include "energy/MembraneEnergy.h"

namespace verve {
namespace {

/// The strain's stress at a limit, as a multiple of what the membrane answers with there.
constexpr double steepness = 100.0;

/// Gauss-Legendre on [0, 1], exact to the degree 15; the force along a chord has the degree 7.
constexpr double place[8] = {0.01985507175123188, 0.10166676129318664, 0.2372337950418355,
                             0.4082826787521751,  0.5917173212478249,  0.7627662049581645,
                             0.8983332387068134,  0.9801449282487681};
constexpr double share[8] = {0.05061426814518813, 0.11119051722668724, 0.15685332293894363,
                             0.18134189168918100, 0.18134189168918100, 0.15685332293894363,
                             0.11119051722668724, 0.05061426814518813};

/// One direction of a triangle: psi = k w m^4 / 4 with m = (E - onset) / w where that is positive; per area.
struct Limit {
  double stiffness = 0.0, onset = 0.0, width = 1.0;

  struct Response {
    double value, force, slope;
  };
  Response at(double strain) const {
    const double m = std::max(0.0, (strain - onset) / width);
    return {0.25 * stiffness * width * m * m * m * m, stiffness * m * m * m, 3.0 * stiffness * m * m / width};
  }
};

Limit limit_of(double stretch, double stiffness) {
  if (!(stretch > 0.0)) return {};
  const double strain = 0.5 * ((1.0 + stretch) * (1.0 + stretch) - 1.0);
  return {steepness * stiffness * strain, 0.5 * strain, 0.5 * strain};
}

double strain_of(const Vec3& f) {
  return 0.5 * (f.squaredNorm() - 1.0);
}

/// The parts of the chord on which a direction is stretched beyond its onset. |f|^2 is convex along it, so
/// that they reach from an end to a crossing.
int stretched_parts(const Limit& limit, const Vec3& f0, const Vec3& f1, double (&from)[2], double (&to)[2]) {
  const bool out0 = strain_of(f0) > limit.onset, out1 = strain_of(f1) > limit.onset;
  if (!out0 && !out1) return 0;
  const Vec3 d = f1 - f0;
  const double a = 0.5 * d.squaredNorm(), b = f0.dot(d), c = strain_of(f0) - limit.onset;
  const double inside = b * b - 4.0 * a * c;  // of a s^2 + b s + c
  double low = 1.0, high = 1.0;
  if (inside > 0.0 && a > 0.0) {
    const double q = -0.5 * (b + std::copysign(std::sqrt(inside), b));
    const double one = q / a, other = q != 0.0 ? c / q : 0.0;
    low = std::min(one, other), high = std::max(one, other);
  }
  if (out0 && out1 && !(low > 0.0 && high < 1.0)) {
    from[0] = 0.0, to[0] = 1.0;
    return 1;
  }
  int parts = 0;
  if (out0) from[parts] = 0.0, to[parts] = std::min(1.0, out1 ? low : (low > 0.0 ? low : high)), ++parts;
  if (out1) from[parts] = std::max(0.0, high), to[parts] = 1.0, ++parts;
  return parts;
}

class StrainLimit final : public Energy {
 public:
  StrainLimit(const Vector& rest, const std::vector<std::array<int, 3>>& triangles,
              const std::vector<SheetMaterial>& material, const Partition& partition)
      : stencils_(triangles, partition), sheets_(triangles.size()) {
    for (std::size_t e = 0; e < triangles.size(); ++e) {
      const auto corner = [&](int a) -> Vec3 { return point(rest, triangles[e][a]); };
      sheets_[e].frame = sheet_frame({corner(0), corner(1), corner(2)}, material[e].warp);
      sheets_[e].limit[0] = limit_of(material[e].warp_limit, material[e].stretch.along_warp);
      sheets_[e].limit[1] = limit_of(material[e].weft_limit, material[e].stretch.along_weft);
    }
  }

  void append_pairs(std::vector<std::array<int, 2>>& pairs) const override { stencils_.append_pairs(pairs); }
  void attach(const BlockPattern& pattern) override { stencils_.attach(pattern); }

  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override {
    return stencils_.sum_each([&](int i) {
      Pack energy = 0.0;
      Pack3 g[3] = {};
      bool any = false;
      for_each_stretched(i, chord, x, [&](int lane, const Sheet& t, int k, const Vec3& f0, const Vec3& f1) {
        any = true;
        const Sum sum = sum_along(t.limit[k], chord, f0, f1, false);
        energy.set(lane, energy[lane] + t.frame.area * sum.value);
        for (int a = 0; a < 3; ++a)
          for (int j = 0; j < 3; ++j)
            g[a][j].set(lane, g[a][j][lane] + t.frame.area * t.frame.gradient[a][k] * sum.force[j]);
      });
      if (any && gradient) stencils_.scatter(i, g, *gradient);
      return energy;
    });
  }

  /// Semi-definite by itself: it only ever pulls.
  void add_hessian(const Chord& chord, const Vector& x, double, BlockMatrix& hessian) const override {
    stencils_.for_each([&](int i) {
      Pack h[3][3][9] = {};
      bool any = false;
      for_each_stretched(i, chord, x, [&](int lane, const Sheet& t, int k, const Vec3& f0, const Vec3& f1) {
        any = true;
        const Sum sum = sum_along(t.limit[k], chord, f0, f1, true);
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) {
            const double w = t.frame.area * t.frame.gradient[a][k] * t.frame.gradient[b][k];
            for (int j = 0; j < 9; ++j)
              h[a][b][j].set(lane, h[a][b][j][lane] + w * sum.stiffness(j / 3, j % 3));
          }
      });
      if (any) stencils_.scatter(i, h, hessian);
    });
  }

  /// Not that, but an averaging chord gets its mean force exactly.
  bool quartic() const override { return true; }
  int elements() const override { return stencils_.elements(); }
  int stencil(int element, int (&points)[max_stencil]) const override {
    return stencils_.points_of(element, points);
  }
  void element_gradients(const int (&elements)[Pack::size], const Pack3 (&x)[max_stencil],
                         Pack3 (&gradient)[max_stencil]) const override {
    for (int a = 0; a < 3; ++a) gradient[a] = {};
    for (int lane = 0; lane < Pack::size; ++lane) {
      const Sheet& t = sheets_[elements[lane]];
      for (int k = 0; k < 2; ++k) {
        Vec3 f = Vec3::Zero();
        for (int a = 0; a < 3; ++a)
          for (int j = 0; j < 3; ++j) f[j] += t.frame.gradient[a][k] * x[a][j][lane];
        const double force = t.frame.area * t.limit[k].at(strain_of(f)).force;
        for (int a = 0; a < 3; ++a)
          for (int j = 0; j < 3; ++j)
            gradient[a][j].set(lane, gradient[a][j][lane] + force * t.frame.gradient[a][k] * f[j]);
      }
    }
  }

 private:
  struct Sheet {
    SheetFrame frame;
    Limit limit[2];  ///< along warp and weft
  };
  /// What a chord adds up to, by area, and its derivatives in f at the chord's end.
  struct Sum {
    double value = 0.0;
    Vec3 force = Vec3::Zero();
    Mat3 stiffness = Mat3::Zero();
  };

  /// Calls visit(lane, triangle, direction, f0, f1) for what may be beyond its onset somewhere on the chord.
  template <class Visit>
  void for_each_stretched(int i, const Chord& chord, const Vector& x, const Visit& visit) const {
    const auto& block = stencils_[i];
    for (int lane = 0; lane < Pack::size; ++lane) {
      const Sheet& t = sheets_[block.element[lane]];
      for (int k = 0; k < 2; ++k) {
        if (t.limit[k].stiffness == 0.0) continue;
        Vec3 f0 = Vec3::Zero(), f1 = Vec3::Zero();
        for (int a = 0; a < 3; ++a) {
          f1 += t.frame.gradient[a][k] * point(x, block.point[a][lane]);
          if (chord.has_start()) f0 += t.frame.gradient[a][k] * point(chord.x0, block.point[a][lane]);
        }
        if (!chord.has_start()) f0 = f1;
        if (strain_of(f0) > t.limit[k].onset || strain_of(f1) > t.limit[k].onset) visit(lane, t, k, f0, f1);
      }
    }
  }

  static Sum sum_along(const Limit& limit, const Chord& chord, const Vec3& f0, const Vec3& f1,
                       bool stiffness) {
    Sum sum;
    const auto add = [&](double s, double value_weight, double weight) {
      const Vec3 f = f0 + s * (f1 - f0);
      const Limit::Response r = limit.at(strain_of(f));
      sum.value += value_weight * r.value;
      sum.force += weight * r.force * f;
      if (stiffness) sum.stiffness += weight * s * (r.slope * f * f.transpose() + r.force * Mat3::Identity());
    };
    if (!chord.average) {
      for (const Sample& j : chord.samples) add(j.s, j.w, j.w * j.s);
      return sum;
    }
    // The mean force is the derivative in the end of int (psi(s) - psi(0))/s ds.
    const double whole = chord.average_weight();
    const Limit::Response start = limit.at(strain_of(f0));
    double from[2], to[2], reached = 0.0;
    const int parts = stretched_parts(limit, f0, f1, from, to);
    for (int p = 0; p < parts; ++p) {
      if (reached > 0.0 && from[p] > reached) sum.value -= whole * start.value * std::log(from[p] / reached);
      for (int n = 0; n < 8; ++n) {
        const double s = from[p] + (to[p] - from[p]) * place[n], w = whole * (to[p] - from[p]) * share[n];
        add(s, w / s, w);
        sum.value -= w / s * start.value;
      }
      reached = to[p];
    }
    if (reached > 0.0 && reached < 1.0) sum.value += whole * start.value * std::log(reached);
    // What the rule has of the start's force is in the predictor.
    const double known = whole * chord.start_share * start.force;
    sum.value -= known * f0.dot(f1 - f0);
    sum.force -= known * f0;
    return sum;
  }

  Stencils<3> stencils_;
  std::vector<Sheet> sheets_;
};

}  // namespace

std::unique_ptr<Energy> make_strain_limit(const Vector& rest,
                                          const std::vector<std::array<int, 3>>& triangles,
                                          const std::vector<SheetMaterial>& material,
                                          const Partition& partition) {
  std::vector<std::array<int, 3>> limited;
  std::vector<SheetMaterial> with_limit;
  for (std::size_t e = 0; e < triangles.size(); ++e) {
    if (!(material[e].warp_limit > 0.0 || material[e].weft_limit > 0.0)) continue;
    limited.push_back(triangles[e]);
    with_limit.push_back(material[e]);
  }
  if (limited.empty()) return nullptr;
  return std::make_unique<StrainLimit>(rest, limited, with_limit, partition);
}

}  // namespace verve
