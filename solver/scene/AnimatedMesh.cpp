#include "scene/AnimatedMesh.h"

#include <algorithm>

#include "base/Error.h"
#include "base/Fingerprint.h"
#include "io/GeometryFile.h"
#include "io/GeometryMesh.h"
#include "io/MeshFiles.h"
#include "io/SequenceFile.h"
#include "mesh/MeshGeometry.h"
#include "scene/SceneSources.h"

namespace verve {
namespace {

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
  const std::size_t size = values.size();
  sum.add(&size, sizeof size);
  sum.add(values.data(), size * sizeof(T));
}

std::array<std::vector<double>*, 3> lists(ColliderAttributes& a) {
  return {&a.stiffness, &a.friction, &a.dynamic_friction};
}

/// `sum` has the points of every frame.
AnimatedMesh finished(AnimatedMesh mesh, Fingerprint& sum) {
  add(sum, mesh.mesh->triangles);
  for (const auto* values : lists(mesh.attributes)) add(sum, *values);
  mesh.collision.add_to(sum);
  mesh.fingerprint = sum.value();
  return mesh;
}

/// The surface of a geometry, and what multiplies contact at its points.
void read_surface(const Geometry& geometry, const std::string& name, AnimatedMesh& out) {
  MeshFile file = mesh_of(geometry);
  try {
    out.attributes = collider_attributes(geometry);
    out.collision = collision_rules(geometry);
  } catch (const Error& error) {
    throw Error(name + ": " + error.what());
  }
  if (file.triangles.empty() && !file.tets.empty()) {
    std::vector<int> point_of;
    out.mesh =
        std::make_shared<TriangleMesh>(surface({std::move(file.points), std::move(file.tets)}, &point_of));
    for (std::vector<double>* values : lists(out.attributes)) {
      if (values->empty()) continue;
      std::vector<double> kept;
      for (int p : point_of) kept.push_back((*values)[std::size_t(p)]);
      *values = std::move(kept);
    }
  } else {
    out.mesh = std::make_shared<TriangleMesh>(triangle_mesh_of(std::move(file), name));
  }
}

}  // namespace

AnimatedMesh animated_mesh(const FrameSource& source, const std::string& path, const Vec3& scale) {
  Fingerprint sum;
  auto frames = std::make_shared<PointFrames>();
  AnimatedMesh result;
  for (std::size_t i = 0; i < source.count(); ++i) {
    const std::string name = source.count() > 1 ? path + ": frame " + std::to_string(source.frame(i)) : path;
    AnimatedMesh read;
    read_surface(source.read(i), name, read);
    TriangleMesh mesh = scaled(*read.mesh, scale);
    if (i == 0)
      result = std::move(read), result.mesh = std::make_shared<TriangleMesh>(mesh);
    else if (mesh.triangles != result.mesh->triangles || mesh.points.size() != result.mesh->points.size())
      throw Error(name + " has " + std::to_string(mesh.points.size()) + " points and " +
                  std::to_string(mesh.triangles.size()) + " triangles that are not those of frame " +
                  std::to_string(source.frame(0)) + "; a collider keeps its topology");
    for (std::size_t p = 0; p < mesh.points.size(); ++p)
      if (!mesh.points[p].allFinite())
        throw Error(name + ": point " + std::to_string(p) + " has a position that is not a number");
    frames->number.push_back(source.frame(i));
    sum.add(&frames->number.back(), sizeof(int));
    add(sum, mesh.points);
    frames->points.push_back(std::move(mesh.points));
  }
  if (frames->points.size() > 1)
    result.at = [frames](double frame, std::vector<Vec3>& out) { frames->at(frame, out); };
  return finished(std::move(result), sum);
}

AnimatedMesh load_animated_mesh(const std::string& path, const Vec3& scale) {
  if (is_sequence(path)) return animated_mesh(*open_sequence(path, nullptr), path, scale);
  AnimatedMesh still;
  if (has_attributes(path))
    read_surface(read_geometry(path), path, still);
  else
    still.mesh = std::make_shared<TriangleMesh>(load_triangle_mesh(path));
  still.mesh = std::make_shared<TriangleMesh>(scaled(*still.mesh, scale));
  Fingerprint sum;
  add(sum, still.mesh->points);
  return finished(std::move(still), sum);
}

void animate(AnimatedMesh& mesh, const FrameSource& points, const std::string& name, const Vec3& scale) {
  auto frames = std::make_shared<PointFrames>(read_point_frames(points, name, mesh.mesh->points.size()));
  Fingerprint sum;
  sum.add(&mesh.fingerprint, sizeof mesh.fingerprint);
  add(sum, frames->number);
  for (auto& frame : frames->points) {
    for (Vec3& p : frame) p = p.cwiseProduct(scale);
    add(sum, frame);
  }
  mesh.fingerprint = sum.value();
  TriangleMesh first = *mesh.mesh;
  first.points = frames->points.front();
  mesh.mesh = std::make_shared<TriangleMesh>(std::move(first));
  mesh.at = [frames](double frame, std::vector<Vec3>& out) { frames->at(frame, out); };
}

}  // namespace verve
