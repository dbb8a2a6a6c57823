#include "contact/Shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/Error.h"
#include "mesh/ShapeSize.h"

namespace verve {
namespace {

/// The distance from a point at `offset` from the middle of a ball; any direction serves at the very middle.
Distance from_ball(const Vec3& offset, double radius) {
  const double length = offset.norm();
  return {length - radius, length > 0.0 ? Vec3(offset / length) : Vec3(Vec3::UnitY())};
}

class Plane final : public Shape {
 public:
  Plane(const Vec3& normal, double offset) : normal_(normal.normalized()), offset_(offset / normal.norm()) {}
  Distance distance(const Vec3& p, double) const override { return {normal_.dot(p) - offset_, normal_}; }
  bool convex() const override { return true; }

 private:
  Vec3 normal_;
  double offset_;
};

class Sphere final : public Shape {
 public:
  Sphere(const Vec3& center, double radius, bool inside)
      : center_(center), radius_(radius), inside_(inside) {}
  Distance distance(const Vec3& p, double) const override {
    const Distance d = from_ball(p - center_, radius_);
    return inside_ ? Distance{-d.value, -d.normal} : d;
  }
  bool convex() const override { return !inside_; }
  double free_share(const Vec3& from, const Vec3& to, double shift, double least) const override {
    if (!inside_) return Shape::free_share(from, to, shift, least);
    // Within a bowl the gap is a concave function along the way.
    const auto fits = [&](double share) {
      return distance(from + share * (to - from), 0.0).value + shift > least;
    };
    if (fits(1.0)) return 1.0;
    double free = 0.0, hit = 1.0;
    for (int k = 0; k < 40; ++k) {
      const double middle = 0.5 * (free + hit);
      (fits(middle) ? free : hit) = middle;
    }
    return free;
  }
  RoundCore core() const override { return inside_ ? RoundCore{} : RoundCore{{center_}, {}, radius_}; }

 private:
  Vec3 center_;
  double radius_;
  bool inside_;
};

class Box final : public Shape {
 public:
  explicit Box(const Vec3& size) : half_(0.5 * size) {}
  Distance distance(const Vec3& p, double) const override {
    const Vec3 q = p.cwiseAbs() - half_;
    const auto sign = [&](int axis) { return p[axis] < 0.0 ? -1.0 : 1.0; };
    int axis;
    if (q.maxCoeff(&axis) <= 0.0) return {q[axis], sign(axis) * Vec3::Unit(axis)};
    Vec3 out = q.cwiseMax(0.0);
    const double length = out.norm();
    for (int k = 0; k < 3; ++k) out[k] *= sign(k) / length;
    return {length, out};
  }
  bool convex() const override { return true; }
  TriangleMesh corners() const override {
    TriangleMesh mesh;
    for (int i = 0; i < 8; ++i)
      mesh.points.push_back(
          {(i & 1 ? 1 : -1) * half_[0], (i & 2 ? 1 : -1) * half_[1], (i & 4 ? 1 : -1) * half_[2]});
    // The corners around each side, counter-clockwise seen from outside.
    constexpr int sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& s : sides) {
      mesh.triangles.push_back({s[0], s[1], s[2]});
      mesh.triangles.push_back({s[0], s[2], s[3]});
    }
    return mesh;
  }

 private:
  Vec3 half_;
};

class Capsule final : public Shape {
 public:
  Capsule(const Vec3& from, const Vec3& to, double radius)
      : from_(from), along_(to - from), radius_(radius) {}
  Distance distance(const Vec3& p, double) const override {
    const double length = along_.squaredNorm();
    const double t = length > 0.0 ? std::min(1.0, std::max(0.0, (p - from_).dot(along_) / length)) : 0.0;
    return from_ball(p - from_ - t * along_, radius_);
  }
  bool convex() const override { return true; }
  RoundCore core() const override { return {{from_, from_ + along_}, {{0, 1}}, radius_}; }

 private:
  Vec3 from_, along_;
  double radius_;
};

class Torus final : public Shape {
 public:
  Torus(double radius, double tube) : radius_(radius), tube_(tube) {}
  Distance distance(const Vec3& p, double) const override {
    const double across = std::hypot(p.x(), p.z());
    const Vec3 out = across > 0.0 ? Vec3(p.x() / across, 0.0, p.z() / across) : Vec3(Vec3::UnitX());
    return from_ball(p - radius_ * out, tube_);
  }
  RoundCore core() const override {
    constexpr int sides = 72;
    RoundCore core{{}, {}, tube_};
    for (int i = 0; i < sides; ++i) {
      const double angle = 2.0 * M_PI * i / sides;
      core.points.push_back(radius_ * Vec3(std::cos(angle), 0.0, std::sin(angle)));
      core.lines.push_back({i, (i + 1) % sides});
    }
    return core;
  }

 private:
  double radius_, tube_;
};

}  // namespace

double Shape::free_share(const Vec3& from, const Vec3& to, double shift, double least) const {
  constexpr double anywhere = std::numeric_limits<double>::infinity();
  return advance(from, to - from, least, convex() && shift == 0.0, [&](const Vec3& p) {
    Distance d = distance(p, anywhere);
    d.value += shift;
    return d;
  });
}

std::unique_ptr<Shape> plane_shape(const Vec3& normal, double offset) {
  if (!normal.allFinite() || normal.norm() == 0.0 || !std::isfinite(offset))
    throw Error(
        "plane collider: normal must be three finite numbers that are not all zero, offset a finite one");
  return std::make_unique<Plane>(normal, offset);
}

std::unique_ptr<Shape> sphere_shape(const Vec3& center, double radius, bool inside) {
  require_length("sphere collider", "radius", radius);
  return std::make_unique<Sphere>(center, radius, inside);
}

std::unique_ptr<Shape> box_shape(const Vec3& size) {
  for (double side : size) require_length("box collider", "size", side);
  return std::make_unique<Box>(size);
}

std::unique_ptr<Shape> capsule_shape(const Vec3& from, const Vec3& to, double radius) {
  require_length("capsule collider", "radius", radius);
  return std::make_unique<Capsule>(from, to, radius);
}

std::unique_ptr<Shape> torus_shape(double radius, double tube) {
  require_length("torus collider", "radius", radius);
  require_length("torus collider", "tube", tube);
  if (tube >= radius)
    throw Error("torus collider: tube is " + std::to_string(tube) + " but radius only " +
                std::to_string(radius) + "; the tube must be thinner than the radius to leave a hole");
  return std::make_unique<Torus>(radius, tube);
}

}  // namespace verve
