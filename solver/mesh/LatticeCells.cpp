#include "mesh/LatticeCells.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>

#include "base/Parallel.h"
#include "mesh/ShapeSize.h"

namespace verve {
namespace {

constexpr int coordinate_bits = 19;
constexpr int outermost = 1 << coordinate_bits;
constexpr int coarsest_level = coordinate_bits - 4;  // of which 16 in a row are within the coordinates' range
constexpr std::size_t most_cells = 8'000'000;

std::array<int, 3> child_of(const std::array<int, 3>& at, int child) {
  return {2 * at[0] + (child & 1), 2 * at[1] + (child >> 1 & 1), 2 * at[2] + (child >> 2)};
}

// A grid of at most 16^3 large cells around the solid, symmetric about its middle so that symmetric shapes
// keep their symmetry, with an empty spacing all around.
std::vector<LatticeCell> cover(const Eigen::AlignedBox3d& box, double spacing, int coarsening, Vec3& origin) {
  const Vec3 half = (box.sizes() / 2).array() + 2 * spacing;
  int level = coarsening;
  while (!(half.maxCoeff() <= 8 * std::ldexp(spacing, level)))
    if (++level > coarsest_level)
      throw Error("the spacing " + short_number(spacing) + " is too small for a shape of " +
                  short_number(box.sizes().maxCoeff()) + " metres; choose a larger one");
  const double size = std::ldexp(spacing, level);
  std::array<int, 3> count;
  for (int axis = 0; axis < 3; ++axis) {
    count[axis] = 2 * int(std::ceil(half[axis] / size));
    origin[axis] = box.center()[axis] - size * count[axis] / 2;
  }
  std::vector<LatticeCell> cells;
  for (int i = 0; i < count[0]; ++i)
    for (int j = 0; j < count[1]; ++j)
      for (int k = 0; k < count[2]; ++k) cells.push_back({level, {i, j, k}, false, 0});
  return cells;
}

enum class Fate : char { drop, keep, split };

Fate fate_of(LatticeCell& cell, const Implicit& solid, const LatticeCells& lattice, int coarsening) {
  if (!cell.deep) {
    const double size = std::ldexp(lattice.spacing, cell.level);
    const Vec3 centre = lattice.origin + size * Vec3(cell.at[0] + 0.5, cell.at[1] + 0.5, cell.at[2] + 0.5);
    cell.value = solid.value(centre);
    if (!std::isfinite(cell.value)) throw Error("the shape's field is not a finite number; check its sizes");
    // Beyond the cell by one spacing, so that neither it nor a tet it shares with a neighbour is cut.
    const double reach = size * std::sqrt(0.75) + lattice.spacing;
    if (cell.value < -reach) return Fate::drop;
    cell.deep = cell.value > reach;
  }
  const int finest = cell.deep ? coarsening : 0;
  return cell.level > finest ? Fate::split : Fate::keep;
}

// Splits cells until no two that share a face or an edge differ by more than one level.
void balance(std::vector<LatticeCell>& cells, int coarsening) {
  std::unordered_set<std::uint64_t> leaves;
  for (const LatticeCell& cell : cells) leaves.insert(cell.key());
  std::vector<LatticeCell> queue = cells, split;
  while (!queue.empty()) {
    const LatticeCell cell = queue.back();
    queue.pop_back();
    for (int n = 0; n < 27; ++n) {
      const std::array<int, 3> step{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
      if (std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]) == 3) continue;
      const std::array<int, 3> at{cell.at[0] + step[0], cell.at[1] + step[1], cell.at[2] + step[2]};
      if (*std::min_element(at.begin(), at.end()) < 0) continue;
      for (int level = cell.level + 2; level <= coarsening; ++level) {
        const int up = level - cell.level;
        const LatticeCell large{level, {at[0] >> up, at[1] >> up, at[2] >> up}, true, 0};
        if (leaves.erase(large.key()) == 0) continue;
        split.push_back(large);
        for (int child = 0; child < 8; ++child) {
          queue.push_back({level - 1, child_of(large.at, child), true, 0});
          leaves.insert(queue.back().key());
        }
        // The child next to this cell may still be too large.
        queue.push_back(cell);
        break;
      }
    }
  }
  std::vector<LatticeCell> balanced;
  const auto keep_leaves = [&](const LatticeCell& cell) {
    if (leaves.count(cell.key())) balanced.push_back(cell);
  };
  std::for_each(cells.begin(), cells.end(), keep_leaves);
  for (const LatticeCell& large : split)
    for (int child = 0; child < 8; ++child)
      keep_leaves({large.level - 1, child_of(large.at, child), true, 0});
  cells = std::move(balanced);
}

}  // namespace

std::uint64_t LatticeCell::key_of(int level, const std::array<int, 3>& at) {
  std::uint64_t key = std::uint64_t(level);
  for (int c : at) key = key << coordinate_bits | std::uint64_t(c);
  return key;
}

int LatticeCells::find(int level, const std::array<int, 3>& at) const {
  for (int c : at)
    if (c < 0 || c >= outermost) return -1;
  const std::uint64_t key = LatticeCell::key_of(level, at);
  const auto it = std::lower_bound(keys.begin(), keys.end(), key);
  return it != keys.end() && *it == key ? int(it - keys.begin()) : -1;
}

LatticeCells make_lattice_cells(const Implicit& solid, double spacing, int coarsening) {
  LatticeCells lattice;
  lattice.spacing = spacing;
  std::vector<LatticeCell> open = cover(solid.bounds(), spacing, coarsening, lattice.origin);
  while (!open.empty()) {
    std::vector<Fate> fates(open.size());
    parallel_pieces(int(open.size()), 64, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) fates[i] = fate_of(open[i], solid, lattice, coarsening);
    });
    std::vector<LatticeCell> next;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const LatticeCell& cell = open[i];
      if (fates[i] == Fate::keep) lattice.cells.push_back(cell);
      if (fates[i] == Fate::split)
        for (int child = 0; child < 8; ++child)
          next.push_back({cell.level - 1, child_of(cell.at, child), cell.deep, 0});
      if (lattice.cells.size() + next.size() > most_cells)
        throw Error("the spacing " + short_number(spacing) + " would make more than " +
                    std::to_string(most_cells / 1'000'000) + " million cells; choose a larger one");
    }
    open = std::move(next);
  }
  if (coarsening > 1) balance(lattice.cells, coarsening);
  std::sort(lattice.cells.begin(), lattice.cells.end(),
            [](const LatticeCell& a, const LatticeCell& b) { return a.key() < b.key(); });
  for (const LatticeCell& cell : lattice.cells) lattice.keys.push_back(cell.key());
  return lattice;
}

}  // namespace verve
