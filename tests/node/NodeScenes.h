// Geometry and parameters for the tests of nodes.
#pragma once

#include "mesh/Shapes.h"
#include "node/SolverNode.h"

namespace verve::test {

/// A block of tets, 1 x .25 x .25 m, as a host hands it over: P in single precision.
inline Geometry block(std::array<int, 3> cells = {4, 1, 1}, const Vec3& size = {1, .25, .25}) {
  const TetMesh mesh = make_box(size, cells);
  Geometry geometry;
  Vector x(3 * Eigen::Index(mesh.points.size()));
  for (std::size_t i = 0; i < mesh.points.size(); ++i) point(x, int(i)) = mesh.points[i];
  geometry.set_positions(x);
  for (const auto& tet : mesh.tets) geometry.add_primitive(PrimitiveType::Tetrahedron, tet);
  return geometry;
}

/// A sheet of quads in the plane y = height.
inline Geometry sheet(int cells, double size, double height = 0.0) {
  Geometry geometry;
  Vector x(3 * Eigen::Index((cells + 1) * (cells + 1)));
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i)
      point(x, j * (cells + 1) + i) =
          Vec3(size * (double(i) / cells - .5), height, size * (double(j) / cells - .5));
  geometry.set_positions(x);
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int a = j * (cells + 1) + i;
      geometry.add_primitive(PrimitiveType::Polygon,
                             std::array<int, 4>{a, a + cells + 1, a + cells + 2, a + 1});
    }
  return geometry;
}

inline void move(Geometry& geometry, const Vec3& by) {
  Vector x = geometry.positions();
  for (int i = 0; i < geometry.point_count; ++i) point(x, i) += by;
  geometry.set_positions(x);
}

inline ParameterValue number(double value) {
  return {{value}, ""};
}
inline ParameterValue word(const std::string& text) {
  return {{}, text};
}

/// A host: inputs as functions of the frame, and parameters.
struct Host {
  std::function<Geometry(int frame)> bodies = [](int) { return block(); };
  std::function<Geometry(int frame)> targets, colliders;
  std::function<NodeValues(int frame)> values = [](int) { return NodeValues{}; };
  std::vector<int> asked;  ///< the frames whose inputs the node wanted, in order

  NodeFrame at(int frame) {
    asked.push_back(frame);
    NodeFrame f;
    f.frame = frame;
    f.fps = 24;
    NodeValues given = values(frame);
    given.insert({"quality", word("exact")});  // what the tests hold it to
    f.settings = node_settings(given);
    f.bodies = std::make_shared<Geometry>(bodies(frame));
    if (targets) f.targets = std::make_shared<Geometry>(targets(frame));
    if (colliders) f.colliders = std::make_shared<Geometry>(colliders(frame));
    return f;
  }
  SolverNode::Source source() {
    return [this](int frame) { return at(frame); };
  }
};

/// The points whose x lies below `limit`, as an attribute that is 1 there.
inline void mark_left(Geometry& geometry, const char* name, double limit) {
  const Vector x = geometry.positions();
  auto& values = geometry.add<std::int32_t>(Owner::Point, name);
  for (int i = 0; i < geometry.point_count; ++i) values[std::size_t(i)] = x[3 * i] < limit;
}

}  // namespace verve::test
