#include "simulation/PointAttributes.h"

#include <cmath>

#include "base/Text.h"

namespace verve {
namespace {

std::string at_point(std::size_t i) {
  return " at point " + std::to_string(i);
}

/// One value a point, within the bounds that the table has.
std::vector<double> bounded(const Geometry& geometry, const AttributeEntry& entry) {
  std::vector<double> values = point_numbers(geometry, entry.name, 1);
  if (entry.form == AttributeForm::number) return values;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] > 0.0 || (!entry.above_low && values[i] == 0.0)))
      throw Error("the attribute '" + entry.name + "' is " + shortest(values[i]) + at_point(i) +
                  "; it must be " + (entry.above_low ? "above 0" : "at least 0"));
  return values;
}

/// Of primitives; springs between points have no other.
std::vector<double> primitive_lengths(const Geometry& geometry, const AttributeEntry& entry) {
  std::vector<double> lengths;
  const Attribute* a = geometry.find(Owner::Primitive, entry.name);
  if (!a) return lengths;
  if (a->is_array() || a->is_text() || a->tuple_size != 1)
    throw Error("the primitive attribute '" + entry.name +
                "' must be a number a primitive; rename it if it means something else");
  for (std::size_t i = 0; i < a->size(); ++i) {
    lengths.push_back(a->number(i));
    if (!(lengths.back() >= 0.0) || !std::isfinite(lengths.back()))
      throw Error("the attribute '" + entry.name + "' is " + shortest(lengths.back()) + " at primitive " +
                  std::to_string(i) + "; it must be at least 0");
  }
  return lengths;
}

std::vector<Vec3> vectors(const Geometry& geometry, const char* name) {
  const std::vector<double> values = point_numbers(geometry, name, 3);
  std::vector<Vec3> result;
  result.reserve(values.size() / 3);
  for (std::size_t i = 0; i < values.size(); i += 3)
    result.emplace_back(values[i], values[i + 1], values[i + 2]);
  return result;
}

template <class Chosen>
std::vector<int> points_where(const Geometry& geometry, const char* name, const Chosen& chosen) {
  const std::vector<double> values = point_numbers(geometry, name, 1);
  std::vector<int> points;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (chosen(values[i])) points.push_back(int(i));
  return points;
}

template <class T>
void add(Fingerprint& sum, const std::vector<T>& values) {
  const std::size_t size = values.size();
  sum.add(&size, sizeof size);
  if (!values.empty()) sum.add(values.data(), size * sizeof(T));
}

}  // namespace

std::vector<double> point_numbers(const Geometry& geometry, const std::string& name, int size) {
  const Owner owners[] = {Owner::Point, Owner::Primitive, Owner::Detail};
  const Attribute* a = nullptr;
  Owner owner = Owner::Point;
  for (Owner o : owners) {
    if (a) break;
    a = geometry.find(owner = o, name);
  }
  if (!a) return {};
  const std::string what = "the " + std::string(name_of(owner)) + " attribute '" + name + "'";
  if (a->is_array() || a->is_text() || a->tuple_size != size)
    throw Error(what + " must be " + (size == 1 ? "a number" : std::to_string(size) + " numbers") + " a " +
                name_of(owner) + "; rename it if it means something else");
  const auto tuple = std::size_t(size);
  for (std::size_t i = 0; i < a->size(); ++i)
    if (!std::isfinite(a->number(i)))
      throw Error(what + " is not a finite number at " + name_of(owner) + " " + std::to_string(i / tuple));

  std::vector<double> values(tuple * std::size_t(geometry.point_count));
  if (owner == Owner::Primitive) {
    std::vector<double> uses(std::size_t(geometry.point_count));
    for (std::size_t p = 0; p < geometry.primitive_types.size(); ++p)
      for (int j = geometry.primitive_starts[p]; j < geometry.primitive_starts[p + 1]; ++j) {
        const auto point = std::size_t(geometry.vertex_points[std::size_t(j)]);
        uses[point] += 1.0;
        for (std::size_t k = 0; k < tuple; ++k) values[tuple * point + k] += a->number(tuple * p + k);
      }
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = uses[i / tuple] > 0.0 ? values[i] / uses[i / tuple] : 1.0;  // a point that nothing uses
  } else {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = a->number(owner == Owner::Detail ? i % tuple : i);
  }
  return values;
}

std::vector<double> point_multipliers(const Geometry& geometry, AttributeDoor door, const char* name) {
  return bounded(geometry, *find_attribute(door, name));
}

namespace {

/// What an attribute is for.
enum class Use {
  start,  ///< the first frame alone
  build,  ///< what bodies are built from
  drive,  ///< what moves them later
};

/// The attributes of bodies that are lists of numbers, by their names in the table.
struct Numbers {
  const char* name;
  std::vector<double> PointAttributes::*list;
  Use use;
};
constexpr Numbers numbers[] = {
    {"stiffness", &PointAttributes::stiffness, Use::build},
    {"dampingratio", &PointAttributes::dampingratio, Use::build},
    {"restscale", &PointAttributes::restscale, Use::build},
    {"massdensity", &PointAttributes::massdensity, Use::build},
    {"mass", &PointAttributes::mass, Use::build},
    {"friction", &PointAttributes::friction, Use::build},
    {"collisionstiffness", &PointAttributes::collisionstiffness, Use::build},
    {"release", &PointAttributes::release, Use::build},
    {"pscale", &PointAttributes::pscale, Use::build},
    {"restlength", &PointAttributes::restlength, Use::build},
    {"dragnormal", &PointAttributes::dragnormal, Use::build},
    {"dragtangent", &PointAttributes::dragtangent, Use::build},
    {"targetweight", &PointAttributes::targetweight, Use::drive},
};
struct Vectors {
  const char* name;
  std::vector<Vec3> PointAttributes::*list;
  Use use;
};
constexpr Vectors triples[] = {
    {"v", &PointAttributes::v, Use::start},         {"rest", &PointAttributes::rest, Use::build},
    {"wind", &PointAttributes::wind, Use::build},   {"targetP", &PointAttributes::targetP, Use::drive},
    {"force", &PointAttributes::force, Use::drive},
};

}  // namespace

PointAttributes point_attributes(const Geometry& geometry) {
  PointAttributes found;
  for (const Numbers& n : numbers) {
    const AttributeEntry& entry = *find_attribute(AttributeDoor::body, n.name);
    found.*n.list =
        entry.owner == "primitive" ? primitive_lengths(geometry, entry) : bounded(geometry, entry);
  }
  for (const Vectors& v : triples) found.*v.list = vectors(geometry, v.name);
  const auto set = [](double value) { return value != 0.0; };
  found.pinned = points_where(geometry, "pintoanimation", set);
  found.stopped = points_where(geometry, "stopped", [](double value) { return int(value) & 1; });
  found.collision = collision_rules(geometry);
  return found;
}

ColliderAttributes collider_attributes(const Geometry& geometry) {
  const auto factors = [&](const char* name) {
    return point_multipliers(geometry, AttributeDoor::collider, name);
  };
  ColliderAttributes found;
  found.stiffness = factors("collisionstiffness");
  if (found.stiffness.empty()) found.stiffness = factors("stiffness");
  found.friction = factors("friction");
  found.dynamic_friction = factors("dynamicfriction");
  return found;
}

PointAttributes PointAttributes::chosen(const std::vector<int>& points) const {
  PointAttributes result;
  const auto take = [&](const auto& from, auto& to) {
    if (!from.empty())
      for (int i : points) to.push_back(from[std::size_t(i)]);
  };
  for (const Numbers& n : numbers)
    if (n.list != &PointAttributes::restlength) take(this->*n.list, result.*n.list);
  for (const Vectors& v : triples) take(this->*v.list, result.*v.list);
  result.collision = verve::chosen(collision, points);
  return result;
}

bool PointAttributes::empty() const {
  for (const Numbers& n : numbers)
    if (!(this->*n.list).empty()) return false;
  for (const Vectors& v : triples)
    if (!(this->*v.list).empty()) return false;
  return pinned.empty() && stopped.empty() && collision.of_point.empty();
}

void PointAttributes::add_to(Fingerprint& sum) const {
  add_build(sum);
  for (const Numbers& n : numbers)
    if (n.use == Use::drive) add(sum, this->*n.list);
  for (const Vectors& v : triples)
    if (v.use == Use::drive) add(sum, this->*v.list);
  for (const auto* list : {&pinned, &stopped}) add(sum, *list);
}

void PointAttributes::add_build(Fingerprint& sum) const {
  for (const Numbers& n : numbers)
    if (n.use == Use::build) add(sum, this->*n.list);
  for (const Vectors& v : triples)
    if (v.use == Use::build) add(sum, this->*v.list);
  collision.add_to(sum);
}

}  // namespace verve
