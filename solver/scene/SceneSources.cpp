#include "scene/SceneSources.h"

#include <algorithm>
#include <filesystem>

#include "base/Error.h"
#include "io/GeometryMesh.h"
#include "io/SequenceFile.h"
#include "simulation/PointAttributes.h"

namespace verve {

const FrameSource* SceneSources::find(const std::string& file) const {
  const auto found = given.find(file);
  return found == given.end() ? nullptr : found->second.get();
}

std::string SceneSources::path(const std::string& file) const {
  return find(file) ? file : (std::filesystem::path(folder) / file).string();
}

Geometry SceneSources::load(const std::string& file, std::vector<std::string>& warnings) const {
  const FrameSource* source = find(file);
  Geometry geometry = source ? source->read(0) : load_geometry(path(file), warnings);
  add_to(*read, geometry);
  return geometry;
}

std::shared_ptr<const FrameSource> SceneSources::open(const std::string& file) const {
  const auto found = given.find(file);
  return found == given.end() ? open_sequence(path(file), nullptr) : found->second;
}

void PointFrames::at(double frame, std::vector<Vec3>& out) const {
  const auto after = std::upper_bound(number.begin(), number.end(), frame);
  if (after == number.begin() || after == number.end()) {
    out = after == number.end() ? points.back() : points.front();
    return;
  }
  const std::size_t i = std::size_t(after - number.begin());
  const double share = (frame - number[i - 1]) / (number[i] - number[i - 1]);
  out.resize(points[i].size());
  for (std::size_t p = 0; p < out.size(); ++p)
    out[p] = (1.0 - share) * points[i - 1][p] + share * points[i][p];
}

const std::vector<PointFrames::Map>& PointFrames::maps() {
  static const std::vector<Map> all = {{"stiffness", &PointFrames::stiffness},
                                       {"restscale", &PointFrames::rest_scale},
                                       {"dampingratio", &PointFrames::damping},
                                       {"friction", &PointFrames::friction},
                                       {"pintoanimation", &PointFrames::pinned}};
  return all;
}

PointFrames read_point_frames(const FrameSource& source, const std::string& name, std::size_t points) {
  PointFrames frames;
  if (source.count() == 0) throw Error(name + ": holds no frames");
  for (std::size_t i = 0; i < source.count(); ++i) {
    const std::string place = name + ": frame " + std::to_string(source.frame(i));
    const Geometry geometry = source.read(i);
    const Vector x = geometry.positions();
    if (std::size_t(x.size()) != 3 * points)
      throw Error(place + " has " + std::to_string(x.size() / 3) + " points, but what it moves has " +
                  std::to_string(points));
    if (i > 0 && source.frame(i) <= frames.number.back())
      throw Error(place + " does not come after the one before it");
    try {
      const auto keep = [&](const char* attribute, auto values, auto& list) {
        if (i > 0 && values.empty() != list.empty())
          throw Error(values.empty()
                          ? std::string("has no attribute '") + attribute + "', as the frames before it have"
                          : std::string("has an attribute '") + attribute +
                                "', which the frames before it have not");
        if (!values.empty()) list.push_back(std::move(values));
      };
      for (const PointFrames::Map& map : PointFrames::maps())
        keep(map.name, point_multipliers(geometry, AttributeDoor::body, map.name), frames.*map.frames);
      std::vector<Vec3> rest;
      const std::vector<double> numbers = point_numbers(geometry, "rest", 3);
      for (std::size_t k = 0; k < numbers.size(); k += 3)
        rest.emplace_back(numbers[k], numbers[k + 1], numbers[k + 2]);
      keep("rest", std::move(rest), frames.rest);
    } catch (const Error& error) {
      throw Error(place + ": " + error.what());
    }
    frames.number.push_back(source.frame(i));
    frames.points.emplace_back(points);
    for (std::size_t p = 0; p < points; ++p) {
      frames.points.back()[p] = point(x, int(p));
      if (!frames.points.back()[p].allFinite())
        throw Error(place + ": point " + std::to_string(p) + " has a position that is not a number");
    }
  }
  return frames;
}

}  // namespace verve
