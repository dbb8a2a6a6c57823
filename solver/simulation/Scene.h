// The constant description of a run: bodies, what moves them, and how to step.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "contact/ContactInput.h"
#include "damping/EnergyTarget.h"
#include "energy/SheetMaterial.h"
#include "energy/SpringEnergy.h"
#include "energy/TetEnergy.h"
#include "integrator/Integrator.h"
#include "simulation/CollisionRules.h"
#include "simulation/Motion.h"

namespace verve {

class EmbeddedSkin;
struct PressureSettings;
struct AirSettings;
struct AttachmentList;

/// What stress makes stay: beyond `yield` it flows away at the rate of `creep`.
struct Plasticity {
  double yield = std::numeric_limits<double>::infinity();  ///< Pa, of von Mises' stress; infinite: elastic
  double creep = std::numeric_limits<double>::infinity();  ///< 1/s; infinite: at once
  double hardening = 0.0;  ///< Pa that yield rises by for each unit of plastic strain

  bool any() const { return yield < std::numeric_limits<double>::infinity(); }
};

/// A number that changes over time: linear between its keys, held outside of them; without any it is 1.
struct Course {
  std::vector<std::array<double, 2>> keys;  ///< time (s), value; ascending
  double at(double time) const;
};

/// What is painted on a body's points frame by frame: linear between the frames, held outside of them.
struct Painted {
  template <class T>
  using Map = std::vector<std::vector<T>>;  ///< by frame, a value a point; empty: not painted

  std::vector<double> time;  ///< s, ascending
  /// Multipliers of the material's stiffness, lengths at rest, damping and friction.
  Map<double> stiffness, rest_scale, damping, friction;
  Map<Vec3> rest;  ///< where points are when nothing is deformed, m

  template <class T>
  void at(double seconds, const Map<T>& map, std::vector<T>& out) const {
    const auto after = std::size_t(std::upper_bound(time.begin(), time.end(), seconds) - time.begin());
    const std::size_t to = std::min(after, time.size() - 1), from = after > 0 ? after - 1 : 0;
    const double share = to > from ? (seconds - time[from]) / (time[to] - time[from]) : 0.0;
    out.resize(map[from].size());
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = (1.0 - share) * map[from][p] + share * map[to][p];
  }
};

/// A soft body of tets, a membrane, or a cloth or rope of springs. Its rest shape is `rest`; it starts at `x`
/// with `v`.
struct Body {
  std::string name;
  std::vector<Vec3> rest, x, v;
  std::vector<double> mass;  ///< kg a point

  std::vector<std::array<int, 4>> tets;
  TetMaterial tet_material;  ///< a value per tet
  /// Where tets are quadratic: the elements' points (see QuadraticMesh), eight of `tets` to each; empty: they
  /// are linear.
  std::vector<std::array<int, 10>> quadratic;

  std::vector<std::array<int, 2>> springs;
  /// Stiffness a spring; lengths where they are not those of the rest shape (0: they are; empty: all are);
  /// mass is filled by compile().
  SpringMaterial spring_material;

  std::vector<std::array<int, 3>> corners;  ///< of ropes that bend: a point between its neighbours
  RopeMaterial rope;                        ///< one a corner
  bool links = false;  ///< springs are those of a rope in SI units, which stay N when its length changes

  std::vector<std::array<int, 3>> membrane;
  std::vector<SheetMaterial> sheet;  ///< one a triangle of the membrane

  std::vector<std::array<int, 3>> surface;   ///< triangles that show it and meet colliders, seen from outside
  std::vector<std::array<int, 2>> lines;     ///< segments that show a rope
  std::shared_ptr<const EmbeddedSkin> skin;  ///< the surface that artists see, if it is not the tets' own

  /// Multipliers a point, of damping, friction, the stiffness of its contacts, and lengths at rest; empty:
  /// all ones.
  std::vector<double> damping, friction, contact_stiffness, growth;
  /// Of a point, m: adds to the thickness of colliders and takes the place of half of contact.thickness
  /// between bodies; empty: no point has one.
  std::vector<double> radius;
  std::vector<double> release;                       ///< s a point, when attachments let it go; empty: never
  CollisionRules collision;                          ///< whom its points meet
  std::shared_ptr<const PressureSettings> pressure;  ///< what its surface holds; none: nothing
  std::vector<double> drag_normal, drag_tangent;  ///< multipliers a point, of the air's drag; empty: all ones
  std::vector<Vec3> wind;                         ///< m/s a point, beside the scene's wind; empty: none

  bool settle = false;    ///< begins at rest under its load: x is only where the search for it begins
  bool sag_free = false;  ///< x is the rest under load; the rest shape is found to suit it
  Plasticity plastic;
  Course rest_scale;                       ///< of lengths at rest
  Course stiffness_scale;                  ///< of the material's stiffness
  std::shared_ptr<const Painted> painted;  ///< multiplies these and others besides; none: nothing is
};

/// Points that move as one, numbered over all bodies in their order.
struct PinSet {
  std::vector<int> points;
  Motion motion;  ///< turns about the points' centre
  double from = -std::numeric_limits<double>::infinity(), until = std::numeric_limits<double>::infinity();
};
struct TargetSet : PinSet {
  double stiffness = 0.0;  ///< N/m a point
  double damping = 0.0;    ///< N s/m a point
};
/// A force shared out over points by their mass.
struct Push {
  std::vector<int> points;
  Vec3 force = Vec3::Zero();  ///< N in all
};

struct Scene {
  int first_frame = 1, last_frame = 240;
  double fps = 24.0;
  int substeps = 1;               ///< steps a frame; 0: as many as the motion needs (see StepControl)
  int substeps_max = 256;         ///< the most of them then
  double step_tolerance = 0.008;  ///< what a step may miss then, as a share of a body's speed
  Vec3 gravity = Vec3(0, -9.81, 0);
  std::vector<Body> bodies;
  std::vector<PinSet> pins;
  std::vector<TargetSet> targets;
  std::vector<Push> pushes;
  std::vector<ColliderSpec> colliders;
  std::vector<CollisionKind> collider_kinds;  ///< of each collider; empty: none says anything
  ContactSettings contact;
  bool collide_skins = false;           ///< bodies with a skin meet colliders with its points, not the tets'
  std::vector<Constraint> constraints;  ///< on points numbered over all bodies
  std::shared_ptr<const AttachmentList> attachments;  ///< likewise; none: there are none
  std::shared_ptr<const AirSettings> air;             ///< none: a vacuum
  IntegratorSettings integrator;
  EnergyTargetSettings energy_target;

  double frame_time(int frame) const { return (frame - first_frame) / fps; }
  int points() const;
};

/// The integrator's settings with the multipliers of the bodies' points.
IntegratorSettings integrator_settings(const Scene& scene);

/// The system and the first state that a scene describes. Throws an Error that names the body for anything
/// the solver cannot run on.
void compile(const Scene& scene, System& system, State& state);

}  // namespace verve
