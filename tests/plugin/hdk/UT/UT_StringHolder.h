#pragma once

#include <string>

class UT_StringHolder {
 public:
  UT_StringHolder(const char* text = "") : myText(text ? text : "") {}
  UT_StringHolder(const std::string& text) : myText(text) {}
  const char* c_str() const { return myText.c_str(); }
  std::string toStdString() const { return myText; }
  bool operator==(const UT_StringHolder& other) const { return myText == other.myText; }
  bool operator<(const UT_StringHolder& other) const { return myText < other.myText; }

 private:
  std::string myText;
};
typedef UT_StringHolder UT_StringRef;
