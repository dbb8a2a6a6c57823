// Geometry in: what an artist made, as bodies.
#pragma once

#include <optional>

#include "energy/Fabrics.h"
#include "simulation/Bodies.h"
#include "simulation/PointAttributes.h"
#include "simulation/Ropes.h"

namespace verve {

/// What the parts of a geometry are made of, before the points' own multipliers.
struct BodyMaterials {
  TetModel tet_model = TetModel::stvk;
  Lame lame = {35714.285714285714, 142857.14285714287};  ///< Young 1e5 Pa, Poisson 0.4
  double tet_density = 100.0;                            ///< kg/m^3
  bool membranes = true;                             ///< polygons are membranes, else springs as lines are
  SheetMaterial sheet = sheet_of(fabric("cotton"));  ///< of membranes
  SpringModel spring_model = SpringModel::stvk;
  double stretch = 200.0, bend = 10.0;  ///< of springs, see SpringModel
  double cloth_density = 0.1;           ///< kg/m^2, of springs
  std::optional<RopeLaw> rope;          ///< of lines; without one they are springs
  double rod_density = 0.1;             ///< kg/m
};

struct ImportedBodies {
  std::vector<Body> bodies;
  std::vector<int> geometry_point;  ///< the geometry's point that each point of the bodies is, in their order
  std::vector<int> tet_primitive;   ///< the geometry's primitive that each of their tets is
  std::vector<std::string> warnings;
};

/// Tets become soft bodies, polygons membranes or springs, and poly lines rods of springs; what hangs
/// together is one body, called by the point attribute `name` where there is one. Polygons and lines whose
/// points all belong to tets are carried along by them and add nothing. `rest` has the rest position of each
/// point, `attributes` what the points say. Without `split` all is one body. Throws an Error that names the
/// primitive or point and what to do about it.
ImportedBodies import_bodies(const Geometry& geometry, const std::vector<Vec3>& rest,
                             const PointAttributes& attributes, const BodyMaterials& materials,
                             bool split = true);

/// The rest position of each point: the attribute `rest`, or else P.
std::vector<Vec3> rest_positions(const Geometry& geometry, const PointAttributes& attributes);

}  // namespace verve
