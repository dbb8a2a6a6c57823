#pragma once

#include <deque>
#include <memory>

#include "../GA/GA_Attribute.h"
#include "../GA/GA_Range.h"
#include "../GEO/GEO_PrimPoly.h"
#include "../UT/UT_StringHolder.h"
#include "../UT/UT_Vector3.h"

class GU_Detail {
 public:
  GU_Detail() { addAttribute(GA_ATTRIB_POINT, "P", GA_Attribute::REAL32, 3); }
  void clearAndDestroy() { *this = GU_Detail(); }
  GA_Size getNumPoints() const { return myPoints; }
  GA_Size getNumPrimitives() const { return GA_Size(myPrimitives.size()); }
  GA_Range getPointRange() const { return myPoints; }
  GA_Range getPrimitiveRange() const { return getNumPrimitives(); }
  const GEO_Primitive* getGEOPrimitive(GA_Offset at) const {
    return myPrimitives.at(std::size_t(at - theFirstOffset)).get();
  }
  void setPos3(GA_Offset point, const UT_Vector3& to) {
    for (int k = 0; k < 3; ++k)
      getP()->myValues.at(std::size_t(3 * (point - theFirstOffset) + k)) = double(to(k));
  }
  GA_Attribute* getP() { return &myAttributes.front(); }
  const GA_Attribute* getP() const { return &myAttributes.front(); }
  const GA_Attribute* findAttribute(GA_AttributeOwner owner, const UT_StringRef& name) const {
    return const_cast<GU_Detail*>(this)->findAttribute(owner, name);
  }
  GA_Attribute* findAttribute(GA_AttributeOwner owner, const UT_StringRef& name) {
    for (GA_Attribute& a : myAttributes)
      if (a.myOwner == owner && a.myName == name.toStdString()) return &a;
    return nullptr;
  }
  GA_Attribute* addFloatTuple(GA_AttributeOwner owner, const UT_StringHolder& name, int size) {
    return addAttribute(owner, name, GA_Attribute::REAL32, size);
  }
  GA_Attribute* addIntTuple(GA_AttributeOwner owner, const UT_StringHolder& name, int size) {
    return addAttribute(owner, name, GA_Attribute::INT32, size);
  }
  GA_Attribute* addStringTuple(GA_AttributeOwner owner, const UT_StringHolder& name, int size) {
    return addAttribute(owner, name, GA_Attribute::STRING, size);
  }

  /// For tests.
  void setPoints(const std::vector<double>& positions) {
    myPoints = GA_Size(positions.size() / 3);
    getP()->myValues = positions;
    for (double& v : getP()->myValues) v = getP()->stored(v);
  }
  /// Positions in 64 bits, as a detail may have them.
  void setPrecise() { getP()->myStorage = GA_Attribute::REAL64; }
  GA_Index appendPoint() {
    getP()->myValues.resize(std::size_t(3 * ++myPoints));
    return myPoints - 1;
  }
  GEO_PrimPoly& addPrimitive(GEO_PrimitiveType type, const std::vector<GA_Index>& points,
                             bool closed = true) {
    auto prim = std::make_shared<GEO_PrimPoly>();
    prim->myType = type;
    prim->myPoints = points;
    prim->myClosed = closed;
    prim->myFirstVertex = theFirstOffset + myVertices;
    myVertices += GA_Size(points.size());
    myPrimitives.push_back(prim);
    return *prim;
  }

 private:
  std::size_t count(GA_AttributeOwner owner) const {
    return std::size_t(owner == GA_ATTRIB_POINT       ? myPoints
                       : owner == GA_ATTRIB_PRIMITIVE ? getNumPrimitives()
                       : owner == GA_ATTRIB_VERTEX    ? myVertices
                                                      : 1);
  }
  /// One of that name and kind is used again; one of another kind stands in the way.
  GA_Attribute* addAttribute(GA_AttributeOwner owner, const UT_StringHolder& name,
                             GA_Attribute::Storage storage, int size) {
    if (GA_Attribute* there = findAttribute(owner, name))
      return (there->myStorage == GA_Attribute::STRING) == (storage == GA_Attribute::STRING) ? there
                                                                                             : nullptr;
    GA_Attribute& a = myAttributes.emplace_back(owner, name.toStdString(), storage, size);
    a.myValues.resize(count(owner) * std::size_t(size));
    a.myStrings.resize(storage == GA_Attribute::STRING ? count(owner) : 0);
    return &a;
  }

  GA_Size myPoints = 0, myVertices = 0;
  std::deque<GA_Attribute> myAttributes;
  std::vector<std::shared_ptr<GEO_PrimPoly>> myPrimitives;
};

inline GEO_PrimPoly* GEO_PrimPoly::build(GU_Detail* detail, GA_Size vertices, bool open, bool appendpts) {
  std::vector<GA_Index> points;
  for (GA_Size i = 0; appendpts && i < vertices; ++i) points.push_back(detail->appendPoint());
  return &detail->addPrimitive(GEO_PRIMPOLY, points, !open);
}
