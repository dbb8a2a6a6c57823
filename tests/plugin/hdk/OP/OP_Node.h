#pragma once

#include <vector>

#include "../OP/OP_Context.h"
#include "../OP/OP_DataTypes.h"
#include "../OP/OP_Error.h"
#include "../OP/OP_NodeFlags.h"
#include "../OP/OP_OpTypeId.h"
#include "../OP/OP_Parameters.h"
#include "../OP/OP_Value.h"

class OP_Network;
class OP_Node : public OP_Parameters {
 public:
  /// A wire leaves its node from one of the outputs.
  struct Wire {
    Wire(OP_Node* source = nullptr, int from = 0) : node(source), output(from) {}
    OP_Node* node;
    int output;
  };
  OP_Node* getInput(StandinInputIdx index, bool = false) const {
    return std::size_t(index) < myInputs.size() ? myInputs[std::size_t(index)].node : nullptr;
  }
  OP_Network* getParent() const { return myParent; }
  virtual OP_OpTypeId getOpTypeID() const { return SOP_OPTYPE_ID; }
  OP_NodeFlags& flags() { return myFlags; }
  /// Reaches everything downstream.
  virtual void opChanged(OP_EventType reason, void* data = nullptr) {
    (void)reason, (void)data;
    myDirty = true;
    for (OP_Node* n : myOutputs) n->opChanged(OP_INPUT_CHANGED);
  }
  void parmChanged() override { opChanged(OP_PARM_CHANGED); }
  virtual OP_ERROR lockInput(StandinInputIdx index, OP_Context& context) = 0;
  virtual void unlockInput(StandinInputIdx index) = 0;

  std::vector<Wire> myInputs;
  std::vector<OP_Node*> myOutputs;
  OP_Network* myParent = nullptr;
  bool myDirty = true;

 private:
  OP_NodeFlags myFlags;
};
