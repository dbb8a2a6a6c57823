#include "geometry/Geometry.h"

#include <gtest/gtest.h>

#include <cmath>

namespace verve {
namespace {

TEST(Half, EveryValueSurvivesTheWayThroughFloat) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    Half half;
    half.bits = static_cast<std::uint16_t>(bits);
    const float value = static_cast<float>(half);
    const Half back(value);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(back)));
    } else {
      ASSERT_EQ(back.bits, half.bits) << value;
    }
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  EXPECT_EQ(Half(1.0f).bits, 0x3c00);
  EXPECT_EQ(Half(1.0f + 0x1p-11f).bits, 0x3c00);      // half way between two: the even one
  EXPECT_EQ(Half(1.0f + 3 * 0x1p-11f).bits, 0x3c02);  // half way: up to even
  EXPECT_EQ(Half(1.0f + 0x1.1p-11f).bits, 0x3c01);    // more than half way
  EXPECT_EQ(Half(65504.0f).bits, 0x7bff);
  EXPECT_EQ(Half(65519.0f).bits, 0x7bff);
  EXPECT_EQ(Half(65520.0f).bits, 0x7c00);   // beyond: infinity
  EXPECT_EQ(Half(-0x1p-24f).bits, 0x8001);  // smallest
  EXPECT_EQ(Half(0x1p-25f).bits, 0x0000);   // half of it: even is zero
}

Geometry tet_and_quad() {
  Geometry g;
  g.point_count = 5;
  auto& p = g.add<float>(Owner::Point, "P", 3, "point");
  p = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0};
  g.add_primitive(PrimitiveType::Tetrahedron, std::array<int, 4>{0, 1, 2, 3});
  g.add_primitive(PrimitiveType::Polygon, std::array<int, 4>{0, 1, 4, 2});
  g.add_primitive(PrimitiveType::Polyline, std::array<int, 3>{0, 1, 4});
  return g;
}

TEST(Geometry, AddsAndFindsAttributes) {
  Geometry g = tet_and_quad();
  g.add<int>(Owner::Primitive, "id")[1] = 7;
  StringValues& names = g.add_strings(Owner::Primitive, "name");
  names.indices[2] = names.index_of("rod");
  EXPECT_EQ(names.index_of("rod"), 0);
  check(g);
  EXPECT_EQ(g.find(Owner::Primitive, "id")->number(1), 7);
  EXPECT_EQ(g.find(Owner::Primitive, "name")->text(2), "rod");
  EXPECT_EQ(g.find(Owner::Primitive, "name")->text(0), "");
  EXPECT_EQ(g.find(Owner::Point, "id"), nullptr);
  EXPECT_THROW(g.find(Owner::Primitive, "name")->number(0), Error);
  EXPECT_EQ(g.position(4), Vec3(1, 1, 0));
  EXPECT_EQ(g.positions().size(), 15);
}

TEST(Geometry, ReferencesStayGoodWhenMoreIsAdded) {
  Geometry g = tet_and_quad();
  auto& mass = g.add<float>(Owner::Point, "mass");
  Group& pins = g.add_group(Owner::Point, "pins");
  for (int i = 0; i < 100; ++i) {
    g.add<float>(Owner::Point, "a" + std::to_string(i));
    g.add_group(Owner::Point, "g" + std::to_string(i));
  }
  EXPECT_EQ(&mass, g.find(Owner::Point, "mass")->as<float>());
  EXPECT_EQ(&pins, g.find_group(Owner::Point, "pins"));
}

TEST(Geometry, ReversingVerticesTurnsInsideOutAndTwiceIsNothing) {
  const Geometry g = tet_and_quad();
  const std::vector<int> order = reversed_vertices(g);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 3, 2, 4, 7, 6, 5, 8, 9, 10}));
  for (std::size_t j = 0; j < order.size(); ++j) EXPECT_EQ(order[static_cast<std::size_t>(order[j])], int(j));
}

TEST(Geometry, CheckNamesWhatDoesNotFit) {
  const auto message = [](const Geometry& g) -> std::string {
    try {
      check(g);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  Geometry g = tet_and_quad();
  g.vertex_points[3] = 9;
  EXPECT_NE(message(g).find("vertex 3 refers to point 9"), std::string::npos);
  g = tet_and_quad();
  std::get<std::vector<float>>(g.find(Owner::Point, "P")->values).pop_back();
  EXPECT_NE(message(g).find("point attribute 'P'"), std::string::npos);
  g = tet_and_quad();
  g.primitive_types[1] = PrimitiveType::Tetrahedron;
  EXPECT_EQ(message(g), "");
  g.primitive_types[2] = PrimitiveType::Tetrahedron;
  EXPECT_NE(message(g).find("primitive 2 is a tetrahedron but has 3 vertices"), std::string::npos);
}

TEST(Geometry, SameComparesBits) {
  Geometry a = tet_and_quad(), b = a;
  EXPECT_TRUE(same(a, b));
  std::get<std::vector<float>>(b.find(Owner::Point, "P")->values)[0] = -0.0f;
  EXPECT_FALSE(same(a, b));
  std::get<std::vector<float>>(a.find(Owner::Point, "P")->values)[0] = std::nanf("");
  b = a;
  EXPECT_TRUE(same(a, b));
}

}  // namespace
}  // namespace verve
