#include "mesh/Shapes.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "mesh/ShapeSize.h"

namespace verve {
namespace {

constexpr double most_elements = 5e7;

template <std::size_t N>
void require_cells(const char* shape, const std::array<int, N>& cells, double elements_per_cell) {
  double elements = elements_per_cell;
  for (int n : cells) {
    if (n < 1)
      throw Error(std::string(shape) + ": cells is " + std::to_string(n) + "; give a whole number from 1 up");
    elements *= n;
  }
  if (elements > most_elements)
    throw Error(std::string(shape) + ": cells ask for " + short_number(elements / 1e6) +
                " million elements; give fewer cells (at most 50 million elements)");
}

TetMesh make_block(const Vec3& size, const std::array<int, 3>& cells) {
  const int nx = cells[0], ny = cells[1], nz = cells[2];
  const auto index = [&](int i, int j, int k) { return (i * (ny + 1) + j) * (nz + 1) + k; };
  TetMesh mesh;
  mesh.points.reserve(std::size_t(nx + 1) * (ny + 1) * (nz + 1));
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= nz; ++k)
        mesh.points.push_back(
            size.cwiseProduct(Vec3(double(i) / nx - 0.5, double(j) / ny - 0.5, double(k) / nz - 0.5)));

  // A tet a way of walking along the three axes from one corner of a cell to the opposite one. Cells are
  // mirror images of their neighbours, so that the block favours no diagonal. The walks that are odd
  // permutations would be inverted, and so would all in a cell mirrored an odd number of times: those swap
  // their two middle points.
  constexpr int walks[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  mesh.tets.reserve(6 * std::size_t(nx) * ny * nz);
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k)
        for (int w = 0; w < 6; ++w) {
          const std::array<int, 3> mirrored{i % 2, j % 2, k % 2};
          std::array<int, 3> at{i + mirrored[0], j + mirrored[1], k + mirrored[2]};
          std::array<int, 4> tet;
          tet[0] = index(at[0], at[1], at[2]);
          for (int step = 0; step < 3; ++step) {
            at[walks[w][step]] += mirrored[walks[w][step]] ? -1 : 1;
            tet[step + 1] = index(at[0], at[1], at[2]);
          }
          if ((w >= 3) != ((i + j + k) % 2 == 1)) std::swap(tet[1], tet[2]);
          mesh.tets.push_back(tet);
        }
  return mesh;
}

/// Rings of points about the y axis, the r-th of which has r points a side (a pole has one in all).
class Rings {
 public:
  explicit Rings(int sides) : sides_(sides) {}

  /// Goes down the axis to the next ring, and joins it to the one before.
  void add(int r, double radius, double height) {
    const int first = int(mesh.points.size());
    const int count = std::max(1, sides_ * r);
    for (int k = 0; k < count; ++k) {
      const double angle = 2.0 * M_PI * k / count;
      mesh.points.emplace_back(radius * std::sin(angle), height, radius * std::cos(angle));
    }
    if (first > 0 && r > last_) join(last_first_, last_, first, false);
    if (first > 0 && r < last_) join(first, r, last_first_, true);
    last_ = r;
    last_first_ = first;
  }

  TriangleMesh mesh;

 private:
  /// The smaller ring has r points a side, the larger one more.
  void join(int smaller, int r, int larger, bool below) {
    const auto inner = [&](int side, int k) {
      return smaller + (r == 0 ? 0 : (side * r + k) % (sides_ * r));
    };
    const auto outer = [&](int side, int k) { return larger + (side * (r + 1) + k) % (sides_ * (r + 1)); };
    const auto triangle = [&](int a, int b, int c) {
      if (below) std::swap(b, c);
      mesh.triangles.push_back({a, b, c});
    };
    for (int side = 0; side < sides_; ++side)
      for (int k = 0; k <= r; ++k) {
        triangle(inner(side, k), outer(side, k), outer(side, k + 1));
        if (k < r) triangle(inner(side, k), outer(side, k + 1), inner(side, k + 1));
      }
  }

  int sides_, last_ = 0, last_first_ = 0;
};

}  // namespace

TetMesh make_box(const Vec3& size, const std::array<int, 3>& cells) {
  for (int axis = 0; axis < 3; ++axis) require_length("box", "size", size[axis]);
  require_cells("box", cells, 6);
  return make_block(size, cells);
}

TetMesh make_rod(double length, double thickness, int cells) {
  require_length("rod", "length", length);
  require_length("rod", "thickness", thickness);
  require_cells("rod", std::array<int, 1>{cells}, 6);
  const double across = std::max(1.0, std::min(most_elements, std::round(cells * thickness / length)));
  const std::array<int, 3> counts{cells, int(across), int(across)};
  require_cells("rod", counts, 6);
  return make_block(Vec3(length, thickness, thickness), counts);
}

std::vector<Vec3> make_line(double length, int cells) {
  require_length("rod", "length", length);
  require_cells("rod", std::array<int, 1>{cells}, 1);
  std::vector<Vec3> points;
  for (int i = 0; i <= cells; ++i) points.emplace_back(length * (double(i) / cells - 0.5), 0.0, 0.0);
  return points;
}

TriangleMesh make_sheet(const std::array<double, 2>& size, const std::array<int, 2>& cells) {
  for (double s : size) require_length("sheet", "size", s);
  require_cells("sheet", cells, 2);
  const int nx = cells[0], nz = cells[1];
  TriangleMesh mesh;
  for (int i = 0; i <= nx; ++i)
    for (int k = 0; k <= nz; ++k)
      mesh.points.emplace_back(size[0] * (double(i) / nx - 0.5), 0.0, size[1] * (double(k) / nz - 0.5));
  for (int i = 0; i < nx; ++i)
    for (int k = 0; k < nz; ++k) {
      const int a = i * (nz + 1) + k, b = a + 1, c = a + nz + 2, d = a + nz + 1;
      if ((i + k) % 2 == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      }
    }
  return mesh;
}

TriangleMesh make_disc(double radius, int cells) {
  require_length("disc", "radius", radius);
  require_cells("disc", std::array<int, 2>{cells, cells}, 6);
  Rings rings(6);
  for (int r = 0; r <= cells; ++r) rings.add(r, radius * r / cells, 0.0);
  return std::move(rings.mesh);
}

TriangleMesh make_shell(double radius, int cells) {
  require_length("shell", "radius", radius);
  require_cells("shell", std::array<int, 2>{cells, cells}, 10);
  Rings rings(5);
  for (int ring = 0; ring <= 2 * cells; ++ring) {
    const double angle = M_PI * ring / (2.0 * cells);
    const int r = std::min(ring, 2 * cells - ring);
    rings.add(r, r == 0 ? 0.0 : radius * std::sin(angle), radius * std::cos(angle));
  }
  return std::move(rings.mesh);
}

}  // namespace verve
