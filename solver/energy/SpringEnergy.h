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

/// Shares each point's mass out among its springs; a spring gets the smaller of its two ends' shares.
std::vector<double> spread_mass(const std::vector<std::array<int, 2>>& springs,
                                const std::vector<double>& mass);

}  // namespace verve
