#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "../GU/GOP_Guide.h"
#include "../GU/GU_DetailHandle.h"
#include "../OP/OP_Node.h"
#include "../OP/OP_Operator.h"
#include "../SOP/SOP_Error.h"
#include "../SOP/SOP_NodeFlags.h"

class OP_NodeInfoParms;

class SOP_Node : public OP_Node {
 public:
  SOP_Node(OP_Network* parent, const char*, OP_Operator* op) {
    myParent = parent;
    if (op) addParms(op->myTemplates);
  }
  virtual const char* inputLabel(StandinInputIdx) const { return ""; }
  virtual void getNodeSpecificInfoText(OP_Context&, OP_NodeInfoParms&) {}
  /// Cooks when the time is another one or something has changed. Without an error on the node a failed cook
  /// would show whatever is in its detail.
  GU_ConstDetailHandle getCookedGeoHandle(OP_Context& context, int output = 0) {
    if (myDirty || !myGdh.myDetail || myTime != context.getTime()) {
      myErrors.clear();
      myWarnings.clear();
      if (!myGdh.myDetail) myGdh = GU_DetailHandle(std::make_shared<GU_Detail>());
      gdp = myGdh.gdpNC();
      myDirty = false;
      myTime = context.getTime();
      cookMySop(context);
    }
    return myErrors.empty() ? GU_ConstDetailHandle(outputGeo(output)) : GU_ConstDetailHandle();
  }
  /// What leaves by each output.
  virtual std::shared_ptr<const GU_Detail> outputGeo(int) const { return myGdh.myDetail; }

  OP_ERROR lockInput(StandinInputIdx index, OP_Context& context) override {
    if (myLocked.count(int(index))) throw std::logic_error("an input is locked twice");
    const Wire& wire = myInputs.at(std::size_t(index));
    auto* source = dynamic_cast<SOP_Node*>(wire.node);
    const GU_ConstDetailHandle handle =
        source ? source->getCookedGeoHandle(context, wire.output) : GU_ConstDetailHandle();
    if (!handle.gdp()) return myErrors.push_back("an input does not cook"), UT_ERROR_ABORT;
    myLocked.emplace(int(index), handle);
    return UT_ERROR_NONE;
  }
  void unlockInput(StandinInputIdx index) override { myLocked.erase(int(index)); }

  std::vector<std::string> myErrors, myWarnings;
  /// As the viewport does after a cook.
  const GU_Detail& guide(OP_Context& context) {
    if (mySopFlags.getNeedGuide1()) cookMyGuide1(context);
    return *myGuide1;
  }
  GU_DetailHandle myGdh;
  SOP_NodeFlags mySopFlags;
  std::map<int, GU_ConstDetailHandle> myLocked;

 protected:
  virtual OP_ERROR cookMySop(OP_Context& context) = 0;
  virtual OP_ERROR cookMyGuide1(OP_Context&) { return UT_ERROR_NONE; }
  /// Of an input that is locked.
  const GU_Detail* inputGeo(StandinInputIdx index) const { return myLocked.at(int(index)).gdp(); }
  OP_ERROR duplicateSource(unsigned index, OP_Context&) {
    *gdp = *inputGeo(StandinInputIdx(index));
    return error();
  }
  OP_ERROR addError(int, const char* text) { return myErrors.push_back(text), UT_ERROR_ABORT; }
  OP_ERROR addWarning(int, const char* text) { return myWarnings.push_back(text), UT_ERROR_WARNING; }
  OP_ERROR error() const { return myErrors.empty() ? UT_ERROR_NONE : UT_ERROR_ABORT; }

  GU_Detail* gdp = nullptr;
  GOP_Guide* myGuide1 = &myGuideDetail;

 private:
  GOP_Guide myGuideDetail;
  fpreal myTime = -1e30;
};
