#include "io/fuzz/Formats.h"

#include <cstring>
#include <fstream>

#include "RandomGeometry.h"
#include "base/FileBytes.h"
#include "base/Fingerprint.h"
#include "bgeo/ScFile.h"
#include "formats/Gmsh.h"
#include "formats/Ply.h"
#include "formats/Vtu.h"
#include "io/GeometryFile.h"
#include "io/GeometryMesh.h"
#include "io/MeshFiles.h"
#include "io/SequenceFile.h"
#include "io/fuzz/SceneSeeds.h"
#include "mesh/MeshGeometry.h"
#include "mesh/Shapes.h"
#include "node/StepNode.h"
#include "scene/SceneFile.h"
#include "simulation/Checkpoint.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

using Bytes = std::vector<std::string>;

TetMesh some_tets() {
  return make_box({1, 2, 3}, {2, 1, 1});
}

/// Geometry and caches: all frames are opened, the last one is read.
FuzzedFormat cache(const std::string& ending) {
  FuzzedFormat f;
  f.name = ending;
  f.file = "a." + ending;
  f.some_refused = ending == "obj";  // which has no faces of one point
  f.seeds = [ending](const std::string& folder) {
    Bytes seeds;
    for (unsigned seed = 0; seed < 8; ++seed) {
      const std::string path = folder + "/seed." + ending;
      write_geometry(path, RandomGeometry(seed).make(20, false));
      seeds.push_back(read_bytes(path));
    }
    return seeds;
  };
  f.read = [](const std::string& path) {
    std::vector<std::string> warnings;
    const auto frames = open_sequence(path, &warnings);
    if (frames->count() > 0) check(frames->read(frames->count() - 1));
  };
  return f;
}

/// The document within an .sc file, which its compression would otherwise guard.
FuzzedFormat inside_sc() {
  FuzzedFormat f = cache("bgeo.sc");
  f.name = "inside bgeo.sc";
  f.seeds = [seeds = f.seeds](const std::string& folder) {
    Bytes documents;
    for (const std::string& file : seeds(folder)) documents.push_back(decompress_sc(file));
    return documents;
  };
  f.seal = [](const std::string& bytes) { return compress_sc(bytes); };
  return f;
}

FuzzedFormat list_of_frames() {
  FuzzedFormat f = cache("vtu");
  f.name = "pvd";
  f.file = "a.pvd";
  f.seeds = [](const std::string& folder) {
    write_geometry(folder + "/b.vtu", RandomGeometry(1).make(20, false));
    return Bytes{write_pvd({{0.0, "b.vtu"}, {0.5, "b.vtu"}})};
  };
  return f;
}

/// Meshes: read as the program does for bodies and for colliders.
FuzzedFormat mesh(const std::string& ending, std::function<void(const std::string& path, int kind)> write,
                  int kinds) {
  FuzzedFormat f;
  f.name = ending;
  f.file = "a." + ending;
  f.seeds = [=](const std::string& folder) {
    Bytes seeds;
    for (int kind = 0; kind < kinds; ++kind) {
      const std::string path = folder + "/a." + ending;
      write(path, kind);
      seeds.push_back(read_bytes(path));
    }
    return seeds;
  };
  f.read = [](const std::string& path) {
    std::vector<std::string> warnings;
    const MeshFile file = load_mesh(path, &warnings);
    check(geometry_of(file));
    if (!file.tets.empty()) tet_mesh_of(file, path, &warnings);
    triangle_mesh_of(file, path);
  };
  return f;
}

FuzzedFormat tet_mesh(const std::string& ending) {
  return mesh(
      ending, [](const std::string& path, int) { save_tet_mesh(path, some_tets()); }, 1);
}

FuzzedFormat surface_mesh(const std::string& ending) {
  return mesh(
      ending, [](const std::string& path, int) { save_triangle_mesh(path, surface(some_tets())); }, 1);
}

FuzzedFormat text_mesh(const std::string& ending, const char* text) {
  FuzzedFormat f = tet_mesh(ending);
  f.name = ending + " as others write it";
  f.seeds = [text](const std::string&) { return Bytes{text}; };
  return f;
}

constexpr const char* gmsh4 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$Entities
0 0 0 1
1 0 0 0 1 1 1 0 0
$EndEntities
$Nodes
1 4 1 4
3 1 0 4
1
2
3
4
0 0 0
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
2 2 1 2
2 1 2 1
1 1 2 3
3 1 4 1
2 1 2 3 4
$EndElements
)";

constexpr const char* vtk5 = R"(# vtk DataFile Version 5.1
a tet
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 float
0 0 0 1 0 0 0 1 0 0 0 1
METADATA
INFORMATION 0

CELLS 2 4
OFFSETS vtktypeint64
0 4
CONNECTIVITY vtktypeint64
0 1 2 3
CELL_TYPES 1
10
POINT_DATA 4
SCALARS a float 1
LOOKUP_TABLE default
1 2 3 4
)";

FuzzedFormat scenes() {
  FuzzedFormat f;
  f.name = "scene.json";
  f.file = "scene.json";
  f.seeds = [](const std::string& folder) {
    save_triangle_mesh(folder + "/a.obj", surface(some_tets()));
    return scene_seeds();
  };
  f.read = [](const std::string& path) {
    const SceneFile file = read_scene(path);
    const Simulation simulation(file.scene);
  };
  return f;
}

/// The same with the text left whole: some of its numbers become others.
FuzzedFormat scenes_with_odd_numbers() {
  FuzzedFormat f = scenes();
  f.name = "scene.json numbers";
  f.damage = [](std::string text, std::mt19937& random) {
    constexpr const char* odd[] = {"-1",     "0",    "1",          "3",          "0.5",      "-0.25",  "7.5",
                                   "40",     "1e9",  "2147483647", "4294967296", "1e300",    "-1e300", "1e-9",
                                   "1e-300", "null", "true",       "\"avf\"",    "[0, 1, 2]"};
    for (auto n = 1 + random() % 3; n > 0; --n) {
      const std::size_t from = text.find_first_of("0123456789", random() % text.size());
      if (from == std::string::npos) continue;
      const std::size_t until = text.find_first_not_of("0123456789.e-", from);
      text.replace(from, until - from, odd[random() % std::size(odd)]);
    }
    return text;
  };
  return f;
}

State some_state() {
  Scene scene;
  scene.bodies = {make_soft_body("bar", some_tets(), TetModel::stvk, {1e3, 1e3}, 100.0)};
  ColliderSpec floor;
  floor.mesh = std::make_shared<TriangleMesh>(
      TriangleMesh{{{-9, -1.4, -9}, {0, -1.4, 9}, {9, -1.4, -9}}, {{0, 1, 2}}});
  scene.colliders = {floor};
  Simulation simulation(scene);
  simulation.advance();
  return simulation.state();
}

/// With its sum made good, or any damage would end there.
FuzzedFormat checkpoint(bool whole) {
  FuzzedFormat f;
  f.name = whole ? "checkpoint" : "inside checkpoint";
  f.file = "checkpoint.verve";
  f.seeds = [](const std::string&) { return Bytes{to_bytes({1, 2, some_state()})}; };
  f.read = [](const std::string& path) { read_checkpoint(path); };
  if (!whole)
    f.seal = [](std::string bytes) {
      if (bytes.size() < 16) return bytes;
      Fingerprint sum;
      sum.add(bytes.data() + 16, bytes.size() - 16);
      const std::uint64_t value = sum.value();
      std::memcpy(bytes.data() + 8, &value, sizeof value);
      return bytes;
    };
  return f;
}

/// What a host saves for a node.
FuzzedFormat node_state() {
  FuzzedFormat f;
  f.name = "node state";
  f.file = "a.state";
  f.seeds = [](const std::string&) {
    NodeFrame frame;
    frame.settings = node_settings({});
    frame.bodies = std::make_shared<Geometry>(geometry_of({some_tets().points, {}, some_tets().tets}));
    Geometry floor = geometry_of({{{-9, -2, -9}, {9, -2, -9}, {0, -2, 9}}, {{0, 1, 2}}, {}});
    frame.colliders = std::make_shared<Geometry>(std::move(floor));
    StepNode node;
    node.begin(frame);
    return Bytes{node.save()};
  };
  f.read = [](const std::string& path) { StepNode().load(read_bytes(path)); };
  return f;
}

}  // namespace

std::vector<FuzzedFormat> fuzzed_formats() {
  std::vector<FuzzedFormat> formats;
  for (const char* ending : {"geo", "bgeo", "bgeo.sc", "vtu", "obj", "usda", "pc2", "mdd"})
    formats.push_back(cache(ending));
  formats.push_back(inside_sc());
  formats.push_back(list_of_frames());
  for (const char* ending : {"node", "ele", "mesh", "vtk"}) formats.push_back(tet_mesh(ending));
  for (const char* ending : {"stl", "off"}) formats.push_back(surface_mesh(ending));
  formats.push_back(mesh(
      "msh", [](const std::string& path, int kind) { write_gmsh(path, some_tets(), kind == 1); }, 2));
  formats.push_back(mesh(
      "ply", [](const std::string& path, int kind) { write_ply(path, surface(some_tets()), kind == 1); }, 2));
  formats.push_back(text_mesh("msh", gmsh4));
  formats.push_back(text_mesh("vtk", vtk5));
  formats.push_back(scenes());
  formats.push_back(scenes_with_odd_numbers());
  formats.push_back(checkpoint(true));
  formats.push_back(checkpoint(false));
  formats.push_back(node_state());
  return formats;
}

}  // namespace verve
