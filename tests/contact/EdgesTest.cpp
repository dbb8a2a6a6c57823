// Edges that cross where no point is near.
#include <gtest/gtest.h>

#include "ContactScenes.h"
#include "FiniteDifference.h"

namespace verve::test {
namespace {

bool of_edges(const Contact& c) {
  return c.key.kind == PairKind::edge_edge || c.key.kind == PairKind::collider_edge_edge;
}

/// How many contacts of edges are listed, of those between bodies or between them and colliders.
int edge_contacts(const ContactScene& scene) {
  int count = 0;
  for (const Contact& c : scene.system.contacts->contacts()) count += of_edges(c);
  return count;
}

/// Two bars that cross in the middle, where neither has points; the upper one falls with `speed`.
ContactScene crossing_rods(double speed) {
  ContactScene scene;
  scene.system.gravity.setZero();
  const Material material{TetModel::stvk, 4e4, 2e4, 1};
  scene.add(make_box({1, .06, .06}, {3, 1, 1}), material, {0, 0, 0}, {0, 0, 0});
  scene.add(make_box({.06, .06, 1}, {1, 1, 3}), material, {.03, .12, .02}, {0, -speed, 0});
  scene.add_skins();
  scene.contact.settings.between = true;
  scene.contact.settings.thickness = .01;
  scene.contact.settings.stiffness = 4e3;
  scene.settings.newton.tolerance = 1e-10;
  return scene;
}

/// The height of a body's surface above (x, z): the lowest place that a vertical line meets.
double lowest_at(const ContactScene& scene, double x, double z) {
  double lowest = 1e9;
  for (const auto& t : scene.triangles) {
    const Vec3 a = point(scene.state.x, t[0]), b = point(scene.state.x, t[1]), c = point(scene.state.x, t[2]);
    Eigen::Matrix2d m;
    m << b.x() - a.x(), c.x() - a.x(), b.z() - a.z(), c.z() - a.z();
    const Eigen::Vector2d w = m.inverse() * Eigen::Vector2d(x - a.x(), z - a.z());
    if (w.minCoeff() < 0 || w.sum() > 1) continue;
    lowest = std::min(lowest, a.y() + w[0] * (b.y() - a.y()) + w[1] * (c.y() - a.y()));
  }
  return lowest;
}

/// A wall 2 cm wide whose upper side is at height 0, as an exact box or as a mesh.
ColliderSpec knife(bool mesh, double stiffness) {
  ColliderSpec spec = collider("knife", box_shape({.02, 1, 3}), stiffness);
  if (mesh) {
    spec.mesh = std::make_shared<TriangleMesh>(spec.shape->corners());
    spec.shape = nullptr;
  }
  spec.thickness = .01;
  spec.pose = [](double) { return Eigen::Isometry3d(Eigen::Translation3d(.04, -.5, .03)); };
  return spec;
}

TEST(Edges, CrossingIsFoundWithItsSideAndFadesWhereItEnds) {
  EdgePlace a, b;
  a.end = {Vec3(-1, .1, 0), Vec3(1, .1, 0)};
  b.end = {Vec3(.5, 0, -1), Vec3(.5, 0, 3)};
  const EdgeCrossing above = cross(a, b, Vec3::Zero());
  EXPECT_NEAR(above.distance, .1, 1e-15);
  EXPECT_NEAR((above.normal - Vec3::UnitY()).norm(), 0, 1e-15);
  EXPECT_NEAR(above.s, .75, 1e-15);
  EXPECT_NEAR(above.t, .25, 1e-15);
  EXPECT_EQ(above.share, 1.0);
  EXPECT_NEAR(cross(a, b, -Vec3::UnitY()).distance, -.1, 1e-15);
  // Beyond the end, and parallel, nothing is left; on the way there it fades without a jump.
  b.end = {Vec3(1.1, 0, -1), Vec3(1.1, 0, 3)};
  EXPECT_EQ(cross(a, b, Vec3::Zero()).share, 0.0);
  b.end = {Vec3(-1, 0, 0), Vec3(1, 0, 0)};
  EXPECT_EQ(cross(a, b, Vec3::Zero()).share, 0.0);
  double last = 0.0;
  for (int i = 1; i <= 1000; ++i) {
    const double angle = 1e-3 * i;
    b.end = {Vec3(-std::cos(angle), 0, -std::sin(angle)), Vec3(std::cos(angle), 0, std::sin(angle))};
    const double share = cross(a, b, Vec3::Zero()).share;
    EXPECT_LT(std::abs(share - last), 0.02);
    last = share;
  }
  EXPECT_EQ(last, 1.0);
}

TEST(Edges, TrianglesThatAreNearerTakeOver) {
  // A roof edge seen from above is foremost; seen from within the valley below it is not.
  const auto roof = std::make_shared<TriangleMesh>();
  roof->points = {{0, 0, -1}, {0, 0, 1}, {1, -1, 0}, {-1, -1, 0}};
  roof->triangles = {{0, 1, 2}, {1, 0, 3}};
  const MeshShape shape(std::make_shared<const MeshSurface>(*roof, "roof"), roof->points);
  int ridge = -1;
  for (std::size_t i = 0; i < shape.surface().edges.size(); ++i)
    if (shape.surface().edges[i].triangle[1] >= 0) ridge = int(i);
  ASSERT_GE(ridge, 0);
  EdgePlace bar;
  bar.end = {Vec3(-1, .1, 0), Vec3(1, .1, 0)};
  EXPECT_EQ(cross(bar, shape.edge(ridge), Vec3::Zero()).share, 1.0);
  bar.end = {Vec3(-1, -.1, 0), Vec3(1, -.1, 0)};
  EXPECT_EQ(cross(bar, shape.edge(ridge), Vec3::Zero()).share, 0.0);
}

TEST(Edges, CrossingRodsBounceAndKeepEnergyAndMomentum) {
  ContactScene scene = crossing_rods(2);
  scene.begin();
  const Vec3 before = momenta(scene.system, scene.state.x, scene.state.v).linear;
  int crossed = 0;
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(scene.step()) << i;
    ASSERT_LT(std::abs(scene.ledger_error()), 1e-8) << i;
    crossed += edge_contacts(scene) > 0 && scene.state.contact.touching > 0;
  }
  EXPECT_GT(crossed, 0);
  const Vec3 after = momenta(scene.system, scene.state.x, scene.state.v).linear;
  EXPECT_LT((after - before).norm(), 1e-7 * before.norm());
  // The lower rod was hit and flies ahead of the upper one.
  Vec3 centre[2] = {Vec3::Zero(), Vec3::Zero()}, motion[2] = {Vec3::Zero(), Vec3::Zero()};
  for (int i = 0; i < scene.system.points(); ++i) {
    const double m = scene.system.mass[3 * i];
    centre[scene.system.piece[i]] += m * point(scene.state.x, i);
    motion[scene.system.piece[i]] += m * point(scene.state.v, i);
  }
  EXPECT_GT(centre[1].y() - centre[0].y(), .06);
  EXPECT_GT(motion[1].y() - motion[0].y(), 0);
}

TEST(Edges, CrossedSheetsDoNotSlipThroughEachOther) {
  // Two ribbons, one flat and one on its side: only their rims meet.
  ContactScene scene;
  scene.system.gravity.setZero();
  TriangleMesh flat = make_sheet({1, .1}, {1, 1}), upright = flat;
  for (Vec3& p : upright.points) p = Vec3(0, p.z(), p.x());
  scene.add_sheet(flat, 500, .2, {0, 0, 0});
  scene.add_sheet(upright, 500, .2, {.13, .1, .03}, {0, -1, 0});
  scene.add_skins();
  scene.contact.settings.between = true;
  scene.contact.settings.thickness = .01;
  scene.contact.settings.stiffness = 2e3;
  scene.settings.newton.tolerance = 1e-10;
  scene.begin();
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(scene.step()) << i;
    ASSERT_LT(std::abs(scene.ledger_error()), 1e-8) << i;
  }
  double lower = 0, upper = 0;
  for (int i = 0; i < 4; ++i)
    lower += .25 * point(scene.state.x, i).y(), upper += .25 * point(scene.state.x, 4 + i).y();
  EXPECT_GT(upper, lower + .02);
}

TEST(Edges, KnifeDoesNotCutThroughCoarseClothOrBlock) {
  for (bool mesh : {false, true})
    for (bool cloth : {true, false}) {
      ContactScene scene;
      if (cloth)
        scene.add_sheet(make_sheet({1.5, 1.5}, {3, 3}), 400, .3, {0, .05, 0});
      else
        scene.add(make_box({1.5, .2, 1.5}, {3, 1, 3}), {TetModel::stvk, 4000, 2000, 1}, {0, .15, 0});
      scene.add_skins();
      scene.contact.colliders = {knife(mesh, 4e3)};
      scene.settings.newton.tolerance = 1e-9;
      scene.begin();
      int crossed = 0;
      double deepest = 1e9;
      for (int i = 0; i < 12; ++i) {
        ASSERT_TRUE(scene.step()) << i;
        // Cloth over a knife: what the offsets of contacts gave is booked as well.
        ASSERT_LT(std::abs(scene.ledger_error()), 1e-7) << mesh << cloth << i;
        crossed += edge_contacts(scene);
        for (double z = -.7; z < .75; z += .05) deepest = std::min(deepest, lowest_at(scene, .04, z));
      }
      EXPECT_GT(crossed, 0);
      // A free fall would bring it .78 m down in that time.
      EXPECT_GT(deepest, -.05) << (mesh ? "mesh" : "box") << (cloth ? ", cloth" : ", block");
    }
}

TEST(Edges, SharpPointDoesNotPokeThroughCoarseCloth) {
  ContactScene scene;
  scene.add_sheet(make_sheet({1, 1}, {2, 2}), 400, .2, {0, .05, 0});
  scene.add_skins();
  auto spike = std::make_shared<TriangleMesh>();
  spike->points = {{.13, 0, .21}, {.08, -.8, .18}, {.18, -.8, .18}, {.13, -.8, .28}};
  spike->triangles = {{1, 2, 3}, {0, 2, 1}, {0, 3, 2}, {0, 1, 3}};
  scene.contact.colliders = {collider("spike", nullptr, 4e3)};
  scene.contact.colliders[0].mesh = spike;
  scene.contact.colliders[0].thickness = .01;
  scene.settings.newton.tolerance = 1e-9;
  scene.begin();
  double deepest = 1e9;
  int touches = 0;
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(scene.step()) << i;
    ASSERT_LT(std::abs(scene.ledger_error()), 1e-7) << i;
    deepest = std::min(deepest, lowest_at(scene, .13, .21));
    touches += scene.state.contact.touching;
  }
  EXPECT_GT(deepest, -.03);
  EXPECT_GT(touches, 0);
}

TEST(Edges, NothingIsListedWhereNoEdgesComeNear) {
  ContactScene far = crossing_rods(0);
  for (int i = 0; i < far.system.points(); ++i)
    if (far.system.piece[i] == 1) point(far.state.x, i).y() += .1;
  far.begin();
  ASSERT_TRUE(far.step());
  EXPECT_EQ(edge_contacts(far), 0);
}

TEST(Edges, DerivativesAgreeWithFiniteDifferences) {
  ContactScene scene = crossing_rods(2);
  for (int i = 0; i < scene.system.points(); ++i)
    if (scene.system.piece[i] == 1) point(scene.state.x, i).y() -= .04;
  scene.contact.colliders = {knife(true, 4e3)};
  scene.contact.colliders[0].pose = [](double t) {
    return Eigen::Isometry3d(Eigen::Translation3d(.2, -.54 + 2 * t, .01));
  };
  for (ColliderSpec& spec : scene.contact.colliders) spec.static_friction = spec.dynamic_friction = .4;
  scene.contact.settings.static_friction = scene.contact.settings.dynamic_friction = .4;
  scene.begin();
  Chord chord;
  chord.x0 = scene.state.x;
  chord.samples = {{0.5, 3e-4}, {1.0, 1e-4}};
  const Vector x = scene.state.x + .033 * scene.state.v + .002 * Vector::Random(scene.state.x.size());
  for (bool average : {true, false}) {
    chord.average = average;
    ContactState state;
    scene.system.contacts->begin_step(scene.state.x, scene.state.v, 0, .033, state);
    scene.system.contacts->update_correction(chord, x);
    int pressed = 0;
    for (const Contact& c : scene.system.contacts->contacts()) pressed += of_edges(c) && c.press > 0.0;
    EXPECT_GE(pressed, 2);
    std::vector<std::array<int, 2>> edges;
    for_each_edge(sorted_edges(scene.triangles), [&](const TriangleEdge* e, const TriangleEdge*) {
      edges.push_back({e->a, e->b});
    });
    check_derivatives(*scene.system.contacts, chord, x, edges);
  }
}

}  // namespace
}  // namespace verve::test
