#pragma once

#include "../GEO/GEO_Primitive.h"

class GU_Detail;

class GEO_PrimPoly : public GEO_Primitive {
 public:
  /// Appended to the detail, with points of its own.
  static GEO_PrimPoly* build(GU_Detail* detail, GA_Size vertices, bool open = false, bool appendpts = true);
  bool isClosed() const { return myClosed; }
  bool myClosed = true;
};
