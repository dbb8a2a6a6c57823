#include <gtest/gtest.h>

#include <random>

#include "Scenes.h"

namespace verve {
namespace {

enum class Layout { regular, alternating, irregular };

/// A strip along x whose first column of cells is to be held: the clamp's line, half-way between two rows of
/// points, is at x = 0, and the strip reaches to x = 1.
TriangleMesh strip(int cells, Layout layout, double width) {
  const double step = 1.0 / (cells - 0.5);
  const int across = std::max(2, int(std::lround(width / step)));
  TriangleMesh mesh;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> jitter(-0.25, 0.25);
  for (int i = 0; i <= cells; ++i)
    for (int k = 0; k <= across; ++k) {
      Vec3 p(step * (i - 0.5), 0.0, width * (double(k) / across - 0.5));
      if (layout == Layout::irregular && i > 1 && i < cells && k > 0 && k < across)
        p += Vec3(jitter(random) * step, 0.0, jitter(random) * width / across);
      mesh.points.push_back(p);
    }
  for (int i = 0; i < cells; ++i)
    for (int k = 0; k < across; ++k) {
      const int a = i * (across + 1) + k, b = a + 1, c = a + across + 2, d = a + across + 1;
      if (layout == Layout::regular || (i + k) % 2 == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      }
    }
  return mesh;
}

constexpr double rigidity = 0.01, width = 0.25;

/// The strip of a membrane without Poisson's ratio, 2 rows held; Y L^2/D = 1e6.
Scene cantilever(int cells, Layout layout, double density) {
  Scene scene;
  SheetMaterial m;
  m.stretch = isotropic_law(1e6 * rigidity, 0.0);
  m.bend = isotropic_law(rigidity, 0.0);
  m.density = density;
  scene.bodies.push_back(make_membrane("strip", strip(cells, layout, width), m));
  PinSet grip;
  for (int i = 0; i < int(scene.bodies[0].rest.size()); ++i)
    if (scene.bodies[0].rest[std::size_t(i)][0] < 0.6 / (cells - 0.5)) grip.points.push_back(i);
  scene.pins.push_back(grip);
  return scene;
}

std::vector<int> tip(const Scene& scene) {
  std::vector<int> points;
  for (int i = 0; i < int(scene.bodies[0].rest.size()); ++i)
    if (scene.bodies[0].rest[std::size_t(i)][0] > 1.0 - 1e-9) points.push_back(i);
  return points;
}

/// Where the tip comes to rest: backward Euler and eta calm the first mode, of w radians a second, in a dozen
/// of its times.
Vec3 settled(Scene scene, double w) {
  scene.integrator.type = IntegratorType::backward_euler;
  scene.integrator.newton.tolerance = 1e-6;
  scene.integrator.damping.eta = 1.5 * w;
  scene.fps = w / 0.3;
  Simulation simulation(scene);
  for (int f = 0; f < 45; ++f) simulation.advance();
  Vec3 place = Vec3::Zero();
  const std::vector<int> end = tip(scene);
  for (int i : end) place += point(simulation.state().x, i) / double(end.size());
  return place;
}

double first_mode(double density) {
  return 3.516 * std::sqrt(rigidity / density);
}

class Elastica : public testing::TestWithParam<Layout> {};

TEST_P(Elastica, UnderItsOwnWeight) {
  for (const auto& [load, drop] :
       {std::pair(1.0, 0.1235), std::pair(10.0, 0.7002), std::pair(100.0, 0.9375)}) {
    const double density = load * rigidity / 9.81;
    EXPECT_NEAR(-settled(cantilever(16, GetParam(), density), first_mode(density))[1], drop, 0.01 * drop)
        << load;
  }
}

TEST_P(Elastica, UnderALoadAtItsTip) {
  for (const auto& [load, drop] :
       {std::pair(1.0, 0.3017), std::pair(2.0, 0.4935), std::pair(5.0, 0.7138), std::pair(10.0, 0.8106)}) {
    Scene scene = cantilever(16, GetParam(), 1e-3);
    scene.gravity.setZero();
    scene.pushes.push_back({tip(scene), Vec3(0, -load * rigidity * width, 0)});
    EXPECT_NEAR(-settled(scene, first_mode(1e-3))[1], drop, 0.01 * drop) << load;
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, Elastica,
                         testing::Values(Layout::regular, Layout::alternating, Layout::irregular));

/// Sheets that swing and turn freely at a step a frame keep their energy over a thousand frames.
TEST(Sheet, ThousandFramesKeepTheEnergy) {
  SheetMaterial m;
  m.stretch = woven_law(40, 30, 8, 0.2);
  m.bend = isotropic_law(0.01, 0.2);
  m.density = 1.0;
  for (bool shell : {false, true})
    for (double limit : {0.0, 0.2}) {
      m.warp_limit = m.weft_limit = limit;
      Scene scene;
      scene.fps = 30;
      scene.gravity.setZero();
      scene.integrator.newton.tolerance = 1e-9;
      Body body = make_membrane("sheet", shell ? make_shell(0.4, 2) : make_sheet({1, 1}, {5, 5}), m);
      deform(body, 1.3, 0.0);
      for (std::size_t i = 0; i < body.x.size(); ++i) body.x[i][1] += 1e-3 * std::sin(7.0 * double(i));
      set_in_motion(body, Vec3::Zero(), Vec3(0.5, 1, 0));
      scene.bodies.push_back(body);
      Simulation simulation(scene);
      EXPECT_LT(test::drift(simulation, limit > 0.0 ? 300 : 1000), 1e-8) << shell << " " << limit;
    }
}

/// A cloth of cotton between two bars sags and swings alike at every resolution and in both layouts.
TEST(Sheet, LooksTheSameAtEveryResolution) {
  struct Look {
    double sag, period;
  };
  const auto look = [](int cells) {
    Scene scene;
    scene.fps = 120;
    scene.integrator.newton.tolerance = 1e-7;
    SheetMaterial m;
    m.stretch = woven_law(800, 500, 40, 0);
    m.bend = isotropic_law(1e-5, 0);
    m.density = 0.13;
    scene.bodies.push_back(make_membrane("cloth", make_sheet({1, 1}, {cells, cells}), m));
    PinSet grip;
    int middle = 0;
    for (int i = 0; i < int(scene.bodies[0].rest.size()); ++i) {
      const Vec3& p = scene.bodies[0].rest[std::size_t(i)];
      if (std::abs(p[0]) > 0.499) grip.points.push_back(i);
      if (p.norm() < scene.bodies[0].rest[std::size_t(middle)].norm()) middle = i;
    }
    scene.pins.push_back(grip);
    Simulation simulation(scene);
    Look found{0, 0};
    double before = 0.0, last = 0.0;
    for (int f = 1; f < 60; ++f) {
      simulation.advance();
      const double now = -point(simulation.state().x, middle)[1];
      if (f > 1 && before > last && before >= now && found.sag == 0.0) {  // the parabola's top
        const double c = 0.5 * (last - 2.0 * before + now), b = 0.5 * (now - last);
        found.sag = before - b * b / (4.0 * c);
        found.period = 2.0 * (f - 1 - b / (2.0 * c)) / scene.fps;  // down and up again
        break;
      }
      last = before, before = now;
    }
    return found;
  };
  const Look fine = look(24);
  ASSERT_GT(fine.sag, 0.02);
  const Look coarse = look(12);
  EXPECT_NEAR(coarse.sag, fine.sag, 0.02 * fine.sag);
  EXPECT_NEAR(coarse.period, fine.period, 0.02 * fine.period);
}

/// A strip that a weight would stretch by a quarter stays near its limit of a tenth.
TEST(Sheet, IsNotStretchedBeyondItsLimit) {
  const auto stretch = [](double limit) {
    Scene scene = cantilever(6, Layout::alternating, 1e-3);
    SheetMaterial m;
    m.stretch = isotropic_law(40, 0.0);
    m.warp_limit = limit;
    m.density = 1e-3;
    scene.bodies[0].sheet.assign(scene.bodies[0].sheet.size(), m);
    scene.gravity.setZero();
    scene.pushes.push_back({tip(scene), Vec3(10.0 * width, 0, 0)});
    return settled(scene, 200.0)[0] - 1.0;  // of stretching along: pi/2 sqrt(40/1e-3)
  };
  const double free = stretch(0.0), limited = stretch(0.1);
  // l^3 - l = .5 gives 1.1915; half a column of the strip is held with the clamp.
  EXPECT_NEAR(free, 0.1915 * (1.0 - 0.5 / 5.5), 0.002);
  EXPECT_LT(limited, 0.1);
  EXPECT_GT(limited, 0.05);
}

}  // namespace
}  // namespace verve
