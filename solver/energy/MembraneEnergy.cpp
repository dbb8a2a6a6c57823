#include "energy/MembraneEnergy.h"

#include "energy/SheetRest.h"

namespace verve {
namespace {

/// The constants of four triangles.
struct Sheets {
  Pack g[3][2];                    ///< gradients of the corners' barycentric coordinates along warp and weft
  Pack rest[3] = {0.0, 0.0, 0.0};  ///< Green's strain 11, 22, 12 that is without stress
  Pack area, c11, c22, c12, c33;
  Pack mass;  ///< the share of the triangle's mass that each of its corners carries
};

/// What was along warp and weft at rest.
struct Gradient {
  Pack3 f[2];
};

/// Of a symmetric 2x2 matrix: 11, 22, 12.
struct Plane {
  Pack xx, yy, xy;
};

Gradient gradient_of(const Sheets& t, const Pack3 (&q)[3]) {
  Gradient f;
  for (int i = 0; i < 3; ++i) {
    const Pack d1 = q[1][i] - q[0][i], d2 = q[2][i] - q[0][i];
    for (int k = 0; k < 2; ++k) f.f[k][i] = d1 * t.g[1][k] + d2 * t.g[2][k];
  }
  return f;
}

Gradient between(const Gradient& f0, const Gradient& f1, double s) {
  Gradient f;
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 3; ++i) f.f[k][i] = f0.f[k][i] + s * (f1.f[k][i] - f0.f[k][i]);
  return f;
}

Plane strain_of(const Gradient& f) {
  return {0.5 * (dot(f.f[0], f.f[0]) - 1.0), 0.5 * (dot(f.f[1], f.f[1]) - 1.0), 0.5 * dot(f.f[0], f.f[1])};
}

/// What of the strain there is stress for.
Plane elastic_of(const Sheets& t, const Gradient& f) {
  Plane e = strain_of(f);
  e.xx -= t.rest[0], e.yy -= t.rest[1], e.xy -= t.rest[2];
  return e;
}

/// The stress S in the reference frame, N/m.
Plane stress_of(const Sheets& t, const Plane& e) {
  return {t.c11 * e.xx + t.c12 * e.yy, t.c12 * e.xx + t.c22 * e.yy, 2.0 * t.c33 * e.xy};
}

Pack density_of(const Plane& stress, const Plane& strain) {
  return 0.5 * (stress.xx * strain.xx + stress.yy * strain.yy) + stress.xy * strain.xy;
}

/// The change of Green's strain, as products of differences and sums, which keeps small changes exact.
Plane strain_change_of(const Gradient& f0, const Gradient& f1) {
  Pack3 d[2], sum[2];
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 3; ++i) d[k][i] = f1.f[k][i] - f0.f[k][i], sum[k][i] = f1.f[k][i] + f0.f[k][i];
  return {0.5 * dot(d[0], sum[0]), 0.5 * dot(d[1], sum[1]), 0.25 * (dot(d[0], sum[1]) + dot(d[1], sum[0]))};
}

/// Adds weight * F S to `force`, column by column.
void add_force(const Gradient& f, const Plane& s, Pack weight, Pack3 (&force)[2]) {
  for (int i = 0; i < 3; ++i) {
    force[0][i] += weight * (f.f[0][i] * s.xx + f.f[1][i] * s.xy);
    force[1][i] += weight * (f.f[0][i] * s.xy + f.f[1][i] * s.yy);
  }
}

void spread(const Sheets& t, const Pack3 (&force)[2], Pack3 (&g)[3]) {
  for (int a = 1; a < 3; ++a)
    for (int i = 0; i < 3; ++i) g[a][i] = t.area * (force[0][i] * t.g[a][0] + force[1][i] * t.g[a][1]);
  for (int i = 0; i < 3; ++i) g[0][i] = -(g[1][i] + g[2][i]);
}

/// Adds weight * A B^T C B to the blocks of corners 1 and 2 (those with a <= b).
void add_stiffness(const Sheets& t, const Gradient& f, Pack weight, Pack (&h)[3][3][9]) {
  const Pack w = weight * t.area;
  const Pack c11 = w * t.c11, c22 = w * t.c22, c12 = w * t.c12, c33 = w * t.c33;
  for (int a = 1; a < 3; ++a) {
    const Pack x = t.g[a][0], y = t.g[a][1];
    // C B_a, a row each of what e = (E11, E22, 2 E12) answers with
    Pack3 row[3];
    for (int i = 0; i < 3; ++i) {
      const Pack b1 = x * f.f[0][i], b2 = y * f.f[1][i];
      row[0][i] = c11 * b1 + c12 * b2;
      row[1][i] = c12 * b1 + c22 * b2;
      row[2][i] = c33 * (x * f.f[1][i] + y * f.f[0][i]);
    }
    for (int b = a; b < 3; ++b)
      for (int j = 0; j < 3; ++j) {
        const Pack b1 = t.g[b][0] * f.f[0][j], b2 = t.g[b][1] * f.f[1][j],
                   b3 = t.g[b][0] * f.f[1][j] + t.g[b][1] * f.f[0][j];
        for (int i = 0; i < 3; ++i) h[a][b][3 * i + j] += row[0][i] * b1 + row[1][i] * b2 + row[2][i] * b3;
      }
  }
}

/// Two orthonormal vectors over the three corners, orthogonal to translations.
constexpr double r2 = 0.70710678118654752, r6 = 0.40824829046386302;
constexpr double relative[2][3] = {{r2, -r2, 0.0}, {r6, r6, -2.0 * r6}};

/// Moves the stress's part of the Hessian, one number for every pair of corners, towards the nearest that is
/// positive definite together with the mass. The rest of the Hessian is semi-definite by itself.
void make_definite(Pack (&s)[3][3], Pack mass, double filter) {
  Pack m[2][2];
  for (int p = 0; p < 2; ++p)
    for (int q = p; q < 2; ++q) {
      m[p][q] = 0.0;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) m[p][q] += relative[p][a] * relative[q][b] * s[a][b];
    }
  const Pack mean = 0.5 * (m[0][0] + m[1][1]), half = 0.5 * (m[0][0] - m[1][1]);
  const Pack radius = sqrt(half * half + m[0][1] * m[0][1]);
  const Pack floor = -(1.0 - 1e-3) * mass;
  const Pack low = filter * max(floor - (mean - radius), 0.0),
             high = filter * max(floor - (mean + radius), 0.0);
  if (!any_above(low, 0.0)) return;
  // low * (the lower one's projector) + high * (the other's)
  const Pack turn = 0.5 * (high - low) / (radius + 1e-300), both = 0.5 * (low + high);
  const Pack xx = both + turn * half, yy = both - turn * half, xy = turn * m[0][1];
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      s[a][b] += relative[0][a] * (xx * relative[0][b] + xy * relative[1][b]) +
                 relative[1][a] * (xy * relative[0][b] + yy * relative[1][b]);
}

/// Fills in what follows by symmetry and from rigid translations doing no work.
void complete(Pack (&h)[3][3][9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) h[2][1][3 * i + j] = h[1][2][3 * j + i];
  for (int k = 0; k < 9; ++k) {
    for (int a = 1; a < 3; ++a) h[a][0][k] = -(h[a][1][k] + h[a][2][k]);
    for (int b = 1; b < 3; ++b) h[0][b][k] = -(h[1][b][k] + h[2][b][k]);
    h[0][0][k] = -(h[0][1][k] + h[0][2][k]);
  }
}

class MembraneEnergy final : public Energy, public SheetRest {
 public:
  MembraneEnergy(const Vector& rest, const std::vector<std::array<int, 3>>& triangles,
                 const std::vector<SheetMaterial>& material, const Partition& partition)
      : stencils_(triangles, partition), sheets_(stencils_.size()) {
    for (int i = 0; i < stencils_.size(); ++i)
      for (int lane = 0; lane < Pack::size; ++lane) {
        const int e = stencils_[i].element[lane];
        const auto corner = [&](int a) -> Vec3 { return point(rest, triangles[e][a]); };
        const SheetMaterial& m = material[e];
        const SheetFrame frame = sheet_frame({corner(0), corner(1), corner(2)}, m.warp);
        Sheets& t = sheets_[i];
        for (int a = 0; a < 3; ++a)
          for (int k = 0; k < 2; ++k) t.g[a][k].set(lane, frame.gradient[a][k]);
        t.area.set(lane, frame.area);
        t.c11.set(lane, m.stretch.along_warp);
        t.c22.set(lane, m.stretch.along_weft);
        t.c12.set(lane, m.stretch.mixed);
        t.c33.set(lane, m.stretch.shear);
        t.mass.set(lane, m.density * frame.area / 3.0);
      }
  }

  void append_pairs(std::vector<std::array<int, 2>>& pairs) const override { stencils_.append_pairs(pairs); }
  void attach(const BlockPattern& pattern) override { stencils_.attach(pattern); }

  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override {
    return stencils_.sum_each([&](int i) {
      const Sheets& t = sheets_[i];
      const Ends ends = gather(i, chord, x);
      Pack energy = 0.0;
      Pack3 force[2] = {};
      for (const Sample& j : chord.samples) {
        const Gradient f = ends.at(j.s);
        const Plane e = elastic_of(t, f), s = stress_of(t, e);
        energy += j.w * density_of(s, e);
        if (gradient) add_force(f, s, j.w * j.s, force);
      }
      if (gradient) scatter(i, force, *gradient);
      return t.area * energy;
    });
  }

  void add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const override {
    stencils_.for_each([&](int i) {
      const Sheets& t = sheets_[i];
      const Ends ends = gather(i, chord, x);
      Pack h[3][3][9];
      clear(h);
      Plane stress = {0.0, 0.0, 0.0};
      for (const Sample& j : chord.samples) {
        const Gradient f = ends.at(j.s);
        const Plane s = stress_of(t, elastic_of(t, f));
        const double w = j.w * j.s * j.s;
        stress.xx += w * s.xx, stress.yy += w * s.yy, stress.xy += w * s.xy;
        add_stiffness(t, f, w, h);
      }
      complete(h);
      add_geometric(t, stress, filter, h);
      stencils_.scatter(i, h, hessian);
    });
  }

  double strain_change(const Vector& from, const Vector& x, double weight, const Vector& multiplier,
                       Vector* gradient) const override {
    return weight * stencils_.sum_each([&](int i) {
      const Sheets& t = sheets_[i];
      const Gradient f0 = gradient_at(i, from), f1 = gradient_at(i, x);
      const Plane e = strain_change_of(f0, f1), s = stress_of(t, e);
      const Pack share = stencils_.mean(i, multiplier);
      if (gradient) {
        Pack3 force[2] = {};
        add_force(f1, s, weight * share, force);
        scatter(i, force, *gradient);
      }
      return share * t.area * density_of(s, e);
    });
  }

  void add_strain_change_hessian(const Vector& from, const Vector& x, double weight, const Vector& multiplier,
                                 double filter, BlockMatrix& hessian) const override {
    stencils_.for_each([&](int i) {
      const Sheets& t = sheets_[i];
      const Gradient f = gradient_at(i, x);
      const Pack share = weight * stencils_.mean(i, multiplier);
      Pack h[3][3][9];
      clear(h);
      add_stiffness(t, f, share, h);
      complete(h);
      if (filter < 1.0 && &from != &x) {
        Plane s = stress_of(t, strain_change_of(gradient_at(i, from), f));
        const Pack kept = (1.0 - filter) * share;
        s.xx *= kept, s.yy *= kept, s.xy *= kept;
        add_geometric(t, s, 0.0, h);
      }
      stencils_.scatter(i, h, hessian);
    });
  }

  bool quartic() const override { return true; }
  int constants() const override { return SheetRest::constants; }
  int rest_constants() const override { return SheetRest::rest_constants; }
  void get_constants(double* out) const override {
    stencils_.for_each_lane([&](int i, int lane, int element) {
      const Sheets& t = sheets_[i];
      double* c = out + SheetRest::constants * element;
      for (int k = 0; k < 3; ++k) c[k] = t.rest[k][lane];
      c[3] = t.area[lane];
      c[4] = t.c11[lane], c[5] = t.c22[lane], c[6] = t.c12[lane], c[7] = t.c33[lane];
    });
  }
  void set_constants(const double* from) override {
    stencils_.for_each_lane([&](int i, int lane, int element) {
      Sheets& t = sheets_[i];
      const double* c = from + SheetRest::constants * element;
      for (int k = 0; k < 3; ++k) t.rest[k].set(lane, c[k]);
      t.area.set(lane, c[3]);
      t.c11.set(lane, c[4]), t.c22.set(lane, c[5]), t.c12.set(lane, c[6]), t.c33.set(lane, c[7]);
    });
  }
  void present(const Vector& x, double* out) const override {
    for (int i = 0; i < stencils_.size(); ++i) {
      const Plane e = strain_of(gradient_at(i, x));
      for (int lane = 0; lane < Pack::size; ++lane) {
        double* c = out + 3 * stencils_[i].element[lane];
        c[0] = e.xx[lane], c[1] = e.yy[lane], c[2] = e.xy[lane];
      }
    }
  }

  int elements() const override { return stencils_.elements(); }
  int stencil(int element, int (&points)[max_stencil]) const override {
    return stencils_.points_of(element, points);
  }
  void element_gradients(const int (&elements)[Pack::size], const Pack3 (&x)[max_stencil],
                         Pack3 (&gradient)[max_stencil]) const override {
    Sheets t;
    for (int lane = 0; lane < Pack::size; ++lane) {
      const auto place = stencils_.place_of(elements[lane]);
      const Sheets& from = sheets_[place.block];
      for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 2; ++k) t.g[a][k].set(lane, from.g[a][k][place.lane]);
      for (int k = 0; k < 3; ++k) t.rest[k].set(lane, from.rest[k][place.lane]);
      t.area.set(lane, from.area[place.lane]);
      t.c11.set(lane, from.c11[place.lane]);
      t.c22.set(lane, from.c22[place.lane]);
      t.c12.set(lane, from.c12[place.lane]);
      t.c33.set(lane, from.c33[place.lane]);
    }
    const Pack3 corners[3] = {x[0], x[1], x[2]};
    const Gradient f = gradient_of(t, corners);
    Pack3 force[2] = {}, g[3];
    add_force(f, stress_of(t, elastic_of(t, f)), 1.0, force);
    spread(t, force, g);
    for (int a = 0; a < 3; ++a) gradient[a] = g[a];
  }

 private:
  struct Ends {
    Gradient f0, f1;
    Gradient at(double s) const { return s == 1.0 ? f1 : between(f0, f1, s); }
  };

  static void clear(Pack (&h)[3][3][9]) {
    for (int a = 1; a < 3; ++a)
      for (int b = a; b < 3; ++b)
        for (Pack& entry : h[a][b]) entry = 0.0;
  }

  /// Adds A (G_a.S G_b) 1, filtered.
  static void add_geometric(const Sheets& t, const Plane& stress, double filter, Pack (&h)[3][3][9]) {
    Pack s[3][3];
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        s[a][b] = t.area * (t.g[a][0] * (stress.xx * t.g[b][0] + stress.xy * t.g[b][1]) +
                            t.g[a][1] * (stress.xy * t.g[b][0] + stress.yy * t.g[b][1]));
    if (filter > 0.0) make_definite(s, t.mass, filter);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for (int k : {0, 4, 8}) h[a][b][k] += s[a][b];
  }

  void scatter(int i, const Pack3 (&force)[2], Vector& gradient) const {
    Pack3 g[3];
    spread(sheets_[i], force, g);
    stencils_.scatter(i, g, gradient);
  }
  Gradient gradient_at(int i, const Vector& x) const {
    Pack3 q[3];
    stencils_.gather(i, x, q);
    return gradient_of(sheets_[i], q);
  }
  Ends gather(int i, const Chord& chord, const Vector& x) const {
    Ends ends;
    ends.f1 = gradient_at(i, x);
    ends.f0 = chord.has_start() ? gradient_at(i, chord.x0) : ends.f1;
    return ends;
  }

  Stencils<3> stencils_;
  std::vector<Sheets> sheets_;
};

}  // namespace

std::unique_ptr<Energy> make_membrane_energy(const Vector& rest,
                                             const std::vector<std::array<int, 3>>& triangles,
                                             const std::vector<SheetMaterial>& material,
                                             const Partition& partition) {
  return std::make_unique<MembraneEnergy>(rest, triangles, material, partition);
}

}  // namespace verve
