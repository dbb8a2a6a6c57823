#pragma once

#include <map>
#include <vector>

#include "../SYS/SYS_Types.h"
#include "../UT/UT_StringHolder.h"
#include "../UT/UT_Vector3.h"

class UT_Options {
 public:
  bool hasOption(const UT_StringRef& name) const { return myOptions.count(name); }
  fpreal64 getOptionF(const UT_StringRef& name) const { return myOptions.at(name).numbers.at(0); }
  int64 getOptionI(const UT_StringRef& name) const { return int64(getOptionF(name)); }
  bool getOptionB(const UT_StringRef& name) const { return getOptionF(name) != 0; }
  const UT_StringHolder& getOptionS(const UT_StringRef& name) const { return myOptions.at(name).text; }
  UT_Vector3D getOptionV3(const UT_StringRef& name) const {
    const auto& n = myOptions.at(name).numbers;
    return UT_Vector3D(n.at(0), n.at(1), n.at(2));
  }
  void setOptionF(const UT_StringHolder& name, fpreal64 value) { myOptions[name].numbers = {value}; }
  void setOptionS(const UT_StringHolder& name, const UT_StringHolder& value) { myOptions[name].text = value; }
  void setOptionV3(const UT_StringHolder& name, const UT_Vector3D& v) {
    myOptions[name].numbers = {v(0), v(1), v(2)};
  }

 private:
  struct Value {
    std::vector<double> numbers;
    UT_StringHolder text;
  };
  std::map<UT_StringHolder, Value> myOptions;
};
