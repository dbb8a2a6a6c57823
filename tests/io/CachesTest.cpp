// The formats of other programs: what they promise to keep comes back, and sequences go from one to another.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "RandomGeometry.h"
#include "TemporaryFolder.h"
#include "base/FileBytes.h"
#include "formats/Obj.h"
#include "formats/PointCache.h"
#include "formats/Usda.h"
#include "formats/Vtu.h"
#include "geometry/TetSurface.h"
#include "io/GeometryFile.h"
#include "io/SequenceFile.h"

namespace verve {
namespace {

/// Random frames over the same points and primitives.
class RandomFrames : public FrameSource {
 public:
  RandomFrames(unsigned seed, std::size_t count)
      : count_(count), first_(RandomGeometry(seed).make(40, true)) {}
  std::size_t count() const override { return count_; }
  int frame(std::size_t i) const override { return 5 + int(i); }
  double fps() const override { return 30; }
  Geometry read(std::size_t i) const override {
    Geometry g = first_;
    for (float& x : std::get<std::vector<float>>(g.find(Owner::Point, "P")->values)) x += 0.3f * float(i);
    return g;
  }

 private:
  std::size_t count_;
  Geometry first_;
};

/// What .vtu keeps of a geometry.
Geometry as_vtu(Geometry g) {
  g.groups.clear();
  g.edge_groups.clear();
  g.attributes[std::size_t(Owner::Vertex)].clear();
  for (auto& list : g.attributes) {
    list.erase(std::remove_if(list.begin(), list.end(),
                              [](const Attribute& a) { return a.is_array() || a.is_text(); }),
               list.end());
    for (Attribute& a : list) {
      if (a.name != "P") a.type_info = "";
      a.defaults = {0};
      if (const auto* halves = a.as<Half>()) {
        std::vector<float> floats;
        for (const Half half : *halves) floats.push_back(float(half));
        a.values = std::move(floats);
      }
    }
  }
  return g;
}

TEST(Vtu, KeepsPrimitivesAndNumbersBitForBit) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Geometry g = RandomGeometry(seed).make(40, false);
    std::vector<std::string> warnings;
    ASSERT_TRUE(same(read_vtu(write_vtu(g), &warnings), as_vtu(g))) << seed;
    ASSERT_TRUE(warnings.empty());
  }
}

TEST(Vtu, ReadsTextAndBase64) {
  const char* text = R"(<VTKFile type="UnstructuredGrid" byte_order="LittleEndian"><UnstructuredGrid>
    <Piece NumberOfPoints="4" NumberOfCells="2"><PointData><DataArray type="Int8" Name="mark" format="ascii">1 -2 3 4</DataArray></PointData>
    <CellData><DataArray type="UInt16" Name="id" format="ascii">7 65535</DataArray></CellData>
    <Points><DataArray type="Float32" NumberOfComponents="3" format="binary">
    MAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPw==</DataArray></Points>
    <Cells><DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3 0</DataArray>
    <DataArray type="Int64" Name="offsets" format="ascii">4 5</DataArray>
    <DataArray type="UInt8" Name="types" format="ascii">10 1</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>)";
  std::vector<std::string> warnings;
  const Geometry g = read_vtu(text, &warnings);
  EXPECT_EQ(g.position(1), Vec3(1, 0, 0));
  EXPECT_EQ(g.position(3), Vec3(0, 0, 1));
  EXPECT_EQ(g.primitive_types, std::vector<PrimitiveType>{PrimitiveType::Tetrahedron});
  EXPECT_EQ(*g.find(Owner::Point, "mark")->as<std::int8_t>(), (std::vector<std::int8_t>{1, -2, 3, 4}));
  EXPECT_EQ(*g.find(Owner::Primitive, "id")->as<int>(), std::vector<int>{7});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("1 cells of VTK's type 1"), std::string::npos);
}

TEST(Obj, KeepsPolygonsAndWritesTheSkinOfTets) {
  Geometry g;
  g.point_count = 5;
  g.add<double>(Owner::Point, "P", 3, "point") = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 2, 1.0 / 3};
  g.add_primitive(PrimitiveType::Polygon, std::array<int, 3>{0, 1, 4});
  g.add_primitive(PrimitiveType::Polyline, std::array<int, 2>{3, 4});
  const Geometry polygons = read_obj(write_obj(g), nullptr);
  EXPECT_TRUE(same(polygons, g));
  g.add_primitive(PrimitiveType::Tetrahedron, std::array<int, 4>{0, 1, 2, 3});
  const Geometry back = read_obj(write_obj(g), nullptr);
  EXPECT_EQ(back.primitive_count(), 2 + 4);
}

TEST(Obj, ReadsCornersWithTextureAndNormalAndSaysWhereItFails) {
  std::vector<std::string> warnings;
  const Geometry g = read_obj(
      "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0 1.0\nvt 0.5 0.25\nvn 0 0 1\nusemtl b\nf 1/1/1 2/1/1 -1/-1/-1 "
      "# c\n",
      &warnings);
  EXPECT_EQ(g.vertex_points, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(*g.find(Owner::Vertex, "uv")->as<float>(),
            (std::vector<float>{0.5, 0.25, 0, 0.5, 0.25, 0, 0.5, 0.25, 0}));
  EXPECT_EQ(g.find(Owner::Vertex, "N")->number(2), 1);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].rfind("lines left out that begin with ", 0), 0u) << warnings[0];
  EXPECT_NE(error_of([] { read_obj("v 0 0 0\nf 1 2 x\n", nullptr); }).find("line 2"), std::string::npos);
  EXPECT_NE(error_of([] { read_obj("v 0 0 0\nf 1 2 3\n", nullptr); }).find("point 1"), std::string::npos);
}

TEST(TetSurface, SharedFacesAreInsideAndTheSkinFacesOutwards) {
  Geometry g;
  g.set_positions((Vector(15) << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1).finished());
  g.add_primitive(PrimitiveType::Tetrahedron, std::array<int, 4>{0, 1, 2, 3});
  g.add_primitive(PrimitiveType::Tetrahedron, std::array<int, 4>{1, 2, 3, 4});
  const auto skin = tet_surface(g);
  ASSERT_EQ(skin.size(), 6u);
  const Vec3 inside(0.4, 0.4, 0.4);
  for (const auto& t : skin) {
    const Vec3 a = g.position(t[0]), b = g.position(t[1]), c = g.position(t[2]);
    EXPECT_GT((b - a).cross(c - a).dot(a - inside), 0);
  }
}

class PointCaches : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formats, PointCaches, testing::Values("pc2", "mdd"));

TEST_P(PointCaches, KeepPointsAndFrames) {
  const TemporaryFolder folder;
  const std::string path = folder / ("a." + std::string(GetParam()));
  for (unsigned seed = 1; seed < 30; ++seed) {
    const RandomFrames frames(seed, 6);
    if (frames.read(0).point_count == 0) continue;
    write_sequence(path, frames);
    const auto back = open_sequence(path, nullptr, 30);
    ASSERT_EQ(back->count(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
      ASSERT_EQ(back->frame(i), frames.frame(i));
      ASSERT_TRUE(same(*back->read(i).find(Owner::Point, "P"), *frames.read(i).find(Owner::Point, "P")));
    }
  }
}

TEST(Usda, KeepsFramesTopologyAndAttributes) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.usda";
  for (unsigned seed = 0; seed < 100; ++seed) {
    const RandomFrames frames(seed, 3);
    write_sequence(path, frames);
    std::vector<std::string> warnings;
    const auto back = open_sequence(path, &warnings);
    ASSERT_TRUE(warnings.empty()) << warnings.front();
    ASSERT_EQ(back->fps(), 30);
    ASSERT_EQ(back->count(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      const Geometry g = frames.read(i), b = back->read(i);
      ASSERT_EQ(back->frame(i), frames.frame(i));
      ASSERT_TRUE(same(*b.find(Owner::Point, "P"), *g.find(Owner::Point, "P"))) << seed;
      std::array<int, 3> count{}, count_back{};
      for (const auto type : g.primitive_types) ++count[std::size_t(type)];
      for (const auto type : b.primitive_types) ++count_back[std::size_t(type)];
      ASSERT_EQ(count, count_back);
      for (const Attribute& a : b.attributes[std::size_t(Owner::Point)]) {
        const Attribute* before = g.find(Owner::Point, a.name);
        ASSERT_NE(before, nullptr);
        ASSERT_EQ(a.size(), before->size());
        for (std::size_t k = 0; k < a.size(); ++k)
          if (a.is_text())
            ASSERT_EQ(a.text(k), before->text(k));
          else
            ASSERT_EQ(a.number(k), before->number(k));
      }
    }
    const std::string again = folder / "b.usda";
    write_sequence(again, *back);
    write_sequence(path, *open_sequence(again, nullptr));
    ASSERT_EQ(read_bytes(again), read_bytes(path));
  }
}

TEST(Usda, ReadsPlainMeshesOfOthers) {
  const char* text = R"(#usda 1.0
(
    doc = """a (bracket" and 'more"""
    timeCodesPerSecond = 25
)
# a comment with { brackets (
def Xform "root" (
    kind = "component"
)
{
    matrix4d xformOp:transform = ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) )
    uniform token[] xformOpOrder = ["xformOp:transform"]
    def Mesh "m"
    {
        uniform token orientation = "leftHanded"
        rel material:binding = </root/mat>
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (0, 1)] (
            interpolation = "faceVarying"
        )
        int[] primvars:id = [4, 5, 6] (
            interpolation = "faceVarying"
        )
    }
    def Mesh "n" { point3f[] points = [] }
})";
  std::vector<std::string> warnings;
  const auto frames = open_usda(text, &warnings);
  ASSERT_EQ(frames->count(), 1u);
  EXPECT_EQ(frames->fps(), 25);
  const Geometry g = frames->read(0);
  EXPECT_EQ(g.vertex_points, (std::vector<int>{0, 2, 1}));
  EXPECT_EQ(*g.find(Owner::Vertex, "id")->as<int>(), (std::vector<int>{4, 6, 5}));
  const Attribute* uv = g.find(Owner::Vertex, "uv");
  ASSERT_NE(uv, nullptr);
  // The third corner comes second, as its orientation is turned.
  EXPECT_EQ(uv->number(std::size_t(uv->tuple_size) + 1), 1);
  EXPECT_EQ(warnings.size(), 2u);  // another mesh, transforms
}

TEST(Usda, NamesTheFrameThatDiffers) {
  class Growing : public RandomFrames {
   public:
    Growing() : RandomFrames(7, 3) {}
    Geometry read(std::size_t i) const override {
      Geometry g = RandomFrames::read(i);
      if (i == 2) g.add_primitive(PrimitiveType::Polyline, std::array<int, 2>{0, 0});
      return g;
    }
  };
  const TemporaryFolder folder;
  EXPECT_NE(error_of([&] { write_sequence(folder / "a.usda", Growing()); }).find("frame 7 has other points"),
            std::string::npos);
  EXPECT_TRUE(folder.contents().empty());
}

TEST(SequenceFile, ConvertsBetweenOneFileAndManyFiles) {
  const TemporaryFolder folder;
  const RandomFrames frames(11, 4);
  write_sequence(folder / "a.$F4.bgeo.sc", frames);
  write_sequence(folder / "b.usda", *open_sequence(folder / "a.$F4.bgeo.sc", nullptr));
  write_sequence(folder / "c.pc2", *open_sequence(folder / "b.usda", nullptr));
  write_sequence(folder / "d.$F4.vtu", *open_sequence(folder / "c.pc2", nullptr));
  const auto back = open_sequence(folder / "d.$F4.vtu", nullptr);
  ASSERT_EQ(back->count(), 4u);
  EXPECT_EQ(back->frame(3), 8);
  EXPECT_EQ(back->read(3).positions(), frames.read(3).positions());
  EXPECT_NE(error_of([&] { write_sequence(folder / "e.obj", frames); }).find("write name.$F4.obj"),
            std::string::npos);
  EXPECT_NE(error_of([&] { open_sequence(folder / "none.$F4.geo", nullptr); }).find("no such frames"),
            std::string::npos);
}

TEST(GeometryFile, ListsTheKnownEndingsAndNamesTheFile) {
  EXPECT_NE(error_of([] {
              read_geometry("x.abc");
            }).find("x.abc: the ending '.abc' is not known; use one of .bgeo.sc"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              read_geometry("/no/such.bgeo");
            }).find("/no/such.bgeo: cannot open the file: No such file"),
            std::string::npos);
  EXPECT_NE(
      error_of([] { write_geometry("/no/such.bgeo", Geometry{}); }).find("/no/such.bgeo: cannot create"),
      std::string::npos);
  EXPECT_EQ(geometry_ending("a/b.0001.BGEO.SC"), "bgeo.sc");
}

TEST(GeometryFile, SaysWhatAFormatLeavesOut) {
  Geometry g;
  g.point_count = 4;
  g.add<float>(Owner::Point, "P", 3);
  g.add_strings(Owner::Point, "name");
  g.add_primitive(PrimitiveType::Tetrahedron, std::array<int, 4>{0, 1, 2, 3});
  EXPECT_TRUE(left_out("bgeo.sc", g).empty());
  EXPECT_TRUE(left_out("usda", g).empty());
  EXPECT_EQ(left_out("vtu", g).size(), 1u);
  EXPECT_EQ(left_out("obj", g).size(), 2u);
  EXPECT_EQ(left_out("pc2", g).size(), 2u);
}

/// Two triangles that share an edge, whose corners differ in texture coordinates and normals.
Geometry textured() {
  Geometry g;
  g.point_count = 4;
  g.add<float>(Owner::Point, "P", 3, "point") = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  g.add_primitive(PrimitiveType::Polygon, std::array<int, 3>{0, 1, 2});
  g.add_primitive(PrimitiveType::Polygon, std::array<int, 3>{0, 2, 3});
  g.add<float>(Owner::Vertex, "uv", 3, "texturecoord") = {0,    0, 0, 0.5f, 0, 0, 0.5f, 1,    0,
                                                          0.6f, 0, 0, 0.5f, 1, 0, 1,    0.1f, 0};
  g.add<float>(Owner::Vertex, "N", 3, "normal") = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0};
  return g;
}

TEST(Textures, SurviveObjAndUsdInBothDirections) {
  const TemporaryFolder folder;
  for (const bool third : {false, true})
    for (const char* name : {"a.obj", "a.usda"}) {
      Geometry g = textured();
      if (third) std::get<std::vector<float>>(g.find(Owner::Vertex, "uv")->values)[5] = 0.25f;
      EXPECT_TRUE(left_out(geometry_ending(name), g).empty());
      write_geometry(folder / name, g);
      std::vector<std::string> warnings;
      const Geometry back = read_geometry(folder / name, &warnings);
      EXPECT_TRUE(warnings.empty()) << warnings.front();
      EXPECT_EQ(back.vertex_points, g.vertex_points) << name;
      for (const char* attribute : {"uv", "N"})
        EXPECT_TRUE(back.find(Owner::Vertex, attribute) &&
                    same(*back.find(Owner::Vertex, attribute), *g.find(Owner::Vertex, attribute)))
            << name << " " << attribute;
    }
}

TEST(Textures, AreWrittenAsOtherProgramsExpectThem) {
  const std::string obj = write_obj(textured());
  EXPECT_NE(obj.find("vt 0.5 1\nvt 0.6 0\n"), std::string::npos) << obj;  // shared ones once, without a third
  EXPECT_NE(obj.find("f 1/1/1 2/2/1 3/3/1\nf 1/4/2 3/3/2 4/5/2\n"), std::string::npos) << obj;
  const TemporaryFolder folder;
  write_geometry(folder / "a.usda", textured());
  const std::string usd = read_bytes(folder / "a.usda");
  EXPECT_NE(usd.find("texCoord2f[] primvars:st = [(0, 0), (0.5, 0), (0.5, 1), (0.6, 0), (1, 0.1)] (\n"
                     "            interpolation = \"faceVarying\""),
            std::string::npos)
      << usd;
  EXPECT_NE(usd.find("int[] primvars:st:indices = [0, 1, 2, 3, 2, 4]"), std::string::npos) << usd;
  EXPECT_NE(usd.find("normal3f[] normals = "), std::string::npos) << usd;
}

TEST(Textures, OfPointsComeBackAtTheCornersOfObj) {
  Geometry g = textured();
  g.attributes[std::size_t(Owner::Vertex)].clear();
  g.add<float>(Owner::Point, "uv", 2) = {0, 0, 1, 0, 1, 1, 0, 1};
  const std::string obj = write_obj(g);
  EXPECT_NE(obj.find("f 1/1 2/2 3/3\n"), std::string::npos) << obj;
  const Geometry back = read_obj(obj, nullptr);
  EXPECT_EQ(back.find(Owner::Vertex, "uv")->number(3 * 5 + 1), 1);
  std::vector<std::string> warnings;
  read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3\n", &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], "uv left out: 1 of 3 corners of faces have none");
}

TEST(Textures, WithIndicesBeyondTheirValuesAreRefused) {
  const TemporaryFolder folder;
  write_geometry(folder / "a.usda", textured());
  std::string usd = read_bytes(folder / "a.usda");
  usd.replace(usd.find("[0, 1, 2, 3, 2, 4]"), 18, "[0, 1, 2, 3, 2, 5]");
  write_bytes(folder / "a.usda", usd);
  EXPECT_NE(error_of([&] { read_geometry(folder / "a.usda"); }).find("refers to value 5 of 5"),
            std::string::npos);
}

}  // namespace
}  // namespace verve
