// Simulated frames in memory, within a limit.
#pragma once

#include <map>

#include "node/NodeSimulation.h"

namespace verve {

/// Keeps the first frame, the last and the latest put, whatever the limit; of the others it drops the one
/// that lies closest between its neighbours, so that what is left is spread evenly and every frame can be
/// made again from one near it. The fingerprints of the inputs stay for all frames.
class NodeCache {
 public:
  void clear();
  /// Forgets this frame and all after it.
  void forget_from(int frame);
  void put(int frame, std::uint64_t inputs, NodeState state, double limit);

  bool empty() const { return inputs_.empty(); }
  int first() const { return inputs_.begin()->first; }
  int last() const { return inputs_.rbegin()->first; }
  /// Whether the frame was simulated, kept or not.
  bool knows(int frame) const { return inputs_.count(frame) != 0; }
  std::uint64_t inputs(int frame) const { return inputs_.at(frame); }
  const NodeState* find(int frame) const;
  /// The last kept frame up to `frame`.
  int nearest(int frame) const { return std::prev(states_.upper_bound(frame))->first; }

  std::size_t kept() const { return states_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  void drop_one(int keep);

  std::map<int, std::uint64_t> inputs_;
  std::map<int, NodeState> states_;
  std::size_t bytes_ = 0;
};

}  // namespace verve
