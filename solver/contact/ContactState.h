// What contact remembers from one step to the next.
#pragma once

#include <array>
#include <tuple>
#include <vector>

#include "base/Types.h"

namespace verve {

/// Names a contact: what kind or which collider, the two parts that meet, and which of their penalty layers.
struct ContactKey {
  int kind = 0, a = -1, b = -1, layer = 0;
  bool operator<(const ContactKey& o) const {
    return std::tie(kind, a, b, layer) < std::tie(o.kind, o.a, o.b, o.layer);
  }
  bool operator==(const ContactKey& o) const {
    return kind == o.kind && a == o.a && b == o.b && layer == o.layer;
  }
};

struct ContactMemory {
  ContactKey key;
  Vec3 stretch = Vec3::Zero();  ///< of the friction's bristle, m
  bool slides = false;
  int side = 0;  ///< 1 or -1: on which side of a sheet the point is; 0 when it need not be remembered
  bool attached =
      false;  ///< under the paper's rule: the spring is there although the point has left the collider
  double overlap = 0.0;  ///< depth at the run's start that is being eased out, m
  bool booked = false;   ///< the books have `gap`, whatever the geometry says
  double gap = 0.0;      ///< at the last step's end, m
  double share = 1.0;    ///< of the whole stiffness
  /// It was pressed into a sheet, or past an edge, at the last step's end. Behind a sheet a point is as far
  /// from it as in front: where only what lies within reach of the velocity is looked for, a point that comes
  /// to rest there would be lost.
  bool pressed = false;
  double wall = 0.0;  ///< the strength of the wall that the point is within, J; 0: it is within none
  /// As in Wall; a shift below 0 is what the reach is shorter.
  double wall_shift = 0.0, wall_rate = 0.0;

  bool empty() const {
    return stretch.isZero(0.0) && !slides && !attached && overlap == 0.0 && side == 0 && !booked &&
           wall == 0.0;
  }
};

/// Part of a run's State.
struct ContactState {
  bool open = false;         ///< false before the first step
  double begun = 0.0;        ///< time of the first step, s
  double energy = 0.0;       ///< of all contacts at the last step's end, J
  int touching = 0;          ///< contacts then
  double deepest = 0.0;      ///< the deepest of them, m
  double penetration = 0.0;  ///< of the point deepest behind a collider's surface, m
  std::vector<int> touched;  ///< the points of bodies in those contacts, ascending
  double wall_energy = 0.0;  ///< the most that was at hand when a step began, J
  /// Points whose wall gave way in the last step because of what else was asked of them, ascending.
  std::vector<int> given_way;
  double purse = 0.0;                       ///< what fading offsets have taken and not yet given back, J
  std::vector<ContactMemory> memories;      ///< ascending by key
  std::vector<std::array<int, 2>> coupled;  ///< pairs of points that contacts may couple, ascending
  /// Of walls between bodies: those with energy, ascending by key; `gap` is that energy (J), `wall`,
  /// `wall_shift` and `wall_rate` are strength, reach and thickness.
  std::vector<ContactMemory> pairs;
  /// Bodies (and colliders, numbered after them) that have not been free of each other since the run's start,
  /// and the points of those of their triangles that intersect, ascending.
  std::vector<std::array<int, 2>> tangled;
  std::vector<int> intersecting;
};

}  // namespace verve
