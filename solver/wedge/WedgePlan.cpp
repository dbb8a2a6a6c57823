#include <cstdio>
#include <filesystem>

#include "base/Error.h"
#include "base/FileBytes.h"
#include "scene/SceneFile.h"
#include "wedge/Wedge.h"

namespace verve {
namespace {

namespace fs = std::filesystem;

/// "key=a,b,c" taken apart. Commas in brackets, braces and double quotes belong to a value.
struct Variation {
  std::string key;
  std::vector<std::string> values;

  explicit Variation(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error("--vary " + text + ": give it as key.path=a,b,c, such as damping.delta=0.001,0.01");
    key = text.substr(0, equals);
    std::string value;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = equals + 1; i <= text.size(); ++i) {
      const char c = i < text.size() ? text[i] : ',';
      if (c == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
      if (!quoted && (c == '[' || c == '{')) ++depth;
      if (!quoted && (c == ']' || c == '}')) --depth;
      if (i == text.size() || (c == ',' && depth == 0 && !quoted)) {
        if (value.empty()) throw Error("--vary " + text + ": a value is missing");
        values.push_back(value);
        value.clear();
      } else {
        value += c;
      }
    }
  }
};

/// A folder's name that tells the wedge: its number, then the last words of its keys with their values.
std::string folder_name(std::size_t number, const std::vector<std::string>& settings) {
  std::string words;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    std::string key = setting.substr(0, equals);
    key = key.substr(key.rfind('.') == std::string::npos ? 0 : key.rfind('.') + 1);
    words += "-" + key + "-" + setting.substr(equals + 1);
  }
  std::string name;
  for (char c : words) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_';
    if (plain || name.empty() || name.back() != '_') name += plain ? c : '_';
  }
  char prefix[24];
  std::snprintf(prefix, sizeof prefix, "%03zu", number);
  return prefix + name.substr(0, 60);
}

/// Files that the scene names are found from anywhere.
void make_absolute(Json& scene, const std::string& path) {
  const auto absolute = [&](Json& object, const char* key) {
    if (object.is_object() && object.contains(key) && object[key].is_string())
      object[key] = fs::absolute(fs::path(path).parent_path() / object[key].get<std::string>())
                        .lexically_normal()
                        .string();
  };
  for (const char* list : {"bodies", "colliders"})
    if (scene.contains(list))
      for (Json& entry : scene[list]) {
        absolute(entry, "file");
        if (entry.contains("geometry"))
          for (const char* key : {"file", "skin"}) absolute(entry["geometry"], key);
      }
}

/// The scene of one wedge. Checked, but written as the artist gave it.
std::string wedge_scene(const std::string& path, const std::string& text,
                        const std::vector<std::string>& settings) {
  Json scene = parse_json(text, path);
  if (!scene.is_object()) throw Error(path + ": a scene is an object { ... }");
  for (const std::string& setting : settings) apply_setting(scene, setting);
  Json checked = scene;
  check_scene(checked, path);
  make_absolute(scene, path);
  if (!scene["output"].contains("name")) scene["output"]["name"] = cache_name_of(path);
  return scene.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void make_folder(const std::string& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw Error(folder + ": cannot make this folder: " + failed.message());
}

}  // namespace

std::string Wedge::label() const {
  std::string text;
  for (const std::string& setting : settings) text += (text.empty() ? "" : "  ") + setting;
  return text;
}

std::string WedgePlan::path(const Wedge& wedge, const char* file) const {
  return (fs::path(folder) / wedge.folder / file).string();
}

WedgePlan make_plan(const WedgeOptions& options) {
  if (options.vary.empty()) throw Error("nothing varies; give --vary key.path=a,b,c at least once");
  if (options.out.empty()) throw Error("say where the wedges go: --out FOLDER");
  WedgePlan plan;
  plan.folder = fs::absolute(options.out).lexically_normal().string();
  std::vector<std::vector<std::string>> all = {{}};
  for (const std::string& vary : options.vary) {
    const Variation variation(vary);
    plan.keys.push_back(variation.key);
    std::vector<std::vector<std::string>> longer;
    for (const auto& settings : all)
      for (const std::string& value : variation.values) {
        longer.push_back(settings);
        longer.back().push_back(variation.key + "=" + value);
      }
    all = std::move(longer);
    if (all.size() > 100000) throw Error("these are more than 100000 wedges; vary less");
  }
  const std::string text = read_bytes(options.scene);
  std::vector<std::string> scenes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    plan.wedges.push_back({folder_name(i + 1, all[i]), all[i]});
    std::vector<std::string> settings = options.settings;
    settings.insert(settings.end(), all[i].begin(), all[i].end());
    scenes.push_back(wedge_scene(options.scene, text, settings));
  }
  if (options.resume && fs::exists(fs::path(plan.folder) / "wedges.json")) {
    const WedgePlan old = read_plan(plan.folder);
    bool same = old.wedges.size() == plan.wedges.size();
    for (std::size_t i = 0; same && i < plan.wedges.size(); ++i)
      same = old.wedges[i].settings == plan.wedges[i].settings;
    if (!same)
      throw Error(options.out + " holds other wedges than these; run without --resume to begin anew");
  }
  for (std::size_t i = 0; i < plan.wedges.size(); ++i) {
    const Wedge& wedge = plan.wedges[i];
    make_folder(plan.path(wedge));
    if (!options.resume)
      for (const char* file : {"checkpoint.verve", "state.json", "log.txt", "report.csv"})
        fs::remove(plan.path(wedge, file));
    write_bytes(plan.path(wedge, "wedge.json"), scenes[i]);
  }
  return plan;
}

void write_plan(const WedgePlan& plan) {
  Json json = {{"keys", plan.keys}, {"threads", plan.threads}, {"job", plan.job}, {"wedges", Json::array()}};
  for (const Wedge& wedge : plan.wedges)
    json["wedges"].push_back(Json{{"folder", wedge.folder}, {"settings", wedge.settings}});
  write_bytes((fs::path(plan.folder) / "wedges.json").string(),
              json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

WedgePlan read_plan(const std::string& folder) {
  const std::string path = (fs::path(folder) / "wedges.json").string();
  if (!fs::is_regular_file(path))
    throw Error(folder + ": no wedges were planned there (there is no wedges.json)");
  const Json json = parse_json(read_bytes(path), path);
  WedgePlan plan;
  plan.folder = fs::absolute(folder).lexically_normal().string();
  try {
    plan.keys = json.at("keys").get<std::vector<std::string>>();
    plan.threads = json.at("threads");
    plan.job = json.at("job");
    for (const Json& wedge : json.at("wedges")) {
      const std::string name = wedge.at("folder");
      if (name.empty() || name[0] == '.' || name.find('/') != std::string::npos)
        throw Error(path + ": '" + name + "' is not the name of a folder beside it");
      plan.wedges.push_back({name, wedge.at("settings").get<std::vector<std::string>>()});
    }
  } catch (const Json::exception& error) {
    throw Error(path + ": not written by verve wedge: " + error.what());
  }
  return plan;
}

}  // namespace verve
