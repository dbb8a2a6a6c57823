#include "mesh/Shapes.h"

#include <map>

#include "mesh/MeshCheck.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshTestTools.h"

namespace verve {
namespace {

// Every inner face joins two tets and every surface edge two triangles: the mesh is conforming.
void expect_conforming(const TetMesh& mesh) {
  std::map<std::array<int, 3>, int> faces;
  for (const auto& t : mesh.tets)
    for (const auto& f : tet_faces) {
      std::array<int, 3> corners{t[f[0]], t[f[1]], t[f[2]]};
      std::sort(corners.begin(), corners.end());
      ++faces[corners];
    }
  for (const auto& face : faces) EXPECT_LE(face.second, 2);
  std::map<std::array<int, 2>, int> edges;
  for (const auto& t : surface_triangles(mesh))
    for (int c = 0; c < 3; ++c) ++edges[{t[c], t[(c + 1) % 3]}];
  for (const auto& edge : edges) {
    const auto opposite = edges.find({edge.first[1], edge.first[0]});
    ASSERT_NE(opposite, edges.end());
    EXPECT_EQ(edge.second, opposite->second);
  }
}

TEST(Shapes, BoxIsConformingCentredAndFillsItsSize) {
  const TetMesh box = make_box({2, 3, 5}, {2, 3, 4});
  EXPECT_EQ(box.points.size(), 3u * 4 * 5);
  EXPECT_EQ(box.tets.size(), 6u * 2 * 3 * 4);
  EXPECT_NEAR(volume(box), 30, 1e-12);
  EXPECT_TRUE(check(box).clean());
  expect_conforming(box);
  EXPECT_EQ(surface_triangles(box).size(), 2u * 2 * (2 * 3 + 3 * 4 + 2 * 4));
  EXPECT_NEAR(area(surface(box)), 2 * (6 + 15 + 10), 1e-12);
  EXPECT_NEAR(enclosed_volume(surface(box)), 30, 1e-12);
  EXPECT_EQ(bounds(box.points).min(), Vec3(-1, -1.5, -2.5));
  EXPECT_EQ(bounds(box.points).max(), Vec3(1, 1.5, 2.5));
}

TEST(Shapes, RodKeepsItsCellsNearCubes) {
  EXPECT_EQ(make_rod(1, 0.1, 10).tets.size(), 60u);
  EXPECT_EQ(make_rod(1, 0.01, 10).tets.size(), 60u);
  const TetMesh rod = make_rod(4, 1, 8);
  EXPECT_EQ(rod.tets.size(), 6u * 8 * 2 * 2);
  EXPECT_EQ(bounds(rod.points).sizes(), Vec3(4, 1, 1));
  EXPECT_TRUE(check(rod).clean());
}

TEST(Shapes, SheetFacesUp) {
  const TriangleMesh sheet = make_sheet({2, 3}, {4, 5});
  EXPECT_EQ(sheet.points.size(), 30u);
  EXPECT_EQ(sheet.triangles.size(), 40u);
  EXPECT_TRUE(check(sheet).clean());
  EXPECT_NEAR(area(sheet), 6, 1e-12);
  for (const auto& t : sheet.triangles) {
    const Vec3& a = sheet.points[t[0]];
    EXPECT_GT((sheet.points[t[1]] - a).cross(sheet.points[t[2]] - a).y(), 0);
  }
}

TEST(Shapes, DiscFacesUp) {
  const TriangleMesh disc = make_disc(2, 4);
  EXPECT_EQ(disc.points.size(), 1u + 6 * (1 + 2 + 3 + 4));
  EXPECT_EQ(disc.triangles.size(), 6u * 4 * 4);
  EXPECT_TRUE(check(disc).clean());
  for (const auto& t : disc.triangles) {
    const Vec3& a = disc.points[t[0]];
    EXPECT_GT((disc.points[t[1]] - a).cross(disc.points[t[2]] - a).y(), 0);
  }
  EXPECT_NEAR(area(disc), 0.5 * 24 * 4 * std::sin(2 * M_PI / 24), 1e-12);  // of a polygon of 24 corners
}

TEST(Shapes, ShellIsClosedAndFacesOut) {
  for (const int cells : {1, 2, 7}) {
    const TriangleMesh shell = make_shell(0.5, cells);
    EXPECT_EQ(shell.points.size(), 5u * cells * cells + 2);
    EXPECT_EQ(shell.triangles.size(), 10u * cells * cells);
    EXPECT_TRUE(check(shell).clean());
    std::map<std::array<int, 2>, int> edges;
    for (const auto& t : shell.triangles)
      for (int c = 0; c < 3; ++c) ++edges[{t[c], t[(c + 1) % 3]}];
    for (const auto& [edge, uses] : edges) {
      EXPECT_EQ(uses, 1);
      EXPECT_EQ(edges.count({edge[1], edge[0]}), 1u);
    }
    for (const Vec3& p : shell.points) EXPECT_NEAR(p.norm(), 0.5, 1e-15);
    for (const auto& t : shell.triangles) {
      const Vec3& a = shell.points[t[0]];
      EXPECT_GT((shell.points[t[1]] - a).cross(shell.points[t[2]] - a).dot(a), 0);
    }
  }
  // Triangles whose corners lie on circles of radius c (at most 1.15/cells of the ball's) lack 3/2 c^2 at
  // most.
  const double ball = 4.0 / 3.0 * M_PI * 0.125;
  EXPECT_NEAR(enclosed_volume(make_shell(0.5, 40)), ball, 2.0 * ball / (40 * 40));
}

TEST(Shapes, RefusesBadSizesAndCounts) {
  const double nan = std::nan("");
  EXPECT_TRUE(contains(error_of([&] { make_box({1, 0, 1}, {1, 1, 1}); }), "size"));
  EXPECT_TRUE(contains(error_of([&] { make_box({1, nan, 1}, {1, 1, 1}); }), "size"));
  EXPECT_TRUE(contains(error_of([&] { make_box({1, 1, 1}, {1, 1, 0}); }), "cells"));
  EXPECT_TRUE(contains(error_of([&] { make_box({1, 1, 1}, {100000, 100000, 100000}); }), "million"));
  EXPECT_TRUE(contains(error_of([&] { make_rod(-1, 1, 1); }), "length"));
  EXPECT_TRUE(contains(error_of([&] { make_rod(1e-9, 1, 1); }), "million"));
  EXPECT_TRUE(contains(error_of([&] { make_rod(1, 1, -3); }), "cells"));
  EXPECT_TRUE(contains(error_of([&] { make_sheet({1, -1}, {1, 1}); }), "size"));
  EXPECT_TRUE(contains(error_of([&] { make_sheet({1, 1}, {2147483647, 2147483647}); }), "million"));
  EXPECT_TRUE(contains(error_of([&] { make_disc(0, 3); }), "radius"));
  EXPECT_TRUE(contains(error_of([&] { make_disc(1, 0); }), "cells"));
  EXPECT_TRUE(contains(error_of([&] { make_shell(-1, 3); }), "radius"));
  EXPECT_TRUE(contains(error_of([&] { make_shell(1, 100000); }), "million"));
}

}  // namespace
}  // namespace verve
