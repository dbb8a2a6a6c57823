// Some of a scene's bodies as a simulation of their own.
#pragma once

#include "simulation/ContactNumbers.h"
#include "simulation/Simulation.h"

namespace verve {

/// What a frame that is made by islands tells and asks.
struct IslandWatch {
  std::function<bool(double time)> cancel;
  std::function<void(double time)> progress;
  NewtonTrace trace;
};

/// Where a body stands in a whole.
struct IslandMap {
  const std::vector<int>& first_point;  ///< of each body of the whole, and the number of all
  const std::vector<int>& body_of_point;
  const std::vector<int>& piece;  ///< of each point of the whole
  const ContactNumbers& numbers;
};

class Island {
 public:
  /// `scene` is the whole's without bodies; `bodies` ascend.
  Island(const Scene& whole, Scene scene, std::vector<int> bodies, IslandMap map);

  const std::vector<int>& bodies() const { return bodies_; }

  /// The state of the island's bodies; `reserve` is its share of the whole's.
  State take(const State& whole, double reserve) const;
  /// Makes a frame from such a state.
  FrameReport advance(int frame, State state, const Drivers& drivers, const IslandWatch& watch);
  /// Adds what that led to from `before` to the whole.
  void give(const State& before, double frame, State& whole) const;
  /// Whether a contact is between its bodies, or one of them and a collider.
  bool holds(const ContactKey& key) const;

  int last_used = 0;  ///< frame

 private:
  int local_point(int whole) const {
    const int first = first_of_body_[std::size_t(map_.body_of_point[std::size_t(whole)])];
    return first < 0 ? -1
                     : first + whole - map_.first_point[std::size_t(map_.body_of_point[std::size_t(whole)])];
  }
  StepMemory own_steps(const StepMemory& whole) const;
  class PartOfDrivers;

  std::vector<int> bodies_;
  IslandMap map_;
  std::vector<int> first_of_body_;  ///< of the whole's bodies, -1 for those of others
  std::vector<int> point_;          ///< of the whole, by the island's
  std::vector<int> piece_;          ///< likewise
  std::vector<int> skin_;           ///< likewise
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<ContactNumbers> numbers_;
};

}  // namespace verve
