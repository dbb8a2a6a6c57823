#include "formats/Medit.h"

#include "formats/MeshFileCursor.h"
#include "formats/MeshFileWriter.h"

namespace verve {
namespace {

// Sections that may be passed over, and how many numbers an entry of theirs has.
int numbers_of(std::string_view section) {
  constexpr struct {
    const char* name;
    int numbers;
  } known[] = {{"Edges", 3},
               {"Corners", 1},
               {"Ridges", 1},
               {"RequiredVertices", 1},
               {"RequiredEdges", 1},
               {"Normals", 3},
               {"Tangents", 3},
               {"NormalAtVertices", 2},
               {"RequiredTriangles", 1},
               {"TangentAtVertices", 2},
               {"NormalAtTriangleVertices", 3}};
  for (const auto& k : known)
    if (section == k.name) return k.numbers;
  return 0;
}

template <std::size_t N>
void read_elements(MeshFileCursor& in, const char* element, std::size_t points,
                   std::vector<std::array<int, N>>& out) {
  const std::size_t count = in.require_room(in.integer("the number of elements"), 2 * N, "elements");
  for (std::size_t i = 0; i < count; ++i) {
    std::array<int, N> corners;
    for (int& c : corners) c = in.index(in.integer("a corner"), 1, points, element, i + 1);
    in.integer("a reference");
    out.push_back(corners);
  }
}

}  // namespace

MeshFile read_medit(const std::string& path) {
  MeshFileCursor in(path);
  in.skip_comments('#');
  if (in.word("MeshVersionFormatted") != "MeshVersionFormatted")
    in.fail("not a Medit mesh; the first word should be MeshVersionFormatted");
  in.integer("the version");
  MeshFile file;
  bool ended = false;
  while (!ended && in.more()) {
    const std::string section(in.word("a section"));
    if (section == "End") {
      ended = true;
    } else if (section == "Dimension") {
      if (in.integer("the dimension") != 3) in.fail("the mesh must have three dimensions");
    } else if (section == "Vertices") {
      const std::size_t count = in.require_room(in.integer("the number of points"), 7, "points");
      for (std::size_t i = 0; i < count; ++i) {
        const double x = in.number("x"), y = in.number("y"), z = in.number("z");
        file.points.emplace_back(x, y, z);
        in.number("a reference");
      }
    } else if (section == "Triangles") {
      read_elements(in, "triangle", file.points.size(), file.triangles);
    } else if (section == "Tetrahedra") {
      read_elements(in, "tet", file.points.size(), file.tets);
    } else if (const int numbers = numbers_of(section)) {
      const std::size_t count = in.require_room(in.integer("a count"), std::size_t(numbers), "entries");
      for (std::size_t i = 0; i < count * std::size_t(numbers); ++i) in.number("a number");
    } else {
      in.fail("section " + section.substr(0, 32) + " is not known; the solver reads tets and triangles only");
    }
  }
  if (!ended) in.fail("the file ends before 'End'; it is truncated");
  return file;
}

void write_medit(const std::string& path, const TetMesh& mesh) {
  MeshFileWriter out(path, false);
  out.text("MeshVersionFormatted 2\nDimension 3\nVertices\n" + std::to_string(mesh.points.size()) + "\n");
  for (const Vec3& p : mesh.points) out.values(p).value(0).end_row();
  out.text("Tetrahedra\n" + std::to_string(mesh.tets.size()) + "\n");
  for (const auto& t : mesh.tets) {
    for (int p : t) out.value(p + 1);
    out.value(0).end_row();
  }
  out.text("End\n");
  out.close();
}

}  // namespace verve
