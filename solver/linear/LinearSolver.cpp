#include "linear/LinearSolver.h"

#include "linear/AutomaticSolver.h"
#include "linear/DirectSolver.h"
#include "linear/IterativeSolver.h"

namespace verve {

std::unique_ptr<LinearSolver> make_linear_solver(LinearKind kind) {
  if (kind == LinearKind::direct) return std::make_unique<DirectSolver>();
  if (kind == LinearKind::iterative) return std::make_unique<IterativeSolver>();
  return std::make_unique<AutomaticSolver>();
}

}  // namespace verve
