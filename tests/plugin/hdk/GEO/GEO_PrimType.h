#pragma once

enum GEO_PrimitiveType {
  GEO_PRIMPOLY,
  GEO_PRIMTETRAHEDRON,
  GEO_PRIMSPHERE,
  GEO_PRIMVOLUME,
  GEO_PRIMVDB,
  GEO_NUM_INTERNAL_PRIM_TYPES  ///< of those that are registered later packed geometry stands here
};
