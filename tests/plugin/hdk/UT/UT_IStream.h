#pragma once

#include <istream>

#include "../SYS/SYS_Types.h"

class UT_IStream {
 public:
  explicit UT_IStream(std::istream& stream) : myStream(stream) {}
  exint bread(char* buffer, exint count) {
    myStream.read(buffer, count);
    return myStream.gcount();
  }

 private:
  std::istream& myStream;
};
