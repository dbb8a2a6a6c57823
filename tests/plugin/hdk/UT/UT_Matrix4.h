#pragma once

#include "UT_VectorTypes.h"

template <class T>
class UT_Matrix4T {
 public:
  UT_Matrix4T() { identity(); }
  void identity() {
    for (int i = 0; i < 16; ++i) m[i / 4][i % 4] = i % 5 == 0;
  }
  void setTranslates(T x, T y, T z) { m[3][0] = x, m[3][1] = y, m[3][2] = z; }
  T operator()(int row, int column) const { return m[row][column]; }
  /// Rotations and translations only.
  int invert() {
    UT_Matrix4T r;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) r.m[i][j] = m[j][i];
    for (int j = 0; j < 3; ++j) {
      r.m[3][j] = 0;
      for (int k = 0; k < 3; ++k) r.m[3][j] -= m[3][k] * r.m[k][j];
    }
    *this = r;
    return 0;
  }
  T m[4][4];
};
