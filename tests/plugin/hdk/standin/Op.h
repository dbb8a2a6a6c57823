// Stand-in for Houdini's nodes and parameters: CH, PRM and OP.
#pragma once

#include <functional>
#include <utility>

#include "../../../DialogReader.h"
#include "../SYS/SYS_Version.h"
#include "Ga.h"

/// 24 frames a second; frame 1 is at time 0.
class CH_Manager {
 public:
  fpreal getSample(fpreal time) const { return time * getSamplesPerSec() + 1; }
  fpreal getTime(fpreal sample) const { return (sample - 1) / getSamplesPerSec(); }
  fpreal getSamplesPerSec() const { return 24; }
};
inline CH_Manager* CHgetManager() {
  static CH_Manager manager;
  return &manager;
}

class PRM_Template;
class PRM_Callback {
 public:
  typedef int (*PRM_Callback64)(void* data, int index, fpreal64 time, const PRM_Template* tplate);
  PRM_Callback() = default;
  PRM_Callback(PRM_Callback64 call) : myCall(call) {}
  int operator()(void* data, int index, fpreal64 time, const PRM_Template* tplate) {
    return myCall(data, index, time, tplate);
  }
  bool isNotNull() const { return myCall; }

 private:
  PRM_Callback64 myCall = nullptr;
};

class PRM_Template {
 public:
  verve::test::DialogParm myParm;
  PRM_Callback myCallback;
  bool isEnd() const { return myParm.name.empty(); }
};

class PRM_TemplateBuilder {
 public:
  PRM_TemplateBuilder(const UT_StringHolder& name, const char* text) {
    (void)name;
    for (const auto& parm : verve::test::read_dialog(text)) myTemplates.push_back({parm, {}});
    myTemplates.emplace_back();
  }
  PRM_Template* templates() const { return const_cast<PRM_Template*>(myTemplates.data()); }
  bool justBuilt() { return std::exchange(myJustBuilt, false); }
  void setCallback(const UT_StringRef& name, PRM_Callback callback) {
    for (PRM_Template& t : myTemplates)
      if (t.myParm.name == name.toStdString()) t.myCallback = callback;
  }

 private:
  std::vector<PRM_Template> myTemplates;
  bool myJustBuilt = true;
};

class OP_Context {
 public:
  OP_Context(fpreal time = 0) : myTime(time) {}
  fpreal getTime() const { return myTime; }
  void setTime(fpreal time) { myTime = time; }

 private:
  fpreal myTime;
};

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
  }

  void setFloat(const char* name, int, fpreal, fpreal value) {
    myValues.at(name).number = [=](int, fpreal) { return value; };
  }
  void setString(const char* text, const char* name) { myValues.at(name).text = text; }

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

class OP_Flags {
 public:
  void setTimeDep(bool on) { myTimeDep = on; }
  bool getTimeDep() const { return myTimeDep; }

 private:
  bool myTimeDep = false;
};

/// Earlier Houdinis count inputs by unsigned numbers and have no name for them.
#if SYS_VERSION_MAJOR_INT >= 21
using OP_InputIdx = int;
typedef OP_InputIdx StandinInputIdx;
#else
typedef unsigned StandinInputIdx;
#endif

class OP_Network;
class OP_Node : public OP_Parameters {
 public:
  OP_Node* getInput(StandinInputIdx index, bool = false) const {
    return std::size_t(index) < myInputs.size() ? myInputs[std::size_t(index)] : nullptr;
  }
  OP_Flags& flags() { return myFlags; }
  std::vector<OP_Node*> myInputs;

 private:
  OP_Flags myFlags;
};

class OP_NodeInfoParms {
 public:
  void append(const char* text) { myText += text; }
  std::string myText;
};

class OP_Operator;
/// Owns nothing here; what matters is that a node converts to it.
class OP_Ptr {
 public:
  OP_Ptr(OP_Node* node) : myNode(node) {}
  OP_Node* get() const { return myNode; }

 private:
  OP_Node* myNode;
};
typedef std::function<OP_Ptr(OP_Network*, const char*, OP_Operator*)> OP_Constructor;

class OP_Operator {
 public:
  OP_Operator(const UT_StringHolder& name, const UT_StringHolder& english, OP_Constructor constructor,
              PRM_Template* templates, unsigned min_sources, unsigned max_sources)
      : myName(name),
        myEnglish(english),
        myConstructor(constructor),
        myTemplates(templates),
        myMin(min_sources),
        myMax(max_sources) {}
  void setIconName(const UT_StringHolder& name) { myIcon = name; }
  void setOpTabSubMenuPath(const char* path) { myMenu = path; }

  UT_StringHolder myName, myEnglish, myIcon, myMenu;
  OP_Constructor myConstructor;
  PRM_Template* myTemplates;
  unsigned myMin, myMax;
};

class OP_OperatorTable {
 public:
  bool addOperator(OP_Operator* op) { return myOperators.emplace_back(op), true; }
  std::vector<std::unique_ptr<OP_Operator>> myOperators;
};
