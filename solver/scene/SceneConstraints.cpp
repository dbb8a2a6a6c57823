#include "scene/SceneConstraints.h"

#include <cmath>

#include "base/Error.h"
#include "base/Text.h"
#include "mesh/SkinBinding.h"
#include "mesh/TriangleTree.h"
#include "scene/ScenePins.h"
#include "scene/SceneValues.h"

namespace verve {

NamedBody find_body(const Json& json, const Scene& scene, const std::string& place) {
  std::vector<std::string> names;
  for (const Body& body : scene.bodies) names.push_back(body.name);
  std::size_t index = 0;
  if (json.is_number_integer() && json.get<long>() >= 0) {
    index = json.get<std::size_t>();
    if (index >= names.size())
      throw Error("'" + place + "' is " + json.dump() + ", but bodies run from 0 to " +
                  std::to_string(names.size() - 1));
  } else if (json.is_string()) {
    while (index < names.size() && names[index] != json) ++index;
    if (index == names.size())
      throw Error("'" + place + "': there is no body " + json.dump() + suggestion(json, names));
  } else {
    throw Error("'" + place + "' must be the name or the number of a body, not " + json.dump());
  }
  int first = 0;
  for (std::size_t i = 0; i < index; ++i) first += int(scene.bodies[i].rest.size());
  return {&scene.bodies[index], first};
}

namespace {

using Kind = Constraint::Kind;

class Reader {
 public:
  Reader(const Json& json, Scene& scene, std::string place)
      : json_(json), scene_(scene), place_(std::move(place)) {
    body_ = find_body(json["body"], scene, place_ + ".body");
    points_ = chosen_points(json, *body_.body, body_.first, place_, false);
    if (json.contains("to")) to_ = find_body(json["to"]["body"], scene, place_ + ".to.body");
  }

  void read() {
    const std::string type = json_["type"];
    if (type == "distance") return distance();
    if (type == "weld") return weld();
    if (type == "rigid") {
      allow({}, type);
      return add({Kind::rigid, points_, {}, Vec3::Zero(), Vec3::UnitY(), 0.0});
    }
    allow({"place", "direction"}, type);
    for (int i : points_)
      add({type == "plane" ? Kind::plane : Kind::line, {i}, {}, place_or(at(i)), direction(), 0.0});
  }

 private:
  Vec3 at(int i) const {
    for (const Body& body : scene_.bodies) {
      if (i < int(body.x.size())) return body.x[i];
      i -= int(body.x.size());
    }
    return Vec3::Zero();
  }
  Vec3 place_or(const Vec3& fallback) const {
    return json_.contains("place") ? vec3(json_["place"]) : fallback;
  }
  Vec3 direction() const { return json_.contains("direction") ? vec3(json_["direction"]) : Vec3::UnitY(); }

  /// Throws for keys that this type does not have.
  void allow(const std::vector<std::string>& keys, const std::string& type) const {
    for (const char* key : {"to", "length", "place", "direction"})
      if (json_.contains(key) && std::find(keys.begin(), keys.end(), key) == keys.end())
        throw Error("'" + place_ + "." + key + "' does not belong to the type '" + type + "'" +
                    suggestion(key, keys));
  }

  void add(Constraint constraint) { scene_.constraints.push_back(std::move(constraint)); }

  /// Between two points of a body, between points of two bodies one by one, or from points to a place.
  void distance() {
    allow({"to", "length", "place"}, "distance");
    if (json_.contains("to") && json_.contains("place"))
      throw Error("'" + place_ + "' gives both to and place; give one");
    const auto length = [&](const Vec3& from, const Vec3& to) {
      return json_.contains("length") ? json_["length"].get<double>() : (from - to).norm();
    };
    if (json_.contains("place")) {
      const Vec3 place = vec3(json_["place"]);
      for (int i : points_) add({Kind::distance_place, {i}, {}, place, Vec3::UnitY(), length(at(i), place)});
      return;
    }
    std::vector<int> from = points_, to;
    if (json_.contains("to")) {
      to = chosen_points(json_["to"], *to_.body, to_.first, place_ + ".to", false);
    } else if (from.size() == 2) {
      to = {from[1]};
      from.pop_back();
    }
    if (from.size() != to.size())
      throw Error("'" + place_ + "' is a distance of " + std::to_string(from.size()) + " points to " +
                  std::to_string(to.size()) +
                  "; give two points, as many points in 'to', or a place in the world");
    for (std::size_t i = 0; i < from.size(); ++i)
      add({Kind::distance,
           {from[i], to[i]},
           {},
           Vec3::Zero(),
           Vec3::UnitY(),
           length(at(from[i]), at(to[i]))});
  }

  /// To given points of the other body, or to the place where each point is in it.
  void weld() {
    allow({"to"}, "weld");
    if (!json_.contains("to"))
      throw Error("'" + place_ + "' is a weld and needs 'to', the body that the points are welded to");
    const Json& to = json_["to"];
    if (to.contains("points") || to.contains("box")) {
      const std::vector<int> others = chosen_points(to, *to_.body, to_.first, place_ + ".to", false);
      std::vector<double> weights;
      if (to.contains("weights")) weights = to["weights"].get<std::vector<double>>();
      if (weights.empty() && points_.size() == others.size()) {
        for (std::size_t i = 0; i < points_.size(); ++i)
          add({Kind::weld, {points_[i], others[i]}, {}, Vec3::Zero(), Vec3::UnitY(), 0.0});
        return;
      }
      if (points_.size() != 1)
        throw Error("'" + place_ + "' welds " + std::to_string(points_.size()) + " points to " +
                    std::to_string(others.size()) + "; give as many, or one point with weights");
      Constraint c{Kind::weld, points_, weights, Vec3::Zero(), Vec3::UnitY(), 0.0};
      c.points.insert(c.points.end(), others.begin(), others.end());
      return add(std::move(c));
    }
    const Body& other = *to_.body;
    if (&other == body_.body) throw Error("'" + place_ + "' welds a body to itself; name the points in 'to'");
    if (other.tets.empty()) return weld_to_sheet(other);
    TriangleMesh points;
    for (int i : points_) points.points.push_back(at(i));
    const SkinBinding binding(points, {other.x, other.tets});
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const SkinBinding::Binding& b = binding.bindings()[i];
      Constraint c{Kind::weld, {points_[i]}, {}, Vec3::Zero(), Vec3::UnitY(), 0.0};
      for (int k = 0; k < 4; ++k) {
        c.points.push_back(to_.first + b.corners[k]);
        c.weights.push_back(b.weights[k]);
      }
      add(std::move(c));
    }
  }

  void weld_to_sheet(const Body& sheet) {
    const TriangleTree tree({sheet.x, sheet.surface});
    for (int i : points_) {
      const TriangleTree::Nearest nearest = tree.nearest(at(i));
      const auto& corners = sheet.surface[nearest.triangle];
      const Vec3 weights =
          closest_weights(at(i), sheet.x[corners[0]], sheet.x[corners[1]], sheet.x[corners[2]]);
      Constraint c{Kind::weld, {i}, {}, Vec3::Zero(), Vec3::UnitY(), 0.0};
      for (int k = 0; k < 3; ++k) {
        c.points.push_back(to_.first + corners[k]);
        c.weights.push_back(weights[k]);
      }
      add(std::move(c));
    }
  }

  const Json& json_;
  Scene& scene_;
  std::string place_;
  NamedBody body_{}, to_{};
  std::vector<int> points_;
};

}  // namespace

void read_constraints(const Json& json, Scene& scene) {
  const Json& list = json["constraints"];
  for (std::size_t i = 0; i < list.size(); ++i)
    Reader(list[i], scene, "constraints[" + std::to_string(i) + "]").read();
}

}  // namespace verve
