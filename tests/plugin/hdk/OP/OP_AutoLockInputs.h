#pragma once

#include <vector>

#include "../OP/OP_Node.h"

/// Unlocks what it has locked when it goes.
class OP_AutoLockInputs {
 public:
  explicit OP_AutoLockInputs(OP_Node* node) : myNode(node) {}
  ~OP_AutoLockInputs() {
    for (int i : myLocked) myNode->unlockInput(StandinInputIdx(i));
  }
  OP_ERROR lock(OP_Context& context) {
    for (std::size_t i = 0; i < myNode->myInputs.size(); ++i)
      if (myNode->myInputs[i].node && lockInput(int(i), context) >= UT_ERROR_ABORT) return UT_ERROR_ABORT;
    return UT_ERROR_NONE;
  }
  OP_ERROR lockInput(int index, OP_Context& context) {
    const OP_ERROR result = myNode->lockInput(StandinInputIdx(index), context);
    if (result < UT_ERROR_ABORT) myLocked.push_back(index);
    return result;
  }

 private:
  OP_Node* myNode;
  std::vector<int> myLocked;
};
