// What an artist hands to the solver and gets back: points and primitives with attributes and groups. Knows
// no host: Houdini's files, the plugin and the other caches all translate to and from it.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/Error.h"
#include "base/Fingerprint.h"
#include "base/Types.h"
#include "geometry/Attribute.h"

namespace verve {

/// Polygons are closed and wind counter-clockwise seen from outside; polylines are open; tetrahedra have a
/// positive volume, det(p1 - p0, p2 - p0, p3 - p0) > 0. (Houdini turns both the other way round: its readers
/// and writers reorder the vertices, see reversed_vertices.)
enum class PrimitiveType : std::uint8_t { Polygon, Polyline, Tetrahedron };

/// Named elements. `members` has one entry an element, 1 if it belongs; an ordered group also lists them.
struct Group {
  std::string name;
  Owner owner = Owner::Point;
  std::vector<std::uint8_t> members;
  std::vector<int> order;
};

/// Named edges, each given by its two points.
struct EdgeGroup {
  std::string name;
  std::vector<std::array<int, 2>> edges;
};

/// Struct of arrays. Primitive i owns the vertices [primitive_starts[i], primitive_starts[i + 1]), and vertex
/// j refers to point vertex_points[j]. Positions are the point attribute P (three float or double, metres).
struct Geometry {
  int point_count = 0;
  std::vector<int> vertex_points;
  std::vector<int> primitive_starts = {0};
  std::vector<PrimitiveType> primitive_types;
  /// Deques, so that a reference to one attribute or group stays good when others are added.
  std::array<std::deque<Attribute>, kOwners> attributes;
  std::deque<Group> groups;
  std::vector<EdgeGroup> edge_groups;

  int vertex_count() const { return static_cast<int>(vertex_points.size()); }
  int primitive_count() const { return static_cast<int>(primitive_types.size()); }
  int count(Owner owner) const;

  /// Appends a primitive over the given points; attributes added before it do not grow.
  int add_primitive(PrimitiveType type, const int* points, int count);
  template <class Points>
  int add_primitive(PrimitiveType type, const Points& points) {
    return add_primitive(type, std::data(points), static_cast<int>(std::size(points)));
  }

  const Attribute* find(Owner owner, const std::string& name) const;
  Attribute* find(Owner owner, const std::string& name);
  /// Adds the attribute, or replaces the one of that name.
  Attribute& put(Owner owner, Attribute attribute);
  /// A new attribute with zeros for every element there is now; fill the vector that comes back.
  template <class T>
  std::vector<T>& add(Owner owner, const std::string& name, int tuple_size = 1,
                      const std::string& type_info = "") {
    std::vector<T> zeros(static_cast<std::size_t>(count(owner)) * static_cast<std::size_t>(tuple_size));
    Attribute& a = put(owner, Attribute{name, type_info, tuple_size, std::move(zeros), {}, {0}});
    return std::get<std::vector<T>>(a.values);
  }
  /// A new string attribute, empty for every element.
  StringValues& add_strings(Owner owner, const std::string& name);
  Group& add_group(Owner owner, const std::string& name);
  const Group* find_group(Owner owner, const std::string& name) const;

  /// Sets the number of points and P (32-bit floats, as Houdini has it) from x, y, z of each point.
  void set_positions(const Vector& x);
  Vec3 position(int point) const;
  /// P of every point as degrees of freedom; an Error if there is no P.
  Vector positions() const;
};

/// The lowest and the highest corner of the box around the points; nothing without points. NaNs do not count.
std::optional<std::array<Vec3, 2>> bounding_box(const Geometry& geometry);

/// The order of vertices that turns every polygon and tetrahedron inside out while its first vertex stays:
/// entry j is the vertex that takes place j. Applied twice it gives the geometry back.
std::vector<int> reversed_vertices(const Geometry& geometry);

/// Puts the vertices into another order, such as reversed_vertices, with their attributes and groups. `order`
/// must be its own inverse.
void reorder_vertices(Geometry& geometry, const std::vector<int>& order);

/// Throws an Error that names what does not fit: counts, indices out of range, attributes of the wrong
/// length.
void check(const Geometry& geometry);

/// Adds points, primitives, attributes and groups: all that makes two geometries differ.
void add_to(Fingerprint& sum, const Geometry& geometry);

/// Equal in every bit, see same(Attribute).
bool same(const Geometry& a, const Geometry& b);

}  // namespace verve
