#include "linear/LinearSolver.h"

#include "linear/DirectSolver.h"
#include "linear/FactorPcg.h"
#include "linear/JacobiPcg.h"

namespace verve {

std::unique_ptr<LinearSolver> make_linear_solver(LinearKind kind) {
  if (kind == LinearKind::direct) return std::make_unique<DirectSolver>();
  if (kind == LinearKind::iterative) return std::make_unique<JacobiPcg>();
  return std::make_unique<FactorPcg>();
}

}  // namespace verve
