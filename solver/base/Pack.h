// Four doubles that are computed with as one: element kernels run four elements at a time.
#pragma once

#include <cmath>

namespace verve {

/// A value for each of four elements. Built on the vector types of gcc and clang: without AVX the compiler
/// splits it, so that the code stays the same on every machine.
struct Pack {
  static constexpr int size = 4;
  typedef double Lanes __attribute__((vector_size(32)));
  Lanes v;

  Pack() = default;
  Pack(double a) : v{a, a, a, a} {}
  explicit Pack(Lanes lanes) : v(lanes) {}

  double operator[](int lane) const { return v[lane]; }
  void set(int lane, double a) { v[lane] = a; }

  Pack& operator+=(Pack b) { return v += b.v, *this; }
  Pack& operator-=(Pack b) { return v -= b.v, *this; }
  Pack& operator*=(Pack b) { return v *= b.v, *this; }
};

inline Pack operator+(Pack a, Pack b) {
  return Pack(a.v + b.v);
}
inline Pack operator-(Pack a, Pack b) {
  return Pack(a.v - b.v);
}
inline Pack operator*(Pack a, Pack b) {
  return Pack(a.v * b.v);
}
inline Pack operator/(Pack a, Pack b) {
  return Pack(a.v / b.v);
}
inline Pack operator-(Pack a) {
  return Pack(-a.v);
}

inline Pack log(Pack a) {
  return Pack(Pack::Lanes{std::log(a[0]), std::log(a[1]), std::log(a[2]), std::log(a[3])});
}
inline Pack sqrt(Pack a) {
  return Pack(Pack::Lanes{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])});
}
inline Pack abs(Pack a) {
  return Pack(a.v < 0.0 ? -a.v : a.v);
}
inline Pack max(Pack a, Pack b) {
  return Pack(a.v > b.v ? a.v : b.v);
}
inline Pack min(Pack a, Pack b) {
  return Pack(a.v < b.v ? a.v : b.v);
}
/// The size of a with the sign of b.
inline Pack copy_sign(Pack a, Pack b) {
  const Pack size = abs(a);
  return Pack(b.v < 0.0 ? -size.v : size.v);
}
/// By lane: `yes` where a > b, else `no`.
inline Pack where_above(Pack a, Pack b, Pack yes, Pack no) {
  return Pack(a.v > b.v ? yes.v : no.v);
}
/// Whether a > b in any lane.
inline bool any_above(Pack a, Pack b) {
  const auto above = a.v > b.v;
  return (above[0] | above[1] | above[2] | above[3]) != 0;
}
inline double sum(Pack a) {
  return (a[0] + a[1]) + (a[2] + a[3]);
}

/// A 3-vector and a 3x3 matrix (entry [row][column]) of packs.
struct Pack3 {
  Pack c[3];
  Pack& operator[](int i) { return c[i]; }
  const Pack& operator[](int i) const { return c[i]; }
};
struct Pack33 {
  Pack m[3][3];
  Pack* operator[](int row) { return m[row]; }
  const Pack* operator[](int row) const { return m[row]; }
};

inline Pack dot(const Pack3& a, const Pack3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Pack3 cross(const Pack3& a, const Pack3& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
inline Pack3 operator*(const Pack33& a, const Pack3& b) {
  Pack3 r;
  for (int i = 0; i < 3; ++i) r[i] = a[i][0] * b[0] + a[i][1] * b[1] + a[i][2] * b[2];
  return r;
}

}  // namespace verve
