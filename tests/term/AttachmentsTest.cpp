// Springs that attach: forces, books, breaking, letting go, and exact resume.
#include "term/Attachments.h"

#include <gtest/gtest.h>

#include <random>

#include "Scenes.h"
#include "Systems.h"
#include "simulation/Checkpoint.h"
#include "term/TermChecks.h"

namespace verve {
namespace {

using test::check_term;
using test::chords_from;

/// Two square sheets of springs, one below the other by `gap`; the upper one is held along a side.
Scene sheets(double gap = 0.1, double fps = 24) {
  Scene scene;
  scene.fps = fps;
  scene.substeps = 1;
  scene.contact.between = false;
  for (int b : {0, 1}) {
    Body body =
        make_cloth(b ? "lower" : "upper", make_sheet({0.5, 0.5}, {4, 4}), SpringModel::stvk, 2000, 20, 0.2);
    Transform down;
    down.translate = {0, -b * gap, 0};
    place_body(body, down);
    scene.bodies.push_back(body);
  }
  PinSet grip;
  for (int i = 0; i < int(scene.bodies[0].rest.size()); ++i) grip.points.push_back(i);
  scene.pins.push_back(grip);
  return scene;
}

/// A spring from each point of the lower sheet to that of the upper one above it.
AttachmentList each_to_each(const Scene& scene, Attachment like) {
  AttachmentList list;
  const int n = int(scene.bodies[0].rest.size());
  for (int i = 0; i < n; ++i) {
    like.point = n + i;
    like.to = {i, -1, -1};
    like.weights = Vec3::UnitX();
    list.springs.push_back(like);
  }
  return list;
}

void attach(Scene& scene, AttachmentList list) {
  scene.attachments = std::make_shared<AttachmentList>(std::move(list));
}

double worst_ledger(const Scene& scene, int frames) {
  Simulation simulation(scene);
  double worst = 0.0;
  for (int i = 0; i < frames; ++i) worst = std::max(worst, std::abs(simulation.advance().ledger_error()));
  return worst;
}

ColliderSpec moving_plane() {
  ColliderSpec plane;
  plane.name = "plate";
  plane.shape = plane_shape(Vec3::UnitY(), 0.0);
  plane.pose = [](double time) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = Vec3(0.3 * time, 0.5 + 0.2 * std::sin(4.0 * time), 0);
    pose.linear() = Eigen::AngleAxisd(0.3 * time, Vec3::UnitZ()).toRotationMatrix();
    return pose;
  };
  return plane;
}

TEST(Attachments, DerivativesOfEveryKindUnderEveryRule) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-0.5, 0.5);
  State state;
  state.x.resize(15), state.v.resize(15);
  for (Vector* v : {&state.x, &state.v})
    for (double& c : *v) c = number(random);
  Vector x = state.x + 0.1 * state.v;
  for (double& c : x) c += 0.2 * number(random);
  for (double damping : {0.0, 0.5, 50.0})
    for (double length : {0.0, 0.4}) {
      Attachment between;
      between.point = 0;
      between.to = {1, 2, 3};
      between.weights = {0.2, 0.5, 0.3};
      between.length = length;
      between.damping = damping;
      Attachment place = between;
      place.point = 4;
      place.to = {-1, -1, -1};
      place.place = {0.1, 0.2, 0.3};
      Attachment sliding = place;
      sliding.point = 2;
      sliding.collider = 0;
      sliding.slides = true;
      Attachment carried = sliding;
      carried.slides = false;
      const auto term = make_attachments({{between, place, sliding, carried}}, {moving_plane()}, state.x,
                                         Vector::Constant(15, 0.1));
      TermMemory memory;
      term->begin(Drivers(), state, 0.1, memory);
      for (const Chord& chord : chords_from(state.x, 0.1)) check_term(*term, chord, x);
    }
}

// A point on a spring of no length swings as it should: x = g m / k (cos w t - 1). AVF swings slower by the
// share (w h)^2 / 12, which is .0015 rad after a second.
TEST(Attachments, OneSpringSwings) {
  Scene scene = sheets(0.0, 240);
  Attachment spring;
  spring.length = 0.0;
  spring.stiffness = 0.2;
  attach(scene, each_to_each(scene, spring));
  std::fill(scene.bodies[1].mass.begin(), scene.bodies[1].mass.end(), 0.002);
  for (double& k : scene.bodies[1].spring_material.stiffness) k = 0.0;
  Simulation simulation(scene);
  for (int i = 0; i < 240; ++i) simulation.advance();
  const double w = std::sqrt(0.2 / 0.002);
  const double moved = point(simulation.state().x, 30)[1] - scene.bodies[1].x[5][1];
  EXPECT_NEAR(moved, 9.81 / (w * w) * (std::cos(w * 1.0) - 1.0), 3e-4);
}

TEST(Attachments, KeepTheBooksOverAThousandFrames) {
  for (double length : {0.0, -1.0}) {
    Scene scene = sheets();
    scene.pins.clear();
    scene.gravity.setZero();
    set_in_motion(scene.bodies[1], {0.2, -0.5, 0}, {0, 1, 2});
    Attachment spring;
    spring.length = length;
    spring.stiffness = 20.0;
    attach(scene, each_to_each(scene, spring));
    EXPECT_LE(worst_ledger(scene, 1000), 1e-8) << length;
  }
}

TEST(Attachments, ToMovingThingsFixedAndSliding) {
  for (bool slides : {false, true}) {
    Scene scene = sheets();
    scene.pins.clear();
    scene.colliders.push_back(moving_plane());
    scene.colliders[0].stiffness = 0.0;
    AttachmentList list;
    for (int i = 0; i < 50; ++i) {
      Attachment spring;
      spring.point = i;
      spring.collider = 0;
      spring.slides = slides;
      spring.stiffness = 50.0;
      spring.damping = 0.2;
      list.springs.push_back(spring);
    }
    attach(scene, list);
    Simulation simulation(scene);
    FrameReport r;
    for (int i = 0; i < 48; ++i) {
      r = simulation.advance();
      EXPECT_LE(std::abs(r.ledger_error()), 1e-8) << slides;
    }
    // It hangs on the plate, or slides down along it.
    const Vec3 centre = r.momentum.linear / 4.0;
    EXPECT_LT(std::abs(centre[1]), 5.0);
    EXPECT_GT(std::abs(r.ledger.work), 1e-3);
  }
}

TEST(Attachments, BreakingBooksWhatTheSpringsHeld) {
  Scene scene = sheets();
  Attachment spring;
  spring.stiffness = 30.0;
  spring.breaks = 0.03;
  attach(scene, each_to_each(scene, spring));
  Simulation simulation(scene);
  FrameReport r;
  for (int i = 0; i < 24; ++i) {
    r = simulation.advance();
    EXPECT_LE(std::abs(r.ledger_error()), 1e-8);
  }
  EXPECT_GT(r.ledger.dissipated, 0.0);
  EXPECT_LT(r.momentum.linear[1], -0.1) << "the lower sheet falls";
}

TEST(Attachments, HoldAndLetGoAtTheirTimes) {
  Scene scene = sheets();
  Attachment spring;
  spring.stiffness = 200.0;
  spring.from = 0.25;
  spring.until = 0.5;
  attach(scene, each_to_each(scene, spring));
  Simulation simulation(scene);
  double at_rest = 0.0;
  for (int i = 0; i < 24; ++i) {
    const FrameReport r = simulation.advance();
    EXPECT_LE(std::abs(r.ledger_error()), 1e-8);
    if (r.frame == 7) at_rest = point(simulation.state().x, 30)[1];
    if (r.frame == 13) {
      EXPECT_LT(std::abs(point(simulation.state().x, 30)[1] - at_rest), 0.3) << "held";
    }
  }
  EXPECT_LT(point(simulation.state().x, 30)[1], at_rest - 0.5) << "let go";
}

TEST(Attachments, DampersStopAndNeverTurnRound) {
  for (double damping : {0.01, 1.0, 1e6}) {
    Vec3 ends[2];
    int k = 0;
    for (int substeps : {1, 10}) {
      Scene scene = sheets();
      scene.substeps = substeps;
      Attachment spring;
      spring.stiffness = 1.0;
      spring.length = 0.0;
      spring.damping = damping;
      attach(scene, each_to_each(scene, spring));
      Simulation simulation(scene);
      for (int i = 0; i < 24; ++i) EXPECT_LE(std::abs(simulation.advance().ledger_error()), 1e-8);
      ends[k++] = point(simulation.state().x, 37);
    }
    EXPECT_LT((ends[0] - ends[1]).norm(), 0.02) << damping;
  }
}

TEST(Attachments, EveryIntegratorHoldsThem) {
  const auto fall = [](IntegratorType type, int substeps) {
    Scene scene = sheets();
    scene.integrator.type = type;
    scene.substeps = substeps;
    Attachment spring;
    spring.stiffness = 2.0;
    attach(scene, each_to_each(scene, spring));
    Simulation simulation(scene);
    for (int i = 0; i < 6; ++i) simulation.advance();
    return simulation.state().x;
  };
  const Vector wanted = fall(IntegratorType::avf, 64);
  for (IntegratorType type : {IntegratorType::hp, IntegratorType::backward_euler,
                              IntegratorType::implicit_midpoint, IntegratorType::newmark,
                              IntegratorType::bdf2, IntegratorType::bathe, IntegratorType::symplectic_euler})
    EXPECT_LT((fall(type, 64) - wanted).lpNorm<Eigen::Infinity>(), 5e-3) << int(type);
}

TEST(Attachments, ResumingIsExact) {
  Scene scene = sheets();
  scene.colliders.push_back(moving_plane());
  scene.colliders[0].stiffness = 0.0;
  Attachment spring;
  spring.stiffness = 30.0;
  spring.breaks = 0.04;
  AttachmentList list = each_to_each(scene, spring);
  spring = {};
  spring.point = 40;
  spring.collider = 0;
  spring.slides = true;
  list.springs.push_back(spring);
  attach(scene, list);
  Simulation whole(scene);
  for (int i = 0; i < 5; ++i) whole.advance();
  const std::string saved = to_bytes({1, whole.frame(), whole.state()});
  for (int i = 0; i < 5; ++i) whole.advance();
  Simulation resumed(scene);
  const Checkpoint checkpoint = checkpoint_from(saved);
  resumed.restore(checkpoint.frame, checkpoint.state);
  for (int i = 0; i < 5; ++i) resumed.advance();
  EXPECT_EQ(resumed.state().x, whole.state().x);
  EXPECT_EQ(resumed.state().v, whole.state().v);
  EXPECT_EQ(resumed.report().ledger.dissipated, whole.report().ledger.dissipated);
}

TEST(Attachments, ThousandsAreOneTerm) {
  Scene scene = sheets();
  scene.bodies.clear(), scene.pins.clear();
  for (int b : {0, 1}) {
    Body body =
        make_cloth(b ? "lower" : "upper", make_sheet({1, 1}, {40, 40}), SpringModel::stvk, 2000, 20, 0.2);
    for (auto* points : {&body.rest, &body.x})
      for (Vec3& p : *points) p[1] -= 0.05 * b;
    scene.bodies.push_back(body);
  }
  scene.pins.push_back({{0, 40}, {}});
  Attachment spring;
  spring.stiffness = 5.0;
  attach(scene, each_to_each(scene, spring));
  Simulation simulation(scene);
  const FrameReport r = simulation.advance();
  EXPECT_LE(std::abs(r.ledger_error()), 1e-8);
  EXPECT_LT(r.steps.newton_iterations, 30);
}

}  // namespace
}  // namespace verve
