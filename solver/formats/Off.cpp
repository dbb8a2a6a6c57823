#include "formats/Off.h"

#include "formats/MeshFileCursor.h"
#include "formats/MeshFileWriter.h"

namespace verve {

MeshFile read_off(const std::string& path) {
  MeshFileCursor in(path);
  in.skip_comments('#');
  const std::string_view head = in.word("OFF");
  if (head != "OFF" && head != "COFF" && head != "NOFF" && head != "CNOFF")
    in.fail("not an .off surface; the first word should be OFF");
  std::string_view rest = in.line();
  if (cut_word(rest) == "BINARY") in.fail("binary .off files are not known here; save as text");
  const std::size_t points = in.require_room(in.integer("the number of points"), 6, "points");
  const std::size_t faces = in.require_room(in.integer("the number of faces"), 4, "faces");
  in.line();
  MeshFile file;
  for (std::size_t i = 0; i < points; ++i) {
    const double x = in.number("x"), y = in.number("y"), z = in.number("z");
    file.points.emplace_back(x, y, z);
    in.line();
  }
  std::vector<int> corners;
  for (std::size_t i = 0; i < faces; ++i) {
    const std::size_t count = in.require_room(in.integer("a face's number of corners"), 2, "corners");
    corners.clear();
    for (std::size_t c = 0; c < count; ++c)
      corners.push_back(in.index(in.integer("a corner"), 0, points, "face", i));
    add_polygon(file, corners);
    in.line();
  }
  return file;
}

void write_off(const std::string& path, const TriangleMesh& mesh) {
  MeshFileWriter out(path, false);
  out.text("OFF\n" + std::to_string(mesh.points.size()) + " " + std::to_string(mesh.triangles.size()) +
           " 0\n");
  for (const Vec3& p : mesh.points) out.values(p).end_row();
  for (const auto& t : mesh.triangles) {
    out.text("3 ");
    for (int p : t) out.value(p);
    out.end_row();
  }
  out.close();
}

}  // namespace verve
