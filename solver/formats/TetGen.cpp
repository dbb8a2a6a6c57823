#include "formats/TetGen.h"

#include "formats/MeshFileCursor.h"
#include "formats/MeshFileWriter.h"

namespace verve {
namespace {

std::string with_ending(const std::string& path, const char* ending) {
  return path.substr(0, path.rfind('.')) + ending;
}

}  // namespace

MeshFile read_tetgen(const std::string& path) {
  MeshFile file;
  MeshFileCursor nodes(with_ending(path, ".node"));
  nodes.skip_comments('#');
  const std::size_t points = nodes.require_room(nodes.integer("the number of points"), 7, "points");
  if (nodes.integer("the dimension") != 3) nodes.fail("the points must have three dimensions");
  nodes.line();
  std::int64_t first = 0;
  for (std::size_t i = 0; i < points; ++i) {
    const std::int64_t number = nodes.integer("a point's number");
    if (i == 0) first = number;
    if (first != 0 && first != 1) nodes.fail("points are counted from 0 or 1");
    if (number != first + std::int64_t(i)) nodes.fail("the points are not in the order of their numbers");
    const double x = nodes.number("x"), y = nodes.number("y"), z = nodes.number("z");
    file.points.emplace_back(x, y, z);
    nodes.line();
  }

  MeshFileCursor elements(with_ending(path, ".ele"));
  elements.skip_comments('#');
  const std::size_t tets = elements.require_room(elements.integer("the number of tets"), 9, "tets");
  if (elements.integer("the number of corners") != 4)
    elements.fail("tets must have four corners; export them without curved edges (order 1)");
  elements.line();
  for (std::size_t i = 0; i < tets; ++i) {
    elements.integer("a tet's number");
    std::array<int, 4> tet;
    for (int& corner : tet) corner = elements.index(elements.integer("a corner"), first, points, "tet", i);
    file.tets.push_back(tet);
    elements.line();
  }
  return file;
}

void write_tetgen(const std::string& path, const TetMesh& mesh) {
  MeshFileWriter nodes(with_ending(path, ".node"), false), elements(with_ending(path, ".ele"), false);
  nodes.text(std::to_string(mesh.points.size()) + " 3 0 0\n");
  for (std::size_t i = 0; i < mesh.points.size(); ++i) nodes.value(int(i)).values(mesh.points[i]).end_row();
  elements.text(std::to_string(mesh.tets.size()) + " 4 0\n");
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    elements.value(int(i));
    for (int p : mesh.tets[i]) elements.value(p);
    elements.end_row();
  }
  nodes.close();
  elements.close();
}

}  // namespace verve
