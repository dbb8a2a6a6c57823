#include "bgeo/HoudiniFile.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

#include "RandomGeometry.h"
#include "TemporaryFolder.h"
#include "bgeo/BigEndianJson.h"
#include "bgeo/HoudiniJson.h"
#include "bgeo/ScFile.h"

namespace verve {
namespace {

constexpr HoudiniEncoding kEncodings[] = {HoudiniEncoding::Text, HoudiniEncoding::Binary,
                                          HoudiniEncoding::Compressed};

class HoudiniFile : public testing::TestWithParam<HoudiniEncoding> {};
INSTANTIATE_TEST_SUITE_P(Encodings, HoudiniFile, testing::ValuesIn(kEncodings));

TEST_P(HoudiniFile, RandomGeometriesComeBackBitForBit) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Geometry g = RandomGeometry(seed).make(seed % 20 == 0 ? 4000 : 30, false);
    std::vector<std::string> warnings;
    const std::string bytes = write_houdini(g, GetParam());
    const Geometry back = read_houdini(bytes, &warnings);
    ASSERT_TRUE(same(g, back)) << "seed " << seed;
    ASSERT_TRUE(warnings.empty()) << warnings.front();
    ASSERT_EQ(write_houdini(back, GetParam()), bytes);
  }
}

TEST_P(HoudiniFile, EveryStorageComesBackBitForBit) {
  Geometry g;
  g.point_count = 3000;
  const auto fill = [&](auto zero, const char* name, int tuple) {
    using T = decltype(zero);
    auto& values = g.add<T>(Owner::Point, name, tuple);
    std::mt19937_64 random(7);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t bits = random();
      std::memcpy(static_cast<void*>(&values[i]), &bits, sizeof(T));
      // In text a NaN keeps its sign but not its payload, so those are for the binary encodings alone.
      if constexpr (std::is_floating_point_v<T>) {
        if (GetParam() == HoudiniEncoding::Text && std::isnan(values[i])) values[i] = T(i);
      } else if constexpr (std::is_same_v<T, Half>) {
        if (GetParam() == HoudiniEncoding::Text && std::isnan(float(values[i]))) values[i] = Half(1.5f);
      }
    }
  };
  fill(float{}, "P", 3);
  fill(std::int8_t{}, "i8", 1);
  fill(std::uint8_t{}, "u8", 2);
  fill(std::int16_t{}, "i16", 3);
  fill(std::int32_t{}, "i32", 4);
  fill(std::int64_t{}, "i64", 1);
  fill(Half{}, "f16", 2);
  fill(float{}, "f32", 9);
  fill(double{}, "f64", 16);
  EXPECT_TRUE(same(g, read_houdini(write_houdini(g, GetParam()), nullptr)));
}

Geometry one_tet() {
  Geometry g;
  g.point_count = 4;
  g.add<float>(Owner::Point, "P", 3, "point") = {0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};
  g.add_primitive(PrimitiveType::Tetrahedron, std::array<int, 4>{0, 1, 2, 3});
  return g;
}

TEST(HoudiniWriter, TurnsTetsAndPolygonsAsHoudiniHasThemAndGivesTheBox) {
  Geometry g = one_tet();
  g.add_primitive(PrimitiveType::Polygon, std::array<int, 3>{0, 1, 2});
  g.add_primitive(PrimitiveType::Polyline, std::array<int, 3>{0, 1, 2});
  g.add<int>(Owner::Vertex, "n") = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::string bytes = write_houdini(g, HoudiniEncoding::Text);
  const JsonValue root = parse_json(bytes);
  const JsonValue& points = root.get("topology").get("pointref").get("indices");
  std::array<int, 10> p;
  points.copy(0, 10, p.data(), "indices");
  EXPECT_EQ(p, (std::array<int, 10>{0, 1, 3, 2, 0, 2, 1, 0, 1, 2}));
  const auto at = [&](int i) { return g.position(p[std::size_t(i)]); };
  EXPECT_LT((at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0)), 0);
  const JsonValue& bounds = root.get("info").get("bounds");
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(bounds.real_at(2 * k, "bounds"), 0);
    EXPECT_EQ(bounds.real_at(2 * k + 1, "bounds"), double(k + 2));
  }
  const Geometry back = read_houdini(bytes, nullptr);
  EXPECT_EQ(back.vertex_points, g.vertex_points);
  EXPECT_EQ(*back.find(Owner::Vertex, "n")->as<int>(), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(HoudiniWriter, GivesTheSameBytesEveryTime) {
  const Geometry g = RandomGeometry(3).make(500, true);
  for (const HoudiniEncoding encoding : kEncodings)
    EXPECT_EQ(write_houdini(g, encoding), write_houdini(g, encoding));
}

/// A document in the manner of Houdini 13: homogeneous P, polygons one by one or in a run with varying
/// fields, a sphere in between, groups with flags.
constexpr const char* kOldFile = R"(["fileversion","13.0.1","pointcount",5,"vertexcount",9,"primitivecount",4,
  "info",{"bounds":[0,1,0,1,0,0]},
  "topology",["pointref",["indices",[0,1,2, 4, 0,1,3,2, 3]]],
  "attributes",["pointattributes",[[["scope","public","type","numeric","name","P","options",
      {"type":{"type":"string","value":"hpoint"}}],
    ["size",4,"storage","fpreal32","defaults",["size",4,"storage","fpreal64","values",[0,0,0,1]],
     "values",["size",4,"storage","fpreal32","packing",[3,1],"pagesize",2,
      "constantpageflags",[[],[true,true,false]],
      "rawpagedata",[0,0,0, 1,0,0, 1, 0,1,0, 1,1,0, 1, 0.5,0.5,0, 1]]]]],
    "vertexattributes",[[["scope","public","type","numeric","name","n","options",{}],
      ["size",1,"storage","int32","defaults",["size",0,"storage","int64","values",[]],
       "values",["size",1,"storage","int32","arrays",[[0,1,2,3,4,5,6,7,8]]]]]],
    "primitiveattributes",[[["scope","public","type","string","name","name","options",{}],
      ["size",1,"storage","int32","strings",["a","b"],"indices",["size",1,"storage","int32","tuples",[[0],[1],[-1],[0]]]]],
     [["scope","public","type","blinddata","name","odd","options",{}],["size",1]]]],
  "primitives",[
    [["type","Poly"],["vertex",[0,1,2],"closed",true]],
    [["type","Sphere"],["vertex",[3],"transform",[1,0,0,0,1,0,0,0,1]]],
    [["type","run","runtype","Poly","varyingfields",["vertex","closed"],"uniformfields",{}],
      [[[4,5,6,7],true],[[8,0],false]]]],
  "primitivegroups",[[["name","g","type","primitive"],["selection",["defaults",[],"unordered",["i8",[1,1,0,1]]]]]],
  "pointgroups",[[["name","o"],["selection",["ordered",[4,0]]]]]])";

TEST(HoudiniReader, ReadsOldFilesAndReportsWhatItLeavesOut) {
  std::vector<std::string> warnings;
  std::string text = kOldFile;
  // Vertex 0 may not belong to two primitives.
  EXPECT_NE(error_of([&] { read_houdini(text, &warnings); }).find("primitive 3 uses vertex 0"),
            std::string::npos);
  text.replace(text.find("[[8,0],false]"), 13, "[[8],false]");
  warnings.clear();
  const Geometry g = read_houdini(text, &warnings);
  ASSERT_EQ(g.point_count, 5);
  EXPECT_EQ(g.position(2), Vec3(0, 1, 0));
  EXPECT_EQ(g.position(4), Vec3(0.5, 0.5, 0));
  EXPECT_EQ(g.find(Owner::Point, "P")->number(19), 1);
  EXPECT_EQ(g.primitive_types, (std::vector<PrimitiveType>{PrimitiveType::Polygon, PrimitiveType::Polygon,
                                                           PrimitiveType::Polyline}));
  EXPECT_EQ(g.vertex_points, (std::vector<int>{0, 2, 1, 0, 2, 3, 1, 3}));
  EXPECT_EQ(*g.find(Owner::Vertex, "n")->as<int>(), (std::vector<int>{0, 2, 1, 4, 7, 6, 5, 8}));
  const Attribute* name = g.find(Owner::Primitive, "name");
  EXPECT_EQ(name->text(0) + name->text(1) + name->text(2), "aa");
  EXPECT_EQ(g.find_group(Owner::Primitive, "g")->members, (std::vector<std::uint8_t>{1, 0, 1}));
  EXPECT_EQ(g.find_group(Owner::Point, "o")->order, (std::vector<int>{4, 0}));
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("attribute 'odd' was left out"), std::string::npos);
  EXPECT_NE(warnings[1].find("1 primitive of type 'Sphere'"), std::string::npos);
}

TEST(HoudiniReader, ReadsTheOtherEndianness) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Geometry g = RandomGeometry(seed).make(40, true);
    const std::string text = write_houdini(g, HoudiniEncoding::Text);
    ASSERT_TRUE(same(g, read_houdini(BigEndian().encode(parse_json(text)), nullptr))) << "seed " << seed;
  }
}

TEST(HoudiniReader, SaysWhatIsWrong) {
  const auto error = [](const std::string& bytes) { return error_of([&] { read_houdini(bytes, nullptr); }); };
  EXPECT_NE(error("PGEOMETRY V5").find("Houdini 11"), std::string::npos);
  EXPECT_NE(error("").find("ends too early"), std::string::npos);
  EXPECT_NE(error("[\"pointcount\",\n1,]").find("line 2"), std::string::npos);
  EXPECT_NE(error("[\"pointcount\",-1]").find("pointcount is -1"), std::string::npos);
  std::string text = write_houdini(one_tet(), HoudiniEncoding::Text);
  text.replace(text.find("[0,1,3,2]"), 9, "[0,1,3,4]");
  EXPECT_NE(error(text).find("vertex 3 refers to point 4, but there are 4 points"), std::string::npos);
}

TEST(HoudiniReader, KeepsConstantPagesSmallInTheFile) {
  Geometry g;
  g.point_count = 100000;
  g.add<float>(Owner::Point, "P", 3, "point");
  auto& mass = g.add<float>(Owner::Point, "mass");
  std::fill(mass.begin(), mass.end(), 0.5f);
  mass[70000] = 1;
  const std::string bytes = write_houdini(g, HoudiniEncoding::Binary);
  // 98 pages of P with one point each, 97 of mass with one number and one with all 1024, and the words around
  // them.
  EXPECT_LT(bytes.size(), 98u * 12 + 97 * 4 + 4096 + 1000);
  EXPECT_TRUE(same(g, read_houdini(bytes, nullptr)));
}

TEST(ScFile, ManyBlocksAndTheIndexThatHoudiniExpects) {
  std::string raw(5 * (1 << 20) / 2, '\0');
  for (std::size_t i = 0; i < raw.size(); ++i) raw[i] = char((i * i) >> 7);
  const std::string packed = compress_sc(raw);
  EXPECT_EQ(decompress_sc(packed), raw);
  const auto big = [&](std::size_t at) {
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < 8; ++k) value = value << 8 | static_cast<unsigned char>(packed[at + k]);
    return value;
  };
  EXPECT_EQ(packed.substr(0, 4), "scf1");
  EXPECT_EQ(big(4), 0u);
  EXPECT_EQ(packed.substr(packed.size() - 4), "1fcs");
  ASSERT_EQ(big(packed.size() - 12), 4u * 8);
  const std::size_t index = packed.size() - 12 - 32;
  EXPECT_EQ(big(index + 16), 1u << 20);
  EXPECT_EQ(big(index + 24), 1u << 19);
  // The second and the third block begin where the index says: with a blosc header of the right length.
  for (const std::size_t entry : {index, index + 8}) {
    const std::size_t at = 12 + big(entry);
    std::uint32_t size;
    std::memcpy(&size, packed.data() + at + 4, 4);
    EXPECT_EQ(size, entry == index ? 1u << 20 : 1u << 19);
  }
  EXPECT_EQ(decompress_sc(compress_sc("")), "");
}

TEST(Json, ReadsNumbersExactly) {
  const JsonValue v = parse_json(std::string_view("[9007199254740993,-0,0.1,1e400,-1e-400,nan,-inf]"));
  EXPECT_EQ(parse_json(std::string_view("[9007199254740993]")).integer_at(0, ""), 9007199254740993);
  EXPECT_TRUE(std::signbit(v.real_at(1, "")));
  EXPECT_EQ(v.real_at(2, ""), 0.1);
  EXPECT_EQ(v.real_at(3, ""), INFINITY);
  EXPECT_EQ(v.real_at(4, ""), 0);
  EXPECT_TRUE(std::isnan(v.real_at(5, "")));
  EXPECT_EQ(v.real_at(6, ""), -INFINITY);
  EXPECT_EQ(parse_json(std::string_view(R"(["\u00e9\ud83d\ude00\n"])")).at(0, "").text(""),
            "\xc3\xa9\xf0\x9f\x98\x80\n");
  EXPECT_THROW(parse_json(std::string_view("[1.5]")).integer_at(0, ""), Error);
  EXPECT_THROW(parse_json(std::string(100000, '[')), Error);
}

}  // namespace
}  // namespace verve
