#include "energy/BendingEnergy.h"

#include <algorithm>

#include "energy/CurvatureEnergy.h"
#include "energy/SheetRest.h"

namespace verve {
namespace {

using bending::respond;

/// Sheets that are flat at rest: one constant number for every two points that see each other.
class FlatBending final : public CurvatureEnergy {
 public:
  FlatBending(int points, const std::vector<CurvatureStencil>& curvature, const std::vector<SheetLaw>& law,
              const Partition& partition)
      : CurvatureEnergy(curvature, law, partition) {
    std::vector<std::array<int, 2>> pairs;
    append_pairs(pairs);
    matrix_ = make_block_pattern(points, pairs);
    value_.assign(matrix_.column.size(), 0.0);
    for (std::size_t e = 0; e < curvature.size(); ++e) {
      const CurvatureStencil& s = curvature[e];
      const SheetLaw& d = law[e];
      for (int i = 0; i < N; ++i) {
        const double* w = s.w[i];
        const double m[3] = {s.area * (d.along_warp * w[0] + d.mixed * w[1]),
                             s.area * (d.mixed * w[0] + d.along_weft * w[1]), s.area * d.shear * w[2]};
        for (int j = 0; j < N; ++j)
          value_[matrix_.find(s.point[i], s.point[j])] +=
              m[0] * s.w[j][0] + m[1] * s.w[j][1] + m[2] * s.w[j][2];
      }
    }
  }

  void attach(const BlockPattern& pattern) override {
    CurvatureEnergy::attach(pattern);
    place_.resize(value_.size());
    parallel_pieces(matrix_.rows(), 256, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        // Both rows are in ascending order.
        int at = pattern.row_start[i];
        for (int k = matrix_.row_start[i]; k < matrix_.row_start[i + 1]; ++k) {
          while (pattern.column[at] != matrix_.column[k]) ++at;
          place_[k] = at;
        }
      }
    });
  }

  /// By triangles, as a sum of squares: the matrix has the same energy as a difference of large numbers.
  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override {
    double both = 0.0, start = 0.0, end = 0.0;
    for (const Sample& j : chord.samples) {
      start += j.w * (1.0 - j.s) * (1.0 - j.s);
      both += j.w * j.s * (1.0 - j.s);
      end += j.w * j.s * j.s;
    }
    const bool path = chord.has_start() && (start != 0.0 || both != 0.0);
    return stencils_.sum_each([&](int i) {
      const Bends& t = bends_[i];
      Pack3s h, m;
      curvature_at(i, x, h);
      respond(t, h, m);
      Pack energy = 0.5 * end * inner(h, m);
      for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 3; ++k) m[a][k] *= end;
      if (path) {
        Pack3s h0, m0;
        curvature_at(i, chord.x0, h0);
        respond(t, h0, m0);
        energy += 0.5 * start * inner(h0, m0) + both * inner(h, m0);
        for (int a = 0; a < 3; ++a)
          for (int k = 0; k < 3; ++k) m[a][k] += both * m0[a][k];
      }
      if (gradient) {
        Pack3 g[N];
        for (int p = 0; p < N; ++p)
          for (int k = 0; k < 3; ++k)
            g[p][k] = t.w[p][0] * m[0][k] + t.w[p][1] * m[1][k] + t.w[p][2] * m[2][k];
        stencils_.scatter(i, g, *gradient);
      }
      return energy;
    });
  }

  void add_hessian(const Chord& chord, const Vector&, double, BlockMatrix& hessian) const override {
    double end = 0.0;
    for (const Sample& j : chord.samples) end += j.w * j.s * j.s;
    parallel_pieces(int(value_.size()), 16384, [&](int begin, int finish) {
      for (int k = begin; k < finish; ++k)
        for (int d : {0, 4, 8}) hessian.values[9 * std::size_t(place_[k]) + d] += end * value_[k];
    });
  }

 private:
  static Pack inner(const Pack3s& a, const Pack3s& b) {
    return dot(a[0], b[0]) + dot(a[1], b[1]) + dot(a[2], b[2]);
  }
  void curvature_at(int i, const Vector& x, Pack3s& h) const {
    Pack3 q[N];
    stencils_.gather(i, x, q);
    bending::curvature(bends_[i], q, h);
  }

  BlockPattern matrix_;
  std::vector<double> value_;
  std::vector<int> place_;  ///< of each value in the step's matrix
};

class CurvedBending final : public CurvatureEnergy, public SheetRest {
 public:
  using CurvatureEnergy::CurvatureEnergy;

  int constants() const override { return SheetRest::constants; }
  int rest_constants() const override { return SheetRest::rest_constants; }
  void get_constants(double* out) const override {
    stencils_.for_each_lane([&](int i, int lane, int element) {
      const Bends& t = bends_[i];
      double* c = out + SheetRest::constants * element;
      for (int k = 0; k < 3; ++k) c[k] = t.rest[k][lane];
      c[3] = t.area[lane];
      c[4] = t.d11[lane], c[5] = t.d22[lane], c[6] = t.d12[lane], c[7] = t.d33[lane];
    });
  }
  void set_constants(const double* from) override {
    stencils_.for_each_lane([&](int i, int lane, int element) {
      Bends& t = bends_[i];
      const double* c = from + SheetRest::constants * element;
      for (int k = 0; k < 3; ++k) t.rest[k].set(lane, c[k]);
      t.area.set(lane, c[3]);
      t.d11.set(lane, c[4]), t.d22.set(lane, c[5]), t.d12.set(lane, c[6]), t.d33.set(lane, c[7]);
    });
  }
  void present(const Vector& x, double* out) const override {
    for (int i = 0; i < stencils_.size(); ++i) {
      const Shape shape = shape_at(i, x);
      const Pack size = dot(shape.normal, shape.normal);
      for (int a = 0; a < 3; ++a) {
        const Pack k = dot(shape.normal, shape.h[a]) / size;
        for (int lane = 0; lane < Pack::size; ++lane) out[3 * stencils_[i].element[lane] + a] = k[lane];
      }
    }
  }

  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override {
    return stencils_.sum_each([&](int i) {
      const Bends& t = bends_[i];
      Pack energy = 0.0;
      Pack3 sum[N] = {};
      for_each_sample(i, chord, x, [&](const Sample& j, const Shape& shape) {
        Pack3s r, m;
        shape.residual(t, r);
        respond(t, r, m);
        energy += 0.5 * j.w * (dot(r[0], m[0]) + dot(r[1], m[1]) + dot(r[2], m[2]));
        if (!gradient) return;
        Pack3 g[N];
        spread(t, shape, m, g);
        for (int p = 0; p < N; ++p)
          for (int k = 0; k < 3; ++k) sum[p][k] += j.w * j.s * g[p][k];
      });
      if (gradient) stencils_.scatter(i, sum, *gradient);
      return energy;
    });
  }

  void add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const override {
    prepare();
    stencils_.for_each([&](int i) {
      const Bends& t = bends_[i];
      Pack h[N][N][9];
      for (auto& row : h)
        for (auto& block : row) std::fill(block, block + 9, Pack(0.0));
      double weight = 0.0;
      for (const Sample& j : chord.samples) weight += j.w * j.s * j.s;
      Pack answer[N][3], rest[3];
      respond(t, t.rest, rest);
      for (int p = 0; p < N; ++p) respond(t, t.w[p], answer[p]);
      for (int p = 0; p < N; ++p)
        for (int q = 0; q < N; ++q) {
          const Pack k =
              weight * (t.w[p][0] * answer[q][0] + t.w[p][1] * answer[q][1] + t.w[p][2] * answer[q][2]);
          for (int d : {0, 4, 8}) h[p][q][d] = k;
        }
      const Pack squared = t.rest[0] * rest[0] + t.rest[1] * rest[1] + t.rest[2] * rest[2];
      for_each_sample(i, chord, x, [&](const Sample& j, const Shape& shape) {
        const double w = j.w * j.s * j.s;
        Pack turn[3][9];
        for (int p = 0; p < 3; ++p) shape.turn(t, p, turn[p]);
        for (int p = 0; p < N; ++p) {
          const Pack by = w * (t.w[p][0] * rest[0] + t.w[p][1] * rest[1] + t.w[p][2] * rest[2]);
          for (int q = 0; q < 3; ++q)
            for (int k = 0; k < 9; ++k) {
              h[p][q][k] -= by * turn[q][k];
              h[q][p][k] -= by * turn[q][3 * (k % 3) + k / 3];
            }
        }
        for (int p = 0; p < 3; ++p)
          for (int q = 0; q < 3; ++q)
            for (int k = 0; k < 9; ++k) {
              Pack s = 0.0;
              for (int l = 0; l < 3; ++l) s += turn[p][3 * l + k / 3] * turn[q][3 * l + k % 3];
              h[p][q][k] += w * squared * s;
            }
        if (filter >= 1.0) return;  // without the stress's part it is semi-definite
        Pack3s r, m;
        shape.residual(t, r);
        respond(t, r, m);
        Pack3 turned;
        for (int k = 0; k < 3; ++k)
          turned[k] = -(1.0 - filter) * w * (t.rest[0] * m[0][k] + t.rest[1] * m[1][k] + t.rest[2] * m[2][k]);
        add_second_turn(t, turned, h);
      });
      stencils_.scatter(i, h, hessian);
    });
  }

 private:
  template <class Visit>
  void for_each_sample(int i, const Chord& chord, const Vector& x, const Visit& visit) const {
    Pack3 q0[N], q1[N], q[N];
    stencils_.gather(i, x, q1);
    if (chord.has_start()) stencils_.gather(i, chord.x0, q0);
    for (const Sample& j : chord.samples) {
      for (int p = 0; p < N; ++p)
        for (int k = 0; k < 3; ++k) q[p][k] = j.s == 1.0 ? q1[p][k] : q0[p][k] + j.s * (q1[p][k] - q0[p][k]);
      visit(j, Shape(bends_[i], q));
    }
  }
};

}  // namespace

void append_bending(const Vector& rest, const std::vector<std::array<int, 3>>& triangles,
                    const std::vector<SheetMaterial>& material, const Partition& partition,
                    std::vector<std::unique_ptr<Energy>>& energies, const std::vector<char>& changes,
                    ChangingBends* found) {
  if (std::all_of(material.begin(), material.end(),
                  [](const SheetMaterial& m) { return m.bend == SheetLaw(); }))
    return;
  std::vector<CurvatureStencil> flat, curved;
  std::vector<SheetLaw> flat_law, curved_law;
  const std::vector<CurvatureStencil> all = curvature_stencils(rest, triangles, material);
  for (std::size_t e = 0; e < all.size(); ++e) {
    if (found) found->element.push_back(-1);
    if (material[e].bend == SheetLaw()) continue;
    const bool bent = all[e].rest[0] != 0.0 || all[e].rest[1] != 0.0 || all[e].rest[2] != 0.0 ||
                      (!changes.empty() && changes[e]);
    if (found && bent) found->element.back() = int(curved.size());
    (bent ? curved : flat).push_back(all[e]);
    (bent ? curved_law : flat_law).push_back(material[e].bend);
  }
  if (!flat.empty())
    energies.push_back(std::make_unique<FlatBending>(int(rest.size() / 3), flat, flat_law, partition));
  if (curved.empty()) return;
  energies.push_back(std::make_unique<CurvedBending>(curved, curved_law, partition));
  if (found) found->energy = energies.back().get();
}

}  // namespace verve
