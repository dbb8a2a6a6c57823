#include "geometry/WarpDirections.h"

#include <cmath>

namespace verve {
namespace {

const Attribute* numbers(const Geometry& geometry, const char* name, std::initializer_list<Owner> owners,
                         int least, Owner& owner) {
  for (Owner o : owners) {
    const Attribute* a = geometry.find(o, name);
    if (!a) continue;
    if (a->is_array() || a->is_text() || a->tuple_size < least)
      throw Error("the " + std::string(name_of(o)) + " attribute '" + name + "' must be " +
                  std::to_string(least) + " numbers; rename it if it means something else");
    owner = o;
    return a;
  }
  return nullptr;
}

/// The place of a number of an element's tuple.
double number(const Attribute& a, int element, int k) {
  return a.number(std::size_t(element) * std::size_t(a.tuple_size) + std::size_t(k));
}

}  // namespace

std::vector<Vec3> warp_directions(const Geometry& geometry, const std::vector<Vec3>& rest) {
  Owner owner = Owner::Point, uv_owner = Owner::Point;
  const Attribute* warp = numbers(geometry, "warp", {Owner::Primitive, Owner::Point}, 3, owner);
  const Attribute* uv = warp ? nullptr : numbers(geometry, "uv", {Owner::Vertex, Owner::Point}, 2, uv_owner);
  std::vector<Vec3> result;
  if (!warp && !uv) return result;
  for (int i = 0; i < geometry.primitive_count(); ++i) {
    if (geometry.primitive_types[std::size_t(i)] != PrimitiveType::Polygon) continue;
    const int first = geometry.primitive_starts[std::size_t(i)],
              end = geometry.primitive_starts[std::size_t(i) + 1];
    for (int j = first + 2; j < end; ++j) {
      const int vertex[3] = {first, j - 1, j};
      int corner[3];
      for (int a = 0; a < 3; ++a) corner[a] = geometry.vertex_points[std::size_t(vertex[a])];
      Vec3 direction = Vec3::Zero();
      if (warp) {
        for (int a = 0; a < 3; ++a)
          for (int k = 0; k < 3; ++k)
            direction[k] += number(*warp, owner == Owner::Point ? corner[a] : i, k) / 3.0;
      } else {
        double d[2][2];
        for (int a = 0; a < 2; ++a)
          for (int k = 0; k < 2; ++k) {
            const auto at = [&](int c) {
              return number(*uv, uv_owner == Owner::Vertex ? vertex[c] : corner[c], k);
            };
            d[a][k] = at(a + 1) - at(0);
          }
        const double area = d[0][0] * d[1][1] - d[0][1] * d[1][0];
        const double size = std::abs(d[0][0] * d[1][1]) + std::abs(d[0][1] * d[1][0]);
        const auto edge = [&](int a) {
          return Vec3(rest[std::size_t(corner[a])] - rest[std::size_t(corner[0])]);
        };
        if (std::abs(area) > 1e-9 * size) direction = (d[1][1] * edge(1) - d[0][1] * edge(2)) / area;
      }
      result.push_back(direction.allFinite() ? direction : Vec3::Zero());
    }
  }
  return result;
}

}  // namespace verve
