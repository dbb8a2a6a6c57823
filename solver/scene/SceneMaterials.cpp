#include "scene/SceneMaterials.h"

#include "base/Error.h"
#include "geometry/WarpDirections.h"
#include "scene/SceneValues.h"
#include "settings/SceneSheets.h"
#include "simulation/Bodies.h"
#include "simulation/Import.h"

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

PointFactors factors_of(const PointAttributes& attributes) {
  return {attributes.stiffness, attributes.massdensity};
}

/// What the points say of themselves besides, the mass of all, and where the points are now.
void finish_body(Body& body, const Json& json, const BodyShape& shape, const std::vector<Vec3>& start) {
  if (!start.empty()) body.x = start;
  give_attributes(body, shape.attributes);
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
  Body body = make_membrane(name, shape.cloth, material, warp, factors_of(shape.attributes));
  finish_body(body, json, shape, start);
  return body;
}

}  // namespace

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
    body = make_cloth(name, shape.cloth, springs_model, material["mu"], material["bend"], density,
                      factors_of(attributes));
  } else {
    if (shape.is_cloth)
      throw Error("'" + material_place + ".model' is '" + model +
                  "', but the body is a sheet; choose membrane or springs, or fill the surface with tets");
    body = make_soft_body(name, shape.tets, tet_model(model), read_lame(material, material_place), density,
                          factors_of(attributes));
    body.quadratic = shape.quadratic;
  }
  finish_body(body, json, shape, start);
  return body;
}

}  // namespace verve
