// Runs a scene frame by frame.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "base/Error.h"
#include "base/PhaseTimes.h"
#include "simulation/Scene.h"
#include "simulation/StepControl.h"

namespace verve {

/// What a frame looked like and what it took: a row of report.csv.
struct FrameReport {
  int frame = 0;
  double time = 0.0;  ///< seconds since the first frame
  EnergyLevels levels;
  Ledger ledger;
  Momenta momentum;
  StepReport steps;
  int inverted = 0;
  int contacts = 0;
  double penetration = 0.0;  ///< of the point deepest behind a collider's surface, m
  int passed = 0;            ///< points that went through a closed collider in the frame
  double grown =
      0.0;           ///< energy beyond what work and contact brought since the start, where it is too much, J
  int halvings = 0;  ///< how often a step did not converge and was made in two halves instead
  int substeps = 0;  ///< steps that the frame was made of
  int finest = 1;    ///< into how many parts the shortest of them would cut the frame
  bool bound = false;  ///< the motion asked for shorter steps than `substeps` or `substeps_max` allow
  double constraint_force = 0.0;  ///< the largest that a constraint took during the last step, N
  double constraint_gap = 0.0;    ///< by how much the worst constraint is missed, m
  double seconds = 0.0;

  double ledger_error() const { return ledger.error(levels.total()); }
  double raw_drift() const { return ledger.raw_drift(levels.total()); }
};

/// Thrown when the run is cancelled; the simulation stays at the last whole frame.
class Cancelled : public SimulationError {
 public:
  Cancelled() : SimulationError("cancelled") {}
};

class Islands;
class PaintedMaps;

class Simulation {
 public:
  enum class Begin {
    prepared,  ///< bodies that ask for it are settled and made free of sag
    given,     ///< as the scene has them: the state of a run that has begun is to be restored
    part,      ///< the same, and its bodies always make their steps together
  };
  /// Throws an Error for scenes that cannot run. The simulation keeps a scene of its own.
  explicit Simulation(Scene scene, Begin begin = Begin::prepared);
  /// The same without a copy, for scenes that are large.
  explicit Simulation(std::shared_ptr<const Scene> scene, Begin begin = Begin::prepared);

  const Scene& scene() const { return scene_; }
  System& system() { return system_; }
  const State& state() const { return state_; }
  int frame() const { return frame_; }

  /// An estimate of the largest step (s) with which the integrator is stable for small swings about the
  /// present state and in contact; infinite for those that any step suits.
  double stable_step() const;

  /// What is odd about how the bodies begin but can be lived with.
  const std::vector<std::string>& notes() const { return notes_; }

  /// The present frame as it stands.
  FrameReport report() const;
  /// Steps to the next frame. Throws SimulationError when that cannot be done; the state is then the frame
  /// before.
  FrameReport advance();
  /// Goes on from a saved frame.
  void restore(int frame, const State& state);

  /// When it becomes true, advance() throws Cancelled as soon as it can. May be set from any thread.
  void watch(const std::atomic<bool>* cancel) { cancel_ = cancel; }
  /// The same for hosts that want to be asked: called before each step and from time to time within long
  /// ones, on the thread that called advance(), with the simulated time that was reached.
  void ask(std::function<bool(double time)> cancel) { ask_ = std::move(cancel); }
  /// Puts other drivers in the place of the scene's pins, targets and pushes. Of a simulation that was begun
  /// as given.
  void drive(std::unique_ptr<Drivers> drivers) { drivers_ = std::move(drivers); }
  /// Settles the bodies of the first state that ask for it, and opens the books anew.
  void prepare();
  /// Tells of every event of the implicit steps' minimisations.
  void trace(NewtonTrace trace) {
    trace_ = trace;
    integrator_->trace(std::move(trace));
  }
  /// Charges what frames take to their phases from now on; null ends that. Costs nothing where it is not
  /// asked.
  void time_phases(PhaseTimes* times) { times_ = times; }
  /// Called from time to time within long steps, with the simulated time in seconds.
  void show(std::function<void(double time)> progress) { progress_ = std::move(progress); }

 private:
  void settle();
  void free_of_sag();
  void step(double h, int halvings, FrameReport& report);
  /// Makes the frame of as many steps as suit the motion.
  void step_by_motion(FrameReport& report);
  /// Makes one step. False when it failed; the state is then what it was.
  bool try_step(double h, int halvings, FrameReport& report, std::string& problem);
  /// Brings the books up to date after a step of h seconds that is kept.
  void keep_step(double h);
  [[noreturn]] void give_up(const std::string& problem) const;
  bool cancelled(double time) const { return (cancel_ && *cancel_) || (ask_ && ask_(time)); }
  void look(double time) const;
  double missed(const State& before, double h);
  bool turns_over(const Vector& x, int halvings) const;
  double growth_allowed() const;

  // Both stand by themselves, so that whatever refers to them may go on doing so when the simulation is
  // moved.
  std::shared_ptr<const Scene> owned_scene_;
  std::unique_ptr<System> owned_system_;
  const Scene& scene_;
  System& system_;
  State state_;
  std::vector<State> saved_;  ///< a copy for each depth of halving
  int frame_;
  std::vector<std::string> notes_;
  std::unique_ptr<Drivers> drivers_;
  std::shared_ptr<PaintedMaps> maps_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<StepControl> control_;  ///< none for integrators whose steps are not free to choose
  std::shared_ptr<Islands> islands_;      ///< none: all bodies make their steps together
  NewtonTrace trace_;
  PhaseTimes* times_ = nullptr;
  const std::atomic<bool>* cancel_ = nullptr;
  std::function<bool(double)> ask_;
  std::function<void(double)> progress_;
};

}  // namespace verve
