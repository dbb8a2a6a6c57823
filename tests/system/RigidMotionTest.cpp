#include "system/RigidMotion.h"

#include <gtest/gtest.h>

#include "Systems.h"

namespace verve {
namespace {

using test::Case;

const Vec3 spin(0.7, -1.1, 0.4), drift(0.3, 2.0, -0.6);

Case moving_bar() {
  Case c = test::make_bar(400, 100, {1, .25, .5}, {4, 1, 2});
  for (int i = 0; i < c.system.points(); ++i) {
    point(c.state.x, i) += Vec3(3, -1, 2);  // away from the origin
    point(c.state.v, i) = drift + spin.cross(Vec3(point(c.state.x, i)) - Vec3(3, -1, 2));
  }
  return c;
}

// 64 round-offs of the sums over the points: far more than they lose, far less than any mistake gives.
constexpr double round_off = 64 * 2.2e-16;

TEST(RigidMotion, OfABodyThatTurnsAsAWholeIsItsMotion) {
  const Case c = moving_bar();
  const RigidMotion r = rigid_motions(c.system, c.state.x, c.state.v, {}).at(0);
  const double size = r.centre.norm();
  EXPECT_NEAR(r.mass, 1.0, round_off);
  EXPECT_LT((r.linear / r.mass - drift - spin.cross(Vec3(r.centre - Vec3(3, -1, 2)))).norm(),
            100 * round_off * size);
  EXPECT_LT((r.spin(r.spin_momentum()) - spin).norm(), 1e4 * round_off);
  EXPECT_NEAR(r.inner_kinetic(), 0.0, 1e3 * round_off * r.kinetic * size * size);
  EXPECT_FALSE(r.held);
}

TEST(RigidMotion, InnerMotionIsScaledAndNothingElse) {
  Case c = moving_bar();
  for (int i = 0; i < c.system.points(); ++i) point(c.state.v, i)[1] += 0.3 * std::sin(5.0 * i);
  const auto before = rigid_motions(c.system, c.state.x, c.state.v, {});
  const Momenta start = momenta(c.system, c.state.x, c.state.v);
  scale_inner_motion(c.system, before, 0.5, c.state);
  const auto after = rigid_motions(c.system, c.state.x, c.state.v, {});
  const Momenta end = momenta(c.system, c.state.x, c.state.v);
  EXPECT_LT((end.linear - start.linear).norm(), 100 * round_off * start.linear.norm());
  EXPECT_LT((end.angular - start.angular).norm(), 100 * round_off * start.angular.norm());
  EXPECT_GT(before[0].inner_kinetic(), 0.01);
  EXPECT_NEAR(after[0].inner_kinetic(), 0.25 * before[0].inner_kinetic(),
              1e4 * round_off * before[0].kinetic);
}

TEST(RigidMotion, OfHeldPiecesAllMotionOfFreePointsIsScaled) {
  Case c = moving_bar();
  c.state.held = {0, 3};
  const Vector v = c.state.v;
  const auto pieces = rigid_motions(c.system, c.state.x, c.state.v, c.state.held);
  EXPECT_TRUE(pieces[0].held);
  EXPECT_NEAR(held_pieces_kinetic(c.system, pieces, c.state), free_kinetic(c.system, c.state),
              round_off * 100);
  scale_inner_motion(c.system, pieces, 0.25, c.state);
  for (int i = 0; i < c.system.points(); ++i) {
    const double scale = i == 0 || i == 3 ? 1.0 : 0.25;
    EXPECT_LT((point(c.state.v, i) - scale * point(v, i)).norm(), round_off * 10);
  }
}

TEST(RigidMotion, AStraightLineHasNoSpinAboutItself) {
  RigidMotion line;
  line.mass = 1.0;
  line.inertia = Vec3(0, 2, 2).asDiagonal();
  EXPECT_LT((line.spin(Vec3(5, 4, -2)) - Vec3(0, 2, -1)).norm(), round_off * 10);
}

}  // namespace
}  // namespace verve
