#pragma once

#include <vector>

#include "../GA/GA_Types.h"
#include "../GEO/GEO_PrimType.h"
#include "../UT/UT_StringHolder.h"

class GEO_Primitive {
 public:
  virtual ~GEO_Primitive() = default;
  GEO_PrimitiveType getTypeId() const { return myType; }
  const UT_StringHolder& getTypeName() const {
    static const UT_StringHolder names[] = {"Poly",   "Tetrahedron", "Sphere",
                                            "Volume", "VDB",         "PackedGeometry"};
    return names[myType];
  }
  GA_Size getVertexCount() const { return GA_Size(myPoints.size()); }
  GA_Index getPointIndex(GA_Size i) const { return myPoints.at(std::size_t(i)); }
  GA_Offset getPointOffset(GA_Size i) const { return theFirstOffset + getPointIndex(i); }
  GA_Offset getVertexOffset(GA_Size i) const { return myFirstVertex + i; }

  GA_Offset myFirstVertex = 0;
  GEO_PrimitiveType myType = GEO_PRIMPOLY;
  std::vector<GA_Index> myPoints;
};
