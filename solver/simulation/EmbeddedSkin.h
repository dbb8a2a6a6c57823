// The surface that an artist sees of a body of tets, with all its attributes.
#pragma once

#include "geometry/Geometry.h"
#include "mesh/SkinBinding.h"

namespace verve {

/// An artist's surface that is carried by the tets of a body. Everything about it stays as it was made (UVs,
/// colours, groups, materials) but positions, velocities and, where it has them, normals.
class EmbeddedSkin {
 public:
  /// Binds the polygons of `surface` to a cage, both at rest and in the same place. Throws an Error when the
  /// surface has no polygons or a point that is not finite.
  EmbeddedSkin(Geometry surface, const TetMesh& cage);

  /// The same surface, bound to another cage of the same rest shape.
  EmbeddedSkin bound_to(const TetMesh& cage) const { return EmbeddedSkin(surface_, cage); }

  const SkinBinding& binding() const { return binding_; }

  /// The surface for positions and velocities of the cage's points. The attributes N of points and vertices
  /// turn with the tets; the velocity becomes the point attribute v.
  Geometry at(const Vector& x, const Vector& v) const;

 private:
  void turn_normals(Geometry& geometry, Owner owner, const Vector& x) const;

  Geometry surface_;
  SkinBinding binding_;
};

}  // namespace verve
