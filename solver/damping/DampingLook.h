// Damping as the artist sees it, turned into eta and delta.
#pragma once

namespace verve {

/// eta (1/s) and delta (s) of D = eta M + delta K. A mode of frequency f then has the damping ratio
/// zeta = eta/(2w) + delta w/2, w = 2 pi f.
struct Rayleigh {
  double eta = 0.0, delta = 0.0;

  /// The damping ratio of a mode of `frequency` Hz; 1 no longer swings.
  double ratio(double frequency) const;
  /// Seconds in which its amplitude halves.
  double half_life(double frequency) const;
};

/// Which of the two numbers carries the damping: delta leaves rigid motion alone, eta damps all modes alike.
enum class DampingKind { delta, eta };

/// A mode of `frequency` Hz gets the damping ratio zeta.
Rayleigh from_ratio(double zeta, double frequency, DampingKind kind = DampingKind::delta);
/// Two modes get their damping ratios. Throws an Error when that needs a negative eta or delta.
Rayleigh from_two_ratios(double zeta1, double frequency1, double zeta2, double frequency2);
/// The amplitude of a mode of `frequency` Hz halves in `seconds`: "lose half the bounce in t seconds".
Rayleigh from_half_life(double seconds, double frequency, DampingKind kind = DampingKind::delta);
/// A mode of `frequency` Hz comes back with the share `restitution` of its speed after half a swing.
Rayleigh from_restitution(double restitution, double frequency, DampingKind kind = DampingKind::delta);

}  // namespace verve
