#include "scene/SceneContact.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "base/Error.h"
#include "base/Text.h"
#include "scene/AnimatedMesh.h"
#include "scene/SceneBodies.h"

namespace verve {
namespace {

const char* const sizes[] = {"normal", "offset", "center", "radius", "inside", "size", "length", "tube"};

/// Throws for sizes that the shape does not have, and fills in those that were left out.
void settle(Json& json, const std::string& place, const std::string& what,
            const std::vector<std::pair<std::string, Json>>& fallbacks) {
  std::vector<std::string> known;
  for (const auto& [key, value] : fallbacks) known.push_back(key);
  for (const char* key : sizes)
    if (json.contains(key) && std::find(known.begin(), known.end(), key) == known.end())
      throw Error("'" + place + "." + key + "' does not belong to " + what + suggestion(key, known));
  for (const auto& [key, value] : fallbacks)
    if (!json.contains(key)) json[key] = value;
}

double even_scale(const Vec3& scale, const std::string& place) {
  if ((scale.array() != scale[0]).any())
    throw Error("'" + place + ".transform.scale' must be the same along every axis for this shape");
  return scale[0];
}

std::shared_ptr<Shape> make_shape(Json& json, const std::string& place, const Vec3& scale) {
  const std::string shape = json["shape"];
  if (shape == "plane") {
    settle(json, place, "a plane", {{"normal", {0, 1, 0}}, {"offset", 0.0}});
    if (vec3(json["normal"]).norm() == 0.0) throw Error("'" + place + ".normal' must not be zero");
    return plane_shape(vec3(json["normal"]), json["offset"]);
  }
  if (shape == "sphere") {
    settle(json, place, "a sphere", {{"center", {0, 0, 0}}, {"radius", 0.5}, {"inside", false}});
    const double s = even_scale(scale, place);
    return sphere_shape(s * vec3(json["center"]), s * json["radius"].get<double>(), json["inside"]);
  }
  if (shape == "box") {
    settle(json, place, "a box", {{"size", {1, 1, 1}}});
    const Vec3 size = vec3(json["size"]).cwiseProduct(scale);
    if (!(size.minCoeff() > 0.0)) throw Error("'" + place + ".size' must be above 0 along every axis");
    return box_shape(size);
  }
  const double s = even_scale(scale, place);
  if (shape == "capsule") {
    settle(json, place, "a capsule", {{"length", 1.0}, {"radius", 0.25}});
    const Vec3 half(0, 0.5 * s * json["length"].get<double>(), 0);
    return capsule_shape(-half, half, s * json["radius"].get<double>());
  }
  settle(json, place, "a torus", {{"radius", 0.5}, {"tube", 0.15}});
  return torus_shape(s * json["radius"].get<double>(), s * json["tube"].get<double>());
}

Eigen::Isometry3d rigid(const Transform& t) {
  Transform turned = t;
  turned.scale.setOnes();
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = turned.linear();
  pose.translation() = t.translate;
  return pose;
}

ColliderSpec read_collider(Json& json, std::size_t index, const SceneSources& sources, const Scene& scene,
                           CollisionKind& kind, Fingerprint& files) {
  const std::string place = "colliders[" + std::to_string(index) + "]";
  const Transform placed = read_transform(json["transform"], place + ".transform");
  if (!(placed.scale.minCoeff() > 0.0)) throw Error("'" + place + ".transform.scale' must be above 0");
  ColliderSpec spec;
  std::vector<double> dynamic;
  if (!json.contains("name")) json["name"] = "collider" + std::to_string(index);
  spec.name = json["name"];
  if (json.contains("shape") == json.contains("file"))
    throw Error("'" + place + "' needs either a 'shape' or a 'file'");
  if (json.contains("file")) {
    settle(json, place, "a file", {});
    const std::string file = json["file"];
    const FrameSource* given = sources.find(file);
    AnimatedMesh loaded = given ? animated_mesh(*given, file, placed.scale)
                                : load_animated_mesh(sources.path(file), placed.scale);
    if (json.contains("animation")) {
      const std::string points = json["animation"];
      animate(loaded, *sources.open(points), sources.path(points), placed.scale);
    }
    spec.mesh = loaded.mesh;
    spec.point_stiffness = std::move(loaded.attributes.stiffness);
    spec.point_friction = std::move(loaded.attributes.friction);
    dynamic = loaded.attributes.dynamic_friction;
    if (loaded.collision.kinds.size() > 1)
      throw Error("'" + place + "': the points of '" + file +
                  "' are of several collision groups; all points of a collider must be of one");
    if (!loaded.collision.kinds.empty()) kind = loaded.collision.kinds[0];
    files.add(&loaded.fingerprint, sizeof loaded.fingerprint);
    if (loaded.at)
      spec.deform = [at = std::move(loaded.at), first = scene.first_frame, fps = scene.fps](
                        double time, std::vector<Vec3>& points) { at(first + time * fps, points); };
  } else {
    if (json.contains("animation"))
      throw Error("'" + place + ".animation' moves the points of a file; a shape has a motion");
    spec.shape = make_shape(json, place, placed.scale);
  }
  const Eigen::Isometry3d still = rigid(placed);
  if (json.contains("motion")) {
    const Motion motion = read_motion(json["motion"], place + ".motion");
    for (const Motion::Key& key : motion.keys())
      if (key.transform.scale != Vec3::Ones())
        throw Error("'" + place + ".motion' scales the collider; colliders move without changing their size");
    spec.pose = [still, motion](double time) {
      const Eigen::Isometry3d moved = rigid(motion.at(time));
      Eigen::Isometry3d pose = still;
      pose.linear() = moved.linear() * still.linear();
      pose.translation() = still.translation() + moved.translation();
      return pose;
    };
  } else {
    spec.pose = [still](double) { return still; };
  }
  spec.stiffness = json["stiffness"];
  spec.thickness = json["thickness"];
  spec.static_friction = json["friction"];
  if (!json.contains("dynamic_friction")) json["dynamic_friction"] = json["friction"];
  spec.dynamic_friction = json["dynamic_friction"];
  if (spec.dynamic_friction > spec.static_friction)
    throw Error("'" + place + ".dynamic_friction' must not be above friction");
  if (!dynamic.empty())
    spec.dynamic_friction *= std::accumulate(dynamic.begin(), dynamic.end(), 0.0) / double(dynamic.size());
  return spec;
}

}  // namespace

void read_colliders(Json& json, const SceneSources& sources, Scene& scene, Fingerprint& files) {
  for (std::size_t i = 0; i < json["colliders"].size(); ++i) {
    CollisionKind kind;
    scene.colliders.push_back(read_collider(json["colliders"][i], i, sources, scene, kind, files));
    if (kind == CollisionKind()) continue;
    scene.collider_kinds.resize(scene.colliders.size());
    scene.collider_kinds.back() = kind;
  }
}

}  // namespace verve
