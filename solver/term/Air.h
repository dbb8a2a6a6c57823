// The air around bodies: drag, and wind that carries them along.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "system/Term.h"
#include "term/Wind.h"

namespace verve {

/// What the artist says about the air.
struct AirSettings {
  double density = 1.2;        ///< kg/m^3
  double drag_normal = 1.2;    ///< coefficient across a surface: that of a plate
  double drag_tangent = 0.05;  ///< along it
  Wind wind;
};

/// A triangle that the air meets, by the system's points.
struct AirTriangle {
  std::array<int, 3> points;
  double drag_normal = 1.0, drag_tangent = 1.0;  ///< multipliers
  Vec3 wind = Vec3::Zero();                      ///< beside the scene's, m/s
  bool one_sided = false;                        ///< of a closed surface: the air is on one side only
};

/// The force on a triangle of area A whose corners move by u on average relative to the air is
///   -(rho A / 2) (Cn |un| un + Ct |ut| ut),
/// half of it where the air is on one side only, so that a thin plate feels the same as cloth and as a closed
/// box. Area, normal and wind are those foreseen for the step's middle. Along the chord u is the mean
/// velocity, and nearer to that at the step's end the sooner the air alone would stop the triangle: exactly
/// as its deceleration v' = -c |v| v, whose velocity after h is v / (1 + c |v| h), has it. So drag neither
/// overturns motion nor depends on the step, however strong.
std::unique_ptr<Term> make_air(const AirSettings& settings, std::vector<AirTriangle> triangles,
                               const Vector& mass);

}  // namespace verve
