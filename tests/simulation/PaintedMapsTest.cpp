// Maps that the frames of a file paint anew: stiffness, rest, growth, damping, friction and pins.
#include <gtest/gtest.h>

#include "base/Error.h"
#include "mesh/Shapes.h"
#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

using Place = std::function<Vec3(const Vec3&, double share)>;
using Number = std::function<double(const Vec3&, double share)>;

Geometry of_tets(const TetMesh& mesh) {
  Geometry geometry;
  Vector x(3 * Eigen::Index(mesh.points.size()));
  for (std::size_t i = 0; i < mesh.points.size(); ++i) point(x, int(i)) = mesh.points[i];
  geometry.set_positions(x);
  for (const auto& tet : mesh.tets) geometry.add_primitive(PrimitiveType::Tetrahedron, tet);
  return geometry;
}

/// A square metre of 4 x 4 cells that hangs from y = 1.
Geometry square() {
  Geometry g;
  Vector x(3 * 25);
  for (int i = 0; i < 25; ++i) point(x, i) = Vec3(i % 5 / 4.0, i / 5 / 4.0, 0.0);
  g.set_positions(x);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const int a = 5 * i + j;
      for (const auto& t : {std::array<int, 3>{a, a + 1, a + 6}, std::array<int, 3>{a, a + 6, a + 5}})
        g.add_primitive(PrimitiveType::Polygon, t);
    }
  return g;
}

/// Twenty-five frames of a second, whose share of it goes from 0 to 1.
std::shared_ptr<const FrameSource> frames(const Geometry& shape, const std::map<std::string, Number>& numbers,
                                          const Place& rest = {}) {
  std::vector<Geometry> all;
  for (int f = 0; f < 25; ++f) {
    Geometry g = shape;
    const Vector x = shape.positions();
    for (const auto& [name, number] : numbers) {
      std::vector<double> values;
      for (int i = 0; i < g.point_count; ++i) values.push_back(number(point(x, i), f / 24.0));
      g.add<double>(Owner::Point, name) = values;
    }
    if (rest) {
      std::vector<double> values;
      for (int i = 0; i < g.point_count; ++i)
        for (double c : rest(point(x, i), f / 24.0)) values.push_back(c);
      g.add<double>(Owner::Point, "rest", 3) = values;
    }
    all.push_back(std::move(g));
  }
  return std::make_shared<GivenFrames>(std::move(all), 1);
}

/// So many steps a second at 24 frames, or as many as the motion needs.
SceneFile scene(const std::shared_ptr<const FrameSource>& source, const std::string& body,
                const std::string& rest, int rate = 0) {
  SceneSources sources;
  sources.given["painted"] = source;
  return make_scene("{\"quality\": \"exact\", \"frames\": [1, 1000], \"fps\": 24, \"substeps\": " +
                        (rate > 0 ? std::to_string(rate / 24) : "\"auto\"") +
                        R"(, "bodies": [{"geometry": {"file": "painted", "animation": "painted"}, )" + body +
                        "}]" + rest + "}",
                    "test", sources, {});
}

struct Outcome {
  FrameReport report;
  Vector x;
};

/// Runs for two seconds at 24 frames a second; the books close in every frame.
Outcome run(const SceneFile& file, double seconds = 2.0) {
  Simulation simulation(file.scene);
  Outcome o;
  double error = 0.0;
  for (int i = 0; i < int(24 * seconds); ++i) {
    o.report = simulation.advance();
    error = std::max(error, std::abs(o.report.ledger_error()));
  }
  EXPECT_LE(error, 1e-8);
  o.x = simulation.state().x;
  return o;
}

const std::string calm = R"(, "damping": {"delta": 0.05, "eta": 2})";
const std::string hung =
    R"("settle": true, "density": 1, "material": {"young": 500, "thickness": 0.1, "bend": 0.01},
       "pins": [{"box": [[-1, 0.99, -1], [2, 2, 1]]}])";

TEST(PaintedMaps, RestAndRestscaleGrowAsRestScaleDoes) {
  const Number grows = [](const Vec3&, double s) { return 1.0 + 0.25 * s; };
  const Place shape = [](const Vec3& p, double s) -> Vec3 { return (1.0 + 0.25 * s) * p; };
  const Number one = [](const Vec3&, double) { return 1.0; };
  const Outcome keyed = run(scene(frames(square(), {{"dampingratio", one}}),
                                  hung + R"(, "rest_scale": {"keys": [[0, 1], [1, 1.25]]})", calm));
  const Outcome scaled = run(scene(frames(square(), {{"restscale", grows}}), hung, calm));
  const Outcome shaped = run(scene(frames(square(), {}, shape), hung, calm));
  EXPECT_NE(keyed.report.ledger.work, 0.0);
  EXPECT_LE((keyed.x - scaled.x).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE((keyed.x - shaped.x).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(keyed.x.reshaped(3, 25).row(1).minCoeff(), -0.25);
}

TEST(PaintedMaps, RestOfTetsMayTakeAnyShape) {
  // A bar that bends by itself: its rest shape is sheared sideways, and nothing resists.
  const TetMesh mesh = make_box({1, 0.2, 0.2}, {5, 1, 1});
  const Place shape = [](const Vec3& p, double s) -> Vec3 { return p + Vec3(0, 0.3 * s * p[0], 0); };
  const std::string body = R"("material": {"model": "stvk", "young": 2e4, "poisson": 0.3}, "density": 100)";
  const std::string floating = R"(, "gravity": [0, 0, 0])" + calm;
  Outcome of[2];
  for (int k : {0, 1})
    of[k] = run(scene(frames(of_tets(mesh), {}, shape), body, floating, k == 0 ? 0 : 240), 4);
  EXPECT_NEAR(of[0].report.ledger.work, of[1].report.ledger.work, 0.03 * of[1].report.ledger.work);
  EXPECT_LE(of[0].report.levels.elastic, 1e-3 * of[0].report.ledger.work);
  // Every edge is as long as that shape has it.
  for (const auto& tet : mesh.tets) {
    const Vec3 now = point(of[0].x, tet[1]) - point(of[0].x, tet[0]),
               then = shape(mesh.points[std::size_t(tet[1])], 1.0) -
                      shape(mesh.points[std::size_t(tet[0])], 1.0);
    EXPECT_NEAR(now.norm(), then.norm(), 1e-3);
  }
}

TEST(PaintedMaps, DampingComesAndTheStepDoesNotCount) {
  // What swings undamped for half a second loses its energy from then on.
  const Number late = [](const Vec3&, double s) { return s > 0.5 ? 1.0 : 0.0; };
  const std::string body =
      R"("density": 1, "material": {"young": 500, "thickness": 0.1, "bend": 0.01}, "stretch": 1.2)";
  const std::string floating = R"(, "gravity": [0, 0, 0], "damping": {"delta": 0.02})";
  double left[2];
  for (int k : {0, 1}) {
    const SceneFile file =
        scene(frames(square(), {{"dampingratio", late}}), body, floating, k == 0 ? 0 : 480);
    Simulation simulation(file.scene);
    FrameReport report;
    for (int f = 0; f < 12; ++f) report = simulation.advance();
    EXPECT_LE(std::abs(report.ledger.dissipated), 1e-12 * report.ledger.largest);
    for (int f = 0; f < 12; ++f) report = simulation.advance();
    EXPECT_LE(std::abs(report.ledger_error()), 1e-8);
    left[k] = report.levels.total() / report.ledger.largest;
    EXPECT_LT(left[k], 0.9);
  }
  EXPECT_NEAR(left[0], left[1], 0.03);
}

TEST(PaintedMaps, FrictionComesAndStopsWhatSlides) {
  const Number late = [](const Vec3&, double s) { return s > 0.5 ? 1.0 : 0.0; };
  const std::string body =
      R"("material": {"model": "stvk", "young": 1e5, "poisson": 0.3}, "density": 100, "velocity": [1, 0, 0],
         "transform": {"translate": [0, 0.1, 0]})";
  const std::string floor_ = R"(, "colliders": [{"shape": "plane", "stiffness": 5000, "friction": 0.4}])";
  double at[2];
  for (int k : {0, 1}) {
    const SceneFile file = scene(frames(of_tets(make_box({0.4, 0.2, 0.4}, {2, 1, 2})), {{"friction", late}}),
                                 body, floor_, k == 0 ? 0 : 240);
    Simulation simulation(file.scene);
    FrameReport report;
    const double mass = 0.4 * 0.2 * 0.4 * 100;
    for (int f = 0; f < 12; ++f) report = simulation.advance();
    EXPECT_NEAR(report.momentum.linear[0] / mass, 1.0, 1e-6) << "it slides freely";
    for (int f = 0; f < 24; ++f) report = simulation.advance();
    EXPECT_NEAR(report.momentum.linear[0] / mass, 0.0, 1e-2) << "and has come to rest";
    EXPECT_LE(std::abs(report.ledger_error()), 1e-8);
    at[k] = simulation.state().x.reshaped(3, simulation.state().x.size() / 3).row(0).mean();
  }
  EXPECT_NEAR(at[0], at[1], 0.03 * at[1]);
}

TEST(PaintedMaps, PinsAreHeldInTheFramesThatSaySo) {
  const Number upper = [](const Vec3& p, double s) { return p[1] > 0.99 && s < 0.5 ? 1.0 : 0.0; };
  const SceneFile file =
      scene(frames(square(), {{"pintoanimation", upper}}),
            R"("density": 1, "material": {"young": 5000, "thickness": 0.1, "bend": 0.01})", calm);
  Simulation simulation(file.scene);
  for (int f = 2; f <= 40; ++f) {
    const FrameReport report = simulation.advance();
    EXPECT_LE(std::abs(report.ledger_error()), 1e-8);
    const double y = point(simulation.state().x, 24)[1];
    if (f <= 12) {
      EXPECT_NEAR(y, 1.0, 1e-12) << f;
    }
    if (f == 40) {
      EXPECT_LT(y, -1.0) << "let go";
    }
  }
}

TEST(PaintedMaps, SayWhatMakesNoSense) {
  const auto complaint = [](const std::shared_ptr<const FrameSource>& source, const std::string& body) {
    try {
      const SceneFile file = scene(source, body, "");
      Simulation simulation(file.scene);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto expect = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  const Number gone = [](const Vec3&, double s) { return s < 0.5 ? 1.0 : 0.0; };
  expect(complaint(frames(square(), {{"restscale", gone}}), hung),
         "frame 13: the attribute 'restscale' is 0");
  expect(complaint(frames(square(), {}, [](const Vec3& p, double s) -> Vec3 { return (1.0 - s) * p; }), hung),
         "frame 25: 'rest' leaves triangle 0 without area");
  expect(complaint(
             frames(of_tets(make_box({1, 1, 1}, {1, 1, 1})), {},
                    [](const Vec3& p, double s) -> Vec3 { return Vec3(p[0] * (1.0 - 2.0 * s), p[1], p[2]); }),
             "\"density\": 100"),
         "frame 13: 'rest' leaves tet 0 without volume or turns it inside out");
}

}  // namespace
}  // namespace verve
