// What growth, plastic flow and another rest shape make of the constants of an element.
#pragma once

#include <vector>

#include "energy/RestKind.h"

namespace verve {

/// How many numbers are remembered of a plastic element; the last of them is the sum of its plastic strain.
int plastic_numbers(RestKind kind);

/// Makes an element's lengths at rest `by` times what they are. Springs of a material in N/m^3 keep it; those
/// with `in_newtons` keep what they resist a share of their length with.
void scale_lengths(const Energy& energy, bool in_newtons, double by, double* constants);

/// Adds what has stayed of an element's deformation to its rest shape. `arm`: of springs, see BendFlow.h.
void add_plastic(RestKind kind, double arm, const double* numbers, double* constants);

/// Rest shapes of elements from places of their points.
class RestFromPoints {
 public:
  /// `energy` at rest has the shape `rest`.
  RestFromPoints(const Energy& energy, const Vector& rest);
  /// Gives elements `first` to `first + count` the rest shape that they have with points at x.
  void set(const Vector& x, int first, int count, double* constants) const;

 private:
  struct Size {
    double length = 0.0, other = 0.0;  ///< of a spring; of a corner's sides; of a triangle its area
  };
  Size size_of(const Vector& x, int element) const;

  const Energy& energy_;
  RestKind kind_;
  std::vector<Size> at_rest_;
};

/// The change of the tangent at a corner with these sides, and its points at x.
double angle_of_corner(const Vector& x, const int* points, const double* sides);

}  // namespace verve
