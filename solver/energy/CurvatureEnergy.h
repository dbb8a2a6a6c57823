// What the bending of flat and of curved sheets share.
#pragma once

#include <algorithm>
#include <vector>

#include "energy/Energy.h"
#include "energy/MorleyCurvature.h"
#include "energy/Stencils.h"

namespace verve {
namespace bending {

/// The points that a triangle's curvature hangs on.
constexpr int N = 12;

/// The constants of four triangles.
struct Bends {
  Pack w[N][3], g[3][2], rest[3], area, d11, d22, d12, d33;
};

/// Numbers, or vectors, along warp, weft and mixed.
using Pack3s = Pack3[3];

/// A D c: what three curvatures are answered with.
inline void respond(const Bends& t, const Pack (&c)[3], Pack (&out)[3]) {
  out[0] = t.area * (t.d11 * c[0] + t.d12 * c[1]);
  out[1] = t.area * (t.d12 * c[0] + t.d22 * c[1]);
  out[2] = t.area * t.d33 * c[2];
}
inline void respond(const Bends& t, const Pack3s& c, Pack3s& out) {
  for (int k = 0; k < 3; ++k) {
    const Pack in[3] = {c[0][k], c[1][k], c[2][k]};
    Pack m[3];
    respond(t, in, m);
    for (int a = 0; a < 3; ++a) out[a][k] = m[a];
  }
}

/// The curvature vectors: by differences, which rounding harms least.
inline void curvature(const Bends& t, const Pack3 (&q)[N], Pack3s& h) {
  for (int k = 0; k < 3; ++k) {
    for (int a = 0; a < 3; ++a) h[a][k] = 0.0;
    for (int i = 1; i < N; ++i) {
      const Pack d = q[i][k] - q[0][k];
      for (int a = 0; a < 3; ++a) h[a][k] += t.w[i][a] * d;
    }
  }
}

/// Of a bent triangle: f along warp and weft, N = f1 x f2, and the curvature vectors.
struct Shape {
  Pack3 f[2], normal, h[3];

  Shape(const Bends& t, const Pack3 (&q)[N]) {
    for (int k = 0; k < 3; ++k) {
      const Pack d1 = q[1][k] - q[0][k], d2 = q[2][k] - q[0][k];
      for (int c = 0; c < 2; ++c) f[c][k] = t.g[1][c] * d1 + t.g[2][c] * d2;
    }
    curvature(t, q, h);
    normal = cross(f[0], f[1]);
  }
  /// h - rest N: what is left of the curvature.
  void residual(const Bends& t, Pack3s& r) const {
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < 3; ++k) r[a][k] = h[a][k] - t.rest[a] * normal[k];
  }
  /// The transpose of dN/dx_i on v, for a corner i.
  Pack3 turned(const Bends& t, int i, const Pack3& v) const {
    // dN = g1 dx x f2 + g2 f1 x dx, and v.dN = dx.(g1 f2 x v + g2 v x f1)
    const Pack3 one = cross(f[1], v), two = cross(v, f[0]);
    Pack3 out;
    for (int k = 0; k < 3; ++k) out[k] = t.g[i][0] * one[k] + t.g[i][1] * two[k];
    return out;
  }
  /// dN/dx_i, row-major.
  void turn(const Bends& t, int i, Pack (&r)[9]) const {
    Pack v[3];  // of the cross product's matrix: g2 f1 - g1 f2
    for (int k = 0; k < 3; ++k) v[k] = t.g[i][1] * f[0][k] - t.g[i][0] * f[1][k];
    const Pack zero = 0.0;
    const Pack m[9] = {zero, -v[2], v[1], v[2], zero, -v[0], -v[1], v[0], zero};
    std::copy(m, m + 9, r);
  }
};

/// Adds -(g_i1 g_j2 - g_i2 g_j1) [v]x to the blocks of the corners: v . d2N.
void add_second_turn(const Bends& t, const Pack3& v, Pack (&h)[N][N][9]);

}  // namespace bending

/// Elements, damping, and forces one by one.
class CurvatureEnergy : public Energy {
 public:
  static constexpr int N = bending::N;
  using Bends = bending::Bends;
  using Shape = bending::Shape;
  using Pack3s = bending::Pack3s;

  CurvatureEnergy(const std::vector<CurvatureStencil>& curvature, const std::vector<SheetLaw>& law,
                  const Partition& partition);

  bool bends() const override { return true; }
  bool quartic() const override { return true; }
  void append_pairs(std::vector<std::array<int, 2>>& pairs) const override { stencils_.append_pairs(pairs); }
  void attach(const BlockPattern& pattern) override { pattern_ = &pattern, attached_ = false; }

  /// Damping goes by the change of k_a = N.h_a, which turning in space leaves alone.
  double strain_change(const Vector& from, const Vector& x, double weight, const Vector& multiplier,
                       Vector* gradient) const override;
  void add_strain_change_hessian(const Vector& from, const Vector& x, double weight, const Vector& multiplier,
                                 double filter, BlockMatrix& hessian) const override;

  int elements() const override { return stencils_.elements(); }
  int stencil(int element, int (&points)[max_stencil]) const override {
    return stencils_.points_of(element, points);
  }
  void element_gradients(const int (&elements)[Pack::size], const Pack3 (&x)[max_stencil],
                         Pack3 (&gradient)[max_stencil]) const override;

 protected:
  /// The forces of the stresses m_a on r_a.
  static void spread(const Bends& t, const Shape& shape, const Pack3s& m, Pack3 (&g)[N]);
  Shape shape_at(int i, const Vector& x) const {
    Pack3 q[N];
    stencils_.gather(i, x, q);
    return Shape(bends_[i], q);
  }
  /// Looks the blocks up when they are first written: few steps write them, and contacts change the pattern
  /// often.
  void prepare() const {
    if (attached_) return;
    stencils_.attach(*pattern_);
    attached_ = true;
  }

  mutable Stencils<N> stencils_;
  std::vector<Bends> bends_;
  const BlockPattern* pattern_ = nullptr;
  mutable bool attached_ = false;

 private:
  void add_second(int i, const Vector& from, const Shape& shape, Pack by, Pack (&h)[N][N][9]) const;
};

}  // namespace verve
