// What Houdini's own files hold besides polygons and tets with long names: short names, unknown runs, polygon
// soups, packed primitives. Every document is read in all four encodings.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "RandomGeometry.h"
#include "TemporaryFolder.h"
#include "bgeo/BigEndianJson.h"
#include "bgeo/HoudiniFile.h"
#include "bgeo/HoudiniJsonWriter.h"
#include "bgeo/ScFile.h"

namespace verve {
namespace {

/// A document as text, as binary of both endiannesses, and compressed.
std::vector<std::string> encodings(const std::string& text) {
  const JsonValue root = parse_json(text);
  auto writer = make_json_binary_writer();
  writer->value(root);
  const std::string binary = writer->take();
  return {text, binary, BigEndian().encode(root), compress_sc(binary)};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// What our writer writes, with the names that Houdini's binary files have.
std::string short_names(const Geometry& geometry) {
  std::string text = write_houdini(geometry, HoudiniEncoding::Text);
  for (const auto& [name, brief] : {std::pair("Polygon_run", "p_r"), std::pair("PolygonCurve_run", "c_r"),
                                    std::pair("Tetrahedron_run", "t_r"), std::pair("startvertex", "s_v"),
                                    std::pair("nprimitives", "n_p"), std::pair("nvertices_rle", "r_v")})
    text = replaced(text, '"' + std::string(name) + '"', '"' + std::string(brief) + '"');
  return text;
}

/// The geometry, which must be the same from every encoding, and what was said of it.
Geometry read_all(const std::string& text, std::vector<std::string>& warnings) {
  Geometry first;
  bool begun = false;
  for (const std::string& bytes : encodings(text)) {
    std::vector<std::string> said;
    Geometry g = read_houdini(bytes, &said);
    if (begun) {
      EXPECT_TRUE(same(g, first));
      EXPECT_EQ(said, warnings);
    }
    first = std::move(g), warnings = said, begun = true;
  }
  return first;
}

std::string error_in(const std::string& text) {
  std::string message;
  for (const std::string& bytes : encodings(text)) message = error_of([&] { read_houdini(bytes, nullptr); });
  return message;
}

TEST(HoudiniKinds, ShortNamesAreRead) {
  int tets = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Geometry g = RandomGeometry(seed).make(30, true);
    tets += int(std::count(g.primitive_types.begin(), g.primitive_types.end(), PrimitiveType::Tetrahedron));
    std::vector<std::string> warnings;
    ASSERT_TRUE(same(g, read_all(short_names(g), warnings))) << "seed " << seed;
    EXPECT_TRUE(warnings.empty());
  }
  EXPECT_GT(tets, 100);
}

TEST(HoudiniKinds, UnknownRunsAreSkippedByTheirLength) {
  Geometry g;
  g.point_count = 4;
  g.add<float>(Owner::Point, "P", 3, "point") = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::array<int, 4> tet = {0, 1, 2, 3};
  for (int i = 0; i < 9; ++i) g.add_primitive(PrimitiveType::Tetrahedron, tet);
  g.add<int>(Owner::Primitive, "number") = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const std::string text = short_names(g), run = R"("s_v",0,"n_p",9)";
  std::string compact;
  for (const char c : text)
    if (c != '\n' && c != '\t' && c != ' ') compact += c;
  const std::size_t at = compact.find(R"([["type","t_r"],[)" + run);
  ASSERT_NE(at, std::string::npos) << compact;
  const std::size_t end = compact.find("]]", at) + 2;
  for (const char* name : {"q_r", "Wonder_run"}) {
    std::string other = compact;
    other.replace(at, end - at,
                  R"([["type","t_r"],["s_v",0,"n_p",2]],[["type",")" + std::string(name) +
                      R"("],["s_v",8,"n_p",5]],[["type","t_r"],["s_v",28,"n_p",2]])");
    std::vector<std::string> warnings;
    const Geometry back = read_all(other, warnings);
    EXPECT_EQ(*back.find(Owner::Primitive, "number")->as<int>(), (std::vector<int>{0, 1, 7, 8})) << name;
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0].find("5 primitives of type '" + std::string(name).substr(0, 1)), 0u) << warnings[0];
  }
  EXPECT_NE(error_in(replaced(compact, R"("t_r")", R"("q_r")")
                         .replace(compact.find(run), run.size(), R"("s_v",0,"n_p",10)"))
                .find("more primitives than the file announces"),
            std::string::npos);
}

/// A polygon of its own, then two soups: a quad with a triangle that shares two vertices with it, and a
/// triangle.
const char* const kSoup = R"(["pointcount",6,"vertexcount",11,"primitivecount",3,
  "topology",["pointref",["indices",[0,1,2, 0,1,2,3,4, 3,4,5]]],
  "attributes",["pointattributes",[[["scope","public","type","numeric","name","P","options",{}],
      ["size",3,"storage","fpreal32","values",["size",3,"storage","fpreal32",
        "tuples",[[0,0,0],[1,0,0],[1,1,0],[0,1,0],[2,2,0],[3,3,3]]]]]],
    "vertexattributes",[[["scope","public","type","numeric","name","uv","options",{}],
      ["size",1,"storage","int32","values",["size",1,"storage","int32","arrays",[[0,1,2,3,4,5,6,7,8,9,10]]]]]],
    "primitiveattributes",[[["scope","public","type","string","name","name","options",{}],
      ["size",1,"storage","int32","strings",["a","b","c"],"indices",["size",1,"storage","int32","arrays",[[0,1,2]]]]]]],
  "primitives",[
    [["type","Poly"],["vertex",[0,1,2],"closed",true]],
    [["type","run","runtype","PolySoup","varyingfields",["vertex","polyinfo"],"uniformfields",{}],
      [[[3,4,5,6,7],[[4,3],[1,1],[3,4,5,6,6,5,7]]],[[8,9,10],[[3],[1],[8,9,10]]]]]],
  "vertexgroups",[[["name","v"],["selection",["ordered",[6,0]]]]],
  "primitivegroups",[[["name","g"],["selection",["ordered",[2,1]]]],
                     [["name","h"],["selection",["unordered",["i8",[0,1,0]]]]]]])";

TEST(HoudiniKinds, SoupsBecomePolygonsWithTheirAttributes) {
  std::vector<std::string> warnings;
  const Geometry g = read_all(kSoup, warnings);
  EXPECT_TRUE(warnings.empty()) << warnings.front();
  EXPECT_EQ(g.primitive_types, std::vector<PrimitiveType>(4, PrimitiveType::Polygon));
  EXPECT_EQ(g.primitive_starts, (std::vector<int>{0, 3, 7, 10, 13}));
  // Turned round after the first corner, as all of Houdini's polygons are.
  EXPECT_EQ(g.vertex_points, (std::vector<int>{0, 2, 1, 0, 3, 2, 1, 3, 4, 2, 3, 5, 4}));
  EXPECT_EQ(*g.find(Owner::Vertex, "uv")->as<int>(),
            (std::vector<int>{0, 2, 1, 3, 6, 5, 4, 6, 7, 5, 8, 10, 9}));
  std::string names;
  for (std::size_t i = 0; i < 4; ++i) names += g.find(Owner::Primitive, "name")->text(i);
  EXPECT_EQ(names, "abbc");
  EXPECT_EQ(g.find_group(Owner::Primitive, "g")->order, (std::vector<int>{3, 1, 2}));
  EXPECT_EQ(g.find_group(Owner::Primitive, "h")->members, (std::vector<std::uint8_t>{0, 1, 1, 0}));
  // Vertex 6 is a corner of both polygons.
  EXPECT_EQ(g.find_group(Owner::Vertex, "v")->order, (std::vector<int>{4, 7, 0}));
  check(g);
  EXPECT_NE(error_in(replaced(kSoup, "[3,4,5,6,6,5,7]", "[3,4,5,6,6,5,8]")).find("uses vertex 8"),
            std::string::npos);
  EXPECT_NE(error_in(replaced(kSoup, "[3,4,5,6,6,5,7]", "[3,4,5,6]")).find("fewer vertices than it needs"),
            std::string::npos);
  EXPECT_NE(error_in(replaced(kSoup, "[8,9,10],[[3]", "[7,9,10],[[3]")).find("belongs to another one"),
            std::string::npos);
}

/// A tet and a triangle that carries a normal, by name.
Geometry inner_geometry() {
  Geometry g;
  g.point_count = 5;
  g.add<float>(Owner::Point, "P", 3, "point") = {1, 0, 0, 3, 0, 0, 1, 3, 0, 1, 0, 4, 5, 0, 0};
  g.add_primitive(PrimitiveType::Tetrahedron, std::array<int, 4>{0, 1, 2, 3});
  g.add_primitive(PrimitiveType::Polygon, std::array<int, 3>{0, 4, 2});
  g.add<float>(Owner::Point, "N", 3, "normal") = {0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0};
  StringValues& names = g.add_strings(Owner::Primitive, "name");
  names.indices = {names.index_of("solid"), names.index_of("leaf")};
  return g;
}

std::string packed_fields(const std::string& more, const std::string& transform, int vertex) {
  return R"(["parameters",{)" + more + R"("embedded":"embed:1"},"pivot",[1,0,0],"transform",)" + transform +
         R"(,"vertex",)" + std::to_string(vertex) + R"(,"viewportlod","full"])";
}

/// A file of packed primitives, one a point; `primitives` is the text of their list.
std::string packed_file(int count, const std::string& primitives, const std::string& shared) {
  std::string indices, points;
  for (int i = 0; i < count; ++i) {
    indices += (i ? "," : "") + std::to_string(i);
    points += std::string(i ? "," : "") + "[" + std::to_string(10 * i) + ",0,0]";
  }
  const std::string n = std::to_string(count);
  return R"(["pointcount",)" + n + R"(,"vertexcount",)" + n + R"(,"primitivecount",)" + n +
         R"(,"topology",["pointref",["indices",[)" + indices +
         R"(]]],"attributes",["pointattributes",[[["scope","public","type","numeric","name","P","options",{}],
          ["size",3,"storage","fpreal32","values",["size",3,"storage","fpreal32","tuples",[)" +
         points + R"(]]]]]],"primitives",[)" + primitives + R"(],"sharedprimitivedata",[)" + shared + "]]";
}

std::string shared_data(const Geometry& g) {
  return R"("PackedGeometry",["gu:embeddedgeo","embed:1",)" + short_names(g) + "]";
}

const char* const kAsIs = "[1,0,0,0,1,0,0,0,1]";
/// A quarter turn that takes x to y, as rows: and twice the size along z.
const char* const kTurn = "[0,1,0,-1,0,0,0,0,2]";
const char* const kMirror = "[-1,0,0,0,1,0,0,0,1]";

TEST(HoudiniKinds, PackedGeometryIsUnpackedInItsPlace) {
  const std::string one = R"([["type","PackedGeometry"],)";
  const std::string file = packed_file(
      4,
      one + packed_fields("", kAsIs, 0) + "]," + one + packed_fields("", kTurn, 1) + "]," + one +
          packed_fields("", kMirror, 2) + R"(],[["type","PackedDisk"],["parameters",{"filename":"a.bgeo"},
                      "vertex",3]])",
      shared_data(inner_geometry()));
  std::vector<std::string> warnings;
  const Geometry g = read_all(file, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].find("1 primitive of type 'PackedDisk'"), 0u) << warnings[0];
  // The point of the disk stays; those that stood for geometry are gone.
  ASSERT_EQ(g.point_count, 1 + 3 * 5);
  ASSERT_EQ(g.primitive_count(), 6);
  EXPECT_EQ(g.position(0), Vec3(30, 0, 0));
  const auto at = [&](int copy, int point) { return g.position(1 + 5 * copy + point); };
  EXPECT_EQ(at(0, 0), Vec3(0, 0, 0));
  EXPECT_EQ(at(0, 3), Vec3(0, 0, 4));
  EXPECT_EQ(at(1, 1), Vec3(10, 2, 0));
  EXPECT_EQ(at(1, 2), Vec3(7, 0, 0));
  EXPECT_EQ(at(1, 3), Vec3(10, 0, 8));
  EXPECT_EQ(at(2, 1), Vec3(18, 0, 0));
  const Attribute* n = g.find(Owner::Point, "N");
  EXPECT_EQ(n->number(3 * (1 + 5)), -1);         // y turned to -x
  EXPECT_EQ(n->number(3 * (1 + 5 + 4) + 1), 1);  // x turned to y
  for (int copy = 0; copy < 3; ++copy) {
    const int* p = g.vertex_points.data() + g.primitive_starts[std::size_t(2 * copy)];
    const Vec3 o = g.position(p[0]);
    EXPECT_GT((g.position(p[1]) - o).cross(g.position(p[2]) - o).dot(g.position(p[3]) - o), 0) << copy;
  }
}

TEST(HoudiniKinds, FragmentsAndInstancesAndNests) {
  const std::string run =
      R"([["type","run","runtype","PackedFragment","varyingfields",["parameters","vertex"],
         "uniformfields",{"pivot":[0,0,0],"transform":[1,0,0,0,1,0,0,0,1]}],
        [[{"embedded":"embed:1","attribute":"name","name":"leaf","pointinstancetransform":true},0],
         [{"embedded":"embed:1","attribute":"name","name":"solid"},1]]])";
  std::vector<std::string> warnings;
  const std::string file = packed_file(2, run, shared_data(inner_geometry()));
  const Geometry g = read_all(file, warnings);
  ASSERT_EQ(g.primitive_types,
            (std::vector<PrimitiveType>{PrimitiveType::Polygon, PrimitiveType::Tetrahedron}));
  EXPECT_EQ(g.point_count, 3 + 4);
  EXPECT_EQ(g.position(2), Vec3(5, 0, 0));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].find("1 packed primitives unpacked where"), 0u) << warnings[0];
  // A file of packed primitives that is itself packed, moved once more.
  const std::string nest =
      packed_file(2,
                  R"([["type","PackedGeometry"],)" + packed_fields("", kAsIs, 1) +
                      R"(],[["type","PackedGeometry"],)" + packed_fields("", kAsIs, 0) + "]",
                  R"("PackedGeometry",["gu:embeddedgeo","embed:1",)" + file + "]");
  const Geometry nested = read_all(nest, warnings);
  EXPECT_EQ(nested.point_count, 14);
  EXPECT_EQ(nested.position(2), Vec3(5 - 1 + 10, 0, 0));
  EXPECT_EQ(nested.position(9), Vec3(5 - 1, 0, 0));
  EXPECT_NE(error_in(replaced(file, R"("name":"solid"},1])", R"("name":"solid"},2])"))
                .find("packed primitive refers to vertex 2, but there are 2"),
            std::string::npos);
}

TEST(HoudiniKinds, NestsThatUnfoldBeyondAllMeasureAreRefused) {
  // Each level holds the one below sixteen times: 16^9 tets from a few kilobytes.
  std::string file = short_names(inner_geometry());
  for (int level = 0; level < 9; ++level) {
    std::string primitives;
    for (int i = 0; i < 16; ++i)
      primitives +=
          std::string(i ? "," : "") + R"([["type","PackedGeometry"],)" + packed_fields("", kAsIs, i) + "]";
    file = packed_file(16, primitives, R"("PackedGeometry",["gu:embeddedgeo","embed:1",)" + file + "]");
  }
  EXPECT_NE(error_of([&] { read_houdini(file, nullptr); }).find("far more values than it can hold"),
            std::string::npos);
}

}  // namespace
}  // namespace verve
