// The elastic energy of linear tets, for every material.
#pragma once

#include <memory>

#include "energy/Energy.h"
#include "energy/Stencils.h"

namespace verve {

enum class TetModel { stvk, neo_hookean, stable_neo_hookean, mooney_rivlin };

/// Tets with their rest shape and their Lamé parameters (Pa) and density (kg/m^3), one each a tet.
struct TetMaterial {
  TetModel model = TetModel::stvk;
  std::vector<double> mu, lambda, density;
};

/// Every tet must have a positive volume at `rest` (see mesh/MeshCheck.h).
std::unique_ptr<Energy> make_tet_energy(const Vector& rest, const std::vector<std::array<int, 4>>& tets,
                                        const TetMaterial& material, const Partition& partition);

}  // namespace verve
