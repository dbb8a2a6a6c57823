// What the points of a geometry say about themselves, in the names that artists know.
#pragma once

#include "base/Fingerprint.h"
#include "geometry/Geometry.h"
#include "parameters/Attributes.h"
#include "simulation/CollisionRules.h"

namespace verve {

/// What `attributes()` has of bodies, as it was read. A list has an entry for each point of the geometry, or
/// is empty when its attribute is not there. Values may also stand on primitives (a point takes the mean of
/// those around it) or on the detail (all points take it); point attributes come first.
struct PointAttributes {
  std::vector<double> stiffness;     ///< multiplies the material's, averaged over the points of an element
  std::vector<double> dampingratio;  ///< multiplies damping
  std::vector<double> restscale;     ///< multiplies lengths at rest, averaged likewise
  std::vector<double> massdensity;   ///< multiplies the density, averaged likewise
  std::vector<double> mass;          ///< kg a point, instead of what the density gives
  std::vector<double> friction;      ///< multiplies friction
  std::vector<double> collisionstiffness;       ///< multiplies the stiffness of contacts
  std::vector<double> release;                  ///< s: when attachments of the point let go; below 0: never
  std::vector<double> pscale;                   ///< the radius within which a point touches, m
  std::vector<double> targetweight;             ///< multiplies the stiffness of targets; 0: no target
  std::vector<Vec3> v;                          ///< m/s at the start
  std::vector<Vec3> rest;                       ///< where the point is when nothing is deformed, m
  std::vector<Vec3> targetP;                    ///< where pins and targets are, m; P when not there
  std::vector<Vec3> force;                      ///< N
  std::vector<double> dragnormal, dragtangent;  ///< multiply the air's drag
  std::vector<Vec3> wind;                       ///< m/s, beside the scene's wind
  std::vector<int> pinned;                      ///< the points whose pintoanimation is not zero, ascending
  std::vector<int> stopped;                     ///< those whose stopped has its first bit set
  CollisionRules collision;                     ///< collisiongroup, collisionignore and what disables contact
  /// By primitive, not by point: the rest length of a poly line in m, shared out among its segments; 0: as it
  /// is at rest.
  std::vector<double> restlength;

  /// What some points say, in that order; not what holds or draws them, nor of primitives.
  PointAttributes chosen(const std::vector<int>& points) const;
  /// Whether no point says anything.
  bool empty() const;
  /// Adds everything that shapes a simulation after its first frame.
  void add_to(Fingerprint& sum) const;
  /// Only what bodies are built from: materials, masses, rest shape, how they meet.
  void add_build(Fingerprint& sum) const;
};

/// What the points of a collider multiply; a list is empty where its attribute is not there.
struct ColliderAttributes {
  std::vector<double> stiffness;         ///< `collisionstiffness`, or `stiffness` where there is no such
  std::vector<double> friction;          ///< both frictions
  std::vector<double> dynamic_friction;  ///< `dynamicfriction`; a collider takes the mean over its points
};

/// Throws an Error that names the attribute and point for one that is negative or not finite.
ColliderAttributes collider_attributes(const Geometry& geometry);

/// Throws an Error that names the attribute and point for text, wrong sizes, and numbers that make no sense.
PointAttributes point_attributes(const Geometry& geometry);

/// One number a point that multiplies something; empty when there is no such attribute. Throws an Error that
/// names the point for one that is negative or not finite.
std::vector<double> point_multipliers(const Geometry& geometry, AttributeDoor door, const char* name);

/// The numbers of an attribute of points, primitives or the detail, `size` a point; empty when there is none.
std::vector<double> point_numbers(const Geometry& geometry, const std::string& name, int size);

}  // namespace verve
