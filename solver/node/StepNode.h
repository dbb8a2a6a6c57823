// A node for hosts that step by themselves and keep the state in data of their own, as DOP networks do.
#pragma once

#include "node/SolverNode.h"

namespace verve {

/// Copies are cheap and independent: each goes on from the state that it holds, whatever others do. The
/// host's geometry is what the step before gave, with the attributes that it wrote (`rest` above all).
class StepNode {
 public:
  bool begun() const { return snapshot_ != nullptr; }
  int frame() const;

  /// Begins with these inputs, or steps over 1/fps seconds to them; the frame's number is counted here.
  /// Throws as SolverNode::cook() does, and stays where it was then.
  NodeResult begin(NodeFrame now);
  NodeResult step(NodeFrame now, const NodeSimulation::Interrupt& interrupted = {});

  /// The mass of each point of the geometry, kg; 0 of points that are not simulated.
  static std::vector<double> point_masses(const NodeFrame& now);

  /// All that the next step needs, as bytes; resuming from them equals the unbroken run.
  std::string save() const;
  /// Throws an Error when the bytes are damaged.
  void load(const std::string& bytes);
  std::size_t bytes() const;

 private:
  /// What is left of a step when it is done.
  struct Snapshot {
    int frame = 0;
    double total = 0.0;  ///< energy, J
    State state;
    std::vector<Goal> targets;
    std::vector<Link> links;                   ///< with the lengths that they keep
    std::vector<std::vector<Vec3>> colliders;  ///< where their points were
  };
  NodeResult keep(const NodeInputs& now);
  void measure_links(NodeInputs& now) const;

  std::shared_ptr<const Snapshot> snapshot_;
  std::shared_ptr<NodeSimulation> live_;  ///< to go on with, as long as it stands at the snapshot
  std::shared_ptr<const Snapshot*> live_at_;
};

}  // namespace verve
