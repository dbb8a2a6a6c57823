#include "simulation/Export.h"

namespace verve {

Geometry export_frame(const Scene& scene, const State& state, const FrameReport& report) {
  Geometry geometry;
  geometry.set_positions(state.x);
  int first = 0;
  for (const Body& body : scene.bodies) {
    for (auto tet : body.tets) {
      for (int& p : tet) p += first;
      geometry.add_primitive(PrimitiveType::Tetrahedron, tet);
    }
    if (body.tets.empty())
      for (auto triangle : body.surface) {
        for (int& p : triangle) p += first;
        geometry.add_primitive(PrimitiveType::Polygon, triangle);
      }
    for (auto line : body.lines) {
      for (int& p : line) p += first;
      geometry.add_primitive(PrimitiveType::Polyline, line);
    }
    first += int(body.rest.size());
  }

  auto& v = geometry.add<float>(Owner::Point, "v", 3, "vector");
  auto& rest = geometry.add<float>(Owner::Point, "rest", 3, "point");
  auto& mass = geometry.add<float>(Owner::Point, "mass");
  auto& name = geometry.add_strings(Owner::Point, "name");
  for (Eigen::Index i = 0; i < state.v.size(); ++i) v[i] = float(state.v[i]);
  std::size_t at = 0;
  for (const Body& body : scene.bodies) {
    const int index = name.index_of(body.name);
    for (std::size_t i = 0; i < body.rest.size(); ++i, ++at) {
      for (int k = 0; k < 3; ++k) rest[3 * at + k] = float(body.rest[i][k]);
      mass[at] = float(body.mass[i]);
      name.indices[at] = index;
    }
  }
  const auto detail = [&](const char* key, double value) {
    geometry.add<double>(Owner::Detail, key)[0] = value;
  };
  detail("time", report.time);
  detail("kinetic", report.levels.kinetic);
  detail("elastic", report.levels.elastic);
  detail("gravity", report.levels.gravity);
  detail("contact", report.levels.contact);
  detail("total", report.levels.total());
  detail("dissipated", report.ledger.dissipated);
  detail("work", report.ledger.work);
  detail("ledger_error", report.ledger_error());
  return geometry;
}

}  // namespace verve
