// The solid that a surface of triangles encloses, closed or not.
#pragma once

#include "mesh/Implicit.h"
#include "mesh/TriangleTree.h"

namespace verve {

/// Inside is where the surface goes round more than half a time, so holes are bridged and overlapping parts
/// are one. On a closed surface the field is the signed distance.
class SurfaceField : public Implicit {
 public:
  /// `open_length`: metres of edges that no opposite edge matches, zero for closed surfaces.
  SurfaceField(const TriangleMesh& surface, double open_length);

  double value(const Vec3& p) const override;
  Eigen::AlignedBox3d bounds() const override { return bounds_; }

 private:
  TriangleTree tree_;
  double open_length_;
  Eigen::AlignedBox3d bounds_;
};

}  // namespace verve
