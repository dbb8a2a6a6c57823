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

// Half the solid angle of a triangle (A. van Oosterom and J. Strackee 1983).
double half_solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double det = a.dot(b.cross(c));
  const double sum = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return std::atan2(det, sum);
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
    for (int i = begin; i < end; ++i) far_[i] = far_field(tree_.nodes[i]);
  });
}

TriangleTree::Far TriangleTree::far_field(const BoxTree::Node& node) const {
  Far far;
  far.first = node.first, far.count = node.count, far.right = node.right;
  double area = 0;
  for (int i = node.first; i < node.first + node.count; ++i) {
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
    far.centre = triangles_[node.first].a;
  Mat3 spread = Mat3::Zero();
  double radius = 0;
  for (int i = node.first; i < node.first + node.count; ++i) {
    const Triangle& t = triangles_[i];
    const Vec3 normal = (t.b - t.a).cross(t.c - t.a) / 2;
    spread += ((t.a + t.b + t.c) / 3 - far.centre) * normal.transpose();
    for (const Vec3* p : {&t.a, &t.b, &t.c}) radius = std::max(radius, (*p - far.centre).squaredNorm());
  }
  far.near = far_radii * far_radii * radius;
  const double third = spread.trace() / 3;
  far.xx = spread(0, 0) - third, far.yy = spread(1, 1) - third, far.zz = spread(2, 2) - third;
  far.xy = spread(0, 1) + spread(1, 0), far.yz = spread(1, 2) + spread(2, 1);
  far.zx = spread(2, 0) + spread(0, 2);
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
  double distant = 0, close = 0;
  int stack[64];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const int index = stack[--size];
    const Far& far = far_[index];
    const double x = far.centre[0] - p[0], y = far.centre[1] - p[1], z = far.centre[2] - p[2];
    const double squared = x * x + y * y + z * z;
    if (squared > far.near) {
      const double spread =
          far.xx * x * x + far.yy * y * y + far.zz * z * z + far.xy * x * y + far.yz * y * z + far.zx * z * x;
      const double dipole = far.dipole[0] * x + far.dipole[1] * y + far.dipole[2] * z;
      distant += (dipole - 3 * spread / squared) / (squared * std::sqrt(squared));
    } else if (far.right >= 0) {
      stack[size++] = index + 1;
      stack[size++] = far.right;
    } else {
      for (int i = far.first; i < far.first + far.count; ++i) {
        const Triangle& t = triangles_[i];
        close += half_solid_angle(t.a - p, t.b - p, t.c - p);
      }
    }
  }
  return (distant / 2 + close) / (2 * M_PI);
}

}  // namespace verve
