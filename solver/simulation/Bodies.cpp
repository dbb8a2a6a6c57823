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

double area(const std::vector<Vec3>& p, const std::array<int, 3>& t) {
  return 0.5 * (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).norm();
}

/// The mean of its points' multipliers.
template <class Element>
double mean(const Element& element, const std::vector<double>& by) {
  if (by.empty()) return 1.0;
  double sum = 0.0;
  for (int i : element) sum += by[i];
  return sum / double(element.size());
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

Body at_rest(const std::string& name, const std::vector<Vec3>& points) {
  Body body;
  body.name = name;
  body.rest = body.x = points;
  body.v.assign(points.size(), Vec3::Zero());
  body.mass.assign(points.size(), 0.0);
  return body;
}

void add_tets(Body& body, const std::vector<std::array<int, 4>>& tets, TetModel model, Lame lame,
              double density, const PointFactors& factors) {
  body.tets = tets;
  body.tet_material.model = model;
  const std::vector<Vec3>& p = body.rest;
  for (const auto& tet : tets) {
    const double stiffness = mean(tet, factors.stiffness), heavy = density * mean(tet, factors.density);
    body.tet_material.mu.push_back(lame.mu * stiffness);
    body.tet_material.lambda.push_back(lame.lambda * stiffness);
    body.tet_material.density.push_back(heavy);
    const double mass = heavy * tet_volume(p[tet[0]], p[tet[1]], p[tet[2]], p[tet[3]]);
    for (int i : tet) body.mass[i] += 0.25 * mass;
  }
  if (tets.empty()) return;
  const auto surface = surface_triangles({body.rest, tets});
  body.surface.insert(body.surface.end(), surface.begin(), surface.end());
}

void add_membrane(Body& body, const std::vector<std::array<int, 3>>& triangles, const SheetMaterial& material,
                  const std::vector<Vec3>& warp, const PointFactors& factors) {
  for (std::size_t e = 0; e < triangles.size(); ++e) {
    const std::array<int, 3>& t = triangles[e];
    SheetMaterial sheet = material;
    if (!warp.empty()) sheet.warp = warp[e];
    if (!factors.density.empty()) sheet.density *= mean(t, factors.density);
    if (!factors.stiffness.empty()) {
      const double stiffness = mean(t, factors.stiffness);
      sheet.stretch = sheet.stretch * stiffness;
      sheet.bend = sheet.bend * stiffness;
    }
    for (int p : t) body.mass[p] += sheet.density * area(body.rest, t) / 3.0;
    body.membrane.push_back(t);
    body.sheet.push_back(sheet);
    body.surface.push_back(t);
  }
}

void add_springs(Body& body, const SpringNet& net, SpringModel model, double stretch, double bend,
                 const PointFactors& factors) {
  body.spring_material.model = model;
  const auto add = [&](const std::vector<std::array<int, 2>>& springs, double stiffness) {
    for (const auto& spring : springs) {
      body.springs.push_back(spring);
      body.spring_material.stiffness.push_back(stiffness * mean(spring, factors.stiffness));
    }
  };
  add(net.stretch, stretch);
  add(net.bend, bend);
}

void add_spring_sheet(Body& body, const std::vector<std::array<int, 3>>& triangles, SpringModel model,
                      double stretch, double bend, double density, const PointFactors& factors) {
  add_springs(body, make_spring_net({body.rest, triangles}), model, stretch, bend, factors);
  const std::vector<Vec3>& p = body.rest;
  for (const auto& t : triangles) {
    const Vec3 normal = (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]);
    const double heavy = density * mean(t, factors.density);
    for (int i : t) body.mass[i] += heavy * normal.norm() / 6.0;
    body.surface.push_back(t);
  }
}

void add_lines(Body& body, const std::vector<std::vector<int>>& lines, double density,
               const PointFactors& factors) {
  for (const auto& line : lines)
    for (std::size_t k = 0; k + 1 < line.size(); ++k) {
      const std::array<int, 2> segment = {line[k], line[k + 1]};
      const double mass =
          density * mean(segment, factors.density) * (body.rest[segment[1]] - body.rest[segment[0]]).norm();
      for (int i : segment) body.mass[i] += mass / 2.0;
      body.lines.push_back(segment);
    }
}

void give_attributes(Body& body, const PointAttributes& attributes) {
  if (!attributes.mass.empty()) set_masses(body, attributes.mass);
  if (!attributes.v.empty()) body.v = attributes.v;
  body.damping = attributes.dampingratio;
  body.growth = attributes.restscale;
  body.friction = attributes.friction;
  body.contact_stiffness = attributes.collisionstiffness;
  body.radius = attributes.pscale;
  body.release = attributes.release;
  body.drag_normal = attributes.dragnormal;
  body.drag_tangent = attributes.dragtangent;
  body.wind = attributes.wind;
  body.collision = attributes.collision;
}

Body make_soft_body(const std::string& name, const TetMesh& mesh, TetModel model, Lame lame, double density,
                    const PointFactors& factors) {
  require_usable(mesh, name);
  require_bounded(model, lame, name);
  Body body = at_rest(name, mesh.points);
  add_tets(body, mesh.tets, model, lame, density, factors);
  return body;
}

Body make_cloth(const std::string& name, const TriangleMesh& mesh, SpringModel model, double stretch,
                double bend, double density, const PointFactors& factors) {
  require_usable(mesh, name);
  Body body = at_rest(name, mesh.points);
  add_spring_sheet(body, mesh.triangles, model, stretch, bend, density, factors);
  return body;
}

Body make_membrane(const std::string& name, const TriangleMesh& mesh, const SheetMaterial& material,
                   const std::vector<Vec3>& warp, const PointFactors& factors) {
  require_usable(mesh, name);
  Body body = at_rest(name, mesh.points);
  add_membrane(body, mesh.triangles, material, warp, factors);
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

void set_mass(Body& body, double mass) {
  double sum = 0.0;
  for (double m : body.mass) sum += m;
  for (double& m : body.mass) m *= mass / sum;
  for (double& d : body.tet_material.density) d *= mass / sum;
  for (SheetMaterial& m : body.sheet) m.density *= mass / sum;
}

void scale_stiffness(Body& body, double by) {
  for (auto* list : {&body.tet_material.mu, &body.tet_material.lambda, &body.spring_material.stiffness,
                     &body.rope.rigidity})
    for (double& value : *list) value *= by;
  for (SheetMaterial& sheet : body.sheet) sheet.stretch = sheet.stretch * by, sheet.bend = sheet.bend * by;
}

void scale_rest(Body& body, double by) {
  if (by == 1.0) return;
  for (Vec3& p : body.rest) p *= by;
  for (double& length : body.spring_material.length) length *= by;
  for (double& side : body.rope.sides) side *= by;
  if (body.links)  // what they resist a share of their length with stays
    for (double& k : body.spring_material.stiffness) k /= by * by * by;
}

void set_masses(Body& body, const std::vector<double>& mass) {
  std::vector<double> change(mass.size());
  for (std::size_t i = 0; i < mass.size(); ++i) change[i] = mass[i] / body.mass[i];
  for (std::size_t t = 0; t < body.tets.size(); ++t)
    body.tet_material.density[t] *= mean(body.tets[t], change);
  for (std::size_t e = 0; e < body.membrane.size(); ++e)
    body.sheet[e].density *= mean(body.membrane[e], change);
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
