#include "formats/Vtk.h"

#include "formats/MeshFileWriter.h"
#include "formats/VtkCells.h"

namespace verve {
namespace {

class VtkReader {
 public:
  explicit VtkReader(const std::string& path) : in_(path) {}

  MeshFile read() {
    if (in_.line().substr(0, 5) != "# vtk")
      in_.fail("not a .vtk file; it should begin with '# vtk DataFile'");
    in_.line();
    const std::string_view kind = in_.word("ASCII or BINARY");
    if (kind != "ASCII" && kind != "BINARY") in_.fail("expected ASCII or BINARY");
    binary_ = kind == "BINARY";
    bool points = false;
    while (in_.more()) {
      const std::string section(in_.word("a section"));
      if (section == "POINT_DATA" || section == "CELL_DATA") break;
      if (section == "DATASET") {
        const std::string set(in_.word("the kind of data"));
        if (set != "UNSTRUCTURED_GRID" && set != "POLYDATA")
          in_.fail("the file holds " + set.substr(0, 32) + "; save an unstructured grid of tets");
      } else if (section == "POINTS") {
        read_points();
        points = true;
      } else if (section == "CELLS") {
        read_cells(cells_);
      } else if (section == "CELL_TYPES") {
        const std::size_t count =
            in_.require_room(in_.integer("the number of cells"), item_bytes(4), "cells");
        end_line();
        for (std::size_t i = 0; i < count; ++i) cells_.types.push_back(integer(4));
      } else if (section == "POLYGONS") {
        VtkCells polygons;
        read_cells(polygons);
        polygons.types.assign(polygons.ends.size(), 7);
        add_vtk_cells(polygons, 0, in_, file_);
      } else if (section == "VERTICES" || section == "LINES") {
        VtkCells passed_over;
        read_cells(passed_over);
      } else if (section == "METADATA") {
        in_.line();
        while (!in_.left().empty() && !in_.line().empty()) continue;
      } else {
        in_.fail("section " + section.substr(0, 32) + " is not known; save an unstructured grid of tets");
      }
    }
    if (!points) in_.fail("the file has no points; it is truncated or not a mesh");
    add_vtk_cells(cells_, 0, in_, file_);
    return std::move(file_);
  }

 private:
  void end_line() {
    if (binary_) in_.line();
  }

  std::size_t item_bytes(std::size_t in_binary) const { return binary_ ? in_binary : 1; }

  // Binary files are big-endian.
  std::int64_t integer(int bytes) {
    if (!binary_) return in_.integer("a whole number");
    return bytes == 8 ? in_.binary<std::int64_t>("a number", true)
                      : in_.binary<std::int32_t>("a number", true);
  }

  void read_points() {
    const std::int64_t announced = in_.integer("the number of points");
    const std::string_view type = in_.word("the type of the points");
    if (type != "float" && type != "double") in_.fail("points must be float or double");
    const bool wide = type == "double";
    end_line();
    const std::size_t count = in_.require_room(announced, binary_ ? (wide ? 24 : 12) : 5, "points");
    for (std::size_t i = 0; i < count; ++i) {
      Vec3 p;
      for (int axis = 0; axis < 3; ++axis)
        p[axis] = !binary_ ? in_.number("a coordinate")
                  : wide   ? in_.binary<double>("a coordinate", true)
                           : double(in_.binary<float>("a coordinate", true));
      file_.points.push_back(p);
    }
  }

  void read_cells(VtkCells& cells) {
    const std::int64_t first = in_.integer("the number of cells"),
                       second = in_.integer("the size of the list");
    in_.line();
    // Version 5 gives two arrays, of one more offset than cells; older ones a list of counts and points.
    if (in_.left().substr(0, 7) == "OFFSETS") {
      read_array("OFFSETS", first, cells.ends);
      if (!cells.ends.empty()) cells.ends.erase(cells.ends.begin());
      read_array("CONNECTIVITY", second, cells.connectivity);
      return;
    }
    const std::size_t size = in_.require_room(second, item_bytes(4), "entries of cells");
    std::size_t done = 0;
    for (std::int64_t i = 0; i < first && done < size; ++i) {
      const std::int64_t count = integer(4);
      if (count < 0 || std::uint64_t(count) > size - done - 1)
        in_.fail("a cell has a damaged number of points");
      for (std::int64_t k = 0; k < count; ++k) cells.connectivity.push_back(integer(4));
      cells.ends.push_back(std::int64_t(cells.connectivity.size()));
      done += std::size_t(count) + 1;
    }
    if (std::int64_t(cells.ends.size()) != first) in_.fail("there are fewer cells than announced");
  }

  void read_array(const char* name, std::int64_t announced, std::vector<std::int64_t>& out) {
    if (in_.word(name) != name) in_.fail(std::string("expected ") + name);
    const int bytes = in_.word("the type of an array") == "vtktypeint64" ? 8 : 4;
    end_line();
    const std::size_t count = in_.require_room(announced, item_bytes(std::size_t(bytes)), "entries of cells");
    for (std::size_t i = 0; i < count; ++i) out.push_back(integer(bytes));
  }

  MeshFileCursor in_;
  bool binary_ = false;
  VtkCells cells_;
  MeshFile file_;
};

}  // namespace

MeshFile read_vtk(const std::string& path) {
  return VtkReader(path).read();
}

void write_vtk(const std::string& path, const TetMesh& mesh) {
  MeshFileWriter out(path, false);
  const std::string tets = std::to_string(mesh.tets.size());
  out.text("# vtk DataFile Version 3.0\nverve\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " +
           std::to_string(mesh.points.size()) + " double\n");
  for (const Vec3& p : mesh.points) out.values(p).end_row();
  out.text("CELLS " + tets + " " + std::to_string(5 * mesh.tets.size()) + "\n");
  for (const auto& t : mesh.tets) {
    out.value(4);
    for (int p : t) out.value(p);
    out.end_row();
  }
  out.text("CELL_TYPES " + tets + "\n");
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) out.value(10).end_row();
  out.close();
}

}  // namespace verve
