#pragma once

#include <functional>
#include <map>

#include "../PRM/PRM_Template.h"
#include "../SYS/SYS_Types.h"
#include "../UT/UT_String.h"

/// A parameter has a constant, or a function of time as a channel has.
class OP_Parameters {
 public:
  virtual ~OP_Parameters() = default;
  struct Value {
    std::function<double(int index, fpreal time)> number;
    std::string text;
  };
  fpreal evalFloat(const char* name, int index, fpreal time) const {
    return myValues.at(name).number(index, time);
  }
  exint evalInt(const char* name, int index, fpreal time) const {
    return exint(evalFloat(name, index, time));
  }
  void evalString(UT_String& value, const char* name, int, fpreal) const { value = myValues.at(name).text; }
  void setInt(const char* name, int, fpreal, exint value) {
    myValues.at(name).number = [=](int, fpreal) { return double(value); };
    parmChanged();
  }

  void setFloat(const char* name, int, fpreal, fpreal value) {
    myValues.at(name).number = [=](int, fpreal) { return value; };
    parmChanged();
  }
  void setString(const char* text, const char* name) {
    myValues.at(name).text = text;
    parmChanged();
  }
  /// Tells the node itself and what depends on it.
  virtual void parmChanged() {}

  void addParms(const PRM_Template* t) {
    for (; !t->isEnd(); ++t) {
      Value& value = myValues[t->myParm.name];
      std::vector<double> numbers;
      if (t->myParm.type == "string")
        value.text = t->myParm.defaults.at(0);
      else
        for (const std::string& d : t->myParm.defaults) numbers.push_back(std::stod(d));
      value.number = [numbers](int i, fpreal) { return numbers.at(std::size_t(i)); };
      myTemplates.push_back(t);
    }
  }
  std::map<std::string, Value> myValues;
  std::vector<const PRM_Template*> myTemplates;
};
