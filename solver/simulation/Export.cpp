#include "simulation/Export.h"

#include <algorithm>

#include "geometry/Merge.h"
#include "simulation/ElementReport.h"
#include "simulation/EmbeddedSkin.h"

namespace verve {
namespace {

void put_name(Geometry& geometry, const std::string& name) {
  StringValues& names = geometry.add_strings(Owner::Point, "name");
  const int index = names.index_of(name);
  for (int& i : names.indices) i = index;
}

/// The tets of a body, or the polygons and lines that show it.
Geometry export_cage(const Body& body, const Vector& x, const Vector& v) {
  Geometry geometry;
  geometry.set_positions(x);
  for (const auto& tet : body.tets) geometry.add_primitive(PrimitiveType::Tetrahedron, tet);
  if (body.tets.empty())
    for (const auto& triangle : body.surface) geometry.add_primitive(PrimitiveType::Polygon, triangle);
  for (const auto& line : body.lines) geometry.add_primitive(PrimitiveType::Polyline, line);

  auto& velocity = geometry.add<float>(Owner::Point, "v", 3, "vector");
  auto& rest = geometry.add<float>(Owner::Point, "rest", 3, "point");
  auto& mass = geometry.add<float>(Owner::Point, "mass");
  for (Eigen::Index i = 0; i < v.size(); ++i) velocity[std::size_t(i)] = float(v[i]);
  for (std::size_t i = 0; i < body.rest.size(); ++i) {
    for (int k = 0; k < 3; ++k) rest[3 * i + std::size_t(k)] = float(body.rest[i][k]);
    mass[i] = float(body.mass[i]);
  }
  put_name(geometry, body.name);
  return geometry;
}

Geometry export_skin(const Body& body, const Vector& x, const Vector& v) {
  Geometry geometry = body.skin->at(x, v);
  if (!geometry.find(Owner::Point, "name")) put_name(geometry, body.name);
  return geometry;
}

/// A number for each of the body's points, carried over to the skin where that is shown.
void put_quantity(Geometry& geometry, const char* name, const std::vector<float>& all, int first,
                  const EmbeddedSkin* skin) {
  auto& values = geometry.add<float>(Owner::Point, name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!skin) {
      values[i] = all[std::size_t(first) + i];
      continue;
    }
    const SkinBinding::Binding& b = skin->binding().bindings()[i];
    double sum = 0.0;
    for (std::size_t k = 0; k < 4; ++k) sum += b.weights[k] * all[std::size_t(first + b.corners[k])];
    values[i] = float(std::max(0.0, sum));  // beyond the tets weights may be negative
  }
}

}  // namespace

std::vector<Vec3> shown_points(const Body& body, const Vector& x) {
  std::vector<Vec3> points;
  if (body.skin)
    body.skin->binding().positions(x, points);
  else
    for (int i = 0; i < int(body.rest.size()); ++i) points.emplace_back(point(x, i));
  return points;
}

Geometry export_frame(const Scene& scene, const Vector& all_x, const Vector& all_v, const FrameReport& report,
                      ExportSurface surface, const PointQuantities* quantities,
                      const std::vector<int>& intersecting) {
  Geometry geometry;
  ElementReport elements;
  std::vector<float> contact;
  if (quantities) {
    elements = report_elements(scene, all_x);
    contact.resize(std::size_t(all_x.size() / 3));
    for (int i : quantities->touched) contact[std::size_t(i)] = 1.0f;
  }
  Eigen::Index first = 0;
  for (const Body& body : scene.bodies) {
    const auto size = 3 * Eigen::Index(body.rest.size());
    const Vector x = all_x.segment(first, size), v = all_v.segment(first, size);
    const bool skin = surface == ExportSurface::skin && body.skin;
    Geometry shown = skin ? export_skin(body, x, v) : export_cage(body, x, v);
    if (quantities) {
      const EmbeddedSkin* through = skin ? body.skin.get() : nullptr;
      const int begin = int(first / 3);
      put_quantity(shown, "stress", elements.stress, begin, through);
      put_quantity(shown, "energydensity", elements.energy_density, begin, through);
      put_quantity(shown, "contact", contact, begin, through);
    }
    // A skin shows the group where any corner of a point's tet is in it.
    if (!intersecting.empty()) {
      std::vector<float> in(std::size_t(all_x.size() / 3));
      for (int i : intersecting) in[std::size_t(i)] = 1.0f;
      Group& group = shown.add_group(Owner::Point, "intersecting");
      group.members.resize(std::size_t(shown.point_count));
      for (std::size_t i = 0; i < group.members.size(); ++i) {
        bool member = !skin && in[std::size_t(first / 3) + i] > 0.0f;
        if (skin)
          for (int corner : body.skin->binding().bindings()[i].corners)
            member = member || in[std::size_t(first / 3 + corner)] > 0.0f;
        group.members[i] = member;
      }
    }
    if (first == 0)
      geometry = std::move(shown);
    else
      append(geometry, shown);
    first += size;
  }
  put_ledger(geometry, report);
  return geometry;
}

void put_ledger(Geometry& geometry, const FrameReport& report) {
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
}

}  // namespace verve
