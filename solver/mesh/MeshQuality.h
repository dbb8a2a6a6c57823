// How well-shaped a tet mesh is, and how long a step it would allow an explicit integrator.
#pragma once

#include <array>

#include "mesh/TetMesh.h"

namespace verve {

struct MeshQuality {
  static constexpr int bins = 18;
  std::array<long, bins> dihedral_histogram{};  ///< of all dihedral angles, ten degrees a bin
  double smallest_dihedral = 0;                 ///< degrees
  double largest_dihedral = 0;                  ///< degrees
  int worst_tet = -1;                           ///< of the angle nearest to 0 or 180 degrees
  double volume = 0;
  double smallest_volume = 0;
  double shortest_edge = 0;
  double longest_edge = 0;
  int slivers = 0;  ///< tets with a dihedral angle below 5 or above 175 degrees
  int first_sliver = -1;
};

/// For meshes that require_usable() accepts.
MeshQuality measure(const TetMesh& mesh);

/// The six dihedral angles of a tet in degrees, in the order of tet_edges.
std::array<double, 6> dihedral_angles(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// An upper bound that is safe for the step of symplectic Euler at small deformations: 2 / omega, where omega
/// is the highest frequency that any single tet has with its own share of the mass. Lame parameters in
/// pascals, density in kg/m^3, result in seconds.
double stable_step(const TetMesh& mesh, double mu, double lambda, double density);

}  // namespace verve
