// A program of your own that uses the installed library: runs the first frames of a scene and tells how far
// its bodies fell. Build it by `cmake -S examples/cpp -B out/cpp -DCMAKE_PREFIX_PATH=WHERE_VERVE_IS && cmake
// --build out/cpp`.
#include <verve/scene/SceneFile.h>
#include <verve/simulation/Simulation.h>

#include <cmath>
#include <cstdio>

int main(int count, char** words) {
  if (count != 2) return std::fprintf(stderr, "usage: fall SCENE.json\n"), 2;
  const verve::SceneFile file = verve::read_scene(words[1], {"frames=[1,3]"});
  verve::Simulation simulation(file.scene);
  const verve::Vector start = 1.0 * simulation.state().x;  // x, y, z of every point, m
  verve::FrameReport report;
  while (simulation.frame() < 3) report = simulation.advance();
  const verve::Vector fallen = start - simulation.state().x;
  std::printf("fell by %.4f m, ledger %.1e\n", fallen[1], report.ledger_error());
  return fallen[1] > 0.0 && fallen.allFinite() && std::abs(report.ledger_error()) < 1e-6 ? 0 : 1;
}
