#include "viewer/PageRun.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/Error.h"
#include "geometry/PolygonTriangles.h"
#include "geometry/TetSurface.h"
#include "io/SequenceFile.h"
#include "run/ReportFile.h"
#include "viewer/CacheName.h"
#include "viewer/Deflate.h"
#include "viewer/FrameQuantities.h"
#include "viewer/RunScene.h"

namespace verve {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockFrames = 24;  // so that the first ones show while the others are still unpacked

void append_number(std::string& bytes, std::uint32_t value) {
  for (int shift : {0, 8, 16, 24}) bytes += char(value >> shift & 255);
}

/// What is drawn, by the points that it needs.
struct Topology {
  std::vector<int> points;  ///< of the geometry, ascending
  std::vector<int> triangles, lines;

  explicit Topology(const Geometry& g) {
    for (const auto& list : {tet_surface(g), polygon_triangles(g)})
      for (const auto& triangle : list) triangles.insert(triangles.end(), triangle.begin(), triangle.end());
    for (const auto& segment : line_segments(g)) lines.insert(lines.end(), segment.begin(), segment.end());
    std::vector<int> place(std::size_t(g.point_count), triangles.empty() && lines.empty() ? 0 : -1);
    for (const auto* list : {&triangles, &lines})
      for (int point : *list) place[std::size_t(point)] = 0;
    for (int i = 0; i < g.point_count; ++i)
      if (place[std::size_t(i)] == 0) {
        place[std::size_t(i)] = int(points.size());
        points.push_back(i);
      }
    for (auto* list : {&triangles, &lines})
      for (int& point : *list) point = place[std::size_t(point)];
  }
  std::string bytes() const {
    std::string result;
    for (const auto* list : {&triangles, &lines})
      for (int point : *list) append_number(result, std::uint32_t(point));
    return result;
  }
};

/// The frames of one block while they are gathered.
class Block {
 public:
  Block(std::size_t points, std::size_t quantities) : points_(points), quantities_(quantities) {}

  void add(const Geometry& g, const Topology& topology, const std::vector<Quantity>& quantities) {
    for (int point : topology.points) {
      const Vec3 p = g.position(point);
      if (p.allFinite()) bounds_.extend(p);
      for (int k = 0; k < 3; ++k) positions_.push_back(float(p[k]));
    }
    for (std::size_t q = 0; q < quantities_; ++q)
      for (int point : topology.points) values_.push_back(quantities[q].values[std::size_t(point)]);
    ++frames_;
  }
  std::size_t frames() const { return frames_; }

  /// Says in `about` how to undo it.
  std::string pack(Json& about) const {
    const Vec3 low = bounds_.isEmpty() ? Vec3::Zero() : bounds_.min();
    const double extent = bounds_.isEmpty() ? 0.0 : bounds_.sizes().maxCoeff();
    const double step = extent > 0.0 ? extent / 65535.0 : 1.0;
    const Vec3 high = bounds_.isEmpty() ? low : bounds_.max();
    about = {{"frames", frames_},
             {"low", {low[0], low[1], low[2]}},
             {"high", {high[0], high[1], high[2]}},
             {"step", step},
             {"ranges", Json::array()}};
    std::string bytes;
    std::vector<std::uint16_t> grid(positions_.size());
    for (std::size_t i = 0; i < grid.size(); ++i)
      grid[i] = std::uint16_t(std::clamp(std::round((positions_[i] - low[int(i % 3)]) / step), 0.0, 65535.0));
    for (std::size_t f = 0; f < frames_; ++f)
      for (std::size_t k = 0; k < 3; ++k) append_residuals(grid, f, k, bytes);
    for (std::size_t q = 0; q < quantities_; ++q) append_quantity(q, about["ranges"], bytes);
    return base64(deflated(bytes));
  }

 private:
  /// Coordinate k of frame f, less what the two frames before (or the point before) let expect: all low
  /// bytes, then all high bytes.
  void append_residuals(const std::vector<std::uint16_t>& grid, std::size_t f, std::size_t k,
                        std::string& bytes) const {
    const auto at = [&](std::size_t frame, std::size_t i) {
      return int(grid[3 * (frame * points_ + i) + k]);
    };
    std::string high;
    for (std::size_t i = 0; i < points_; ++i) {
      const int expected = f > 1   ? 2 * at(f - 1, i) - at(f - 2, i)
                           : f > 0 ? at(f - 1, i)
                           : i > 0 ? at(f, i - 1)
                                   : 0;
      const auto left = std::int16_t(at(f, i) - expected);
      const auto folded = std::uint16_t((left << 1) ^ (left >> 15));  // small whatever the sign
      bytes += char(folded & 255);
      high += char(folded >> 8);
    }
    bytes += high;
  }

  void append_quantity(std::size_t q, Json& ranges, std::string& bytes) const {
    const auto at = [&](std::size_t f, std::size_t i) {
      return values_[(f * quantities_ + q) * points_ + i];
    };
    float low = 0.0f, high = 0.0f;
    for (std::size_t f = 0; f < frames_; ++f)
      for (std::size_t i = 0; i < points_; ++i)
        if (std::isfinite(at(f, i))) low = std::min(low, at(f, i)), high = std::max(high, at(f, i));
    ranges.push_back({low, high});
    const float step = high > low ? (high - low) / 255.0f : 1.0f;
    std::vector<int> before(points_, 0), now(points_);
    for (std::size_t f = 0; f < frames_; ++f) {
      for (std::size_t i = 0; i < points_; ++i) {
        const float v = at(f, i);
        now[i] = std::isfinite(v) ? int(std::lround((v - low) / step)) : 0;
        bytes += char(now[i] - (f > 0 ? before[i] : i > 0 ? now[i - 1] : 0));
      }
      before.swap(now);
    }
  }

  std::size_t points_, quantities_, frames_ = 0;
  Eigen::AlignedBox3d bounds_;
  std::vector<float> positions_, values_;
};

/// A collider as page/stage.js draws it: its shape with its sizes, or its triangles; and where it is, once or
/// for every frame.
Json about_collider(const Json& json, const ColliderSpec& spec, const std::vector<double>& times) {
  Json about = {{"name", spec.name}};
  for (const char* key :
       {"shape", "normal", "offset", "center", "radius", "inside", "size", "length", "tube"})
    if (json.contains(key)) about[key] = json[key];
  if (spec.mesh) {
    std::string points, triangles;
    for (const Vec3& p : spec.mesh->points)
      for (int k = 0; k < 3; ++k) {
        const auto value = float(p[k]);
        std::uint32_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        append_number(points, bits);
      }
    for (const auto& triangle : spec.mesh->triangles)
      for (int point : triangle) append_number(triangles, std::uint32_t(point));
    about["points"] = base64(deflated(points));
    about["triangles"] = base64(deflated(triangles));
  } else {
    const Json scale = json["transform"]["scale"];
    about["scale"] = scale.is_array() ? scale : Json{scale, scale, scale};
  }
  about["poses"] = Json::array();
  for (double time : times) {
    const Eigen::Isometry3d pose = spec.pose ? spec.pose(time) : Eigen::Isometry3d::Identity();
    const Eigen::Quaterniond turn(pose.linear());
    const Vec3 t = pose.translation();
    about["poses"].push_back({t[0], t[1], t[2], turn.x(), turn.y(), turn.z(), turn.w()});
    if (!json.contains("motion")) break;
  }
  return about;
}

/// `run` as its user names it, and the cache of it that is packed.
PageRun pack(const std::string& run, const CacheName& cache, const std::string& label, int every) {
  const auto frames = open_sequence(cache.path, nullptr, cache.fps);
  if (frames->count() == 0) throw Error(run + ": holds no frames");
  const RunScene scene(run);
  FrameQuantities look(scene.json, scene.colliders);

  PageRun result;
  Json& about = result.about;
  about = {{"label", label}, {"fps", frames->fps()}, {"start", scene.first_frame}};
  about["frames"] = Json::array();
  std::vector<double> times;
  const Geometry first = frames->read(0);
  const Topology topology(first);
  if (topology.points.empty()) throw Error(run + ": has no points to show");
  about["points"] = topology.points.size();
  about["triangles"] = topology.triangles.size() / 3;
  about["lines"] = topology.lines.size() / 2;
  result.blocks.push_back(base64(deflated(topology.bytes())));
  about["quantities"] = Json::array();
  about["blocks"] = Json::array();
  const std::size_t quantities = [&] {
    for (const Quantity& q : look.at(first, 0.0))
      about["quantities"].push_back({{"name", q.name}, {"unit", q.unit}});
    return about["quantities"].size();
  }();

  Block block(topology.points.size(), quantities);
  const auto close = [&] {
    Json packed;
    result.blocks.push_back(block.pack(packed));
    about["blocks"].push_back(std::move(packed));
    block = Block(topology.points.size(), quantities);
  };
  for (std::size_t i = 0; i < frames->count(); i += std::size_t(every)) {
    const int number = frames->frame(i);
    const Geometry frame = i ? frames->read(i) : first;
    if (frame.point_count != first.point_count || frame.primitive_count() != first.primitive_count())
      throw Error(run + ": frame " + std::to_string(number) +
                  " has other points or primitives than the first; the page shows what keeps its own");
    times.push_back((number - scene.first_frame) / frames->fps());
    about["frames"].push_back(number);
    const std::vector<Quantity> values = look.at(frame, times.back());
    if (values.size() != quantities)
      throw Error(run + ": frame " + std::to_string(number) + " has other attributes than the first");
    block.add(frame, topology, values);
    if (block.frames() == kBlockFrames) close();
  }
  if (block.frames()) close();

  about["colliders"] = Json::array();
  for (std::size_t i = 0; i < scene.colliders.size(); ++i)
    about["colliders"].push_back(about_collider(scene.json["colliders"][i], scene.colliders[i], times));
  about["scene"] = scene.json;
  about["report"] = Json::object();
  if (const fs::path report = fs::path(scene.folder) / "report.csv"; fs::is_regular_file(report))
    for (const auto& [name, values] : read_report(report.string())) about["report"][name] = values;
  return result;
}

}  // namespace

PageRun pack_run(const std::string& run, const std::string& label, int every) {
  return pack(run, find_cache(run), label, every);
}

std::optional<PageRun> pack_tets(const std::string& run, const std::string& label, int every,
                                 std::size_t place) {
  if (!fs::is_directory(fs::path(run) / "tets")) return std::nullopt;
  CacheName cache = find_cache(run);
  const fs::path skin(cache.path);
  cache.path = (skin.parent_path() / "tets" / skin.filename()).string();
  PageRun result = pack(run, cache, label, every);
  for (const char* told : {"scene", "report", "colliders"}) result.about.erase(told);  // the run has them
  result.about["tetsOf"] = place;
  return result;
}

}  // namespace verve
