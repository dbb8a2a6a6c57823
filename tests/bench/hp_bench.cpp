// The HP paper's figures: 2,000,000 explicit steps of a free rod (figure 2), the same damped (figure 3), and
// 10,000 swings of a pendulum (figure 1). Prints a table for each.
#include <cstdio>
#include <cstdlib>

#include "Systems.h"
#include "scheme/MakeIntegrator.h"

namespace verve {
namespace {

using test::Case;

/// 162 tets, 1 kg, stretched and turning.
Case free_rod() {
  Case c = test::make_bar(400, 100, {2, .2, .2}, {27, 1, 1});
  const Vec3 w(0.3, 1.0, -0.5);
  for (int i = 0; i < c.system.points(); ++i) {
    point(c.state.x, i)[0] *= 1.05;
    const Vec3 x = point(c.state.x, i);
    point(c.state.v, i) = w.cross(x) + Vec3(0.2, 0.1, 0.3);
  }
  test::reopen(c);
  return c;
}

void figures_2_and_3(double kd, int steps) {
  Case c = free_rod();
  IntegratorSettings settings;
  settings.type = IntegratorType::hp;
  settings.alpha = 0.0;
  settings.damping.model = DampingModel::hp;
  settings.damping.delta = kd;
  const auto integrator = make_integrator(c.system, settings);
  const Momenta start = momenta(c.system, c.state.x, c.state.v);
  std::printf("\nfree rod, explicit, kD = %g s\n%10s %12s %12s %12s\n", kd, "steps", "energy", "linear",
              "angular");
  const double h = 1e-3;
  for (int i = 1; i <= 10; ++i) {
    double mean = 0.0;
    for (int k = 0; k < steps / 10; ++k) {
      if (!integrator->step(test::FixedPins(), c.state, h).solved) return void(std::printf("blew up\n"));
      if (k % 100 == 0) mean += c.total();
    }
    mean /= (steps / 10 + 99) / 100;
    const Momenta now = momenta(c.system, c.state.x, c.state.v);
    std::printf("%10d %12.6f %12.2e %12.2e\n", i * (steps / 10), mean / c.state.ledger.start_total,
                (now.linear - start.linear).norm() / start.linear.norm(),
                (now.angular - start.angular).norm() / start.angular.norm());
    std::fflush(stdout);
  }
}

/// Let go at the side: 2.36 s a swing. The energy's error as a share of m g l, at its worst in each tenth.
void figure_1(const char* name, IntegratorType type, double alpha, int swings) {
  Case c;
  c.rest = c.state.x = test::stacked({{1, 0, 0}});
  c.system.mass = Vector::Ones(3);
  c.system.gravity = {0, -9.81, 0};
  c.system.constraints = ConstraintSet(
      {{Constraint::Kind::distance_place, {0}, {}, Vec3::Zero(), Vec3::UnitY(), 1.0}}, c.state.x);
  test::finish(c);
  IntegratorSettings settings;
  settings.type = type;
  settings.alpha = alpha;
  settings.newton.tolerance = 1e-11;
  const auto integrator = make_integrator(c.system, settings);
  const double h = 1.0 / 60;
  const int steps = int(swings * 2.36 / h) / 10;
  std::printf("%-16s", name);
  for (int i = 0; i < 10; ++i) {
    double worst = 0.0;
    for (int k = 0; k < steps; ++k) {
      if (!test::run(c, *integrator, 1, h)) return void(std::printf(" not solved\n"));
      worst = std::max(worst, std::abs(c.total()) / 9.81);
    }
    std::printf(" %9.2e", worst);
    std::fflush(stdout);
  }
  std::printf("\n");
}

/// The explicit rule that the paper warns of, in the pendulum's angle.
void explicit_euler(int swings) {
  const double h = 1.0 / 60;
  const int steps = int(swings * 2.36 / h) / 10;
  double angle = M_PI / 2, spin = 0.0;
  std::printf("%-16s", "explicit Euler");
  for (int i = 0; i < 10; ++i) {
    double worst = 0.0;
    for (int k = 0; k < steps; ++k) {
      const double pull = -9.81 * std::sin(angle);
      angle += h * spin;
      spin += h * pull;
      worst = std::max(worst, std::abs(0.5 * spin * spin - 9.81 * std::cos(angle)) / 9.81);
    }
    std::printf(" %9.2e", worst);
  }
  std::printf("\n");
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  using namespace verve;
  const int steps = argc > 1 ? std::atoi(argv[1]) : 2000000, swings = argc > 2 ? std::atoi(argv[2]) : 10000;
  std::printf("pendulum, %d swings at 60 steps a second: worst error of the energy in each tenth\n", swings);
  figure_1("avf", IntegratorType::avf, 0.5, swings);
  figure_1("hp 1/2", IntegratorType::hp, 0.5, swings);
  figure_1("hp 0", IntegratorType::hp, 0.0, swings);
  figure_1("backward Euler", IntegratorType::backward_euler, 0.5, swings);
  explicit_euler(swings);
  figures_2_and_3(0.0, steps);
  figures_2_and_3(1e-4, steps);
}
