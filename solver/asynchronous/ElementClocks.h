// Gives every element of every energy a clock of its own.
#pragma once

#include <cstdint>

#include "asynchronous/Particles.h"
#include "system/System.h"

namespace verve {

/// Up to four elements of one energy that tick together.
struct ElementPack {
  const Energy* energy;
  int count, size;  ///< elements, and points of each
  int element[Pack::size];
  int point[Energy::max_stencil][Pack::size];

  /// Of the energy, with the particles where they are.
  void gradient(const Particles& particles, Pack3 (&out)[Energy::max_stencil]) const;
};

/// The elements of one step size.
class ElementGroup {
 public:
  ElementGroup(std::int64_t ticks, std::vector<ElementPack> packs);

  std::int64_t ticks() const { return ticks_; }  ///< a span
  int elements() const { return elements_; }
  /// Advances the elements' points to `time` and gives them the impulses of `h` seconds of the elements'
  /// forces. Elements that tick together do not see each other's impulses, so that threads share large
  /// groups, with the same bits at every number of them.
  void kick(double time, double h, Particles& particles) const;

 private:
  std::int64_t ticks_;
  int elements_ = 0;
  std::vector<ElementPack> packs_;
  /// The points, and for each the entries of gradients_ that it gets, in their order.
  struct Entry {
    int pack, corner, lane;
  };
  std::vector<int> points_, first_;
  std::vector<Entry> entries_;
  mutable std::vector<std::array<Pack3, Energy::max_stencil>> gradients_;
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
    int point[Energy::max_stencil];
    double share[Energy::max_stencil];  ///< of the points' mass, kg
    double squared_rate;                ///< w^2 at rest, 1/s^2
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
