#include "system/Boundary.h"

#include <gtest/gtest.h>

#include "Systems.h"

namespace verve {
namespace {

using test::Case;

/// Point 2 moves along x, and everything is pushed upwards.
class Hand : public Drivers {
 public:
  explicit Hand(const Vec3& start) : start_(start) {}
  void pins(double time, std::vector<Pin>& out) const override { out = {{2, start_ + Vec3(time, 0, 0)}}; }
  void add_forces(double, Vector& force) const override {
    for (Eigen::Index i = 1; i < force.size(); i += 3) force[i] += 0.5;
  }

 private:
  Vec3 start_;
};

TEST(Boundary, CatchingAndLettingGoOfMovingPointsIsWork) {
  Case c = test::make_bar();
  c.state.v.setConstant(2.0);
  const double one = 0.5 * c.system.mass[0] * 12.0, other = 0.5 * c.system.mass[3] * 12.0;
  const auto pin = [&](int i) { return Pin{i, point(c.state.x, i)}; };
  change_held(c.system, {pin(0), pin(1)}, c.state);
  EXPECT_EQ(c.state.held, (std::vector<int>{0, 1}));
  EXPECT_DOUBLE_EQ(c.state.ledger.work, -one - other);
  change_held(c.system, {pin(0), pin(1)}, c.state);  // no change
  EXPECT_DOUBLE_EQ(c.state.ledger.work, -one - other);
  change_held(c.system, {pin(1)}, c.state);
  EXPECT_DOUBLE_EQ(c.state.ledger.work, -other);
}

TEST(Boundary, HeldPointsStandWhereTheyEndAndFeelNothing) {
  Case c = test::make_bar();
  const Hand hand(point(c.state.x, 2));
  Boundary boundary;
  boundary.begin(c.system, hand, c.state, 0.1);
  Vector x = c.state.x, gradient = Vector::Constant(x.size(), 3.0);
  boundary.place(x);
  EXPECT_NEAR(point(x, 2)[0] - point(c.state.x, 2)[0], 0.1, 1e-15);
  boundary.mask(gradient);
  for (int i = 0; i < c.system.points(); ++i)
    EXPECT_EQ(Vec3(point(gradient, i)), Vec3::Constant(i == 2 ? 0.0 : 3.0));
  const double m = c.system.mass[6];
  EXPECT_NEAR(boundary.drive_energy(c.system, c.state.x), 0.5 * m * 1.0, 1e-14);

  BlockMatrix hessian(c.system.pattern);
  std::fill(hessian.values.begin(), hessian.values.end(), 7.0);
  boundary.mask(c.system, hessian);
  const BlockPattern& pattern = *c.system.pattern;
  for (int k = pattern.row_start[2]; k < pattern.row_start[3]; ++k) {
    const bool diagonal = pattern.column[k] == 2;
    for (int d = 0; d < 9; ++d) {
      EXPECT_EQ(hessian.values[9 * std::size_t(k) + d], diagonal && d % 4 == 0 ? m : 0.0);
      if (!diagonal) {
        EXPECT_EQ(hessian.values[9 * std::size_t(pattern.find(pattern.column[k], 2)) + d], 0.0);
      }
    }
  }
}

TEST(Boundary, BooksTheWorkOfPushesAndOfTheHandThatMovesAPoint) {
  Case c = test::make_bar();
  const Hand hand(point(c.state.x, 2));
  Boundary boundary;
  boundary.begin(c.system, hand, c.state, 0.1);
  Chord chord;
  chord.x0 = c.state.x;
  chord.samples = {{1.0, 0.01}};
  // All points rise by a centimetre, and the hand goes its way against a force of 4 N.
  Vector x = c.state.x, gradient = Vector::Zero(x.size());
  for (int i = 0; i < c.system.points(); ++i) point(x, i)[1] += 0.01;
  boundary.place(x);
  point(gradient, 2)[0] = 4.0;
  boundary.end(c.system, chord, gradient, x, Vector::Constant(x.size(), 9.0), c.state);
  // The hand answers the push on its point, so that this does no work there, where the point does not rise
  // either.
  const double pushes = 0.5 * 0.01 * (c.system.points() - 1), by_hand = 4.0 * 0.1;
  EXPECT_NEAR(c.state.ledger.work, pushes + by_hand, 1e-14);
  EXPECT_EQ(c.state.x, x);
  EXPECT_DOUBLE_EQ(c.state.time, 0.1);
  EXPECT_LT((point(c.state.v, 2) - Vec3(1, 0, 0)).norm(), 1e-13);
  EXPECT_EQ(Vec3(point(c.state.v, 0)), Vec3::Constant(9.0));
}

}  // namespace
}  // namespace verve
