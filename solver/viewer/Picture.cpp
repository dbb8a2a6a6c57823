#include "viewer/Picture.h"

#include <algorithm>
#include <map>

#include "geometry/PolygonTriangles.h"
#include "geometry/TetSurface.h"
#include "viewer/PictureCanvas.h"
#include "viewer/SmoothNormals.h"

namespace verve {
namespace {

using Triangle = std::array<Vec3, 3>;

/// The number of the body that each point belongs to, by the point attribute `name`; one body where there is
/// none.
std::vector<int> body_numbers(const Geometry& geometry) {
  std::vector<int> numbers(std::size_t(geometry.point_count), 0);
  const Attribute* names = geometry.find(Owner::Point, "name");
  if (!names || !names->is_text()) return numbers;
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = seen.emplace(names->text(i), int(seen.size())).first->second;
  return numbers;
}

/// As the page gives them to runs (page/colours.js).
Eigen::Vector3f body_paint(int body) {
  static const int colours[] = {0xf08c48, 0x4aa3df, 0x7bc96f, 0xc58af9, 0xe6c84b,
                                0xef6f8f, 0x56c9c1, 0xb08d6a, 0x9aa7ff, 0xd0d0d0};
  const int c = colours[std::size_t(body) % std::size(colours)];
  return Eigen::Vector3f(float(c >> 16), float(c >> 8 & 255), float(c & 255)) / 255.0f;
}

std::vector<Vec3> places(const Geometry& geometry) {
  std::vector<Vec3> x;
  for (int i = 0; i < geometry.point_count; ++i) x.push_back(geometry.position(i));
  return x;
}

/// Draws on the canvas, and keeps what keeps light from others.
struct Drawing {
  PictureCanvas& canvas;
  std::vector<Triangle> opaque;

  void surface(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3>& rest,
               const std::vector<Vec3>& now, const std::vector<int>& bodies) {
    const std::vector<std::array<Vec3, 3>> normals = smooth_normals(triangles, rest, now);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const auto& [a, b, c] = triangles[t];
      canvas.draw({{{now[a], normals[t][0]}, {now[b], normals[t][1]}, {now[c], normals[t][2]}}},
                  body_paint(bodies[std::size_t(a)]));
      opaque.push_back({now[a], now[b], now[c]});
    }
  }

  /// A ribbon that faces the eye, shaded as half of a tube.
  void line(const Vec3& a, const Vec3& b, double width, int body) {
    const Vec3 to_eye = (canvas.camera().eye() - a).normalized();
    const Vec3 across = (b - a).cross(to_eye).normalized(), half = 0.5 * width * across;
    const auto corner = [&](const Vec3& end, double side) {
      return PictureCorner{end + side * half, (to_eye + side * across).normalized()};
    };
    canvas.draw({corner(a, -1), corner(a, 1), corner(b, -1)}, body_paint(body));
    canvas.draw({corner(a, 1), corner(b, 1), corner(b, -1)}, body_paint(body));
    opaque.push_back({a - half, a + half, b - half});
    opaque.push_back({a + half, b + half, b - half});
  }

  void collider(const ColliderSurface& collider) {
    const Eigen::Vector3f paint(0.74f, 0.75f, 0.78f);
    if (collider.is_plane) return canvas.draw_plane(collider.normal, collider.offset, paint);
    // The triangles of a collider do not share points: those at one place are one.
    std::vector<Vec3> points;
    std::vector<std::array<int, 3>> triangles;
    std::map<std::array<double, 3>, int> known;
    for (const Triangle& triangle : collider.triangles) {
      const Vec3 outwards = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
      // The patches of a bowl wind inwards.
      if (collider.from_inside && outwards.dot(canvas.camera().eye() - triangle[0]) < 0.0) continue;
      std::array<int, 3> corners{};
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& p = triangle[k];
        const auto [at, is_new] = known.emplace(std::array<double, 3>{p[0], p[1], p[2]}, int(points.size()));
        if (is_new) points.push_back(p);
        corners[k] = at->second;
      }
      triangles.push_back(corners);
    }
    const std::vector<std::array<Vec3, 3>> normals = smooth_normals(triangles, points, points);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const auto& [a, b, c] = triangles[t];
      canvas.draw({{{points[a], normals[t][0]}, {points[b], normals[t][1]}, {points[c], normals[t][2]}}},
                  paint);
      opaque.push_back({points[a], points[b], points[c]});
    }
  }
};

}  // namespace

void PictureExtent::include(const Geometry& geometry) {
  const PictureAxes axes;
  for (int i = 0; i < geometry.point_count; ++i) box_.extend(axes.seen(geometry.position(i)));
}

Picture draw_picture(const Geometry& geometry, const Geometry& rest,
                     const std::vector<ColliderSurface>& colliders, const PictureExtent& extent, int width,
                     int height) {
  PictureCanvas canvas(extent.box(), width, height);
  Drawing drawing{canvas, {}};
  for (const ColliderSurface& collider : colliders) drawing.collider(collider);
  const std::vector<Vec3> now = places(geometry);
  const std::vector<Vec3> before = rest.point_count == geometry.point_count ? places(rest) : now;
  const std::vector<int> bodies = body_numbers(geometry);
  drawing.surface(tet_surface(geometry), before, now, bodies);
  drawing.surface(polygon_triangles(geometry), before, now, bodies);
  const double ribbon = 0.01 * extent.box().diagonal().norm();
  for (const auto& [i, j] : line_segments(geometry))
    drawing.line(now[std::size_t(i)], now[std::size_t(j)], ribbon, bodies[std::size_t(i)]);
  return canvas.lit(PictureLights(drawing.opaque, canvas.camera().key_light()));
}

Picture joined(const std::vector<Picture>& pictures) {
  Picture all;
  for (const Picture& picture : pictures) all.width += picture.width, all.height = picture.height;
  for (int y = 0; y < all.height; ++y)
    for (const Picture& picture : pictures) {
      const auto row = picture.rgb.begin() + 3 * std::ptrdiff_t(y) * picture.width;
      all.rgb.insert(all.rgb.end(), row, row + 3 * std::ptrdiff_t(picture.width));
    }
  return all;
}

}  // namespace verve
