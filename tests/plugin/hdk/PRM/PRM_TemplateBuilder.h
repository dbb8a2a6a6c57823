#pragma once

#include <utility>
#include <vector>

#include "../PRM/PRM_Template.h"
#include "../UT/UT_StringHolder.h"

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
