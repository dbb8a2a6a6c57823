// Scenes of bodies that meet under penalty layers, for tests and benchmarks.
#pragma once

#include <Eigen/Geometry>

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

}  // namespace verve::test
