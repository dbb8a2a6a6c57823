#include "settings/SceneSheets.h"

#include <cmath>

#include "base/Error.h"
#include "energy/Fabrics.h"

namespace verve {
namespace {

/// Gives those keys that are not there their numbers.
void fill(Json& json, std::initializer_list<std::pair<const char*, double>> values) {
  for (const auto& [key, value] : values)
    if (!json.contains(key)) json[key] = value;
}

void refuse(const Json& material, const std::string& place, std::initializer_list<const char*> keys,
            const std::string& why) {
  for (const char* key : keys)
    if (material.contains(key)) throw Error("'" + place + "." + key + "' " + why);
}

}  // namespace

SheetMaterial read_sheet(Json& body, const std::string& place) {
  Json& material = body["material"];
  const std::string inner = place + ".material";
  const bool woven = material.contains("warp") || material.contains("weft") || material.contains("shear");
  const bool isotropic = material.contains("young") || (!woven && material.contains("thickness"));
  refuse(material, inner, {"mu", "lambda"},
         "belongs to tets and springs; a membrane has young, poisson and thickness, or warp, weft and shear, "
         "or a "
         "fabric");
  double density = 0.1;
  if (material.contains("fabric")) {
    refuse(material, inner, {"young", "thickness"},
           "goes without a fabric, which has numbers of its own; give one");
  } else if (!woven && !isotropic) {
    material["fabric"] = "cotton";
  }
  if (material.contains("fabric")) {
    const Fabric& f = fabric(material["fabric"]);
    density = f.density;
    // A bend of the artist's own holds both ways.
    const double weft = material.contains("bend") ? material["bend"].get<double>() : f.bend_weft;
    fill(material, {{"warp", f.warp},
                    {"weft", f.weft},
                    {"shear", f.shear},
                    {"bend", f.bend},
                    {"bend_weft", weft},
                    {"poisson", f.poisson}});
  }
  SheetMaterial m;
  if (!material.contains("warp") && !woven) {
    if (!material.contains("young"))
      throw Error("'" + inner +
                  "' gives a thickness without young; give both, or warp, weft and shear, or a fabric");
    fill(material, {{"poisson", 0.3}, {"thickness", 1e-3}});
    const double nu = material["poisson"], t = material["thickness"],
                 stiffness = t * material["young"].get<double>();
    fill(material, {{"bend", stiffness * t * t / (12.0 * (1.0 - nu * nu))}});
    const double bend = material["bend"];
    fill(material, {{"bend_weft", bend}});
    const double weft = material["bend_weft"];
    m.stretch = isotropic_law(stiffness, nu);
    m.bend = {bend, weft, nu * std::sqrt(bend * weft), 0.5 * (1.0 - nu) * std::sqrt(bend * weft)};
  } else {
    if (isotropic) throw Error("'" + inner + "' gives both young and warp, weft or shear; give one kind");
    if (!material.contains("warp")) throw Error("'" + inner + "' gives weft or shear without warp");
    const double warp = material["warp"];
    fill(material, {{"weft", warp}, {"poisson", 0.0}});
    const double weft = material["weft"], nu = material["poisson"];
    fill(material, {{"shear", 0.1 * std::sqrt(warp * weft)}});
    if (std::abs(nu) > 0.95)
      throw Error("'" + inner + ".poisson' is " + material["poisson"].dump() +
                  "; between warp and weft it must be from -0.95 to 0.95");
    if (!material.contains("bend"))
      material["bend"] = material.contains("thickness")
                             ? warp * std::pow(material["thickness"].get<double>(), 2) / 12.0
                             : 1e-5;
    const double bend = material["bend"];
    fill(material, {{"bend_weft", bend}});
    m = sheet_of({"", 0.0, warp, weft, material["shear"], bend, material["bend_weft"], nu, ""});
  }
  if (material.contains("limit")) {
    const double limit = material["limit"];
    fill(material, {{"limit_weft", limit}});
    m.warp_limit = limit;
  }
  if (material.contains("limit_weft")) m.weft_limit = material["limit_weft"];
  if (!body.contains("mass") && !body.contains("density")) body["density"] = density;
  m.density = body.value("density", 1.0);
  return m;
}

}  // namespace verve
