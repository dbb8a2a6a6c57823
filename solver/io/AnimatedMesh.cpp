#include "io/AnimatedMesh.h"

#include <algorithm>

#include "base/Error.h"
#include "io/GeometryMesh.h"
#include "io/SequenceFile.h"

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

}  // namespace

AnimatedMesh load_animated_mesh(const std::string& path, const Vec3& scale) {
  if (!is_sequence(path))
    return {std::make_shared<TriangleMesh>(scaled(load_triangle_mesh(path), scale)), {}};
  const auto source = open_sequence(path, nullptr);
  auto frames = std::make_shared<Frames>();
  AnimatedMesh result;
  for (std::size_t i = 0; i < source->count(); ++i) {
    const std::string name = path + ": frame " + std::to_string(source->frame(i));
    TriangleMesh mesh = scaled(triangle_mesh_of(mesh_of(source->read(i)), name), scale);
    if (i == 0)
      result.mesh = std::make_shared<TriangleMesh>(mesh);
    else if (mesh.triangles != result.mesh->triangles || mesh.points.size() != result.mesh->points.size())
      throw Error(name + " has " + std::to_string(mesh.points.size()) + " points and " +
                  std::to_string(mesh.triangles.size()) + " triangles that are not those of frame " +
                  std::to_string(source->frame(0)) + "; a collider keeps its topology");
    for (std::size_t p = 0; p < mesh.points.size(); ++p)
      if (!mesh.points[p].allFinite())
        throw Error(name + ": point " + std::to_string(p) + " has a position that is not a number");
    frames->number.push_back(source->frame(i));
    frames->points.push_back(std::move(mesh.points));
  }
  if (frames->points.size() > 1)
    result.at = [frames](double frame, std::vector<Vec3>& out) { frames->at(frame, out); };
  return result;
}

}  // namespace verve
