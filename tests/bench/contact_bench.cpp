// What contact promises, in figures: energy through thousands of bounces, the share of the search in a step,
// a pile.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "contact/ContactScenes.h"
#include "mesh/ImplicitShapes.h"

namespace verve::test {
namespace {

double seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Runs and prints the largest deviation of the energy from its first value, as a share of the largest
/// energy.
void run(const char* name, ContactScene& scene, int steps) {
  scene.begin();
  double worst = 0.0, last = 0.0;
  int bounces = 0, done = 0;
  bool touched = false;
  const double began = seconds();
  for (; done < steps && scene.step(); ++done) {
    last = (scene.energy() - scene.start) / (scene.start > 0 ? scene.start : scene.state.ledger.largest);
    worst = std::max(worst, std::abs(last));
    const bool touches = scene.state.contact.touching > 0;
    bounces += touches && !touched;
    touched = touches;
    if (worst > 1e3) break;
  }
  std::printf("%-34s %6d steps, %5d bounces: drift %.2e, at the end %+.2e, %.1f iterations, %.2f ms a step\n",
              name, done, bounces, worst, last, double(scene.iterations) / std::max(1, done),
              1e3 * (seconds() - began) / std::max(1, done));
}

void bounces(int steps) {
  for (double k : {2e2, 2e3, 2e4, 2e5})
    for (ContactRule rule : {ContactRule::exact, ContactRule::paper}) {
      ContactScene scene = cube_scene();
      scene.contact.settings.rule = rule;
      scene.contact.colliders = {collider("floor", plane_shape({0, 1, 0}, 0), k)};
      char name[64];
      std::snprintf(name, sizeof name, "cube, k = %g, %s", k, rule == ContactRule::exact ? "exact" : "paper");
      run(name, scene, steps);
    }
}

void bowls(int steps) {
  for (TetModel model : {TetModel::stvk, TetModel::neo_hookean}) {
    ContactScene scene = cube_scene({model, 2000, 1000, 1});
    if (model != TetModel::stvk) scene.settings.gauss = 3, scene.settings.correction = true;
    scene.contact.colliders = {collider("bowl", sphere_shape({0, 2, 0}, 2, true), 2e3)};
    run(model == TetModel::stvk ? "bowl, StVK" : "bowl, neo-Hookean", scene, steps);
  }
  ContactScene scene = cube_scene({TetModel::stvk, 2000, 1000, 1});
  auto mesh = std::make_shared<TriangleMesh>(make_sheet({6, 6}, {50, 50}));
  for (Vec3& p : mesh->points) p.y() = .25 * (p.x() * p.x() + p.z() * p.z());
  scene.contact.colliders = {collider("bowl", nullptr, 2e3)};
  scene.contact.colliders[0].mesh = mesh;
  scene.contact.colliders[0].thickness = .05;
  run("bowl of 5000 triangles, StVK", scene, steps);
}

/// The AVF paper's experiment (figures 12 and 13): a blob on the floor.
void ditto(int steps) {
  for (ContactRule rule : {ContactRule::exact, ContactRule::paper}) {
    ContactScene scene;
    scene.add(make_blob(1, .23), {TetModel::stvk, 35, 20, 1}, {0, 1, 0});
    scene.contact.settings.rule = rule;
    scene.contact.colliders = {collider("floor", plane_shape({0, 1, 0}, 0), 200)};
    scene.settings.newton.tolerance = 1e-10;
    char name[64];
    std::snprintf(name, sizeof name, "ditto, %d points, %s", scene.system.points(),
                  rule == ContactRule::exact ? "exact" : "paper");
    run(name, scene, steps);
  }
}

/// How long the search and the looks at the geometry take beside the whole step.
void search() {
  auto mesh = std::make_shared<TriangleMesh>(make_sheet({4, 4}, {224, 224}));
  for (Vec3& p : mesh->points) p.y() = .1 * std::sin(3 * p.x()) * std::cos(3 * p.z());
  double times[2];
  for (bool collides : {false, true}) {
    ContactScene scene;
    scene.add(make_box({.5, .5, .5}, {9, 9, 9}), {TetModel::stvk, 4000, 2000, 1}, {0, .36, 0});
    if (collides) {
      ColliderSpec spec = collider("waves", nullptr, 2e3);
      spec.mesh = mesh;
      spec.thickness = .02;
      spec.deform = [mesh](double time, std::vector<Vec3>& points) {
        points = mesh->points;
        for (Vec3& p : points) p.y() += .02 * std::sin(6 * time);
      };
      scene.contact.colliders = {spec};
    }
    scene.begin();
    const double began = seconds();
    for (int i = 0; i < 30; ++i) scene.step();
    times[collides] = (seconds() - began) / 30;
    std::printf("%d points, %s: %.1f ms a step, %.1f iterations, %d touching\n", scene.system.points(),
                collides ? "100352 animated triangles" : "no collider", 1e3 * times[collides],
                scene.iterations / 30.0, scene.state.contact.touching);
    if (!collides) continue;
    Contacts& contacts = *scene.system.contacts;
    const double before = seconds();
    Chord chord;
    chord.x0 = scene.state.x;
    chord.samples = {{0.5, 3e-4}, {1.0, 1e-4}};
    chord.average = true;
    constexpr int repeats = 20;
    for (int i = 0; i < repeats; ++i) {
      ContactState state = scene.state.contact;
      contacts.begin_step(scene.state.x, scene.state.v, scene.state.time + i * scene.h, scene.h, state);
    }
    const double found = seconds();
    for (int i = 0; i < repeats; ++i)
      contacts.update_correction(chord, scene.state.x + scene.h * scene.state.v);
    const double looked = seconds();
    std::printf("  search %.2f ms (%.1f %% of a step), a look %.2f ms\n", 1e3 * (found - before) / repeats,
                100 * (found - before) / repeats / times[1], 1e3 * (looked - found) / repeats);
  }
}

/// Twenty balls dropped in a pile; writes their surfaces to `file` for a picture.
void pile(const char* file) {
  ContactScene scene;
  const TetMesh ball = make_sphere(.2, .13);
  for (int i = 0; i < 20; ++i) {
    const int layer = i / 4;
    scene.add(ball, {TetModel::stable_neo_hookean, 3000, 6000, .5},
              {.22 * (i % 2 ? 1 : -1) + .03 * (i % 3), .3 + .45 * layer,
               .22 * (i / 2 % 2 ? 1 : -1) + .02 * (i % 5)});
  }
  scene.add_skins();
  scene.contact.settings.between = true;
  scene.contact.settings.thickness = .03;
  scene.contact.settings.stiffness = 4000;
  scene.contact.settings.static_friction = scene.contact.settings.dynamic_friction = .3;
  ColliderSpec floor = collider("floor", plane_shape({0, 1, 0}, 0), 4000);
  floor.static_friction = floor.dynamic_friction = .5;
  scene.contact.colliders = {floor, collider("bowl", sphere_shape({0, 2.5, 0}, 2.7, true), 4000)};
  scene.settings.type = IntegratorType::bdf2;  // settles
  scene.settings.newton.tolerance = 1e-6;
  scene.begin();
  double deepest = 0.0;
  const double began = seconds();
  int frame = 0;
  for (; frame < 240 && scene.step(); ++frame) deepest = std::max(deepest, scene.state.contact.deepest);
  std::printf(
      "pile: %d of 240 frames, %d points, %d touching, deepest %.4f m (thickness .03), kinetic %.3g J, %.1f "
      "iterations, %.1f ms a frame\n",
      frame, scene.system.points(), scene.state.contact.touching, deepest,
      measure(scene.system, scene.state).kinetic, scene.iterations / 240.0, 1e3 * (seconds() - began) / 240);
  if (!file) return;
  std::ofstream out(file);
  for (int i = 0; i < scene.system.points(); ++i) out << "v " << point(scene.state.x, i).transpose() << "\n";
  for (const auto& t : scene.triangles) out << "f " << t[0] + 1 << " " << t[1] + 1 << " " << t[2] + 1 << "\n";
}

}  // namespace
}  // namespace verve::test

int main(int argc, char** argv) {
  using namespace verve::test;
  const char* what = argc > 1 ? argv[1] : "all";
  const auto wanted = [&](const char* name) { return !std::strcmp(what, name) || !std::strcmp(what, "all"); };
  if (wanted("bounces")) bounces(10000);
  if (wanted("bowls")) bowls(2000);
  if (wanted("ditto")) ditto(2000);
  if (wanted("search")) search();
  if (wanted("pile")) pile(argc > 2 ? argv[2] : nullptr);
}
