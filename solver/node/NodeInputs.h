// What a host hands to a node for one frame, read and checked.
#pragma once

#include <map>
#include <memory>

#include "node/NodeSettings.h"

namespace verve {

/// As it comes from the host. `targets` and `colliders` may be missing.
struct NodeFrame {
  int frame = 1;
  double fps = 24.0;
  NodeSettings settings;
  std::shared_ptr<const Geometry> bodies, targets, colliders;
};

/// Where a point is drawn to.
struct Goal {
  int point;  ///< of the bodies' geometry
  Vec3 position;
  double weight;
};

/// A constraint between two points of the bodies' geometry.
struct Link {
  std::array<int, 2> points;
  double length;           ///< m; 0: they are one point; below 0: as it is at the start
  double stiffness = 0.0;  ///< N/m of a spring; 0: it holds exactly
  double damping = 0.0;    ///< of a spring: 1 no longer swings
  /// Where a spring breaks, in the unit of `breaks_by`; below 0: nowhere.
  double breaks = -1.0;
  enum class BreaksBy {
    force,
    distance,
    ratio
  };  ///< N; m longer than at rest; that as a share of its length
  BreaksBy breaks_by = BreaksBy::force;
  double release = -1.0;  ///< s after the first frame, when a spring lets go; below 0: never
};

/// What the rounding of positions in single precision may put between two points at one place, m.
double rounding_of(const Vector& x);

/// Gives links that say no length the distance that their ends have at x: 0, which welds them, where no more
/// than rounding is between them.
void measure(std::vector<Link>& links, const Vector& x);

/// Points of the targets match those of the bodies by number, or by the point attribute `id` where both
/// geometries have one. Attributes of the targets come before those of the bodies; each line between two of
/// them is a constraint that keeps the distance which the points have at the start, or their place when that
/// is the same; a primitive attribute restlength gives a line's length instead, evenly to its segments. With
/// the primitive attribute type, as Vellum's constraints have it, lines of type stitch or attach are such
/// constraints, the points of pins are pinned (drawn there by a spring where the primitive has a stiffness),
/// and what materials do here (distance, bend, ...) is left out and counted. Polygons and tets of the
/// colliders that hang together are one collider, whose attributes stiffness, friction and dynamicfriction
/// multiply the parameters (their mean over its points).
struct NodeInputs {
  /// Throws an Error that names the input, point or primitive. `start` says that the simulation begins here:
  /// then all positions and velocities count.
  NodeInputs(const NodeFrame& frame, bool start);

  int frame;
  double fps;
  NodeSettings settings;
  std::shared_ptr<const Geometry> geometry;
  PointAttributes attributes;
  std::vector<Goal> pins, targets;  ///< ascending by point
  std::vector<Link> links;
  std::vector<ColliderSpec> colliders;
  std::vector<CollisionKind> collider_kinds;
  std::vector<std::string> notes;  ///< what of the inputs has no effect

  std::uint64_t topology = 0;  ///< of bodies and colliders: must not change during a run
  std::uint64_t build = 0;     ///< of what the system is built from: materials, masses, rest shape
  std::uint64_t all = 0;       ///< of everything that shapes the result

 private:
  void read_goals(const Geometry* targets);
  void read_links(const Geometry& targets, const std::vector<int>& match, const std::vector<double>& lengths);
  void pin(const Geometry& targets, int primitive, double stiffness, const std::vector<int>& match);
  void read_colliders(const Geometry& geometry);
  std::map<int, double>
      soft_pins_;  ///< N/m by point: those of the second input's lines that have a stiffness
};

}  // namespace verve
