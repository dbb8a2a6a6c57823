// Scenes whose bodies come from files: skins that are carried along, and what points say about their body.
#include <gtest/gtest.h>

#include "TemporaryFolder.h"
#include "geometry/Merge.h"
#include "io/GeometryFile.h"
#include "io/GeometryMesh.h"
#include "io/MeshFiles.h"
#include "mesh/Shapes.h"
#include "scene/SceneFile.h"
#include "simulation/EmbeddedSkin.h"

namespace verve {
namespace {

/// A cube of quads with a UV at every vertex and a normal at every point.
Geometry cube() {
  Geometry g;
  g.point_count = 8;
  auto& p = g.add<float>(Owner::Point, "P", 3, "point");
  auto& n = g.add<float>(Owner::Point, "N", 3, "normal");
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      p[3 * i + k] = (i >> k & 1) ? .5f : -.5f;
      n[3 * i + k] = k == 0 ? 1.f : 0.f;
    }
  for (const auto& quad :
       {std::array<int, 4>{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    g.add_primitive(PrimitiveType::Polygon, quad);
  auto& uv = g.add<float>(Owner::Vertex, "uv", 3, "texturecoord");
  for (std::size_t i = 0; i < uv.size(); ++i) uv[i] = .01f * float(i);
  return g;
}

Geometry first_frame(const SceneFile& file) {
  Simulation simulation(file.scene);
  return export_frame(file.scene, simulation.state().x, simulation.state().v, simulation.report(),
                      file.output.surface);
}

TEST(SceneSkin, AFilledSurfaceIsCachedAsItWasMade) {
  const TemporaryFolder folder;
  write_geometry(folder / "cube.bgeo", cube());
  write_bytes(folder / "scene.json", R"({"bodies": [{"geometry": {"file": "cube.bgeo", "fill": true,
      "spacing": 0.3}, "transform": {"translate": [0, 3, 0], "rotate": [0, 0, 90], "scale": 2}}]})");
  const SceneFile cage = read_scene(folder / "scene.json");
  EXPECT_EQ(first_frame(cage).primitive_count(), int(cage.scene.bodies[0].tets.size()));

  const Geometry shown = first_frame(read_scene(folder / "scene.json", {"output.surface=skin"}));
  const Geometry made = cube();
  ASSERT_EQ(shown.point_count, 8);
  EXPECT_EQ(shown.vertex_points, made.vertex_points);
  EXPECT_TRUE(same(*shown.find(Owner::Vertex, "uv"), *made.find(Owner::Vertex, "uv")));
  for (int i = 0; i < 8; ++i) {
    const Vec3 p = made.position(i), expected(-2 * p[1], 2 * p[0] + 3, 2 * p[2]);
    EXPECT_LT((shown.position(i) - expected).norm(), 1e-6);
    const Attribute& n = *shown.find(Owner::Point, "N");
    EXPECT_NEAR(n.number(3 * std::size_t(i) + 1), 1, 1e-6);  // x has become y
  }
  EXPECT_EQ(shown.find(Owner::Point, "name")->text(0), "body0");
}

TEST(SceneSkin, ANamedSkinNeedsTetsAndTheSamePlace) {
  const TemporaryFolder folder;
  Geometry far = cube();
  for (float& x : std::get<std::vector<float>>(far.find(Owner::Point, "P")->values)) x += 9;
  write_geometry(folder / "near.bgeo", cube());
  write_geometry(folder / "far.bgeo", far);
  const auto read = [&](const std::string& shape, const std::string& skin) {
    write_bytes(folder / "scene.json", R"({"bodies": [{"geometry": {"shape": ")" + shape + R"(", "skin": ")" +
                                           skin + R"("}}], "output": {"surface": "skin"}})");
    return read_scene(folder / "scene.json");
  };
  EXPECT_EQ(first_frame(read("box", "near.bgeo")).point_count, 8);
  EXPECT_TRUE(read("box", "near.bgeo").warnings.empty());
  const SceneFile file = read("box", "far.bgeo");
  ASSERT_EQ(file.warnings.size(), 1u);
  EXPECT_NE(file.warnings[0].find("outside of the tets"), std::string::npos);
  EXPECT_NE(error_of([&] { read("sheet", "near.bgeo"); }).find("tets"), std::string::npos);
  EXPECT_NE(error_of([&] { read("box", "none.bgeo"); }).find("none.bgeo"), std::string::npos);
}

/// The lowest that the tets of the falling body come.
double lowest_tet(const SceneFile& file) {
  Simulation simulation(file.scene);
  double lowest = INFINITY, worst = 0.0;
  int contacts = 0;
  for (int i = 0; i < 40; ++i) {
    const FrameReport report = simulation.advance();
    contacts += report.contacts;
    worst = std::max(worst, std::abs(report.ledger_error()));
    for (int p = 0; p < simulation.system().points(); ++p)
      lowest = std::min(lowest, point(simulation.state().x, p)[1]);
  }
  EXPECT_GT(contacts, 0);
  EXPECT_LT(worst, 1e-8) << "forces on the skin are to keep the energy as those on the tets do";
  return lowest;
}

TEST(SceneSkin, MeetsCollidersInTheTetsPlaceWhenAsked) {
  const TemporaryFolder folder;
  Geometry skin = cube();
  std::array<Vec3, 2> reach{skin.position(0), skin.position(0)};
  for (int i = 0; i < 8; ++i) {
    reach[0] = reach[0].cwiseMin(skin.position(i));
    reach[1] = reach[1].cwiseMax(skin.position(i));
  }
  const double half = 0.5 * (reach[1] - reach[0]).maxCoeff();
  ASSERT_LT((reach[0] + reach[1]).norm(), 1e-6) << "the cube is about the origin";
  write_geometry(folder / "cube.bgeo", skin);
  // Tets of half the skin's size: its corners hang far out of them.
  const std::string size = std::to_string(half);
  write_bytes(
      folder / "scene.json",
      R"({"fps": 30, "substeps": 1, "solver": {"tolerance": 1e-10}, "bodies": [{"geometry": {"shape": "box", "cells": [2, 2, 2],
      "size": [)" +
          size + "," + size + "," + size + R"(], "skin": "cube.bgeo"}, "mass": 1,
      "material": {"mu": 20000, "lambda": 10000}, "transform": {"translate": [0, )" +
          std::to_string(1.2 * half) + R"(, 0]}}],
      "colliders": [{"shape": "plane", "stiffness": 20000}]})");
  EXPECT_NEAR(lowest_tet(read_scene(folder / "scene.json", {"contact.surface=skin"})), 0.5 * half,
              0.2 * half);
  EXPECT_NEAR(lowest_tet(read_scene(folder / "scene.json")), 0.0, 0.2 * half);
}

TEST(SceneSkin, ShapesTellOfPartsThatVanish) {
  const TemporaryFolder folder;
  write_bytes(folder / "scene.json", R"({"bodies": [{"geometry": {"shape": "hare", "spacing": 0.2}}],
                                         "output": {"surface": "skin"}})");
  const auto warnings = read_scene(folder / "scene.json").warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("too thin"), std::string::npos);
  EXPECT_NE(warnings[1].find("'output.surface' is skin"), std::string::npos);
}

TEST(SceneFiles, PointsSayWhatTheirBodyIsLike) {
  const TemporaryFolder folder;
  const TetMesh box = make_box({1, 1, 1}, {1, 1, 1});
  Geometry g = geometry_of({box.points, {}, box.tets});
  g.add<float>(Owner::Point, "stiffness").assign(8, 3.f);
  g.add<float>(Owner::Point, "massdensity").assign(8, 2.f);
  g.add<float>(Owner::Point, "v", 3, "vector")[1] = 7;
  g.add<std::int32_t>(Owner::Point, "pintoanimation")[5] = 1;
  write_geometry(folder / "box.bgeo.sc", g);
  write_bytes(folder / "scene.json", R"({"bodies": [{"geometry": {"file": "box.bgeo.sc"}, "density": 10,
      "material": {"mu": 5, "lambda": 7}, "transform": {"rotate": [0, 0, 90]}}]})");
  const Scene scene = read_scene(folder / "scene.json").scene;
  const Body& body = scene.bodies[0];
  double mass = 0;
  for (double m : body.mass) mass += m;
  EXPECT_NEAR(mass, 20, 1e-12);
  for (std::size_t t = 0; t < body.tets.size(); ++t) {
    EXPECT_NEAR(body.tet_material.mu[t], 15, 1e-12);
    EXPECT_NEAR(body.tet_material.lambda[t], 21, 1e-12);
    EXPECT_NEAR(body.tet_material.density[t], 20, 1e-12);
  }
  EXPECT_LT((body.v[0] - Vec3(-7, 0, 0)).norm(), 1e-12);
  ASSERT_EQ(scene.pins.size(), 1u);
  EXPECT_EQ(scene.pins[0].points, std::vector<int>{5});

  g.add<float>(Owner::Point, "stiffness").assign(8, -1.f);
  write_geometry(folder / "box.bgeo.sc", g);
  EXPECT_NE(error_of([&] { read_scene(folder / "scene.json"); }).find("stiffness"), std::string::npos);
}

TEST(SceneFiles, TetsThatAreInsideOutAreTurnedRoundWithAWarning) {
  const TemporaryFolder folder;
  TetMesh box = make_box({1, 1, 1}, {1, 1, 1});
  for (auto& tet : box.tets) std::swap(tet[2], tet[3]);
  save_tet_mesh(folder / "box.vtk", box);
  write_bytes(folder / "scene.json", R"({"bodies": [{"geometry": {"file": "box.vtk"}}]})");
  const auto warnings = read_scene(folder / "scene.json").warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("inside out"), std::string::npos);
}

TEST(Merge, FillsUpWhatOnlyOneHas) {
  Geometry a = cube(), b = cube();
  a.add<std::int32_t>(Owner::Point, "id").assign(8, 4);
  b.add<float>(Owner::Point, "id").assign(8, .5f);
  b.add_strings(Owner::Point, "name").indices.assign(8, -1);
  b.add_group(Owner::Point, "top").members[3] = 1;
  append(a, b);
  check(a);
  EXPECT_EQ(a.point_count, 16);
  EXPECT_EQ(a.vertex_points[24], b.vertex_points[0] + 8);
  EXPECT_EQ(a.find(Owner::Point, "id")->number(7), 4);
  EXPECT_EQ(a.find(Owner::Point, "id")->number(8), .5);
  EXPECT_EQ(a.find(Owner::Point, "name")->text(0), "");
  EXPECT_EQ(a.find_group(Owner::Point, "top")->members[11], 1);
  Geometry c = cube();
  c.add_strings(Owner::Point, "id");
  EXPECT_NE(error_of([&] { append(a, c); }).find("'id'"), std::string::npos);
}

}  // namespace
}  // namespace verve
