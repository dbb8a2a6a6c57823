// What scenes and nodes make of polygons: membranes, their fabrics, and where the warp goes.
#include <gtest/gtest.h>

#include <fstream>

#include "NodeScenes.h"
#include "TemporaryFolder.h"
#include "energy/Fabrics.h"
#include "io/GeometryFile.h"
#include "scene/SceneFile.h"

namespace verve {
namespace {

Body body_of(const TemporaryFolder& folder, const std::string& body) {
  std::ofstream(folder / "scene.json") << R"({"frames": [1, 2], "bodies": [{)" << body << "}]}";
  return read_scene(folder / "scene.json").scene.bodies.at(0);
}

std::string error_of(const TemporaryFolder& folder, const std::string& material) {
  try {
    body_of(folder, R"("geometry": {"shape": "sheet", "cells": [2, 2]}, "material": {)" + material + "}");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Membrane, IsWhatPolygonsAre) {
  const TemporaryFolder folder;
  const Body plain = body_of(folder, R"("geometry": {"shape": "sheet", "size": [1, 2], "cells": [2, 4]})");
  EXPECT_TRUE(plain.springs.empty());
  ASSERT_EQ(plain.membrane.size(), 16u);
  const Fabric& cotton = fabric("cotton");
  EXPECT_EQ(plain.sheet[0].stretch.along_warp, cotton.warp);
  EXPECT_EQ(plain.sheet[0].bend.along_weft, cotton.bend_weft);
  double mass = 0;
  for (double m : plain.mass) mass += m;
  EXPECT_NEAR(mass, 2 * cotton.density, 1e-12);
  // Springs stay, where they are asked for, or known by their mu.
  for (const char* material : {R"("model": "springs")", R"("mu": 200, "bend": 10)"}) {
    const Body springs =
        body_of(folder, std::string(R"("geometry": {"shape": "sheet", "cells": [2, 2]}, "material": {)") +
                            material + "}");
    EXPECT_TRUE(springs.membrane.empty());
    EXPECT_FALSE(springs.springs.empty());
  }
}

TEST(Membrane, ReadsItsNumbers) {
  const TemporaryFolder folder;
  const auto sheet = [&](const std::string& material) {
    return body_of(folder,
                   R"("geometry": {"shape": "sheet", "cells": [2, 2]}, "density": 0.3, "material": {)" +
                       material + "}")
        .sheet.at(0);
  };
  const SheetMaterial plate = sheet(R"("young": 1e6, "poisson": 0.25, "thickness": 2e-3)");
  EXPECT_NEAR(plate.stretch.along_warp, 2e3 / (1 - 0.0625), 1e-9);
  EXPECT_NEAR(plate.stretch.shear, 2e3 / 2.5, 1e-9);
  EXPECT_NEAR(plate.bend.along_warp, 1e6 * 8e-9 / 12 / (1 - 0.0625), 1e-15);
  EXPECT_NEAR(plate.bend.mixed, 0.25 * plate.bend.along_warp, 1e-15);
  EXPECT_EQ(plate.density, 0.3);
  const SheetMaterial woven = sheet(R"("warp": 100, "weft": 50, "shear": 7, "bend": 0, "limit": 0.1)");
  EXPECT_EQ(woven.stretch.along_weft, 50);
  EXPECT_EQ(woven.bend.along_warp, 0);
  EXPECT_EQ(woven.weft_limit, 0.1);
  const SheetMaterial own = sheet(R"("fabric": "silk", "bend": 1e-3)");
  EXPECT_EQ(own.stretch.along_warp, fabric("silk").warp);
  EXPECT_EQ(own.bend.along_weft, 1e-3);
}

TEST(Membrane, BadValuesAreNamed) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& material, std::initializer_list<const char*> words) {
    const std::string error = error_of(folder, material);
    EXPECT_FALSE(error.empty()) << material;
    for (const char* word : words)
      EXPECT_NE(error.find(word), std::string::npos) << material << ": " << error;
  };
  expect(R"("fabric": "linen")", {"fabric", "linen"});
  expect(R"("fabric": "silk", "young": 1e5)", {"young", "fabric"});
  expect(R"("thickness": 1e-3)", {"thickness", "young"});
  expect(R"("young": 1e5, "warp": 100)", {"young", "warp"});
  expect(R"("weft": 100)", {"warp"});
  expect(R"("warp": -1)", {"warp"});
  expect(R"("warp": 10, "bend": -1)", {"bend"});
  expect(R"("warp": 10, "poisson": -0.99)", {"poisson"});
  expect(R"("warp": 10, "limit": -0.1)", {"limit"});
  expect(R"("model": "membrane", "mu": 10)", {"mu", "membrane"});
  expect(R"("model": "springs", "fabric": "silk")", {"fabric", "springs"});
  EXPECT_THROW(body_of(folder, R"("geometry": {"shape": "box"}, "material": {"model": "membrane"})"), Error);
  EXPECT_THROW(body_of(folder, R"("geometry": {"shape": "rod"}, "material": {"warp": 10})"), Error);
}

/// A quad whose uv are turned: u grows along z.
Geometry turned_quad(bool vertices) {
  Geometry geometry = test::sheet(1, 1);
  auto& uv = geometry.add<float>(vertices ? Owner::Vertex : Owner::Point, "uv", 3);
  for (std::size_t i = 0; i < uv.size() / 3; ++i) {
    const Vec3 p = geometry.position(vertices ? geometry.vertex_points[i] : int(i));
    uv[3 * i] = float(2 * p[2]), uv[3 * i + 1] = float(p[0]);
  }
  return geometry;
}

TEST(Membrane, WarpFollowsUvAndTheAttribute) {
  const TemporaryFolder folder;
  const auto warp_of = [&](const Geometry& geometry) {
    write_geometry(folder / "body.geo", geometry);
    const Body body =
        body_of(folder, R"("geometry": {"file": "body.geo"}, "transform": {"rotate": [0, 90, 0]})");
    for (const SheetMaterial& m : body.sheet)
      EXPECT_LT((m.warp.normalized() - body.sheet[0].warp.normalized()).norm(), 1e-6);
    const ImportedBodies node = import_bodies(geometry, rest_positions(geometry, {}), {}, {});
    // The node's is not turned with the scene's transform.
    const Vec3 w = node.bodies.at(0).sheet.at(0).warp.normalized();
    EXPECT_LT((Vec3(w[2], w[1], -w[0]) - body.sheet[0].warp.normalized()).norm(), 1e-6);
    return w;
  };
  EXPECT_LT((warp_of(turned_quad(true)) - Vec3::UnitZ()).norm(), 1e-6);
  EXPECT_LT((warp_of(turned_quad(false)) - Vec3::UnitZ()).norm(), 1e-6);
  EXPECT_LT((warp_of(test::sheet(1, 1)) - Vec3::UnitX()).norm(), 1e-6);
  for (Owner owner : {Owner::Point, Owner::Primitive}) {
    Geometry painted = turned_quad(true);
    auto& warp = painted.add<float>(owner, "warp", 3);
    for (std::size_t i = 0; i < warp.size(); i += 3) warp[i] = warp[i + 2] = 1;
    EXPECT_LT((warp_of(painted) - Vec3(1, 0, 1).normalized()).norm(), 1e-6);
  }
}

TEST(Membrane, StiffnessOfPointsAndPrimitivesMultiplies) {
  for (Owner owner : {Owner::Point, Owner::Primitive}) {
    Geometry geometry = test::sheet(2, 1);
    for (float& v : geometry.add<float>(owner, "stiffness")) v = 3;
    const Body body =
        import_bodies(geometry, rest_positions(geometry, {}), point_attributes(geometry), {}).bodies.at(0);
    EXPECT_NEAR(body.sheet[0].stretch.along_warp, 3 * fabric("cotton").warp, 1e-9);
    EXPECT_NEAR(body.sheet[0].bend.along_warp, 3 * fabric("cotton").bend, 1e-15);
  }
}

}  // namespace
}  // namespace verve
