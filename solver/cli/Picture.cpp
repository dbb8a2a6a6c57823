#include "cli/Picture.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/Packed.h"
#include "geometry/PolygonTriangles.h"
#include "geometry/TetSurface.h"
#include "io/FileBytes.h"

namespace verve {
namespace {

/// Looks at the middle of a box from the front, a little from the right and above.
class Camera {
 public:
  Camera(const Eigen::AlignedBox3d& box, int width, int height)
      : forward_(Vec3(-0.45, -0.3, -1.0).normalized()),
        right_(forward_.cross(Vec3::UnitY()).normalized()),
        up_(right_.cross(forward_)),
        middle_(box.center()),
        width_(width),
        height_(height) {
    const double half_height = 0.36;  // tangent of half the view's angle
    distance_ = 0.75 * box.diagonal().norm() / half_height + 1e-9;
    scale_ = 0.5 * height / half_height;
  }
  /// x and y in pixels, and the depth.
  Vec3 project(const Vec3& p) const {
    const Vec3 d = p - middle_;
    const double depth = std::max(1e-6, distance_ + forward_.dot(d));
    return {0.5 * width_ + scale_ * right_.dot(d) / depth, 0.5 * height_ - scale_ * up_.dot(d) / depth,
            depth};
  }
  /// Where the ray through a pixel meets the floor; infinite where it does not.
  double floor_depth(int x, int y) const {
    const Vec3 ray =
        forward_ + (x + 0.5 - 0.5 * width_) / scale_ * right_ - (y + 0.5 - 0.5 * height_) / scale_ * up_;
    const double eye = (middle_ - distance_ * forward_)[1];
    return ray[1] < 0.0 && eye > 0.0 ? -eye / ray[1] : std::numeric_limits<double>::infinity();
  }
  Vec3 light() const { return (0.5 * right_ + Vec3::UnitY() - 0.6 * forward_).normalized(); }

 private:
  Vec3 forward_, right_, up_, middle_;
  double width_, height_, distance_, scale_;
};

std::vector<std::array<int, 3>> picture_triangles(const Geometry& geometry) {
  std::vector<std::array<int, 3>> triangles = tet_surface(geometry);
  for (const auto& triangle : polygon_triangles(geometry)) triangles.push_back(triangle);
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

std::string encode_png(const std::vector<std::uint8_t>& rgb, int width, int height) {
  std::string rows;
  for (int y = 0; y < height; ++y) {
    rows += '\0';
    rows.append(reinterpret_cast<const char*>(&rgb[3 * std::size_t(y) * width]), 3 * std::size_t(width));
  }
  std::string header;
  for (int value : {width, height})
    for (int shift : {24, 16, 8, 0}) header += char(value >> shift & 255);
  header += std::string("\x08\x02\x00\x00\x00", 5);
  std::string png = "\x89PNG\r\n\x1a\n";
  append_chunk(png, "IHDR", header);
  append_chunk(png, "IDAT", deflated(rows));
  append_chunk(png, "IEND", "");
  return png;
}

}  // namespace

void write_picture(const std::string& path, const Geometry& geometry, const Eigen::AlignedBox3d& bounds,
                   int width, int height) {
  constexpr int finer = 2;  // samples along each side of a pixel
  const int w = finer * width, h = finer * height;
  const Camera camera(bounds, w, h);
  std::vector<float> depth(std::size_t(w) * h);
  std::vector<Eigen::Vector3f> colour(depth.size());
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const double floor = camera.floor_depth(x, y);
      const float sky = 0.93f - 0.10f * float(y) / float(h);
      const float mist =
          std::isfinite(floor) ? float(std::exp(-0.25 * floor / bounds.diagonal().norm())) : 0.0f;
      depth[std::size_t(y) * w + x] = float(floor);
      colour[std::size_t(y) * w + x] =
          (1 - mist) * Eigen::Vector3f(sky, sky, sky + 0.03f) + mist * Eigen::Vector3f(0.62f, 0.64f, 0.68f);
    }

  const Vec3 light = camera.light();
  for (const auto& triangle : picture_triangles(geometry)) {
    const Vec3 a = geometry.position(triangle[0]), b = geometry.position(triangle[1]),
               c = geometry.position(triangle[2]);
    const Vec3 normal = (b - a).cross(c - a);
    if (!(normal.norm() > 0.0)) continue;
    const double lit = 0.35 + 0.65 * std::abs(normal.normalized().dot(light));
    const Eigen::Vector3f paint = float(lit) * Eigen::Vector3f(0.93f, 0.55f, 0.28f);
    const Vec3 p = camera.project(a), q = camera.project(b), r = camera.project(c);
    const double area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    if (!std::isfinite(area) || area == 0.0) continue;
    const auto low = [&](int k, int most) {
      return int(std::clamp(std::floor(std::min({p[k], q[k], r[k]})), 0.0, double(most)));
    };
    const auto top = [&](int k, int most) {
      return int(std::clamp(std::ceil(std::max({p[k], q[k], r[k]})), 0.0, double(most)));
    };
    for (int y = low(1, h); y < top(1, h); ++y)
      for (int x = low(0, w); x < top(0, w); ++x) {
        const double px = x + 0.5, py = y + 0.5;
        const double u = ((q[0] - px) * (r[1] - py) - (q[1] - py) * (r[0] - px)) / area;
        const double v = ((r[0] - px) * (p[1] - py) - (r[1] - py) * (p[0] - px)) / area;
        const double t = 1.0 - u - v;
        if (u < 0.0 || v < 0.0 || t < 0.0) continue;
        const float z = float(u * p[2] + v * q[2] + t * r[2]);
        float& nearest = depth[std::size_t(y) * w + x];
        if (z >= nearest) continue;
        nearest = z;
        // Edges are drawn thin and dark, so that the elements show.
        const bool edge = std::min({u, v, t}) * std::sqrt(std::abs(area)) < 0.35;
        colour[std::size_t(y) * w + x] = edge ? 0.72f * paint : paint;
      }
  }

  std::vector<std::uint8_t> rgb(3 * std::size_t(width) * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      Eigen::Vector3f sum = Eigen::Vector3f::Zero();
      for (int j = 0; j < finer; ++j)
        for (int i = 0; i < finer; ++i) sum += colour[std::size_t(finer * y + j) * w + finer * x + i];
      for (int k = 0; k < 3; ++k)
        rgb[3 * (std::size_t(y) * width + x) + k] =
            std::uint8_t(std::clamp(255.0f * sum[k] / float(finer * finer), 0.0f, 255.0f));
    }
  write_bytes(path, encode_png(rgb, width, height));
}

}  // namespace verve
