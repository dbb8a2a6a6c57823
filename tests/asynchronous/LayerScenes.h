// Scenes of bodies that meet under penalty layers, for tests and benchmarks.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>

#include "mesh/Shapes.h"
#include "simulation/Bodies.h"
#include "simulation/Simulation.h"

namespace verve::test {

inline Scene layer_scene(LayerSpacing spacing, double safety) {
  Scene scene;
  scene.gravity.setZero();
  scene.fps = 30.0;
  scene.integrator.type = IntegratorType::asynchronous;
  scene.contact.rule = ContactRule::layers;
  scene.contact.thickness = 0.02;
  scene.contact.layers.spacing = spacing;
  scene.contact.layers.safety = safety;
  return scene;
}

inline ColliderSpec collider(const std::string& name, std::shared_ptr<Shape> shape) {
  ColliderSpec spec;
  spec.name = name;
  spec.shape = std::move(shape);
  return spec;
}

inline Body soft_box(const std::string& name, double size, int cells, double young, const Vec3& at,
                     const Vec3& degrees = Vec3::Zero()) {
  Body body = make_soft_body(name, make_box(Vec3::Constant(size), {cells, cells, cells}), TetModel::stvk,
                             lame_from_young(young, 0.3), 100.0);
  Transform transform;
  transform.translate = at;
  transform.rotate = degrees;
  for (std::size_t i = 0; i < body.x.size(); ++i) body.x[i] = transform.apply(body.x[i]);
  body.rest = body.x;
  return body;
}

inline void set_velocity(Body& body, const Vec3& linear, const Vec3& spin = Vec3::Zero()) {
  Vec3 centre = Vec3::Zero();
  for (const Vec3& p : body.x) centre += p / double(body.x.size());
  for (std::size_t i = 0; i < body.x.size(); ++i) body.v[i] = linear + spin.cross(body.x[i] - centre);
}

/// A body that flies about in a room of 1 m, from wall to wall.
inline Scene bouncing_scene(LayerSpacing spacing, double safety) {
  Scene scene = layer_scene(spacing, safety);
  scene.integrator.safety = safety;
  scene.bodies.push_back(soft_box("cube", 0.3, 1, 2e4, {0.02, -0.03, 0.01}, {20, 30, 10}));
  set_velocity(scene.bodies[0], {3, 2, -2.5}, {1, -2, 0.5});
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      ColliderSpec wall;
      wall.name = "wall";
      wall.shape = plane_shape(-side * Vec3::Unit(axis), -0.5);
      wall.stiffness = 500.0;
      scene.colliders.push_back(wall);
    }
  return scene;
}

/// Counts how often points enter the outermost layer of that room's walls.
class ContactCount {
 public:
  explicit ContactCount(double thickness) : limit_(0.5 - thickness) {}
  void operator()(int i, const Vec3& x) {
    if (std::size_t(3 * i + 2) >= inside_.size()) inside_.resize(3 * i + 3, 0);
    for (int axis = 0; axis < 3; ++axis) {
      const char now = std::abs(x[axis]) > limit_;
      count += now && !inside_[3 * i + axis];
      inside_[3 * i + axis] = now;
    }
  }
  int count = 0;

 private:
  double limit_;
  std::vector<char> inside_;
};

/// A cube that is set down gently on the floor, or shot at it.
inline Scene laws_scene(LayerSpacing spacing, bool fast) {
  Scene scene = layer_scene(spacing, 0.05);
  scene.gravity = {0, -9.81, 0};
  scene.bodies.push_back(soft_box("cube", 0.2, 2, fast ? 1e6 : 2e4, {0, 0.125, 0}, {0, 10, 0}));
  if (fast) set_velocity(scene.bodies[0], {0, -50, 0});
  ColliderSpec floor;
  floor.name = "floor";
  floor.shape = plane_shape(Vec3::UnitY(), 0.0);
  floor.stiffness = 200.0;
  scene.colliders.push_back(floor);
  return scene;
}

/// Two free bodies that fly at each other.
inline Scene two_body_scene(LayerSpacing spacing, double safety) {
  Scene scene = layer_scene(spacing, safety);
  scene.bodies.push_back(soft_box("left", 0.4, 2, 2e4, {-0.4, 0, 0}));
  scene.bodies.push_back(soft_box("right", 0.3, 2, 1e4, {0.2, 0.1, 0.05}, {20, 35, 50}));
  set_velocity(scene.bodies[0], {2, 0, 0.1}, {0, 1, 0});
  set_velocity(scene.bodies[1], {-2, 0.2, 0}, {1, 0, 2});
  scene.contact.between = true;
  return scene;
}

/// A cone with a single point for a tip, 0.5 m high.
inline std::shared_ptr<TriangleMesh> needle_mesh(int sides = 8) {
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->points = {{0, 0.5, 0}, {0, 0, 0}};
  for (int i = 0; i < sides; ++i) {
    const double angle = 2.0 * M_PI * i / sides;
    mesh->points.push_back({0.05 * std::cos(angle), 0.0, 0.05 * std::sin(angle)});
    const int a = 2 + i, b = 2 + (i + 1) % sides;
    mesh->triangles.push_back({0, b, a});
    mesh->triangles.push_back({1, a, b});
  }
  return mesh;
}

/// A sheet that falls on a needle, and onto itself.
inline Scene needle_scene(int cells) {
  Scene scene = layer_scene(LayerSpacing::resting, 0.05);
  scene.gravity = {0, -9.81, 0};
  scene.bodies.push_back(
      make_cloth("cloth", make_sheet({0.6, 0.6}, {cells, cells}), SpringModel::stvk, 5000, 50, 0.2));
  for (Vec3& p : scene.bodies[0].x) p += Vec3(0.011, 0.53, 0.007);
  scene.bodies[0].rest = scene.bodies[0].x;
  scene.contact.thickness = std::min(0.01, 0.24 / cells);  // neighbours are farther apart
  scene.contact.stiffness = 200.0;
  scene.contact.self = true;
  scene.integrator.damping.delta = 0.002;
  ColliderSpec needle;
  needle.name = "needle";
  needle.mesh = needle_mesh();
  needle.stiffness = 500.0;
  scene.colliders.push_back(needle);
  return scene;
}

/// A rod of square section tied in an overhand knot, along the polynomial trefoil (t^3 - 3t, t^4 - 4t^2, t^5
/// - 10t) of A. R. Shastri, whose ends are pulled apart.
inline Scene knot_scene(int segments) {
  const auto curve = [](double t) {
    return Vec3(0.1 * (t * t * t - 3 * t), 0.1 * (t * t * t * t - 4 * t * t),
                0.025 * (t * t * t * t * t - 10 * t));
  };
  const auto along = [&](double t) {
    const double end = 2.05, inner = std::min(end, std::max(-end, t));
    return Vec3(curve(inner) + (t - inner) * 40.0 * (curve(inner + 0.005) - curve(inner - 0.005)) / 0.4);
  };
  std::vector<Vec3> fine;  // even in length
  std::vector<double> length = {0.0};
  for (int i = 0; i <= 4000; ++i) {
    fine.push_back(along(-2.3 + 4.6 * i / 4000.0));
    if (i > 0) length.push_back(length.back() + (fine[i] - fine[i - 1]).norm());
  }
  std::vector<Vec3> centre;
  std::size_t k = 0;
  for (int i = 0; i <= segments; ++i) {
    while (k + 1 < fine.size() && length[k] < length.back() * i / segments) ++k;
    centre.push_back(fine[k]);
  }
  TetMesh mesh;
  Vec3 side(0.3, 0.1, 1.0);
  for (int i = 0; i <= segments; ++i) {
    const Vec3 tangent = (centre[std::min(i + 1, segments)] - centre[std::max(i - 1, 0)]).normalized();
    side = (side - side.dot(tangent) * tangent).normalized();
    const Vec3 other = tangent.cross(side);
    for (const auto& [a, b] : {std::array<double, 2>{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
      mesh.points.push_back(centre[i] + 0.01 * (a * side + b * other));
  }
  for (int i = 0; i < segments; ++i)
    for (const auto& t : {std::array<int, 4>{0, 1, 2, 6},
                          {0, 2, 3, 6},
                          {0, 3, 7, 6},
                          {0, 7, 4, 6},
                          {0, 4, 5, 6},
                          {0, 5, 1, 6}})
      mesh.tets.push_back({4 * i + t[0], 4 * i + t[1], 4 * i + t[2], 4 * i + t[3]});
  Scene scene = layer_scene(LayerSpacing::resting, 0.05);
  scene.bodies.push_back(make_soft_body("rod", mesh, TetModel::stvk, lame_from_young(2e5, 0.3), 500.0));
  scene.contact.thickness = 0.004;
  scene.contact.stiffness = 500.0;
  scene.contact.self = true;
  scene.integrator.damping.delta = 0.002;
  scene.integrator.damping.eta = 1.0;
  const int last = 4 * segments;
  for (const int first : {0, last}) {
    PinSet grip;
    grip.points = {first, first + 1, first + 2, first + 3};
    Transform pulled;
    pulled.translate = 1.2 * (centre[first / 4] - Vec3(0, centre[first / 4].y(), 0));
    grip.motion = Motion({{0.0, {}}, {0.75, pulled}});
    scene.pins.push_back(grip);
  }
  return scene;
}

}  // namespace verve::test
