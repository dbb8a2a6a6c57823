// Colliders that move: the books close, and nothing slips through.
#include <gtest/gtest.h>

#include "ContactScenes.h"

namespace verve::test {
namespace {

Eigen::Isometry3d shaken(double time) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = Vec3(.1 * std::sin(5 * time), .15 * std::sin(9 * time), 0);
  pose.linear() = Eigen::AngleAxisd(.1 * std::sin(7 * time), Vec3::UnitZ()).toRotationMatrix();
  return pose;
}

TEST(Moving, LedgerClosesUnderAPlateThatHitsTiltsAndSlides) {
  for (bool box : {false, true}) {
    ContactScene scene = cube_scene({TetModel::stvk, 2000, 1000, 1});
    ColliderSpec plate = collider("plate", box ? box_shape({4, 1, 4}) : plane_shape({0, 1, 0}, 0), 2e3);
    plate.pose = shaken;
    plate.static_friction = plate.dynamic_friction = .3;
    scene.contact.colliders = {plate};
    scene.begin();
    EXPECT_LT(scene.worst_error(300), 1e-9) << (box ? "box" : "plane");
    EXPECT_GT(std::abs(scene.state.ledger.work), 0.1);
    EXPECT_GT(scene.state.ledger.dissipated, 0.0);
  }
}

TEST(Moving, FastBodyDoesNotTunnel) {
  const auto sheet = std::make_shared<const TriangleMesh>(make_sheet({4, 4}, {8, 8}));
  for (bool mesh : {false, true}) {
    ContactScene scene;
    // In one step it moves by 1 m; the plate is 2 cm thick, the sheet has no thickness at all.
    scene.add(make_box({.3, .3, .3}, {2, 2, 2}), {TetModel::stvk, 4e4, 2e4, .1}, {.03, .6, .02}, {0, -30, 0});
    ColliderSpec thin = collider("thin", mesh ? nullptr : box_shape({4, .02, 4}), 4e5);
    if (mesh) thin.mesh = sheet;
    scene.contact.colliders = {thin};
    scene.begin();
    for (int i = 0; i < 6; ++i) {
      ASSERT_TRUE(scene.step()) << i;
      for (int p = 0; p < scene.system.points(); ++p)
        ASSERT_GT(point(scene.state.x, p).y(), -0.03) << (mesh ? "sheet" : "box") << ", step " << i;
    }
    EXPECT_GT(momenta(scene.system, scene.state.x, scene.state.v).linear.y(), 0.0);
  }
}

TEST(Moving, PointThatCutsACornerOfABoxKeepsTheBooks) {
  ContactInput input;
  input.colliders = {collider("box", box_shape({1, 1, 1}), 2e4)};
  Contacts contacts(input, Vector::Ones(3), Vec3::Zero());
  // Looked at again and again, one end of the way lies beyond the corner, the other within the box, until the
  // search gives up turning.
  const Vector from = Vec3(.45, .51, 0), v = Vec3(3, -3, 0);
  const Vector beyond = Vec3(.515, .44, 0), within = Vec3(.48, .44, 0);
  for (const Vector& last : {beyond, within}) {
    Chord chord;
    chord.x0 = from;
    chord.samples = {{0.5, 3e-4}, {1.0, 1e-4}};
    chord.average = true;
    ContactState state;
    ContactBooks books = contacts.begin_step(from, v, 0, .033, state);
    for (int i = 0; i < 30; ++i) contacts.update_correction(chord, i % 2 ? beyond : within);
    Vector gradient = Vector::Zero(3);
    contacts.evaluate(chord, last, &gradient);
    const double taken = gradient.dot(last - from) / chord.average_weight();
    EXPECT_NE(taken, 0.0);
    const ContactBooks ended = contacts.end_step(chord, last, state);
    books.dissipated += ended.dissipated, books.work += ended.work;
    EXPECT_GE(ended.dissipated, 0.0);
    EXPECT_NEAR(taken, state.energy + books.dissipated - books.work, 1e-12 * std::abs(taken));
  }
}

}  // namespace
}  // namespace verve::test
