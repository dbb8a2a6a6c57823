// Springs between two points: cloth and ropes.
#pragma once

#include <memory>

#include "energy/Energy.h"
#include "energy/Stencils.h"

namespace verve {

/// stvk: k/2 (|p|^2 - r^2)^2, k in N/m^3, quartic like the StVK solid (AVF paper, section 5);
/// hookean: k/2 (|p| - r)^2, k in N/m.
enum class SpringModel { stvk, hookean };

/// Springs with stiffness and rest length (m), and the share of its points' mass (kg) each may lean on when
/// it is made definite: see spread_mass().
struct SpringMaterial {
  SpringModel model = SpringModel::stvk;
  std::vector<double> stiffness, length, mass;
};

std::unique_ptr<Energy> make_spring_energy(const std::vector<std::array<int, 2>>& springs,
                                           const SpringMaterial& material, const Partition& partition);

/// Ropes: how their corners resist bending. The energy is EI/(2 l) (|t+ - t-| - a)^2 with the edges t over
/// their lengths at rest and l the mean of the two: quadratic where the rope is straight at rest. A bent one
/// keeps its angle, but nothing says in which plane.
struct RopeMaterial {
  std::vector<double> rigidity;  ///< EI, N m^2, one a corner
  std::vector<double> sides;     ///< m, at rest, two a corner: before and after it
  std::vector<double> angle;     ///< |t+ - t-| at rest; 0: straight
};

/// The constants of a corner are its angle, its two sides and its rigidity. With `changes` they may be set
/// during a run: straight corners may then come to be bent, and no quadrature is taken to be exact.
std::unique_ptr<Energy> make_rope_bending(const std::vector<std::array<int, 3>>& corners,
                                          const RopeMaterial& material, const Partition& partition,
                                          bool changes = false);

/// Shares each point's mass out among its springs; a spring gets the smaller of its two ends' shares.
std::vector<double> spread_mass(const std::vector<std::array<int, 2>>& springs,
                                const std::vector<double>& mass);

}  // namespace verve
