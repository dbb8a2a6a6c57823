// What a scene takes from its files: everything that shapes the result tells two runs apart, and attributes
// mean the same as in a node.
#include <gtest/gtest.h>

#include <set>

#include "TemporaryFolder.h"
#include "io/GeometryFile.h"
#include "mesh/Shapes.h"
#include "parameters/Attributes.h"
#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

Geometry of_tets(const TetMesh& mesh) {
  Geometry geometry;
  Vector x(3 * Eigen::Index(mesh.points.size()));
  for (std::size_t i = 0; i < mesh.points.size(); ++i) point(x, int(i)) = mesh.points[i];
  geometry.set_positions(x);
  for (const auto& tet : mesh.tets) geometry.add_primitive(PrimitiveType::Tetrahedron, tet);
  return geometry;
}

/// A triangle below the block.
Geometry floor_of(float height) {
  Geometry geometry;
  Vector x(9);
  x << -9, height, -9, 0, height, 9, 9, height, -9;
  geometry.set_positions(x);
  geometry.add_primitive(PrimitiveType::Polygon, std::array<int, 3>{0, 1, 2});
  return geometry;
}

template <class T = float>
void fill(Geometry& geometry, const char* name, double value, int size = 1) {
  for (auto& v : geometry.add<T>(Owner::Point, name, size)) v = T(value);
}

TEST(SceneInputs, EveryKindOfThemTellsTwoRunsApart) {
  const TemporaryFolder folder;
  const TetMesh block = make_box({1, .5, .5}, {2, 1, 1});
  const std::string scene = R"({"bodies": [{"geometry": {"file": "body.bgeo", "skin": "skin.bgeo"}}],
      "colliders": [{"file": "floor.bgeo"}]})";
  const auto write = [&](const Geometry& body, const Geometry& skin, const Geometry& floor) {
    write_geometry(folder / "body.bgeo", body);
    write_geometry(folder / "skin.bgeo", skin);
    write_geometry(folder / "floor.bgeo", floor);
  };
  const Geometry body = of_tets(block), skin = floor_of(.1f), floor = floor_of(-1);
  const auto fingerprint = [&](const std::string& text) {
    write_bytes(folder / "s.json", text);
    return read_scene(folder / "s.json").fingerprint;
  };
  write(body, skin, floor);
  std::map<std::uint64_t, std::string> seen = {{fingerprint(scene), "nothing"}};
  EXPECT_EQ(seen.count(fingerprint(scene)), 1u) << "the same scene twice";
  const auto differs = [&](const std::string& what, const std::string& text) {
    const auto [at, is_new] = seen.emplace(fingerprint(text), what);
    EXPECT_TRUE(is_new) << what << " counts no more than " << at->second;
  };
  int changes = 0;
  for (const AttributeEntry& entry : attributes()) {
    // Of messages and matches alone, or of sheets.
    const std::set<std::string> nothing = {"name", "id", "warp", "uv"};
    if (nothing.count(entry.name) ||
        (entry.door != AttributeDoor::body && entry.door != AttributeDoor::collider))
      continue;
    const bool of_body = entry.door == AttributeDoor::body;
    Geometry body_too = body, floor_too = floor;
    Geometry& changed = of_body ? body_too : floor_too;
    const Owner owner = entry.owner == "primitive" ? Owner::Primitive : Owner::Point;
    if (entry.size() == 3) {
      Attribute place = *changed.find(Owner::Point, "P");
      place.name = entry.name;
      changed.put(Owner::Point, place);
    } else {
      for (auto& value : changed.add<float>(owner, entry.name)) value = float(3 + 2 * changes);
    }
    write(body_too, skin, floor_too);
    differs((of_body ? "the body's " : "the collider's ") + entry.name, scene);
    ++changes;
  }
  EXPECT_GE(changes, 25);
  write(body, floor_of(.2f), floor);
  differs("the skin", scene);
  write(body, skin, floor_of(-2));
  differs("the collider", scene);
  write(body, skin, floor);
  const std::string pinned = R"("pins": [{"points": [0]}])", drawn = R"("targets": [{"points": [0]}])";
  for (const std::string& more : {pinned, drawn, std::string(R"("velocity": [1, 0, 0])")})
    differs(more, std::string(R"({"bodies": [{"geometry": {"file": "body.bgeo", "skin": "skin.bgeo"}, )") +
                      more + R"(}], "colliders": [{"file": "floor.bgeo"}]})");
  differs("a constraint", scene.substr(0, scene.size() - 1) +
                              R"(, "constraints": [{"type": "distance", "body": 0, "points": [0, 1]}]})");
}

TEST(SceneInputs, ForcesOfPointsPush) {
  const TemporaryFolder folder;
  Geometry body = of_tets(make_box({1, .5, .5}, {2, 1, 1}));
  fill(body, "force", 0, 3);
  auto& force = *body.find(Owner::Point, "force");
  std::get<std::vector<float>>(force.values)[3 * 4 + 1] = 50;
  write_geometry(folder / "body.bgeo", body);
  write_bytes(folder / "s.json",
              R"({"quality": "exact", "gravity": [0, 0, 0],
      "bodies": [{"geometry": {"file": "body.bgeo"}}]})");
  const SceneFile file = read_scene(folder / "s.json");
  Simulation simulation(file.scene);
  for (int f = 0; f < 6; ++f) simulation.advance();
  // The whole body gains what the force gives: F t.
  EXPECT_NEAR(simulation.report().momentum.linear[1], 50 * 6 / 24., 1e-6);
}

TEST(SceneInputs, StiffnessMayBePaintedAway) {
  const TemporaryFolder folder;
  Geometry body = of_tets(make_box({1, .5, .5}, {4, 1, 1}));
  auto& stiffness = body.add<float>(Owner::Point, "stiffness");
  for (int i = 0; i < body.point_count; ++i) stiffness[std::size_t(i)] = body.position(i)[0] < .1 ? 1.f : 0.f;
  write_geometry(folder / "body.bgeo", body);
  write_bytes(
      folder / "s.json",
      R"({"bodies": [{"geometry": {"file": "body.bgeo"}, "pins": [{"box": [[-1, -1, -1], [-0.49, 1, 1]]}]}]})");
  const SceneFile file = read_scene(folder / "s.json");
  ASSERT_EQ(file.warnings.size(), 1u);
  EXPECT_NE(file.warnings[0].find("6 tets have no stiffness"), std::string::npos) << file.warnings[0];
  Simulation simulation(file.scene);
  for (int f = 0; f < 5; ++f) simulation.advance();
  EXPECT_TRUE(simulation.state().x.allFinite());
}

TEST(SceneInputs, CollidersMultiplyTheirFrictionsAndStiffness) {
  const TemporaryFolder folder;
  write_geometry(folder / "body.bgeo", of_tets(make_box({1, .5, .5}, {2, 1, 1})));
  Geometry floor = floor_of(-1);
  fill(floor, "dynamicfriction", .5);
  fill(floor, "collisionstiffness", 3);
  fill(floor, "stiffness", 7);
  write_geometry(folder / "floor.bgeo", floor);
  write_bytes(folder / "s.json", R"({"bodies": [{"geometry": {"file": "body.bgeo"}}],
      "colliders": [{"file": "floor.bgeo", "friction": 0.8}]})");
  const SceneFile file = read_scene(folder / "s.json");
  EXPECT_DOUBLE_EQ(file.scene.colliders[0].static_friction, .8);
  EXPECT_DOUBLE_EQ(file.scene.colliders[0].dynamic_friction, .4);
  EXPECT_EQ(file.scene.colliders[0].point_stiffness, std::vector<double>(3, 3.0));
}

}  // namespace
}  // namespace verve
