#pragma once

#include "../GA/GA_Range.h"

class GA_Iterator {
 public:
  explicit GA_Iterator(const GA_Range& range) : myEnd(theFirstOffset + range.myCount) {}
  bool atEnd() const { return myAt == myEnd; }
  GA_Iterator& operator++() { return ++myAt, *this; }
  GA_Offset operator*() const { return myAt; }

 private:
  GA_Offset myAt = theFirstOffset, myEnd;
};
