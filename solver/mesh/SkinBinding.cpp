#include "mesh/SkinBinding.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "base/Error.h"
#include "base/Parallel.h"
#include "mesh/MeshGeometry.h"
#include "mesh/TriangleTree.h"

namespace verve {
namespace {

constexpr int grain = 2048;

template <class Edge>
Mat3 edges(const Edge& edge) {
  Mat3 m;
  for (int c = 0; c < 3; ++c) m.col(c) = edge(c);
  return m;
}

void require_sound(const TriangleMesh& surface, const TetMesh& cage) {
  if (cage.tets.empty()) throw Error("skin: the cage is empty; it has no tets");
  for (std::size_t i = 0; i < surface.points.size(); ++i)
    if (!surface.points[i].allFinite())
      throw Error("skin: point " + std::to_string(i) + " has a coordinate that is not a finite number");
  for (std::size_t i = 0; i < surface.triangles.size(); ++i)
    for (int p : surface.triangles[i])
      if (p < 0 || std::size_t(p) >= surface.points.size())
        throw Error("skin: triangle " + std::to_string(i) + " uses point " + std::to_string(p) +
                    ", which does not exist");
}

// Finds the tet of a point: the one that holds it, or the one whose face on the cage's surface is nearest.
class Locator {
 public:
  Locator(const TetMesh& cage, const std::vector<Mat3>& rest_inverse)
      : cage_(cage),
        rest_inverse_(rest_inverse),
        tets_(boxes_of(cage)),
        owners_(owners_of(cage)),
        outside_({cage.points, surface_triangles(cage)}) {}

  struct Place {
    int tet = -1;
    double distance = 0;  // outside of the cage
  };

  Place find(const Vec3& p) const {
    Place place;
    // A little slack, so that points on a face between two tets are in one of them.
    tets_.nearest(p, std::numeric_limits<double>::min(), [&](int first, int count) {
      for (int i = first; i < first + count && place.tet < 0; ++i)
        if (weights(tets_.items[i], p).minCoeff() >= -1e-9) place.tet = tets_.items[i];
      return place.tet < 0 ? std::numeric_limits<double>::min() : 0.0;
    });
    if (place.tet >= 0) return place;
    const auto nearest = outside_.nearest(p);
    return {owners_[nearest.triangle], std::sqrt(nearest.squared_distance)};
  }

  Eigen::Vector4d weights(int tet, const Vec3& p) const {
    const Vec3 w = rest_inverse_[tet] * (p - cage_.points[cage_.tets[tet][0]]);
    return {1 - w.sum(), w[0], w[1], w[2]};
  }

 private:
  static std::vector<Eigen::AlignedBox3d> boxes_of(const TetMesh& cage) {
    std::vector<Eigen::AlignedBox3d> boxes(cage.tets.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (int p : cage.tets[i]) boxes[i].extend(cage.points[p]);
    return boxes;
  }

  static std::vector<int> owners_of(const TetMesh& cage) {
    std::vector<int> owners = surface_places(sorted_faces(cage));
    for (int& place : owners) place /= 4;
    return owners;
  }

  const TetMesh& cage_;
  const std::vector<Mat3>& rest_inverse_;
  BoxTree tets_;
  std::vector<int> owners_;  // tets of the surface's triangles
  TriangleTree outside_;
};

}  // namespace

SkinBinding::SkinBinding(const TriangleMesh& surface, const TetMesh& cage) : triangles_(surface.triangles) {
  require_sound(surface, cage);
  rest_inverse_.resize(cage.tets.size());
  for (std::size_t i = 0; i < cage.tets.size(); ++i) {
    const auto& t = cage.tets[i];
    rest_inverse_[i] =
        edges([&](int c) -> Vec3 { return cage.points[t[c + 1]] - cage.points[t[0]]; }).inverse();
  }
  bind(surface, cage);
  find_neighbours(surface);
}

void SkinBinding::bind(const TriangleMesh& surface, const TetMesh& cage) {
  const Locator locator(cage, rest_inverse_);
  const int count = int(surface.points.size());
  bindings_.resize(count);
  tet_.resize(count);
  std::vector<double> distance(count);
  parallel_pieces(count, 256, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const auto place = locator.find(surface.points[i]);
      const Eigen::Vector4d w = locator.weights(place.tet, surface.points[i]);
      bindings_[i] = {cage.tets[place.tet], {w[0], w[1], w[2], w[3]}};
      tet_[i] = place.tet;
      distance[i] = place.distance;
    }
  });
  for (int i = 0; i < count; ++i) {
    outside_ += distance[i] > 0;
    if (distance[i] > farthest_distance_) farthest_distance_ = distance[i], farthest_point_ = i;
  }
}

void SkinBinding::find_neighbours(const TriangleMesh& surface) {
  around_start_.assign(surface.points.size() + 1, 0);
  for (const auto& t : triangles_)
    for (int p : t) ++around_start_[p + 1];
  std::partial_sum(around_start_.begin(), around_start_.end(), around_start_.begin());
  around_.resize(3 * triangles_.size());
  std::vector<int> fill(around_start_.begin(), around_start_.end() - 1);
  for (int i = 0; i < int(triangles_.size()); ++i)
    for (int p : triangles_[i]) around_[fill[p]++] = i;
}

void SkinBinding::positions(const Vector& x, std::vector<Vec3>& out) const {
  out.resize(bindings_.size());
  parallel_pieces(int(bindings_.size()), grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Binding& b = bindings_[i];
      out[i] = b.weights[0] * point(x, b.corners[0]) + b.weights[1] * point(x, b.corners[1]) +
               b.weights[2] * point(x, b.corners[2]) + b.weights[3] * point(x, b.corners[3]);
    }
  });
}

void SkinBinding::normals(const std::vector<Vec3>& positions, std::vector<Vec3>& out) const {
  out.resize(bindings_.size());
  parallel_pieces(int(bindings_.size()), grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Vec3 sum = Vec3::Zero();
      for (int k = around_start_[i]; k < around_start_[i + 1]; ++k) {
        const auto& t = triangles_[around_[k]];
        const Vec3& a = positions[t[0]];
        sum += (positions[t[1]] - a).cross(positions[t[2]] - a);
      }
      out[i] = sum.stableNormalized();
    }
  });
}

void SkinBinding::turn_normals(const Vector& x, const std::vector<int>& points, const std::vector<Vec3>& rest,
                               std::vector<Vec3>& out) const {
  out.resize(rest.size());
  parallel_pieces(int(rest.size()), grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const auto& corners = bindings_[points[i]].corners;
      const Mat3 now = edges([&](int c) -> Vec3 { return point(x, corners[c + 1]) - point(x, corners[0]); });
      // Areas move with the cofactor of the deformation gradient, which also exists when the tet is flat.
      const Mat3 f = now * rest_inverse_[tet_[points[i]]];
      const Vec3 &n = rest[i], a = f.col(0), b = f.col(1), c = f.col(2);
      out[i] = (b.cross(c) * n[0] + c.cross(a) * n[1] + a.cross(b) * n[2]).stableNormalized();
    }
  });
}

}  // namespace verve
