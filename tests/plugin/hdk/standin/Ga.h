// Stand-in for Houdini's details: GA, GEO and GU.
#pragma once

#include <deque>
#include <memory>

#include "Ut.h"

typedef int64 GA_Size;
typedef int64 GA_Index;
typedef int64 GA_Offset;

enum GA_AttributeOwner { GA_ATTRIB_VERTEX, GA_ATTRIB_POINT, GA_ATTRIB_PRIMITIVE, GA_ATTRIB_GLOBAL };
constexpr GA_AttributeOwner GA_ATTRIB_DETAIL = GA_ATTRIB_GLOBAL;
enum GA_TypeInfo { GA_TYPE_VOID, GA_TYPE_POINT, GA_TYPE_VECTOR };
enum GA_PrimType { GEO_PRIMPOLY, GEO_PRIMTETRAHEDRON, GEO_PRIMSPHERE };

/// Offsets are not indices: this is the offset of the first point and primitive.
constexpr GA_Offset theFirstOffset = 7;

class GA_Attribute;

class GA_AIFTuple {
 public:
  bool get(const GA_Attribute* attribute, GA_Offset at, fpreal64* values, int count, int start = 0) const;
  bool set(GA_Attribute* attribute, GA_Offset at, const fpreal64* values, int count, int start = 0) const;
};

class GA_AIFStringTuple {
 public:
  const char* getString(const GA_Attribute* attribute, GA_Offset at, int index = 0) const;
};

class GA_Attribute {
 public:
  enum Storage { REAL32, INT32, STRING };
  GA_Attribute(GA_AttributeOwner owner, const std::string& name, Storage storage, int size)
      : myOwner(owner), myName(name), myStorage(storage), mySize(size) {}
  int getTupleSize() const { return mySize; }
  const GA_AIFTuple* getAIFTuple() const {
    static const GA_AIFTuple tuple;
    return myStorage == STRING ? nullptr : &tuple;
  }
  const GA_AIFStringTuple* getAIFStringTuple() const {
    static const GA_AIFStringTuple tuple;
    return myStorage == STRING ? &tuple : nullptr;
  }
  void setTypeInfo(GA_TypeInfo type) { myType = type; }
  void bumpDataId() { ++myDataId; }
  int64 getDataId() const { return myDataId; }

  std::size_t place(GA_Offset at) const {
    return std::size_t(myOwner == GA_ATTRIB_DETAIL ? at : at - theFirstOffset);
  }
  GA_AttributeOwner myOwner;
  std::string myName;
  Storage myStorage;
  int mySize;
  GA_TypeInfo myType = GA_TYPE_VOID;
  int64 myDataId = 0;
  std::vector<double> myValues;
  std::vector<std::string> myStrings;
};

inline bool GA_AIFTuple::get(const GA_Attribute* a, GA_Offset at, fpreal64* values, int count,
                             int start) const {
  for (int i = 0; i < count; ++i)
    values[i] = a->myValues.at(a->place(at) * std::size_t(a->mySize) + std::size_t(start + i));
  return true;
}
inline bool GA_AIFTuple::set(GA_Attribute* a, GA_Offset at, const fpreal64* values, int count,
                             int start) const {
  for (int i = 0; i < count; ++i)
    a->myValues.at(a->place(at) * std::size_t(a->mySize) + std::size_t(start + i)) =
        a->myStorage == GA_Attribute::INT32 ? double(int(values[i])) : double(float(values[i]));
  return true;
}
inline const char* GA_AIFStringTuple::getString(const GA_Attribute* a, GA_Offset at, int) const {
  return a->myStrings.at(a->place(at)).c_str();
}

class GA_Range {
 public:
  GA_Range(GA_Size count) : myCount(count) {}
  GA_Size myCount;
};

class GA_Iterator {
 public:
  explicit GA_Iterator(const GA_Range& range) : myEnd(theFirstOffset + range.myCount) {}
  bool atEnd() const { return myAt == myEnd; }
  GA_Iterator& operator++() { return ++myAt, *this; }
  GA_Offset operator*() const { return myAt; }

 private:
  GA_Offset myAt = theFirstOffset, myEnd;
};

class GEO_Primitive {
 public:
  virtual ~GEO_Primitive() = default;
  GA_PrimType getTypeId() const { return myType; }
  const UT_StringHolder& getTypeName() const {
    static const UT_StringHolder names[] = {"Poly", "Tetrahedron", "Sphere"};
    return names[myType];
  }
  GA_Size getVertexCount() const { return GA_Size(myPoints.size()); }
  GA_Index getPointIndex(GA_Size i) const { return myPoints.at(std::size_t(i)); }

  GA_PrimType myType = GEO_PRIMPOLY;
  std::vector<GA_Index> myPoints;
};

class GEO_PrimPoly : public GEO_Primitive {
 public:
  bool isClosed() const { return myClosed; }
  bool myClosed = true;
};

class GU_Detail {
 public:
  GU_Detail() { addAttribute(GA_ATTRIB_POINT, "P", GA_Attribute::REAL32, 3); }
  GA_Size getNumPoints() const { return myPoints; }
  GA_Size getNumPrimitives() const { return GA_Size(myPrimitives.size()); }
  GA_Range getPointRange() const { return myPoints; }
  GA_Range getPrimitiveRange() const { return getNumPrimitives(); }
  const GEO_Primitive* getGEOPrimitive(GA_Offset at) const {
    return myPrimitives.at(std::size_t(at - theFirstOffset)).get();
  }
  UT_Vector3 getPos3(GA_Offset at) const {
    double p[3];
    getP()->getAIFTuple()->get(getP(), at, p, 3);
    return UT_Vector3(float(p[0]), float(p[1]), float(p[2]));
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
    for (double& v : getP()->myValues) v = float(v);
  }
  GEO_PrimPoly& addPrimitive(GA_PrimType type, const std::vector<GA_Index>& points, bool closed = true) {
    auto prim = std::make_shared<GEO_PrimPoly>();
    prim->myType = type;
    prim->myPoints = points;
    prim->myClosed = closed;
    myPrimitives.push_back(prim);
    return *prim;
  }

 private:
  std::size_t count(GA_AttributeOwner owner) const {
    return std::size_t(owner == GA_ATTRIB_POINT       ? myPoints
                       : owner == GA_ATTRIB_PRIMITIVE ? getNumPrimitives()
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

  GA_Size myPoints = 0;
  std::deque<GA_Attribute> myAttributes;
  std::vector<std::shared_ptr<GEO_PrimPoly>> myPrimitives;
};

class GU_ConstDetailHandle {
 public:
  GU_ConstDetailHandle(std::shared_ptr<const GU_Detail> detail = nullptr) : myDetail(std::move(detail)) {}
  const GU_Detail* gdp() const { return myDetail.get(); }

 private:
  std::shared_ptr<const GU_Detail> myDetail;
};

class GU_DetailHandle {
 public:
  GU_DetailHandle(std::shared_ptr<GU_Detail> detail = nullptr) : myDetail(std::move(detail)) {}
  GU_Detail* gdpNC() { return myDetail.get(); }
  const GU_Detail* gdp() const { return myDetail.get(); }
  std::shared_ptr<GU_Detail> myDetail;
};

class GU_DetailHandleAutoReadLock {
 public:
  explicit GU_DetailHandleAutoReadLock(const GU_ConstDetailHandle& handle) : myHandle(handle) {}
  const GU_Detail* getGdp() const { return myHandle.gdp(); }

 private:
  GU_ConstDetailHandle myHandle;
};
