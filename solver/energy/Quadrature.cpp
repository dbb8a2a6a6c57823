#include "energy/Quadrature.h"

#include <cmath>

namespace verve {

Quadrature simpson() {
  return {{0.0, 1.0 / 6.0}, {0.5, 4.0 / 6.0}, {1.0, 1.0 / 6.0}};
}

Quadrature gauss(int n) {
  Quadrature rule(n);
  for (int i = 0; i < n; ++i) {
    // Newton's method on the Legendre polynomial, from the usual guess for its i-th root.
    double t = -std::cos(M_PI * (i + 0.75) / (n + 0.5)), slope = 1.0;
    for (int k = 0; k < 100; ++k) {
      double p0 = 1.0, p1 = t;
      for (int j = 2; j <= n; ++j) {
        const double p2 = ((2 * j - 1) * t * p1 - (j - 1) * p0) / j;
        p0 = p1, p1 = p2;
      }
      slope = n * (t * p1 - p0) / (t * t - 1.0);
      const double step = p1 / slope;
      t -= step;
      if (std::abs(step) < 1e-16) break;
    }
    rule[i] = {0.5 * (1.0 + t), 1.0 / ((1.0 - t * t) * slope * slope)};
  }
  return rule;
}

}  // namespace verve
