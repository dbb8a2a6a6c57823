#include "contact/MeshShape.h"

#include <algorithm>
#include <cmath>

#include "base/Error.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshTopology.h"
#include "mesh/TriangleTree.h"

namespace verve {
namespace {

std::vector<Eigen::AlignedBox3d> boxes_of(const MeshSurface& surface, const std::vector<Vec3>& points) {
  std::vector<Eigen::AlignedBox3d> boxes(surface.triangles.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (int p : surface.triangles[i]) boxes[i].extend(points[p]);
  return boxes;
}

}  // namespace

MeshSurface::MeshSurface(const TriangleMesh& mesh, const std::string& name) : triangles(mesh.triangles) {
  const std::string who = "collider '" + name + "'";
  const MeshReport report = check(mesh);
  if (mesh.triangles.empty()) throw Error(who + " has no triangles");
  if (const auto& e = report[Defect::not_finite]; e.count)
    throw Error(who + ": point " + std::to_string(e.first) + " is not at a finite place");
  if (const auto& e = report[Defect::out_of_range]; e.count)
    throw Error(who + ": triangle " + std::to_string(e.first) + " uses a point that does not exist");
  const auto warn = [&](const MeshReport::Entry& e, const std::string& what) {
    if (e.count)
      warnings.push_back(who + ": " + std::to_string(e.count) + " triangles " + what +
                         ", the first is triangle " + std::to_string(e.first));
  };
  warn(report[Defect::degenerate], "have no area and repel by their edges only");
  warn(report[Defect::repeated_point], "use a point twice and repel by their edges only");

  TriangleMesh welded = mesh;
  joined = coincident_points(mesh.points);
  for (auto& t : welded.triangles)
    for (int& p : t) p = joined[p];
  if (topology(welded).flipped_edges.count) {
    MeshReport::Entry turned;
    const std::vector<char> turn = turned_triangles(welded.triangles);
    for (std::size_t i = 0; i < turn.size(); ++i) {
      if (!turn[i]) continue;
      turned.add(int(i));
      std::swap(triangles[i][1], triangles[i][2]);
      std::swap(welded.triangles[i][1], welded.triangles[i][2]);
    }
    warn(turned, "wind against their neighbours and were turned round");
  }
  const TopologyReport shape = topology(welded);
  if (shape.flipped_edges.count)
    throw Error(who + ": triangle " + std::to_string(shape.flipped_edges.first) +
                " belongs to a surface with only one side, as a Moebius strip has; cut it open there");
  warn(shape.non_manifold_edges, "share an edge with more than one other");
  closed = shape.open_edges.count == 0;
  warn(shape.open_edges, "have an open edge: the surface is taken to be a sheet that repels on both sides");
  if (closed && enclosed_volume({mesh.points, triangles}) < 0.0) {
    warnings.push_back(who + ": its triangles face inwards and were turned round");
    for (auto& t : triangles) std::swap(t[1], t[2]);
  }

  incident_start.assign(mesh.points.size() + 1, 0);
  for (const auto& t : welded.triangles)
    for (int p : t) ++incident_start[p + 1];
  for (std::size_t i = 1; i < incident_start.size(); ++i) incident_start[i] += incident_start[i - 1];
  incident.resize(incident_start.back());
  std::vector<int> next(incident_start.begin(), incident_start.end() - 1);
  for (std::size_t k = 0; k < welded.triangles.size(); ++k)
    for (int p : welded.triangles[k]) incident[next[p]++] = int(k);
  border.assign(mesh.points.size(), 0);
  edges_of.resize(triangles.size(), {-1, -1, -1});
  for_each_edge(sorted_edges(welded.triangles), [&](const TriangleEdge* first, const TriangleEdge* last) {
    if (last - first == 1) border[first->a] = border[first->b] = 1;
    if (first->a == first->b) return;
    // A line: a triangle that uses a point twice and shares its edge with no other.
    if (last - first == 2 && first[0].triangle == first[1].triangle) border[first->a] = border[first->b] = 1;
    for (const TriangleEdge* e = first; e != last; ++e)
      for (int k = 0; k < 3; ++k)
        if (edges_of[e->triangle][k] < 0) {
          edges_of[e->triangle][k] = int(edges.size());
          break;
        }
    edges.push_back({{first->a, first->b}, {first->triangle, last - first > 1 ? first[1].triangle : -1}});
  });
}

MeshShape::MeshShape(std::shared_ptr<const MeshSurface> surface, const std::vector<Vec3>& points)
    : surface_(std::move(surface)), points_(points), tree_(boxes_of(*surface_, points)) {
  corners_.reserve(tree_.items.size());
  for (int triangle : tree_.items) corners_.push_back(surface_->triangles[triangle]);
}

void MeshShape::refit(FunctionRef<Vec3(int)> points) {
  parallel_pieces(int(points_.size()), 4096, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) points_[i] = points(i);
  });
  tree_.refit([&](int i) {
    const auto& t = corners_[i];
    const Vec3 &a = points_[t[0]], &b = points_[t[1]], &c = points_[t[2]];
    return Eigen::AlignedBox3d(a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c));
  });
}

Vec3 MeshShape::place(int triangle, const Vec3& weights) const {
  const auto& t = surface_->triangles[triangle];
  return weights[0] * points_[t[0]] + weights[1] * points_[t[1]] + weights[2] * points_[t[2]];
}

EdgePlace MeshShape::edge(int i) const {
  const MeshSurface::Edge& e = surface_->edges[i];
  EdgePlace out;
  out.end = {points_[e.point[0]], points_[e.point[1]]};
  const Vec3 along = out.along();
  for (int triangle : e.triangle) {
    if (triangle < 0) continue;
    const auto& t = surface_->triangles[triangle];
    const Vec3 middle = (points_[t[0]] + points_[t[1]] + points_[t[2]]) / 3.0, n = normal(triangle);
    Vec3 wing = n.cross(along);  // in the triangle, across the edge
    if (wing.dot(middle - out.end[0]) < 0.0) wing = -wing;
    out.wing[out.wings++] = wing.stableNormalized();
    out.normal += n.stableNormalized();
  }
  return out;
}

Vec3 MeshShape::point_normal(int i) const {
  const int a = surface_->joined[i], triangle = surface_->incident[surface_->incident_start[a]];
  const auto& t = surface_->triangles[triangle];
  Vec3 weights = Vec3::Zero();
  for (int k = 0; k < 3; ++k)
    if (surface_->joined[t[k]] == a) weights[k] = 1.0;
  bool border;
  return pseudonormal(triangle, weights, border);
}

Vec3 MeshShape::mean_normal(int i) const {
  const int a = surface_->joined[i];
  Vec3 sum = Vec3::Zero();
  for (int n = surface_->incident_start[a]; n < surface_->incident_start[a + 1]; ++n)
    sum += normal(surface_->incident[n]);
  return sum.stableNormalized();
}

Vec3 MeshShape::normal(int triangle) const {
  const auto& t = surface_->triangles[triangle];
  // A line has none; that of two equal sides would be what rounding leaves.
  if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return Vec3::Zero();
  return (points_[t[1]] - points_[t[0]]).cross(points_[t[2]] - points_[t[0]]);
}

Vec3 MeshShape::pseudonormal(int triangle, const Vec3& weights, bool& border) const {
  const auto& t = surface_->triangles[triangle];
  const auto& joined = surface_->joined;
  int used[3], count = 0;
  for (int k = 0; k < 3; ++k)
    if (weights[k] > 1e-12) used[count++] = t[k];
  border = false;
  if (count == 3) return normal(triangle);
  // The triangles around the edge or corner.
  const int a = joined[used[0]], b = count == 2 ? joined[used[1]] : a;
  Vec3 sum = Vec3::Zero();
  int around = 0;
  for (int n = surface_->incident_start[a]; n < surface_->incident_start[a + 1]; ++n) {
    const int other = surface_->incident[n];
    const auto& o = surface_->triangles[other];
    int at = -1;
    bool has_b = false;
    for (int k = 0; k < 3; ++k) {
      if (joined[o[k]] == a) at = k;
      has_b |= joined[o[k]] == b;
    }
    if (!has_b) continue;
    ++around;
    const Vec3 area = normal(other);
    const double size = area.norm();
    if (size == 0.0) continue;
    double angle = 1.0;
    if (count == 1) {
      const Vec3 u = points_[o[(at + 1) % 3]] - points_[o[at]], v = points_[o[(at + 2) % 3]] - points_[o[at]];
      angle = std::atan2(size, u.dot(v));
    }
    sum += angle / size * area;
  }
  border = count == 2 ? around == 1 : surface_->border[a] != 0;
  return sum;
}

Distance MeshShape::distance(const Vec3& p, double limit) const {
  // Within the box a point may be deep inside, however far the surface is.
  if (limit >= 0.0 && bounds().squaredExteriorDistance(p) > limit * limit) return {limit};
  const double far = surface_->closed ? std::numeric_limits<double>::infinity() : std::abs(limit);
  return nearest(p, far, [](int) { return true; });
}

void MeshShape::for_each_in(const Eigen::AlignedBox3d& region, FunctionRef<void(int)> visit) const {
  tree_.overlapping(region, [&](int first, int count) {
    for (int i = first; i < first + count; ++i) visit(tree_.items[i]);
  });
}

void MeshShape::look_at_leaf(int first, int count, Search& search) const {
  for (int i = first; i < first + count; ++i) {
    const auto& t = corners_[i];
    const Vec3 &a = points_[t[0]], &b = points_[t[1]], &c = points_[t[2]];
    const Vec3 w = closest_weights(search.p, a, b, c);
    const Vec3 q = w[0] * a + w[1] * b + w[2] * c;
    const double d = (q - search.p).squaredNorm();
    if (!(d < search.limit()) || !search.allowed(tree_.items[i])) continue;
    if (!(d < search.least)) {
      search.second = d;
      continue;
    }
    search.second = search.least;
    search.least = d;
    search.place = q;
    search.item = i;
    search.weights = w;
  }
}

void MeshShape::look_at_all(Search& search) const {
  tree_.nearest(search.p, search.limit(), [&](int first, int count) {
    look_at_leaf(first, count, search);
    return search.limit();
  });
}

Distance MeshShape::result(const Search& search, double limit) const {
  Distance found;
  found.value = limit;
  if (search.item < 0) return found;
  found.triangle = tree_.items[search.item];
  found.weights = search.weights;
  bool border;
  const Vec3 out = pseudonormal(found.triangle, found.weights, border), offset = search.p - search.place;
  const double length = std::sqrt(search.least), side = out.dot(offset);
  found.rim = border;
  found.value = side < 0.0 && !border ? -length : length;
  // On the surface itself the offset has no direction.
  const double size = bounds().diagonal().norm();
  if (length > 1e-12 * size)
    found.normal = offset / found.value;
  else
    found.normal = out.norm() > 0.0 ? Vec3(out.normalized()) : Vec3(Vec3::UnitY());
  return found;
}

Distance MeshShape::nearest(const Vec3& p, double limit, FunctionRef<bool(int)> allowed) const {
  Search search{p, allowed, false, limit * limit};
  look_at_all(search);
  return result(search, limit);
}

double MeshShape::free_share(const Vec3& from, const Vec3& to, double shift, double least) const {
  if (shift != 0.0) return Shape::free_share(from, to, shift, least);
  const Vec3 way = to - from, margin = Vec3::Constant(1.01 * least);
  double share = 1.0;
  tree_.overlapping({Vec3(from.cwiseMin(to) - margin), Vec3(from.cwiseMax(to) + margin)},
                    [&](int first, int count) {
                      for (int i = first; i < first + count; ++i) {
                        const auto& t = corners_[i];
                        const Vec3 &a = points_[t[0]], &b = points_[t[1]], &c = points_[t[2]];
                        share *= advance(from, share * way, least, true, [&](const Vec3& p) {
                          const Vec3 w = closest_weights(p, a, b, c);
                          const Vec3 offset = p - (w[0] * a + w[1] * b + w[2] * c);
                          const double length = offset.norm();
                          return Distance{length, length > 0.0 ? Vec3(offset / length) : Vec3(-way)};
                        });
                      }
                    });
  return share;
}

double MeshShape::size_of(int triangle) const {
  const auto& t = surface_->triangles[triangle];
  double squared = 0.0;
  for (int k = 0; k < 3; ++k)
    squared = std::max(squared, (points_[t[k]] - points_[t[(k + 1) % 3]]).squaredNorm());
  return std::sqrt(squared);
}

Distance MeshShape::distance(const Vec3& p, Surroundings& near) const {
  constexpr double anywhere = std::numeric_limits<double>::infinity();
  const auto all = [](int) { return true; };
  Search search{p, all, true, anywhere};
  if ((p - near.place).norm() <= near.margin) {
    look_at_leaf(near.item, 1, search);
    return result(search, anywhere);
  }
  const bool known = (p - near.centre).norm() <= near.radius;
  if (known) {
    for (int node : near.leaves)
      if (tree_.nodes[node].squared_distance(p) < search.limit())
        look_at_leaf(tree_.nodes[node].first, tree_.nodes[node].count, search);
  } else {
    look_at_all(search);
  }
  const double least = std::sqrt(search.least);
  near.place = p;
  near.item = search.item;
  near.margin = search.item < 0 ? -1.0 : 0.49 * (std::sqrt(search.second) - least);
  if (!known && search.item >= 0) {
    near.centre = p;
    near.radius = 0.1 * size_of(tree_.items[search.item]);
    // A place within the radius has its nearest triangle, and the one after that, no farther than both are
    // from here and that much more; from here they are farther by that much again.
    const double far = std::isfinite(search.second) ? std::sqrt(search.second) : least;
    const Vec3 reach = Vec3::Constant(far + 2.0 * near.radius);
    near.leaves.clear();
    tree_.leaves_in({Vec3(p - reach), Vec3(p + reach)}, [&](int node) {
      near.leaves.push_back(node);
      // That of the nearest triangle first: it spares most others.
      const int first = tree_.nodes[node].first;
      if (first <= search.item && search.item < first + tree_.nodes[node].count)
        std::swap(near.leaves.front(), near.leaves.back());
    });
  }
  return result(search, anywhere);
}

}  // namespace verve
