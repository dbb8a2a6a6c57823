#include "formats/VtkCells.h"

namespace verve {
namespace {

constexpr int triangle = 5, strip = 6, polygon = 7, pixel = 8, quad = 9, tet = 10;

}  // namespace

void add_vtk_cells(const VtkCells& cells, std::size_t first_point, const MeshFileCursor& in, MeshFile& file) {
  if (cells.types.size() != cells.ends.size()) in.fail("the file does not have one type for each cell");
  std::vector<int> corners;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < cells.ends.size(); ++i) {
    const std::int64_t end = cells.ends[i];
    if (end < begin || std::uint64_t(end) > cells.connectivity.size())
      in.fail("cell " + std::to_string(i) + " has a damaged list of points");
    corners.clear();
    for (std::int64_t k = begin; k < end; ++k)
      corners.push_back(int(first_point) +
                        in.index(cells.connectivity[k], 0, file.points.size() - first_point, "cell", i));
    begin = end;
    const std::int64_t type = cells.types[i];
    if (type >= 0 && type <= 4) continue;
    if (type == tet && corners.size() == 4)
      file.tets.push_back({corners[0], corners[1], corners[2], corners[3]});
    else if (type == triangle || type == polygon || type == quad)
      add_polygon(file, corners);
    else if (type == strip || type == pixel)
      in.fail("cell " + std::to_string(i) + " is a triangle strip or pixel; save plain triangles");
    else
      in.fail("cell " + std::to_string(i) + " of type " + std::to_string(type) +
              " is no tet; save a mesh of straight tets or triangles");
  }
}

}  // namespace verve
