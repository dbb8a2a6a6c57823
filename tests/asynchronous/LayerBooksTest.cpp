// The ledger of layers: moving colliders, friction and damping; exact resuming in the midst of contact; bad
// starts.
#include <gtest/gtest.h>

#include "LayerScenes.h"
#include "base/Parallel.h"

namespace verve::test {
namespace {

/// A triangle mesh of a box.
std::shared_ptr<TriangleMesh> box_mesh(const Vec3& size) {
  auto mesh = std::make_shared<TriangleMesh>();
  for (int i = 0; i < 8; ++i)
    mesh->points.push_back(
        0.5 * Vec3(i & 1 ? size.x() : -size.x(), i & 2 ? size.y() : -size.y(), i & 4 ? size.z() : -size.z()));
  mesh->triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

/// A box that rises and turns under a body that falls on it: as an exact shape and as a mesh.
Scene lift_scene(bool mesh) {
  Scene scene = layer_scene(LayerSpacing::resting, 0.02);
  scene.integrator.safety = 0.05;
  scene.gravity = {0, -9.81, 0};
  scene.bodies.push_back(soft_box("cube", 0.2, 2, 2e4, {0, 0.25, 0}, {0, 15, 0}));
  ColliderSpec plate = collider("plate", box_shape({0.8, 0.1, 0.8}));
  if (mesh) plate.shape = nullptr, plate.mesh = box_mesh({0.8, 0.1, 0.8});
  plate.pose = [](double t) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation().y() = 0.15 * std::sin(6.0 * t);
    pose.linear() = Eigen::AngleAxisd(0.2 * std::sin(4.0 * t), Vec3::UnitZ()).toRotationMatrix();
    return pose;
  };
  plate.stiffness = 500.0;
  scene.colliders.push_back(plate);
  scene.fps = 120.0;
  return scene;
}

TEST(LayerBooks, WorkOfMovingCollidersIsBooked) {
  for (const bool mesh : {false, true}) {
    const Scene scene = lift_scene(mesh);
    Simulation simulation(scene);
    double worst = 0.0, least = 1e300, most = -1e300;
    for (int f = 0; f < 90; ++f) {
      const FrameReport r = simulation.advance();
      worst = std::max(worst, std::abs(r.ledger_error()));
      least = std::min(least, r.levels.total()), most = std::max(most, r.levels.total());
    }
    EXPECT_GT(most - least, 0.3 * simulation.state().ledger.largest) << "the plate did nothing";
    EXPECT_LT(worst, 0.01) << (mesh ? "mesh" : "shape");
  }
}

/// On a slope of 30 degrees a block slides with g (sin - mu cos), or not at all.
TEST(LayerBooks, FrictionOnASlope) {
  const double angle = M_PI / 6.0;
  for (const double mu : {0.2, 0.8}) {
    Scene scene = layer_scene(LayerSpacing::resting, 0.05);
    scene.gravity = 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0);
    scene.integrator.damping.delta = 0.01;
    scene.contact.layers.damping = 0.01;
    scene.bodies.push_back(soft_box("block", 0.2, 1, 2e5, {0, 0.115, 0}));  // within the outermost layer
    ColliderSpec slope = collider("slope", plane_shape(Vec3::UnitY(), 0.0));
    slope.static_friction = slope.dynamic_friction = mu;
    scene.colliders.push_back(slope);
    Simulation simulation(scene);
    const auto centre = [&] {
      Vec3 sum = Vec3::Zero();
      for (int i = 0; i < scene.points(); ++i) sum += point(simulation.state().x, i) / double(scene.points());
      return sum.x();
    };
    const auto frames = [&](int n) {
      for (int f = 0; f < n; ++f) simulation.advance();
    };
    frames(15);
    const double settled = centre();
    const double v0 = simulation.report().momentum.linear.x();
    frames(30);
    const double mass = simulation.system().mass.sum() / 3.0;
    const double acceleration = (simulation.report().momentum.linear.x() - v0) / mass;
    if (mu < std::tan(angle)) {
      EXPECT_NEAR(acceleration, 9.81 * (std::sin(angle) - mu * std::cos(angle)), 0.05);
    } else {
      EXPECT_LT(std::abs(centre() - settled), 2e-5);  // in a second
    }
    const FrameReport r = simulation.report();
    EXPECT_GT(r.ledger.dissipated, 0.0);
    EXPECT_LT(std::abs(r.ledger_error()), 0.001);
  }
}

/// A soft block of many elements, each on its own clock, that comes to rest on a slope, a shape or a mesh:
/// the impulses that keep it in its shape do not shake it downhill, and friction does not take from them for
/// ever.
TEST(LayerBooks, RestIsRest) {
  for (const auto& [mesh, damping] : {std::pair{false, 0.0}, {true, 0.0}, {true, 0.005}}) {
    Scene scene = layer_scene(LayerSpacing::resting, 0.05);
    scene.gravity = {3.355, -9.218, 0};
    scene.integrator.damping.delta = 0.01;
    scene.contact.layers.damping = damping;
    scene.bodies.push_back(soft_box("block", 0.3, 2, 5e4, {0, 0.172, 0}));
    ColliderSpec slope = collider("slope", mesh ? nullptr : plane_shape(Vec3::UnitY(), 0.0));
    if (mesh) slope.mesh = std::make_shared<TriangleMesh>(make_sheet({4, 4}, {3, 3}));
    slope.static_friction = slope.dynamic_friction = 0.6;
    slope.stiffness = 20000.0;
    scene.colliders.push_back(slope);
    Simulation simulation(scene);
    for (int f = 0; f < 30; ++f) simulation.advance();
    const Vector settled = simulation.state().x;
    const double dissipated = simulation.state().ledger.dissipated;
    for (int f = 0; f < 30; ++f) simulation.advance();
    EXPECT_LT((simulation.state().x - settled).cwiseAbs().maxCoeff(), 5e-4);
    EXPECT_LT(simulation.state().ledger.dissipated - dissipated, 0.02 * simulation.state().ledger.largest);
    // Damping of impacts is of first order in the layers' steps.
    EXPECT_LT(std::abs(simulation.report().ledger_error()), damping > 0.0 ? 0.1 : 0.01);
  }
}

/// A block slides down a slope that is a shape or a mesh; `change` may change it. Where its points end.
template <class Change>
Vector slid(bool mesh, const Change& change) {
  Scene scene = layer_scene(LayerSpacing::resting, 0.05);
  scene.gravity = {4.9, -8.5, 0};
  scene.bodies.push_back(soft_box("block", 0.2, 1, 2e5, {0, 0.115, 0}));
  ColliderSpec slope = collider("slope", mesh ? nullptr : plane_shape(Vec3::UnitY(), 0.0));
  if (mesh) slope.mesh = std::make_shared<TriangleMesh>(make_sheet({4, 4}, {3, 3}));
  slope.static_friction = slope.dynamic_friction = 0.2;
  change(scene.bodies[0], slope);
  scene.colliders.push_back(slope);
  Simulation simulation(scene);
  for (int f = 0; f < 10; ++f) simulation.advance();
  return simulation.state().x;
}

TEST(LayerBooks, PointsMultiplyStiffnessAndFriction) {
  for (const bool mesh : {false, true}) {
    const Vector plain = slid(mesh, [](Body&, ColliderSpec&) {});
    const Vector stiffer = slid(mesh, [](Body&, ColliderSpec& slope) { slope.stiffness *= 4.0; });
    const Vector rougher =
        slid(mesh, [](Body&, ColliderSpec& slope) { slope.static_friction = slope.dynamic_friction = 0.4; });
    EXPECT_GT((plain - stiffer).norm(), 1e-4);
    EXPECT_GT((plain - rougher).norm(), 1e-2);
    EXPECT_EQ(slid(mesh, [](Body& b, ColliderSpec&) { b.contact_stiffness.assign(b.x.size(), 4.0); }),
              stiffer);
    EXPECT_EQ(slid(mesh, [](Body& b, ColliderSpec&) { b.friction.assign(b.x.size(), 2.0); }), rougher);
  }
  const Vector rougher =
      slid(true, [](Body&, ColliderSpec& slope) { slope.static_friction = slope.dynamic_friction = 0.4; });
  EXPECT_EQ(slid(true, [](Body&, ColliderSpec& slope) { slope.point_friction.assign(16, 2.0); }), rougher);
  // Points that nothing pushes fall through.
  const Vector fallen =
      slid(false, [](Body& b, ColliderSpec&) { b.contact_stiffness.assign(b.x.size(), 0.0); });
  EXPECT_LT(fallen[1], -0.2);
}

TEST(LayerBooks, DampedLayersLoseTheBounce) {
  double height[2];
  for (const bool damped : {false, true}) {
    Scene scene = layer_scene(LayerSpacing::resting, 0.02);
    scene.gravity = {0, -9.81, 0};
    scene.contact.layers.damping = damped ? 0.01 : 0.0;
    scene.bodies.push_back(soft_box("cube", 0.2, 1, 2e5, {0, 0.3, 0}));
    scene.colliders.push_back(collider("floor", plane_shape(Vec3::UnitY(), 0.0)));
    Simulation simulation(scene);
    double top = 0.0;
    for (int f = 0; f < 30; ++f) {
      const FrameReport r = simulation.advance();
      EXPECT_LT(std::abs(r.ledger_error()), 0.01);
      if (f > 8) top = std::max(top, r.levels.gravity);
    }
    height[damped] = top;
    EXPECT_EQ(simulation.state().ledger.dissipated > 0.0, damped);
  }
  EXPECT_LT(height[1], 0.8 * height[0]);
}

/// In the midst of contact, at another number of threads: the same bits. With friction the state knows how
/// far its springs are stretched, without it nothing but positions and velocities.
TEST(LayerBooks, ResumesToTheBit) {
  for (const double friction : {0.0, 0.4}) {
    Scene scene = two_body_scene(LayerSpacing::resting, 0.05);
    scene.contact.static_friction = scene.contact.dynamic_friction = friction;
    scene.contact.layers.damping = 0.01 * friction;
    ColliderSpec ball = collider("ball", nullptr);
    ball.mesh = box_mesh({0.1, 0.1, 0.1});
    ball.pose = [](double t) { return Eigen::Isometry3d(Eigen::Translation3d(0.2 - 0.3 * t, 0.5 - t, 0.1)); };
    scene.colliders.push_back(ball);
    scene.contact.self = true;
    scene.contact.thickness = 0.015;
    Simulation whole(scene);
    std::vector<State> states;
    int touching = 0;
    for (int f = 0; f < 20; ++f) {
      states.push_back(whole.state());
      touching += whole.advance().contacts;
    }
    EXPECT_GT(touching, 10);
    const ThreadLimit limit(1);
    std::size_t remembered = 0;
    for (const int from : {3, 7, 12}) {
      remembered += states[from].contact.memories.size();
      Simulation resumed(scene);
      resumed.restore(scene.first_frame + from, states[from]);
      for (int f = from; f < 20; ++f) resumed.advance();
      EXPECT_EQ(resumed.state().x, whole.state().x);
      EXPECT_EQ(resumed.state().v, whole.state().v);
      EXPECT_EQ(resumed.state().contact.energy, whole.state().contact.energy);
      EXPECT_EQ(resumed.state().ledger.dissipated, whole.state().ledger.dissipated);
    }
    EXPECT_EQ(remembered > 0, friction > 0.0);
  }
}

void expect_refused(const Scene& scene, const std::string& words) {
  try {
    Simulation simulation(scene);
    FAIL() << "accepted: " << words;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(LayerStart, RefusesWhatIsNotApart) {
  Scene scene = two_body_scene(LayerSpacing::resting, 0.05);
  Scene inside = scene;
  inside.colliders.push_back(collider("floor", plane_shape(Vec3::UnitY(), 0.0)));
  expect_refused(inside, "body 'left' starts inside collider 'floor'");
  Scene crossing = scene;
  for (Vec3& p : crossing.bodies[1].x) p.x() -= 0.4;
  expect_refused(crossing, "starts intersecting");
  Scene thick = scene;
  thick.contact.self = true;
  thick.contact.thickness = 0.3;
  expect_refused(thick, "contact.thickness: 0.3 m is more than the");
  Scene unstable = scene;
  unstable.contact.layers.safety = 0.3;
  expect_refused(unstable, "contact.safety");
  Scene thin = scene;
  thin.contact.thickness = 0.0;
  expect_refused(thin, "contact.thickness");
  Scene implicit = scene;
  implicit.integrator.type = IntegratorType::avf;
  expect_refused(implicit, "layers belong to the asynchronous integrator");
  Scene springs = scene;
  springs.contact.rule = ContactRule::exact;
  expect_refused(springs, "keeps bodies apart by layers");
  Scene meshed = scene;
  ColliderSpec block = collider("block", nullptr);
  block.mesh = box_mesh({2.0, 0.1, 0.1});
  meshed.colliders.push_back(block);
  expect_refused(meshed, "collider 'block'");
}

/// What cannot give way is crushed only as far as the layers go, and then there is a sentence.
TEST(LayerStart, CrushingEndsInASentence) {
  Scene scene = layer_scene(LayerSpacing::impact, 0.1);
  scene.bodies.push_back(soft_box("cube", 0.2, 1, 1e4, {0, 0.12, 0}));
  scene.colliders.push_back(collider("floor", plane_shape(Vec3::UnitY(), 0.0)));
  ColliderSpec press = collider("press", plane_shape(-Vec3::UnitY(), -0.25));
  press.pose = [](double t) { return Eigen::Isometry3d(Eigen::Translation3d(0, -0.5 * t, 0)); };
  scene.colliders.push_back(press);
  scene.integrator.max_events = 3000000;
  Simulation simulation(scene);
  EXPECT_THROW(
      {
        for (int f = 0; f < 40; ++f) simulation.advance();
      },
      SimulationError);
}

}  // namespace
}  // namespace verve::test
