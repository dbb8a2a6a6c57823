// Scene geometry that bodies collide with, still or moving.
#pragma once

#include <functional>
#include <limits>
#include <string>

#include "contact/MeshShape.h"

namespace verve {

/// What the artist says about a collider: a `shape`, or a `mesh` of triangles, closed or open.
struct ColliderSpec {
  std::string name;              ///< what messages call it
  std::shared_ptr<Shape> shape;  ///< in the frame that `pose` places
  std::shared_ptr<const TriangleMesh> mesh;
  /// The places of the mesh's points by time, for one that deforms; as many at every time.
  std::function<void(double time, std::vector<Vec3>& points)> deform;
  /// The rigid motion of that frame, by time (s); none: it stays at the origin.
  std::function<Eigen::Isometry3d(double time)> pose;
  double stiffness = 2000.0;  ///< k of the energy k s^2 of a point at depth -s; N/m
  double thickness = 0.0;     ///< how far outside the surface contact begins, m
  double static_friction = 0.0, dynamic_friction = 0.0;  ///< Coulomb's coefficients
  /// What multiplies them at each point of the mesh, and straight between points; empty: all ones.
  std::vector<double> point_stiffness, point_friction;
};

/// What lies between a collider and a point that goes from one place to another during a step.
struct Touch {
  double start = 0.0, end = 0.0;  ///< gap (distance less thickness) at the step's start and end
  double middle = 0.0;            ///< and at the place that the normal belongs to
  double moved = 0.0;             ///< the part of end - start that the collider's own motion makes
  Vec3 normal = Vec3::Zero();     ///< where the contact sits on the way
  Vec3 slide = Vec3::Zero();      ///< how far the surface moves there
  bool through = false;           ///< it passed right through
  double stiffness = 1.0;         ///< the collider's multiplier where the way ends
  double friction = 1.0;          ///< and where the normal is
};

class Collider {
 public:
  explicit Collider(ColliderSpec spec);

  const ColliderSpec& spec() const { return spec_; }
  bool moves() const { return moves_; }
  /// An open sheet repels on both sides: a point has to say which one it is on.
  bool is_sheet() const { return sheet_; }
  bool is_mesh() const { return spec_.mesh != nullptr; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// Sets the times between which touch() looks.
  void begin_step(double start, double end);

  /// The distance of a point at the step's start, less than 0 behind a sheet; any value above `limit` when it
  /// is not below.
  Distance start_distance(const Vec3& p, double limit) const;
  /// The gap that such a distance means for a point on a side of a sheet; on whichever it is for side 0.
  Distance gap_of(Distance d, int side) const;
  double clearance(const Vec3& p, double limit) const { return gap_of(start_distance(p, limit), 0).value; }
  /// The gap of a point at the step's end; any value above `limit` when it is not below.
  Distance end_gap(const Vec3& p, int side, double limit) const { return gap(end_, p, side, limit); }

  /// Distances for the wall, at the step's start or end: to a sheet from whichever side.
  Distance wall_distance(const Vec3& p, bool end, double limit) const;
  /// Where a point goes that the collider's own motion carries during the step.
  Vec3 carried(const Vec3& p) const;
  /// As Shape::free_share, with the collider where it is at the step's end.
  double free_share(const Vec3& from, const Vec3& to, double shift, double least) const {
    const Eigen::Isometry3d in = end_.pose.inverse();
    return end_.shape->free_share(in * from, in * to, shift, least);
  }

  /// `start` is the gap at the step's start, with `start_normal`. `where` from 0 to 1 is the place along the
  /// way at which the normal is wanted; negative: where the force of the repulsion spring is on average. A
  /// way that goes right through the collider ends below the place where it enters. The point is repelled
  /// from a gap of `radius` on. `near` is for the way's end alone, and for this step. `walled`: it did not go
  /// through the collider but around it, if at all.
  Touch touch(const Vec3& from, const Vec3& to, int side, double start, const Vec3& start_normal,
              double where, double radius, Surroundings& near, bool walled = false) const;

  /// The points and edges of a mesh or a box at the step's start and end.
  bool has_corners() const { return corners_start_ != nullptr; }
  Vec3 start_vertex(int i) const { return start_.pose * corners_start_->points()[i]; }
  Vec3 end_vertex(int i) const { return end_.pose * corners_end_->points()[i]; }
  /// Whether a triangle of that size that lies over the surface can come as deep as `depth` over a point
  /// without touching it elsewhere; where it cannot, the surface needs no points of its own.
  bool stands_out(int vertex, double size, double depth) const;
  Vec3 start_vertex_normal(int i) const { return start_.pose.linear() * corners_start_->point_normal(i); }
  EdgePlace start_edge(int i) const { return edge(*corners_start_, start_.pose, i); }
  EdgePlace end_edge(int i) const { return edge(*corners_end_, end_.pose, i); }
  /// Calls visit(triangle) for those that may come into a region during the step, and some near it.
  void for_each_near(const Eigen::AlignedBox3d& region, FunctionRef<void(int triangle)> visit) const;
  const MeshSurface& corners() const { return corners_start_->surface(); }

  /// The multipliers at a place of the surface, and at a point of the mesh.
  double stiffness_at(const Distance& d) const { return at(spec_.point_stiffness, d); }
  double stiffness_at_vertex(int i) const {
    return spec_.point_stiffness.empty() ? 1.0 : spec_.point_stiffness[i];
  }
  double friction_at_vertex(int i) const {
    return spec_.point_friction.empty() ? 1.0 : spec_.point_friction[i];
  }

  /// Whether a point that goes straight from one place at the step's start to another at its end comes out,
  /// or lies, nearest to the far side of a closed collider: it went through, or will be pushed out there. Of
  /// those that deform nothing is known.
  bool passed(const Vec3& from, const Vec3& to) const;

  /// How far those parts of the surface move during the step that may come within `reach` of p.
  double motion(const Vec3& p, double reach) const;

 private:
  struct Placed {
    const Shape* shape;
    Eigen::Isometry3d pose;
  };
  Distance gap(const Placed& placed, const Vec3& p, int side, double limit) const;
  Distance local_gap(const Shape& shape, const Vec3& p, int side, double limit) const;
  void deform(double time, MeshShape& shape);
  double at(const std::vector<double>& by_point, const Distance& d) const;
  static EdgePlace edge(const MeshShape& shape, const Eigen::Isometry3d& pose, int i);
  /// Where a straight way first meets the surface, as a share of it; 1 when it does not.
  double enter(const Vec3& from, const Vec3& way, int side) const;

  ColliderSpec spec_;
  std::shared_ptr<MeshShape> mesh_start_, mesh_end_;  ///< of a mesh that deforms
  std::shared_ptr<const MeshShape> corners_;          ///< of a mesh that does not, or of a box
  const MeshShape *corners_start_ = nullptr, *corners_end_ = nullptr;
  std::vector<Vec3> points_;
  Placed start_, end_;
  double known_end_ = std::numeric_limits<double>::quiet_NaN();  ///< the time that mesh_end_ shows
  double travel_ = 0.0;  ///< the farthest that a point of a deforming mesh moves during the step
  bool moves_ = false, sheet_ = false;
  std::vector<std::string> warnings_;
};

}  // namespace verve
