// The surface of a soft body, as something that points of other bodies, or its own, collide with.
#pragma once

#include <algorithm>

#include "contact/Contact.h"
#include "contact/MeshShape.h"

namespace verve {

/// Which triangles of a skin something meets.
struct MetTriangles {
  bool any = true;
  std::vector<char> triangle;  ///< by number; empty: either all or, without `any`, none
};

/// What looks for the nearest place of a skin.
struct Seeker {
  int point = -1;             ///< of the body itself, which may touch it elsewhere
  Vec3 start = Vec3::Zero();  ///< where it is at the step's start
  double thickness = 0.0;
  const MetTriangles* met = nullptr;  ///< null: it meets all triangles
};

class Skin {
 public:
  /// `triangles` use points of the whole system, which stand at `rest` when nothing is deformed.
  Skin(const std::vector<std::array<int, 3>>& triangles, const Vector& rest, const std::string& name);

  const std::vector<int>& points() const { return points_; }  ///< of the system, ascending
  bool is_sheet() const { return !surface_->closed; }

  /// Where the body is at the step's start, and what is known of its end.
  void begin_step(const Vector& x) { place(x, start_); }
  void set_end(const Vector& x) { place(x, end_); }

  /// The distance of p to the body at the step's start (or its end), exact below `limit`. For an own point
  /// its neighbours at rest are left out (nearer than a little more than the thickness or than two edges),
  /// and the triangles that it was behind at the step's start, as they are the body's far side. `triangle` is
  /// -1 where nothing is left that it meets.
  Distance start_distance(const Vec3& p, double limit, const Seeker& seeker = {}) const {
    return distance(start_, p, limit, seeker);
  }
  Distance end_distance(const Vec3& p, double limit, const Seeker& seeker = {}) const {
    return distance(end_, p, limit, seeker);
  }
  Eigen::AlignedBox3d start_bounds() const { return start_.bounds(); }
  /// The points of the system at the corners of a triangle.
  std::array<int, 3> corners(int triangle) const;
  /// Visits the triangles that are in a region at the step's start or end.
  void for_each_near(const Eigen::AlignedBox3d& region, bool end,
                     FunctionRef<void(int triangle)> visit) const {
    (end ? end_ : start_).for_each_in(region, visit);
  }
  double mean_edge() const { return edge_; }  ///< at rest

  const MeshSurface& surface() const { return *surface_; }
  /// The points of the system at the ends of an edge of the surface.
  std::array<int, 2> edge_points(int edge) const {
    const auto& e = surface_->edges[edge].point;
    return {points_[e[0]], points_[e[1]]};
  }
  EdgePlace start_edge(int i) const { return start_.edge(i); }
  EdgePlace end_edge(int i) const { return end_.edge(i); }
  /// Whether two edges are as near at rest as neighbours are.
  bool neighbours(int a, int b, double thickness) const;

 private:
  Skin(const std::vector<std::array<int, 3>>& triangles, const Vector& rest, const std::string& name,
       std::vector<int> points);
  Distance distance(const MeshShape& shape, const Vec3& p, double limit, const Seeker& seeker) const;
  void place(const Vector& x, MeshShape& shape) const;
  /// Parts that are nearer than this at rest are neighbours, which do not meet.
  double spare(double thickness) const { return std::max(1.2 * thickness, 2.0 * edge_); }

  std::vector<int> points_;
  std::vector<Vec3> rest_;
  double edge_ = 0.0;  ///< mean length at rest
  std::shared_ptr<const MeshSurface> surface_;
  MeshShape start_, end_;
};

}  // namespace verve
