#include "simulation/SkinTransfer.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "mesh/TriangleTree.h"

namespace verve {
namespace {

/// Axes that go with a triangle: along an edge, across it in the plane, and the normal. Of one without an
/// area, the world's.
Mat3 axes_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 edge = b - a, normal = edge.cross(c - a);
  if (!(normal.norm() > 1e-12 * edge.squaredNorm())) return Mat3::Identity();
  Mat3 axes;
  axes.col(0) = edge.normalized();
  axes.col(2) = normal.normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

}  // namespace

SkinTransfer::SkinTransfer(const TriangleMesh& skin, const std::vector<Vec3>& cage) {
  const TriangleTree tree(skin);
  nearest_.reserve(cage.size());
  for (const Vec3& p : cage) {
    const std::array<int, 3>& t = skin.triangles[std::size_t(tree.nearest(p).triangle)];
    const Vec3 &a = skin.points[std::size_t(t[0])], &b = skin.points[std::size_t(t[1])],
               &c = skin.points[std::size_t(t[2])];
    const Vec3 weights = closest_weights(p, a, b, c);
    const Vec3 place = weights[0] * a + weights[1] * b + weights[2] * c;
    nearest_.push_back({t, weights, axes_of(a, b, c).transpose() * (p - place)});
  }
}

PointAttributes SkinTransfer::attributes(const PointAttributes& skin,
                                         std::vector<std::string>& warnings) const {
  PointAttributes cage;
  const auto blend = [&](const auto& from, auto& to) {
    if (from.empty()) return;
    for (const Nearest& n : nearest_)
      to.push_back(n.weights[0] * from[std::size_t(n.corners[0])] +
                   n.weights[1] * from[std::size_t(n.corners[1])] +
                   n.weights[2] * from[std::size_t(n.corners[2])]);
  };
  blend(skin.stiffness, cage.stiffness);
  blend(skin.dampingratio, cage.dampingratio);
  blend(skin.restscale, cage.restscale);
  blend(skin.massdensity, cage.massdensity);
  blend(skin.friction, cage.friction);
  blend(skin.collisionstiffness, cage.collisionstiffness);
  blend(skin.targetweight, cage.targetweight);
  blend(skin.v, cage.v);
  const auto choose = [&](const std::vector<int>& from, std::vector<int>& to) {
    if (from.empty()) return;
    for (std::size_t i = 0; i < nearest_.size(); ++i) {
      double held = 0.0;
      for (int k = 0; k < 3; ++k)
        if (std::binary_search(from.begin(), from.end(), nearest_[i].corners[std::size_t(k)]))
          held += nearest_[i].weights[k];
      if (held >= 0.5) to.push_back(int(i));
    }
  };
  choose(skin.pinned, cage.pinned);
  choose(skin.stopped, cage.stopped);
  const auto left_out = [&](bool there, const char* name) {
    if (there)
      warnings.push_back("the point attribute " + std::string(name) +
                         " has no effect on a surface that is filled with tets");
  };
  left_out(!skin.mass.empty(), "mass");
  left_out(!skin.rest.empty(), "rest");
  left_out(!skin.targetP.empty(), "targetP");
  left_out(!skin.pscale.empty(), "pscale");
  left_out(!skin.force.empty(), "force");
  left_out(!skin.wind.empty(), "wind");
  left_out(!skin.dragnormal.empty() || !skin.dragtangent.empty(), "dragnormal or dragtangent");
  return cage;
}

std::vector<Vec3> SkinTransfer::moved(const std::vector<Vec3>& skin) const {
  std::vector<Vec3> cage;
  cage.reserve(nearest_.size());
  for (const Nearest& n : nearest_) {
    const Vec3 &a = skin[std::size_t(n.corners[0])], &b = skin[std::size_t(n.corners[1])],
               &c = skin[std::size_t(n.corners[2])];
    cage.push_back(n.weights[0] * a + n.weights[1] * b + n.weights[2] * c + axes_of(a, b, c) * n.offset);
  }
  return cage;
}

}  // namespace verve
