#include "formats/Gmsh.h"

#include <cstdint>
#include <fstream>
#include <unordered_map>

#include "base/Error.h"
#include "formats/MeshFileCursor.h"
#include "formats/MeshFileWriter.h"

namespace verve {
namespace {

struct Kind {
  int points;       // 0: not a kind of element we can read
  const char* why;  // null when the element is used or may be passed over
};

Kind kind_of(int type) {
  constexpr const char* curved = "curved (higher-order) elements; export the mesh with order 1";
  constexpr const char* other = "hexahedra, prisms or pyramids; export tets only";
  switch (type) {
    case 1:
      return {2, nullptr};
    case 2:
      return {3, nullptr};
    case 3:
      return {4, "quadrilaterals; export triangles or tets"};
    case 4:
      return {4, nullptr};
    case 5:
      return {8, other};
    case 6:
      return {6, other};
    case 7:
      return {5, other};
    case 8:
      return {3, curved};
    case 9:
      return {6, curved};
    case 11:
      return {10, curved};
    case 15:
      return {1, nullptr};
    default:
      return {0, nullptr};
  }
}

class GmshReader {
 public:
  explicit GmshReader(const std::string& path) : in_(path) {}

  MeshFile read() {
    if (!in_.more() || in_.word("$MeshFormat") != "$MeshFormat")
      in_.fail("not a Gmsh mesh; the first word should be $MeshFormat");
    read_format();
    bool nodes = false, elements = false;
    while (in_.more()) {
      const std::string section(in_.word("a section"));
      if (section == "$Nodes") {
        version_ < 4 ? read_nodes_2() : read_nodes_4();
        nodes = true;
      } else if (section == "$Elements") {
        if (!nodes) in_.fail("the elements come before the nodes; the file is damaged");
        version_ < 4 ? read_elements_2() : read_elements_4();
        elements = true;
      } else {
        skip(section);
        continue;
      }
      expect("$End" + section.substr(1));
    }
    if (!nodes) in_.fail("the file has no $Nodes section; it is truncated or not a mesh");
    if (!elements) in_.fail("the file has no $Elements section; it is truncated or not a mesh");
    drop_marks();
    return std::move(out_);
  }

 private:
  // Text and binary files hold the same numbers in the same order; only their spelling differs.
  std::int64_t integer(const char* what) {
    return binary_ ? in_.binary<std::int32_t>(what, swapped_) : in_.integer(what);
  }
  std::int64_t size(const char* what) {
    return binary_ ? in_.binary<std::int64_t>(what, swapped_) : in_.integer(what);
  }
  double real(const char* what) { return binary_ ? in_.binary<double>(what, swapped_) : in_.number(what); }
  // Tags grew from int to size_t with version 4.1.
  std::int64_t tag(const char* what) { return version_ > 4.05 ? size(what) : integer(what); }
  std::size_t bytes(std::size_t in_binary, std::size_t in_text) const {
    return binary_ ? in_binary : in_text;
  }

  void read_format() {
    version_ = in_.number("the format's version");
    if (!(version_ >= 2 && version_ < 3) && !(version_ >= 4 && version_ < 4.2))
      in_.fail("version " + std::to_string(version_) +
               " of the Gmsh format is not known; save as 2.2 or 4.1");
    binary_ = in_.integer("the file type") != 0;
    if (in_.integer("the size of a number") != 8)
      in_.fail("numbers must be 8 bytes wide; save the mesh again");
    if (binary_) {
      end_line();
      const int one = in_.binary<std::int32_t>("the byte order");
      if (one != 1 && one != 0x01000000) in_.fail("the byte order mark is damaged");
      swapped_ = one != 1;
    }
    expect("$EndMeshFormat");
  }

  // Binary data begins right after the line that announces it.
  void end_line() {
    if (binary_) in_.line();
  }

  void expect(const std::string& marker) {
    if (in_.word(marker.c_str()) != marker)
      in_.fail("expected " + marker + "; the section before is damaged");
  }

  void skip(const std::string& section) {
    if (section.size() < 2 || section[0] != '$')
      in_.fail("expected a section such as $Nodes; the file is damaged");
    const std::string end = "$End" + section.substr(1);
    const std::size_t found = in_.left().find(end);
    if (found == std::string_view::npos)
      in_.fail("section " + section + " has no end; the file is truncated");
    in_.move_to(in_.place() + found + end.size());
  }

  void add_node(std::int64_t node_tag) {
    if (!index_.emplace(node_tag, int(index_.size())).second)
      in_.fail("node " + std::to_string(node_tag) + " is there twice");
  }

  void add_position() {
    const double x = real("x"), y = real("y"), z = real("z");
    out_.points.emplace_back(x, y, z);
  }

  void read_nodes_2() {
    const std::size_t count = in_.require_room(in_.integer("the number of nodes"), bytes(28, 7), "nodes");
    end_line();
    index_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      add_node(integer("a node's number"));
      add_position();
    }
  }

  void read_nodes_4() {
    end_line();
    const std::int64_t blocks = size("the number of blocks");
    const std::size_t count = in_.require_room(size("the number of nodes"), bytes(28, 7), "nodes");
    if (version_ > 4.05) size("the smallest tag"), size("the largest tag");
    index_.reserve(count);
    for (std::int64_t b = 0; b < blocks; ++b) {
      int dimension = int(integer("a block's dimension"));
      const std::int64_t second = integer("a block's entity");
      if (version_ < 4.05) dimension = int(second);
      const bool parametric = integer("whether a block is parametric") != 0;
      if (dimension < 0 || dimension > 3) in_.fail("a block of nodes has no dimension from 0 to 3");
      const std::size_t nodes =
          in_.require_room(size("a block's node count"), bytes(28, 7), "nodes in a block");
      if (version_ > 4.05)
        for (std::size_t i = 0; i < nodes; ++i) add_node(tag("a node's tag"));
      for (std::size_t i = 0; i < nodes; ++i) {
        if (version_ < 4.05) add_node(tag("a node's tag"));
        add_position();
        for (int u = 0; parametric && u < dimension; ++u) real("a parameter");
      }
    }
    if (out_.points.size() != count) in_.fail("the blocks of nodes do not add up to the announced number");
  }

  void read_elements_2() {
    const std::size_t count =
        in_.require_room(in_.integer("the number of elements"), bytes(8, 5), "elements");
    end_line();
    for (std::size_t done = 0; done < count;) {
      const std::int64_t first = integer("an element");
      const int type = int(binary_ ? first : integer("an element's type"));
      const std::int64_t block = binary_ ? integer("a block's length") : 1;
      const std::int64_t tags = integer("an element's number of tags");
      if (block < 1 || std::uint64_t(block) > count - done) in_.fail("a block of elements is too long");
      in_.require_room(tags, bytes(4, 2), "tags");
      for (std::int64_t i = 0; i < block; ++i) {
        const std::int64_t number = binary_ ? integer("an element's number") : first;
        for (std::int64_t t = 0; t < tags; ++t) integer("a tag");
        read_element(type, number);
      }
      done += std::size_t(block);
    }
  }

  void read_elements_4() {
    end_line();
    const std::int64_t blocks = size("the number of blocks");
    const std::size_t count = in_.require_room(size("the number of elements"), bytes(8, 3), "elements");
    if (version_ > 4.05) size("the smallest tag"), size("the largest tag");
    std::size_t done = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      integer("a block's dimension"), integer("a block's entity");
      const int type = int(integer("a block's element type"));
      const std::size_t block =
          in_.require_room(size("a block's element count"), bytes(8, 3), "elements in a block");
      for (std::size_t i = 0; i < block; ++i) read_element(type, tag("an element's tag"));
      done += block;
    }
    if (done != count) in_.fail("the blocks of elements do not add up to the announced number");
  }

  void read_element(int type, std::int64_t number) {
    const Kind kind = kind_of(type);
    if (kind.points == 0)
      in_.fail("element " + std::to_string(number) + " is of the unknown type " + std::to_string(type));
    if (kind.why) in_.fail("element " + std::to_string(number) + ": the mesh has " + kind.why);
    std::array<int, 4> corners{};
    for (int i = 0; i < kind.points; ++i) {
      const std::int64_t node = tag("an element's node");
      const auto found = index_.find(node);
      if (found == index_.end())
        in_.fail("element " + std::to_string(number) + " uses node " + std::to_string(node) +
                 ", which does not exist");
      corners[i] = found->second;
    }
    if (type == 4) out_.tets.push_back(corners);
    if (type == 2) out_.triangles.push_back({corners[0], corners[1], corners[2]});
    if (type == 1 || type == 15) marks_.insert(marks_.end(), corners.begin(), corners.begin() + kind.points);
  }

  // Nodes that only marks of the geometry use, such as the centres of arcs, go with them.
  void drop_marks() {
    std::vector<char> dropped(out_.points.size(), 0);
    for (int p : marks_) dropped[p] = 1;
    const auto keep = [&](auto& list) {
      for (const auto& e : list)
        for (int p : e) dropped[p] = 0;
    };
    keep(out_.tets);
    keep(out_.triangles);
    std::vector<int> renumbered(out_.points.size());
    int kept = 0;
    for (std::size_t i = 0; i < dropped.size(); ++i) {
      renumbered[i] = kept;
      if (!dropped[i]) out_.points[kept++] = out_.points[i];
    }
    out_.points.resize(kept);
    const auto renumber = [&](auto& list) {
      for (auto& e : list)
        for (int& p : e) p = renumbered[p];
    };
    renumber(out_.tets);
    renumber(out_.triangles);
  }

  MeshFileCursor in_;
  double version_ = 0;
  bool binary_ = false, swapped_ = false;
  std::unordered_map<std::int64_t, int> index_;
  std::vector<int> marks_;  // nodes of elements that are passed over
  MeshFile out_;
};

}  // namespace

MeshFile read_gmsh(const std::string& path) {
  return GmshReader(path).read();
}

void write_gmsh(const std::string& path, const TetMesh& mesh, bool binary) {
  MeshFileWriter out(path, binary);
  out.text("$MeshFormat\n2.2 ").text(binary ? "1" : "0").text(" 8\n");
  if (binary) out.value(std::int32_t(1)).text("\n");
  out.text("$EndMeshFormat\n$Nodes\n").text(std::to_string(mesh.points.size())).text("\n");
  for (std::size_t i = 0; i < mesh.points.size(); ++i)
    out.value(std::int32_t(i + 1)).values(mesh.points[i]).end_row();
  if (binary) out.text("\n");
  out.text("$EndNodes\n$Elements\n").text(std::to_string(mesh.tets.size())).text("\n");
  if (binary && !mesh.tets.empty())
    out.value(std::int32_t(4)).value(std::int32_t(mesh.tets.size())).value(std::int32_t(2));
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    out.value(std::int32_t(i + 1));
    if (!binary) out.value(std::int32_t(4)).value(std::int32_t(2));
    out.value(std::int32_t(1)).value(std::int32_t(1));
    for (int p : mesh.tets[i]) out.value(std::int32_t(p + 1));
    out.end_row();
  }
  if (binary) out.text("\n");
  out.text("$EndElements\n");
  out.close();
}

}  // namespace verve
