// A simulation that is fed frame by frame with a host's geometry.
#pragma once

#include <functional>
#include <optional>

#include "node/NodeInputs.h"
#include "simulation/Checkpoint.h"
#include "simulation/ElementReport.h"
#include "simulation/Simulation.h"

namespace verve {

/// A simulated frame with all that is shown of it.
struct NodeState {
  State state;
  FrameReport report;
  ElementReport elements;  ///< inverted: primitives of the geometry

  std::size_t bytes() const;
};

/// Everything that is read anew with every frame: pins, targets, colliders and forces move straight from one
/// frame's places to the next; materials, masses and settings that change build the system again, and what
/// that does to the energy is booked as work. A pin or stopped point takes hold from where the point is.
class NodeSimulation {
 public:
  /// Begins at this frame. Throws an Error for geometry that cannot be simulated.
  explicit NodeSimulation(NodeInputs start);
  ~NodeSimulation();

  int frame() const { return inputs_.frame; }
  const NodeInputs& inputs() const { return inputs_; }
  const Scene& scene() const;
  /// The geometry's point that each point of the system is.
  const std::vector<int>& geometry_point() const { return imported_.geometry_point; }
  /// The rest position of each point of the geometry at the start.
  const std::vector<Vec3>& rest() const { return rest_; }
  const std::vector<std::string>& warnings() const { return imported_.warnings; }
  /// What is odd about the colliders but can be lived with.
  std::vector<std::string> notes() const;

  /// The present frame.
  NodeState state() const;
  /// Told the share (0 to 1) of what is being made that is done, also within long steps; true: stop.
  using Interrupt = std::function<bool(double share)>;
  /// Steps to the next frame with its inputs. Throws Cancelled when `interrupted` says so, an Error when the
  /// inputs do not fit, SimulationError when it cannot be solved; it then stays where it was.
  void advance(NodeInputs next, const Interrupt& interrupted = {});
  /// Goes on from a saved frame, whose inputs are `at`. With the `total` energy that it had, what inputs that
  /// have changed since do to it is booked as work.
  void restore(NodeInputs at, State state, std::optional<double> total = {});

 private:
  struct Drive;
  class FrameDrivers;
  /// Gives back the last build.
  std::unique_ptr<Simulation> build(const State* present);
  std::vector<TermMemory> carried(Simulation& last, const std::vector<Link>& links) const;
  void take_up(int frame, State& state, std::optional<double> total);
  void aim(const NodeInputs& from);

  NodeInputs inputs_;
  std::vector<Vec3> rest_;
  Vector start_;  ///< where the points of the geometry began
  ImportedBodies imported_;
  std::vector<int> system_point_;  ///< by point of the geometry; -1: not simulated
  std::shared_ptr<const Scene> scene_;
  std::shared_ptr<Drive> drive_;
  std::unique_ptr<Simulation> simulation_;
  FrameReport report_;
};

}  // namespace verve
