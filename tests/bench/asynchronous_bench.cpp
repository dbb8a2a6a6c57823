// The asynchronous integrator: events a second and their growth, what threads gain, 1e5 contacts, the two
// layer laws, the sphere-plate impact. Arguments: any of "events", "threads", "contacts", "laws", "impact
// [rings of the shell, of the plate, milliseconds]"; all but the last without any.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "Scenes.h"
#include "asynchronous/Asynchronous.h"
#include "asynchronous/Impact.h"
#include "base/Parallel.h"
#include "simulation/SceneDrivers.h"

namespace verve {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void bench_events() {
  std::printf("%10s %10s %14s %12s %14s\n", "scene", "elements", "events/frame", "Mevents/s", "ns/event");
  const auto row = [](const char* name, const Scene& scene, int frames) {
    Simulation simulation(scene);
    simulation.advance();
    double events = 0.0;
    const double begin = now();
    for (int f = 0; f < frames; ++f) events += double(simulation.advance().steps.events);
    const double seconds = now() - begin;
    int elements = 0;
    for (const auto& energy : simulation.system().elastic) elements += energy->elements();
    std::printf("%10s %10d %14.3g %12.2f %14.1f\n", name, elements, events / frames, 1e-6 * events / seconds,
                1e9 * seconds / events);
  };
  for (const int n : {8, 16, 32, 64}) {
    Scene scene = test::bar_scene(TetModel::stvk, 1.2, 0.5, {2 * n, n / 4, n / 4});
    scene.integrator.type = IntegratorType::asynchronous;
    row("bar", scene, n > 32 ? 2 : 8);
  }
  for (const int n : {8, 16, 32, 64}) {
    Scene scene = test::sheet_scene(1.2, 1e-3, {n, n});
    scene.integrator.type = IntegratorType::asynchronous;
    row("sheet", scene, n > 32 ? 4 : 16);
  }
  for (const int n : {8, 12, 16}) row("needle", test::needle_scene(n), 20);
}

/// One thread against all, taking turns.
void bench_threads() {
  std::printf("%10s %10s %10s %12s %14s\n", "scene", "points", "elements", "ms/frame", "all threads");
  const auto row = [](const char* name, const Scene& scene, int frames) {
    Simulation one(scene), all(scene);
    double seconds[2] = {0.0, 0.0};
    for (int f = 0; f < frames; ++f)
      for (const bool many : {false, true}) {
        const ThreadLimit limit(many ? 0 : 1);
        const double begin = now();
        (many ? all : one).advance();
        seconds[many] += now() - begin;
      }
    int elements = 0;
    for (const auto& energy : one.system().elastic) elements += energy->elements();
    std::printf("%10s %10d %10d %12.1f %13.2fx\n", name, scene.points(), elements, 1e3 * seconds[0] / frames,
                seconds[0] / seconds[1]);
  };
  for (const int n : {16, 32, 64}) {
    Scene scene = test::bar_scene(TetModel::stvk, 1.2, 0.5, {2 * n, n / 4, n / 4});
    scene.integrator.type = IntegratorType::asynchronous;
    row("bar", scene, 4);
  }
  row("needle", test::needle_scene(16), 20);
  row("needle", test::needle_scene(48), 4);
  row("impact", test::impact_scene(14, 16), 20);
  row("impact", test::impact_scene(28, 32), 20);
}

void bench_contacts() {
  std::printf("1e5 contacts of a cube in a room, safety 0.02: largest relative energy error\n");
  for (const LayerSpacing spacing : {LayerSpacing::resting, LayerSpacing::impact}) {
    const Scene scene = test::bouncing_scene(spacing, 0.02);
    System system;
    State state;
    compile(scene, system, state);
    record(measure(system, state), state.ledger);
    const SceneDrivers drivers(scene, system, state.x);
    test::ContactCount contacts(scene.contact.thickness);
    const auto integrator =
        make_asynchronous(system, scene.integrator, [&](int i, double, const Vec3& x) { contacts(i, x); });
    double worst = 0.0;
    const double begin = now();
    for (int next = 1000; contacts.count < 100000;) {
      integrator->step(drivers, state, 1.0 / 30.0);
      record(measure(system, state), state.ledger);
      worst = std::max(worst, std::abs(state.ledger.error(measure(system, state).total())));
      if (contacts.count < next) continue;
      std::printf("  %-8s %7d contacts  %8.1f s  worst %.5f\n",
                  spacing == LayerSpacing::resting ? "resting" : "impact", contacts.count, state.time, worst);
      std::fflush(stdout);
      next *= 10;
    }
    std::printf("  %-8s took %.0f s\n", spacing == LayerSpacing::resting ? "resting" : "impact",
                now() - begin);
  }
}

void bench_laws() {
  std::printf("%-26s %-8s %12s %14s\n", "scene", "law", "events", "deepest layer");
  for (const bool fast : {false, true})
    for (const LayerSpacing spacing : {LayerSpacing::resting, LayerSpacing::impact}) {
      const Scene scene = test::laws_scene(spacing, fast);
      Simulation simulation(scene);
      double events = 0.0;
      int deepest = 0;
      for (int f = 0; f < 30; ++f) {
        const FrameReport r = simulation.advance();
        events += double(r.steps.events);
        deepest = std::max(deepest, r.steps.deepest_layer);
      }
      std::printf("%-26s %-8s %12.4g %14d\n", fast ? "fast impact, 50 m/s" : "slow resting contact",
                  spacing == LayerSpacing::resting ? "resting" : "impact", events, deepest);
    }
}

/// Two curves of energy over time.
void write_svg(const char* path, const std::vector<double>& time, const std::vector<double> (&curve)[2]) {
  double low = 1e300, high = -1e300;
  for (const auto& c : curve)
    for (double e : c) low = std::min(low, e), high = std::max(high, e);
  const double top = high + 0.1 * (high - low), bottom = low - 0.1 * (high - low);
  std::ofstream out(path);
  out << "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='500' font-family='sans-serif' "
         "font-size='14'>\n"
      << "<rect width='900' height='500' fill='white'/>\n<rect x='90' y='30' width='780' height='400' "
         "fill='none' "
         "stroke='black'/>\n";
  const char* const colour[] = {"#c22", "#228"};
  const char* const name[] = {"asynchronous, penalty layers", "decomposition contact response"};
  for (int k = 0; k < 2; ++k) {
    out << "<polyline fill='none' stroke='" << colour[k] << "' points='";
    for (std::size_t i = 0; i < time.size(); ++i)
      out << 90 + 780 * time[i] / time.back() << ',' << 430 - 400 * (curve[k][i] - bottom) / (top - bottom)
          << ' ';
    out << "'/>\n<text x='110' y='" << 390 + 20 * k << "' fill='" << colour[k] << "'>" << name[k]
        << "</text>\n";
  }
  char label[64];
  for (double e : {low, high}) {
    std::snprintf(label, sizeof label, "%.4g J", e);
    out << "<text x='10' y='" << 435 - 400 * (e - bottom) / (top - bottom) << "'>" << label << "</text>\n";
  }
  std::snprintf(label, sizeof label, "%.3g ms", 1e3 * time.back());
  out << "<text x='430' y='465'>time</text><text x='820' y='450'>" << label
      << "</text>\n<text x='90' y='20'>Total energy, sphere against plate at 100 m/s</text></svg>\n";
}

void bench_impact(int shell_rings, int plate_rings, double milliseconds) {
  const Scene scene = test::impact_scene(shell_rings, plate_rings);
  Simulation simulation(scene);
  test::DecompositionResponse other(scene);
  std::vector<double> time, energy[2];
  std::ofstream csv("impact.csv");
  csv << "time,layers,decomposition\n";
  double seconds[2] = {0.0, 0.0}, events = 0.0;
  int deepest = 0;
  const int frames = int(milliseconds * 1e-3 * scene.fps);
  for (int f = 0; f <= frames; ++f) {
    time.push_back(f / scene.fps);
    energy[0].push_back(simulation.report().levels.total());
    energy[1].push_back(other.energy());
    csv << time.back() << ',' << energy[0].back() << ',' << energy[1].back() << '\n';
    double begin = now();
    const FrameReport r = simulation.advance();
    events += double(r.steps.events);
    deepest = std::max(deepest, r.steps.deepest_layer);
    seconds[0] += now() - begin;
    begin = now();
    const int steps = int(1.0 / (scene.fps * 1e-7) + 0.5);
    for (int k = 0; k < steps; ++k) other.step(1e-7);
    seconds[1] += now() - begin;
  }
  write_svg("impact.svg", time, energy);
  std::printf("sphere-plate impact, %d points, %.3g ms: impact.csv, impact.svg\n", scene.points(),
              milliseconds);
  for (int k = 0; k < 2; ++k) {
    double low = 1e300, high = -1e300;
    for (double e : energy[k]) low = std::min(low, e), high = std::max(high, e);
    std::printf("  %-14s energy at the end %+.4f %%, between %+.4f %% and %+.4f %%, %.1f s\n",
                k == 0 ? "layers" : "decomposition", 100 * (energy[k].back() / energy[k][0] - 1),
                100 * (low / energy[k][0] - 1), 100 * (high / energy[k][0] - 1), seconds[k]);
  }
  std::printf("  %.3g events, deepest layer %d\n", events, deepest);
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  const auto asked = [&](const char* word) {
    for (int i = 1; i < argc; ++i)
      if (std::strcmp(argv[i], word) == 0) return i;
    return argc == 1 && std::strcmp(word, "impact") != 0 ? 1 : 0;
  };
  if (asked("threads")) verve::bench_threads();
  const verve::ThreadLimit one_core(1);
  if (asked("events")) verve::bench_events();
  if (asked("laws")) verve::bench_laws();
  if (asked("contacts")) verve::bench_contacts();
  if (const int at = asked("impact")) {
    const auto number = [&](int i, double fallback) {
      return at + i < argc ? std::atof(argv[at + i]) : fallback;
    };
    verve::bench_impact(int(number(1, 10)), int(number(2, 10)), number(3, 2.0));
  }
}
