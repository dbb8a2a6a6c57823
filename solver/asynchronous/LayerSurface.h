// Everything with corners that penalty layers keep apart: the surfaces of bodies, of mesh colliders, and the
// cores of round ones.
#pragma once

#include <array>
#include <string>

#include "contact/ContactInput.h"
#include "contact/LayerLaw.h"

namespace verve {

/// A pair of things that may meet: what keeps them apart, and how they rub.
struct LayerRule {
  LayerLaw law;
  double static_friction = 0.0, dynamic_friction = 0.0;
};

/// Points, edges and triangles by numbers of particles: the points of the system first, then those of mesh
/// colliders. Owners are bodies, then colliders.
struct LayerSurface {
  /// `points` is the number of points of the system. Throws an Error for settings and colliders that make no
  /// sense.
  LayerSurface(const ContactInput& input, int points);

  template <int N>
  struct Parts {
    std::vector<std::array<int, N>> corners;
    std::vector<int> owner;
    int size() const { return int(corners.size()); }
  };
  Parts<1> vertices;
  Parts<2> edges;
  Parts<3> triangles;
  /// By particle: the parts that it belongs to.
  std::vector<int> vertex_of;  ///< -1: none
  std::vector<std::vector<int>> edges_of, triangles_of;

  int bodies = 0, system_points = 0, particles = 0;
  std::vector<ColliderSpec> colliders;
  std::vector<char> exact;                 ///< whether each collider is a shape rather than a mesh
  std::vector<std::vector<Vec3>> corners;  ///< of each collider, in its own frame
  std::vector<double> radius;              ///< of what is round around each collider's corners, m
  std::vector<int> first_particle;         ///< of each collider; -1 for those without corners
  std::vector<LayerRule> with_collider;
  LayerRule with_body;
  /// By particle, what multiplies the stiffness and the friction of rules; empty: all ones.
  std::vector<double> stiffness, friction;
  LayerSettings settings;
  double widest = 0.0;             ///< of all outermost layers, m
  double mean_edge = 0.0;          ///< of bodies at rest, m
  std::vector<std::string> names;  ///< of owners

  CollisionMatrix collision_matrix;  ///< of points with each other and with colliders

  bool may_meet(int owner_a, int owner_b) const;
  /// The same for parts of them, by their corners.
  template <class A, class B>
  bool may_meet(const A& a, int owner_a, const B& b, int owner_b) const {
    if (!may_meet(owner_a, owner_b)) return false;
    if (owner_a >= bodies) return collision_matrix.all_meet_collider(b, owner_a - bodies);
    if (owner_b >= bodies) return collision_matrix.all_meet_collider(a, owner_b - bodies);
    return collision_matrix.all_meet(a, b);
  }
  const LayerRule& rule(int owner_a, int owner_b) const;
  /// The radius around an owner's corners, m: above 0 for round colliders.
  double round(int owner) const { return owner < bodies ? 0.0 : radius[owner - bodies]; }
  /// Multiplies what a rule says by the mean of what these particles have.
  void multiply(const int* begin, const int* end, LayerRule& rule) const;

 private:
  void add(const std::vector<std::array<int, 3>>& faces, const std::vector<std::array<int, 2>>& lines,
           int first, int owner);
  bool between_ = false, self_ = false;
};

}  // namespace verve
