#pragma once

#include <functional>

#include "../OP/OP_Node.h"
#include "../PRM/PRM_Template.h"
#include "../UT/UT_StringHolder.h"

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
