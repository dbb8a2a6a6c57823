#include "simulation/Fabrics.h"

#include <algorithm>

namespace verve {

const std::vector<Fabric>& fabrics() {
  static const std::vector<Fabric> table = {
      // name, density, warp, weft, shear, bend, bend_weft, poisson
      // Silk, cotton, wool: numbers within the ranges that Kawabata's instruments (KES-F) commonly give for
      // light
      // blouse silk, shirting and suiting; of no single cloth.
      {"silk", 0.06, 500, 400, 15, 4e-6, 2e-6, 0.0},
      {"cotton", 0.13, 800, 500, 40, 10e-6, 5e-6, 0.0},
      // Measured: the 11 oz denim of Wang, O'Brien and Ramamoorthi, Data-Driven Elastic Models for Cloth
      // (2011), at small
      // strains and the lowest curvature, from the data that come with ARCSim.
      {"denim", 0.324, 1055, 226, 67, 97e-6, 64e-6, 0.083},
      {"wool", 0.22, 500, 300, 30, 15e-6, 8e-6, 0.0},
      // Reckoned from a Young's modulus, a thickness and Poisson's ratio that are typical of the material: 10
      // MPa,
      // 1 mm, .25; 5 GPa, .1 mm (as ARCSim's paper), .25; 1 MPa, .3 mm, .5.
      {"leather", 0.8, 10667, 10667, 4000, 889e-6, 889e-6, 0.25},
      {"paper", 0.1, 533e3, 533e3, 200e3, 444e-6, 444e-6, 0.25},
      {"rubber", 0.3, 400, 400, 100, 3e-6, 3e-6, 0.5},
  };
  return table;
}

const Fabric& fabric(const std::string& name) {
  return *std::find_if(fabrics().begin(), fabrics().end(), [&](const Fabric& f) { return f.name == name; });
}

}  // namespace verve
