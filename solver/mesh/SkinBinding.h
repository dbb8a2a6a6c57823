// A surface that is carried by a cage of tets: the artist's mesh, with its points in their order.
#pragma once

#include <array>
#include <vector>

#include "mesh/TetMesh.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// Follows a deforming cage. Points inside the cage move with the tet they are in, points outside with the
/// tet nearest to them, continued beyond its faces. Attributes of the surface (UVs, materials, groups) stay
/// as they are, as its points and triangles keep their numbers.
class SkinBinding {
 public:
  /// A point is the sum of the cage's `corners` times `weights`, which add up to one. The force on a skin
  /// point acts on the corners in the same proportion.
  struct Binding {
    std::array<int, 4> corners;
    std::array<double, 4> weights;
  };

  /// Binds the surface to the cage, both at rest. Throws an Error when a point is not finite or an index out
  /// of range, or when the cage is empty.
  SkinBinding(const TriangleMesh& surface, const TetMesh& cage);

  const std::vector<Binding>& bindings() const { return bindings_; }
  /// How many points lie outside of the cage, and which is the farthest and by how much: large compared to
  /// the tets, it means that the cage is another shape or in another place.
  int outside() const { return outside_; }
  int farthest_point() const { return farthest_point_; }
  double farthest_distance() const { return farthest_distance_; }

  /// The skin's points for the cage's degrees of freedom `x`. Resizes, then never allocates again.
  void positions(const Vector& x, std::vector<Vec3>& out) const;

  /// Unit normals of points: those of the triangles around them, weighted by area. Zero for points without.
  void normals(const std::vector<Vec3>& positions, std::vector<Vec3>& out) const;

  /// Turns normals that the artist made. `rest` are unit normals at rest and `points` says to which point
  /// each belongs, so that a point may have several.
  void turn_normals(const Vector& x, const std::vector<int>& points, const std::vector<Vec3>& rest,
                    std::vector<Vec3>& out) const;

 private:
  void bind(const TriangleMesh& surface, const TetMesh& cage);
  void find_neighbours(const TriangleMesh& surface);

  std::vector<Binding> bindings_;
  std::vector<int> tet_;            // the tet of each binding
  std::vector<Mat3> rest_inverse_;  // of the edges of each tet of the cage at rest
  std::vector<std::array<int, 3>> triangles_;
  std::vector<int> around_start_, around_;  // triangles around each point
  int outside_ = 0;
  int farthest_point_ = -1;
  double farthest_distance_ = 0;
};

}  // namespace verve
