#include "Register.h"

#include <OP/OP_Operator.h>
#include <OP/OP_OperatorTable.h>

#include "SIM_VerveSolver.h"
#include "SIM_VerveState.h"
#include "SOP_VerveSolver.h"

void verve_new_sop_operator(OP_OperatorTable* table) {
  auto* op = new OP_Operator(SOP_VerveSolver::theSOPTypeName, "Verve Solver", SOP_VerveSolver::myConstructor,
                             SOP_VerveSolver::buildTemplates(), 1, 3);
  op->setIconName("verve_solver");
  op->setOpTabSubMenuPath("Verve");
  table->addOperator(op);
}

void verve_initialize_sim() {
  IMPLEMENT_DATAFACTORY(SIM_VerveState);
  IMPLEMENT_DATAFACTORY(SIM_VerveSolver);
}
