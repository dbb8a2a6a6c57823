#include "SolverSummary.h"

#include <cstdio>

namespace verve {

std::string summary(const NodeResult& result, const NodeCache& cache) {
  if (!result.file.empty()) return "Loaded from " + result.file + (result.stale ? "\nStale\n" : "\n");
  const FrameReport& r = result.report;
  char text[1024];
  std::snprintf(text, sizeof text,
                "Frame %d, %.4g s%s\n"
                "Energy          %.6g J (kinetic %.4g, elastic %.4g, gravity %.4g, contact %.4g)\n"
                "Dissipated      %.6g J\nWork            %.6g J\nLedger error    %+.2e\n"
                "Contacts        %d\nInverted        %d\nSteps           %d%s\n"
                "Iterations      %d, residual %.2e, %d halved steps\n"
                "Cached frames   %d to %d, %zu in memory (%.1f MB)\n",
                r.frame, r.time, result.stale ? ", stale" : "", r.levels.total(), r.levels.kinetic,
                r.levels.elastic, r.levels.gravity, r.levels.contact, r.ledger.dissipated, r.ledger.work,
                r.ledger_error(), r.contacts, r.inverted, r.substeps,
                r.bound ? ", the motion asked for more (see Substeps)" : "", r.steps.newton_iterations,
                r.steps.residual, r.halvings, cache.first(), cache.last(), cache.kept(),
                double(cache.bytes()) / 1048576.0);
  std::string out = text;
  if (r.passed > 0) out += std::to_string(r.passed) + " points went through a collider in this frame\n";
  if (r.grown > 0.0) out += "The energy grew by more than work and contact put in\n";
  for (const std::string& note : result.notes) out += note + "\n";
  return out;
}

}  // namespace verve
