#include "viewer/ColliderSurface.h"

#include <cmath>

namespace verve {
namespace {

constexpr int kAround = 48, kAlong = 24;

/// The triangles of a surface given by two numbers from 0 to 1.
template <class Point>
void add_patch(const Point& point, std::vector<std::array<Vec3, 3>>& triangles) {
  const auto at = [&](int i, int j) { return point(double(i) / kAround, double(j) / kAlong); };
  for (int i = 0; i < kAround; ++i)
    for (int j = 0; j < kAlong; ++j) {
      triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
}

Vec3 vec3(const Json& json) {
  return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
}

/// A ball whose lower half is moved down by `length`: a capsule along y.
void add_ball(double radius, double length, std::vector<std::array<Vec3, 3>>& triangles) {
  add_patch(
      [&](double u, double v) {
        const double turn = 2 * M_PI * u, tilt = M_PI * (v - 0.5);
        const Vec3 p =
            radius * Vec3(std::cos(tilt) * std::cos(turn), std::sin(tilt), std::cos(tilt) * std::sin(turn));
        return Vec3(p + Vec3(0, (v > 0.5 ? 0.5 : -0.5) * length, 0));
      },
      triangles);
}

void add_box(const Vec3& size, std::vector<std::array<Vec3, 3>>& triangles) {
  for (int axis = 0; axis < 3; ++axis)
    for (int side : {-1, 1}) {
      Vec3 corners[4];
      for (int k = 0; k < 4; ++k) {
        corners[k][axis] = side;
        corners[k][(axis + 1) % 3] = k == 1 || k == 2 ? 1 : -1;
        corners[k][(axis + 2) % 3] = k >= 2 ? 1 : -1;
        corners[k] = 0.5 * corners[k].cwiseProduct(size);
      }
      triangles.push_back({corners[0], corners[1], corners[2]});
      triangles.push_back({corners[0], corners[2], corners[3]});
    }
}

}  // namespace

ColliderSurface collider_surface(const Json& json, const ColliderSpec& spec, double time) {
  ColliderSurface surface;
  const Eigen::Isometry3d pose = spec.pose ? spec.pose(time) : Eigen::Isometry3d::Identity();
  auto& triangles = surface.triangles;
  Vec3 scale = Vec3::Ones(), center = Vec3::Zero();
  if (spec.mesh) {
    for (const auto& t : spec.mesh->triangles)
      triangles.push_back({spec.mesh->points[t[0]], spec.mesh->points[t[1]], spec.mesh->points[t[2]]});
  } else {
    const Json& s = json["transform"]["scale"];
    scale = s.is_array() ? vec3(s) : Vec3::Constant(s.get<double>());
    const std::string shape = json["shape"];
    if (shape == "plane") {
      const Vec3 normal = vec3(json["normal"]);
      surface.is_plane = true;
      surface.normal = pose.linear() * normal.normalized();
      surface.offset = json["offset"].get<double>() / normal.norm() + surface.normal.dot(pose.translation());
    } else if (shape == "sphere") {
      add_ball(json["radius"], 0.0, triangles);
      center = vec3(json["center"]);
      surface.from_inside = json["inside"];
    } else if (shape == "box") {
      add_box(vec3(json["size"]), triangles);
    } else if (shape == "capsule") {
      add_ball(json["radius"], json["length"], triangles);
    } else {
      const double radius = json["radius"], tube = json["tube"];
      add_patch(
          [&](double u, double v) {
            const double out = radius + tube * std::cos(2 * M_PI * v);
            return Vec3(out * std::cos(2 * M_PI * u), tube * std::sin(2 * M_PI * v),
                        out * std::sin(2 * M_PI * u));
          },
          triangles);
    }
  }
  for (auto& triangle : triangles)
    for (Vec3& p : triangle) p = pose * Vec3((p + center).cwiseProduct(scale));
  return surface;
}

}  // namespace verve
