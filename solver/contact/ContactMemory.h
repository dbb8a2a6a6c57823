// What single contacts remember from one step to the next.
#pragma once

#include "base/Types.h"
#include "contact/ContactKey.h"

namespace verve {

/// The spring of static friction, and whether it gives way.
struct BristleMemory {
  Vec3 stretch = Vec3::Zero();  ///< m
  bool slides = false;

  bool empty() const { return stretch.isZero(0.0) && !slides; }
};

/// The gap that the spring's energy belongs to, whatever the geometry says.
struct BookedGap {
  bool held = false;
  double gap = 0.0;  ///< at the last step's end, m
};

/// A wall that the point is within; as in Wall. Strength 0: it is within none.
struct WallMemory {
  double strength = 0.0;  ///< J
  /// A shift below 0 is what the reach is shorter.
  double shift = 0.0, rate = 0.0;
};

struct ContactMemory {
  ContactKey key;
  BristleMemory bristle;
  BookedGap booked;
  WallMemory wall;
  int side = 0;  ///< 1 or -1: on which side of a sheet the point is; 0 when it need not be remembered
  /// Under the paper's rule: the spring is there although the point has left the collider.
  bool attached = false;
  double overlap = 0.0;  ///< depth at the run's start that is being eased out, m
  double share = 1.0;    ///< of the whole stiffness
  /// It was pressed into a sheet, or past an edge, at the last step's end. Behind a sheet a point is as far
  /// from it as in front: where only what lies within reach of the velocity is looked for, a point that comes
  /// to rest there would be lost.
  bool pressed = false;

  bool empty() const {
    return bristle.empty() && !booked.held && wall.strength == 0.0 && side == 0 && !attached &&
           overlap == 0.0;
  }
};

/// Of a pair that a wall between bodies holds apart: it has energy, or is nearer than its law begins.
struct PairMemory {
  ContactKey key;
  BristleMemory bristle;
  double energy = 0.0;  ///< of law and bristle, J
  /// Its law, as in PairLaw: what was found too near begins with a smaller one.
  double strength = 0.0, reach = 0.0, thickness = 0.0, share = 1.0;
};

}  // namespace verve
