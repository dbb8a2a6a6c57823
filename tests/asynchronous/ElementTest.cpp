// Elements one by one are the same energy as all of them together, and their clocks fit their stiffness.
#include <gtest/gtest.h>

#include "Systems.h"
#include "asynchronous/Clock.h"
#include "asynchronous/ElementClocks.h"
#include "integrator/Stability.h"

namespace verve::test {
namespace {

void expect_same_gradient(const Energy& energy, const Vector& x) {
  Vector whole = Vector::Zero(x.size()), parts = whole;
  energy.at(x, &whole);
  for (int e = 0; e < energy.elements(); ++e) {
    // The other lanes hold another element: lanes must not see each other.
    const int other = (e + 3) % energy.elements(), lanes[Pack::size] = {other, e, other, other};
    int points[Energy::max_stencil], others[Energy::max_stencil];
    const int size = energy.stencil(e, points);
    energy.stencil(other, others);
    Pack3 q[Energy::max_stencil], g[Energy::max_stencil];
    for (int a = 0; a < size; ++a)
      for (int lane = 0; lane < Pack::size; ++lane)
        for (int k = 0; k < 3; ++k) q[a][k].set(lane, point(x, lane == 1 ? points[a] : others[a])[k]);
    energy.element_gradients(lanes, q, g);
    for (int a = 0; a < size; ++a)
      for (int k = 0; k < 3; ++k) point(parts, points[a])[k] += g[a][k][1];
  }
  // Sums of a few dozen terms in another order.
  EXPECT_LT((whole - parts).norm(), 1e-14 * whole.norm() + 1e-300);
}

TEST(Elements, AddUpToTheWholeGradient) {
  for (const TetModel model :
       {TetModel::stvk, TetModel::neo_hookean, TetModel::stable_neo_hookean, TetModel::mooney_rivlin}) {
    Case c = make_bar(400, 100, {2, .25, .25}, {4, 1, 2}, model);
    for (Eigen::Index i = 0; i < c.state.x.size(); ++i) c.state.x[i] += 0.02 * std::sin(3.0 * double(i));
    expect_same_gradient(*c.system.elastic[0], c.state.x);
  }
  Case sheet = make_sheet_of_springs(200, 10, {5, 4});
  for (Eigen::Index i = 0; i < sheet.state.x.size(); ++i)
    sheet.state.x[i] += 0.02 * std::sin(3.0 * double(i));
  expect_same_gradient(*sheet.system.elastic[0], sheet.state.x);
}

/// The bound of Fried: no element's own frequency may be below the largest of the whole, or steps would be
/// too long.
TEST(Elements, ClocksAreStableForTheWhole) {
  for (const bool sheet : {false, true}) {
    Case c = sheet ? make_sheet_of_springs(200, 10, {6, 6}) : make_bar(4000, 8000, {2, .25, .25}, {8, 2, 1});
    const double length = 1.0, safety = 0.5;
    ElementClocks clocks(c.system, c.rest, safety);
    const auto& groups = clocks.groups(c.rest, length);
    ASSERT_FALSE(groups.empty());
    const double step = length / double(groups.back().ticks());
    const double stable = 2.0 / largest_frequency(c.system, c.state);
    EXPECT_LE(step, safety * stable * 1.001);
    // Nor needlessly short: the bound is known to be within a small factor.
    EXPECT_GT(step, 0.2 * safety * stable);
    int elements = 0;
    for (const ElementGroup& group : groups) elements += group.elements();
    EXPECT_EQ(elements, c.system.elastic[0]->elements());
  }
}

TEST(Elements, ThatStiffenTickMoreOften) {
  Case c = make_bar(400, 100);
  ElementClocks clocks(c.system, c.rest, 0.5);
  const auto rest_ticks = clocks.groups(c.rest, 1.0).back().ticks();
  Vector stretched = c.rest;
  for (int i = 0; i < c.system.points(); ++i) stretched[3 * Eigen::Index(i)] *= 4.0;
  EXPECT_GE(clocks.groups(stretched, 1.0).back().ticks(), 2 * rest_ticks);
  EXPECT_EQ(clocks.groups(c.rest, 1.0).back().ticks(), rest_ticks);
}

TEST(Clock, TicksDivideTheSpan) {
  const Span span{3.7, 1.0 / 24.0};
  for (const double step : {1.0, 0.01, 1.7e-4, 3.3e-6}) {
    const std::int64_t n = ticks_for(span.length, step);
    EXPECT_LE(span.length / double(n), step * (1.0 + 1e-9));
    if (n > 1) {
      EXPECT_GT(span.length / double(n), step * 0.8);
    }
    EXPECT_EQ(span.tick(0, n), span.start);
    EXPECT_EQ(span.tick(n, n), span.end());
    for (const double at : {0.0, 0.1, 0.77}) {
      const double time = span.start + at * span.length;
      const std::int64_t k = span.tick_after(time, n);
      EXPECT_GT(span.tick(k, n), time);
      EXPECT_LE(span.tick(k - 1, n), time);
    }
    EXPECT_EQ(span.tick_after(span.tick(n / 2, n), n), n / 2 + 1);
  }
}

}  // namespace
}  // namespace verve::test
