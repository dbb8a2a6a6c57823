// The energy of what a closed volume holds.
#pragma once

#include <cmath>

namespace verve {

/// U(V) in J, with -dU/dV the pressure over that outside, Pa.
struct GasLaw {
  enum class Kind {
    constant,    ///< a reservoir holds the pressure: U = -p V
    isothermal,  ///< p V is constant
    adiabatic,   ///< p V^1.4 is constant
  };
  Kind kind = Kind::constant;
  double pressure = 0.0;  ///< constant: p; else that outside
  double relaxed = 0.0;   ///< of a gas, m^3: the volume at which it has the pressure outside

  static constexpr double exponent = 1.4;  ///< of air
  /// Below this share of its relaxed volume U goes on as a parabola: a trial of the minimiser may turn a
  /// balloon inside out.
  static constexpr double least = 0.02;

  bool is_gas() const { return kind != Kind::constant; }
  double slope(double v) const {
    if (!is_gas()) return -pressure;
    const double at = held(v);
    return pressure * (1.0 - ratio(at)) + curvature(v) * (v - at);
  }
  double curvature(double v) const {
    if (!is_gas()) return 0.0;
    const double at = held(v);
    return pressure * (kind == Kind::isothermal ? 1.0 : exponent) * ratio(at) / at;
  }
  /// U(v) - U(from), without the cancellation of large numbers.
  double change(double from, double v) const {
    if (!is_gas()) return -pressure * (v - from);
    const double low = least * relaxed;
    if (v >= low && from >= low) return smooth_change(from, v);
    const auto above_low = [&](double at) {  // U(at) - U(low)
      const double d = at - low;
      return at >= low ? smooth_change(low, at) : slope(low) * d + 0.5 * curvature(low) * d * d;
    };
    return above_low(v) - above_low(from);
  }
  /// Of a gas, over that of its relaxed state: never negative.
  double energy(double v) const { return is_gas() ? change(relaxed, v) : 0.0; }

 private:
  double held(double v) const { return v > least * relaxed ? v : least * relaxed; }
  double ratio(double v) const {  // of the pressure inside to that outside
    return kind == Kind::isothermal ? relaxed / v : std::pow(relaxed / v, exponent);
  }
  double smooth_change(double from, double v) const {
    const double l = std::log1p((v - from) / from);
    const double inside = kind == Kind::isothermal
                              ? -from * ratio(from) * l
                              : from * ratio(from) * std::expm1(-(exponent - 1.0) * l) / (exponent - 1.0);
    return pressure * (inside + (v - from));
  }
};

}  // namespace verve
