#include "node/NodeExport.h"

#include "simulation/Export.h"

namespace verve {

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
  if (now.settings.ledger) put_ledger(out, state.report);
  return out;
}

void put_attributes(Geometry& to, const Geometry& from) {
  for (std::size_t o = 0; o < kOwners; ++o)
    for (const Attribute& a : from.attributes[o]) to.put(Owner(o), a);
}

}  // namespace verve
