#include "cli/MeshScene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "base/Error.h"
#include "base/Text.h"
#include "io/GeometryFile.h"
#include "io/MeshFile.h"
#include "mesh/MeshGeometry.h"
#include "parameters/SceneCheck.h"

namespace verve {
namespace {

/// The share of edges that only one triangle has, points at the same place counting as one.
double open_share(const MeshFile& mesh) {
  std::map<std::array<double, 3>, int> places;
  const auto place = [&](int point) {
    const Vec3& p = mesh.points[std::size_t(point)];
    return places.emplace(std::array<double, 3>{p[0], p[1], p[2]}, int(places.size())).first->second;
  };
  std::map<std::array<int, 2>, int> uses;
  for (const auto& triangle : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const int a = place(triangle[k]), b = place(triangle[(k + 1) % 3]);
      if (a != b) ++uses[{std::min(a, b), std::max(a, b)}];
    }
  const auto open = std::count_if(uses.begin(), uses.end(), [](const auto& use) { return use.second == 1; });
  return uses.empty() ? 0.0 : double(open) / double(uses.size());
}

/// A power of ten, as units differ by, that brings `size` near a metre.
double unit_scale(double size) {
  if (size >= 0.05 && size <= 20.0) return 1.0;
  return std::pow(10.0, -std::round(std::log10(size)));
}

}  // namespace

bool is_mesh_name(const std::string& path) {
  static const std::set<std::string> endings = {"obj", "ply", "stl",  "off", "geo",  "bgeo", "bgeo.sc",
                                                "vtu", "vtk", "usda", "msh", "node", "ele",  "mesh"};
  return endings.count(geometry_ending(path)) > 0;
}

std::string scene_of_mesh(const std::string& path, std::vector<std::string>& notes) {
  const MeshFile mesh = load_mesh(path);
  if (mesh.points.empty() || (mesh.tets.empty() && mesh.triangles.empty()))
    throw Error(path + ": has no tets and no polygons to simulate");
  const auto box = bounds(mesh.points);
  const double size = box.sizes().maxCoeff();
  if (!(size > 0.0) || !std::isfinite(size)) throw Error(path + ": all of its points are at one place");
  const double scale = unit_scale(size);
  if (scale != 1.0)
    notes.push_back("it is " + shortest(size) + " units across, and units are metres here: scaled by " +
                    shortest(scale));
  constexpr double open_enough = 0.05;  // a dirty solid has fewer open edges, a sheet of any use more
  const bool cloth = mesh.tets.empty() && open_share(mesh) > open_enough;
  notes.push_back(!mesh.tets.empty() ? "its tets are a soft body"
                  : cloth            ? "its surface is open: taken as cloth"
                                     : "its surface is closed: filled with tets");
  const Vec3 middle = box.center();
  const double lift = scale * (0.5 * size - box.min()[1]);
  Json geometry = {{"file", std::filesystem::absolute(path).lexically_normal().string()}};
  if (mesh.tets.empty() && !cloth) {
    geometry["fill"] = true;
    geometry["spacing"] = size / 14.0;
  }
  const Json scene = {
      {"frames", {1, 72}},
      {"solver", {{"tolerance", 1e-6}}},
      {"damping", {{"delta", 0.004}}},
      {"bodies",
       Json::array({{{"name", std::filesystem::path(path).stem().string()},
                     {"geometry", geometry},
                     {"transform",
                      {{"translate", {-scale * middle[0], lift, -scale * middle[2]}}, {"scale", scale}}}}})},
      {"colliders", Json::array({{{"shape", "plane"}, {"stiffness", 20000}, {"friction", 0.4}}})}};
  return scene.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace verve
