#include "node/NodeGuides.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace verve {
namespace {

class Lines {
 public:
  void add(const Vec3& a, const Vec3& b) {
    for (const Vec3& p : {a, b}) places_.insert(places_.end(), p.data(), p.data() + 3);
  }
  void cross(const Vec3& p, double size, bool turned) {
    for (int k = 0; k < 3; ++k) {
      Vec3 arm = Vec3::Unit(k) * size;
      if (turned) arm += Vec3::Unit((k + 1) % 3) * size;
      add(p - arm, p + arm);
    }
  }
  Geometry geometry() const {
    Geometry lines;
    lines.point_count = int(places_.size() / 3);
    lines.add<double>(Owner::Point, "P", 3, "point") = places_;
    for (int i = 0; i < lines.point_count; i += 2)
      lines.add_primitive(PrimitiveType::Polyline, std::array<int, 2>{i, i + 1});
    return lines;
  }

 private:
  std::vector<double> places_;
};

/// The edges of a collider, as far outside as contact begins.
void add_shell(const ColliderSpec& collider, Lines& lines) {
  const TriangleMesh& mesh = *collider.mesh;
  std::vector<Vec3> normals(mesh.points.size(), Vec3::Zero());
  std::set<std::array<int, 2>> edges;
  for (const auto& t : mesh.triangles) {
    const auto at = [&](int k) { return mesh.points[std::size_t(t[std::size_t(k)])]; };
    const Vec3 area = (at(1) - at(0)).cross(at(2) - at(0));
    for (std::size_t k = 0; k < 3; ++k) {
      normals[std::size_t(t[k])] += area;
      const int a = t[k], b = t[(k + 1) % 3];
      edges.insert({std::min(a, b), std::max(a, b)});
    }
  }
  const auto outside = [&](int p) -> Vec3 {
    const Vec3& n = normals[std::size_t(p)];
    const double length = n.norm();
    return mesh.points[std::size_t(p)] +
           (length > 0.0 ? Vec3(collider.thickness / length * n) : Vec3(Vec3::Zero()));
  };
  for (const auto& [a, b] : edges) lines.add(outside(a), outside(b));
}

}  // namespace

Geometry guide_lines(const NodeInputs& now, const NodeState& state, const std::vector<int>& points) {
  Lines lines;
  const std::string& what = now.settings.guides;
  const auto shows = [&](const char* word) { return what == word || what == "all"; };
  Vector x = now.geometry->positions();
  for (std::size_t i = 0; i < points.size(); ++i) point(x, points[i]) = point(state.state.x, int(i));
  Vec3 low = Vec3::Constant(1e300), high = -low;
  for (int i = 0; i < now.geometry->point_count; ++i)
    low = low.cwiseMin(Vec3(point(x, i))), high = high.cwiseMax(Vec3(point(x, i)));
  const double size = 0.01 * (high - low).norm();
  if (shows("pins")) {
    for (const Goal& goal : now.pins) lines.cross(point(x, goal.point), size, false);
    for (int i : now.attributes.stopped) lines.cross(point(x, i), size, false);
    for (const Goal& goal : now.targets) lines.add(point(x, goal.point), goal.position);
  }
  if (shows("contact"))
    for (int i : state.state.contact.touched) lines.cross(point(state.state.x, i), size, true);
  if (shows("thickness"))
    for (const ColliderSpec& collider : now.colliders)
      if (collider.thickness > 0.0) add_shell(collider, lines);
  return lines.geometry();
}

}  // namespace verve
