// What a run was like as a whole, in a few lines at its end.
#pragma once

#include <string>
#include <vector>

#include "simulation/Simulation.h"

namespace verve {

class RunSummary {
 public:
  void add(const FrameReport& report);
  /// Sentences without a full stop: time and the slowest frame; energy that was lost or gained; steps that
  /// had to be halved, tets that turned over and how deep points went into colliders, where there were any.
  std::vector<std::string> lines() const;

 private:
  struct Worst {
    double value = 0;
    int frame = 0;
    void take(double other, int at) {
      if (other > value) value = other, frame = at;
    }
  };
  int frames_ = 0, halvings_ = 0, bound_ = 0;
  double seconds_ = 0;
  Worst slowest_, inverted_, penetration_, grown_;
  int passed_points_ = 0, first_passed_ = 0, first_grown_ = 0;
  FrameReport last_;
  double start_ = 0;  ///< the first frame's energy, J
};

}  // namespace verve
