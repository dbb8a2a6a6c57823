#include "scene/SceneBodies.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/Error.h"
#include "base/Text.h"
#include "geometry/WarpDirections.h"
#include "io/GeometryMesh.h"
#include "mesh/MeshGeometry.h"
#include "scene/ScenePainted.h"
#include "scene/SceneShapes.h"
#include "settings/SceneSheets.h"
#include "simulation/Bodies.h"
#include "simulation/EmbeddedSkin.h"
#include "simulation/Import.h"
#include "term/Pressure.h"

namespace verve {
namespace {

Lame read_lame(Json& material, const std::string& place) {
  const bool lame = material.contains("mu") || material.contains("lambda");
  const bool young = material.contains("young") || material.contains("poisson");
  if (lame && young) throw Error("'" + place + "' gives both mu/lambda and young/poisson; give one pair");
  if (material.contains("bend"))
    throw Error("'" + place + ".bend' belongs to springs; tets have no bending stiffness");
  if (lame) {
    if (!material.contains("mu")) throw Error("'" + place + "' gives lambda without mu");
    if (!material.contains("lambda")) material["lambda"] = material["mu"];
    const double mu = material["mu"], lambda = material["lambda"];
    if (!(lambda > -2.0 / 3.0 * mu))
      throw Error("'" + place + ".lambda' is " + material["lambda"].dump() +
                  "; it must be above -2/3 of mu, or squeezing the body would set energy free");
    return {mu, lambda};
  }
  if (!material.contains("young")) material["young"] = 1e5;
  if (!material.contains("poisson")) material["poisson"] = 0.4;
  if (material["poisson"].get<double>() == 0.5)
    throw Error("'" + place +
                ".poisson' is 0.5, which leaves no room to change volume at all; 0.49 is close to it");
  return lame_from_young(material["young"], material["poisson"]);
}

/// Poly lines as rods; all lines of the file are one body.
Body make_rods(Geometry& geometry, const std::string& name, const Vec3& scale, BodyMaterials materials,
               const Json& json, PointAttributes& attributes) {
  Vector x = geometry.positions();
  for (int i = 0; i < geometry.point_count; ++i) point(x, i) = point(x, i).cwiseProduct(scale).eval();
  geometry.set_positions(x);
  for (Vec3& p : attributes.rest) p = p.cwiseProduct(scale);
  materials.rod_density = json.value("density", 1.0);
  ImportedBodies made =
      import_bodies(geometry, rest_positions(geometry, attributes), attributes, materials, false);
  if (int(made.geometry_point.size()) != geometry.point_count)
    throw Error("body '" + name + "': " + made.warnings.front());
  made.bodies[0].name = name;
  if (json.contains("mass")) set_mass(made.bodies[0], json["mass"]);
  return made.bodies[0];
}

/// What the points say of themselves, the mass of all, and where the points are now.
void finish_body(Body& body, const Json& json, const BodyShape& shape, const std::vector<Vec3>& start) {
  const PointAttributes& attributes = shape.attributes;
  if (!start.empty()) body.x = start;
  if (!attributes.stiffness.empty()) scale_stiffness(body, attributes.stiffness);
  if (!attributes.massdensity.empty()) scale_density(body, attributes.massdensity);
  if (!attributes.mass.empty()) set_masses(body, attributes.mass);
  if (!attributes.v.empty()) body.v = attributes.v;
  body.damping = attributes.dampingratio;
  body.growth = attributes.restscale;
  body.friction = attributes.friction;
  body.contact_stiffness = attributes.collisionstiffness;
  body.radius = attributes.pscale;
  body.release = attributes.release;
  body.drag_normal = attributes.dragnormal;
  body.drag_tangent = attributes.dragtangent;
  body.wind = attributes.wind;
  body.collision = attributes.collision;
  if (json.contains("mass")) set_mass(body, json["mass"]);
  body.skin = shape.skin;
}

/// Where a sheet's material says nothing of its model, springs are known by their mu.
const char* default_model(const BodyShape& shape, const Json& material) {
  if (!shape.is_cloth) return "stable_neo_hookean";
  if (shape.rods && (material.contains("stretch") || material.contains("young"))) return "rope";
  return shape.rods || material.contains("mu") ? "springs" : "membrane";
}

/// EA and EI, as they are or of a round rod.
RopeLaw read_rope(Json& json, const std::string& place) {
  Json& material = json["material"];
  for (const char* key : {"mu", "lambda", "poisson"})
    if (material.contains(key))
      throw Error(
          "'" + place + "." + key +
          "' does not belong to a rope, which has stretch (N) and bend (N m^2), or young and thickness");
  RopeLaw law;
  if (material.contains("young")) {
    if (material.contains("stretch")) throw Error("'" + place + "' gives both young and stretch; give one");
    if (!material.contains("thickness")) {
      if (!json["geometry"].contains("thickness"))
        throw Error("'" + place + "' gives young without thickness; give both, or stretch and bend");
      material["thickness"] = json["geometry"]["thickness"];
    }
    const double thickness = material["thickness"];
    law = round_rope(material["young"], thickness);
  } else if (material.contains("thickness")) {
    throw Error("'" + place + "' gives a thickness without young; give both, or stretch and bend");
  }
  if (material.contains("stretch")) law.stretch = material["stretch"];
  if (material.contains("bend")) law.bend = material["bend"];
  if (!material.contains("young")) material["stretch"] = law.stretch;
  material["bend"] = law.bend;
  return law;
}

void refuse_of_ropes(const Json& material, const std::string& model, const std::string& place) {
  if (model != "rope" && material.contains("stretch"))
    throw Error("'" + place + ".stretch' belongs to a rope, but the model is '" + model + "'");
}

void refuse_of_membranes(const Json& material, const std::string& model, const std::string& place) {
  if (model == "membrane") return;
  for (const char* key : {"thickness", "warp", "weft", "shear", "bend_weft", "fabric", "limit", "limit_weft"})
    if (material.contains(key) && !(model == "rope" && key == std::string("thickness")))
      throw Error("'" + place + "." + key + "' belongs to a membrane, but the model is '" + model + "'");
}

Body membrane_body(Json& json, const std::string& name, const std::string& place, const BodyShape& shape,
                   const std::vector<Vec3>& start, std::vector<std::string>& warnings) {
  if (!shape.is_cloth || shape.rods)
    throw Error("'" + place + ".material.model' is 'membrane', but the body is made of " +
                (shape.rods ? "lines; they can be a rope or springs"
                            : "tets; a membrane needs a sheet or a surface"));
  const SheetMaterial material = read_sheet(json, place);
  std::vector<Vec3> warp;
  if (shape.woven) warp = warp_directions(*shape.woven, shape.cloth.points);
  int flat = 0;
  for (Vec3& w : warp)
    if (w.isZero()) w = Vec3::UnitX(), ++flat;
  if (flat && material.stretch.along_warp != material.stretch.along_weft)
    warnings.push_back("body '" + name + "': " + std::to_string(flat) +
                       " triangles have no area in 'uv', so their warp goes along x");
  Body body = make_membrane(name, shape.cloth, material, warp);
  finish_body(body, json, shape, start);
  return body;
}

Body make_body(Json& json, const std::string& name, const std::string& place, BodyShape& shape,
               std::vector<std::string>& warnings) {
  const Vec3 scale = read_transform(json["transform"], place + ".transform").scale;
  if (!(scale.minCoeff() > 0.0))
    throw Error("'" + place + ".transform.scale' must be above 0 along every axis");
  // The rest shape takes the place of the points; where they are now is kept for the start.
  PointAttributes& attributes = shape.attributes;
  if (!shape.animation.stiffness.empty()) attributes.stiffness.clear();  // the frames have it
  std::vector<Vec3> start;
  for (auto* points : {&shape.tets.points, &shape.cloth.points}) {
    if (!attributes.rest.empty() && points->size() == attributes.rest.size()) {
      start = std::move(*points);
      *points = attributes.rest;
    }
    for (Vec3& p : *points) p = p.cwiseProduct(scale);
  }
  for (Vec3& p : start) p = p.cwiseProduct(scale);

  if (json.contains("mass") && json.contains("density"))
    throw Error("'" + place + "' gives both mass and density; give one");
  const std::string material_place = place + ".material";
  if (!json["material"].contains("model")) json["material"]["model"] = default_model(shape, json["material"]);
  const std::string model = json["material"]["model"];
  refuse_of_membranes(json["material"], model, material_place);
  refuse_of_ropes(json["material"], model, material_place);
  if (model == "membrane") return membrane_body(json, name, place, shape, start, warnings);
  if (!json.contains("mass") && !json.contains("density")) json["density"] = shape.is_cloth ? 0.1 : 100.0;
  const double density = json.value("density", 1.0);
  Json& material = json["material"];  // taken last: a key added to json may move it

  Body body;
  if (model == "rope") {
    if (!shape.rods)
      throw Error("'" + material_place +
                  ".model' is 'rope', but the body has no lines; it needs a rod or poly lines");
    BodyMaterials materials;
    materials.rope = read_rope(json, material_place);
    return make_rods(*shape.rods, name, scale, materials, json, attributes);
  }
  if (of_springs(model)) {
    if (!shape.is_cloth)
      throw Error("'" + material_place + ".model' is '" + model +
                  "', but the body is made of tets; springs need a sheet or a rod");
    for (const char* key : {"lambda", "young", "poisson"})
      if (material.contains(key))
        throw Error("'" + material_place + "." + key +
                    "' belongs to tets; springs have mu (stretch) and bend");
    if (!material.contains("mu")) material["mu"] = 200.0;
    if (!material.contains("bend")) material["bend"] = 10.0;
    const SpringModel springs_model = model == "springs" ? SpringModel::stvk : SpringModel::hookean;
    if (shape.rods) {
      BodyMaterials materials;
      materials.spring_model = springs_model;
      materials.stretch = material["mu"], materials.bend = material["bend"];
      return make_rods(*shape.rods, name, scale, materials, json, attributes);
    }
    body = make_cloth(name, shape.cloth, springs_model, material["mu"], material["bend"], density);
  } else {
    if (shape.is_cloth)
      throw Error("'" + material_place + ".model' is '" + model +
                  "', but the body is a sheet; choose membrane or springs, or fill the surface with tets");
    body = make_soft_body(name, shape.tets, tet_model(model), read_lame(material, material_place), density);
    body.quadratic = shape.quadratic;
  }
  finish_body(body, json, shape, start);
  return body;
}

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

template <class Hold>
Hold read_grip(const Json& json, const Body& body, int first, const std::string& place) {
  Hold grip;
  grip.points = chosen_points(json, body, first, place, false);
  if (json.contains("motion")) grip.motion = read_motion(json["motion"], place + ".motion");
  grip.from = json.value("from", grip.from);
  grip.until = json.value("until", grip.until);
  if (!(grip.from < grip.until)) throw Error("'" + place + ".until' must be later than 'from'");
  return grip;
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

Vec3 scale_of(const Json& body) {
  return read_transform(body["transform"], "transform").scale;
}

/// The pins, targets and forces that the file's points ask for, by pintoanimation, stopped, targetP,
/// targetweight and force; those that a cache of the points moves go with it.
void add_attribute_grips(const BodyShape& shape, const Body& body, const Transform& transform,
                         const Vec3& scale, int first, Scene& scene) {
  const PointAttributes& attributes = shape.attributes;
  const PointFrames& animation = shape.animation;
  // Points without a place of their own are held together where they start; the others one by one.
  const auto goal = [&](int i, Grip& grip) {
    grip.points = {first + i};
    const auto key = [&](double time, const Vec3& place) {
      Transform way;
      way.translate = transform.apply(place.cwiseProduct(scale)) - body.x[i];
      return Motion::Key{time, way};
    };
    std::vector<Motion::Key> keys;
    for (std::size_t f = 0; f < animation.number.size(); ++f)
      keys.push_back(key(scene.frame_time(animation.number[f]), animation.points[f][std::size_t(i)]));
    if (keys.empty() && !attributes.targetP.empty()) keys = {key(0.0, attributes.targetP[std::size_t(i)])};
    if (!keys.empty()) grip.motion = Motion(std::move(keys));
  };
  Grip held;
  for (int i : attributes.stopped) held.points.push_back(first + i);
  // Frames that say themselves which points they hold.
  for (int i = 0; !animation.pinned.empty() && i < int(body.rest.size()); ++i)
    for (std::size_t f = 0, count = animation.number.size(); f < count; ++f) {
      const auto held_in = [&](std::size_t g) { return animation.pinned[g][std::size_t(i)] != 0.0; };
      if (!held_in(f)) continue;
      Grip grip;
      goal(i, grip);
      constexpr double rounding = 1e-6;  // s, by which a step may miss the time of a frame
      if (f > 0) grip.from = scene.frame_time(animation.number[f]) - rounding;
      while (f + 1 < count && held_in(f + 1)) ++f;
      if (f + 1 < count) grip.until = scene.frame_time(animation.number[f]) + rounding;
      scene.pins.push_back(std::move(grip));
    }
  for (int i : attributes.pinned) {
    if (!animation.pinned.empty()) break;
    Grip grip;
    goal(i, grip);
    if (grip.motion.still())
      held.points.push_back(first + i);
    else
      scene.pins.push_back(std::move(grip));
  }
  std::sort(held.points.begin(), held.points.end());
  held.points.erase(std::unique(held.points.begin(), held.points.end()), held.points.end());
  if (!held.points.empty()) scene.pins.push_back(std::move(held));
  const double stiffness = std::stod(find_parameter("bodies[].targets[].stiffness")->fallback);
  for (std::size_t i = 0; i < attributes.targetweight.size(); ++i) {
    if (!(attributes.targetweight[i] > 0.0)) continue;
    SoftGrip grip;
    goal(int(i), grip);
    grip.stiffness = attributes.targetweight[i] * stiffness;
    scene.targets.push_back(std::move(grip));
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
  body.painted = painted_by(shape.animation, body, transform, scale_of(json), scene, place);

  const int first = scene.points();
  add_attribute_grips(shape, body, transform, scale_of(json), first, scene);
  const auto each = [&](const char* list, const auto& read) {
    for (std::size_t i = 0; i < json[list].size(); ++i)
      read(json[list][i], place + "." + list + "[" + std::to_string(i) + "]");
  };
  each("pins", [&](const Json& j, const std::string& at) {
    scene.pins.push_back(read_grip<Grip>(j, body, first, at));
  });
  each("targets", [&](const Json& j, const std::string& at) {
    SoftGrip grip = read_grip<SoftGrip>(j, body, first, at);
    grip.stiffness = j["stiffness"];
    grip.damping = j["damping"];
    scene.targets.push_back(grip);
  });
  if (json.contains("pressure")) {
    body.pressure = std::make_shared<PressureSettings>(read_pressure(json["pressure"], place + ".pressure"));
    const std::string warning = pressure_warning(name, body.surface, body.rest);
    if (!warning.empty()) warnings.push_back(warning);
  }
  each("forces", [&](const Json& j, const std::string& at) {
    scene.pushes.push_back({chosen_points(j, body, first, at, true), vec3(j["force"])});
  });
  scene.bodies.push_back(std::move(body));
}

}  // namespace verve
