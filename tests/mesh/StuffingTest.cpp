#include "mesh/Stuffing.h"

#include <cmath>

#include "base/Parallel.h"
#include "mesh/ImplicitShapes.h"
#include "mesh/MeshCheck.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshQuality.h"
#include "mesh/MeshTestTools.h"
#include "mesh/MeshTopology.h"
#include "mesh/TriangleTree.h"

namespace verve {
namespace {

TetMesh fill(const Implicit& solid, double spacing, int coarsening = 0) {
  return stuff(make_lattice(solid, spacing, coarsening), solid);
}

// The bounds that the paper proves for every field.
void expect_proven_angles(const TetMesh& mesh) {
  const MeshQuality quality = measure(mesh);
  EXPECT_GE(quality.smallest_dihedral, 10.7);
  EXPECT_LE(quality.largest_dihedral, 164.8);
}

double farthest_from_zero(const TetMesh& mesh, const Implicit& solid) {
  double farthest = 0;
  for (const auto& t : surface_triangles(mesh)) {
    Vec3 middle = Vec3::Zero();
    for (int p : t) {
      middle += mesh.points[p] / 3;
      farthest = std::max(farthest, std::abs(solid.value(mesh.points[p])));
    }
    farthest = std::max(farthest, std::abs(solid.value(middle)));
  }
  return farthest;
}

// A field whose cuts are all over the place: waves about as long as the spacing, made so shallow that the
// field stays a clearance.
class Waves : public Implicit {
 public:
  explicit Waves(int seed) : seed_(seed) {}
  double value(const Vec3& p) const override {
    double sum = std::sin(double(seed_));
    for (int i = 0; i < 9; ++i) {
      const double a = 7.3 * i + seed_;
      sum += std::sin(26 * p.dot(Vec3(std::sin(a), std::sin(2.7 * a), std::cos(1.9 * a))) + 5 * a);
    }
    return std::min(1e-4 * sum, 1 - p.cwiseAbs().maxCoeff());
  }
  Eigen::AlignedBox3d bounds() const override { return {Vec3(-1, -1, -1), Vec3(1, 1, 1)}; }

 private:
  int seed_;
};

TEST(Stuffing, AnglesKeepTheProvenBoundsWhateverTheField) {
  for (int seed = 0; seed < 6; ++seed) {
    const TetMesh mesh = fill(Waves(seed), 0.1);
    EXPECT_GT(mesh.tets.size(), 10000u);
    EXPECT_TRUE(check(mesh).clean());
    expect_proven_angles(mesh);
  }
}

TEST(Stuffing, AnglesOfSmoothShapes) {
  for (double spacing : {0.2, 0.11, 0.07}) {
    expect_proven_angles(make_sphere(1, spacing));
    expect_proven_angles(make_torus(1, 0.4, spacing));
    expect_proven_angles(make_hare(2, spacing));
    expect_proven_angles(make_knot(1.5, 0.2, spacing));
    expect_proven_angles(make_blob(2, spacing));
  }
}

TEST(Stuffing, SphereConvergesWithSecondOrder) {
  const Solid ball = sphere_solid(1);
  double last_volume = 0, last_distance = 0;
  for (double spacing : {0.2, 0.1, 0.05}) {
    const TetMesh mesh = fill(*ball, spacing);
    const double volume_error = std::abs(volume(mesh) / (4 * M_PI / 3) - 1);
    const double distance = farthest_from_zero(mesh, *ball);
    if (last_volume > 0) {
      EXPECT_NEAR(std::log2(last_volume / volume_error), 2, 0.2);
      // The farthest point is one of many, so its order is rougher.
      EXPECT_NEAR(std::log2(last_distance / distance), 2, 0.6);
    }
    last_volume = volume_error, last_distance = distance;
  }
}

TEST(Stuffing, VolumesAndDistancesOfSmoothShapes) {
  const double spacing = 0.08;
  const struct {
    Solid solid;
    double volume;
  } shapes[] = {{sphere_solid(1), 4 * M_PI / 3}, {torus_solid(1, 0.4), 2 * M_PI * M_PI * 0.16}};
  for (const auto& shape : shapes) {
    const TetMesh mesh = fill(*shape.solid, spacing);
    EXPECT_NEAR(volume(mesh) / shape.volume, 1, 0.01);
    EXPECT_LT(farthest_from_zero(mesh, *shape.solid), spacing / 2);
  }
  // The other half of the Hausdorff distance: no part of the shape is missing.
  const TriangleTree ball(surface(fill(*sphere_solid(1), spacing)));
  const TriangleTree ring(surface(fill(*torus_solid(1, 0.4), spacing)));
  for (int i = 0; i < 2000; ++i) {
    const double u = 2.399963 * i, z = 2 * (i + 0.5) / 2000 - 1, r = std::sqrt(1 - z * z);
    EXPECT_LT(ball.nearest({r * std::cos(u), r * std::sin(u), z}).squared_distance, spacing * spacing / 4);
    const double a = M_PI * z, radius = 1 + 0.4 * std::cos(a);
    const Vec3 on_ring(radius * std::cos(u), 0.4 * std::sin(a), radius * std::sin(u));
    EXPECT_LT(ring.nearest(on_ring).squared_distance, spacing * spacing / 4);
  }
}

TEST(Stuffing, FillsWithoutGapsUniformAndGraded) {
  for (const Solid& solid : {sphere_solid(1), hare_solid(2)}) {
    const TetMesh uniform = fill(*solid, 0.08);
    for (int coarsening : {0, 1, 2, 4}) {
      const TetMesh mesh = fill(*solid, 0.08, coarsening);
      EXPECT_TRUE(check(mesh).clean());
      // A gap or an overlap inside would show as surface that encloses another volume: by 4e-5 for a tet.
      EXPECT_NEAR(enclosed_volume(surface(mesh)), volume(mesh), 1e-10);
      // The lattices' origins are rounded differently, which the search for cuts may answer differently.
      EXPECT_NEAR(volume(mesh), volume(uniform), 1e-6);
      EXPECT_EQ(surface_triangles(mesh).size(), surface_triangles(uniform).size());
      EXPECT_EQ(topology(mesh).pieces, 1);
      expect_proven_angles(mesh);
      EXPECT_EQ(mesh.tets.size() < uniform.tets.size(), coarsening > 0);
    }
  }
}

TEST(Stuffing, CoarseningGrowsInwards) {
  const TetMesh mesh = fill(*sphere_solid(1), 0.04, 3);
  EXPECT_LT(mesh.tets.size(), fill(*sphere_solid(1), 0.04).tets.size() / 2);
  EXPECT_NEAR(measure(mesh).longest_edge, 0.32, 1e-9);
}

TEST(Stuffing, SameBitsAtEveryNumberOfThreads) {
  const auto build = [](int threads) {
    const ThreadLimit limit(threads);
    return fill(*hare_solid(1), 0.04, 2);
  };
  const TetMesh one = build(1), two = build(2);
  EXPECT_EQ(one.tets, two.tets);
  EXPECT_EQ(one.points, two.points);
}

TEST(Stuffing, ShapesKeepTheirSizesAndSymmetry) {
  const auto hare = bounds(make_hare(3, 0.06).points);
  EXPECT_NEAR(hare.sizes().y(), 3, 0.02);
  EXPECT_NEAR(hare.center().y(), 0, 0.02);
  EXPECT_NEAR(hare.center().z(), 0, 1e-9);
  const auto blob = bounds(make_blob(2, 0.05).points);
  EXPECT_NEAR(blob.sizes().x(), 2, 0.02);
  const auto ring = bounds(make_torus(1, 0.25, 0.05).points);
  EXPECT_NEAR((ring.sizes() - Vec3(2.5, 0.5, 2.5)).norm(), 0, 0.01);
  EXPECT_EQ(topology(make_knot(1, 0.15, 0.05)).pieces, 1);
}

TEST(Stuffing, RefusesWhatCannotBeMeshed) {
  EXPECT_TRUE(contains(error_of([] { make_sphere(1, 0); }), "spacing"));
  EXPECT_TRUE(contains(error_of([] { make_sphere(1, std::nan("")); }), "spacing"));
  EXPECT_TRUE(contains(error_of([] { make_sphere(1, 1e-9); }), "larger"));
  EXPECT_TRUE(contains(error_of([] { make_sphere(1, 1e-5); }), "million"));
  EXPECT_TRUE(contains(error_of([] { make_torus(1, 0.001, 0.3); }), "smaller spacing"));
  EXPECT_TRUE(contains(error_of([] { make_sphere(-1, 0.1); }), "radius"));
  EXPECT_TRUE(contains(error_of([] { make_torus(1, 2, 0.1); }), "tube"));
  EXPECT_TRUE(contains(error_of([] { make_hare(0, 0.1); }), "height"));
}

}  // namespace
}  // namespace verve
