// What contact promises, in figures: energy through thousands of bounces, the share of the search in a step,
// a pile.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

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
    if (model != TetModel::stvk) scene.settings.gauss = 3, scene.settings.correction = Correction::local;
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

/// The AVF paper's experiment (figures 12 and 13): a blob on the floor, without damping and with it. Damped,
/// the energy that is left counts; beside it what the books say was taken.
void ditto(int steps) {
  for (double delta : {0.0, 0.002})
    for (ContactRule rule : {ContactRule::exact, ContactRule::paper}) {
      ContactScene scene;
      scene.add(make_blob(1, .149), {TetModel::stvk, 35, 20, 1}, {0, 1, 0});
      scene.contact.settings.rule = rule;
      scene.contact.colliders = {collider("floor", plane_shape({0, 1, 0}, 0), 200)};
      scene.settings.newton.tolerance = 1e-10;
      scene.settings.damping.delta = delta;
      char name[64];
      std::snprintf(name, sizeof name, "ditto, %d points, %s, delta %g", scene.system.points(),
                    rule == ContactRule::exact ? "exact" : "paper", delta);
      run(name, scene, steps);
      if (delta == 0.0) continue;
      double highest = 0.0;
      for (int i = 0; i < scene.system.points(); ++i)
        highest = std::max(highest, point(scene.state.v, i).norm());
      std::printf("  ledger error %.1e, fastest point at the end %.2g m/s\n", scene.ledger_error(), highest);
    }
}

/// How long the search and the looks at the geometry take beside the whole step, with every one of the 1024
/// points of a cloth, or half of those of a plate, in touch with waves that move.
void search() {
  const auto waves = std::make_shared<TriangleMesh>(make_sheet({4, 4}, {224, 224}));
  const auto height = [](const Vec3& p) { return .03 * std::sin(3 * p.x()) * std::cos(3 * p.z()); };
  for (Vec3& p : waves->points) p.y() = height(p);
  for (bool cloth : {true, false}) {
    ContactScene scene;
    TriangleMesh sheet = make_sheet({1, 1}, {31, 31});
    for (Vec3& p : sheet.points) p.y() = height(p) + .018;
    if (cloth)
      scene.add_sheet(sheet, 200, 1, {0, 0, 0});
    else
      scene.add(make_box({1, .05, 1}, {22, 1, 22}), {TetModel::stvk, 400, 200, 4}, {0, .05, 0});
    scene.add_skins();
    ColliderSpec spec = collider("waves", nullptr, 2e2);
    spec.mesh = waves;
    spec.thickness = .02;
    spec.static_friction = spec.dynamic_friction = .5;
    spec.deform = [waves](double time, std::vector<Vec3>& points) {
      points = waves->points;
      const double now = std::cos(2 * time);
      for (Vec3& p : points) p.y() *= now;
    };
    scene.contact.colliders = {spec};
    scene.settings.damping.delta = .005;
    scene.settings.newton.tolerance = 1e-6;
    scene.begin();
    Contacts& contacts = *scene.system.contacts;
    constexpr int settling = 24, steps = 48;
    double whole = 0.0, search = 0.0, look = 0.0, touching = 0.0;
    int looks = 0, least = scene.system.points();
    for (int i = 0; i < settling + steps; ++i) {
      const State before = scene.state;
      const double began = seconds();
      scene.step();
      if (i < settling) continue;
      whole += seconds() - began;
      looks += contacts.looks();
      touching += scene.state.contact.touching / double(steps);
      least = std::min(least, scene.state.contact.touching);
      // The same search and look once more, by the clock.
      Chord chord;
      chord.x0 = before.x;
      chord.samples = {{0.5, 3e-4}, {1.0, 1e-4}};
      chord.average = true;
      const int times = contacts.looks();
      // A step finds the collider where the last one left it.
      ContactState state = before.contact;
      contacts.begin_step(before.x, before.v, before.time - scene.h, scene.h, state);
      state = before.contact;
      const double again = seconds();
      contacts.begin_step(before.x, before.v, before.time, scene.h, state);
      const double found = seconds();
      contacts.update_correction(chord, scene.state.x);
      const double looked = seconds();
      // Later looks of a step find the points not far from where the first one did.
      const Vector later = scene.state.x + 0.01 * (scene.state.x - before.x);
      const double next = seconds();
      contacts.update_correction(chord, later);
      search += found - again;
      look += looked - found + (times - 1) * (seconds() - next);
    }
    std::printf(
        "%s of %d points on 100352 animated triangles: %.0f touching (at least %d), %.1f iterations, "
        "%.1f ms a step: search %.2f ms (%.1f %%), %.1f looks %.2f ms (%.1f %%), both %.1f %%\n",
        cloth ? "cloth" : "plate", scene.system.points(), touching, least,
        scene.iterations / double(settling + steps), 1e3 * whole / steps, 1e3 * search / steps,
        100 * search / whole, looks / double(steps), 1e3 * look / steps, 100 * look / whole,
        100 * (search + look) / whole);
  }
}

/// A block on a slope of 30 degrees: it sticks at mu = .8 and slides at mu = .2.
void slope() {
  const double angle = M_PI / 6, g = 9.81;
  for (double h : {1.0 / 24, 1.0 / 240})
    for (double mu : {.8, .2}) {
      ContactScene scene;
      scene.h = h;
      scene.system.gravity = {g * std::sin(angle), -g * std::cos(angle), 0};
      // It starts where the floor carries it: each of the 9 points below bears its share.
      const double k = 2e4, sink = g * std::cos(angle) / (9 * 2 * k);
      scene.add(make_box({.5, .2, .5}, {2, 1, 2}), {TetModel::stvk, 2e4, 1e4, 1}, {0, .1 - sink, 0});
      ColliderSpec floor = collider("slope", plane_shape({0, 1, 0}, 0), k);
      floor.static_friction = floor.dynamic_friction = mu;
      scene.contact.colliders = {floor};
      scene.settings.damping.delta = .0005;
      scene.settings.newton.tolerance = 1e-9;
      scene.begin();
      const auto centre = [&] {
        double sum = 0.0;
        for (int i = 0; i < scene.system.points(); ++i)
          sum += scene.system.mass[3 * i] * point(scene.state.x, i).x();
        return sum;
      };
      const auto speed = [&] { return momenta(scene.system, scene.state.x, scene.state.v).linear.x(); };
      const auto run_until = [&](double time) {
        while (scene.state.time < time - 1e-9 && scene.step()) continue;
      };
      run_until(1);
      const double x1 = centre(), v1 = speed(), t1 = scene.state.time;
      run_until(mu > .5 ? 11 : 4);
      if (mu > .5) {
        std::printf("slope, h = 1/%.0f, mu %.1f: drift in 10 s %.2e m, ledger %.1e\n", 1 / h, mu,
                    centre() - x1, scene.ledger_error());
      } else {
        const double a = (speed() - v1) / (scene.state.time - t1);
        const double exact = g * (std::sin(angle) - mu * std::cos(angle));
        std::printf("slope, h = 1/%.0f, mu %.1f: acceleration %.4f m/s^2, %.3f %% off theory, ledger %.1e\n",
                    1 / h, mu, a, 100 * std::abs(a / exact - 1), scene.ledger_error());
      }
    }
}

/// Two cubes that start 10 cm inside each other, and one that starts 10 cm in the floor.
void overlap() {
  for (bool floor : {false, true}) {
    ContactScene scene;
    scene.system.gravity.setZero();
    const Material material{TetModel::stvk, 4000, 2000, 1};
    scene.add(make_box({.4, .4, .4}, {3, 3, 3}), material, {0, .1, 0});
    if (!floor) scene.add(make_box({.4, .4, .4}, {2, 2, 2}), material, {.07, .4, .05});
    scene.add_skins();
    scene.contact.settings.between = true;
    scene.contact.settings.stiffness = 2e3;
    if (floor) scene.contact.colliders = {collider("floor", plane_shape({0, 1, 0}, 0), 2e3)};
    scene.settings.newton.tolerance = 1e-10;
    scene.begin();
    double worst = 0.0, fastest = 0.0;
    for (int i = 0; i < 60 && scene.step(); ++i) {
      worst = std::max(worst, std::abs(scene.ledger_error()));
      fastest = std::max(fastest, scene.state.v.lpNorm<Eigen::Infinity>());
    }
    std::printf("10 cm inside %s, eased out over .5 s: ledger error %.1e, fastest %.2f m/s, %.4f m left\n",
                floor ? "the floor" : "each other", worst, fastest, scene.state.contact.deepest);
  }
}

/// The deepest that any point of a body is inside another, against their true surfaces.
double deepest_inside(const ContactScene& scene) {
  double deepest = 0.0;
  std::vector<MeshShape> shapes;
  std::vector<std::vector<int>> points;
  for (const ContactBody& body : scene.contact.bodies) {
    TriangleMesh mesh{{}, body.triangles};
    std::map<int, int> local;
    points.emplace_back();
    for (auto& t : mesh.triangles)
      for (int& p : t) {
        const auto [place, added] = local.insert({p, int(mesh.points.size())});
        if (added) mesh.points.push_back(point(scene.state.x, p)), points.back().push_back(p);
        p = place->second;
      }
    shapes.emplace_back(std::make_shared<const MeshSurface>(mesh, body.name), mesh.points);
  }
  for (std::size_t a = 0; a < shapes.size(); ++a)
    for (std::size_t b = 0; b < shapes.size(); ++b)
      if (a != b && shapes[a].bounds().intersects(shapes[b].bounds()))
        for (int p : points[a])
          deepest = std::max(deepest, -shapes[b].distance(point(scene.state.x, p), 0.0).value);
  return deepest;
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
  ColliderSpec bowl = collider("bowl", sphere_shape({0, 1.3, 0}, 1.3, true), 4000);
  bowl.static_friction = bowl.dynamic_friction = .5;
  scene.contact.colliders = {floor, bowl};
  scene.settings.damping.delta = .02;
  scene.settings.damping.eta = .5;
  scene.settings.newton.tolerance = 1e-6;
  scene.begin();
  double deepest = 0.0, inside = 0.0, below = 0.0;
  const double began = seconds();
  int frame = 0;
  for (; frame < 240 && scene.step(); ++frame) {
    deepest = std::max(deepest, scene.state.contact.deepest);
    inside = std::max(inside, deepest_inside(scene));
    for (int i = 0; i < scene.system.points(); ++i)
      below = std::max(below, (point(scene.state.x, i) - Vec3(0, 1.3, 0)).norm() - 1.3);
  }
  std::printf(
      "pile: %d of 240 frames, %d points, %d touching, springs at most %.4f m deep (contact begins %.2f m "
      "outside), a point at most %.4f m inside another body and %.4f m in the bowl, kinetic %.3g J, %.1f "
      "iterations, %.1f ms a "
      "frame\n",
      frame, scene.system.points(), scene.state.contact.touching, deepest, scene.contact.settings.thickness,
      inside, below, measure(scene.system, scene.state).kinetic, scene.iterations / 240.0,
      1e3 * (seconds() - began) / 240);
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
  if (wanted("slope")) slope();
  if (wanted("overlap")) overlap();
  if (wanted("pile")) pile(argc > 2 ? argv[2] : nullptr);
}
