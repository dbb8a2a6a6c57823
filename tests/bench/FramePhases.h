// Whole frames in contact, taken apart by phases: as a table and as stacked bars.
#pragma once

#include <cstdio>
#include <ctime>
#include <fstream>

#include "base/Parallel.h"
#include "bench/Shots.h"
#include "node/SolverNode.h"
#include "scene/SceneFile.h"
#include "simulation/Export.h"

namespace verve::bench {

/// The frames of a shot from its first touch on.
struct Phased {
  std::string shot;
  int threads = 1, frames = 0;
  double iterations = 0.0, steps = 0.0;
  double processor = 0.0;  ///< s, of all threads: a busy machine disturbs it little
  PhaseTimes times;

  double milliseconds(double seconds) const { return frames ? 1e3 * seconds / frames : 0.0; }
};

inline void print_phase_heading() {
  std::printf("| shot | threads | ms a frame | of the processors | iterations | steps |");
  for (int p = 0; p < phase_count; ++p) std::printf(" %s |", phase_name(Phase(p)));
  std::printf("\n|---|---|---|---|---|---|");
  for (int p = 0; p < phase_count; ++p) std::printf("---|");
  std::printf("\n");
}

inline void print_phases(const Phased& row) {
  std::printf("| %s | %d | %.1f | %.1f | %.1f | %.1f |", row.shot.c_str(), row.threads,
              row.milliseconds(row.times.total()), row.milliseconds(row.processor),
              row.iterations / std::max(1, row.frames), row.steps / std::max(1, row.frames));
  for (int p = 0; p < phase_count; ++p)
    std::printf(" %.0f %% |", 100.0 * row.times[Phase(p)] / row.times.total());
  std::printf("\n");
  std::fflush(stdout);
}

/// Adds the frames of a shot from its first touch on. `advance` makes one, with all that comes with it, on
/// the clock that it is given.
template <class Advance>
Phased phases_of(const std::string& name, int threads, int frames, bool meets, const Advance& advance) {
  Phased row;
  row.shot = name, row.threads = threads;
  bool touched = !meets;
  for (int f = 0; f < frames; ++f) {
    PhaseTimes times;
    const std::clock_t begin = std::clock();
    const FrameReport report = advance(times);
    const double processor = double(std::clock() - begin) / CLOCKS_PER_SEC;
    touched = touched || report.contacts > 0;
    if (!touched) continue;
    ++row.frames;
    row.processor += processor;
    row.iterations += report.steps.newton_iterations;
    row.steps += report.substeps;
    for (int p = 0; p < phase_count; ++p) row.times.seconds[std::size_t(p)] += times[Phase(p)];
  }
  print_phases(row);
  return row;
}

/// The simulation alone, and what a run writes of a frame.
inline Phased simulated(const Shot& shot, const std::string& quality, int threads) {
  const ThreadLimit limit(threads);
  const SceneFile file = make_scene(shot.scene("\"quality\": \"" + quality + "\""), shot.name, {});
  Simulation simulation(file.scene);
  const bool meets = !file.scene.colliders.empty() || file.scene.bodies.size() > 1;
  return phases_of(shot.name, threads, shot.frames, meets, [&](PhaseTimes& times) {
    simulation.time_phases(&times);
    const FrameReport report = simulation.advance();
    const PhaseClock clock(&times);
    const InPhase phase(Phase::output);
    const State& state = simulation.state();
    const PointQuantities touched{state.contact.touched};
    export_frame(simulation.scene(), state.x, state.v, report, ExportSurface::cage, &touched);
    return report;
  });
}

/// The same scene through the node, whose geometry comes from the host and goes back to it with every frame:
/// what that takes beyond the simulation is its output.
inline Phased cooked(const Shot& shot, const std::string& quality, int threads) {
  const ThreadLimit limit(threads);
  const SceneFile file = make_scene(shot.scene("\"quality\": \"" + quality + "\""), shot.name, {});
  const Simulation start(file.scene);
  const auto geometry = std::make_shared<Geometry>(
      export_frame(file.scene, start.state().x, start.state().v, start.report(), ExportSurface::cage));
  const ColliderSpec& floor = file.scene.colliders.front();
  const Body& body = file.scene.bodies.front();
  NodeSettings settings = node_settings({{"quality", {{}, quality}}});
  settings.scene.integrator = file.scene.integrator;
  settings.materials.tet_model = body.tet_material.model;
  settings.materials.lame = {body.tet_material.mu.front(), body.tet_material.lambda.front()};
  settings.materials.tet_density = body.tet_material.density.front();
  settings.ground = true;
  settings.collider.stiffness = floor.stiffness;
  settings.collider.static_friction = floor.static_friction;
  settings.collider.dynamic_friction = floor.dynamic_friction;
  const auto source = [&](int frame) {
    NodeFrame at;
    at.frame = frame;
    at.fps = file.scene.fps;
    at.settings = settings;
    at.bodies = geometry;
    return at;
  };
  SolverNode node;
  node.cook(1, source);
  int frame = 1;
  return phases_of(shot.name + " in a node", threads, shot.frames, true, [&](PhaseTimes& times) {
    const PhaseClock clock(&times);
    const InPhase phase(Phase::output);
    return node.cook(++frame, source).report;
  });
}

inline void take_apart(const Shot& shot, const std::string& quality, std::vector<Phased>& rows) {
  for (int threads : {1, 2}) rows.push_back(simulated(shot, quality, threads));
  if (shot.name == "hare 5.2K")
    for (int threads : {1, 2}) rows.push_back(cooked(shot, quality, threads));
}

/// A bar a row, each as long as the others: where the time goes, with the milliseconds beside it.
inline void plot_phases(const std::vector<Phased>& rows, const std::string& quality,
                        const std::string& path) {
  constexpr const char* colours[phase_count] = {"#9e9e9e", "#8c564b", "#2ca02c", "#1f77b4", "#d62728",
                                                "#ff9896", "#98df8a", "#9467bd", "#7f7f7f", "#e7ba52"};
  constexpr int left = 190, length = 690, height = 22, top = 66;
  std::ofstream out(path);
  out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << left + length + 110 << "' height='"
      << top + height * int(rows.size()) + 12 << "' font-family='sans-serif' font-size='12'>\n"
      << "<rect width='100%' height='100%' fill='white'/>\n<text x='10' y='20' font-size='14'>Contact frames "
         "at "
      << quality << ": where the time goes</text>\n";
  for (int p = 0; p < phase_count; ++p) {
    const int x = 10 + 98 * p;
    out << "<rect x='" << x << "' y='34' width='11' height='11' fill='" << colours[p] << "'/><text x='"
        << x + 15 << "' y='44'>" << phase_name(Phase(p)) << "</text>\n";
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const int y = top + height * int(r);
    out << "<text x='" << left - 8 << "' y='" << y + 13 << "' text-anchor='end'>" << rows[r].shot << ", "
        << rows[r].threads << "</text>\n";
    double x = left;
    for (int p = 0; p < phase_count; ++p) {
      const double width = length * rows[r].times[Phase(p)] / rows[r].times.total();
      out << "<rect x='" << x << "' y='" << y << "' width='" << width << "' height='" << height - 5
          << "' fill='" << colours[p] << "'/>\n";
      x += width;
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.1f ms", rows[r].milliseconds(rows[r].times.total()));
    out << "<text x='" << left + length + 8 << "' y='" << y + 13 << "'>" << text << "</text>\n";
  }
  out << "</svg>\n";
}

}  // namespace verve::bench
