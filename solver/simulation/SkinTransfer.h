// What an artist paints on a skin, for the points of the tets that carry it.
#pragma once

#include <string>
#include <vector>

#include "mesh/TriangleMesh.h"
#include "simulation/PointAttributes.h"

namespace verve {

/// Every point of the cage goes by the place of the skin that is nearest to it at rest.
class SkinTransfer {
 public:
  /// Both at rest and in the same place. The skin's points keep their numbers.
  SkinTransfer(const TriangleMesh& skin, const std::vector<Vec3>& cage);

  /// Multipliers, weights and velocities are interpolated in the triangle; a cage point is pinned or stopped
  /// where the corners that are make up half of its weights or more. What a cage cannot take over from its
  /// skin is named in `warnings`.
  PointAttributes attributes(const PointAttributes& of_skin, std::vector<std::string>& warnings) const;

  /// Where the cage's points are taken by a skin that moved: with the nearest triangle, turning as it turns.
  std::vector<Vec3> moved(const std::vector<Vec3>& skin) const;

 private:
  struct Nearest {
    std::array<int, 3> corners;
    Vec3 weights;
    Vec3 offset;  ///< from the place on the skin to the cage's point, in the triangle's axes at rest
  };
  std::vector<Nearest> nearest_;
};

}  // namespace verve
