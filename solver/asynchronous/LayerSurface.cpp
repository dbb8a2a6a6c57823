#include "asynchronous/LayerSurface.h"

#include <algorithm>
#include <set>

#include "base/Error.h"
#include "base/Text.h"

namespace verve {
namespace {

/// Adds a collider's values, which begin at the particle `first`; those before it that have none have ones.
void append(const std::vector<double>& values, int first, std::vector<double>& by_particle) {
  if (values.empty()) return;
  by_particle.resize(std::size_t(first), 1.0);
  by_particle.insert(by_particle.end(), values.begin(), values.end());
}

}  // namespace

LayerSurface::LayerSurface(const ContactInput& input, int points)
    : bodies(int(input.bodies.size())),
      system_points(points),
      particles(points),
      settings(input.settings.layers),
      collision_matrix(input.collision_matrix),
      between_(input.settings.between),
      self_(input.settings.self) {
  const ContactSettings& s = input.settings;
  if (!(settings.safety > 0.0 && settings.safety < 0.2))
    throw Error("contact.safety: layers that step by " + shortest(settings.safety) +
                " over their frequency cannot be stable; give a number above 0 and below 0.2, such as 0.05");
  if (!(s.thickness > 0.0))
    throw Error("contact.thickness: it is the thickness of the outermost penalty layer and must be above 0");
  if (!input.points.empty())
    throw Error(
        "contact.rule: penalty layers know no skins that meet colliders; let the body's own surface meet "
        "them or choose an implicit integrator");
  stiffness = input.stiffness;
  friction = input.friction;
  for (const ContactBody& body : input.bodies) {
    names.push_back("body '" + body.name + "'");
    add(body.triangles, body.lines, 0, int(names.size()) - 1);
  }
  double sum = 0.0;
  for (const auto& edge : edges.corners)
    sum += (point(input.rest, edge[0]) - point(input.rest, edge[1])).norm();
  mean_edge = edges.size() > 0 ? sum / edges.size() : 0.0;

  const auto rule_of = [&](double thickness, double stiffness, double friction, double dynamic) {
    widest = std::max(widest, thickness);
    return LayerRule{{settings.spacing, thickness, 2.0 * stiffness}, friction, dynamic};
  };
  with_body = rule_of(s.thickness, s.stiffness, s.static_friction, s.dynamic_friction);
  for (const ColliderSpec& given : input.colliders) {
    colliders.push_back(Collider(given).spec());
    ColliderSpec& spec = colliders.back();
    // What has corners meets faces and edges with them; only its inside is asked of the shape.
    exact.push_back(!spec.mesh);
    if (!spec.mesh)
      if (TriangleMesh corners = spec.shape->corners(); !corners.triangles.empty())
        spec.mesh = std::make_shared<const TriangleMesh>(std::move(corners));
    names.push_back("collider '" + spec.name + "'");
    with_collider.push_back(rule_of(spec.thickness > 0.0 ? spec.thickness : s.thickness, spec.stiffness,
                                    spec.static_friction, spec.dynamic_friction));
    const RoundCore core = spec.mesh ? RoundCore{} : spec.shape->core();
    corners.push_back(spec.mesh ? spec.mesh->points : core.points);
    radius.push_back(core.radius);
    first_particle.push_back(corners.back().empty() ? -1 : particles);
    if (corners.back().empty()) continue;
    const int owner = int(names.size()) - 1;
    if (spec.mesh)
      add(spec.mesh->triangles, {}, particles, owner);
    else if (core.lines.empty())
      vertices.corners.push_back({particles}), vertices.owner.push_back(owner);
    else
      add({}, core.lines, particles, owner);
    append(spec.point_stiffness, particles, stiffness);
    append(spec.point_friction, particles, friction);
    particles += int(corners.back().size());
  }
  if (!stiffness.empty()) stiffness.resize(particles, 1.0);
  if (!friction.empty()) friction.resize(particles, 1.0);
  vertex_of.assign(particles, -1);
  edges_of.resize(particles);
  triangles_of.resize(particles);
  for (int i = 0; i < vertices.size(); ++i) vertex_of[vertices.corners[i][0]] = i;
  for (int i = 0; i < edges.size(); ++i)
    for (int p : edges.corners[i]) edges_of[p].push_back(i);
  for (int i = 0; i < triangles.size(); ++i)
    for (int p : triangles.corners[i]) triangles_of[p].push_back(i);
}

void LayerSurface::add(const std::vector<std::array<int, 3>>& faces,
                       const std::vector<std::array<int, 2>>& lines, int first, int owner) {
  std::set<std::array<int, 2>> sides;
  std::set<int> corners;
  const auto side = [&](int a, int b) {
    sides.insert({first + std::min(a, b), first + std::max(a, b)});
    corners.insert({first + a, first + b});
  };
  for (const auto& face : faces) {
    triangles.corners.push_back({first + face[0], first + face[1], first + face[2]});
    triangles.owner.push_back(owner);
    for (int k = 0; k < 3; ++k) side(face[k], face[(k + 1) % 3]);
  }
  for (const auto& line : lines) side(line[0], line[1]);
  for (const auto& edge : sides) edges.corners.push_back(edge), edges.owner.push_back(owner);
  for (int p : corners) vertices.corners.push_back({p}), vertices.owner.push_back(owner);
}

void LayerSurface::multiply(const int* begin, const int* end, LayerRule& rule) const {
  const auto mean = [&](const std::vector<double>& by_particle) {
    double sum = 0.0;
    for (const int* i = begin; i != end; ++i) sum += by_particle[*i];
    return sum / double(end - begin);
  };
  if (!stiffness.empty()) rule.law.rigidity *= mean(stiffness);
  if (friction.empty()) return;
  const double factor = mean(friction);
  rule.static_friction *= factor;
  rule.dynamic_friction *= factor;
}

bool LayerSurface::may_meet(int a, int b) const {
  if (a >= bodies && b >= bodies) return false;
  if (a >= bodies || b >= bodies) return true;
  return a == b ? self_ : between_;
}

const LayerRule& LayerSurface::rule(int a, int b) const {
  const int collider = std::max(a, b) - bodies;
  return collider >= 0 ? with_collider[collider] : with_body;
}

}  // namespace verve
