#include "mesh/TriangleTree.h"

#include <algorithm>
#include <cmath>

#include "base/Parallel.h"

namespace verve {
namespace {

// A node is far when its centre is farther away than this many of its radii.
constexpr double far_radii = 2.2;

std::vector<Eigen::AlignedBox3d> boxes_of(const TriangleMesh& mesh) {
  std::vector<Eigen::AlignedBox3d> boxes(mesh.triangles.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (int p : mesh.triangles[i]) boxes[i].extend(mesh.points[p]);
  return boxes;
}

double clamp_share(double numerator, double denominator) {
  if (!(denominator > 0)) return 0;
  return std::min(1.0, std::max(0.0, numerator / denominator));
}

// Solid angle of a triangle over 4 pi (A. van Oosterom and J. Strackee 1983).
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double det = a.dot(b.cross(c));
  const double sum = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return std::atan2(det, sum) / (2 * M_PI);
}

}  // namespace

Vec3 closest_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = c - a, w = p - a;
  const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), uw = u.dot(w), vw = v.dot(w);
  const double det = uu * vv - uv * uv;
  if (det > 1e-14 * uu * vv) {
    const double s = (vv * uw - uv * vw) / det, t = (uu * vw - uv * uw) / det;
    if (s >= 0 && t >= 0 && s + t <= 1) return {1 - s - t, s, t};
  }
  const double ab = clamp_share(uw, uu), ac = clamp_share(vw, vv);
  const double bc = clamp_share((p - b).dot(c - b), (c - b).squaredNorm());
  const Vec3 sides[3] = {{1 - ab, ab, 0}, {1 - ac, 0, ac}, {0, 1 - bc, bc}};
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const double d = (sides[i][1] * u + sides[i][2] * v - w).squaredNorm();
    if (d < least) least = d, best = i;
  }
  return sides[best];
}

TriangleTree::TriangleTree(const TriangleMesh& mesh) : tree_(boxes_of(mesh)) {
  triangles_.reserve(tree_.items.size());
  for (int item : tree_.items) {
    const auto& t = mesh.triangles[item];
    triangles_.push_back({mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]});
  }
  far_.resize(tree_.nodes.size());
  parallel_pieces(int(far_.size()), 256, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) far_[i] = far_field(tree_.nodes[i].first, tree_.nodes[i].count);
  });
}

TriangleTree::Far TriangleTree::far_field(int first, int count) const {
  Far far;
  double area = 0;
  for (int i = first; i < first + count; ++i) {
    const Triangle& t = triangles_[i];
    const Vec3 normal = (t.b - t.a).cross(t.c - t.a) / 2;
    const double size = normal.norm();
    far.dipole += normal;
    far.centre += size / 3 * (t.a + t.b + t.c);
    area += size;
  }
  if (area > 0)
    far.centre /= area;
  else
    far.centre = triangles_[first].a;
  for (int i = first; i < first + count; ++i) {
    const Triangle& t = triangles_[i];
    const Vec3 normal = (t.b - t.a).cross(t.c - t.a) / 2;
    far.spread += ((t.a + t.b + t.c) / 3 - far.centre) * normal.transpose();
    for (const Vec3* p : {&t.a, &t.b, &t.c}) far.radius = std::max(far.radius, (*p - far.centre).norm());
  }
  return far;
}

TriangleTree::Nearest TriangleTree::nearest(const Vec3& p, double squared_limit) const {
  Nearest found;
  found.squared_distance = squared_limit;
  tree_.nearest(p, squared_limit, [&](int first, int count) {
    for (int i = first; i < first + count; ++i) {
      const Triangle& t = triangles_[i];
      const Vec3 w = closest_weights(p, t.a, t.b, t.c);
      const Vec3 q = w[0] * t.a + w[1] * t.b + w[2] * t.c;
      const double d = (q - p).squaredNorm();
      if (d < found.squared_distance) found = {tree_.items[i], d, q};
    }
    return found.squared_distance;
  });
  return found;
}

double TriangleTree::winding(const Vec3& p) const {
  if (far_.empty()) return 0;
  double sum = 0;
  int stack[64];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const int index = stack[--size];
    const Far& far = far_[index];
    const Vec3 r = far.centre - p;
    const double squared = r.squaredNorm();
    if (squared > far_radii * far_radii * far.radius * far.radius) {
      const double distance = std::sqrt(squared), cube = squared * distance;
      sum +=
          (far.dipole.dot(r) + far.spread.trace() - 3 * r.dot(far.spread * r) / squared) / (4 * M_PI * cube);
      continue;
    }
    const BoxTree::Node& node = tree_.nodes[index];
    if (!node.is_leaf()) {
      stack[size++] = index + 1;
      stack[size++] = node.right;
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const Triangle& t = triangles_[i];
      sum += solid_angle(t.a - p, t.b - p, t.c - p);
    }
  }
  return sum;
}

}  // namespace verve
