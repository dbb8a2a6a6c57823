#include "scene/SceneFile.h"

#include <cmath>
#include <filesystem>

#include "base/Error.h"
#include "base/FileBytes.h"
#include "base/Fingerprint.h"
#include "scene/SceneAttachments.h"
#include "scene/SceneBodies.h"
#include "scene/SceneConstraints.h"
#include "scene/SceneContact.h"
#include "settings/SceneSettings.h"

namespace verve {
namespace {

/// A file that the scene names, whatever the folder it is named from.
std::string absolute_path(const SceneSources& sources, const std::string& file) {
  if (sources.find(file)) return file;
  return std::filesystem::absolute(sources.path(file)).lexically_normal().string();
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
  return make_scene(read_bytes(path), path, std::filesystem::path(path).parent_path().string(), settings);
}

SceneFile make_scene(const std::string& text, const std::string& path, const SceneSources& given,
                     const std::vector<std::string>& settings) {
  SceneSources sources = given;
  sources.read = std::make_shared<Fingerprint>();
  SceneFile file;
  Json json = parse_json(text, path);
  if (!json.is_object()) throw Error(path + ": a scene is an object { ... }");
  for (const std::string& setting : settings) apply_setting(json, setting);
  check_scene(json, path);

  Scene& scene = file.scene;
  Fingerprint& files = *sources.read;
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
    read_settings(json, scene, file.warnings);
    if (!json.contains("bodies") || json["bodies"].empty())
      throw Error("the scene has no bodies; give at least one in 'bodies'");
    for (std::size_t i = 0; i < json["bodies"].size(); ++i) {
      add_body(json["bodies"][i], i, sources, scene, file.warnings);
    }

    read_colliders(json, sources, scene, files);
    read_constraints(json, scene);
    read_attachments(json, scene);

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
    file.output.tets = output["tets"];
    if (file.output.tets && file.output.surface != ExportSurface::skin)
      throw Error("'output.tets' goes with 'output.surface' skin; without it the tets are what is cached");
    file.output.points = output["points"];
    file.output.quantities = output["quantities"];
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
      for (const char* key : {"file", "skin", "animation"})
        if (named.contains(key)) named[key] = absolute_path(sources, named[key]);
    }
  file.json = as_run.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  // Frames, checkpoints and names may change from one run to the next without changing any frame's content.
  Json shaping = json;
  shaping["output"] = {json["output"]["surface"], json["output"]["tets"], json["output"]["points"],
                       json["output"]["quantities"]};
  for (const char* key : {"file", "skin", "animation"}) {  // what is in it counts, below
    for (Json& body : shaping["bodies"]) body["geometry"].erase(key);
    for (Json& collider : shaping["colliders"]) collider.erase(key);
  }
  shaping["frames"] = json["frames"][0];
  Fingerprint sum;
  sum.add(shaping.dump(-1, ' ', false, Json::error_handler_t::replace));
  for (const Body& body : scene.bodies) {
    sum.add(body.rest.data(), body.rest.size() * sizeof(Vec3));
    sum.add(body.mass.data(), body.mass.size() * sizeof(double));
    sum.add(body.tets.data(), body.tets.size() * sizeof(body.tets[0]));
    sum.add(body.springs.data(), body.springs.size() * sizeof(body.springs[0]));
    sum.add(body.membrane.data(), body.membrane.size() * sizeof(body.membrane[0]));
    for (const SheetMaterial& m : body.sheet)
      sum.add(m.warp.data(), sizeof m.warp);  // its uv may come from a file
  }
  for (const Body& body : scene.bodies) {
    if (!body.painted) continue;
    const Painted& p = *body.painted;
    sum.add(p.time.data(), p.time.size() * sizeof(double));
    for (const auto* map : {&p.stiffness, &p.rest_scale, &p.damping, &p.friction})
      for (const auto& frame : *map) sum.add(frame.data(), frame.size() * sizeof(double));
    for (const auto& frame : p.rest) sum.add(frame.data(), frame.size() * sizeof(Vec3));
  }
  const auto add_motion = [&](const PinSet& set) {  // of the points; it may come from a file
    sum.add(set.points.data(), set.points.size() * sizeof(int));
    sum.add(&set.from, sizeof set.from), sum.add(&set.until, sizeof set.until);
    for (const Motion::Key& key : set.motion.keys()) {
      sum.add(&key.time, sizeof key.time);
      sum.add(&key.transform, sizeof key.transform);
    }
  };
  for (const PinSet& set : scene.pins) add_motion(set);
  for (const TargetSet& set : scene.targets) add_motion(set);
  const std::uint64_t read = files.value();
  sum.add(&read, sizeof read);
  file.fingerprint = sum.value();
  return file;
}

}  // namespace verve
