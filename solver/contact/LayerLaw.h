// Nested penalty layers: springs of growing stiffness around a surface, without end.
#pragma once

#include <cmath>

namespace verve {

/// How fast layers thin out inwards.
enum class LayerSpacing {
  resting,  ///< eta(l) = eta(1)/l: few layers far out, for gentle and lasting contact
  impact,   ///< eta(l) = eta(1) l^(-1/4): layers that act early, for fast impacts
};

struct LayerSettings {
  LayerSpacing spacing = LayerSpacing::resting;
  double safety = 0.05;  ///< a layer's step times its frequency
  double damping = 0.0;  ///< Rayleigh delta of the layers' springs, s
};

/// Layer l = 1, 2, ... acts below the gap eta(l) with the energy r(l)/2 (eta(l) - gap)^2, r(l) = r(1) l^3.
/// Under both spacings the sum over all layers has no bound as the gap closes, so that no motion can close it
/// (E. Vouga et al., "Discrete penalty layers admit multisymplectic integration", section 5).
struct LayerLaw {
  static constexpr int most = 1 << 20;  ///< layers that are ever looked at

  LayerSpacing spacing = LayerSpacing::resting;
  double thickness = 0.0;  ///< eta(1), m
  double rigidity = 0.0;   ///< r(1), N/m

  double outer(int l) const {
    return thickness / (spacing == LayerSpacing::resting ? double(l) : std::sqrt(std::sqrt(double(l))));
  }
  double stiffness(int l) const { return rigidity * double(l) * double(l) * double(l); }

  /// How many layers act at a gap.
  int reached(double gap) const {
    if (!(gap < thickness)) return 0;
    if (!(gap > 0.0)) return most;
    double ratio = thickness / gap;
    if (spacing == LayerSpacing::impact) ratio *= ratio, ratio *= ratio;
    int l = ratio < double(most) ? int(ratio) : most;
    while (l > 0 && outer(l) <= gap) --l;
    while (l < most && outer(l + 1) > gap) ++l;
    return l;
  }
  double energy(double gap) const {
    double sum = 0.0;
    for (int l = reached(gap); l > 0; --l) sum += 0.5 * stiffness(l) * (outer(l) - gap) * (outer(l) - gap);
    return sum;
  }
};

}  // namespace verve
