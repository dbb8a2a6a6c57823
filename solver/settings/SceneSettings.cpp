#include "settings/SceneSettings.h"

#include <algorithm>
#include <iterator>

#include "base/Error.h"
#include "base/Text.h"
#include "damping/DampingLook.h"
#include "term/Air.h"

namespace verve {
namespace {

/// What each quality keeps. Of a run's energy: `tolerance`, over a thousand steps. Of each piece's speed:
/// `step_tolerance`, the most that a step chosen by the motion may miss.
struct Quality {
  const char* name;
  double tolerance, step_tolerance;
};
constexpr Quality qualities[] = {{"preview", 1e-2, 0.016}, {"final", 1e-4, 0.006}, {"exact", 1e-9, 0.004}};

void read_quality(const Json& json, Scene& scene, std::vector<std::string>& warnings) {
  const std::string asked = json["quality"];
  const Quality& quality = *std::find_if(std::begin(qualities), std::end(qualities),
                                         [&](const Quality& q) { return asked == q.name; });
  scene.step_tolerance = quality.step_tolerance;
  double& tolerance = scene.integrator.newton.tolerance;
  if (!json["solver"].contains("tolerance")) {
    tolerance = quality.tolerance;
    return;
  }
  tolerance = json["solver"]["tolerance"];
  if (asked != "final" && tolerance != quality.tolerance)
    warnings.push_back("'solver.tolerance' " + shortest(tolerance) + " is given and wins over the " +
                       shortest(quality.tolerance) + " of quality '" + asked + "'");
}

IntegratorSettings read_integrator(const Json& scene, std::vector<std::string>& warnings) {
  const Json& json = scene["integrator"];
  const std::string type = json["type"];
  IntegratorSettings s;
  s.type = type == "avf"                 ? IntegratorType::avf
           : type == "hp"                ? IntegratorType::hp
           : type == "backward_euler"    ? IntegratorType::backward_euler
           : type == "implicit_midpoint" ? IntegratorType::implicit_midpoint
           : type == "newmark"           ? IntegratorType::newmark
           : type == "bdf2"              ? IntegratorType::bdf2
           : type == "bathe"             ? IntegratorType::bathe
           : type == "asynchronous"      ? IntegratorType::asynchronous
                                         : IntegratorType::symplectic_euler;
  const std::string quadrature = json["quadrature"];
  s.gauss = quadrature == "auto"      ? IntegratorSettings::automatic
            : quadrature == "simpson" ? 0
                                      : quadrature.back() - '0';
  s.correction = json["correction"] == "auto"    ? Correction::automatic
                 : json["correction"] == "local" ? Correction::local
                                                 : Correction::none;
  s.alpha = json["alpha"];
  // A scene may be run with one integrator after the other, so that these are no mistakes.
  if (s.type != IntegratorType::hp && s.alpha != 0.5)
    warnings.push_back("'integrator.alpha' belongs to hp and has no effect on " + type);
  if (s.type != IntegratorType::avf && quadrature != "simpson" && quadrature != "auto")
    warnings.push_back("'integrator.quadrature' belongs to avf and has no effect on " + type);
  s.order = json["order"];
  if (s.order % 2 != 0) throw Error("'integrator.order' must be 2, 4 or 6");
  s.safety = json["safety"];
  s.max_events = json["max_events"];
  s.project_momentum = json["momentum"] == "projected";
  s.newton.max_iterations = scene["solver"]["max_iterations"];
  const std::string linear = scene["solver"]["linear"];
  s.linear = linear == "direct"      ? LinearKind::direct
             : linear == "iterative" ? LinearKind::iterative
                                     : LinearKind::automatic;
  return s;
}

/// Damping as numbers, or as the artist sees it; what it comes to is written back.
DampingSettings read_damping(Json& json) {
  DampingSettings s;
  const std::string model = json["model"];
  s.model = model == "split"           ? DampingModel::split
            : model == "in_step"       ? DampingModel::in_step
            : model == "in_step_chord" ? DampingModel::in_step_chord
            : model == "hp"            ? DampingModel::hp
            : model == "hp_frozen"     ? DampingModel::hp_frozen
                                       : DampingModel::blend;
  int looks = 0;
  for (const char* key : {"ratio", "half_life", "restitution"}) looks += json.contains(key);
  if (looks > 1) throw Error("'damping' gives more than one of ratio, half_life and restitution; give one");
  if (looks == 1 && !json.contains("frequency"))
    throw Error(
        "'damping' needs a frequency with ratio, half_life or restitution: that of the swings it speaks of");
  if (looks == 0 && json.contains("frequency"))
    throw Error("'damping.frequency' goes with ratio, half_life or restitution; give one of them");
  if (looks == 1) {
    if (json["delta"] != 0.0) throw Error("'damping' gives both delta and a look; give one");
    const double frequency = json["frequency"];
    const Rayleigh look = json.contains("ratio")       ? from_ratio(json["ratio"], frequency)
                          : json.contains("half_life") ? from_half_life(json["half_life"], frequency)
                                                       : from_restitution(json["restitution"], frequency);
    json["delta"] = look.delta;
    for (const char* key : {"ratio", "half_life", "restitution", "frequency"}) json.erase(key);
  }
  s.eta = json["eta"];
  s.delta = json["delta"];
  s.bend_delta = json["bend_delta"];
  return s;
}

EnergyTargetSettings read_energy_target(const Json& json) {
  EnergyTargetSettings s;
  if (json.contains("energy_loss") && json.contains("energy_target"))
    throw Error("'damping' gives both energy_loss and energy_target; give one");
  if (json.contains("energy_loss")) {
    s.kind = EnergyTargetSettings::Kind::decay;
    s.loss = json["energy_loss"];
  } else if (json.contains("energy_target")) {
    s.kind = EnergyTargetSettings::Kind::hold;
    s.value = json["energy_target"];
  }
  return s;
}

/// A vacuum where the scene speaks neither of wind nor of air.
std::shared_ptr<const AirSettings> read_air(Json& scene) {
  if (!scene.contains("wind") && !scene.contains("air")) return nullptr;
  auto air = std::make_shared<AirSettings>();
  Json& json = scene["air"];
  for (const auto& [key, value] : {std::pair<const char*, double*>{"density", &air->density},
                                   {"drag_normal", &air->drag_normal},
                                   {"drag_tangent", &air->drag_tangent}}) {
    if (!json.contains(key)) json[key] = *value;
    *value = json[key];
  }
  if (!scene.contains("wind")) return air;
  const Json& wind = scene["wind"];
  for (int i = 0; i < 3; ++i) air->wind.velocity[i] = wind["velocity"][i];
  air->wind.gust = wind["gust"];
  air->wind.size = wind["size"];
  air->wind.seed = std::uint32_t(wind["seed"].get<double>());
  return air;
}

void read_contact(Json& contact, Scene& scene) {
  const bool asynchronous = scene.integrator.type == IntegratorType::asynchronous;
  if (contact["rule"] == "layers" && !asynchronous)
    throw Error(
        "'contact.rule' layers belongs to the asynchronous integrator; choose exact, or set "
        "'integrator.type' to asynchronous");
  if (contact["rule"] == "paper" && asynchronous)
    throw Error("'contact.rule' paper does not go with the asynchronous integrator; choose layers");
  if (asynchronous) contact["rule"] = "layers";
  scene.contact.rule = asynchronous                 ? ContactRule::layers
                       : contact["rule"] == "paper" ? ContactRule::paper
                                                    : ContactRule::exact;
  scene.contact.layers.spacing = contact["law"] == "impact" ? LayerSpacing::impact : LayerSpacing::resting;
  scene.contact.layers.safety = contact["safety"];
  scene.contact.layers.damping = contact["damping"];
  scene.collide_skins = contact["surface"] == "skin";
  if (asynchronous && scene.collide_skins)
    throw Error(
        "'contact.surface' skin does not go with the asynchronous integrator, whose layers keep the cages "
        "apart; choose cage");
  scene.contact.ease = contact["ease"];
  scene.contact.self = contact["self"];
  scene.contact.wall = contact["wall"];
  scene.contact.between = contact["bodies"];
  scene.contact.stiffness = contact["stiffness"];
  scene.contact.thickness = contact["thickness"];
  scene.contact.static_friction = scene.contact.dynamic_friction = contact["friction"];
}

}  // namespace

void read_settings(Json& json, Scene& scene, std::vector<std::string>& warnings) {
  scene.substeps = json["substeps"].is_string() ? 0 : json["substeps"].get<int>();
  scene.substeps_max = json["substeps_max"];
  for (int i = 0; i < 3; ++i) scene.gravity[i] = json["gravity"][i];
  scene.integrator = read_integrator(json, warnings);
  read_quality(json, scene, warnings);
  scene.integrator.damping = read_damping(json["damping"]);
  scene.energy_target = read_energy_target(json["damping"]);
  scene.air = read_air(json);
  read_contact(json["contact"], scene);
}

}  // namespace verve
