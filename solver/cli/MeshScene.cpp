#include "cli/MeshScene.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "base/Error.h"
#include "base/Text.h"
#include "io/GeometryFile.h"
#include "io/MeshFiles.h"
#include "mesh/MeshGeometry.h"
#include "mesh/ShapeSize.h"
#include "mesh/SurfaceRepair.h"
#include "mesh/Thickness.h"
#include "parameters/SceneCheck.h"

namespace verve {
namespace {

/// How open a surface is, points at the same place counting as one.
struct Openness {
  std::size_t edges = 0, open = 0;  ///< open: those that only one triangle has
  double facing = 0;                ///< |sum of the areas as vectors| / area: 0 if closed, 1 if flat

  double share() const { return edges ? double(open) / double(edges) : 0.0; }
  /// A dirty solid has few open edges and faces all ways; a sheet has many, or faces one way.
  bool is_sheet() const { return share() > 0.05 || (open > 0 && facing > 0.25); }
};

Openness openness(const MeshFile& mesh) {
  std::map<std::array<double, 3>, int> places;
  const auto place = [&](int point) {
    const Vec3& p = mesh.points[std::size_t(point)];
    return places.emplace(std::array<double, 3>{p[0], p[1], p[2]}, int(places.size())).first->second;
  };
  std::map<std::array<int, 2>, int> uses;
  Vec3 sum = Vec3::Zero();
  double area = 0;
  for (const auto& triangle : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      const int a = place(triangle[k]), b = place(triangle[(k + 1) % 3]);
      if (a != b) ++uses[{std::min(a, b), std::max(a, b)}];
    }
    const Vec3& o = mesh.points[std::size_t(triangle[0])];
    const Vec3 vector =
        (mesh.points[std::size_t(triangle[1])] - o).cross(mesh.points[std::size_t(triangle[2])] - o);
    if (!vector.allFinite()) continue;
    sum += vector;
    area += vector.norm();
  }
  const auto open = std::count_if(uses.begin(), uses.end(), [](const auto& use) { return use.second == 1; });
  return {uses.size(), std::size_t(open), area > 0 ? sum.norm() / area : 0.0};
}

/// To six digits: more are noise to whoever reads the scene.
double rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

/// A power of ten, as units differ by, that brings `size` near a metre.
double unit_scale(double size) {
  if (size >= 0.05 && size <= 20.0) return 1.0;
  return std::pow(10.0, -std::round(std::log10(size)));
}

/// So many tets simulate in less than a second a frame.
constexpr double most_tets = 10000;

/// About how many tets fill a shape: twelve a cell of the lattice, and what the surface cuts out of more.
double tets_of(double volume, double area, double spacing) {
  return 12 * volume / std::pow(spacing, 3) + 6 * area / std::pow(spacing, 2);
}

/// The spacing that gives most of the thin parts tets of their own, or the least that most_tets allow.
double spacing_of(const MeshFile& mesh, double size, std::vector<std::string>& notes) {
  const TriangleMesh surface = repair_surface({mesh.points, mesh.triangles}).mesh;
  if (surface.triangles.empty()) return rounded(size / 14);  // what is wrong is said when it is filled
  const std::vector<double> thickness = thicknesses(surface);
  const double across = 2 * least_half_thickness;
  double spacing = std::min(size / 12, thickness_quantile(surface, thickness, 0.1) / across);
  const double volume = std::abs(enclosed_volume(surface)), all = area(surface);
  if (!(spacing > 0) || tets_of(volume, all, spacing) > most_tets) {
    double low = std::max(spacing, 0.0), high = size;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (tets_of(volume, all, middle) > most_tets ? low : high) = middle;
    }
    spacing = high;
  }
  double thin = 0;  // found by bisection, as only the share below a thickness can be asked for
  for (double low = 0, high = 1; high - low > 1e-3;) {
    thin = (low + high) / 2;
    (thickness_quantile(surface, thickness, thin) < across * spacing ? low : high) = thin;
  }
  if (thin > 0.005)
    notes.push_back(short_number(std::round(100 * thin)) + " % of its surface is thinner than " +
                    short_number(across * spacing) +
                    ": tets reach out of it there, unseen (a smaller bodies[0].geometry.spacing than " +
                    short_number(spacing) + " follows it closer, and takes longer)");
  return rounded(spacing);
}

/// Meshes of programs with z up stand on z = 0, about the z axis.
bool stands_on_z(const Eigen::AlignedBox3d& box) {
  const Vec3 size = box.sizes(), middle = box.center();
  const double slack = 0.02 * size.maxCoeff();
  return std::abs(box.min()[2]) < slack && size[2] > 2 * slack && std::abs(middle[0]) < slack &&
         std::abs(middle[1]) < slack && std::abs(box.min()[1]) > slack;
}

}  // namespace

bool is_mesh_name(const std::string& path) {
  static const std::set<std::string> endings = {"obj", "ply", "stl",  "off", "geo",  "bgeo", "bgeo.sc",
                                                "vtu", "vtk", "usda", "msh", "node", "ele",  "mesh"};
  return endings.count(geometry_ending(path)) > 0;
}

std::string scene_of_mesh(const std::string& path, const std::string& up, std::vector<std::string>& notes) {
  const MeshFile mesh = load_mesh(path);
  if (mesh.points.empty() || (mesh.tets.empty() && mesh.triangles.empty()))
    throw Error(path + ": has no tets and no polygons to simulate");
  const auto box = bounds(mesh.points);
  const double size = box.sizes().maxCoeff();
  if (!(size > 0.0) || !std::isfinite(size)) throw Error(path + ": all of its points are at one place");
  const double scale = unit_scale(size);
  if (scale != 1.0)
    notes.push_back("it is " + short_number(size) + " units across, and units are metres here: scaled by " +
                    shortest(scale));
  const Openness open = mesh.tets.empty() ? openness(mesh) : Openness{};
  const bool cloth = mesh.tets.empty() && open.is_sheet();
  notes.push_back(!mesh.tets.empty() ? std::string("its tets are a soft body")
                  : cloth            ? std::string("its surface is open: taken as cloth")
                  : open.open > 0    ? "its surface has " + std::to_string(open.open) + " open edges of " +
                                        std::to_string(open.edges) + ": holes bridged, filled with tets"
                                  : std::string("its surface is closed: filled with tets"));
  const bool recognised = up.empty() && stands_on_z(box), z_up = up == "z" || recognised;
  if (recognised) notes.push_back("it stands on z = 0: z is taken as up (--up y if it is not)");
  // Turned by -90 degrees about x: (x, y, z) comes to (x, z, -y).
  const Vec3 middle = z_up ? Vec3(box.center()[0], box.center()[2], -box.center()[1]) : box.center();
  const double lift = scale * (0.5 * size - box.min()[z_up ? 2 : 1]);
  Json geometry = {{"file", std::filesystem::absolute(path).lexically_normal().string()}};
  if (mesh.tets.empty() && !cloth) {
    geometry["fill"] = true;
    geometry["spacing"] = spacing_of(mesh, size, notes);
    geometry["coarsening"] = 1;
    geometry["thicken"] = true;
  }
  // A material that finds back to its shape however far it was squeezed. Weight over stiffness goes as length
  // times density over Young's modulus: kept as it is at a metre, it looks the same at every size.
  const double metres = cloth ? 1.0 : scale * size;
  Json material = Json::object();
  if (!cloth) material = {{"model", "stable_neo_hookean"}, {"young", rounded(1e5 * metres)}};
  const bool filled = mesh.tets.empty() && !cloth;
  const Json scene = {
      {"frames", {1, 72}},
      {"output", {{"surface", filled ? "skin" : "cage"}}},
      {"contact", {{"surface", filled ? "skin" : "cage"}}},
      {"damping", {{"delta", rounded(0.004 * std::sqrt(metres))}}},
      {"bodies",
       Json::array(
           {{{"name", std::filesystem::path(path).stem().string()},
             {"geometry", geometry},
             {"material", material},
             {"transform",
              {{"translate", {rounded(-scale * middle[0]), rounded(lift), rounded(-scale * middle[2])}},
               {"rotate", {z_up ? -90 : 0, 0, 0}},
               {"scale", scale}}}}})},
      {"colliders",
       Json::array(
           {{{"shape", "plane"}, {"stiffness", rounded(20000 * metres * metres)}, {"friction", 0.4}}})}};
  return scene.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace verve
