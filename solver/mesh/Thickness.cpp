#include "mesh/Thickness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/Parallel.h"
#include "mesh/TriangleTree.h"

namespace verve {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<Eigen::AlignedBox3d> boxes_of(const TriangleMesh& mesh) {
  std::vector<Eigen::AlignedBox3d> boxes(mesh.triangles.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (int p : mesh.triangles[i]) boxes[i].extend(mesh.points[p]);
  return boxes;
}

Vec3 area_vector(const TriangleMesh& mesh, int triangle) {
  const auto& t = mesh.triangles[triangle];
  const Vec3& a = mesh.points[t[0]];
  return (mesh.points[t[1]] - a).cross(mesh.points[t[2]] - a) / 2;
}

/// Where the ray from `from` along `way` meets triangle abc, in lengths of `way`; infinite if nowhere ahead
/// (after T. Moeller and B. Trumbore 1997).
double meeting(const Vec3& from, const Vec3& way, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = c - a, w = from - a, q = way.cross(v);
  const double det = u.dot(q);
  if (det == 0) return infinite;
  const double s = w.dot(q) / det;
  const Vec3 r = w.cross(u);
  const double t = way.dot(r) / det;
  if (s < 0 || t < 0 || s + t > 1) return infinite;
  const double along = v.dot(r) / det;
  return along > 0 ? along : infinite;
}

/// Whether the ray enters the box before it has gone `limit` lengths.
bool enters(const Eigen::AlignedBox3d& box, const Vec3& from, const Vec3& inverse, double limit) {
  double near = 0, far = limit;
  for (int k = 0; k < 3; ++k) {
    double a = (box.min()[k] - from[k]) * inverse[k], b = (box.max()[k] - from[k]) * inverse[k];
    if (a > b) std::swap(a, b);
    if (a > near) near = a;  // written so that 0 * infinity (not a number) changes nothing
    if (b < far) far = b;
  }
  return near <= far;
}

class Rays {
 public:
  explicit Rays(const TriangleMesh& mesh) : mesh_(mesh), tree_(boxes_of(mesh)) {}

  /// The distance along `way` to the first triangle other than `own`.
  double first(const Vec3& from, const Vec3& way, int own) const {
    double best = infinite;
    const Vec3 inverse = way.cwiseInverse();
    int stack[64], size = 0;
    stack[size++] = 0;
    while (size > 0) {
      const int index = stack[--size];
      const BoxTree::Node& node = tree_.nodes[index];
      if (!enters(node.box, from, inverse, best)) continue;
      if (!node.is_leaf()) {
        stack[size++] = node.right;
        stack[size++] = index + 1;
        continue;
      }
      for (int i = node.first; i < node.first + node.count; ++i) {
        const int triangle = tree_.items[i];
        if (triangle == own) continue;
        const auto& t = mesh_.triangles[triangle];
        best = std::min(best, meeting(from, way, mesh_.points[t[0]], mesh_.points[t[1]], mesh_.points[t[2]]));
      }
    }
    return best;
  }

 private:
  const TriangleMesh& mesh_;
  BoxTree tree_;
};

}  // namespace

std::vector<double> thicknesses(const TriangleMesh& surface) {
  constexpr int around = 6;
  constexpr double lean = 0.4;  // tangent of the cone's half angle
  const Rays rays(surface);
  std::vector<double> thickness(surface.triangles.size(), 0);
  parallel_pieces(int(thickness.size()), 64, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Vec3 normal = area_vector(surface, i).stableNormalized();
      if (normal.isZero()) continue;
      const auto& t = surface.triangles[i];
      const Vec3 middle = (surface.points[t[0]] + surface.points[t[1]] + surface.points[t[2]]) / 3;
      const Vec3 across = normal.unitOrthogonal(), other = normal.cross(across);
      double lengths[around + 1] = {rays.first(middle, -normal, i)};
      for (int k = 0; k < around; ++k) {
        const double angle = 2 * M_PI * k / around;
        const Vec3 way = -normal + lean * (std::cos(angle) * across + std::sin(angle) * other);
        lengths[k + 1] = rays.first(middle, way, i);
      }
      std::nth_element(lengths, lengths + around / 2, lengths + around + 1);
      thickness[i] = lengths[around / 2];
    }
  });
  return thickness;
}

double thickness_quantile(const TriangleMesh& surface, const std::vector<double>& thickness, double share) {
  std::vector<int> order(thickness.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return thickness[a] < thickness[b]; });
  double all = 0, below = 0;
  for (int i : order) all += area_vector(surface, i).norm();
  for (int i : order) {
    below += area_vector(surface, i).norm();
    if (below >= share * all) return thickness[i];
  }
  return infinite;
}

ThickenedSolid::ThickenedSolid(const Implicit& solid, const TriangleMesh& surface,
                               const std::vector<double>& thickness, double spacing)
    : solid_(solid), bounds_(solid.bounds()) {
  std::vector<Thin> thin;
  std::vector<Eigen::AlignedBox3d> boxes;
  double all = 0, part = 0;
  for (std::size_t i = 0; i < thickness.size(); ++i) {
    const double area = area_vector(surface, int(i)).norm();
    const double radius = least_half_thickness * spacing - thickness[i] / 2;
    all += area;
    if (!(area > 0) || !(radius > 0)) continue;
    part += area;
    const auto& t = surface.triangles[i];
    thin.push_back({surface.points[t[0]], surface.points[t[1]], surface.points[t[2]], radius});
    Eigen::AlignedBox3d box;
    for (int p : t) box.extend(surface.points[p]);
    boxes.push_back(box);
    largest_ = std::max(largest_, radius);
    bounds_.extend(Eigen::AlignedBox3d(box.min().array() - radius, box.max().array() + radius));
  }
  thin_share_ = all > 0 ? part / all : 0;
  tree_ = BoxTree(boxes);
  for (int item : tree_.items) thin_.push_back(thin[std::size_t(item)]);
}

double ThickenedSolid::value(const Vec3& p) const {
  double best = solid_.value(p);  // the clearance of a union is the largest of its parts'
  if (thin_.empty()) return best;
  const auto matters = [&] {
    const double far = largest_ - best;  // beyond it no ball does better
    return far > 0 ? far * far : 0.0;
  };
  tree_.nearest(p, matters(), [&](int first, int count) {
    for (int i = first; i < first + count; ++i) {
      const Thin& t = thin_[i];
      const Vec3 w = closest_weights(p, t.a, t.b, t.c);
      best = std::max(best, t.radius - (w[0] * t.a + w[1] * t.b + w[2] * t.c - p).norm());
    }
    return matters();
  });
  return best;
}

}  // namespace verve
