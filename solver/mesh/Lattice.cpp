#include "mesh/Lattice.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/Parallel.h"
#include "mesh/LatticeCells.h"

namespace verve {
namespace {

using Node = std::array<int, 3>;

// Coordinates of nodes fit in 21 bits: cells in 19, doubled, and one more for the far corner.
std::uint64_t key_of(const Node& n) {
  return std::uint64_t(n[0]) << 42 | std::uint64_t(n[1]) << 21 | std::uint64_t(n[2]);
}

Node node_of(std::uint64_t key) {
  constexpr int mask = (1 << 21) - 1;
  return {int(key >> 42), int(key >> 21 & mask), int(key & mask)};
}

Node centre_of(const LatticeCell& cell) {
  const int half = 1 << cell.level;
  return {(2 * cell.at[0] + 1) * half, (2 * cell.at[1] + 1) * half, (2 * cell.at[2] + 1) * half};
}

Node moved(Node n, int axis, int by) {
  n[axis] += by;
  return n;
}

// Builds the tets cell by cell. Nodes are the distinct corners of all cells, then the cells' centres.
class TetBuilder {
 public:
  TetBuilder(const LatticeCells& cells, Lattice& lattice) : cells_(cells), lattice_(lattice) {
    for (const LatticeCell& cell : cells_.cells)
      for (int corner = 0; corner < 8; ++corner) corners_.push_back(key_of(corner_of(cell, corner)));
    std::sort(corners_.begin(), corners_.end());
    corners_.erase(std::unique(corners_.begin(), corners_.end()), corners_.end());
    for (std::uint64_t key : corners_) lattice_.nodes.push_back(node_of(key));
    for (const LatticeCell& cell : cells_.cells) lattice_.nodes.push_back(centre_of(cell));
  }

  // Asks for the field only where it is not known already: nodes of deep cells are a spacing inside, and
  // around the centre of a cell the field keeps its sign as far as its clearance reaches.
  void evaluate(const Implicit& solid) {
    auto& values = lattice_.values;
    values.assign(lattice_.nodes.size(), cells_.spacing);
    std::vector<int> near;
    for (int i = 0; i < int(cells_.cells.size()); ++i)
      if (!cells_.cells[i].deep) near.push_back(i);
    std::vector<std::array<int, 8>> corners(near.size());
    parallel_pieces(int(near.size()), 1024, [&](int begin, int end) {
      for (int k = begin; k < end; ++k)
        for (int c = 0; c < 8; ++c) corners[k][c] = find(corner_of(cells_.cells[near[k]], c));
    });

    constexpr char unknown = 0, asked = 1, known = 2;
    std::vector<char> state(corners_.size(), unknown);
    const double radius = (1 + 1e-9) * std::sqrt(0.75) * cells_.spacing;
    for (std::size_t k = 0; k < near.size(); ++k) {
      const double value = cells_.cells[near[k]].value, left = std::abs(value) - radius;
      values[centre(near[k])] = value;
      for (int corner : corners[k]) {
        if (left > 0) values[corner] = std::copysign(left, value);
        state[corner] = left > 0 ? known : std::max(state[corner], asked);
      }
    }
    parallel_pieces(int(state.size()), 256, [&](int begin, int end) {
      for (int i = begin; i < end; ++i)
        if (state[i] == asked) values[i] = solid.value(lattice_.position(i));
    });
  }

  void build() {
    constexpr int grain = 1024;
    const int count = int(cells_.cells.size());
    std::vector<std::vector<std::array<int, 4>>> pieces((count + grain - 1) / grain);
    parallel_pieces(count, grain, [&](int begin, int end) {
      auto& out = pieces[begin / grain];
      for (int i = begin; i < end; ++i)
        for (int axis = 0; axis < 3; ++axis)
          for (int side : {-1, 1}) add_face(i, axis, side, out);
    });
    for (const auto& piece : pieces) lattice_.tets.insert(lattice_.tets.end(), piece.begin(), piece.end());
  }

 private:
  static Node corner_of(const LatticeCell& cell, int corner) {
    const int half = 1 << cell.level;
    Node n = centre_of(cell);
    for (int axis = 0; axis < 3; ++axis) n[axis] += corner >> axis & 1 ? half : -half;
    return n;
  }

  int find(const Node& n) const {
    const std::uint64_t key = key_of(n);
    const auto it = std::lower_bound(corners_.begin(), corners_.end(), key);
    return it != corners_.end() && *it == key ? int(it - corners_.begin()) : -1;
  }
  int centre(int cell) const { return int(corners_.size()) + cell; }

  void add_face(int i, int axis, int side, std::vector<std::array<int, 4>>& out) const {
    const LatticeCell& cell = cells_.cells[i];
    const int half = 1 << cell.level;
    const int b = (axis + 1) % 3, d = (axis + 2) % 3;
    const Node middle = moved(centre_of(cell), axis, side * half);
    // Counter-clockwise about the axis.
    const Node square[4] = {moved(moved(middle, b, -half), d, -half), moved(moved(middle, b, half), d, -half),
                            moved(moved(middle, b, half), d, half), moved(moved(middle, b, -half), d, half)};

    const int neighbour = cells_.find(cell.level, moved(cell.at, axis, side));
    if (neighbour >= 0) {
      if (side > 0) add_pair(i, neighbour, square, out);
      return;
    }
    const Node beyond = moved(cell.at, axis, side);
    const int large = cells_.find(cell.level + 1, {beyond[0] >> 1, beyond[1] >> 1, beyond[2] >> 1});
    if (large >= 0) {
      add_half_pyramids(i, square, out);
    } else if (cell.level > 0) {
      const int face = find(middle);
      if (face >= 0) add_quarters(i, face, square, out);
    }
  }

  // Between cells of one size: a tet around the line of centres for each side of their face, or two when
  // smaller cells beyond have split that side.
  void add_pair(int i, int neighbour, const Node square[4], std::vector<std::array<int, 4>>& out) const {
    for (int c = 0; c < 4; ++c) {
      const Node &p = square[c], &q = square[(c + 1) % 4];
      const int from = find(p), to = find(q);
      const int split = cells_.cells[i].level > 0 ? find(between(p, q)) : -1;
      if (split < 0) {
        add({centre(i), centre(neighbour), from, to}, out);
      } else {
        add({centre(i), centre(neighbour), from, split}, out);
        add({centre(i), centre(neighbour), split, to}, out);
      }
    }
  }

  // Towards a larger cell: the pyramid over the face, halved by the diagonal that ends in the middle of the
  // larger cell's face.
  void add_half_pyramids(int i, const Node square[4], std::vector<std::array<int, 4>>& out) const {
    const int size = 4 << cells_.cells[i].level;
    int middle = 0;
    for (int c = 0; c < 4; ++c) {
      int on_grid = 0;
      for (int x : square[c]) on_grid += x % size == 0;
      if (on_grid == 1) middle = c;
    }
    const auto corner = [&](int turn) { return find(square[(middle + turn) % 4]); };
    add({centre(i), corner(0), corner(1), corner(2)}, out);
    add({centre(i), corner(0), corner(2), corner(3)}, out);
  }

  // Towards four smaller cells: eight tets that share the line to the middle of the face.
  void add_quarters(int i, int face, const Node square[4], std::vector<std::array<int, 4>>& out) const {
    for (int c = 0; c < 4; ++c) {
      const Node &p = square[c], &q = square[(c + 1) % 4];
      const int middle = find(between(p, q));
      add({centre(i), face, find(p), middle}, out);
      add({centre(i), face, middle, find(q)}, out);
    }
  }

  static Node between(const Node& p, const Node& q) {
    return {(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2};
  }

  void add(std::array<int, 4> tet, std::vector<std::array<int, 4>>& out) const {
    if (std::none_of(tet.begin(), tet.end(), [&](int n) { return lattice_.values[n] > 0; })) return;
    const auto edge = [&](int c) {
      const Node &from = lattice_.nodes[tet[0]], &to = lattice_.nodes[tet[c]];
      return Eigen::Matrix<std::int64_t, 3, 1>(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    };
    if (edge(1).dot(edge(2).cross(edge(3))) < 0) std::swap(tet[2], tet[3]);
    out.push_back(tet);
  }

  const LatticeCells& cells_;
  Lattice& lattice_;
  std::vector<std::uint64_t> corners_;
};

}  // namespace

Lattice make_lattice(const Implicit& solid, double spacing, int coarsening) {
  const LatticeCells cells = make_lattice_cells(solid, spacing, coarsening);
  Lattice lattice;
  lattice.origin = cells.origin;
  lattice.half_spacing = spacing / 2;
  TetBuilder builder(cells, lattice);
  builder.evaluate(solid);
  builder.build();
  return lattice;
}

}  // namespace verve
