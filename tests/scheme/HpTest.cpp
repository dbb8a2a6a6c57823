#include <gtest/gtest.h>

#include "Systems.h"
#include "base/Error.h"
#include "integrator/Stability.h"
#include "scheme/MakeIntegrator.h"

namespace verve {
namespace {

using test::Case;

Case tumbling_bar() {
  Case c = test::make_bar(400, 100, {1, .25, .25}, {4, 1, 1});
  const Vec3 w(0.3, 1.0, -0.5);
  for (int i = 0; i < c.system.points(); ++i) {
    point(c.state.x, i)[0] *= 1.1;
    const Vec3 x = point(c.state.x, i);
    point(c.state.v, i) = w.cross(x) + Vec3(0.2, 0.1, 0.3) + Vec3(0, 0.5 * std::sin(3 * x[0]), 0);
  }
  test::reopen(c);
  return c;
}

IntegratorSettings hp(double alpha, int order = 2) {
  IntegratorSettings settings;
  settings.type = IntegratorType::hp;
  settings.alpha = alpha;
  settings.order = order;
  settings.newton.tolerance = 1e-13;
  settings.linear = LinearKind::direct;
  return settings;
}

double gap(const IntegratorSettings& settings, int n) {
  Case coarse = tumbling_bar(), fine = tumbling_bar();
  const auto a = make_integrator(coarse.system, settings), b = make_integrator(fine.system, settings);
  EXPECT_TRUE(test::run(coarse, *a, n, 0.1 / n) && test::run(fine, *b, 2 * n, 0.05 / n));
  return (coarse.state.x - fine.state.x).norm() + (coarse.state.v - fine.state.v).norm();
}

// Halving the step divides the error by 2^order; how near the measured slope is depends on the next term of
// the error, about the step's ratio to the fastest swing (n is chosen so that it is below 0.2).
TEST(Hp, OrdersAreThoseOfThePaper) {
  for (double alpha : {0.0, 0.3, 1.0})
    EXPECT_NEAR(std::log2(gap(hp(alpha), 400) / gap(hp(alpha), 800)), 1.0, 0.2) << alpha;
  EXPECT_NEAR(std::log2(gap(hp(0.5), 50) / gap(hp(0.5), 100)), 2.0, 0.2);
  EXPECT_NEAR(std::log2(gap(hp(0.5, 4), 20) / gap(hp(0.5, 4), 40)), 4.0, 0.4);
  EXPECT_NEAR(std::log2(gap(hp(0.5, 6), 10) / gap(hp(0.5, 6), 20)), 6.0, 0.6);
}

TEST(Hp, ExplicitStepsKeepMomentaAndEnergyOverManySteps) {
  for (double alpha : {0.0, 1.0}) {
    Case c = tumbling_bar();
    const Momenta start = momenta(c.system, c.state.x, c.state.v);
    const auto integrator = make_integrator(c.system, hp(alpha));
    const double h = 0.2 * stable_step(c.system, c.state, alpha);
    // Symplectic: the energy swings with the step but does not drift. Compare means over thirds of the run.
    double mean[3] = {0, 0, 0};
    for (int i = 0; i < 30000; ++i) {
      ASSERT_TRUE(integrator->step(test::FixedPins(), c.state, h).solved);
      if (i % 10 == 0) mean[i / 10000] += c.total() / 1000;
    }
    const Momenta end = momenta(c.system, c.state.x, c.state.v);
    EXPECT_LT((end.linear - start.linear).norm(), 1e-11 * start.linear.norm());
    EXPECT_LT((end.angular - start.angular).norm(), 1e-11 * start.angular.norm());
    EXPECT_NEAR(mean[2], mean[0], 0.01 * mean[0]);
    EXPECT_NEAR(mean[0], c.state.ledger.start_total, 0.1 * c.state.ledger.start_total);
  }
}

TEST(Hp, StateHoldsPositionVelocityAndMomentum) {
  for (double alpha : {0.0, 0.3, 0.5, 1.0}) {
    Case c = tumbling_bar();
    const Vector q = c.state.x;
    const auto integrator = make_integrator(c.system, hp(alpha));
    ASSERT_TRUE(test::run(c, *integrator, 1, 1e-3));
    const Vector v = chord_velocity(c.state);
    EXPECT_LT((q + 1e-3 * v - c.state.x).norm(), 1e-14);
    // Eq. 6: p = M v - alpha h grad W(q + alpha h v).
    Vector gradient = Vector::Zero(q.size());
    c.system.elastic[0]->at(q + alpha * 1e-3 * v, &gradient);
    const Vector p = c.system.mass.cwiseProduct(c.state.v);
    EXPECT_LT((c.system.mass.cwiseProduct(v) - alpha * 1e-3 * gradient - p).norm(), 1e-12 * p.norm());
  }
}

TEST(Hp, StepsMayVary) {
  const auto run = [](double alpha, bool vary) {
    Case c = tumbling_bar();
    const Momenta start = momenta(c.system, c.state.x, c.state.v);
    const auto integrator = make_integrator(c.system, hp(alpha));
    for (int i = 0; i < 100; ++i)
      EXPECT_TRUE(test::run(c, *integrator, 1, vary ? (i % 2 ? 4e-4 : 6e-4) : 5e-4));
    const Momenta end = momenta(c.system, c.state.x, c.state.v);
    EXPECT_LT((end.angular - start.angular).norm(), 1e-11 * start.angular.norm());
    return c.state.x;
  };
  for (double alpha : {0.0, 0.5, 1.0}) EXPECT_LT((run(alpha, true) - run(alpha, false)).norm(), 1e-3);
}

TEST(Stability, TheEstimateDividesStableFromUnstable) {
  for (double alpha : {0.0, 1.0, 0.3}) {
    Case c = test::make_bar(400, 100, {1, .25, .25}, {4, 1, 1});
    for (Eigen::Index i = 0; i < c.state.v.size(); ++i) c.state.v[i] = 1e-4 * std::sin(5.0 * double(i));
    test::reopen(c);
    const double bound = stable_step(c.system, c.state, alpha);
    const auto integrator = make_integrator(c.system, hp(alpha));
    const State start = c.state;
    EXPECT_TRUE(test::run(c, *integrator, 1000, 0.98 * bound)) << alpha;
    c.state = start;
    EXPECT_FALSE(test::run(c, *integrator, 3000, 1.02 * bound)) << alpha;
  }
  Case c = test::make_bar();
  EXPECT_EQ(stable_step(c.system, c.state, 0.5), INFINITY);
}

TEST(Stability, DampedEstimateDividesAsWell) {
  Case c = test::make_bar(400, 100, {1, .25, .25}, {4, 1, 1});
  for (Eigen::Index i = 0; i < c.state.v.size(); ++i) c.state.v[i] = 1e-4 * std::sin(5.0 * double(i));
  test::reopen(c);
  IntegratorSettings settings = hp(0.0);
  settings.damping.model = DampingModel::hp;
  settings.damping.delta = 0.01;
  const double bound = stable_step(c.system, c.state, 0.0, settings.damping.delta);
  EXPECT_LT(bound, 0.9 * stable_step(c.system, c.state, 0.0));
  const auto integrator = make_integrator(c.system, settings);
  const State start = c.state;
  EXPECT_TRUE(test::run(c, *integrator, 1000, 0.97 * bound));
  c.state = start;
  EXPECT_FALSE(test::run(c, *integrator, 3000, 1.03 * bound));
}

TEST(Stability, ABlowUpIsASentence) {
  Case c = tumbling_bar();
  const auto integrator = make_integrator(c.system, hp(0.0));
  const double h = 2.0 * stable_step(c.system, c.state, 0.0);
  StepReport report;
  for (int i = 0; i < 500 && report.solved; ++i) report = integrator->step(test::FixedPins(), c.state, h);
  EXPECT_FALSE(report.solved);
  EXPECT_NE(report.problem.find("blew up"), std::string::npos);
}

TEST(Hp, RefusesAlphaOutside) {
  Case c = test::make_bar();
  EXPECT_THROW(make_integrator(c.system, hp(-0.1)), Error);
  EXPECT_THROW(make_integrator(c.system, hp(1.1)), Error);
  EXPECT_THROW(make_integrator(c.system, hp(NAN)), Error);
  EXPECT_THROW(make_integrator(c.system, hp(0.3, 4)), Error);
  EXPECT_THROW(make_integrator(c.system, hp(0.5, 3)), Error);
}

}  // namespace
}  // namespace verve
