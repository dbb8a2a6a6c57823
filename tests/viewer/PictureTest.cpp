#include "viewer/Picture.h"

#include <gtest/gtest.h>

#include "viewer/PictureCanvas.h"
#include "viewer/SmoothNormals.h"

namespace verve {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

/// Two squares that share the edge along z, the second one turned up by an angle.
struct Fold {
  std::vector<Vec3> x;
  Triangles triangles{{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};

  explicit Fold(double angle) {
    for (double z : {0.0, -1.0})
      for (int i = 0; i < 3; ++i)
        x.push_back(i < 2 ? Vec3(i - 1.0, 0.0, z) : Vec3(std::cos(angle), std::sin(angle), z));
  }
};

TEST(SmoothNormals, RoundWhereTheShapeWasFlatAtRest) {
  const Fold flat(0.0), bent(1.0);
  const Vec3 left(0, 1, 0), right(-std::sin(1.0), std::cos(1.0), 0), between = (left + right).normalized();
  // At the fold three triangles' angles meet: a half turn of either square's.
  const auto round = smooth_normals(flat.triangles, flat.x, bent.x);
  EXPECT_NEAR((round[0][1] - between).norm(), 0.0, 1e-12);
  EXPECT_NEAR((round[2][0] - between).norm(), 0.0, 1e-12);
  EXPECT_NEAR((round[0][0] - left).norm(), 0.0, 1e-12);
  const auto sharp = smooth_normals(bent.triangles, bent.x, bent.x);
  for (std::size_t t = 0; t < 4; ++t)
    for (const Vec3& normal : sharp[t])
      EXPECT_NEAR((normal - (t < 2 ? left : right)).norm(), 0.0, 1e-12) << t;
}

std::vector<std::array<Vec3, 3>> square(double half, double height) {
  const Vec3 a(-half, height, -half), b(half, height, -half), c(half, height, half), d(-half, height, half);
  return {{a, b, c}, {a, c, d}};
}

TEST(PictureLights, WhatIsAboveKeepsTheLightAway) {
  const PictureLights lights(square(1.0, 1.0), Vec3::UnitY());
  const Eigen::Vector3f up(0, 1, 0);
  const auto light = lights.arriving({{{0, 0, 0}, up}, {{0, 0, 50}, up}, {{0, 1, 0}, up}, {{0, 0, 1}, up}});
  // Far away, and on top of the plate itself, the whole light arrives; below its edge about a half.
  EXPECT_LT(light[0].sum(), 0.5f * light[1].sum());
  EXPECT_FLOAT_EQ(light[2].sum(), light[1].sum());
  EXPECT_GT(light[3].sum(), light[0].sum());
  EXPECT_LT(light[3].sum(), light[1].sum());
}

TEST(PictureLights, AWhitePlaceIsNeverBeyondWhite) {
  const Vec3 key = Vec3(0.5, 1, 0.6).normalized();
  const PictureLights lights({}, key);
  for (const Vec3& normal : {key, Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(1, 0, 0)}) {
    const Eigen::Vector3f light = lights.arriving({{{0, 0, 0}, normal.cast<float>()}})[0];
    EXPECT_LE(light.maxCoeff(), 1.0f) << normal.transpose();
    EXPECT_GT(light.minCoeff(), 0.05f) << normal.transpose();
  }
}

/// The share of pixels with more red than blue.
double painted(const Picture& picture) {
  int count = 0;
  for (std::size_t i = 0; i < picture.rgb.size(); i += 3) count += picture.rgb[i] > picture.rgb[i + 2] + 40;
  return 3.0 * count / double(picture.rgb.size());
}

TEST(PictureCanvas, ShowsBothSidesOfASheetAndWhatIsNearer) {
  Eigen::AlignedBox3d extent(Vec3(-1, -1, -1), Vec3(1, 1, 1));
  PictureCanvas canvas(extent, 160, 160);
  const Vec3 towards = canvas.camera().eye().normalized();
  const Vec3 u = towards.unitOrthogonal(), v = towards.cross(u);
  const auto draw = [&](double depth, double size, const Eigen::Vector3f& paint, bool turned) {
    const Vec3 m = depth * towards;
    PictureCorner a{m - size * u, towards}, b{m + size * u, towards}, c{m + size * v, towards};
    if (turned) std::swap(a, b);
    canvas.draw({a, b, c}, paint);
  };
  const Eigen::Vector3f red(0.9f, 0.1f, 0.1f), blue(0.1f, 0.1f, 0.9f);
  const PictureLights lights({}, canvas.camera().key_light());
  EXPECT_EQ(painted(canvas.lit(lights)), 0.0);
  draw(0.0, 0.5, red, true);
  const double seen = painted(canvas.lit(lights));
  EXPECT_GT(seen, 0.01);
  draw(-0.5, 1.0, blue, false);                        // behind
  EXPECT_GT(painted(canvas.lit(lights)), 0.9 * seen);  // pixels along its sides are shared
  draw(0.5, 1.0, blue, false);                         // before
  EXPECT_EQ(painted(canvas.lit(lights)), 0.0);
}

}  // namespace
}  // namespace verve
