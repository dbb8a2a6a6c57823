// Who meets whom in contact.
#pragma once

#include <vector>

namespace verve {

/// Points are of kinds; two kinds meet or pass through each other, and a kind meets a collider or passes
/// through it. An edge or triangle meets only what all its corners meet, so that a contact never acts between
/// two points that pass through each other.
struct CollisionMatrix {
  std::vector<int> kind;                         ///< of each point of the bodies; empty: all meet all
  std::vector<std::vector<char>> kinds;          ///< whether two kinds meet, whichever comes first
  std::vector<std::vector<char>> with_collider;  ///< by kind and collider

  bool all() const { return kind.empty(); }
  bool meet(int a, int b) const { return all() || kinds[kind[a]][kind[b]]; }
  bool meets_collider(int point, int collider) const { return all() || with_collider[kind[point]][collider]; }
  template <class A, class B>
  bool all_meet(const A& some, const B& others) const {
    for (int a : some)
      for (int b : others)
        if (!meet(a, b)) return false;
    return true;
  }
  template <class A>
  bool all_meet_collider(const A& points, int collider) const {
    for (int p : points)
      if (!meets_collider(p, collider)) return false;
    return true;
  }
};

}  // namespace verve
