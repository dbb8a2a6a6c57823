#include "mesh/MeshCheck.h"

#include <limits>

#include "mesh/MeshGeometry.h"
#include "mesh/MeshTestTools.h"
#include "mesh/Shapes.h"

namespace verve {
namespace {

TetMesh box() {
  return make_box({1, 1, 1}, {2, 2, 2});
}

void expect_defect(const TetMesh& mesh, Defect kind, int count, int first, const std::string& words) {
  const MeshReport report = check(mesh);
  EXPECT_EQ(report[kind].count, count);
  EXPECT_EQ(report[kind].first, first);
  EXPECT_FALSE(report.clean());
  const std::string sentence = error_of([&] { require_usable(mesh, "cube.msh"); });
  EXPECT_TRUE(contains(sentence, "cube.msh")) << sentence;
  EXPECT_TRUE(contains(sentence, words)) << sentence;
}

TEST(MeshCheck, SoundMeshIsClean) {
  EXPECT_TRUE(check(box()).clean());
  EXPECT_NO_THROW(require_usable(box(), "box"));
  EXPECT_NO_THROW(require_usable(make_sheet({1, 1}, {2, 2}), "sheet"));
}

TEST(MeshCheck, NumbersThatAreNotFinite) {
  TetMesh mesh = box();
  mesh.points[5].y() = std::nan("");
  mesh.points[3].x() = std::numeric_limits<double>::infinity();
  expect_defect(mesh, Defect::not_finite, 2, 3, "point 3 has a coordinate");
}

TEST(MeshCheck, IndicesOutOfRange) {
  TetMesh mesh = box();
  mesh.tets[7][2] = int(mesh.points.size());
  mesh.tets[9][0] = -1;
  expect_defect(mesh, Defect::out_of_range, 2, 7, "tet 7");
}

TEST(MeshCheck, RepeatedPoint) {
  TetMesh mesh = box();
  mesh.tets[4][1] = mesh.tets[4][2];
  expect_defect(mesh, Defect::repeated_point, 1, 4, "uses a point twice");
}

TEST(MeshCheck, FlatTet) {
  TetMesh mesh = box();
  const Vec3 a = mesh.points[0], b = mesh.points[1], c = mesh.points[3];
  mesh.tets.push_back({0, 1, 3, int(mesh.points.size())});
  mesh.points.push_back(a + 0.3 * (b - a) + 0.6 * (c - a));
  expect_defect(mesh, Defect::degenerate, 1, int(mesh.tets.size()) - 1, "is flat");
}

TEST(MeshCheck, InvertedTetsAndTheirRepair) {
  TetMesh mesh = box();
  std::swap(mesh.tets[11][0], mesh.tets[11][1]);
  expect_defect(mesh, Defect::inverted, 1, 11, "tet 11");
  const Orientation before = orient(mesh);
  EXPECT_TRUE(before.mixed());
  EXPECT_EQ(before.negative, 1);
  EXPECT_EQ(before.positive, 47);
  EXPECT_TRUE(check(mesh).clean());
}

TEST(MeshCheck, DuplicateTets) {
  TetMesh mesh = box();
  const auto t = mesh.tets[2];
  mesh.tets.push_back({t[1], t[2], t[0], t[3]});
  mesh.tets.push_back(t);
  expect_defect(mesh, Defect::duplicate, 2, 48, "same points");
}

TEST(MeshCheck, UnreferencedPointsAndTheirRemoval) {
  TetMesh mesh = box();
  mesh.points.insert(mesh.points.begin(), Vec3(9, 9, 9));
  for (auto& t : mesh.tets)
    for (int& p : t) ++p;
  expect_defect(mesh, Defect::unreferenced, 1, 0, "point 0");
  EXPECT_EQ(remove_unreferenced(mesh), 1);
  EXPECT_EQ(mesh.tets, box().tets);
  EXPECT_EQ(mesh.points, box().points);
}

TEST(MeshCheck, EmptyMeshes) {
  EXPECT_TRUE(contains(error_of([] { require_usable(TetMesh{}, "nothing"); }), "empty"));
  EXPECT_TRUE(contains(error_of([] { require_usable(TetMesh{{{0, 0, 0}}, {}}, "nothing"); }), "no tets"));
  EXPECT_TRUE(contains(error_of([] { require_usable(TriangleMesh{{{0, 0, 0}}, {}}, "x"); }), "no triangles"));
}

TEST(MeshCheck, TrianglesToo) {
  TriangleMesh sheet = make_sheet({1, 1}, {3, 3});
  sheet.triangles.push_back(sheet.triangles[5]);
  EXPECT_EQ(check(sheet)[Defect::duplicate].first, 18);
  sheet.triangles.back() = {0, 4, 8};
  EXPECT_EQ(check(sheet)[Defect::degenerate].count, 1);
  sheet.triangles.back() = {0, 1, 99};
  EXPECT_TRUE(contains(error_of([&] { require_usable(sheet, "s"); }), "triangle 18 (points 0 1 99)"));
}

}  // namespace
}  // namespace verve
