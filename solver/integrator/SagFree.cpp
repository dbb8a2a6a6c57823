#include "integrator/SagFree.h"

#include "base/Error.h"
#include "contact/Contacts.h"
#include "integrator/SagProblem.h"
#include "integrator/StillDrivers.h"
#include "system/Boundary.h"

namespace verve {

SagReport find_rest_shape(System& system, const Drivers& drivers, const std::vector<char>& free_of_sag,
                          double h, const State& state) {
  SagProblem problem(system, drivers, free_of_sag, h, state);
  SagReport report;
  problem.find_load();
  if (problem.size > 0.0) {
    if (problem.has({RestKind::tets})) report.share = give_tets_rest(problem);
    if (problem.has({RestKind::springs, RestKind::corners})) give_springs_rest(problem);
    if (problem.has({RestKind::sheets})) give_sheets_rest(problem);
  }
  const Vector g = problem.gradient();
  for (int i = 0; i < system.points(); ++i)
    if (problem.row[std::size_t(i)] >= 0 && point(g, i).norm() >= report.residual)
      report.residual = point(g, i).norm(), report.point = i;
  report.found = report.residual <= 1e-8 * problem.size;
  return report;
}

}  // namespace verve
