#include "integrator/ChordScheme.h"

#include "integrator/ChordSolver.h"
#include "integrator/MomentumProjection.h"
#include "integrator/Stability.h"

namespace verve {

namespace {

class ChordIntegrator final : public Integrator {
 public:
  ChordIntegrator(System& system, const ChordScheme& scheme, const IntegratorSettings& settings,
                  std::shared_ptr<StrainFlow> filter)
      : scheme_(scheme), project_(settings.project_momentum), solver_(system, settings, std::move(filter)) {
    if (scheme.closing == ChordScheme::Closing::momentum) {
      solver_.damping_use = {scheme.samples[0].s, true};
      solver_.constraint_place = 0.0;
    } else if (scheme.closing == ChordScheme::Closing::trapezoid) {
      solver_.constraint_place = 0.5;
    }
    solver_.chord.samples = scheme.samples;
    solver_.chord.average = scheme.average;
    double average = scheme.start;
    for (const Sample& j : scheme.samples) average += j.w * j.s;
    solver_.chord.start_share = scheme.start / average;
  }

  StepReport step(const Drivers& drivers, State& state, double h) override {
    const System& system = solver_.system();
    if (project_) projection_.begin(system, state);
    solver_.begin(drivers, state, h);
    for (std::size_t j = 0; j < scheme_.samples.size(); ++j)
      solver_.chord.samples[j].w = h * h * scheme_.samples[j].w;
    solver_.predictor = state.x + h * state.v;
    if (scheme_.start != 0.0)
      solver_.predictor.array() -=
          h * h * scheme_.start * solver_.start_gradient().array() / system.mass.array();

    StepReport report;
    report.add(solver_.solve(state));
    if (!report.solved) return report;

    v_ = (solver_.x() - state.x) / h;
    if (scheme_.closing == ChordScheme::Closing::trapezoid) {
      v_ = 2.0 * v_ - state.v;
    } else if (scheme_.closing == ChordScheme::Closing::momentum) {
      const double alpha = scheme_.samples[0].s;
      v_.array() -= h * alpha * (solver_.average_gradient() - solver_.force()).array() / system.mass.array();
    }
    const bool variational = scheme_.closing == ChordScheme::Closing::momentum;
    // The trapezoidal rule and the midpoint's have several solutions, of which a guess chooses one: theirs
    // stays the papers' own.
    if (variational || scheme_.average) {
      state.x_before = state.x;
      state.h_before = h;
    }
    if (variational) state.v_before = state.v;
    if (project_) solver_.outside_force(outside_);
    solver_.end(v_, state);
    if (variational) {
      report.problem = blow_up(system, state, h);
      report.solved = report.problem.empty();
    }
    if (project_) projection_.end(system, h, outside_, state);
    return report;
  }
  void forget() override { solver_.forget(); }
  void watch(std::function<void(double)> look) override { solver_.watch(std::move(look)); }
  void trace(NewtonTrace trace) override { solver_.trace(std::move(trace)); }

 private:
  ChordScheme scheme_;
  bool project_;
  ChordSolver solver_;
  MomentumProjection projection_;
  Vector v_, outside_;
};

}  // namespace

std::unique_ptr<Integrator> make_chord_integrator(System& system, const ChordScheme& scheme,
                                                  const IntegratorSettings& settings,
                                                  std::shared_ptr<StrainFlow> filter) {
  return std::make_unique<ChordIntegrator>(system, scheme, settings, std::move(filter));
}

}  // namespace verve
