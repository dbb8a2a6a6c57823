// Bodies that cannot meet within a frame make it apart: by steps of their own, each solved by itself.
#pragma once

#include "simulation/ContactNumbers.h"
#include "simulation/Island.h"

namespace verve {

/// Fifty small bodies cost what each of them costs, and what hits the floor makes no other step finer. Which
/// bodies go together is found anew for every frame from the state alone, so that a resumed run equals the
/// unbroken one.
class Islands {
 public:
  /// Whether bodies of such a scene may step apart: nothing but contact may couple them, and the integrator
  /// must need nothing but the state to begin a step.
  static bool possible(const Scene& scene, const System& system);
  Islands(const Scene& scene, const System& system);

  /// Makes the frame from `state`, or leaves everything alone and returns false where all bodies go together.
  bool advance(int frame, const Drivers& drivers, const IslandWatch& watch, State& state,
               FrameReport& report);

 private:
  using Group = std::vector<int>;  ///< bodies, ascending
  struct Work {
    Island* island;
    State state;
    FrameReport* report;
  };

  std::vector<Group> groups(const State& state, double frame) const;
  /// Makes the frames of islands, side by side.
  void make(std::vector<Work>& work, int frame, const Drivers& drivers, const IslandWatch& watch) const;
  /// Joins groups whose bodies went farther than foreseen, and so may have met. False where none did.
  bool join_met(const State& before, const State& after, double frame, std::vector<Group>& groups) const;
  std::vector<Group> joined(const std::vector<Group>& groups,
                            const std::vector<std::array<int, 2>>& pairs) const;
  /// How far a body can be expected to go in a frame, m.
  double reach(const State& state, int body, double frame) const;
  Eigen::AlignedBox3d box(const Vector& x, int body) const;
  Island& island(const Group& group, int frame);

  const Scene& scene_;
  const System& system_;
  Scene frame_of_scene_;  ///< without bodies, and what is said of their points
  ContactNumbers numbers_;
  std::vector<int> first_point_;  ///< of each body, and the number of all
  std::vector<int> body_of_point_;
  std::vector<double> half_thickness_;  ///< of each body towards others
  std::vector<std::unique_ptr<Island>> islands_;
};

}  // namespace verve
