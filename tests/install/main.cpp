// A program of somebody else's that uses the library, compiled with the flags that the library brings and no others.
#include <io/SceneFile.h>
#include <simulation/Simulation.h>

#include <cmath>
#include <cstdio>

int main(int, char** argv) {
  const verve::SceneFile file = verve::read_scene(argv[1], {"frames=[1,3]"});
  verve::Simulation simulation(file.scene);
  const verve::Vector start = 1.0 * simulation.state().x;  // memory of Eigen's that goes back and forth
  verve::FrameReport report;
  while (simulation.frame() < 3) report = simulation.advance();
  const verve::Vector fallen = start - simulation.state().x;
  std::printf("fell by %.4f m, ledger %.1e\n", fallen[1], report.ledger_error());
  return fallen[1] > 0.0 && fallen.allFinite() && std::abs(report.ledger_error()) < 1e-6 ? 0 : 1;
}
