#include "scene/ScenePins.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/Error.h"
#include "base/Text.h"
#include "mesh/MeshGeometry.h"
#include "parameters/Parameters.h"
#include "scene/SceneValues.h"

namespace verve {
namespace {

template <class Hold>
Hold read_set(const Json& json, const Body& body, int first, const std::string& place) {
  Hold set;
  set.points = chosen_points(json, body, first, place, false);
  if (json.contains("motion")) set.motion = read_motion(json["motion"], place + ".motion");
  set.from = json.value("from", set.from);
  set.until = json.value("until", set.until);
  if (!(set.from < set.until)) throw Error("'" + place + ".until' must be later than 'from'");
  return set;
}

/// The pins, targets and forces that the file's points ask for, by pintoanimation, stopped, targetP,
/// targetweight and force; those that a cache of the points moves go with it.
void add_attribute_pins(const BodyShape& shape, const Body& body, const Transform& transform,
                        const Vec3& scale, int first, Scene& scene) {
  const PointAttributes& attributes = shape.attributes;
  const PointFrames& animation = shape.animation;
  // Points without a place of their own are held together where they start; the others one by one.
  const auto goal = [&](int i, PinSet& set) {
    set.points = {first + i};
    const auto key = [&](double time, const Vec3& place) {
      Transform way;
      way.translate = transform.apply(place.cwiseProduct(scale)) - body.x[i];
      return Motion::Key{time, way};
    };
    std::vector<Motion::Key> keys;
    for (std::size_t f = 0; f < animation.number.size(); ++f)
      keys.push_back(key(scene.frame_time(animation.number[f]), animation.points[f][std::size_t(i)]));
    if (keys.empty() && !attributes.targetP.empty()) keys = {key(0.0, attributes.targetP[std::size_t(i)])};
    if (!keys.empty()) set.motion = Motion(std::move(keys));
  };
  PinSet held;
  for (int i : attributes.stopped) held.points.push_back(first + i);
  // Frames that say themselves which points they hold.
  for (int i = 0; !animation.pinned.empty() && i < int(body.rest.size()); ++i)
    for (std::size_t f = 0, count = animation.number.size(); f < count; ++f) {
      const auto held_in = [&](std::size_t g) { return animation.pinned[g][std::size_t(i)] != 0.0; };
      if (!held_in(f)) continue;
      PinSet set;
      goal(i, set);
      constexpr double rounding = 1e-6;  // s, by which a step may miss the time of a frame
      if (f > 0) set.from = scene.frame_time(animation.number[f]) - rounding;
      while (f + 1 < count && held_in(f + 1)) ++f;
      if (f + 1 < count) set.until = scene.frame_time(animation.number[f]) + rounding;
      scene.pins.push_back(std::move(set));
    }
  for (int i : attributes.pinned) {
    if (!animation.pinned.empty()) break;
    PinSet set;
    goal(i, set);
    if (set.motion.still())
      held.points.push_back(first + i);
    else
      scene.pins.push_back(std::move(set));
  }
  std::sort(held.points.begin(), held.points.end());
  held.points.erase(std::unique(held.points.begin(), held.points.end()), held.points.end());
  if (!held.points.empty()) scene.pins.push_back(std::move(held));
  const double stiffness = std::stod(find_parameter("bodies[].targets[].stiffness")->fallback);
  for (std::size_t i = 0; i < attributes.targetweight.size(); ++i) {
    if (!(attributes.targetweight[i] > 0.0)) continue;
    TargetSet set;
    goal(int(i), set);
    set.stiffness = attributes.targetweight[i] * stiffness;
    scene.targets.push_back(std::move(set));
  }
  for (std::size_t i = 0; i < attributes.force.size(); ++i)
    if (!attributes.force[i].isZero(0.0)) scene.pushes.push_back({{first + int(i)}, attributes.force[i]});
}

}  // namespace

std::vector<int> chosen_points(const Json& json, const Body& body, int first, const std::string& place,
                               bool all) {
  std::vector<int> points;
  if (json.contains("box") && json.contains("points"))
    throw Error("'" + place + "' gives both box and points; give one");
  if (json.contains("points")) {
    for (const Json& entry : json["points"]) {
      const double i = entry;
      if (i != std::floor(i) || i < 0 || i >= double(body.rest.size()))
        throw Error("'" + place + ".points' names point " + entry.dump() + ", but body '" + body.name +
                    "' has points 0 to " + std::to_string(body.rest.size() - 1));
      points.push_back(first + int(i));
    }
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
  } else if (json.contains("box")) {
    const Json& box = json["box"];
    const auto corner = [&](std::size_t i) {
      if (!box.is_array() || box.size() != 2 || !box[i].is_array() || box[i].size() != 3 ||
          !std::all_of(box[i].begin(), box[i].end(), [](const Json& c) { return c.is_number(); }))
        throw Error("'" + place + ".box' must be [[x, y, z], [x, y, z]], not " + box.dump());
      return vec3(box[i]);
    };
    // A hair wider than given, so that a face of the body that lies in a face of the box is inside.
    const Eigen::AlignedBox3d given(corner(0), corner(1));
    if (given.isEmpty())
      throw Error("'" + place + ".box' has its corners the wrong way round; give [[min], [max]]");
    const double slack = 1e-9 * (1.0 + bounds(body.rest).sizes().maxCoeff());
    const Eigen::AlignedBox3d wide(given.min().array() - slack, given.max().array() + slack);
    for (std::size_t i = 0; i < body.rest.size(); ++i)
      if (wide.contains(body.rest[i])) points.push_back(first + int(i));
    if (points.empty()) {
      const Eigen::AlignedBox3d body_box = bounds(body.rest);
      const auto shown = [](const Vec3& p) {
        return "[" + shortest(p[0]) + ", " + shortest(p[1]) + ", " + shortest(p[2]) + "]";
      };
      throw Error("'" + place + ".box' holds no point of body '" + body.name +
                  "'; its rest shape reaches from " + shown(body_box.min()) + " to " + shown(body_box.max()));
    }
  } else if (all) {
    points.resize(body.rest.size());
    std::iota(points.begin(), points.end(), first);
  } else {
    throw Error("'" + place + "' needs a box or points");
  }
  if (points.empty()) throw Error("'" + place + "' chooses no points");
  return points;
}

void add_pins(Json& json, const std::string& place, const BodyShape& shape, const Body& body,
              const Transform& transform, Scene& scene) {
  const int first = scene.points();
  const Vec3 scale = read_transform(json["transform"], place + ".transform").scale;
  add_attribute_pins(shape, body, transform, scale, first, scene);
  const auto each = [&](const char* list, const auto& read) {
    for (std::size_t i = 0; i < json[list].size(); ++i)
      read(json[list][i], place + "." + list + "[" + std::to_string(i) + "]");
  };
  each("pins", [&](const Json& j, const std::string& at) {
    scene.pins.push_back(read_set<PinSet>(j, body, first, at));
  });
  each("targets", [&](const Json& j, const std::string& at) {
    TargetSet set = read_set<TargetSet>(j, body, first, at);
    set.stiffness = j["stiffness"];
    set.damping = j["damping"];
    scene.targets.push_back(set);
  });
  each("forces", [&](const Json& j, const std::string& at) {
    scene.pushes.push_back({chosen_points(j, body, first, at, true), vec3(j["force"])});
  });
}

}  // namespace verve
