#include "simulation/Bodies.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "base/Error.h"
#include "base/Text.h"
#include "mesh/MeshCheck.h"
#include "mesh/MeshGeometry.h"

namespace verve {
namespace {

Body at_rest(const std::string& name, const std::vector<Vec3>& points) {
  Body body;
  body.name = name;
  body.rest = body.x = points;
  body.v.assign(points.size(), Vec3::Zero());
  body.mass.assign(points.size(), 0.0);
  return body;
}

/// A quarter of the mass of each tet for each of its points.
void weigh(Body& body) {
  body.mass.assign(body.rest.size(), 0.0);
  const std::vector<Vec3>& p = body.rest;
  for (std::size_t t = 0; t < body.tets.size(); ++t) {
    const auto& [a, b, c, d] = body.tets[t];
    const double mass = body.tet_material.density[t] * tet_volume(p[a], p[b], p[c], p[d]);
    for (int i : body.tets[t]) body.mass[i] += 0.25 * mass;
  }
}

double area(const std::vector<Vec3>& p, const std::array<int, 3>& t) {
  return 0.5 * (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).norm();
}

/// The mean of its points' multipliers.
template <class Element>
double mean(const Element& element, const std::vector<double>& by) {
  double sum = 0.0;
  for (int i : element) sum += by[i];
  return sum / double(element.size());
}

/// Multiplies each element's value by the mean of its points' multipliers.
template <class Elements>
void scale(std::vector<double>& values, const Elements& elements, const std::vector<double>& by) {
  for (std::size_t e = 0; e < elements.size(); ++e) values[e] *= mean(elements[e], by);
}

void scale_sheet_density(Body& body, const std::vector<double>& by) {
  for (std::size_t e = 0; e < body.membrane.size(); ++e) body.sheet[e].density *= mean(body.membrane[e], by);
}

}  // namespace

Lame lame_from_young(double young, double poisson) {
  if (!(poisson > -1.0 && poisson < 0.5))
    throw Error("a Poisson ratio of " + std::to_string(poisson) +
                " is out of reach; give one above -1 and below 0.5 (0.49 is nearly incompressible)");
  return {young / (2.0 * (1.0 + poisson)), young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson))};
}

TetModel tet_model(const std::string& name) {
  return name == "neo_hookean"          ? TetModel::neo_hookean
         : name == "stable_neo_hookean" ? TetModel::stable_neo_hookean
         : name == "mooney_rivlin"      ? TetModel::mooney_rivlin
                                        : TetModel::stvk;
}

void require_bounded(TetModel model, const Lame& lame, const std::string& name) {
  if (lame.lambda < 0.0 && (model == TetModel::neo_hookean || model == TetModel::mooney_rivlin))
    throw Error("body '" + name + "': lambda is " + shortest(lame.lambda) +
                "; neo_hookean and mooney_rivlin need one of 0 or more (and so a Poisson ratio), or swelling "
                "would set energy free without end; choose stvk or stable_neo_hookean");
}

Body make_soft_body(const std::string& name, const TetMesh& mesh, TetModel model, Lame lame, double density) {
  require_usable(mesh, name);
  require_bounded(model, lame, name);
  Body body = at_rest(name, mesh.points);
  body.tets = mesh.tets;
  body.tet_material.model = model;
  body.tet_material.mu.assign(mesh.tets.size(), lame.mu);
  body.tet_material.lambda.assign(mesh.tets.size(), lame.lambda);
  body.tet_material.density.assign(mesh.tets.size(), density);
  weigh(body);
  body.surface = surface_triangles(mesh);
  return body;
}

Body make_cloth(const std::string& name, const TriangleMesh& mesh, SpringModel model, double stretch,
                double bend, double density) {
  require_usable(mesh, name);
  const SpringNet net = make_spring_net(mesh);
  Body body = at_rest(name, net.points);
  body.springs = net.stretch;
  body.springs.insert(body.springs.end(), net.bend.begin(), net.bend.end());
  body.spring_material.model = model;
  body.spring_material.stiffness.assign(net.stretch.size(), stretch);
  body.spring_material.stiffness.resize(body.springs.size(), bend);
  for (const auto& t : mesh.triangles) {
    const Vec3 normal = (mesh.points[t[1]] - mesh.points[t[0]]).cross(mesh.points[t[2]] - mesh.points[t[0]]);
    for (int p : t) body.mass[p] += density * normal.norm() / 6.0;
  }
  body.surface = mesh.triangles;
  return body;
}

std::string without_stiffness(const Body& body) {
  const auto& mu = body.tet_material.mu;
  const auto first = std::find(mu.begin(), mu.end(), 0.0);
  if (first == mu.end()) return "";
  const auto count = std::count(mu.begin(), mu.end(), 0.0);
  return "body '" + body.name + "': " + std::to_string(count) + (count == 1 ? " tet has" : " tets have") +
         " no stiffness and nothing but mass, the first is tet " + std::to_string(first - mu.begin());
}

Body make_membrane(const std::string& name, const TriangleMesh& mesh, const SheetMaterial& material,
                   const std::vector<Vec3>& warp) {
  require_usable(mesh, name);
  Body body = at_rest(name, mesh.points);
  body.membrane = body.surface = mesh.triangles;
  body.sheet.assign(mesh.triangles.size(), material);
  for (std::size_t e = 0; e < warp.size(); ++e) body.sheet[e].warp = warp[e];
  for (const auto& t : mesh.triangles)
    for (int p : t) body.mass[p] += material.density * area(mesh.points, t) / 3.0;
  return body;
}

void set_mass(Body& body, double mass) {
  double sum = 0.0;
  for (double m : body.mass) sum += m;
  for (double& m : body.mass) m *= mass / sum;
  for (double& d : body.tet_material.density) d *= mass / sum;
  for (SheetMaterial& m : body.sheet) m.density *= mass / sum;
}

void scale_stiffness(Body& body, const std::vector<double>& by) {
  scale(body.tet_material.mu, body.tets, by);
  scale(body.tet_material.lambda, body.tets, by);
  scale(body.spring_material.stiffness, body.springs, by);
  scale(body.rope.rigidity, body.corners, by);
  for (std::size_t e = 0; e < body.membrane.size(); ++e) {
    const double share = mean(body.membrane[e], by);
    body.sheet[e].stretch = body.sheet[e].stretch * share;
    body.sheet[e].bend = body.sheet[e].bend * share;
  }
}

void scale_rest(Body& body, double by) {
  if (by == 1.0) return;
  for (Vec3& p : body.rest) p *= by;
  for (double& length : body.spring_material.length) length *= by;
  for (double& side : body.rope.sides) side *= by;
  if (body.links)  // what they resist a share of their length with stays
    for (double& k : body.spring_material.stiffness) k /= by * by * by;
}

void scale_density(Body& body, const std::vector<double>& by) {
  scale_sheet_density(body, by);
  if (body.tets.empty()) {
    for (std::size_t i = 0; i < body.mass.size(); ++i) body.mass[i] *= by[i];
    return;
  }
  scale(body.tet_material.density, body.tets, by);
  weigh(body);
}

void set_masses(Body& body, const std::vector<double>& mass) {
  std::vector<double> change(mass.size());
  for (std::size_t i = 0; i < mass.size(); ++i) change[i] = mass[i] / body.mass[i];
  scale(body.tet_material.density, body.tets, change);
  scale_sheet_density(body, change);
  body.mass = mass;
}

void deform(Body& body, double stretch, double twist) {
  const Eigen::AlignedBox3d box = bounds(body.x);
  const Vec3 centre = box.center();
  const double length = box.sizes()[0];
  for (Vec3& p : body.x) {
    const Vec3 d = p - centre;
    const double angle = length > 0.0 ? twist * d[0] / length : 0.0;
    p = centre + Vec3(stretch * d[0], std::cos(angle) * d[1] - std::sin(angle) * d[2],
                      std::sin(angle) * d[1] + std::cos(angle) * d[2]);
  }
}

void place_body(Body& body, const Transform& transform) {
  const Mat3 linear = transform.linear();
  for (auto* points : {&body.rest, &body.x})
    for (Vec3& p : *points) p = linear * p + transform.translate;
  for (SheetMaterial& m : body.sheet) m.warp = linear * m.warp;
}

void set_in_motion(Body& body, const Vec3& velocity, const Vec3& spin) {
  Vec3 centre = Vec3::Zero();
  double mass = 0.0;
  for (std::size_t i = 0; i < body.x.size(); ++i) {
    centre += body.mass[i] * body.x[i];
    mass += body.mass[i];
  }
  centre /= mass;
  for (std::size_t i = 0; i < body.x.size(); ++i) body.v[i] += velocity + spin.cross(body.x[i] - centre);
}

}  // namespace verve
