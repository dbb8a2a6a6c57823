// The flow of damped velocities, whichever way its linear systems are solved.
#include "damping/StrainFlow.h"

#include <gtest/gtest.h>

#include "Systems.h"

namespace verve {
namespace {

Vector shaken(const test::Case& c) {
  Vector v(c.rest.size());
  for (Eigen::Index i = 0; i < v.size(); ++i)
    v[i] = std::sin(1.7 * double(i)) + 0.3 * std::cos(double(i * i));
  return v;
}

struct Flowed {
  Vector v, impulse;
  long factorizations;
};

Flowed flow(const test::Case& c, LinearKind linear, double delta, double tolerance) {
  StrainFlow flow(c.system, {}, linear, tolerance);
  Flowed result{shaken(c), {}, 0};
  EXPECT_TRUE(flow.advance(c.rest, {delta, delta}, 1.0 / 60.0, {0, 1}, result.v, result.impulse));
  result.factorizations = flow.factorizations();
  return result;
}

// Light damping is solved without any factor, heavy damping with one; both as a factor in double does.
TEST(StrainFlow, IsTheSameWithAndWithoutAFactor) {
  const test::Case bar = test::make_bar(400, 100, {2, .25, .25}, {32, 4, 4});
  const double tolerance = 1e-9;
  for (double delta : {1e-4, 0.05}) {
    const Flowed chosen = flow(bar, LinearKind::automatic, delta, tolerance);
    const Flowed direct = flow(bar, LinearKind::direct, delta, tolerance);
    // Twice the tolerance of a solve, with the condition number of some hundreds.
    const double scale = shaken(bar).norm();
    EXPECT_LT((chosen.v - direct.v).norm(), 1e3 * tolerance * scale) << delta;
    EXPECT_LT((chosen.impulse - direct.impulse).norm(), 1e3 * tolerance * direct.impulse.norm()) << delta;
    EXPECT_EQ(chosen.factorizations == 0, delta < 1e-3) << delta;
    EXPECT_LT(chosen.v.norm(), scale);
  }
}

// Round-off is all that damping sees of rigid motion: nothing is solved for.
TEST(StrainFlow, RigidMotionCostsNothing) {
  const test::Case bar = test::make_bar();
  StrainFlow flow(bar.system, {}, LinearKind::automatic);
  Vector v(bar.rest.size()), impulse;
  for (int i = 0; i < bar.system.points(); ++i)
    point(v, i) = Vec3(1, 2, 3) + Vec3(0.5, -1, 2).cross(Vec3(point(bar.rest, i)));
  const Vector before = v;
  EXPECT_TRUE(flow.advance(bar.rest, {0.01, 0.01}, 1.0 / 60.0, {}, v, impulse));
  EXPECT_EQ(flow.iterations(), 0);
  EXPECT_LT((v - before).norm(), 1e-13 * before.norm());
}

}  // namespace
}  // namespace verve
