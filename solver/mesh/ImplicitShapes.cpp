#include "mesh/ImplicitShapes.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "mesh/ShapeSize.h"

namespace verve {
namespace {

using Box = Eigen::AlignedBox3d;

double distance_to_line(const Vec3& p, const Vec3& from, const Vec3& to) {
  const Vec3 along = to - from;
  const double length = along.squaredNorm();
  const double t = length > 0 ? std::min(1.0, std::max(0.0, (p - from).dot(along) / length)) : 0.0;
  return (p - from - t * along).norm();
}

// An ellipsoid around `from` or, with a line, a tube with round ends.
struct Part {
  Vec3 from, to, radii;

  static Part tube(const Vec3& a, const Vec3& b, double r) { return {a, b, Vec3::Constant(r)}; }
  static Part ball(const Vec3& centre, double r) { return tube(centre, centre, r); }
  static Part ellipsoid(const Vec3& centre, const Vec3& radii) { return {centre, centre, radii}; }

  bool round() const { return radii[0] == radii[1] && radii[1] == radii[2]; }

  double value(const Vec3& p) const {
    if (round()) return radii[0] - distance_to_line(p, from, to);
    // Not the distance, but never more than it: its slope is 1 across the thinnest radius and less elsewhere.
    return (1 - (p - from).cwiseQuotient(radii).norm()) * radii.minCoeff();
  }

  Box bounds() const { return {Vec3(from.cwiseMin(to) - radii), Vec3(from.cwiseMax(to) + radii)}; }
};

// Parts that flow into one another within `blend` metres. The slope of the blended field is an average of the
// parts' slopes, so it is at most 1 as well and the field stays a clearance.
class Blend : public Implicit {
 public:
  Blend(std::vector<Part> parts, double blend) : parts_(std::move(parts)), blend_(blend) {
    for (const Part& part : parts_) box_.extend(part.bounds());
    // A seam bulges by a quarter of the blend, and again where several meet.
    if (parts_.size() > 1) box_ = Box(Vec3(box_.min().array() - blend_), Vec3(box_.max().array() + blend_));
  }

  double value(const Vec3& p) const override {
    double sum = parts_[0].value(p);
    for (std::size_t i = 1; i < parts_.size(); ++i) {
      const double next = parts_[i].value(p);
      const double overlap = std::max(0.0, blend_ - std::abs(sum - next));
      sum = std::max(sum, next) + overlap * overlap / (4 * blend_);
    }
    return sum;
  }

  Box bounds() const override { return box_; }

 private:
  std::vector<Part> parts_;
  double blend_;
  Box box_;
};

class Torus : public Implicit {
 public:
  Torus(double radius, double tube) : radius_(radius), tube_(tube) {}

  double value(const Vec3& p) const override {
    return tube_ - std::hypot(std::hypot(p.x(), p.z()) - radius_, p.y());
  }

  Box bounds() const override {
    const Vec3 reach(radius_ + tube_, tube_, radius_ + tube_);
    return {Vec3(-reach), reach};
  }

 private:
  double radius_, tube_;
};

class Tube : public Implicit {
 public:
  Tube(std::vector<Vec3> loop, double radius) : loop_(std::move(loop)), radius_(radius) {
    for (const Vec3& p : loop_) box_.extend(p);
    box_ = Box(Vec3(box_.min().array() - radius_), Vec3(box_.max().array() + radius_));
  }

  double value(const Vec3& p) const override {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < loop_.size(); ++i)
      nearest = std::min(nearest, distance_to_line(p, loop_[i], loop_[(i + 1) % loop_.size()]));
    return radius_ - nearest;
  }

  Box bounds() const override { return box_; }

 private:
  std::vector<Vec3> loop_;
  double radius_;
  Box box_;
};

void require_ring(const char* shape, double radius, double tube) {
  require_length(shape, "radius", radius);
  require_length(shape, "tube", tube);
  if (tube >= radius)
    throw Error(std::string(shape) + ": tube is " + short_number(tube) + " but radius only " +
                short_number(radius) + "; the tube must be thinner than the radius to leave a hole");
}

TetMesh filled(const Implicit& solid, double spacing, MeshingReport* report) {
  return report ? mesh_solid(solid, {spacing}, *report) : mesh_solid(solid, {spacing});
}

}  // namespace

Solid sphere_solid(double radius) {
  require_length("sphere", "radius", radius);
  return std::make_unique<Blend>(std::vector<Part>{Part::ball(Vec3::Zero(), radius)}, radius);
}

Solid torus_solid(double radius, double tube) {
  require_ring("torus", radius, tube);
  return std::make_unique<Torus>(radius, tube);
}

Solid knot_solid(double radius, double tube) {
  require_ring("knot", radius, tube);
  constexpr int pieces = 360;
  std::vector<Vec3> loop;
  for (int i = 0; i < pieces; ++i) {
    const double t = 2 * M_PI * i / pieces;
    const double r = radius / 3 * (2 + std::cos(3 * t));
    loop.emplace_back(r * std::cos(2 * t), radius / 3 * std::sin(3 * t), r * std::sin(2 * t));
  }
  return std::make_unique<Tube>(std::move(loop), tube);
}

Solid blob_solid(double size) {
  require_length("blob", "size", size);
  std::vector<Part> parts{Part::ball(Vec3::Zero(), 0.24 * size)};
  const double thick = 0.09 * size;
  for (const Vec3& limb : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(0, 1, 0)})
    parts.push_back(Part::tube(Vec3::Zero(), (0.5 * size - thick) * limb, thick));
  return std::make_unique<Blend>(std::move(parts), 0.1 * size);
}

Solid hare_solid(double height) {
  require_length("hare", "height", height);
  std::vector<Part> parts{
      Part::ellipsoid({-0.05, -0.22, 0}, {0.25, 0.22, 0.19}),  // body
      Part::ball({0.10, -0.15, 0}, 0.15),                      // chest
      Part::ellipsoid({0.17, 0.08, 0}, {0.15, 0.125, 0.115}),  // head
      Part::ball({0.28, 0.04, 0}, 0.07),                       // muzzle
      Part::ball({-0.30, -0.28, 0}, 0.075),                    // tail
  };
  for (int side : {-1, 1}) {
    parts.push_back(Part::tube({0.12, 0.16, 0.05 * side}, {0.00, 0.455, 0.11 * side}, 0.045));     // ear
    parts.push_back(Part::ellipsoid({-0.10, -0.31, 0.15 * side}, {0.17, 0.14, 0.085}));            // thigh
    parts.push_back(Part::tube({-0.10, -0.446, 0.16 * side}, {0.12, -0.446, 0.17 * side}, 0.05));  // foot
    parts.push_back(Part::tube({0.16, -0.20, 0.08 * side}, {0.22, -0.455, 0.09 * side}, 0.045));   // foreleg
  }
  for (Part& part : parts) part.from *= height, part.to *= height, part.radii *= height;
  return std::make_unique<Blend>(std::move(parts), 0.06 * height);
}

TetMesh make_sphere(double radius, double spacing, MeshingReport* report) {
  return filled(*sphere_solid(radius), spacing, report);
}
TetMesh make_torus(double radius, double tube, double spacing, MeshingReport* report) {
  return filled(*torus_solid(radius, tube), spacing, report);
}
TetMesh make_knot(double radius, double tube, double spacing, MeshingReport* report) {
  return filled(*knot_solid(radius, tube), spacing, report);
}
TetMesh make_blob(double size, double spacing, MeshingReport* report) {
  return filled(*blob_solid(size), spacing, report);
}
TetMesh make_hare(double height, double spacing, MeshingReport* report) {
  return filled(*hare_solid(height), spacing, report);
}

}  // namespace verve
