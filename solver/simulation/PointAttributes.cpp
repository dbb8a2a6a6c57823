#include "simulation/PointAttributes.h"

#include <cmath>

#include "base/Text.h"

namespace verve {
namespace {

std::string at_point(std::size_t i) {
  return " at point " + std::to_string(i);
}

/// One value a point, of which each must be above `low` (or at it, with `or_equal`).
std::vector<double> bounded(const Geometry& geometry, const char* name, double low, bool or_equal) {
  std::vector<double> values = point_numbers(geometry, name, 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] > low || (or_equal && values[i] == low)))
      throw Error(std::string("the attribute '") + name + "' is " + shortest(values[i]) + at_point(i) +
                  "; it must be " + (or_equal ? "at least " : "above ") + shortest(low));
  return values;
}

/// Of primitives; springs between points have no other.
std::vector<double> rest_lengths(const Geometry& geometry) {
  std::vector<double> lengths;
  const Attribute* a = geometry.find(Owner::Primitive, "restlength");
  if (!a) return lengths;
  if (a->is_array() || a->is_text() || a->tuple_size != 1)
    throw Error(
        "the primitive attribute 'restlength' must be a number a primitive; rename it if it means something "
        "else");
  for (std::size_t i = 0; i < a->size(); ++i) {
    lengths.push_back(a->number(i));
    if (!(lengths.back() >= 0.0) || !std::isfinite(lengths.back()))
      throw Error("the attribute 'restlength' is " + shortest(lengths.back()) + " at primitive " +
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

std::vector<double> point_multipliers(const Geometry& geometry, const char* name) {
  return bounded(geometry, name, 0.0, true);
}

PointAttributes point_attributes(const Geometry& geometry) {
  PointAttributes found;
  found.stiffness = bounded(geometry, "stiffness", 0.0, true);
  found.dampingratio = bounded(geometry, "dampingratio", 0.0, true);
  found.restscale = bounded(geometry, "restscale", 0.0, false);
  found.massdensity = bounded(geometry, "massdensity", 0.0, false);
  found.mass = bounded(geometry, "mass", 0.0, false);
  found.friction = bounded(geometry, "friction", 0.0, true);
  found.collisionstiffness = bounded(geometry, "collisionstiffness", 0.0, true);
  found.pscale = bounded(geometry, "pscale", 0.0, true);
  found.release = point_numbers(geometry, "release", 1);
  found.targetweight = bounded(geometry, "targetweight", 0.0, true);
  found.v = vectors(geometry, "v");
  found.rest = vectors(geometry, "rest");
  found.targetP = vectors(geometry, "targetP");
  found.force = vectors(geometry, "force");
  found.dragnormal = bounded(geometry, "dragnormal", 0.0, true);
  found.dragtangent = bounded(geometry, "dragtangent", 0.0, true);
  found.wind = vectors(geometry, "wind");
  const auto set = [](double value) { return value != 0.0; };
  found.pinned = points_where(geometry, "pintoanimation", set);
  found.stopped = points_where(geometry, "stopped", [](double value) { return int(value) & 1; });
  found.collision = collision_rules(geometry);
  found.restlength = rest_lengths(geometry);
  return found;
}

ColliderAttributes collider_attributes(const Geometry& geometry) {
  ColliderAttributes found;
  found.stiffness = point_multipliers(geometry, "collisionstiffness");
  if (found.stiffness.empty()) found.stiffness = point_multipliers(geometry, "stiffness");
  found.friction = point_multipliers(geometry, "friction");
  found.dynamic_friction = point_multipliers(geometry, "dynamicfriction");
  return found;
}

bool PointAttributes::empty() const {
  for (const auto* list : {&stiffness, &dampingratio, &massdensity, &mass, &friction, &collisionstiffness,
                           &pscale, &targetweight, &restlength, &restscale, &release})
    if (!list->empty()) return false;
  for (const auto* list : {&v, &rest, &targetP, &force})
    if (!list->empty()) return false;
  return pinned.empty() && stopped.empty() && collision.of_point.empty();
}

void PointAttributes::add_to(Fingerprint& sum) const {
  add_build(sum);
  add(sum, targetweight);
  for (const auto* list : {&targetP, &force}) add(sum, *list);
  for (const auto* list : {&pinned, &stopped}) add(sum, *list);
}

void PointAttributes::add_build(Fingerprint& sum) const {
  for (const auto* list : {&stiffness, &dampingratio, &massdensity, &mass, &friction, &collisionstiffness,
                           &pscale, &restlength, &restscale, &release, &dragnormal, &dragtangent})
    add(sum, *list);
  add(sum, rest), add(sum, wind);
  collision.add_to(sum);
}

}  // namespace verve
