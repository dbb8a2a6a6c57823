// Rules that average a function over [0, 1].
#pragma once

#include <vector>

namespace verve {

/// integral_0^1 f(s) ds is about sum weight f(s); the weights add up to 1.
struct QuadratureNode {
  double s, weight;
};
using Quadrature = std::vector<QuadratureNode>;

/// Exact for cubics: the force of StVK materials.
Quadrature simpson();
/// The Gauss-Legendre rule of n >= 1 nodes, ascending; exact for degree 2n - 1.
Quadrature gauss(int n);

}  // namespace verve
