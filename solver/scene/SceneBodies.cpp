#include "scene/SceneBodies.h"

#include <algorithm>
#include <cmath>

#include "base/Error.h"
#include "base/Text.h"
#include "mesh/MeshGeometry.h"
#include "scene/SceneMaterials.h"
#include "scene/ScenePainted.h"
#include "scene/ScenePins.h"
#include "scene/SceneShapes.h"
#include "simulation/Bodies.h"
#include "term/Pressure.h"

namespace verve {
namespace {

PressureSettings read_pressure(Json& json, const std::string& place) {
  PressureSettings p;
  if (json.contains("value") == json.contains("gas"))
    throw Error("'" + place + "' needs either a value in Pa or a gas (isothermal or adiabatic)");
  if (json.contains("value")) {
    for (const char* key : {"amount", "outside"})
      if (json.contains(key))
        throw Error("'" + place + "." + key + "' belongs to a gas; a value is held as it is");
    p.value = read_keyed(json["value"], place + ".value");
    return p;
  }
  p.kind = json["gas"] == "adiabatic" ? GasLaw::Kind::adiabatic : GasLaw::Kind::isothermal;
  if (!json.contains("amount")) json["amount"] = 1.0;
  if (!json.contains("outside")) json["outside"] = p.outside;
  p.amount = read_keyed(json["amount"], place + ".amount");
  for (const KeyedNumber::Key& key : p.amount.keys)
    if (!(key.value > 0.0))
      throw Error("'" + place + ".amount' is " + shortest(key.value) + "; it must be above 0");
  p.outside = json["outside"];
  return p;
}

/// Values over time: {"keys": [[time, value], ...]}, above 0.
Course read_course(const Json& body, const char* key, const std::string& place) {
  Course course;
  if (!body.contains(key)) return course;
  const Json& json = body[key];
  const std::string at = place + "." + key;
  if (!json.is_object() || json.size() != 1 || !json.contains("keys") || !json["keys"].is_array() ||
      json["keys"].empty())
    throw Error("'" + at + "' must be {\"keys\": [[time, value], ...]}, not " + json.dump());
  for (const Json& entry : json["keys"]) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number() || !entry[1].is_number())
      throw Error("'" + at + ".keys' must be pairs [time, value], not " + entry.dump());
    const double time = entry[0], value = entry[1];
    if (!(value > 0.0) || !std::isfinite(value))
      throw Error("'" + at + ".keys' has the value " + entry[1].dump() + "; all must be above 0");
    if (!course.keys.empty() && !(time > course.keys.back()[0]))
      throw Error("'" + at + ".keys' has a key at " + entry[0].dump() +
                  " s that is not later than the one before it");
    course.keys.push_back({time, value});
  }
  return course;
}

}  // namespace

void add_body(Json& json, std::size_t index, const SceneSources& sources, Scene& scene,
              std::vector<std::string>& warnings) {
  const std::string place = "bodies[" + std::to_string(index) + "]";
  if (!json.contains("name")) json["name"] = "body" + std::to_string(index);
  const std::string name = json["name"];
  const std::string model = json["material"].value("model", std::string());
  BodyShape shape = make_shape(json["geometry"], model, place + ".geometry", sources, warnings);
  if (json["element"] == "quadratic") make_quadratic(place, shape);
  Body body = make_body(json, name, place, shape, warnings);
  const std::string lost = without_stiffness(body);
  if (!lost.empty()) warnings.push_back(lost);
  deform(body, json["stretch"], json["twist"]);
  Transform transform = read_transform(json["transform"], place + ".transform");
  transform.scale.setOnes();  // make_body has applied it, before the masses were known
  place_body(body, transform);
  for (Vec3& v : body.v) v = transform.linear() * v;
  set_in_motion(body, vec3(json["velocity"]), vec3(json["angular_velocity"]));
  body.settle = json["settle"];
  if (body.settle &&
      std::any_of(body.v.begin(), body.v.end(), [](const Vec3& v) { return v != Vec3::Zero(); }))
    throw Error("'" + place + ".settle' begins at rest, but the body has a velocity; leave one of them out");

  body.sag_free = json["sag_free"];
  if (body.sag_free && body.settle)
    throw Error("'" + place +
                "' gives both settle and sag_free; one looks for the shape under load, the other keeps " +
                "the shape that it has; give one");
  if (body.sag_free &&
      std::any_of(body.v.begin(), body.v.end(), [](const Vec3& v) { return v != Vec3::Zero(); }))
    throw Error("'" + place +
                ".sag_free' begins at rest, but the body has a velocity; leave one of them out");
  if (json.contains("plastic")) {
    const Json& plastic = json["plastic"];
    if (!plastic.contains("yield"))
      throw Error("'" + place + ".plastic' needs a 'yield'; without one nothing yields");
    body.plastic.yield = plastic["yield"];
    body.plastic.creep = plastic.value("creep", body.plastic.creep);
    body.plastic.hardening = plastic["hardening"];
  }
  body.rest_scale = read_course(json, "rest_scale", place);
  body.stiffness_scale = read_course(json, "stiffness_scale", place);
  body.painted = painted_by(shape.animation, body, transform,
                            read_transform(json["transform"], "transform").scale, scene, place);

  add_pins(json, place, shape, body, transform, scene);
  if (json.contains("pressure")) {
    body.pressure = std::make_shared<PressureSettings>(read_pressure(json["pressure"], place + ".pressure"));
    const std::string warning = pressure_warning(name, body.surface, body.rest);
    if (!warning.empty()) warnings.push_back(warning);
  }
  scene.bodies.push_back(std::move(body));
}

}  // namespace verve
