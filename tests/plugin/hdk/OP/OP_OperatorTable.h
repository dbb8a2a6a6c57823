#pragma once

#include <memory>
#include <vector>

#include "../OP/OP_Operator.h"

class OP_OperatorTable {
 public:
  bool addOperator(OP_Operator* op) { return myOperators.emplace_back(op), true; }
  std::vector<std::unique_ptr<OP_Operator>> myOperators;
};
