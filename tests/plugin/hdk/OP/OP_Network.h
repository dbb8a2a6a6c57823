#pragma once

#include "../OP/OP_Node.h"

class OP_Network : public OP_Node {
 public:
  explicit OP_Network(OP_OpTypeId type) : myType(type) {}
  OP_OpTypeId getOpTypeID() const override { return myType; }
  OP_ERROR lockInput(StandinInputIdx, OP_Context&) override { return UT_ERROR_ABORT; }
  void unlockInput(StandinInputIdx) override {}

 private:
  OP_OpTypeId myType;
};
