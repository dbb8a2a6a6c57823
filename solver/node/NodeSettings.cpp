#include "node/NodeSettings.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/Error.h"
#include "base/Text.h"
#include "parameters/MaterialPresets.h"
#include "parameters/NodeParameters.h"
#include "settings/SceneSettings.h"
#include "settings/SceneSheets.h"

namespace verve {
namespace {

/// Every parameter's value as JSON, by its name in the dialog.
Json filled_in(const NodeValues& values) {
  Json all;
  std::vector<std::string> names;
  for (const DialogEntry& entry : dialog_entries()) {
    names.push_back(entry.parm);
    const auto given = values.find(entry.parm);
    if (given == values.end()) {
      all[entry.parm] = Json::parse(entry.fallback);
      continue;
    }
    const ParameterValue& value = given->second;
    const ParameterKind kind = entry.parameter->kind;
    if (kind == ParameterKind::menu || kind == ParameterKind::text)
      all[entry.parm] = value.text;
    else if (kind == ParameterKind::vector)
      all[entry.parm] = value.numbers;
    else if (value.numbers.empty())
      throw Error("parameter '" + entry.label + "' (" + entry.parm + ") must be a number");
    else if (kind == ParameterKind::toggle)
      all[entry.parm] = value.numbers[0] != 0.0;
    else
      all[entry.parm] = value.numbers[0];
  }
  for (const auto& [name, value] : values)
    if (!all.contains(name)) throw Error("unknown parameter '" + name + "'" + suggestion(name, names));
  return all;
}

/// Whether an entry counts with these values: "parm == word" or "parm != word".
bool counts(const DialogEntry& entry, const Json& all) {
  if (entry.when.empty()) return true;
  std::istringstream words(entry.when);
  std::string parm, relation, word;
  words >> parm >> relation >> word;
  const Json& value = all[parm];
  const bool same = value.is_boolean()  ? value.get<bool>() == (word == "1")
                    : value.is_number() ? shortest(value) == word
                                        : value == word;
  return same == (relation == "==");
}

Json* at_path(Json& scene, const std::string& path) {
  Json* at = &scene;
  std::istringstream words(path);
  for (std::string word; std::getline(words, word, '.');) at = &(*at)[word];
  return at;
}

/// The dialog's cloth as a body of a scene would say it.
SheetMaterial sheet_of(const Json& all) {
  Json body, material;
  if (all["fabric"] == "custom") {
    for (const char* key : {"warp", "weft", "shear"}) material[key] = all[key];
    material["bend"] = all["bendwarp"];
    material["bend_weft"] = all["bendweft"];
    body["density"] = all["clothdensity"];
  } else {
    material["fabric"] = all["fabric"];
  }
  material["limit"] = all["stretchlimit"];
  if (all["weftlimit"] != 0) material["limit_weft"] = all["weftlimit"];
  body["material"] = material;
  return read_sheet(body, "the node");
}

/// What the Quick tab's materials stand for.
void apply_presets(Json& all) {
  for (const SoftPreset& preset : soft_presets())
    if (all["softpreset"] == preset.name)
      all["young"] = preset.young, all["poisson"] = preset.poisson, all["tetdensity"] = preset.density;
}

}  // namespace

NodeSettings node_settings(const NodeValues& values) {
  Json all = filled_in(values);
  apply_presets(all);
  Json scene = Json::object();
  for (const DialogEntry& entry : dialog_entries()) {
    const Json& value = all[entry.parm];
    check_value(*entry.parameter, value, "parameter '" + entry.label + "' (" + entry.parm + ")");
    const std::string& path = entry.parameter->path;
    if (!entry.parameter->of_node() && path.find("[]") == std::string::npos && counts(entry, all))
      *at_path(scene, path) = value;
  }
  if (all["softpreset"] == "custom")  // 1 x 10^6 and 10 x 10^5 are the same
    all["young"] = all["young"].get<double>() * std::pow(10.0, std::stoi(all["youngexp"].get<std::string>()));
  if (all["substeps"] != 0) scene["substeps"] = all["substeps"];
  if (all["tolerance"] != 0) scene["solver"]["tolerance"] = all["tolerance"];
  check_scene(scene, "the node");

  NodeSettings s;
  std::vector<std::string> without_effect;  // what other integrators would look at, kept in the dialog
  read_settings(scene, s.scene, without_effect);
  const std::string tets = all["tetmodel"];
  s.materials.tet_model = tet_model(tets);
  const double poisson = all["poisson"];
  if (poisson == 0.5)
    throw Error(
        "parameter 'Poisson's Ratio' (poisson) is 0.5, which leaves no room to change volume at all; 0.49 "
        "is close to it");
  s.materials.lame = lame_from_young(all["young"], poisson);
  s.materials.tet_density = all["tetdensity"];
  s.materials.membranes = all["clothmodel"] == "membrane";
  s.materials.sheet = sheet_of(all);
  s.materials.spring_model = all["springmodel"] == "springs" ? SpringModel::stvk : SpringModel::hookean;
  if (all["rodmodel"] == "rope") s.materials.rope = RopeLaw{all["ropestretch"], all["ropebend"]};
  s.materials.stretch = all["stretchstiffness"];
  s.materials.bend = all["bendstiffness"];
  s.materials.cloth_density = all["clothdensity"];
  s.materials.rod_density = all["roddensity"];
  s.collider.stiffness = all["collisionstiffness"];
  s.collider.thickness = all["thickness"];
  s.collider.static_friction = all["friction"];
  s.collider.dynamic_friction = s.collider.static_friction * all["dynamicscale"].get<double>();
  s.ground = all["groundplane"];
  s.ground_height = all["groundheight"];
  s.target_stiffness = all["targetstiffness"];
  s.target_damping = all["targetdamping"];
  s.start_frame = all["startframe"].get<double>();
  s.time_scale = all["timescale"];
  s.reset = all["reset"].get<double>();
  s.settle = all["settle"];
  s.sag_free = all["sagfree"];
  if (s.settle && s.sag_free)
    throw Error(
        "parameters 'Settle' (settle) and 'Sag-Free' (sagfree) are both on; one looks for the shape under "
        "load, the other keeps the shape that it has; switch one off");
  s.keep_stale = all["onchange"] == "keep";
  s.cache_bytes = all["cachesize"].get<double>() * 1024.0 * 1024.0;
  s.rest_scale = all["restscale"], s.stiffness_scale = all["stiffnessscale"];
  const auto plastic = [&](const char* yield, const char* hardening) {
    Plasticity law;
    if (all[yield] == 0) return law;
    law.yield = all[yield], law.hardening = all[hardening];
    if (all["creep"] != 0) law.creep = all["creep"];
    return law;
  };
  s.plastic = plastic("yield", "hardening"), s.bend_plastic = plastic("bendyield", "bendhardening");
  if (all["dopressure"] != "off") {
    PressureSettings inside;
    inside.kind = all["dopressure"] == "constant"     ? GasLaw::Kind::constant
                  : all["dopressure"] == "isothermal" ? GasLaw::Kind::isothermal
                                                      : GasLaw::Kind::adiabatic;
    inside.value = all["pressure"].get<double>();
    inside.amount = all["gasamount"].get<double>();
    inside.outside = all["gasoutside"];
    s.pressure = std::make_shared<PressureSettings>(inside);
  }
  s.disk.load = all["loadfromdisk"];
  s.disk.folder = all["cachefolder"].get<std::string>();
  s.disk.name = all["cachename"].get<std::string>();
  s.disk.version = int(all["cacheversion"].get<double>());
  s.disk.end_frame = int(all["endframe"].get<double>());
  s.disk.checkpoint_every = int(all["checkpointevery"].get<double>());
  s.guides = all["guides"].get<std::string>();
  s.constraint_data = all["constraintdata"].get<std::string>();
  s.colour_by = all["colorby"].get<std::string>();
  s.colour_to = all["colorto"];
  s.stress = all["dostress"];
  s.contact = all["docontact"];
  s.ledger = all["doledger"];

  Json shaping = all;
  for (const char* parm : {"colorby", "colorto", "dostress", "docontact", "doledger", "constraintdata",
                           "cachesize", "onchange", "loadfromdisk", "cachefolder", "cachename",
                           "cacheversion", "endframe", "checkpointevery", "guides", "youngexp"})
    shaping.erase(parm);
  for (const DialogEntry& entry : dialog_entries())
    if (!counts(entry, all)) shaping.erase(entry.parm);
  Fingerprint sum;
  sum.add(shaping.dump(-1, ' ', false, Json::error_handler_t::replace));
  s.fingerprint = sum.value();
  return s;
}

}  // namespace verve
