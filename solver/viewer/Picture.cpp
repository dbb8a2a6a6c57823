#include "viewer/Picture.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/FileBytes.h"
#include "geometry/PolygonTriangles.h"
#include "geometry/TetSurface.h"
#include "viewer/Deflate.h"

namespace verve {
namespace {

/// Looks from the front, a little from the right and above.
struct Axes {
  Vec3 forward = Vec3(-0.45, -0.3, -1.0).normalized();
  Vec3 right = forward.cross(Vec3::UnitY()).normalized();
  Vec3 up = right.cross(forward);

  Vec3 seen(const Vec3& p) const { return {right.dot(p), up.dot(p), forward.dot(p)}; }
  Vec3 place(const Vec3& s) const { return s[0] * right + s[1] * up + s[2] * forward; }
};

/// Stands where the whole box, given along the axes, is in view.
class Camera : Axes {
 public:
  Camera(const Eigen::AlignedBox3d& box, int width, int height)
      : middle_(place(box.center())), width_(width), height_(height) {
    const double half_height = 0.36;  // tangent of half the view's angle
    const double half_width = half_height * width / height;
    constexpr double filled = 0.9;
    const Vec3 half = 0.5 * box.sizes();
    distance_ = std::max(1e-9, std::max(half[0] / half_width, half[1] / half_height) / filled + half[2]);
    scale_ = 0.5 * height / half_height;
  }
  /// x and y in pixels, and the depth.
  Vec3 project(const Vec3& p) const {
    const Vec3 d = p - middle_;
    const double depth = std::max(1e-6, distance_ + forward.dot(d));
    return {0.5 * width_ + scale_ * right.dot(d) / depth, 0.5 * height_ - scale_ * up.dot(d) / depth, depth};
  }
  /// The area of a triangle in the picture, in pixels.
  double pixels(const Vec3& a, const Vec3& b, const Vec3& c) const {
    const Vec3 p = project(a), q = project(b), r = project(c);
    return 0.5 * std::abs((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  }
  /// Where the ray through a pixel meets a plane that it comes to from outside; infinite where it does not.
  double plane_depth(int x, int y, const ColliderSurface& plane) const {
    const Vec3 ray =
        forward + (x + 0.5 - 0.5 * width_) / scale_ * right - (y + 0.5 - 0.5 * height_) / scale_ * up;
    const double above = plane.normal.dot(middle_ - distance_ * forward) - plane.offset;
    const double down = -plane.normal.dot(ray);
    return down > 0.0 && above > 0.0 ? above / down : std::numeric_limits<double>::infinity();
  }
  Vec3 eye() const { return middle_ - distance_ * forward; }
  Vec3 light() const { return (0.5 * right + Vec3::UnitY() - 0.6 * forward).normalized(); }

 private:
  Vec3 middle_;
  double width_, height_, distance_, scale_;
};

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

struct PaintedTriangle {
  std::array<Vec3, 3> corners;
  int body;
};

/// What is seen of the geometry; poly lines are ribbons that face the eye.
std::vector<PaintedTriangle> picture_triangles(const Geometry& geometry, const Vec3& eye, double ribbon) {
  std::vector<PaintedTriangle> triangles;
  const std::vector<int> bodies = body_numbers(geometry);
  for (const auto& list : {tet_surface(geometry), polygon_triangles(geometry)})
    for (const auto& [a, b, c] : list)
      triangles.push_back(
          {{geometry.position(a), geometry.position(b), geometry.position(c)}, bodies[std::size_t(a)]});
  for (const auto& [i, j] : line_segments(geometry)) {
    const Vec3 a = geometry.position(i), b = geometry.position(j);
    const Vec3 across = 0.5 * ribbon * (b - a).cross(a - eye).normalized();
    triangles.push_back({{a - across, a + across, b - across}, bodies[std::size_t(i)]});
    triangles.push_back({{a + across, b + across, b - across}, bodies[std::size_t(i)]});
  }
  return triangles;
}

void append_chunk(std::string& png, const char* type, const std::string& data) {
  const auto number = [&](std::uint32_t v) {
    for (int shift : {24, 16, 8, 0}) png += char(v >> shift & 255);
  };
  const std::string body = type + data;
  number(std::uint32_t(data.size()));
  png += body;
  number(std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(body.data()), uInt(body.size()))));
}

std::string encode_png(const Picture& picture) {
  std::string rows;
  for (int y = 0; y < picture.height; ++y) {
    rows += '\0';
    rows.append(reinterpret_cast<const char*>(&picture.rgb[3 * std::size_t(y) * picture.width]),
                3 * std::size_t(picture.width));
  }
  std::string header;
  for (int value : {picture.width, picture.height})
    for (int shift : {24, 16, 8, 0}) header += char(value >> shift & 255);
  header += std::string("\x08\x02\x00\x00\x00", 5);
  std::string png = "\x89PNG\r\n\x1a\n";
  append_chunk(png, "IHDR", header);
  append_chunk(png, "IDAT", deflated(rows));
  append_chunk(png, "IEND", "");
  return png;
}

/// Colours and depths at twice the resolution.
class Canvas {
 public:
  Canvas(const Camera& camera, const Eigen::AlignedBox3d& bounds, int width, int height,
         const std::vector<ColliderSurface>& colliders)
      : camera_(camera),
        w_(width),
        h_(height),
        depth_(std::size_t(width) * height),
        ground_(depth_.size()),
        shaded_(depth_.size()),
        colour_(depth_.size()) {
    for (int y = 0; y < h_; ++y)
      for (int x = 0; x < w_; ++x) {
        double ground = std::numeric_limits<double>::infinity();
        for (const ColliderSurface& c : colliders)
          if (c.is_plane) ground = std::min(ground, camera.plane_depth(x, y, c));
        const float sky = 0.93f - 0.10f * float(y) / float(h_);
        const float mist =
            std::isfinite(ground) ? float(std::exp(-0.25 * ground / bounds.diagonal().norm())) : 0.0f;
        depth_[at(x, y)] = ground_[at(x, y)] = float(ground);
        colour_[at(x, y)] =
            (1 - mist) * Eigen::Vector3f(sky, sky, sky + 0.03f) + mist * Eigen::Vector3f(0.62f, 0.64f, 0.68f);
      }
  }

  /// Edges are drawn thin and dark if `edges`, so that the elements show; where they are a few pixels across
  /// that would only darken the surface.
  void draw(const Vec3& a, const Vec3& b, const Vec3& c, const Eigen::Vector3f& paint, bool edges) {
    const Vec3 normal = (b - a).cross(c - a);
    if (!(normal.norm() > 0.0)) return;
    const Eigen::Vector3f lit =
        float(0.35 + 0.65 * std::abs(normal.normalized().dot(camera_.light()))) * paint;
    edges = edges && camera_.pixels(a, b, c) > 40.0;
    scan(a, b, c, [&](std::size_t pixel, float z, double from_edge) {
      if (z >= depth_[pixel]) return;
      depth_[pixel] = z;
      colour_[pixel] = edges && from_edge < 0.35 ? 0.72f * lit : lit;
    });
  }

  /// Darkens a plane where the triangle keeps the light from it.
  void cast_shadow(const ColliderSurface& plane, const std::array<Vec3, 3>& triangle) {
    const Vec3 light = camera_.light();
    const double slope = plane.normal.dot(light);
    Vec3 shadow[3];
    for (int k = 0; k < 3; ++k) {
      const double above = plane.normal.dot(triangle[k]) - plane.offset;
      if (!(slope > 0.05) || above < 0.0) return;
      shadow[k] = triangle[k] - above / slope * light;
    }
    scan(shadow[0], shadow[1], shadow[2], [&](std::size_t pixel, float z, double) {
      if (std::abs(z - ground_[pixel]) < 0.01f * ground_[pixel]) shaded_[pixel] = true;
    });
  }

  /// Two samples along each side make a pixel.
  Picture picture() {
    for (std::size_t pixel = 0; pixel < depth_.size(); ++pixel)
      if (shaded_[pixel] && depth_[pixel] == ground_[pixel]) colour_[pixel] *= 0.8f;
    Picture result{w_ / 2, h_ / 2, std::vector<std::uint8_t>(3 * depth_.size() / 4)};
    std::size_t out = 0;
    for (int y = 0; y < h_; y += 2)
      for (int x = 0; x < w_; x += 2) {
        const Eigen::Vector3f sum =
            colour_[at(x, y)] + colour_[at(x + 1, y)] + colour_[at(x, y + 1)] + colour_[at(x + 1, y + 1)];
        for (int k = 0; k < 3; ++k)
          result.rgb[out++] = std::uint8_t(std::clamp(255.0f / 4.0f * sum[k], 0.0f, 255.0f));
      }
    return result;
  }

 private:
  std::size_t at(int x, int y) const { return std::size_t(y) * w_ + x; }

  /// Calls visit(pixel, depth, about how many pixels from an edge) for every sample in a triangle.
  template <class Visit>
  void scan(const Vec3& a, const Vec3& b, const Vec3& c, const Visit& visit) const {
    const Vec3 p = camera_.project(a), q = camera_.project(b), r = camera_.project(c);
    const double area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    if (!std::isfinite(area) || area == 0.0) return;
    const auto low = [&](int k, int most) {
      return int(std::clamp(std::floor(std::min({p[k], q[k], r[k]})), 0.0, double(most)));
    };
    const auto top = [&](int k, int most) {
      return int(std::clamp(std::ceil(std::max({p[k], q[k], r[k]})), 0.0, double(most)));
    };
    for (int y = low(1, h_); y < top(1, h_); ++y)
      for (int x = low(0, w_); x < top(0, w_); ++x) {
        const double px = x + 0.5, py = y + 0.5;
        const double u = ((q[0] - px) * (r[1] - py) - (q[1] - py) * (r[0] - px)) / area;
        const double v = ((r[0] - px) * (p[1] - py) - (r[1] - py) * (p[0] - px)) / area;
        const double t = 1.0 - u - v;
        if (u < 0.0 || v < 0.0 || t < 0.0) continue;
        visit(at(x, y), float(u * p[2] + v * q[2] + t * r[2]),
              std::min({u, v, t}) * std::sqrt(std::abs(area)));
      }
  }

  const Camera& camera_;
  int w_, h_;
  std::vector<float> depth_, ground_;
  std::vector<bool> shaded_;
  std::vector<Eigen::Vector3f> colour_;
};

}  // namespace

void PictureExtent::include(const Geometry& geometry) {
  const Axes axes;
  for (int i = 0; i < geometry.point_count; ++i) box_.extend(axes.seen(geometry.position(i)));
}

Picture draw_picture(const Geometry& geometry, const std::vector<ColliderSurface>& colliders,
                     const PictureExtent& extent, int width, int height) {
  const Camera camera(extent.box(), 2 * width, 2 * height);
  Canvas canvas(camera, extent.box(), 2 * width, 2 * height, colliders);
  for (const ColliderSurface& collider : colliders)
    for (const auto& [a, b, c] : collider.triangles) {
      const Vec3 outwards = (b - a).cross(c - a);
      // The patches wind inwards.
      const bool hides = collider.from_inside && outwards.dot(camera.eye() - a) < 0.0;
      if (!hides) canvas.draw(a, b, c, {0.70f, 0.72f, 0.76f}, false);
    }
  const double ribbon = 0.01 * extent.box().diagonal().norm();
  for (const auto& [triangle, body] : picture_triangles(geometry, camera.eye(), ribbon)) {
    canvas.draw(triangle[0], triangle[1], triangle[2], body_paint(body), true);
    for (const ColliderSurface& collider : colliders)
      if (collider.is_plane) canvas.cast_shadow(collider, triangle);
  }
  return canvas.picture();
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

void write_png(const std::string& path, const Picture& picture) {
  write_bytes(path, encode_png(picture));
}

}  // namespace verve
