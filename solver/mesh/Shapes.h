// Regular shapes: blocks and rods of tets, sheets, discs and shells of triangles. All are centred at the
// origin.
#pragma once

#include <array>

#include "mesh/TetMesh.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// A block of size[0] x size[1] x size[2] metres cut into cells[0] x cells[1] x cells[2] boxes of 6 tets each
/// (Kuhn's division, mirrored from box to box, so that no diagonal is favoured).
TetMesh make_box(const Vec3& size, const std::array<int, 3>& cells);

/// A block `length` metres along the x axis and `thickness` across, with `cells` boxes along it and as many
/// across as keep them nearest to cubes, at least one.
TetMesh make_rod(double length, double thickness, int cells);

/// The points of a line `length` metres along the x axis, with `cells` segments.
std::vector<Vec3> make_line(double length, int cells);

/// A sheet of size[0] x size[1] metres in the xz plane, facing +y. The diagonals of its cells[0] x cells[1]
/// rectangles alternate, so that cloth made of it favours no direction.
TriangleMesh make_sheet(const std::array<double, 2>& size, const std::array<int, 2>& cells);

/// A disc in the xz plane, facing +y: `cells` rings of 6, 12, 18, ... points about its middle.
TriangleMesh make_disc(double radius, int cells);

/// A ball's surface, facing outwards: rings of 5, 10, 15, ... points from either pole to the equator, `cells`
/// of them, so that triangles are nearly equilateral everywhere.
TriangleMesh make_shell(double radius, int cells);

}  // namespace verve
