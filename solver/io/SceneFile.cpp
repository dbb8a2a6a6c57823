#include "io/SceneFile.h"

#include <cmath>
#include <filesystem>

#include "base/Error.h"
#include "base/Fingerprint.h"
#include "damping/DampingLook.h"
#include "io/FileBytes.h"
#include "io/SceneBodies.h"
#include "io/SceneConstraints.h"
#include "io/SceneContact.h"

namespace verve {
namespace {

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
  s.gauss = quadrature == "simpson" ? 0 : quadrature.back() - '0';
  s.correction = json["correction"] == "local";
  s.alpha = json["alpha"];
  // A scene may be run with one integrator after the other, so that these are no mistakes.
  if (s.type != IntegratorType::hp && s.alpha != 0.5)
    warnings.push_back("'integrator.alpha' belongs to hp and has no effect on " + type);
  if (s.type != IntegratorType::avf && quadrature != "simpson")
    warnings.push_back("'integrator.quadrature' belongs to avf and has no effect on " + type);
  s.order = json["order"];
  if (s.order % 2 != 0) throw Error("'integrator.order' must be 2, 4 or 6");
  s.safety = json["safety"];
  s.max_events = json["max_events"];
  s.project_momentum = json["momentum"] == "projected";
  s.newton.tolerance = scene["solver"]["tolerance"];
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

/// A file that the scene at `scene` names, whatever the folder it is named from.
std::string absolute_path(const std::string& scene, const std::string& file) {
  namespace fs = std::filesystem;
  return fs::absolute(fs::path(scene).parent_path() / file).lexically_normal().string();
}

/// A file name that stays in its folder, whatever the scene calls itself.
std::string safe_name(const std::string& text) {
  std::string name;
  for (char c : text)
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c < 0 ? c : '_';
  return name.empty() ? "verve" : name;
}

}  // namespace

std::string cache_name_of(const std::string& path) {
  return safe_name(std::filesystem::path(path).stem().string());
}

SceneFile read_scene(const std::string& path, const std::vector<std::string>& settings) {
  SceneFile file;
  Json json = parse_json(read_bytes(path), path);
  if (!json.is_object()) throw Error(path + ": a scene is an object { ... }");
  for (const std::string& setting : settings) apply_setting(json, setting);
  check_scene(json, path);

  Scene& scene = file.scene;
  try {
    const auto frame = [&](int i) {
      const double f = json["frames"][i];
      if (f != std::floor(f) || std::abs(f) > 1e8) throw Error("'frames' must be two whole numbers");
      return int(f);
    };
    scene.first_frame = frame(0), scene.last_frame = frame(1);
    if (scene.last_frame < scene.first_frame)
      throw Error("'frames' ends before it begins; give [first, last]");
    scene.fps = json["fps"];
    scene.substeps = json["substeps"];
    for (int i = 0; i < 3; ++i) scene.gravity[i] = json["gravity"][i];
    scene.integrator = read_integrator(json, file.warnings);
    scene.integrator.damping = read_damping(json["damping"]);
    scene.energy_target = read_energy_target(json["damping"]);
    if (!json.contains("bodies") || json["bodies"].empty())
      throw Error("the scene has no bodies; give at least one in 'bodies'");
    const std::string folder = std::filesystem::path(path).parent_path().string();
    for (std::size_t i = 0; i < json["bodies"].size(); ++i) {
      add_body(json["bodies"][i], i, folder, scene, file.warnings);
    }

    read_contact(json, folder, scene);
    read_constraints(json, scene);

    Json& output = json["output"];
    if (!output.contains("name")) output["name"] = cache_name_of(path);
    file.output.name = safe_name(output["name"]);
    if (file.output.name != output["name"])
      throw Error("'output.name' names files, so letters, digits, - and _ are all it may hold; try '" +
                  file.output.name + "'");
    file.output.format = output["format"];
    if (output["surface"] == "skin") {
      file.output.surface = ExportSurface::skin;
      for (const Body& body : scene.bodies)
        if (!body.skin)
          file.warnings.push_back(
              "'output.surface' is skin, but body '" + body.name +
              "' has none and is cached as it is; give it geometry.skin or geometry.fill");
    }
    file.output.every = output["every"];
    file.output.checkpoint_every = output["checkpoint_every"];
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  } catch (const Json::exception& error) {
    throw Error(path + ": " + error.what());
  }

  // The copy of the scene beside the cache finds the files from there.
  Json as_run = json;
  for (const char* list : {"bodies", "colliders"})
    for (Json& entry : as_run[list]) {
      Json& named = entry.contains("geometry") ? entry["geometry"] : entry;
      for (const char* key : {"file", "skin"})
        if (named.contains(key)) named[key] = absolute_path(path, named[key]);
    }
  file.json = as_run.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  // Frames, checkpoints and names may change from one run to the next without changing any frame's content.
  Json shaping = json;
  shaping["output"] = json["output"]["surface"];
  for (Json& body : shaping["bodies"]) body["geometry"].erase("file");  // what is in it counts, below
  for (Json& collider : shaping["colliders"]) collider.erase("file");
  shaping["frames"] = json["frames"][0];
  Fingerprint sum;
  sum.add(shaping.dump(-1, ' ', false, Json::error_handler_t::replace));
  for (const Body& body : scene.bodies) {
    sum.add(body.rest.data(), body.rest.size() * sizeof(Vec3));
    sum.add(body.mass.data(), body.mass.size() * sizeof(double));
    sum.add(body.tets.data(), body.tets.size() * sizeof(body.tets[0]));
    sum.add(body.springs.data(), body.springs.size() * sizeof(body.springs[0]));
  }
  for (const ColliderSpec& collider : scene.colliders)
    if (collider.mesh) {
      sum.add(collider.mesh->points.data(), collider.mesh->points.size() * sizeof(Vec3));
      sum.add(collider.mesh->triangles.data(),
              collider.mesh->triangles.size() * sizeof(collider.mesh->triangles[0]));
    }
  file.fingerprint = sum.value();
  return file;
}

}  // namespace verve
