#include "node/NodeExport.h"

#include <algorithm>
#include <array>

#include "simulation/Export.h"

namespace verve {
namespace {

/// From blue through white to red.
std::array<float, 3> ramp(double share) {
  const double s = std::clamp(share, 0.0, 1.0);
  const auto part = [&](double low, double middle, double high) {
    return float(s < 0.5 ? low + (middle - low) * 2 * s : middle + (high - middle) * (2 * s - 1));
  };
  return {part(0.1, 0.95, 0.85), part(0.25, 0.95, 0.1), part(0.8, 0.9, 0.05)};
}

/// Cd of what the artist wants to see.
void put_colour(Geometry& out, const std::vector<int>& points, const NodeInputs& now,
                const NodeState& state) {
  std::vector<double> values(std::size_t(out.point_count));
  double largest = 1.0;
  if (now.settings.colour_by == "contact") {
    for (int i : state.state.contact.touched) values[std::size_t(points[std::size_t(i)])] = 1.0;
  } else if (now.settings.colour_by == "pins") {
    for (const Goal& goal : now.targets) values[std::size_t(goal.point)] = 0.5;
    for (const Goal& goal : now.pins) values[std::size_t(goal.point)] = 1.0;
    for (int i : now.attributes.stopped) values[std::size_t(i)] = 1.0;
  } else {
    const auto& from =
        now.settings.colour_by == "stress" ? state.elements.stress : state.elements.energy_density;
    for (std::size_t i = 0; i < points.size(); ++i) values[std::size_t(points[i])] = double(from[i]);
    largest = now.settings.colour_to;
    if (largest == 0.0 && !values.empty()) largest = *std::max_element(values.begin(), values.end());
  }
  auto& cd = out.add<float>(Owner::Point, "Cd", 3, "color");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto colour = ramp(largest > 0.0 ? values[i] / largest : 0.0);
    std::copy(colour.begin(), colour.end(), cd.begin() + std::ptrdiff_t(3 * i));
  }
}

}  // namespace

Geometry export_node(const NodeSimulation& simulation, const NodeInputs& now, const NodeState& state) {
  const Geometry& input = *now.geometry;
  Geometry out;
  out.point_count = input.point_count;
  out.vertex_points = input.vertex_points;
  out.primitive_starts = input.primitive_starts;
  out.primitive_types = input.primitive_types;

  const std::vector<int>& points = simulation.geometry_point();
  const auto spread = [&](const char* name, const char* type, const Vector& from, const Vector* others) {
    auto& values = out.add<double>(Owner::Point, name, 3, type);
    for (std::size_t i = 0; others && i < values.size(); ++i) values[i] = (*others)[Eigen::Index(i)];
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        values[3 * std::size_t(points[i]) + k] = from[Eigen::Index(3 * i + k)];
  };
  const Vector places = input.positions();
  spread("P", "point", state.state.x, &places);
  spread("v", "vector", state.state.v, nullptr);
  auto& rest = out.add<float>(Owner::Point, "rest", 3, "point");
  const auto& at_rest = now.attributes.rest.empty() ? simulation.rest() : now.attributes.rest;
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = float(at_rest[i / 3][Eigen::Index(i % 3)]);

  if (now.settings.stress) {
    auto& stress = out.add<float>(Owner::Point, "stress");
    auto& energy = out.add<float>(Owner::Point, "energydensity");
    for (std::size_t i = 0; i < points.size(); ++i) {
      stress[std::size_t(points[i])] = state.elements.stress[i];
      energy[std::size_t(points[i])] = state.elements.energy_density[i];
    }
    auto& inverted = out.add<std::int32_t>(Owner::Primitive, "inverted");
    for (int i : state.elements.inverted) inverted[std::size_t(i)] = 1;
  }
  if (now.settings.contact) {
    auto& contact = out.add<std::int32_t>(Owner::Point, "contact");
    for (int i : state.state.contact.touched) contact[std::size_t(points[std::size_t(i)])] = 1;
  }
  if (now.settings.colour_by != "none") put_colour(out, points, now, state);
  if (now.settings.ledger) put_ledger(out, state.report);
  return out;
}

void put_attributes(Geometry& to, const Geometry& from) {
  for (std::size_t o = 0; o < kOwners; ++o)
    for (const Attribute& a : from.attributes[o]) to.put(Owner(o), a);
}

}  // namespace verve
