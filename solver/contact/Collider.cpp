#include "contact/Collider.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/Error.h"
#include "contact/PathPotential.h"

namespace verve {
namespace {

constexpr double anywhere = std::numeric_limits<double>::infinity();
constexpr int grain = 4096;  ///< points of a mesh that one thread looks at

}  // namespace

Collider::Collider(ColliderSpec spec) : spec_(std::move(spec)) {
  const auto require = [&](bool fine, const char* what, double value) {
    if (!fine)
      throw Error("collider '" + spec_.name + "': " + what + " is " + std::to_string(value) +
                  "; give a number that is not negative");
  };
  require(spec_.stiffness >= 0.0 && std::isfinite(spec_.stiffness), "stiffness", spec_.stiffness);
  require(spec_.thickness >= 0.0 && std::isfinite(spec_.thickness), "thickness", spec_.thickness);
  require(spec_.static_friction >= 0.0, "static friction", spec_.static_friction);
  require(spec_.dynamic_friction >= 0.0, "dynamic friction", spec_.dynamic_friction);
  if (spec_.static_friction < spec_.dynamic_friction)
    throw Error("collider '" + spec_.name + "': its static friction " +
                std::to_string(spec_.static_friction) + " is less than its dynamic friction " +
                std::to_string(spec_.dynamic_friction) + "; raise the first or lower the second");
  if (!spec_.shape && !spec_.mesh) throw Error("collider '" + spec_.name + "' has no shape");
  if (spec_.mesh) {
    const auto surface = std::make_shared<const MeshSurface>(*spec_.mesh, spec_.name);
    warnings_ = surface->warnings;
    sheet_ = !surface->closed;
    const auto shape = std::make_shared<MeshShape>(surface, spec_.mesh->points);
    if (spec_.deform) {
      mesh_start_ = shape;
      mesh_end_ = std::make_shared<MeshShape>(*shape);
    }
    corners_ = shape;
    spec_.shape = shape;
  } else if (const TriangleMesh mesh = spec_.shape->corners(); !mesh.triangles.empty()) {
    corners_ =
        std::make_shared<MeshShape>(std::make_shared<const MeshSurface>(mesh, spec_.name), mesh.points);
  }
  corners_start_ = corners_end_ = corners_.get();
  const auto check = [&](const std::vector<double>& by_point, const char* what) {
    const std::size_t points = spec_.mesh ? spec_.mesh->points.size() : 0;
    if (!by_point.empty() && by_point.size() != points)
      throw Error("collider '" + spec_.name + "': the " + what + " by point has " +
                  std::to_string(by_point.size()) + " values for " + std::to_string(points) + " points");
    for (std::size_t i = 0; i < by_point.size(); ++i)
      if (!(by_point[i] >= 0.0 && std::isfinite(by_point[i])))
        throw Error("collider '" + spec_.name + "': the " + what + " at point " + std::to_string(i) + " is " +
                    std::to_string(by_point[i]) + "; give a number that is not negative");
  };
  check(spec_.point_stiffness, "stiffness");
  check(spec_.point_friction, "friction");
  start_ = end_ = {spec_.shape.get(), Eigen::Isometry3d::Identity()};
}

void Collider::deform(double time, MeshShape& shape) {
  points_.clear();
  spec_.deform(time, points_);
  const std::size_t expected = spec_.mesh->points.size();
  if (points_.size() != expected)
    throw SimulationError("collider '" + spec_.name + "' has " + std::to_string(points_.size()) +
                          " points at " + std::to_string(time) + " s but began with " +
                          std::to_string(expected) +
                          "; a deforming collider must keep its points and triangles");
  const auto wrong = [](const Vec3& p) { return !p.allFinite(); };
  const auto first = points_.begin();
  const double any = parallel_max(int(expected), grain, [&](int begin, int end) {
    return std::any_of(first + begin, first + end, wrong) ? 1.0 : 0.0;
  });
  if (any > 0.0)
    throw SimulationError("collider '" + spec_.name + "': point " +
                          std::to_string(std::find_if(first, points_.end(), wrong) - first) + " at " +
                          std::to_string(time) + " s is not at a finite place");
  shape.refit([&](int i) { return points_[i]; });
}

void Collider::begin_step(double start, double end) {
  if (mesh_start_) {
    if (start == known_end_)
      std::swap(mesh_start_, mesh_end_);
    else
      deform(start, *mesh_start_);
    deform(end, *mesh_end_);
    known_end_ = end;
    const std::vector<Vec3>& before = mesh_start_->points();
    travel_ = std::sqrt(parallel_max(int(points_.size()), grain, [&](int begin, int end) {
      double farthest = 0.0;
      for (int i = begin; i < end; ++i) farthest = std::max(farthest, (points_[i] - before[i]).squaredNorm());
      return farthest;
    }));
    start_.shape = corners_start_ = mesh_start_.get();
    end_.shape = corners_end_ = mesh_end_.get();
    moves_ = travel_ > 0.0;
  }
  if (!spec_.pose) return;
  start_.pose = spec_.pose(start);
  end_.pose = spec_.pose(end);
  for (double time : {start, end})
    if (!(time == start ? start_ : end_).pose.matrix().allFinite())
      throw SimulationError("collider '" + spec_.name + "': its motion at " + std::to_string(time) +
                            " s is not a finite number; look at its keys there");
  moves_ = travel_ > 0.0 || !start_.pose.isApprox(end_.pose, 0.0);
}

Distance Collider::start_distance(const Vec3& p, double limit) const {
  Distance d = start_.shape->distance(start_.pose.inverse() * p, limit + spec_.thickness);
  d.normal = start_.pose.linear() * d.normal;
  return d;
}

Distance Collider::gap_of(Distance d, int side) const {
  if (side == 0) side = sheet_ && d.value < 0.0 ? -1 : 1;
  if (side < 0 && !d.rim) d.value = -d.value, d.normal = -d.normal;
  d.value -= spec_.thickness;
  return d;
}

Distance Collider::local_gap(const Shape& shape, const Vec3& p, int side, double limit) const {
  return gap_of(shape.distance(p, limit + spec_.thickness), side);
}

Distance Collider::gap(const Placed& placed, const Vec3& p, int side, double limit) const {
  Distance d = local_gap(*placed.shape, placed.pose.inverse() * p, side, limit);
  d.normal = placed.pose.linear() * d.normal;
  return d;
}

Distance Collider::wall_distance(const Vec3& p, bool end, double limit) const {
  const Placed& placed = end ? end_ : start_;
  Distance d = placed.shape->distance(placed.pose.inverse() * p, limit);
  d.normal = placed.pose.linear() * d.normal;
  if (sheet_ && d.value < 0.0) d.value = -d.value, d.normal = -d.normal;
  return d;
}

Vec3 Collider::carried(const Vec3& p) const {
  if (!moves_) return p;
  Vec3 local = start_.pose.inverse() * p;
  if (mesh_start_) {
    const Distance d = mesh_start_->distance(local, anywhere);
    local += mesh_end_->place(d.triangle, d.weights) - mesh_start_->place(d.triangle, d.weights);
  }
  return end_.pose * local;
}

Touch Collider::touch(const Vec3& from, const Vec3& to, int side, double start, const Vec3& start_normal,
                      double where, double radius, Surroundings& near, bool walled) const {
  Touch t;
  // Seen from the collider it stands still, whatever its rigid motion.
  const Vec3 from_local = start_.pose.inverse() * from, to_local = end_.pose.inverse() * to;
  const Vec3 way = to_local - from_local;
  const double length = way.norm();
  t.start = start;
  const Distance ending = spec_.mesh ? gap_of(corners_end_->distance(to_local, near), side)
                                     : local_gap(*end_.shape, to_local, side, anywhere);
  t.end = ending.value;
  t.stiffness = at(spec_.point_stiffness, ending);
  // The gap changes by no more than the way's length, so only such a long way can have passed through.
  const bool through = !walled && t.start > 0.0 && t.end > 0.0 && length > t.start + t.end;
  const double entry = through ? enter(from_local, way, side) : 1.0;
  double centre = where < 0.0 ? force_centre(t.start - radius, t.end - radius) : where;
  if (entry < 1.0) centre = entry;
  const Vec3 local = from_local + centre * way;
  // The search for the nearest place of a mesh is most of the work: what is known of both ends has to do.
  if (spec_.mesh && where < 0.0 && !(entry < 1.0)) {
    const Vec3 end_normal = end_.pose.linear() * ending.normal;
    t.normal = (1.0 - centre) * start_normal + centre * end_normal;
    t.normal = t.normal.squaredNorm() > 0.01 ? Vec3(t.normal.normalized()) : end_normal;
    t.friction = at(spec_.point_friction, ending);
    if (moves_) {
      Vec3 carried = local;
      if (mesh_start_)
        carried += mesh_end_->place(ending.triangle, ending.weights) -
                   mesh_start_->place(ending.triangle, ending.weights);
      t.slide = end_.pose * carried - start_.pose * local;
      // What the point's own way does not explain, with the mean of the normals.
      t.moved = t.end - t.start - 0.5 * (start_normal + end_normal).dot(to - from);
    }
    return t;
  }
  const Distance there = local_gap(*end_.shape, local, side, anywhere);
  Vec3 normal_start = there.normal, normal_end = there.normal;
  t.middle = there.value;
  t.friction = at(spec_.point_friction, there);
  Vec3 carried = local;  // the place of the collider that touches, where it was and where it goes
  if (start_.shape != end_.shape) {
    const Distance before = local_gap(*start_.shape, local, side, anywhere);
    normal_start = before.normal;
    t.middle = (1.0 - centre) * before.value + centre * there.value;
    carried = local + mesh_end_->place(there.triangle, there.weights) -
              mesh_start_->place(there.triangle, there.weights);
  }
  t.normal = end_.pose.linear() * normal_end;
  if (moves_) {
    t.normal = (1.0 - centre) * (start_.pose.linear() * normal_start) + centre * t.normal;
    t.normal.normalize();
    t.slide = end_.pose * carried - start_.pose * local;
    // Of the ways to part the change of the gap between point and collider, the one that treats both alike.
    t.moved = 0.5 * (gap(end_, from, side, anywhere).value - t.start + t.end -
                     gap(start_, to, side, anywhere).value);
  }
  if (entry < 1.0) {
    t.end = (1.0 - entry) * normal_end.dot(way);
    t.moved = 0.0;
    t.through = true;
  }
  return t;
}

double Collider::enter(const Vec3& from, const Vec3& way, int side) const {
  const double length = way.norm();
  double along = 0.0;
  for (int k = 0; k < 100 && along < 1.0; ++k) {
    const double gap = local_gap(*end_.shape, from + along * way, side, anywhere).value;
    if (gap <= 1e-9 * length) return along;
    along += gap / length;
  }
  return 1.0;
}

bool Collider::passed(const Vec3& from, const Vec3& to) const {
  if (sheet_ || mesh_start_) return false;
  const Shape& shape = *start_.shape;
  const Vec3 a = start_.pose.inverse() * from, b = end_.pose.inverse() * to;
  const double length = (b - a).norm();
  // The normal where the way from one end first meets the surface, or that of the nearest place if it begins
  // inside.
  const auto facing = [&](const Vec3& begin, const Vec3& way, Vec3& normal) {
    double along = 0.0;
    for (int k = 0; k < 100 && along < 1.0; ++k) {
      const Distance d = shape.distance(begin + along * way, length);
      normal = d.normal;
      if (d.value <= 1e-9 * length) return true;
      along += d.value / length;
    }
    return false;
  };
  Vec3 entry, exit;
  return length > 0.0 && facing(a, b - a, entry) && facing(b, a - b, exit) && entry.dot(exit) < -0.5;
}

bool Collider::stands_out(int vertex, double size, double depth) const {
  const MeshSurface& mesh = corners();
  const std::vector<Vec3>& p = corners_start_->points();
  const int a = mesh.joined[vertex];
  const Vec3 normal = corners_start_->mean_normal(a);
  // A triangle that touches the surface around lies lower than the point by what the neighbours do, or by
  // more in proportion to the square of its size where it spans more of them.
  double lowest = 0.0, steepest = 0.0;
  for (int n = mesh.incident_start[a]; n < mesh.incident_start[a + 1]; ++n)
    for (int other : mesh.triangles[mesh.incident[n]]) {
      const Vec3 edge = p[other] - p[a];
      const double fall = sheet_ ? std::abs(normal.dot(edge)) : -normal.dot(edge);
      const double length = edge.norm();
      if (!(length > 0.0)) continue;
      steepest = std::max(steepest, fall / length);
      lowest = std::max(lowest, fall / length * std::max(size, size * size / length));
    }
  // Where the surface is smooth, and hardly curved for the size of the triangle, the body's own points are
  // enough, as they are at the shape that the mesh stands for.
  const bool smooth = 2.0 * steepest * steepest < smooth_edge;
  return mesh.border[a] || lowest > (smooth ? std::max(depth, 0.15 * size) : depth);
}

double Collider::at(const std::vector<double>& by_point, const Distance& d) const {
  if (by_point.empty() || d.triangle < 0) return 1.0;
  const auto& t = corners().triangles[d.triangle];
  return d.weights[0] * by_point[t[0]] + d.weights[1] * by_point[t[1]] + d.weights[2] * by_point[t[2]];
}

EdgePlace Collider::edge(const MeshShape& shape, const Eigen::Isometry3d& pose, int i) {
  EdgePlace e = shape.edge(i);
  for (Vec3& p : e.end) p = pose * p;
  for (Vec3& w : e.wing) w = pose.linear() * w;
  e.normal = pose.linear() * e.normal;
  return e;
}

void Collider::for_each_near(const Eigen::AlignedBox3d& region, FunctionRef<void(int)> visit) const {
  const double half = 0.5 * region.diagonal().norm();
  const Vec3 centre = start_.pose.inverse() * region.center();
  const Vec3 size = start_.pose.linear().transpose().cwiseAbs() * (0.5 * region.diagonal()) +
                    Vec3::Constant(motion(region.center(), half));
  corners_start_->for_each_in({Vec3(centre - size), Vec3(centre + size)}, visit);
}

double Collider::motion(const Vec3& p, double reach) const {
  if (!moves_) return 0.0;
  if (!spec_.pose) return travel_;
  const double turn = (end_.pose.linear() - start_.pose.linear()).norm();
  const double travel = travel_ + (end_.pose * (start_.pose.inverse() * p) - p).norm();
  // A part of the surface at a distance D from p travels up to turn D farther than p would as a part of it.
  if (turn > 0.5) return anywhere;
  return travel + turn * (reach + travel) / (1.0 - turn);
}

}  // namespace verve
