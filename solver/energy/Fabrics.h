// Materials of sheets by name.
#pragma once

#include <string>
#include <vector>

#include "energy/SheetMaterial.h"

namespace verve {

/// Numbers to begin with, and where they are from.
struct Fabric {
  const char* name;
  double density;            ///< kg/m^2
  double warp, weft, shear;  ///< N/m
  double bend, bend_weft;    ///< N m
  double poisson;            ///< mixed stiffness over the mean of warp and weft
  const char* source;
};

const std::vector<Fabric>& fabrics();
/// The fabric called `name` (checked before).
const Fabric& fabric(const std::string& name);

/// Woven of these numbers; also what scenes make of numbers of their own.
SheetMaterial sheet_of(const Fabric& fabric);

}  // namespace verve
