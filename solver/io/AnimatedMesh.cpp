#include "io/AnimatedMesh.h"

#include <algorithm>

#include "base/Error.h"
#include "base/Fingerprint.h"
#include "io/GeometryFile.h"
#include "io/GeometryMesh.h"
#include "io/SequenceFile.h"
#include "mesh/MeshGeometry.h"
#include "simulation/PointAttributes.h"

namespace verve {
namespace {

struct Frames {
  std::vector<int> number;
  std::vector<std::vector<Vec3>> points;

  void at(double frame, std::vector<Vec3>& out) const {
    const auto after = std::upper_bound(number.begin(), number.end(), frame);
    if (after == number.begin() || after == number.end()) {
      out = after == number.end() ? points.back() : points.front();
      return;
    }
    const std::size_t i = std::size_t(after - number.begin());
    const double share = (frame - number[i - 1]) / (number[i] - number[i - 1]);
    out.resize(points[i].size());
    for (std::size_t p = 0; p < out.size(); ++p)
      out[p] = (1.0 - share) * points[i - 1][p] + share * points[i][p];
  }
};

TriangleMesh scaled(TriangleMesh mesh, const Vec3& scale) {
  for (Vec3& p : mesh.points) p = p.cwiseProduct(scale);
  return mesh;
}

bool is_sequence(const std::string& path) {
  const auto ends = [&](const std::string& ending) {
    return path.size() > ending.size() &&
           path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
  };
  return path.find("$F") != std::string::npos || ends(".usda") || ends(".pvd");
}

template <class T>
void add(Fingerprint& sum, const std::vector<T>& values) {
  sum.add(values.data(), values.size() * sizeof(T));
}

/// The surface of a geometry, and what multiplies contact at its points.
void read_surface(const Geometry& geometry, const std::string& name, AnimatedMesh& out) {
  MeshFile file = mesh_of(geometry);
  std::vector<double> stiffness, friction;
  try {
    stiffness = point_multipliers(geometry, "collisionstiffness");
    if (stiffness.empty()) stiffness = point_multipliers(geometry, "stiffness");
    friction = point_multipliers(geometry, "friction");
  } catch (const Error& error) {
    throw Error(name + ": " + error.what());
  }
  if (file.triangles.empty() && !file.tets.empty()) {
    std::vector<int> point_of;
    out.mesh =
        std::make_shared<TriangleMesh>(surface({std::move(file.points), std::move(file.tets)}, &point_of));
    for (std::vector<double>* values : {&stiffness, &friction}) {
      if (values->empty()) continue;
      std::vector<double> kept;
      for (int p : point_of) kept.push_back((*values)[std::size_t(p)]);
      *values = std::move(kept);
    }
  } else {
    out.mesh = std::make_shared<TriangleMesh>(triangle_mesh_of(std::move(file), name));
  }
  out.stiffness = std::move(stiffness);
  out.friction = std::move(friction);
}

}  // namespace

AnimatedMesh load_animated_mesh(const std::string& path, const Vec3& scale) {
  Fingerprint sum;
  const auto finish = [&](AnimatedMesh& result) -> AnimatedMesh& {
    add(sum, result.mesh->triangles), add(sum, result.stiffness), add(sum, result.friction);
    result.fingerprint = sum.value();
    return result;
  };
  if (!is_sequence(path)) {
    AnimatedMesh still;
    if (has_attributes(path))
      read_surface(read_geometry(path), path, still);
    else
      still.mesh = std::make_shared<TriangleMesh>(load_triangle_mesh(path));
    still.mesh = std::make_shared<TriangleMesh>(scaled(*still.mesh, scale));
    add(sum, still.mesh->points);
    return finish(still);
  }
  const auto source = open_sequence(path, nullptr);
  auto frames = std::make_shared<Frames>();
  AnimatedMesh result;
  for (std::size_t i = 0; i < source->count(); ++i) {
    const std::string name = path + ": frame " + std::to_string(source->frame(i));
    AnimatedMesh read;
    read_surface(source->read(i), name, read);
    TriangleMesh mesh = scaled(*read.mesh, scale);
    if (i == 0)
      result = std::move(read), result.mesh = std::make_shared<TriangleMesh>(mesh);
    else if (mesh.triangles != result.mesh->triangles || mesh.points.size() != result.mesh->points.size())
      throw Error(name + " has " + std::to_string(mesh.points.size()) + " points and " +
                  std::to_string(mesh.triangles.size()) + " triangles that are not those of frame " +
                  std::to_string(source->frame(0)) + "; a collider keeps its topology");
    for (std::size_t p = 0; p < mesh.points.size(); ++p)
      if (!mesh.points[p].allFinite())
        throw Error(name + ": point " + std::to_string(p) + " has a position that is not a number");
    frames->number.push_back(source->frame(i));
    sum.add(&frames->number.back(), sizeof(int));
    add(sum, mesh.points);
    frames->points.push_back(std::move(mesh.points));
  }
  if (frames->points.size() > 1)
    result.at = [frames](double frame, std::vector<Vec3>& out) { frames->at(frame, out); };
  return finish(result);
}

}  // namespace verve
