// What the minimiser needs to know of a function.
#pragma once

#include "energy/Energy.h"

namespace verve {

/// A function of the positions, smooth and bounded below: a step's g(x).
class Objective {
 public:
  struct Value {
    double value;      ///< infinite where the function does not exist
    double magnitude;  ///< sum of the sizes of what `value` was added up from: its round-off is a few ulps of this
  };

  virtual ~Objective() = default;

  /// The value at x, and its gradient written to `gradient`.
  virtual Value evaluate(const Vector& x, Vector& gradient) = 0;
  /// Writes the Hessian at x.
  virtual void hessian(const Vector& x, double filter, BlockMatrix& hessian) = 0;
  /// How far from a minimum x is, in the unit that the tolerance is given in.
  virtual double residual(const Vector& x, const Vector& gradient) const = 0;
  /// Brings parts that are held constant during an iteration (lagged forces) up to date with x, and x to where
  /// constraints allow it to be. True when the function or x changed by it.
  virtual bool refresh(Vector& x) = 0;
};

}  // namespace verve
