#pragma once

#include <string>

class UT_String {
 public:
  void operator=(const std::string& text) { myText = text; }
  std::string toStdString() const { return myText; }

 private:
  std::string myText;
};
