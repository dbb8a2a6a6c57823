#pragma once

#include <string>

class OP_NodeInfoParms {
 public:
  void append(const char* text) { myText += text; }
  std::string myText;
};
