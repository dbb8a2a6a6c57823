#pragma once

#include <string>

#include "../UT/UT_StringHolder.h"

class PRM_Template;

class SIM_DopDescription {
 public:
  SIM_DopDescription(bool makeop, const char* opname, const char* english, const char* dataname,
                     const UT_StringHolder& datatype, const PRM_Template* templates)
      : myMakeOp(makeop),
        myOpName(opname),
        myEnglish(english),
        myDataName(dataname),
        myDataType(datatype.toStdString()),
        myTemplates(templates) {}
  void setGuideTemplates(const PRM_Template* templates) { myGuideTemplates = templates; }

  const PRM_Template* myGuideTemplates = nullptr;
  bool myMakeOp;
  std::string myOpName, myEnglish, myDataName, myDataType;
  const PRM_Template* myTemplates;
};
