// The entry points that Houdini looks for, and the only symbols that the plugin shows.
#include <OP/OP_Operator.h>
#include <OP/OP_OperatorTable.h>
#include <SYS/SYS_Visibility.h>
#include <UT/UT_DSOVersion.h>

#include <cstdio>

#include "Machine.h"
#include "SIM_VerveSolver.h"
#include "SIM_VerveState.h"
#include "SOP_VerveSolver.h"

extern "C" SYS_VISIBILITY_EXPORT void newSopOperator(OP_OperatorTable* table) {
  const std::string refusal = verve::refusal();
  if (!refusal.empty()) {
    std::fprintf(stderr, "%s\n", refusal.c_str());
    return;
  }
  auto* op = new OP_Operator(SOP_VerveSolver::theSOPTypeName, "Verve Solver", SOP_VerveSolver::myConstructor,
                             SOP_VerveSolver::buildTemplates(), 1, 3);
  op->setIconName("verve_solver");
  op->setOpTabSubMenuPath("Verve");
  table->addOperator(op);
}

extern "C" SYS_VISIBILITY_EXPORT void initializeSIM(void*) {
  if (!verve::refusal().empty()) return;  // newSopOperator() has said why
  IMPLEMENT_DATAFACTORY(SIM_VerveState);
  IMPLEMENT_DATAFACTORY(SIM_VerveSolver);
}
