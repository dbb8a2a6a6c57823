#pragma once

#include "UT_Array.h"
#include "UT_VectorTypes.h"

template <class T>
class UT_ValArray : public UT_Array<T> {
 public:
  UT_ValArray() = default;
  /// Explicit, so that arrays are not handed over by value by accident.
  explicit UT_ValArray(const UT_ValArray&) = default;
  UT_ValArray& operator=(const UT_ValArray&) = default;
};
