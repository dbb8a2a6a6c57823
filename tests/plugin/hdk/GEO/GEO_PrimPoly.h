#pragma once

#include "../GEO/GEO_Primitive.h"

class GEO_PrimPoly : public GEO_Primitive {
 public:
  bool isClosed() const { return myClosed; }
  bool myClosed = true;
};
