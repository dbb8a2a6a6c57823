// Materials of sheets by name.
#pragma once

#include <string>
#include <vector>

namespace verve {

/// Numbers to begin with; where each is from stands in Fabrics.cpp.
struct Fabric {
  const char* name;
  double density;            ///< kg/m^2
  double warp, weft, shear;  ///< N/m
  double bend, bend_weft;    ///< N m
  double poisson;            ///< mixed stiffness over the mean of warp and weft
};

const std::vector<Fabric>& fabrics();
/// The fabric called `name` (checked before).
const Fabric& fabric(const std::string& name);

}  // namespace verve
