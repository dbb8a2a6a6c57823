// Scene files read the same attributes from a geometry file as nodes do from their input.
#include <gtest/gtest.h>

#include "NodeScenes.h"
#include "TemporaryFolder.h"
#include "io/GeometryFile.h"
#include "scene/SceneFile.h"
#include "simulation/Import.h"

namespace verve {
namespace {

SceneFile scene_of(const TemporaryFolder& folder, const Geometry& geometry, const std::string& more = "") {
  write_geometry(folder / "body.geo", geometry);
  std::ofstream(folder / "scene.json")
      << "{ \"frames\": [1, 5], \"bodies\": [ { \"geometry\": { \"file\": \"body.geo\" }" << more << " } ] }";
  return read_scene(folder / "scene.json");
}

TEST(SceneFile, HonoursTheAttributesOfItsGeometry) {
  const TemporaryFolder folder;
  Geometry geometry = test::block();
  const auto fill = [&](const char* name, float value) {
    for (float& v : geometry.add<float>(Owner::Point, name)) v = value;
  };
  fill("dampingratio", 3), fill("friction", 2), fill("collisionstiffness", 5), fill("stiffness", 4);
  auto& rest = geometry.add<float>(Owner::Point, "rest", 3, "point");
  for (std::size_t i = 0; i < rest.size(); ++i)
    rest[i] = float(geometry.position(int(i / 3))[int(i % 3)] * (i % 3 == 0 ? 1.5 : 1));
  test::mark_left(geometry, "pintoanimation", -.49);
  auto& target = geometry.add<float>(Owner::Point, "targetP", 3, "point");
  for (std::size_t i = 0; i < target.size(); ++i)
    target[i] = float(geometry.position(int(i / 3))[int(i % 3)] + (i % 3 == 1 ? .25 : 0));
  test::mark_left(geometry, "disableexternal", 0);

  const SceneFile file = scene_of(folder, geometry);
  const Body& body = file.scene.bodies.at(0);
  EXPECT_EQ(body.damping, std::vector<double>(body.rest.size(), 3));
  EXPECT_EQ(body.friction, std::vector<double>(body.rest.size(), 2));
  EXPECT_EQ(body.contact_stiffness, std::vector<double>(body.rest.size(), 5));
  int ghosts = 0;
  for (int i = 0; i < int(body.rest.size()); ++i) ghosts += body.collision.at(i).ghost;
  EXPECT_EQ(ghosts, 8);
  EXPECT_NEAR(body.rest[0][0], -.75, 1e-6);
  EXPECT_NEAR(body.x[0][0], -.5, 1e-6);
  EXPECT_NEAR(body.tet_material.mu[0], 4e5 / 2.8, 1e-6 * 4e5);

  // Pinned points go where targetP says.
  Simulation simulation(file.scene);
  simulation.advance();
  EXPECT_NEAR(simulation.state().x[1], geometry.position(0)[1] + .25, 1e-6);
}

/// Tets or a sheet, every attribute painted on it.
Geometry painted(bool tets) {
  Geometry geometry = tets ? test::block() : test::sheet(4, 1.0);
  const auto fill = [&](const char* name, double from) {
    auto& values = geometry.add<float>(Owner::Point, name);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(from + .1 * double(i % 7));
  };
  for (const AttributeEntry& entry : attributes())
    if (entry.door == AttributeDoor::body && entry.form == AttributeForm::factor)
      fill(entry.name.c_str(), .5);
  fill("pscale", .01);
  auto& v = geometry.add<float>(Owner::Point, "v", 3, "vector");
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = float(i % 5);
  return geometry;
}

TEST(SceneFile, MakesTheBodyThatANodeMakes) {
  for (bool tets : {true, false})
    for (bool masses : {true, false}) {
      const TemporaryFolder folder;
      Geometry geometry = painted(tets);
      if (masses)
        for (float& m : geometry.add<float>(Owner::Point, "mass")) m = .25f;
      const Body file = scene_of(folder, geometry).scene.bodies.at(0);
      BodyMaterials materials;
      materials.tet_model = TetModel::stable_neo_hookean;
      const PointAttributes said = point_attributes(geometry);
      const ImportedBodies imported =
          import_bodies(geometry, rest_positions(geometry, said), said, materials);
      ASSERT_EQ(imported.bodies.size(), 1u);
      const Body& node = imported.bodies[0];
      EXPECT_EQ(file.x, node.x);
      EXPECT_EQ(file.v, node.v);
      EXPECT_EQ(file.mass, node.mass);
      EXPECT_EQ(file.tets, node.tets);
      EXPECT_EQ(file.tet_material.mu, node.tet_material.mu);
      EXPECT_EQ(file.tet_material.density, node.tet_material.density);
      EXPECT_EQ(file.surface, node.surface);
      EXPECT_EQ(file.membrane, node.membrane);
      ASSERT_EQ(file.sheet.size(), node.sheet.size());
      for (std::size_t e = 0; e < node.sheet.size(); ++e)
        EXPECT_EQ(file.sheet[e].density, node.sheet[e].density);
      EXPECT_EQ(file.damping, node.damping);
      EXPECT_EQ(file.friction, node.friction);
      EXPECT_EQ(file.contact_stiffness, node.contact_stiffness);
      EXPECT_EQ(file.radius, node.radius);
      EXPECT_EQ(file.drag_normal, node.drag_normal);
      EXPECT_EQ(file.drag_tangent, node.drag_tangent);
    }
}

TEST(SceneFile, TakesPolyLinesAsRods) {
  const TemporaryFolder folder;
  Geometry geometry;
  Vector x(15);
  for (int i = 0; i < 5; ++i) point(x, i) = Vec3(.2 * i, 1, 0);
  geometry.set_positions(x);
  geometry.add_primitive(PrimitiveType::Polyline, std::array<int, 5>{0, 1, 2, 3, 4});
  auto& pin = geometry.add<std::int32_t>(Owner::Point, "stopped");
  pin[0] = 1;
  const SceneFile file =
      scene_of(folder, geometry, ", \"density\": 2, \"material\": { \"mu\": 5000, \"bend\": 10 }");
  const Body& body = file.scene.bodies.at(0);
  EXPECT_EQ(body.springs.size(), 4u + 3u);
  double mass = 0;
  for (double m : body.mass) mass += m;
  EXPECT_NEAR(mass, 2 * .8, 1e-6);
  Simulation simulation(file.scene);
  for (int i = 0; i < 5; ++i) simulation.advance();
  EXPECT_EQ(Vec3(point(simulation.state().x, 0)), body.x[0]);
  EXPECT_LT(simulation.state().x[13], 1 - .05) << "its end falls";
}

TEST(SceneFile, TakesARodOfSpringsAsALine) {
  const TemporaryFolder folder;
  std::ofstream(folder / "rod.json")
      << R"({"bodies": [{"geometry": {"shape": "rod", "length": 2, "thickness": 0.06,
      "cells": 4}, "material": {"model": "springs"}, "density": 3, "transform": {"translate": [0, 1, 0]}}]})";
  const Body body = read_scene(folder / "rod.json").scene.bodies.at(0);
  ASSERT_EQ(body.rest.size(), 5u);
  EXPECT_EQ(body.springs.size(), 4u + 3u);
  double mass = 0;
  for (int i = 0; i < 5; ++i) {
    mass += body.mass[std::size_t(i)];
    EXPECT_EQ(body.x[std::size_t(i)], Vec3(.5 * i - 1, 1, 0));
    EXPECT_EQ(body.radius.at(std::size_t(i)), .03);
  }
  EXPECT_NEAR(mass, 3 * 2, 1e-12);
}

}  // namespace
}  // namespace verve
