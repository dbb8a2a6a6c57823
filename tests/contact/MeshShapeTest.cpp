#include "contact/MeshShape.h"

#include <gtest/gtest.h>

#include <random>

#include "ContactScenes.h"
#include "base/Error.h"
#include "mesh/TriangleTree.h"

namespace verve::test {
namespace {

TriangleMesh ball(double radius, int cells = 6) {
  TetMesh box = make_box({2, 2, 2}, {cells, cells, cells});
  TriangleMesh mesh = surface(box);
  for (Vec3& p : mesh.points) p *= radius / p.norm();
  return mesh;
}

double brute_force(const TriangleMesh& mesh, const Vec3& p) {
  double least = 1e30;
  for (const auto& t : mesh.triangles) {
    const Vec3 w = closest_weights(p, mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]);
    least = std::min(
        least, (w[0] * mesh.points[t[0]] + w[1] * mesh.points[t[1]] + w[2] * mesh.points[t[2]] - p).norm());
  }
  return least;
}

TEST(MeshShape, AgreesWithBruteForceInRandomPosesAfterRefit) {
  TriangleMesh mesh = ball(1);
  const auto surface = std::make_shared<const MeshSurface>(mesh, "ball");
  EXPECT_TRUE(surface->closed);
  MeshShape shape(surface, mesh.points);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1.5, 1.5);
  for (int pose = 0; pose < 5; ++pose) {
    mesh.points = ball(1).points;
    for (Vec3& p : mesh.points) p += .02 * Vec3(number(random), number(random), number(random));
    shape.refit([&](int i) { return mesh.points[i]; });
    const TriangleTree tree(mesh);
    for (int i = 0; i < 300; ++i) {
      const Vec3 p(number(random), number(random), number(random));
      const Distance d = shape.distance(p, 1e9);
      const double winding = tree.winding(p), truth = brute_force(mesh, p);
      ASSERT_NEAR(std::abs(d.value), truth, 1e-12);
      const bool clear = std::abs(winding - std::round(winding)) < 0.02 && winding > -.5 && winding < 1.5;
      if (clear) {
        ASSERT_EQ(d.value<0, winding> .5) << p.transpose();
      }
      ASSERT_NEAR(d.normal.norm(), 1.0, 1e-9);
      // A step along the normal changes the distance by as much, unless that passes the middle of the shape.
      ASSERT_GE(std::abs(shape.distance(p - d.value * d.normal, 1e9).value), 0.0);
      ASSERT_NEAR(shape.distance(p - d.value * d.normal, 1e9).value, 0.0, 1e-9);
    }
  }
}

TEST(MeshShape, WhatIsKeptOfTheSurroundingsNeverChangesTheAnswer) {
  TriangleMesh mesh = ball(1);
  MeshShape shape(std::make_shared<const MeshSurface>(mesh, "ball"), mesh.points);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  for (int walk = 0; walk < 40; ++walk) {
    Vec3 p = 1.3 * vector();
    const double stride = std::pow(10.0, -4 + 4 * walk / 39.0);  // from within the margin to across the ball
    Surroundings near;
    for (int step = 0; step < 100; ++step) {
      const Distance plain = shape.distance(p, 1e9), kept = shape.distance(p, near);
      ASSERT_NEAR(kept.value, plain.value, 1e-14) << "stride " << stride << ", step " << step;
      ASSERT_NEAR((kept.normal - plain.normal).norm(), 0.0, 1e-9) << "stride " << stride;
      p += stride * vector();
      if (p.norm() > 1.5) p *= 0.5;
    }
  }
}

TEST(MeshShape, ALargeSurfaceThatMovedAnswersLikeOneMadeThere) {
  TriangleMesh mesh = ball(1, 30);  // 10,800 triangles: refitted in pieces
  const auto surface = std::make_shared<const MeshSurface>(mesh, "ball");
  MeshShape moved(surface, mesh.points);
  for (Vec3& p : mesh.points)
    p = Vec3(p[0] + 0.3 * std::sin(3 * p[1]), 1.5 * p[1], p[2] - 2) + 0.1 * p.cwiseProduct(p);
  moved.refit([&](int i) { return mesh.points[i]; });
  const MeshShape made(surface, mesh.points);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-3, 3);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p(number(random), number(random), number(random));
    const Distance a = moved.distance(p, 1e9), b = made.distance(p, 1e9);
    ASSERT_NEAR(a.value, b.value, 1e-14) << p.transpose();
    ASSERT_NEAR((a.normal - b.normal).norm(), 0.0, 1e-9) << p.transpose();
  }
}

TEST(MeshShape, BadSurfacesAreNamed) {
  TriangleMesh mesh = ball(1);
  const auto message = [](const TriangleMesh& m) {
    try {
      MeshSurface(m, "rock");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  TriangleMesh bad = mesh;
  bad.points[5].x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message(bad).find("'rock': point 5"), std::string::npos) << message(bad);
  bad = mesh;
  std::swap(bad.triangles[7][0], bad.triangles[7][1]);
  const MeshSurface mended(bad, "rock");
  ASSERT_EQ(mended.warnings.size(), 1u);
  EXPECT_NE(mended.warnings[0].find("1 triangles wind against their neighbours"), std::string::npos)
      << mended.warnings[0];
  EXPECT_NE(mended.warnings[0].find("triangle 7"), std::string::npos) << mended.warnings[0];
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    auto now = mended.triangles[i], was = mesh.triangles[i];
    std::rotate(now.begin(), std::min_element(now.begin(), now.end()), now.end());
    std::rotate(was.begin(), std::min_element(was.begin(), was.end()), was.end());
    EXPECT_EQ(now, was) << i;
  }
  TriangleMesh strip;  // three quads that close with a half turn
  strip.points = {{1, 0, 0}, {1, 1, 0}, {-1, 0, 1}, {-1, 1, 1}, {-1, 0, -1}, {-1, 1, -1}};
  strip.triangles = {{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {4, 3, 5}, {4, 5, 1}, {1, 5, 0}};
  EXPECT_NE(message(strip).find("only one side"), std::string::npos) << message(strip);
  bad = mesh;
  bad.triangles[3][1] = 99999;
  EXPECT_NE(message(bad).find("triangle 3"), std::string::npos) << message(bad);
  bad = mesh;
  for (auto& t : bad.triangles) std::swap(t[0], t[1]);
  const MeshSurface turned(bad, "rock");
  ASSERT_EQ(turned.warnings.size(), 1u);
  EXPECT_NE(turned.warnings[0].find("face inwards"), std::string::npos);
  bad = mesh;
  bad.triangles.pop_back();
  const MeshSurface open(bad, "rock");
  EXPECT_FALSE(open.closed);
  EXPECT_EQ(open.warnings.size(), 1u);
}

TEST(MeshShape, DeformingColliderThatChangesOrIsNotFiniteNamesItsTime) {
  ColliderSpec spec;
  spec.name = "cloth";
  spec.mesh = std::make_shared<const TriangleMesh>(ball(1));
  spec.deform = [&](double time, std::vector<Vec3>& points) {
    points = spec.mesh->points;
    if (time > 1) points[4].z() = std::numeric_limits<double>::infinity();
    if (time > 2) points.pop_back();
  };
  Collider collider(spec);
  collider.begin_step(0, .5);
  const auto message = [&](double from, double to) {
    try {
      collider.begin_step(from, to);
    } catch (const SimulationError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(message(.5, 1.5).find("'cloth': point 4 at 1.5"), std::string::npos);
  EXPECT_NE(message(0, 2.5).find("keep its points"), std::string::npos);
}

/// A paraboloid of 5000 triangles, open at its rim.
std::shared_ptr<const TriangleMesh> bowl_mesh() {
  auto mesh = std::make_shared<TriangleMesh>(make_sheet({4, 4}, {50, 50}));
  for (Vec3& p : mesh->points) p.y() = .25 * (p.x() * p.x() + p.z() * p.z());
  return mesh;
}

TEST(MeshShape, BodyKeepsItsEnergyInABowlOf5000Triangles) {
  ContactScene scene = cube_scene({TetModel::stvk, 2000, 1000, 1});
  scene.contact.colliders = {collider("bowl", nullptr, 2e3)};
  scene.contact.colliders[0].mesh = bowl_mesh();
  scene.contact.colliders[0].thickness = .05;
  scene.begin();
  EXPECT_LT(scene.worst_error(200), 1e-5);
  for (int p = 0; p < scene.system.points(); ++p) {
    const Vec3 x = point(scene.state.x, p);
    EXPECT_GT(x.y(), .25 * (x.x() * x.x() + x.z() * x.z()) - .1);
  }
}

TEST(MeshShape, DeformingColliderPaysForItsWork) {
  ContactScene scene = cube_scene({TetModel::stvk, 2000, 1000, 1});
  const auto mesh = bowl_mesh();
  scene.contact.colliders = {collider("trampoline", nullptr, 2e3)};
  ColliderSpec& spec = scene.contact.colliders[0];
  spec.mesh = mesh;
  spec.thickness = .05;
  spec.static_friction = spec.dynamic_friction = .3;
  spec.deform = [mesh](double time, std::vector<Vec3>& points) {
    points = mesh->points;
    for (Vec3& p : points) p.y() += .1 * std::sin(8 * time) * std::cos(p.x());
  };
  scene.begin();
  EXPECT_LT(scene.worst_error(150), 1e-9);
  EXPECT_NE(scene.state.ledger.work, 0.0);
}

}  // namespace
}  // namespace verve::test
