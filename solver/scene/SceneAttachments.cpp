#include "scene/SceneAttachments.h"

#include <algorithm>
#include <cmath>

#include "base/Error.h"
#include "base/Text.h"
#include "mesh/MeshGeometry.h"
#include "mesh/TriangleTree.h"
#include "scene/SceneConstraints.h"
#include "scene/ScenePins.h"
#include "scene/SceneValues.h"
#include "term/Attachments.h"

namespace verve {
namespace {

class Reader {
 public:
  Reader(const Json& json, const Scene& scene, std::string place, std::vector<Attachment>& out)
      : json_(json), scene_(scene), place_(std::move(place)), out_(out) {
    for (const Body& body : scene.bodies) x_.insert(x_.end(), body.x.begin(), body.x.end());
    body_ = find_body(json.contains("body") ? json["body"] : Json(0), scene, place_ + ".body");
    points_ = chosen(json, body_, place_);
    spring_.slides = json["slide"];
    spring_.length = json.value("length", spring_.length);
    spring_.stiffness = json["stiffness"];
    spring_.damping = json["damping"];
    spring_.breaks = json.value("break", spring_.breaks);
    spring_.from = json.value("from", spring_.from);
    spring_.until = json.value("until", spring_.until);
    if (!(spring_.from < spring_.until)) throw Error("'" + place_ + ".until' must be later than 'from'");
  }

  void read() {
    const std::size_t first = out_.size();
    read_springs();
    // Points whose release is painted let go then, if not before.
    const std::vector<double>& release = body_.body->release;
    for (std::size_t k = first; k < out_.size() && !release.empty(); ++k)
      if (const double at = release[std::size_t(out_[k].point - body_.first)]; at >= 0.0)
        out_[k].until = std::min(out_[k].until, at);
  }

 private:
  void read_springs() {
    const Json to = target();
    const bool collider = to.contains("collider");
    if (to.contains("body") + to.contains("place") + collider > 1)
      throw Error("'" + place_ + ".to' gives more than one of body, collider and place; give one");
    for (const auto& [key, value] : to.items()) {
      static const std::vector<std::string> known = {"body", "collider", "place", "points", "box"};
      if (std::find(known.begin(), known.end(), key) == known.end())
        throw Error("unknown key '" + place_ + ".to." + key + "'" + suggestion(key, known));
      if ((key == "points" || key == "box") && !to.contains("body"))
        throw Error("'" + place_ + ".to." + key + "' chooses points of a body; name it in 'to.body'");
    }
    if (spring_.slides && !collider)
      throw Error("'" + place_ +
                  ".slide' goes along the surface of a collider; attach to one, or leave it out");
    if (to.contains("body")) return to_body(to);
    if (collider) return to_collider(to["collider"]);
    for (int i : points_) {
      Attachment a = spring_;
      a.point = i;
      a.place = to.contains("place") ? place_in(to["place"]) : x_[std::size_t(i)];
      out_.push_back(a);
    }
  }

  /// `to` in its long form: a name is that of a body or a collider, three numbers are a place.
  Json target() const {
    if (!json_.contains("to")) return Json::object();
    const Json& to = json_["to"];
    if (to.is_object()) return to;
    if (to.is_array()) return {{"place", to}};
    if (to.is_string()) {
      std::vector<std::string> names;
      for (const Body& body : scene_.bodies) names.push_back(body.name);
      const bool body = std::find(names.begin(), names.end(), to) != names.end();
      for (const ColliderSpec& c : scene_.colliders) names.push_back(c.name);
      if (std::find(names.begin(), names.end(), to) == names.end())
        throw Error("'" + place_ + ".to': there is no body and no collider " + to.dump() +
                    suggestion(to, names));
      return body ? Json{{"body", to}} : Json{{"collider", to}};
    }
    if (to.is_number_integer()) return {{"body", to}};
    throw Error("'" + place_ +
                ".to' must be the name of a body or collider, a place [x, y, z], or an object, not " +
                to.dump());
  }

  Vec3 place_in(const Json& json) const {
    if (!json.is_array() || json.size() != 3 ||
        !std::all_of(json.begin(), json.end(), [](const Json& c) { return c.is_number(); }))
      throw Error("'" + place_ + ".to' must be a place of 3 numbers, not " + json.dump());
    return vec3(json);
  }

  /// In the order of the list, as seams are sewn; those of a box by number.
  std::vector<int> chosen(const Json& json, const NamedBody& body, const std::string& place) const {
    std::vector<int> points = chosen_points(json, *body.body, body.first, place, false);
    if (!json.contains("points")) return points;
    points.clear();
    for (const Json& i : json["points"]) points.push_back(body.first + int(i.get<double>()));
    return points;
  }

  void add(int from, const std::array<int, 3>& to, const Vec3& weights) {
    for (int k = 0; k < 3; ++k)
      if (to[std::size_t(k)] == from && weights[k] != 0.0)
        throw Error("'" + place_ + "' attaches point " + std::to_string(from - body_.first) +
                    " to itself; choose other points in 'to'");
    Attachment a = spring_;
    a.point = from;
    a.to = to;
    a.weights = weights;
    out_.push_back(a);
  }

  void to_body(const Json& to) {
    const NamedBody other = find_body(to["body"], scene_, place_ + ".to.body");
    if (to.contains("points") || to.contains("box")) {
      if (to.contains("points") && !to["points"].is_array())
        throw Error("'" + place_ + ".to.points' must be a list of numbers, not " + to["points"].dump());
      const std::vector<int> ends = chosen(to, other, place_ + ".to");
      const bool one_by_one =
          ends.size() == points_.size() && json_.contains("points") && to.contains("points");
      for (std::size_t i = 0; i < points_.size(); ++i) {
        int end = one_by_one ? ends[i] : ends[0];
        if (!one_by_one)
          for (int e : ends)
            if (distance(e, points_[i]) < distance(end, points_[i])) end = e;
        add(points_[i], {end, -1, -1}, Vec3::UnitX());
      }
      return;
    }
    if (other.body == body_.body)
      throw Error("'" + place_ + "' attaches a body to itself; name the points in 'to'");
    if (other.body->surface.empty())
      throw Error("'" + place_ + "' attaches to the surface of body '" + other.body->name +
                  "', which has none; name its points in 'to'");
    const TriangleTree tree({other.body->x, other.body->surface});
    for (int i : points_) {
      const Vec3& p = x_[std::size_t(i)];
      std::array<int, 3> corners = other.body->surface[std::size_t(tree.nearest(p).triangle)];
      for (int& c : corners) c += other.first;
      add(i, corners,
          closest_weights(p, x_[std::size_t(corners[0])], x_[std::size_t(corners[1])],
                          x_[std::size_t(corners[2])]));
    }
  }

  void to_collider(const Json& name) {
    std::vector<std::string> names;
    for (const ColliderSpec& c : scene_.colliders) names.push_back(c.name);
    std::size_t number = names.size();
    if (name.is_number_integer() && name.get<long>() >= 0) number = name.get<std::size_t>();
    if (name.is_string()) number = std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
    if (number >= names.size())
      throw Error("'" + place_ + ".to': there is no collider " + name.dump() +
                  (name.is_string() ? suggestion(name, names) : ""));
    for (int i : points_) {
      Attachment a = spring_;
      a.point = i;
      a.collider = int(number);
      out_.push_back(a);
    }
  }

  double distance(int a, int b) const { return (x_[std::size_t(a)] - x_[std::size_t(b)]).squaredNorm(); }

  const Json& json_;
  const Scene& scene_;
  std::string place_;
  std::vector<Attachment>& out_;
  std::vector<Vec3> x_;
  NamedBody body_{};
  std::vector<int> points_;
  Attachment spring_;
};

}  // namespace

void read_attachments(const Json& json, Scene& scene) {
  const Json& list = json["attachments"];
  if (list.empty()) return;
  auto made = std::make_shared<AttachmentList>();
  for (std::size_t i = 0; i < list.size(); ++i)
    Reader(list[i], scene, "attachments[" + std::to_string(i) + "]", made->springs).read();
  scene.attachments = std::move(made);
}

}  // namespace verve
