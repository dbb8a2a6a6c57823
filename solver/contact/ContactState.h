// What contact remembers from one step to the next.
#pragma once

#include <array>
#include <vector>

#include "contact/ContactMemory.h"

namespace verve {

/// Part of a run's State.
struct ContactState {
  bool open = false;         ///< false before the first step
  double begun = 0.0;        ///< time of the first step, s
  double energy = 0.0;       ///< of all contacts at the last step's end, J
  int touching = 0;          ///< contacts then
  double deepest = 0.0;      ///< the deepest of them, m
  double penetration = 0.0;  ///< of the point deepest behind a collider's surface, m
  std::vector<int> touched;  ///< the points of bodies in those contacts, ascending
  double wall_energy = 0.0;  ///< the most that was at hand when a step began, J
  /// Points whose wall gave way in the last step because of what else was asked of them, ascending.
  std::vector<int> given_way;
  double reserve = 0.0;                     ///< what fading offsets have taken and not yet given back, J
  std::vector<ContactMemory> memories;      ///< ascending by key
  std::vector<std::array<int, 2>> coupled;  ///< pairs of points that contacts may couple, ascending
  std::vector<PairMemory> pairs;            ///< of walls between bodies, ascending by key
  /// Bodies (and colliders, numbered after them) that have not been free of each other since the run's start,
  /// and the points of those of their triangles that intersect, ascending.
  std::vector<std::array<int, 2>> tangled;
  std::vector<int> intersecting;
};

}  // namespace verve
