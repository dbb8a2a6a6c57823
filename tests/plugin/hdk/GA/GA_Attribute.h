#pragma once

#include <string>
#include <vector>

#include "../GA/GA_Types.h"

class GA_Attribute {
 public:
  enum Storage { REAL32, REAL64, INT32, STRING };
  GA_Attribute(GA_AttributeOwner owner, const std::string& name, Storage storage, int size)
      : myOwner(owner), myName(name), myStorage(storage), mySize(size) {}
  int getTupleSize() const { return mySize; }
  void setTypeInfo(GA_TypeInfo type) { myType = type; }
  void bumpDataId() { ++myDataId; }
  int64 getDataId() const { return myDataId; }

  /// For the handles and for tests.
  std::size_t place(GA_Offset at) const {
    return std::size_t(myOwner == GA_ATTRIB_DETAIL ? at : at - theFirstOffset);
  }
  double stored(double value) const {
    return myStorage == INT32 ? double(int(value)) : myStorage == REAL32 ? double(float(value)) : value;
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
