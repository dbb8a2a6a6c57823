#include "integrator/MomentumProjection.h"

#include <gtest/gtest.h>

#include "Systems.h"
#include "system/RigidMotion.h"

namespace verve {
namespace {

using test::Case;

Case swinging_bar() {
  Case c = test::make_bar(400, 100, {1, .25, .25}, {4, 1, 1});
  for (int i = 0; i < c.system.points(); ++i) {
    const Vec3 x = point(c.state.x, i);
    point(c.state.v, i) = Vec3(0.3, 1.0, -0.5).cross(x) + Vec3(0.2, 0.5 * std::sin(3 * x[0]), 0.3);
  }
  test::reopen(c);
  return c;
}

// A step that moved the points, shook their velocities and lost momentum and energy on the way is given back
// both, exactly.
TEST(MomentumProjection, GivesBackWhatAStepLost) {
  Case c = swinging_bar();
  const Momenta start = momenta(c.system, c.state.x, c.state.v);
  const double energy = c.total();
  MomentumProjection projection;
  projection.begin(c.system, c.state);
  for (int i = 0; i < c.system.points(); ++i) {
    point(c.state.x, i) += 0.01 * point(c.state.v, i);
    point(c.state.v, i) += 0.1 * Vec3(std::sin(7.0 * i), std::cos(3.0 * i), -0.1);
  }
  EXPECT_GT(std::abs(c.total() - energy), 1e-3 * energy);
  const double lost = energy - c.total();
  projection.end(c.system, 0.01, Vector::Zero(c.state.x.size()), c.state);
  const Momenta end = momenta(c.system, c.state.x, c.state.v);
  EXPECT_LT((end.linear - start.linear).norm(), 1e-14);
  EXPECT_LT((end.angular - start.angular).norm(), 1e-14);
  EXPECT_NEAR(c.total(), energy, 1e-13 * energy);
  EXPECT_NEAR(c.state.ledger.projected, lost, 1e-13 * energy);
}

TEST(MomentumProjection, ForcesFromOutsideChangeTheMomentaByTheirImpulse) {
  Case c = swinging_bar();
  const Momenta start = momenta(c.system, c.state.x, c.state.v);
  MomentumProjection projection;
  projection.begin(c.system, c.state);
  const Vector force = Vector::Constant(c.state.x.size(), 0.01);
  projection.end(c.system, 0.1, force, c.state);
  Vec3 impulse = Vec3::Zero(), turning = Vec3::Zero();
  for (int i = 0; i < c.system.points(); ++i) {
    impulse += 0.1 * Vec3(point(force, i));
    turning += 0.1 * Vec3(point(c.state.x, i)).cross(Vec3(point(force, i)));
  }
  const Momenta end = momenta(c.system, c.state.x, c.state.v);
  EXPECT_LT((end.linear - start.linear - impulse).norm(), 1e-14);
  EXPECT_LT((end.angular - start.angular - turning).norm(), 1e-14);
}

// What would change the inner motion by more than a third is given back over several steps, never dropped.
TEST(MomentumProjection, LargeCorrectionsAreCarriedOn) {
  Case c = swinging_bar();
  const Momenta start = momenta(c.system, c.state.x, c.state.v);
  MomentumProjection projection;
  projection.begin(c.system, c.state);
  // The step turned the body faster, which somebody's work paid for: taken out of the spin at once, that
  // energy would have to go into the inner motion.
  const double before = c.total();
  for (int i = 0; i < c.system.points(); ++i)
    point(c.state.v, i) += Vec3(1.5, 0.0, 0.5).cross(Vec3(point(c.state.x, i)));
  c.state.ledger.work += c.total() - before;
  projection.end(c.system, 0.01, Vector::Zero(c.state.x.size()), c.state);
  ASSERT_GT(c.state.momentum_owed[0].norm(), 1e-3);
  const Momenta end = momenta(c.system, c.state.x, c.state.v);
  EXPECT_LT((end.angular + c.state.momentum_owed[0] - start.angular).norm(), 1e-14);
}

TEST(MomentumProjection, HeldPiecesAreLeftAlone) {
  Case c = swinging_bar();
  c.state.held = {0};
  MomentumProjection projection;
  projection.begin(c.system, c.state);
  c.state.v *= 0.9;
  const Vector v = c.state.v;
  projection.end(c.system, 0.01, Vector::Zero(v.size()), c.state);
  EXPECT_EQ(c.state.v, v);
}

}  // namespace
}  // namespace verve
