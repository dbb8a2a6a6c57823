// The cells of a lattice: an octree whose finest cells cover the surface of a solid.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/Implicit.h"

namespace verve {

/// A cube of 2^level spacings whose lowest corner is `at` times that size from the lattice's origin.
struct LatticeCell {
  int level = 0;
  std::array<int, 3> at{};
  bool deep = false;  ///< the solid holds the cell and one more spacing all around it
  double value = 0;   ///< the field at the centre, unless deep

  /// Orders cells and finds them: unique among all levels.
  std::uint64_t key() const { return key_of(level, at); }
  static std::uint64_t key_of(int level, const std::array<int, 3>& at);
};

struct LatticeCells {
  Vec3 origin;
  double spacing = 0;
  std::vector<LatticeCell> cells;   ///< ascending by key
  std::vector<std::uint64_t> keys;  ///< of the cells

  /// The index of a cell, or -1. Any coordinates may be asked for.
  int find(int level, const std::array<int, 3>& at) const;
};

/// All cells that the solid touches or that lie within a spacing of it; the rest of space is left out. Two
/// cells that share a face or an edge differ by at most one level.
LatticeCells make_lattice_cells(const Implicit& solid, double spacing, int coarsening);

}  // namespace verve
