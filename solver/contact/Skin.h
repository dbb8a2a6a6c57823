// The surface of a soft body, as something that points of other bodies, or its own, collide with.
#pragma once

#include "contact/Contact.h"
#include "contact/MeshShape.h"

namespace verve {

class Skin {
 public:
  /// `triangles` use points of the whole system, which stand at `rest` when nothing is deformed.
  Skin(const std::vector<std::array<int, 3>>& triangles, const Vector& rest, const std::string& name);

  const std::vector<int>& points() const { return points_; }  ///< of the system, ascending
  bool is_sheet() const { return !surface_->closed; }

  /// Where the body is at the step's start, and what is known of its end.
  void begin_step(const Vector& x) { place(x, start_); }
  void set_end(const Vector& x) { place(x, end_); }

  /// The distance of p to the body at the step's start (or its end). With `own` being a point of the body,
  /// its neighbours at rest are left out (nearer than a little more than `thickness` or than two edges),
  /// triangles that it is more than `thickness` behind, as its own far side, and those farther than `limit`.
  Distance start_distance(const Vec3& p, double limit, int own = -1, double thickness = 0.0) const {
    return distance(start_, p, limit, own, thickness);
  }
  Distance end_distance(const Vec3& p, double limit, int own = -1, double thickness = 0.0) const {
    return distance(end_, p, limit, own, thickness);
  }
  Eigen::AlignedBox3d start_bounds() const { return start_.bounds(); }
  /// The points of the system at the corners of a triangle.
  std::array<int, 3> corners(int triangle) const;
  void for_each_near(const Eigen::AlignedBox3d& region, FunctionRef<void(int triangle)> visit) const {
    start_.for_each_in(region, visit);
  }

 private:
  Skin(const std::vector<std::array<int, 3>>& triangles, const Vector& rest, const std::string& name,
       std::vector<int> points);
  Distance distance(const MeshShape& shape, const Vec3& p, double limit, int own, double thickness) const;
  void place(const Vector& x, MeshShape& shape) const;

  std::vector<int> points_;
  std::vector<Vec3> rest_;
  double edge_ = 0.0;  ///< mean length at rest
  std::shared_ptr<const MeshSurface> surface_;
  MeshShape start_, end_;
};

}  // namespace verve
