#include "energy/CurvatureEnergy.h"

namespace verve {
namespace bending {

void add_second_turn(const Bends& t, const Pack3& v, Pack (&h)[N][N][9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (i == j) continue;
      const Pack by = t.g[i][1] * t.g[j][0] - t.g[i][0] * t.g[j][1];
      h[i][j][1] -= by * v[2], h[i][j][2] += by * v[1];
      h[i][j][3] += by * v[2], h[i][j][5] -= by * v[0];
      h[i][j][6] -= by * v[1], h[i][j][7] += by * v[0];
    }
}

}  // namespace bending

namespace {

using bending::N;
using bending::Shape;

std::vector<std::array<int, N>> points_of(const std::vector<CurvatureStencil>& curvature) {
  std::vector<std::array<int, N>> points;
  for (const CurvatureStencil& s : curvature) points.push_back(s.point);
  return points;
}

void curvature_change(const Shape& from, const Shape& to, Pack (&c)[3]) {
  for (int a = 0; a < 3; ++a) c[a] = dot(to.normal, to.h[a]) - dot(from.normal, from.h[a]);
}

}  // namespace

CurvatureEnergy::CurvatureEnergy(const std::vector<CurvatureStencil>& curvature,
                                 const std::vector<SheetLaw>& law, const Partition& partition)
    : stencils_(points_of(curvature), partition), bends_(stencils_.size()) {
  for (int i = 0; i < stencils_.size(); ++i)
    for (int lane = 0; lane < Pack::size; ++lane) {
      const int e = stencils_[i].element[lane];
      const CurvatureStencil& s = curvature[e];
      Bends& t = bends_[i];
      for (int p = 0; p < N; ++p)
        for (int a = 0; a < 3; ++a) t.w[p][a].set(lane, s.w[p][a]);
      for (int a = 0; a < 3; ++a) {
        for (int k = 0; k < 2; ++k) t.g[a][k].set(lane, s.gradient[a][k]);
        t.rest[a].set(lane, s.rest[a]);
      }
      t.area.set(lane, s.area);
      t.d11.set(lane, law[e].along_warp);
      t.d22.set(lane, law[e].along_weft);
      t.d12.set(lane, law[e].mixed);
      t.d33.set(lane, law[e].shear);
    }
}

double CurvatureEnergy::strain_change(const Vector& from, const Vector& x, double weight,
                                      const Vector& multiplier, Vector* gradient) const {
  return weight * stencils_.sum_each([&](int i) {
    const Bends& t = bends_[i];
    const Shape shape = shape_at(i, x);
    Pack c[3], m[3];
    curvature_change(shape_at(i, from), shape, c);
    respond(t, c, m);
    const Pack share = stencils_.mean(i, multiplier);
    if (gradient) {
      Pack3 g[N], sum = {};
      for (int p = 0; p < N; ++p) {
        const Pack by = weight * share * (m[0] * t.w[p][0] + m[1] * t.w[p][1] + m[2] * t.w[p][2]);
        for (int k = 0; k < 3; ++k) g[p][k] = by * shape.normal[k];
      }
      for (int k = 0; k < 3; ++k)
        sum[k] = weight * share * (m[0] * shape.h[0][k] + m[1] * shape.h[1][k] + m[2] * shape.h[2][k]);
      for (int p = 0; p < 3; ++p) {
        const Pack3 more = shape.turned(t, p, sum);
        for (int k = 0; k < 3; ++k) g[p][k] += more[k];
      }
      stencils_.scatter(i, g, *gradient);
    }
    return 0.5 * share * (m[0] * c[0] + m[1] * c[1] + m[2] * c[2]);
  });
}

void CurvatureEnergy::add_strain_change_hessian(const Vector& from, const Vector& x, double weight,
                                                const Vector& multiplier, double filter,
                                                BlockMatrix& hessian) const {
  prepare();
  stencils_.for_each([&](int i) {
    const Bends& t = bends_[i];
    const Shape shape = shape_at(i, x);
    const Pack share = weight * stencils_.mean(i, multiplier);
    Pack3s slope[N], answer[N];  // d k_a / dx_p, and A D times it
    for (int p = 0; p < N; ++p) {
      for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 3; ++k) slope[p][a][k] = t.w[p][a] * shape.normal[k];
      if (p < 3)
        for (int a = 0; a < 3; ++a) {
          const Pack3 more = shape.turned(t, p, shape.h[a]);
          for (int k = 0; k < 3; ++k) slope[p][a][k] += more[k];
        }
      respond(t, slope[p], answer[p]);
    }
    Pack h[N][N][9];
    for (int p = 0; p < N; ++p)
      for (int q = 0; q < N; ++q)
        for (int k = 0; k < 9; ++k)
          h[p][q][k] =
              share * (slope[p][0][k / 3] * answer[q][0][k % 3] + slope[p][1][k / 3] * answer[q][1][k % 3] +
                       slope[p][2][k / 3] * answer[q][2][k % 3]);
    if (filter < 1.0 && &from != &x) add_second(i, from, shape, (1.0 - filter) * share, h);
    stencils_.scatter(i, h, hessian);
  });
}

void CurvatureEnergy::element_gradients(const int (&elements)[Pack::size], const Pack3 (&x)[max_stencil],
                                        Pack3 (&gradient)[max_stencil]) const {
  Bends t;
  const auto copy = [](Pack& to, int lane, const Pack& from, int from_lane) {
    to.set(lane, from[from_lane]);
  };
  for (int lane = 0; lane < Pack::size; ++lane) {
    const auto place = stencils_.place_of(elements[lane]);
    const Bends& from = bends_[place.block];
    // A Bends is packs and nothing else.
    const Pack* in = reinterpret_cast<const Pack*>(&from);
    Pack* out = reinterpret_cast<Pack*>(&t);
    for (std::size_t k = 0; k < sizeof(Bends) / sizeof(Pack); ++k) copy(out[k], lane, in[k], place.lane);
  }
  const Shape shape(t, x);
  Pack3s r, m;
  shape.residual(t, r);
  respond(t, r, m);
  spread(t, shape, m, gradient);
}

void CurvatureEnergy::spread(const Bends& t, const Shape& shape, const Pack3s& m, Pack3 (&g)[N]) {
  Pack3 turned = {};
  for (int k = 0; k < 3; ++k) {
    for (int p = 0; p < N; ++p) g[p][k] = t.w[p][0] * m[0][k] + t.w[p][1] * m[1][k] + t.w[p][2] * m[2][k];
    turned[k] = -(t.rest[0] * m[0][k] + t.rest[1] * m[1][k] + t.rest[2] * m[2][k]);
  }
  for (int p = 0; p < 3; ++p) {
    const Pack3 more = shape.turned(t, p, turned);
    for (int k = 0; k < 3; ++k) g[p][k] += more[k];
  }
}

/// The curvature change's answer times d2 k_a.
void CurvatureEnergy::add_second(int i, const Vector& from, const Shape& shape, Pack by,
                                 Pack (&h)[N][N][9]) const {
  const Bends& t = bends_[i];
  Pack c[3], m[3], w[N];
  curvature_change(shape_at(i, from), shape, c);
  respond(t, c, m);
  Pack3 sum;
  for (int k = 0; k < 3; ++k)
    sum[k] = by * (m[0] * shape.h[0][k] + m[1] * shape.h[1][k] + m[2] * shape.h[2][k]);
  for (int p = 0; p < N; ++p) w[p] = by * (m[0] * t.w[p][0] + m[1] * t.w[p][1] + m[2] * t.w[p][2]);
  for (int q = 0; q < 3; ++q) {
    Pack turn[9];
    shape.turn(t, q, turn);
    for (int p = 0; p < N; ++p)
      for (int k = 0; k < 9; ++k) {
        h[p][q][k] += w[p] * turn[k];
        h[q][p][k] += w[p] * turn[3 * (k % 3) + k / 3];
      }
  }
  add_second_turn(t, sum, h);
}

}  // namespace verve
