#include "scene/SceneShapes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/Error.h"
#include "base/Text.h"
#include "geometry/WarpDirections.h"
#include "io/GeometryMesh.h"
#include "io/MeshFiles.h"
#include "mesh/ImplicitShapes.h"
#include "mesh/MeshCheck.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshQuality.h"
#include "mesh/Mesher.h"
#include "mesh/QuadraticMesh.h"
#include "mesh/Shapes.h"
#include "simulation/EmbeddedSkin.h"
#include "simulation/SkinTransfer.h"

namespace verve {
namespace {

/// Reads the sizes of a shape, filling in its defaults.
class Sizes {
 public:
  Sizes(Json& geometry, std::string place) : geometry_(geometry), place_(std::move(place)) {}

  double number(const char* key, double fallback) {
    used_.push_back(key);
    if (!geometry_.contains(key)) geometry_[key] = fallback;
    const Json& value = geometry_[key];
    if (!value.is_number() || !std::isfinite(value.get<double>())) fail(key, "must be a number");
    return value.get<double>();
  }
  template <int N>
  std::array<double, N> numbers(const char* key, std::array<double, N> fallback) {
    used_.push_back(key);
    if (!geometry_.contains(key)) geometry_[key] = fallback;
    const Json& value = geometry_[key];
    std::array<double, N> result;
    if (!value.is_array() || value.size() != N)
      fail(key, "must be a list of " + std::to_string(N) + " numbers");
    for (int i = 0; i < N; ++i) {
      if (!value[i].is_number() || !std::isfinite(value[i].get<double>()))
        fail(key, "must be a list of " + std::to_string(N) + " numbers");
      result[i] = value[i].get<double>();
    }
    return result;
  }
  int count(const char* key, int fallback) { return whole(key, number(key, fallback)); }
  template <int N>
  std::array<int, N> counts(const char* key, std::array<double, N> fallback) {
    const auto values = numbers<N>(key, fallback);
    std::array<int, N> result;
    for (int i = 0; i < N; ++i) result[i] = whole(key, values[i]);
    return result;
  }
  std::string text(const char* key) {
    used_.push_back(key);
    return geometry_[key].get<std::string>();
  }
  bool toggle(const char* key) {
    used_.push_back(key);
    return geometry_.value(key, false);
  }
  /// Throws for sizes that the shape does not have.
  void finish(const std::string& what) {
    for (const auto& [key, value] : geometry_.items())
      if (key != "shape" && std::find(used_.begin(), used_.end(), key) == used_.end())
        throw Error("'" + place_ + "." + key + "' does not belong to " + what + suggestion(key, used_));
  }

 private:
  int whole(const char* key, double value) {
    if (value != std::floor(value) || value < 1 || value > 1e9) fail(key, "must be whole numbers above 0");
    return int(value);
  }
  [[noreturn]] void fail(const char* key, const std::string& what) {
    throw Error("'" + place_ + "." + key + "' " + what + ", not " + geometry_[key].dump());
  }
  Json& geometry_;
  std::string place_;
  std::vector<std::string> used_;
};

/// A skin that reaches far out of its tets is most likely in another place.
void warn_of_distance(const SkinBinding& skin, const TetMesh& cage, const std::string& file,
                      std::vector<std::string>& warnings) {
  const double edge = measure(cage).longest_edge;
  if (skin.farthest_distance() > edge)
    warnings.push_back(file + ": point " + std::to_string(skin.farthest_point()) + " of the skin is " +
                       shortest(skin.farthest_distance()) + " m outside of the tets, whose longest edge is " +
                       shortest(edge) + " m; it follows the nearest one");
}

PointAttributes attributes_of(const Geometry& geometry, const std::string& file) {
  try {
    return point_attributes(geometry);
  } catch (const Error& error) {
    throw Error(file + ": " + error.what());
  }
}

/// Fills a surface, which becomes the skin; what its points say goes over to the tets.
void fill_surface(BodyShape& shape, Sizes& sizes, Geometry geometry, const std::string& file,
                  std::vector<std::string>& warnings) {
  MeshingReport report;
  const PointAttributes painted = attributes_of(geometry, file);
  const TriangleMesh surface = triangle_mesh_of(mesh_of(geometry), file);
  const double size = bounds(surface.points).sizes().maxCoeff();
  MeshingOptions options;
  options.spacing = sizes.number("spacing", size / 20);
  options.coarsening = int(sizes.number("coarsening", 0));
  options.thicken = sizes.toggle("thicken");
  try {
    shape.tets = mesh_surface(surface, options, report);
  } catch (const Error& error) {
    throw Error(file + ": " + error.what());
  }
  for (const std::string& w : report.warnings) warnings.push_back(file + ": " + w);
  const SkinTransfer transfer(surface, shape.tets.points);
  std::vector<std::string> said;
  shape.attributes = transfer.attributes(painted, said);
  for (const std::string& w : said) warnings.push_back(file + ": " + w);
  for (auto& frame : shape.animation.points) frame = transfer.moved(frame);
  for (const PointFrames::Map& map : PointFrames::maps())
    for (auto& frame : shape.animation.*map.frames) {
      PointAttributes of_frame;
      of_frame.stiffness = frame;
      frame = transfer.attributes(of_frame, said).stiffness;
      if (map.frames == &PointFrames::pinned)
        for (double& held : frame) held = held >= 0.5;
    }
  if (!shape.animation.rest.empty())
    throw Error(file +
                ": the animation has 'rest', which is not known of a surface that is filled; use "
                "restscale, or a file of tets");
  try {
    shape.skin = std::make_shared<EmbeddedSkin>(std::move(geometry), shape.tets);
    warn_of_distance(shape.skin->binding(), shape.tets, file, warnings);
  } catch (const Error& error) {  // the mesher repairs what a skin cannot be made of
    warnings.push_back(file + ": the body has no skin: " + error.what());
  }
}

BodyShape load_shape(Sizes& sizes, const std::string& animation, const SceneSources& sources,
                     std::vector<std::string>& warnings) {
  const std::string name = sizes.text("file"), file = sources.path(name);
  BodyShape shape;
  Geometry geometry = sources.load(name, warnings);
  if (!animation.empty())
    shape.animation = read_point_frames(*sources.open(animation), sources.path(animation),
                                        std::size_t(geometry.point_count));
  MeshFile mesh = mesh_of(geometry);
  if (sizes.toggle("fill")) {
    fill_surface(shape, sizes, std::move(geometry), file, warnings);
    return shape;
  }
  shape.attributes = attributes_of(geometry, file);
  shape.is_cloth = mesh.tets.empty();
  const auto& types = geometry.primitive_types;
  if (shape.is_cloth && mesh.triangles.empty() &&
      std::count(types.begin(), types.end(), PrimitiveType::Polyline) > 0) {
    shape.rods = std::make_shared<Geometry>(std::move(geometry));
  } else if (shape.is_cloth) {
    shape.cloth = triangle_mesh_of(std::move(mesh), file);
    require_usable(shape.cloth, file);
    shape.woven = std::make_shared<Geometry>(std::move(geometry));
  } else {
    shape.tets = tet_mesh_of(std::move(mesh), file, &warnings);
  }
  return shape;
}

void load_skin(BodyShape& shape, const std::string& name, const SceneSources& sources,
               const std::string& place, std::vector<std::string>& warnings) {
  const std::string file = sources.path(name);
  if (shape.is_cloth) throw Error("'" + place + ".skin' needs a body of tets to carry it, not a sheet");
  try {
    shape.skin = std::make_shared<EmbeddedSkin>(sources.load(name, warnings), shape.tets);
  } catch (const Error& error) {
    const std::string what = error.what();
    throw Error(what.compare(0, file.size(), file) == 0 ? what : file + ": " + what);
  }
  warn_of_distance(shape.skin->binding(), shape.tets, file, warnings);
}

/// A rope: a poly line along the x axis that touches within half its thickness.
void draw_line(BodyShape& shape, double length, double thickness, int cells) {
  const std::vector<Vec3> points = make_line(length, cells);
  std::vector<int> corners(points.size());
  std::iota(corners.begin(), corners.end(), 0);
  Vector x(3 * Eigen::Index(points.size()));
  for (int i : corners) point(x, i) = points[std::size_t(i)];
  shape.is_cloth = true;
  shape.rods = std::make_shared<Geometry>();
  shape.rods->set_positions(x);
  shape.rods->add_primitive(PrimitiveType::Polyline, corners);
  shape.attributes.pscale.assign(corners.size(), thickness / 2);
}

}  // namespace

bool of_springs(const std::string& model) {
  return model == "springs" || model == "hookean_springs";
}

BodyShape make_shape(Json& geometry, const std::string& model, const std::string& place,
                     const SceneSources& sources, std::vector<std::string>& warnings) {
  if (geometry.contains("shape") == geometry.contains("file"))
    throw Error("'" + place + "' needs either a 'shape' or a 'file'");
  Sizes sizes(geometry, place);
  BodyShape shape;
  MeshingReport report;
  const std::string name = geometry.value("shape", std::string());
  if (name.empty()) {
    const std::string animation = geometry.contains("animation") ? sizes.text("animation") : "";
    shape = load_shape(sizes, animation, sources, warnings);
  } else if (name == "bar" || name == "box") {
    const bool bar = name == "bar";
    const auto size = bar ? sizes.numbers<3>("size", {1, .2, .2}) : sizes.numbers<3>("size", {1, 1, 1});
    shape.tets = make_box({size[0], size[1], size[2]},
                          bar ? sizes.counts<3>("cells", {10, 2, 2}) : sizes.counts<3>("cells", {4, 4, 4}));
  } else if (name == "sheet") {
    const auto size = sizes.numbers<2>("size", {1, 1});
    shape.cloth = make_sheet(size, sizes.counts<2>("cells", {20, 20}));
    shape.is_cloth = true;
  } else if (name == "disc" || name == "shell") {
    const double radius = sizes.number("radius", .5);
    const int cells = sizes.count("cells", 10);
    shape.cloth = name == "disc" ? make_disc(radius, cells) : make_shell(radius, cells);
    shape.is_cloth = true;
  } else if (name == "rod") {
    const double length = sizes.number("length", 1), thickness = sizes.number("thickness", .05);
    const int cells = sizes.count("cells", 20);
    if (of_springs(model) || model == "rope")
      draw_line(shape, length, thickness, cells);
    else
      shape.tets = make_rod(length, thickness, cells);
  } else if (name == "sphere") {
    const double radius = sizes.number("radius", .5);
    shape.tets = make_sphere(radius, sizes.number("spacing", radius / 4), &report);
  } else if (name == "torus" || name == "knot") {
    const double radius = sizes.number("radius", .5), tube = sizes.number("tube", .15);
    const double spacing = sizes.number("spacing", tube / 2);
    shape.tets = name == "torus" ? make_torus(radius, tube, spacing, &report)
                                 : make_knot(radius, tube, spacing, &report);
  } else if (name == "hare") {
    const double height = sizes.number("height", 1);
    shape.tets = make_hare(height, sizes.number("spacing", height / 12), &report);
  } else {
    const double size = sizes.number("size", 1);
    shape.tets = make_blob(size, sizes.number("spacing", size / 12), &report);
  }
  for (const std::string& w : report.warnings) warnings.push_back("'" + place + "': " + w);
  if (geometry.contains("skin")) load_skin(shape, sizes.text("skin"), sources, place, warnings);
  sizes.finish(name.empty() ? "a file" : "the shape '" + name + "'");
  return shape;
}

void make_quadratic(const std::string& place, BodyShape& shape) {
  if (shape.is_cloth)
    throw Error("'" + place + ".element' quadratic is for bodies of tets, not for cloth and rods");
  if (!shape.attributes.empty() || !shape.animation.number.empty())
    throw Error("'" + place +
                ".element' quadratic does not know what the points of a file say about themselves; take the "
                "attributes out or choose linear");
  QuadraticMesh mesh = quadratic_mesh(shape.tets);
  shape.quadratic = std::move(mesh.elements);
  shape.tets = std::move(mesh.shown);
  if (shape.skin) shape.skin = std::make_shared<EmbeddedSkin>(shape.skin->bound_to(shape.tets));
}

}  // namespace verve
