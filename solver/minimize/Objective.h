// What the minimiser needs to know of a function.
#pragma once

#include <limits>

#include "energy/Energy.h"

namespace verve {

/// A function of the positions, smooth and bounded below: a step's g(x).
class Objective {
 public:
  struct Value {
    double value;      ///< infinite where the function does not exist
    double magnitude;  ///< sum of the sizes of what `value` was added up from: its round-off is a few ulps of
                       ///< this
  };

  /// How far a point is from being a solution.
  struct Residual {
    double norm = 0.0;    ///< of the gradient
    double energy = 0.0;  ///< of the step's energy balance, where the scheme promises one
    double worst() const { return norm > energy ? norm : energy; }
  };

  virtual ~Objective() = default;

  /// The value at x, and its gradient written to `gradient`.
  virtual Value evaluate(const Vector& x, Vector& gradient) = 0;
  /// Writes the Hessian at x.
  virtual void hessian(const Vector& x, double filter, BlockMatrix& hessian) = 0;
  /// How far from a minimum x is, in the unit that the tolerance is given in.
  virtual Residual residual(const Vector& x, const Vector& gradient) const = 0;
  /// Writes the direction along which a line search takes Residual::energy to zero. False when there is none.
  virtual bool energy_direction(const Vector& x, Vector& direction) const {
    (void)x, (void)direction;
    return false;
  }
  /// The share of a direction, at most 1, that a line search may go from x: beyond it the function has a hole
  /// that its value at the other side would not tell of.
  virtual double largest_step(const Vector& x, const Vector& direction) {
    (void)x, (void)direction;
    return 1.0;
  }
  /// The iteration from one point to the next was accepted: dual variables of the Hessian may follow.
  virtual void accepted(const Vector& from, const Vector& to) { (void)from, (void)to; }
  /// The full step from x, to `trial`, goes not far enough downhill. True when the Hessian has learnt from it
  /// what it could not see at x, so that another direction is worth its price.
  virtual bool foresee(const Vector& x, const Vector& trial) {
    (void)x, (void)trial;
    return false;
  }
  /// How far a change of x moves, in the unit of the residual's norm. Infinite: the norm alone decides.
  virtual double motion(const Vector& change) const {
    (void)change;
    return std::numeric_limits<double>::infinity();
  }
  /// Brings parts that are held constant during an iteration (lagged forces) up to date with x, and x to
  /// where constraints allow it to be. `left` is the share of the first residual that is left at x. True when
  /// the function or x changed by it.
  virtual bool refresh(Vector& x, double left) = 0;
};

}  // namespace verve
