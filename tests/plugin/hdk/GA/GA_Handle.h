#pragma once

#include "../GA/GA_Attribute.h"
#include "../UT/UT_StringHolder.h"
#include "../UT/UT_Vector3.h"

/// Numbers of any storage as the handle's type; the attribute's tuple has to be long enough.
template <class T>
class GA_ROHandleT {
 public:
  GA_ROHandleT(const GA_Attribute* attribute)
      : myAttribute(attribute && attribute->myStorage != GA_Attribute::STRING ? attribute : nullptr) {}
  bool isValid() const { return myAttribute; }
  int getTupleSize() const { return myAttribute->mySize; }
  const GA_Attribute* getAttribute() const { return myAttribute; }
  T get(GA_Offset at, int component = 0) const {
    return T(myAttribute->myValues.at(myAttribute->place(at) * std::size_t(myAttribute->mySize) +
                                      std::size_t(component)));
  }

 private:
  const GA_Attribute* myAttribute;
};

template <class T>
class GA_RWHandleT : public GA_ROHandleT<T> {
 public:
  GA_RWHandleT(GA_Attribute* attribute) : GA_ROHandleT<T>(attribute), myAttribute(attribute) {}
  GA_Attribute* getAttribute() const { return myAttribute; }
  void set(GA_Offset at, int component, T value) const {
    myAttribute->myValues.at(myAttribute->place(at) * std::size_t(myAttribute->mySize) +
                             std::size_t(component)) = myAttribute->stored(value);
  }

 private:
  GA_Attribute* myAttribute;
};
typedef GA_ROHandleT<fpreal64> GA_ROHandleD;
typedef GA_RWHandleT<fpreal64> GA_RWHandleD;

class GA_ROHandleS {
 public:
  GA_ROHandleS(const GA_Attribute* attribute)
      : myAttribute(attribute && attribute->myStorage == GA_Attribute::STRING ? attribute : nullptr) {}
  bool isValid() const { return myAttribute; }
  UT_StringHolder get(GA_Offset at) const { return myAttribute->myStrings.at(myAttribute->place(at)); }

 private:
  const GA_Attribute* myAttribute;
};
