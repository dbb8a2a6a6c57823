#pragma once

#include "UT_VectorTypes.h"

/// Row vectors: p * M.
template <class T>
class UT_Vector3T {
 public:
  UT_Vector3T() : v{0, 0, 0} {}
  UT_Vector3T(T x, T y, T z) : v{x, y, z} {}
  template <class S>
  explicit UT_Vector3T(const UT_Vector3T<S>& o) : v{T(o(0)), T(o(1)), T(o(2))} {}
  T operator()(int i) const { return v[i]; }
  T& operator()(int i) { return v[i]; }
  void assign(T x, T y, T z) { v[0] = x, v[1] = y, v[2] = z; }
  template <class S>
  UT_Vector3T& operator*=(const UT_Matrix4T<S>& m) {
    T r[3];
    for (int j = 0; j < 3; ++j) r[j] = T(v[0] * m(0, j) + v[1] * m(1, j) + v[2] * m(2, j) + m(3, j));
    assign(r[0], r[1], r[2]);
    return *this;
  }
  /// Directions: without the translation.
  template <class S>
  void rowVecMult3(const UT_Matrix4T<S>& m) {
    T r[3];
    for (int j = 0; j < 3; ++j) r[j] = T(v[0] * m(0, j) + v[1] * m(1, j) + v[2] * m(2, j));
    assign(r[0], r[1], r[2]);
  }

 private:
  T v[3];
};
