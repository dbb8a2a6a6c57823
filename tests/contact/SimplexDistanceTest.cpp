// Distances, their gradients, and the law of the layers.
#include "contact/SimplexDistance.h"

#include <gtest/gtest.h>

#include <random>

#include "contact/LayerLaw.h"

namespace verve {
namespace {

struct Random {
  std::mt19937 engine{7};
  double number() { return std::uniform_real_distribution<double>(-1, 1)(engine); }
  Vec3 vector() { return {number(), number(), number()}; }
};

/// The smallest distance over a fine raster of the two simplices.
double raster_distance(const Vec3 (&x)[4], bool edges) {
  constexpr int n = 200;
  double least = 1e300;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= (edges ? n : n - i); ++j) {
      const double s = double(i) / n, t = double(j) / n;
      const Vec3 between = edges ? Vec3((1 - s) * x[0] + s * x[1] - (1 - t) * x[2] - t * x[3])
                                 : Vec3(x[0] - (1 - s - t) * x[1] - s * x[2] - t * x[3]);
      least = std::min(least, between.norm());
    }
  return least;
}

TEST(SimplexDistance, IsTheSmallestDistance) {
  Random random;
  for (int k = 0; k < 60; ++k) {
    Vec3 x[4];
    for (Vec3& p : x) p = random.vector();
    for (const bool edges : {false, true}) {
      const SimplexDistance near = edges ? edge_to_edge(x) : point_to_triangle(x);
      const double raster = raster_distance(x, edges);
      EXPECT_LE(near.distance, raster + 1e-12);
      EXPECT_GT(near.distance, raster - 2.0 * 3.5 / 200);  // the raster's spacing
      EXPECT_NEAR(near.direction.norm(), 1.0, 1e-12);
    }
  }
}

TEST(SimplexDistance, GradientsMatchFiniteDifferences) {
  Random random;
  const double d = 1e-6;
  for (int k = 0; k < 60; ++k) {
    Vec3 x[4];
    for (Vec3& p : x) p = random.vector();
    const bool nearly_parallel = k % 3 == 0;
    if (nearly_parallel) x[3] = x[2] + (x[1] - x[0]) + 0.05 * random.vector();
    for (const bool edges : {false, true}) {
      const SimplexDistance near = edges ? edge_to_edge(x) : point_to_triangle(x);
      const EdgeFade fade = edge_fade(x);
      for (int i = 0; i < 4; ++i)
        for (int c = 0; c < 3; ++c) {
          Vec3 low[4] = {x[0], x[1], x[2], x[3]}, high[4] = {x[0], x[1], x[2], x[3]};
          low[i][c] -= d, high[i][c] += d;
          const double slope = edges ? edge_to_edge(high).distance - edge_to_edge(low).distance
                                     : point_to_triangle(high).distance - point_to_triangle(low).distance;
          if (!(edges && nearly_parallel)) {  // there the nearest points run along the edges
            EXPECT_NEAR(near.weight[i] * near.direction[c], slope / (2 * d), 1e-6);
          }
          EXPECT_NEAR(fade.gradient[i][c], (edge_fade(high).value - edge_fade(low).value) / (2 * d),
                      1e-5 * (1.0 + fade.gradient[i].norm()));
        }
    }
  }
}

TEST(SimplexDistance, ParallelEdgesFade) {
  const Vec3 x[4] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.1, 0}, {0.9, 0.1, 0}};
  EXPECT_DOUBLE_EQ(edge_fade(x).value, 0.0);
  EXPECT_NEAR(edge_to_edge(x).distance, 0.1, 1e-15);
  const Vec3 crossed[4] = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.1, -1}, {0.5, 0.1, 1}};
  EXPECT_DOUBLE_EQ(edge_fade(crossed).value, 1.0);
}

TEST(LayerLaw, CountsTheLayersThatAct) {
  for (const LayerSpacing spacing : {LayerSpacing::resting, LayerSpacing::impact}) {
    const LayerLaw law{spacing, 0.01, 100.0};
    EXPECT_EQ(law.reached(0.01), 0);
    EXPECT_EQ(law.reached(0.02), 0);
    for (int l = 1; l < 300; ++l) {
      EXPECT_EQ(law.reached(law.outer(l)), l - 1);
      EXPECT_EQ(law.reached(std::nextafter(law.outer(l), 0.0)), l);
    }
    EXPECT_DOUBLE_EQ(law.outer(16), spacing == LayerSpacing::resting ? 0.01 / 16 : 0.01 / 2);
  }
}

/// Halving the gap again and again, the barrier grows without bound: no speed can close it.
TEST(LayerLaw, EnergyDiverges) {
  for (const LayerSpacing spacing : {LayerSpacing::resting, LayerSpacing::impact}) {
    const LayerLaw law{spacing, 1.0, 1.0};
    double before = 0.0;
    for (double gap = 0.5; gap > (spacing == LayerSpacing::resting ? 1e-3 : 0.05); gap *= 0.5) {
      const double energy = law.energy(gap);
      EXPECT_GT(energy, 3.0 * before);
      before = energy;
    }
  }
}

/// Section 5: at the same low energy l^-1 stops within fewer layers, at the same high energy l^-1/4 does.
TEST(LayerLaw, SpacingsSuitTheirSpeeds) {
  const LayerLaw resting{LayerSpacing::resting, 1.0, 1.0}, impact{LayerSpacing::impact, 1.0, 1.0};
  const auto depth = [](const LayerLaw& law, double energy) {
    double low = 0.0, high = law.thickness;
    for (int k = 0; k < 60; ++k) (law.energy(0.5 * (low + high)) > energy ? low : high) = 0.5 * (low + high);
    return law.reached(high);
  };
  EXPECT_LT(depth(resting, 0.05), depth(impact, 0.05));
  EXPECT_GT(depth(resting, 1e6), depth(impact, 1e6));
}

}  // namespace
}  // namespace verve
