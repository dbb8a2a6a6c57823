#include "mesh/MeshQuality.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numeric>

#include "mesh/MeshGeometry.h"
#include "mesh/MeshSummary.h"
#include "mesh/MeshTestTools.h"
#include "mesh/MeshTopology.h"
#include "mesh/Shapes.h"

namespace verve {
namespace {

TEST(MeshQuality, AnglesOfKnownTets) {
  for (double angle : dihedral_angles({1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}))
    EXPECT_NEAR(angle, 180 / M_PI * std::acos(1.0 / 3), 1e-12);
  const auto corner = dihedral_angles({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  for (int e = 0; e < 3; ++e) EXPECT_NEAR(corner[e], 90, 1e-12);
  for (int e = 3; e < 6; ++e) EXPECT_NEAR(corner[e], 180 / M_PI * std::acos(1 / std::sqrt(3.0)), 1e-12);
}

TEST(MeshQuality, OfABox) {
  const TetMesh box = make_box({2, 2, 2}, {2, 2, 2});
  const MeshQuality q = measure(box);
  // Kuhn's tets have angles of 45, 60 and 90 degrees; their edges are sides and diagonals of the unit cube.
  EXPECT_NEAR(q.smallest_dihedral, 45, 1e-9);
  EXPECT_NEAR(q.largest_dihedral, 90, 1e-9);
  EXPECT_NEAR(q.volume, 8, 1e-12);
  EXPECT_NEAR(q.smallest_volume, 1.0 / 6, 1e-12);
  EXPECT_NEAR(q.shortest_edge, 1, 1e-12);
  EXPECT_NEAR(q.longest_edge, std::sqrt(3), 1e-12);
  EXPECT_EQ(q.slivers, 0);
  EXPECT_EQ(std::accumulate(q.dihedral_histogram.begin(), q.dihedral_histogram.end(), 0L), 6 * 48);
}

TEST(MeshQuality, FindsTheSliver) {
  TetMesh mesh = make_box({1, 1, 1}, {1, 1, 1});
  const int first = int(mesh.points.size());
  for (const Vec3& p : {Vec3(3, 0, 0), Vec3(4, 0, 0.01), Vec3(3.5, 0.5, 0), Vec3(3.5, -0.5, 0)})
    mesh.points.push_back(p);
  mesh.tets.push_back({first, first + 1, first + 2, first + 3});
  const MeshQuality q = measure(mesh);
  EXPECT_EQ(q.slivers, 1);
  EXPECT_EQ(q.first_sliver, 6);
  EXPECT_EQ(q.worst_tet, 6);
}

// The whole mesh's stiffness over its lumped masses, put together by differences of the tets' elastic energy.
double highest_frequency(const TetMesh& mesh, double mu, double lambda, double density) {
  const int n = 3 * int(mesh.points.size());
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(n, n);
  Vector mass = Vector::Zero(n);
  for (int i = 0; i < int(mesh.tets.size()); ++i) {
    const auto& t = mesh.tets[i];
    Mat3 rest;
    for (int c = 0; c < 3; ++c) rest.col(c) = mesh.points[t[c + 1]] - mesh.points[t[0]];
    const auto strain = [&](int dof) {
      Mat3 moved = Mat3::Zero();
      if (dof < 3)
        moved.row(dof).setConstant(-1);
      else
        moved(dof % 3, dof / 3 - 1) = 1;
      const Mat3 gradient = moved * rest.inverse();
      return Mat3((gradient + gradient.transpose()) / 2);
    };
    for (int r = 0; r < 12; ++r)
      for (int c = 0; c < 12; ++c) {
        const Mat3 a = strain(r), b = strain(c);
        stiffness(3 * t[r / 3] + r % 3, 3 * t[c / 3] + c % 3) +=
            tet_volume(mesh, i) * (2 * mu * a.cwiseProduct(b).sum() + lambda * a.trace() * b.trace());
      }
    for (int p : t) point(mass, p).array() += density * tet_volume(mesh, i) / 4;
  }
  const Vector scale = mass.cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * stiffness * scale.asDiagonal();
  return std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled).eigenvalues()[n - 1]);
}

TEST(MeshQuality, StableStepIsExactForATetAndSafeForAMesh) {
  const TetMesh one{{{0, 0, 0}, {1, 0.1, 0}, {0.2, 1, 0}, {0.1, 0.3, 0.5}}, {{0, 1, 2, 3}}};
  EXPECT_NEAR(stable_step(one, 300, 500, 2) * highest_frequency(one, 300, 500, 2), 2, 1e-9);
  const TetMesh box = make_box({1, 1, 1}, {2, 2, 2});
  const double share = stable_step(box, 300, 500, 2) * highest_frequency(box, 300, 500, 2) / 2;
  EXPECT_LE(share, 1);
  EXPECT_GT(share, 0.5);
  EXPECT_TRUE(contains(error_of([&] { stable_step(box, 0, 1, 1); }), "mu"));
}

TEST(MeshTopology, CountsHolesPiecesAndCrowds) {
  TriangleMesh mesh = surface(make_box({1, 1, 1}, {2, 2, 2}));
  TopologyReport report = topology(mesh);
  EXPECT_EQ(report.open_edges.count + report.non_manifold_edges.count + report.flipped_edges.count, 0);
  EXPECT_EQ(report.pieces, 1);
  std::swap(mesh.triangles[7][0], mesh.triangles[7][1]);
  EXPECT_EQ(topology(mesh).flipped_edges.count, 3);
  mesh.triangles.erase(mesh.triangles.begin() + 7);
  EXPECT_EQ(topology(mesh).open_edges.count, 3);
  const int first = int(mesh.points.size());
  for (int p : {0, 1, 2}) mesh.points.push_back(mesh.points[p]);
  mesh.triangles.push_back({first, first + 1, first + 2});
  report = topology(mesh);
  EXPECT_EQ(report.duplicate_points.count, 3);
  EXPECT_EQ(report.duplicate_points.first, first);
  EXPECT_EQ(report.pieces, 2);
  EXPECT_EQ(report.smallest_piece, 1);
  EXPECT_EQ(report.first_of_smallest, int(mesh.triangles.size()) - 1);
  const auto t = mesh.triangles[0];
  mesh.triangles.push_back({t[0], t[1], first});
  EXPECT_EQ(topology(mesh).non_manifold_edges.count, 1);
}

TEST(MeshTopology, TetsThatShareOnlyAnEdgeAreTwoPieces) {
  TetMesh two{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}, {0, 0, -1}},
              {{0, 1, 2, 3}, {0, 1, 4, 5}}};
  EXPECT_EQ(topology(two).pieces, 2);
  EXPECT_EQ(topology(two).non_manifold_edges.count, 1);
  EXPECT_EQ(topology(make_box({1, 1, 1}, {2, 2, 2})).pieces, 1);
}

TEST(MeshSummary, TellsWhatIsThereAndWhatIsWrong) {
  TetMesh box = make_box({1, 1, 1}, {2, 2, 2});
  std::string text = summarize(box);
  for (const char* part : {"tets: 48\n", "volume: 1\n", "pieces: 1\n", "45 to 90 degrees"})
    EXPECT_TRUE(contains(text, part)) << text;
  EXPECT_FALSE(contains(text, "(first:"));
  std::swap(box.tets[5][0], box.tets[5][1]);
  EXPECT_TRUE(contains(summarize(box), "negative: 1 (first: tet 5)")) << summarize(box);
  box.tets[7][0] = 99;
  EXPECT_TRUE(contains(summarize(box), "does not exist: 1 (first: tet 7)"));
  EXPECT_TRUE(contains(summarize(TetMesh{}), "tets: 0"));
  TriangleMesh sheet = make_sheet({2, 1}, {2, 1});
  EXPECT_TRUE(contains(summarize(sheet), "area: 2\n")) << summarize(sheet);
  EXPECT_TRUE(contains(summarize(sheet), "one triangle only: 6 (first: triangle 0)"));
  sheet.points[1].x() = NAN;
  EXPECT_TRUE(contains(summarize(sheet), "finite number: 1 (first: point 1)"));
}

}  // namespace
}  // namespace verve
