// Balloons, airbags, cushions: what a closed surface holds pushes it outwards.
#pragma once

#include <memory>
#include <string>

#include "base/Keys.h"
#include "system/Term.h"
#include "term/ClosedVolume.h"
#include "term/GasLaw.h"

namespace verve {

/// What the artist says about the inside of a body.
struct PressureSettings {
  GasLaw::Kind kind = GasLaw::Kind::constant;
  KeyedNumber value;         ///< Pa of a constant pressure
  KeyedNumber amount = 1.0;  ///< of a gas: its volume at the pressure outside, over that of the piece at rest
  double outside = 101325.0;  ///< Pa; with a gas
};

/// A term for the closed pieces of one body's surface, each with an inside of its own. `triangles` are
/// numbered over all points, which stand at `rest` undeformed. A constant pressure comes from outside the
/// scene: what it brings in is work. A gas stores its energy. Of a `solid` body that is hollow the hollows
/// are filled, not what they are hollows of. Throws an Error that names the body `name` where nothing is
/// closed.
std::unique_ptr<Term> make_pressure(const std::string& name, const PressureSettings& settings,
                                    const std::vector<std::array<int, 3>>& triangles, const Vector& rest,
                                    bool solid = false);

/// What an artist should know of a body whose surface is closed only in part; empty: nothing. `triangles` and
/// points are the body's own.
std::string pressure_warning(const std::string& name, const std::vector<std::array<int, 3>>& triangles,
                             const std::vector<Vec3>& rest);

}  // namespace verve
