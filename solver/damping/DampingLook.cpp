#include "damping/DampingLook.h"

#include <cmath>
#include <sstream>

#include "base/Error.h"

namespace verve {
namespace {

double angular(double frequency) {
  if (!(frequency > 0.0 && std::isfinite(frequency)))
    throw Error("damping: a frequency must be a positive number of swings a second");
  return 2.0 * M_PI * frequency;
}

void check_ratio(double zeta) {
  if (!(zeta >= 0.0 && std::isfinite(zeta)))
    throw Error("damping: a damping ratio must be 0 (swings for ever) or positive (1 no longer swings)");
}

}  // namespace

double Rayleigh::ratio(double frequency) const {
  const double w = angular(frequency);
  return 0.5 * eta / w + 0.5 * delta * w;
}

double Rayleigh::half_life(double frequency) const {
  const double w = angular(frequency);
  return 2.0 * std::log(2.0) / (eta + delta * w * w);
}

Rayleigh from_ratio(double zeta, double frequency, DampingKind kind) {
  check_ratio(zeta);
  const double w = angular(frequency);
  if (kind == DampingKind::eta) return {2.0 * zeta * w, 0.0};
  return {0.0, 2.0 * zeta / w};
}

Rayleigh from_two_ratios(double zeta1, double frequency1, double zeta2, double frequency2) {
  check_ratio(zeta1);
  check_ratio(zeta2);
  const double w1 = angular(frequency1), w2 = angular(frequency2);
  if (w1 == w2) throw Error("damping: the two frequencies must differ");
  const double d = w2 * w2 - w1 * w1;
  const Rayleigh result{2.0 * w1 * w2 * (zeta1 * w2 - zeta2 * w1) / d, 2.0 * (zeta2 * w2 - zeta1 * w1) / d};
  if (result.eta < 0.0 || result.delta < 0.0) {
    std::ostringstream text;
    text << "damping: ratios " << zeta1 << " at " << frequency1 << " Hz and " << zeta2 << " at " << frequency2
         << " Hz would need a negative " << (result.eta < 0.0 ? "eta" : "delta")
         << ", which feeds energy; bring the two ratios closer to each other";
    throw Error(text.str());
  }
  return result;
}

Rayleigh from_half_life(double seconds, double frequency, DampingKind kind) {
  if (!(seconds > 0.0)) throw Error("damping: a half-life must be a positive number of seconds");
  // The amplitude falls as exp(-zeta w t).
  return from_ratio(std::log(2.0) / (seconds * angular(frequency)), frequency, kind);
}

Rayleigh from_restitution(double restitution, double frequency, DampingKind kind) {
  if (!(restitution > 0.0 && restitution <= 1.0))
    throw Error("damping: a restitution must be above 0 (no bounce) and at most 1 (full bounce)");
  const double l = -std::log(restitution);
  return from_ratio(l / std::sqrt(M_PI * M_PI + l * l), frequency, kind);
}

}  // namespace verve
