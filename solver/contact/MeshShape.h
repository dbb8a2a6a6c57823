// A surface of triangles that bodies collide with: still, deforming, or the skin of another body.
#pragma once

#include <string>

#include "base/Parallel.h"
#include "contact/EdgeCrossing.h"
#include "contact/Shape.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// How the triangles of a surface hang together: made once, shared by all its shapes.
struct MeshSurface {
  std::vector<std::array<int, 3>> triangles;  ///< wind counter-clockwise seen from outside
  bool closed = true;
  std::vector<int> incident_start, incident;  ///< the triangles at each point, joined where points coincide
  std::vector<int> joined;                    ///< the first point at the same place
  std::vector<char> border;                   ///< by point: at the rim of an open surface
  /// Two points that stand for all at their places, and the triangles there; the second is -1 at a rim.
  struct Edge {
    std::array<int, 2> point, triangle;
  };
  std::vector<Edge> edges;
  std::vector<std::array<int, 3>> edges_of;  ///< by triangle
  std::vector<std::string> warnings;         ///< what was found wrong but can be lived with

  /// Throws an Error that names `name` and the triangle for a surface that nothing can collide with.
  MeshSurface(const TriangleMesh& mesh, const std::string& name);
};

/// The part of a MeshShape in which the nearest triangle lies of every place within `radius` of `centre`:
/// what asks again and again for places close together need not search all of it each time. Of the shape that
/// filled it, until that moves.
struct Surroundings {
  Vec3 centre = Vec3::Zero();
  double radius = -1.0;  ///< negative: not known
  std::vector<int> leaves;
  /// Within this much of this place the nearest triangle is no other than that.
  Vec3 place = Vec3::Zero();
  double margin = -1.0;
  int item = -1;
};

/// Signed by the side of the nearest triangle that a point is on (by the angle-weighted normal where the
/// nearest place is an edge or a corner, after Baerentzen and Aanaes 2005); at the rim of an open surface
/// never negative.
class MeshShape final : public Shape {
 public:
  MeshShape(std::shared_ptr<const MeshSurface> surface, const std::vector<Vec3>& points);

  /// Moves the points; `points` gives the place of a point by number.
  void refit(FunctionRef<Vec3(int)> points);

  Distance distance(const Vec3& p, double limit) const override;
  /// Each triangle is an obstacle from both sides, whatever the surface, as long as there is no shift.
  double free_share(const Vec3& from, const Vec3& to, double shift, double least) const override;
  /// The distance of a place anywhere, as `near` knows it or will.
  Distance distance(const Vec3& p, Surroundings& near) const;
  /// Of the triangles that `allowed` lets pass within `limit`, in front of p or behind it; `triangle` is -1
  /// when there is none.
  Distance nearest(const Vec3& p, double limit, FunctionRef<bool(int triangle)> allowed) const;
  /// Calls visit(triangle) for triangles within `region` and some near it.
  void for_each_in(const Eigen::AlignedBox3d& region, FunctionRef<void(int triangle)> visit) const;

  const MeshSurface& surface() const { return *surface_; }
  const std::vector<Vec3>& points() const { return points_; }
  const Eigen::AlignedBox3d& bounds() const { return tree_.nodes.front().box; }
  /// How far p is in front of a triangle's plane.
  double height(int triangle, const Vec3& p) const {
    return normal(triangle).normalized().dot(p - points_[surface_->triangles[triangle][0]]);
  }
  Vec3 place(int triangle, const Vec3& weights) const;
  EdgePlace edge(int i) const;
  /// A triangle's longest edge.
  double size_of(int triangle) const;
  /// Weighted by the angles of the triangles around it, of any length.
  Vec3 point_normal(int i) const;
  /// Weighted by their areas instead, which is less work; of unit length, or zero.
  Vec3 mean_normal(int i) const;

 private:
  /// The nearest place so far, while triangles are looked at.
  struct Search {
    const Vec3& p;
    FunctionRef<bool(int triangle)> allowed;
    bool runner_up;  ///< the nearest but one is wanted too
    double least;    ///< squared distance
    double second = least;
    Vec3 place = Vec3::Zero(), weights = Vec3::Zero();
    int item = -1;  ///< of the tree

    double limit() const { return runner_up ? second : least; }
  };
  void look_at_leaf(int first, int count, Search& search) const;
  void look_at_all(Search& search) const;
  Distance result(const Search& search, double limit) const;
  Vec3 pseudonormal(int triangle, const Vec3& weights, bool& border) const;
  Vec3 normal(int triangle) const;

  std::shared_ptr<const MeshSurface> surface_;
  std::vector<Vec3> points_;
  BoxTree tree_;
  std::vector<std::array<int, 3>> corners_;  ///< of the tree's items, in its order: what is near lies near
};

}  // namespace verve
