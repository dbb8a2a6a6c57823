// How a step averages a term's force along its chord.
#pragma once

#include "energy/Energy.h"
#include "energy/Quadrature.h"

namespace verve {

/// The places on the chord at which a scheme looks, and their shares of the mean force; the share at the
/// start, which is constant in x, included. Averaging schemes get a rule of the term's own, so that what has
/// a potential keeps its energy whatever the scheme's. A potential E stands in the step's sum as
///   W sum_k share_k (E(x0 + s_k (x - x0)) - E(x0)) / s_k,  with share_0 grad E(x0).(x - x0) at s = 0,
/// whose gradient is W times the mean of grad E.
class MeanForce {
 public:
  struct Node {
    double s, share;
  };

  void set(const Chord& chord, const Quadrature& rule) {
    weight = chord.average_weight();
    if (chord.average) {
      nodes.resize(rule.size());
      for (std::size_t k = 0; k < rule.size(); ++k) nodes[k] = {rule[k].s, rule[k].weight};
      return;
    }
    nodes.clear();
    if (chord.start_share != 0.0) nodes.push_back({0.0, chord.start_share});
    for (const Sample& j : chord.samples) nodes.push_back({j.s, j.w * j.s / weight});
  }

  double weight = 0.0;  ///< W
  std::vector<Node> nodes;
};

}  // namespace verve
