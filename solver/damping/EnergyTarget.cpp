#include "damping/EnergyTarget.h"

#include <cmath>

#include "base/Error.h"
#include "system/RigidMotion.h"

namespace verve {

void check(const EnergyTargetSettings& settings) {
  if (settings.kind == EnergyTargetSettings::Kind::decay && !(settings.loss >= 0.0 && settings.loss < 1.0))
    throw Error("damping.energy_loss: must be at least 0 and below 1, the share lost in a second");
  if (settings.kind == EnergyTargetSettings::Kind::hold &&
      !(settings.value >= 0.0 && std::isfinite(settings.value)))
    throw Error("damping.energy_target: must be 0 or a positive number of joules");
  if (!(settings.most > 0.0 && settings.most < 1.0))
    throw Error("damping.energy_target: the largest change a step must lie between 0 and 1");
}

double follow_energy_target(const System& system, const EnergyTargetSettings& settings, double h,
                            const EnergyLevels& levels, State& state) {
  using Kind = EnergyTargetSettings::Kind;
  if (settings.kind == Kind::none) return 0.0;
  const double now = levels.kinetic + levels.elastic + levels.contact;
  const double target =
      settings.kind == Kind::decay ? now * std::pow(1.0 - settings.loss, h) : settings.value;

  std::vector<RigidMotion> parts = rigid_motions(system, state.x, state.v, state.held);
  // A held piece has no rigid motion of its own: all that its free points do is inner motion.
  double inner = 0.0;
  for (const RigidMotion& r : parts) inner += r.held ? 0.0 : r.inner_kinetic();
  inner += held_pieces_kinetic(system, parts, state);
  if (!(inner > 0.0)) return target - now;
  const double wanted = std::sqrt(std::max(0.0, 1.0 + (target - now) / inner));
  const double scale = std::min(std::max(wanted, 1.0 - settings.most), 1.0 + settings.most);

  const double before = free_kinetic(system, state);
  scale_inner_motion(system, parts, scale, state);
  const double change = free_kinetic(system, state) - before;
  (change < 0.0 ? state.ledger.dissipated : state.ledger.work) += std::abs(change);
  return target - now - change;
}

}  // namespace verve
