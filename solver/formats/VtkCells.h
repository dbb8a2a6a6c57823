// The cells of VTK's files, old and new.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/MeshFile.h"
#include "formats/MeshFileCursor.h"

namespace verve {

/// Cells as VTK lists them: cell i has the entries of `connectivity` from ends[i - 1] up to ends[i].
struct VtkCells {
  std::vector<std::int64_t> connectivity;
  std::vector<std::int64_t> ends;
  std::vector<std::int64_t> types;
};

/// Adds tets, triangles and polygons, whose points count from `first_point` within the file; points and lines
/// are passed over, other cells are Errors.
void add_vtk_cells(const VtkCells& cells, std::size_t first_point, const MeshFileCursor& in, MeshFile& file);

}  // namespace verve
