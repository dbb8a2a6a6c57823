#include "scheme/ExplicitHamiltonPontryagin.h"

#include <gtest/gtest.h>

#include "Systems.h"

namespace verve {
namespace {

using test::Case;

// Kick-drift and drift-kick, written out for one spring between two points.
TEST(ExplicitHamiltonPontryagin, StepsAreKickAndDriftInThePapersOrder) {
  for (bool drift_first : {false, true}) {
    Case c = test::make_bar(400, 100, {1, .25, .25}, {2, 1, 1});
    for (int i = 0; i < c.system.points(); ++i) {
      point(c.state.x, i)[0] *= 1.2;
      point(c.state.v, i) = Vec3(0.1 * i, -0.2, 0.3);
    }
    const double h = 1e-3;
    const Vector x0 = c.state.x, v0 = c.state.v;
    const auto acceleration = [&](const Vector& x) -> Vector {
      Vector gradient = Vector::Zero(x.size());
      for (const auto& energy : c.system.elastic) energy->at(x, &gradient);
      return -gradient.array() / c.system.mass.array();
    };
    Vector x, v;
    if (drift_first) {
      x = x0 + h * v0;
      v = v0 + h * acceleration(x);
    } else {
      v = v0 + h * acceleration(x0);
      x = x0 + h * v;
    }
    const auto integrator = make_explicit_hp(c.system, drift_first, {});
    ASSERT_TRUE(integrator->step(test::FixedPins(), c.state, h).solved);
    EXPECT_LT((c.state.x - x).norm(), 1e-14 * x.norm()) << drift_first;
    EXPECT_LT((c.state.v - v).norm(), 1e-13 * v.norm()) << drift_first;
  }
}

// Kick-drift run backwards from where drift-kick ended leads back to the start: each is the other's adjoint.
TEST(ExplicitHamiltonPontryagin, EachOrderIsTheOthersAdjoint) {
  Case c = test::make_bar(400, 100, {1, .25, .25}, {2, 1, 1});
  for (int i = 0; i < c.system.points(); ++i) point(c.state.v, i) = Vec3(0.1 * i, -0.2 * i, 0.3);
  const Vector x0 = c.state.x, v0 = c.state.v;
  const auto forth = make_explicit_hp(c.system, true, {}), back = make_explicit_hp(c.system, false, {});
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(forth->step(test::FixedPins(), c.state, 1e-3).solved);
  EXPECT_GT((c.state.x - x0).norm(), 0.05);
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(back->step(test::FixedPins(), c.state, -1e-3).solved);
  EXPECT_LT((c.state.x - x0).norm(), 1e-12);
  EXPECT_LT((c.state.v - v0).norm(), 1e-11);
}

}  // namespace
}  // namespace verve
