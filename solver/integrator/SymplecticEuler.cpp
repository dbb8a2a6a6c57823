#include "integrator/SymplecticEuler.h"

#include "contact/Contacts.h"
#include "integrator/Boundary.h"

namespace verve {
namespace {

class SymplecticEuler final : public Integrator {
 public:
  explicit SymplecticEuler(System& system) : system_(system) {}

  StepReport step(const Drivers& drivers, State& state, double h) override {
    boundary_.begin(system_, drivers, state, h);
    chord_.x0 = state.x;
    chord_.samples = {{1.0, 1.0}};
    gradient_ = -system_.weight;
    for (const auto& energy : system_.elastic) energy->at(state.x, &gradient_);
    system_.targets.add_start_gradient(state.x, gradient_);
    if (system_.contacts) system_.contacts->add_explicit_gradient(state.x + h * state.v, gradient_);
    v_ = state.v.array() + h * (boundary_.force() - gradient_).array() / system_.mass.array();
    x_ = state.x + h * v_;
    boundary_.place(x_);
    boundary_.end(system_, chord_, gradient_, x_, v_, state);
    StepReport report;
    report.solved = state.x.allFinite() && state.v.allFinite();
    return report;
  }

 private:
  System& system_;
  Boundary boundary_;
  Chord chord_;
  Vector gradient_, x_, v_;
};

}  // namespace

std::unique_ptr<Integrator> make_symplectic_euler(System& system) {
  return std::make_unique<SymplecticEuler>(system);
}

}  // namespace verve
