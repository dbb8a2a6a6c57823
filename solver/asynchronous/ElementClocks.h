// Gives every element of every energy a clock of its own.
#pragma once

#include <cstdint>

#include "asynchronous/Particles.h"
#include "integrator/System.h"

namespace verve {

/// Up to four elements of one energy that tick together.
struct ElementPack {
  const Energy* energy;
  int count, size;  ///< elements, and points of each
  int element[Pack::size];
  int point[4][Pack::size];

  /// Advances the elements' points to `time` and gives them the impulse of `h` seconds of the elements'
  /// forces.
  void kick(double time, double h, Particles& particles) const;
};

/// The elements of one step size.
struct ElementGroup {
  std::int64_t ticks = 1;  ///< a span
  int elements = 0;
  std::vector<ElementPack> packs;
};

/// An element's step is `safety` times the largest that is stable for it alone with its share of its points'
/// mass: 2/w, w^2 the largest eigenvalue of its stiffness against that mass. With the mass shared out in
/// proportion to the stiffness that elements have at a point, the smallest of these steps is stable for all
/// of them together (the bound of I. Fried 1972), and the others are stable by their own.
class ElementClocks {
 public:
  /// `safety` below 1. Throws an Error for energies that are not made of elements.
  ElementClocks(const System& system, const Vector& rest, double safety);

  /// The groups for a span of `length` seconds that begins at x, by ascending ticks. They depend on x only
  /// where elements have become so stiff that their steps at rest would no longer be safe; those then tick
  /// two, four, ... times as often.
  const std::vector<ElementGroup>& groups(const Vector& x, double length);

 private:
  struct Element {
    int energy, number, size;
    int point[4];
    double share[4];      ///< of the points' mass, kg
    double squared_rate;  ///< w^2 at rest, 1/s^2
  };
  template <class Visit>
  void for_each_stiffness(const Vector& x, const Visit& visit) const;
  void regroup();

  const System& system_;
  double safety_;
  std::vector<Element> elements_;
  std::vector<std::int64_t> ticks_, wanted_;
  std::vector<ElementGroup> groups_;
};

}  // namespace verve
