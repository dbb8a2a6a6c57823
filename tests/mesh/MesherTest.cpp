#include "mesh/Mesher.h"

#include <cmath>

#include "mesh/ImplicitShapes.h"
#include "mesh/MeshCheck.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshTestTools.h"
#include "mesh/Shapes.h"

namespace verve {
namespace {

void append(TriangleMesh& to, const TriangleMesh& part, const Vec3& offset, double scale = 1) {
  const int first = int(to.points.size());
  for (const Vec3& p : part.points) to.points.push_back(scale * p + offset);
  for (const auto& t : part.triangles) to.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

void turn_all(TriangleMesh& mesh) {
  for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
}

TriangleMesh ball() {
  return surface(make_sphere(1, 0.2));
}

TetMesh fill(const TriangleMesh& surface, double spacing, MeshingReport& report) {
  return mesh_surface(surface, {spacing}, report);
}

bool warns(const MeshingReport& report, const std::string& words) {
  for (const std::string& w : report.warnings)
    if (contains(w, words)) return true;
  return false;
}

TEST(Mesher, FillsAClosedSurfaceWithoutWarnings) {
  MeshingReport report;
  const TetMesh mesh = fill(ball(), 0.15, report);
  EXPECT_NO_THROW(require_usable(mesh, "ball"));
  EXPECT_NEAR(volume(mesh) / enclosed_volume(ball()), 1, 0.01);
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(report.pieces, 1);
}

TEST(Mesher, InsideOutSurfacesAreTurned) {
  TriangleMesh inward = ball();
  turn_all(inward);
  MeshingReport report;
  EXPECT_NEAR(volume(fill(inward, 0.15, report)) / enclosed_volume(ball()), 1, 0.01);
  EXPECT_TRUE(warns(report, "faced inwards"));
}

TEST(Mesher, ShellsInsideShells) {
  const double outer = enclosed_volume(ball()), inner = outer / 8;
  TriangleMesh solid = ball(), hollow = ball(), cavity = ball();
  turn_all(cavity);
  append(solid, ball(), Vec3::Zero(), 0.5);
  append(hollow, cavity, Vec3::Zero(), 0.5);
  MeshingReport report;
  EXPECT_NEAR(volume(fill(solid, 0.15, report)) / outer, 1, 0.01);
  EXPECT_NEAR(volume(fill(hollow, 0.15, report)) / (outer - inner), 1, 0.01);
  EXPECT_TRUE(report.warnings.empty());
  turn_all(hollow);
  EXPECT_NEAR(volume(fill(hollow, 0.15, report)) / (outer - inner), 1, 0.01);
  EXPECT_TRUE(warns(report, "faced inwards: 2"));
}

TEST(Mesher, OverlappingPiecesBecomeOne) {
  TriangleMesh two = ball();
  const Vec3 offset(0.97, 0.04, 0.06);
  append(two, ball(), offset);
  MeshingReport report;
  const TetMesh mesh = fill(two, 0.15, report);
  const double d = offset.norm(), lens = M_PI * (4 + d) * (2 - d) * (2 - d) / 12;
  EXPECT_NEAR(volume(mesh) / (8 * M_PI / 3 - lens), 1, 0.03);
  EXPECT_EQ(report.pieces, 1);
  EXPECT_TRUE(report.warnings.empty());
}

TEST(Mesher, HolesAreBridged) {
  TriangleMesh open = ball();
  auto& t = open.triangles;
  t.erase(std::remove_if(t.begin(), t.end(),
                         [&](const auto& f) {
                           return std::all_of(f.begin(), f.end(),
                                              [&](int p) { return open.points[p].y() > 0.8; });
                         }),
          t.end());
  MeshingReport report;
  const TetMesh mesh = fill(open, 0.15, report);
  // The cap above the hole holds pi h^2 (1 - h / 3) with h = 0.2, 3 % of the ball.
  EXPECT_NEAR(volume(mesh) / enclosed_volume(ball()), 1, 0.04);
  EXPECT_TRUE(warns(report, "holes were bridged"));
  // Grading must not trust distances where holes let the outside in.
  EXPECT_NEAR(volume(mesh_surface(open, {0.15, 3}, report)), volume(mesh), 1e-9);
}

TEST(Mesher, FlippedDuplicateAndUnweldedTriangles) {
  const TriangleMesh good = ball();
  TriangleMesh bad;
  for (std::size_t i = 0; i < good.triangles.size(); ++i) {
    std::array<int, 3> t;
    for (int c = 0; c < 3; ++c) {
      t[c] = int(bad.points.size());
      bad.points.push_back(good.points[good.triangles[i][c]]);
    }
    if (i % 3 == 0) std::swap(t[0], t[1]);
    bad.triangles.push_back(t);
    if (i % 5 == 0) bad.triangles.push_back({t[1], t[0], t[2]});
  }
  MeshingReport bad_report, good_report;
  EXPECT_EQ(fill(bad, 0.15, bad_report).tets, fill(good, 0.15, good_report).tets);
  EXPECT_TRUE(warns(bad_report, "wound against"));
  EXPECT_TRUE(warns(bad_report, "duplicate"));
}

TEST(Mesher, ThinPartsThatVanishAreReported) {
  TriangleMesh finned = ball();
  const int first_of_fin = int(finned.triangles.size());
  append(finned, surface(make_box({1.5, 0.01, 0.8}, {12, 1, 6})), Vec3(1.5, 0, 0));
  MeshingReport report;
  fill(finned, 0.15, report);
  EXPECT_GE(report.first_vanished, first_of_fin);
  EXPECT_GT(report.vanished, 0.05);
  EXPECT_TRUE(warns(report, "too thin"));
  fill(ball(), 0.15, report);
  EXPECT_EQ(report.first_vanished, -1);
}

TEST(Mesher, ThinPartsOfSolidsAreReportedToo) {
  MeshingReport report;
  make_hare(1, 0.09, &report);  // as thick as the ears
  EXPECT_TRUE(warns(report, "too thin"));
  EXPECT_GT(report.vanished, 0.02);
  make_hare(1, 0.04, &report);
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(report.pieces, 1);
}

TEST(Mesher, RefusesWhatEnclosesNothing) {
  MeshingReport report;
  const auto error = [&](const TriangleMesh& mesh) { return error_of([&] { fill(mesh, 0.15, report); }); };
  EXPECT_TRUE(contains(error({}), "empty"));
  EXPECT_TRUE(contains(error(make_sheet({1, 1}, {3, 3})), "encloses"));
  EXPECT_TRUE(contains(error({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 7}}}), "triangle 0"));
  EXPECT_TRUE(contains(error({{{0, 0, 0}, {1, 0, 0}, {std::nan(""), 1, 0}}, {{0, 1, 2}}}), "finite"));
  EXPECT_TRUE(contains(error_of([&] { mesh_surface(ball(), {0.1, 9}, report); }), "coarsening"));
}

}  // namespace
}  // namespace verve
