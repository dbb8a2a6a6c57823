#include "energy/Fabrics.h"

#include <algorithm>
#include <cmath>

namespace verve {

namespace {

constexpr const char* typical =
    "typical values, in the range of what Kawabata's instruments (KES-F) give; of no single cloth";

}  // namespace

const std::vector<Fabric>& fabrics() {
  static const std::vector<Fabric> table = {
      {"silk", 0.06, 500, 400, 15, 1.5e-6, 0.8e-6, 0.0,
       "typical values of stretch, shear and weight; bending such that it drapes to a third on Cusick's "
       "disc, as soft silks do"},
      {"cotton", 0.13, 800, 500, 40, 10e-6, 5e-6, 0.0, typical},
      {"denim", 0.324, 1055, 226, 67, 97e-6, 64e-6, 0.083,
       "measured: 11 oz denim of Wang, O'Brien, Ramamoorthi (2011), at small strain, from the data with "
       "ARCSim"},
      {"wool", 0.22, 500, 300, 30, 15e-6, 8e-6, 0.0, typical},
      {"leather", 0.8, 10667, 10667, 4000, 889e-6, 889e-6, 0.25,
       "reckoned from typical values: Young 10 MPa, 1 mm, Poisson .25"},
      {"paper", 0.1, 533e3, 533e3, 200e3, 444e-6, 444e-6, 0.25,
       "reckoned: Young 5 GPa, .1 mm (as ARCSim's paper), Poisson .25"},
      {"rubber", 0.3, 400, 400, 100, 3e-6, 3e-6, 0.5,
       "reckoned from typical values: Young 1 MPa, .3 mm, Poisson .5"},
  };
  return table;
}

const Fabric& fabric(const std::string& name) {
  return *std::find_if(fabrics().begin(), fabrics().end(), [&](const Fabric& f) { return f.name == name; });
}

SheetMaterial sheet_of(const Fabric& f) {
  SheetMaterial m;
  m.stretch = woven_law(f.warp, f.weft, f.shear, f.poisson);
  m.bend =
      woven_law(f.bend, f.bend_weft, 0.5 * (1.0 - f.poisson) * std::sqrt(f.bend * f.bend_weft), f.poisson);
  m.density = f.density;
  return m;
}

}  // namespace verve
