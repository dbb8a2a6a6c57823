#pragma once

#include <cstddef>
#include <vector>

#include "../SYS/SYS_Types.h"

template <class T>
class UT_Array {
 public:
  UT_Array() = default;
  explicit UT_Array(const UT_Array&) = default;
  UT_Array& operator=(const UT_Array&) = default;
  exint entries() const { return exint(myItems.size()); }
  void append(const T& item) { myItems.push_back(item); }
  const T& operator()(exint i) const { return myItems[std::size_t(i)]; }
  T& operator()(exint i) { return myItems[std::size_t(i)]; }

 private:
  std::vector<T> myItems;
};
