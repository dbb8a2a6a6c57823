// Every file format: what is written reads back, and no damage is worse than a sentence.
#include <zlib.h>

#include <cstdint>

#include "formats/Ply.h"
#include "io/MeshFiles.h"
#include "mesh/ImplicitShapes.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshTestTools.h"
#include "mesh/Shapes.h"

namespace verve {
namespace {

const char* const tet_endings[] = {".msh", ".node", ".ele", ".mesh", ".vtk"};
const char* const surface_endings[] = {".obj", ".ply", ".off", ".stl"};

TetMesh tets() {
  TetMesh box = make_box({1, 2, 3}, {2, 1, 1});
  for (Vec3& p : box.points) p += Vec3(1.0 / 3, 1e-17, 1e6);
  return box;
}

TriangleMesh triangles() {
  return surface(make_box({1, 2, 4}, {2, 1, 1}));
}

void remove_tetgen(const std::string& path) {
  const std::string base = path.substr(0, path.rfind('.'));
  std::remove((base + ".node").c_str());
  std::remove((base + ".ele").c_str());
}

TEST(MeshFiles, TetsReadBackToTheSameBits) {
  for (const char* ending : tet_endings) {
    const TestFile file(ending);
    save_tet_mesh(file.path, tets());
    const TetMesh back = load_tet_mesh(file.path);
    EXPECT_EQ(back.points, tets().points) << ending;
    EXPECT_EQ(back.tets, tets().tets) << ending;
    remove_tetgen(file.path);
  }
}

TEST(MeshFiles, SurfacesReadBackToTheSameBits) {
  for (const char* ending : surface_endings) {
    const TestFile file(ending);
    save_triangle_mesh(file.path, triangles());
    const TriangleMesh back = load_triangle_mesh(file.path);
    EXPECT_EQ(back.points.size(), triangles().points.size()) << ending;
    EXPECT_NEAR(enclosed_volume(back), 8, 1e-6) << ending;
    if (std::string(ending) == ".stl") continue;  // keeps only triangles, in single precision
    EXPECT_EQ(back.points, triangles().points) << ending;
    EXPECT_EQ(back.triangles, triangles().triangles) << ending;
  }
  const TestFile text(".ply");
  write_ply(text.path, triangles(), false);
  EXPECT_EQ(load_triangle_mesh(text.path).triangles, triangles().triangles);
}

TEST(MeshFiles, ATetFileGivesItsSurface) {
  const TestFile file(".vtk");
  save_tet_mesh(file.path, make_box({1, 1, 1}, {2, 2, 2}));
  EXPECT_NEAR(enclosed_volume(load_triangle_mesh(file.path)), 1, 1e-12);
  EXPECT_EQ(load_triangle_mesh(file.path).points.size(), 26u);
}

TEST(MeshFiles, ObjInAllItsSpellings) {
  const TestFile file(
      ".OBJ",
      "# a comment\nmtllib x.mtl\no thing\nv 0 0 0 1 0.5 0.5\nv 1 0 0\r\nv 1 1 0\nv 0 1 +0\nvt 0 0\n"
      "vn 0 0 1\nusemtl red\ns 1\nf 1/1/1 2/1/1 \\\n  3/1/1 4/1/1\nf -4//1 -2//1 -1//1\nf 1/1 2/1 4/1\n");
  const TriangleMesh mesh = load_triangle_mesh(file.path);
  EXPECT_EQ(mesh.points.size(), 4u);
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 2, 3}, {0, 1, 3}}));
  const auto error = [](const char* text) {
    const TestFile broken(".obj", text);
    return error_of([&] { load_triangle_mesh(broken.path); });
  };
  EXPECT_TRUE(contains(error("v 0 0 0\nf 1 2 3\n"), "point 1"));
  EXPECT_TRUE(contains(error("v 0 0\n"), "line 1"));
  EXPECT_TRUE(contains(error("v 0 0 0\n\nf 1 1\n"), "line 3"));
  EXPECT_TRUE(contains(error("v 0 \\\n 0 0\nf 1 1\n"), "line 3")) << "continued lines count";
  EXPECT_TRUE(contains(error("v 0 0 0\nf 1 -2 1\n"), "-2"));
}

TEST(MeshFiles, PlyWithOtherPropertiesAndBigEndian) {
  const std::string head =
      "comment x\nelement vertex 3\nproperty float x\nproperty uchar red\nproperty float y\n"
      "property float z\nelement face 1\nproperty list uchar uint vertex_index\nproperty short "
      "flag\nend_header\n";
  const auto big = [](auto v) {
    const std::string b = bytes_of(v);
    return std::string(b.rbegin(), b.rend());
  };
  std::string binary = "ply\nformat binary_big_endian 1.0\n" + head;
  for (float x : {0.f, 1.f, 2.f}) binary += big(x) + "\x07" + big(3.f) + big(x * x);
  binary += "\x03" + big(2u) + big(1u) + big(0u) + big(short(5));
  for (const std::string& text :
       {binary, "ply\nformat ascii 1.0\n" + head + "0 7 3 0\n1 7 3 1\n2 7 3 4\n3 2 1 0 5\n"}) {
    const TestFile file(".ply", text);
    const TriangleMesh mesh = load_triangle_mesh(file.path);
    EXPECT_EQ(mesh.points[2], Vec3(2, 3, 4));
    EXPECT_EQ(mesh.triangles[0], (std::array<int, 3>{2, 1, 0}));
  }
}

TEST(MeshFiles, TextStl) {
  const TestFile file(
      ".stl",
      "solid a name\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
      "endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\n"
      "endloop\nendfacet\nendsolid a name\n");
  const TriangleMesh mesh = load_triangle_mesh(file.path);
  EXPECT_EQ(mesh.points.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 2u);
}

TEST(MeshFiles, VtkVersion5AndBinary) {
  const std::string five =
      "# vtk DataFile Version 5.1\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0 0 1 0\n0 "
      "0 1\n"
      "METADATA\nINFORMATION 0\n\nCELLS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2 3\n"
      "CELL_TYPES 1\n10\nPOINT_DATA 4\n";
  const auto big = [](auto v) {
    const std::string b = bytes_of(v);
    return std::string(b.rbegin(), b.rend());
  };
  std::string binary = "# vtk DataFile Version 2.0\nx\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n";
  for (double v : {0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1.}) binary += big(v);
  binary += "\nCELLS 1 5\n";
  for (int v : {4, 0, 1, 2, 3}) binary += big(v);
  binary += "\nCELL_TYPES 1\n" + big(10) + "\n";
  for (const std::string& text : {five, binary}) {
    const TetMesh mesh = load_tet_mesh(TestFile(".vtk", text).path);
    EXPECT_NEAR(volume(mesh), 1.0 / 6, 1e-15);
  }
}

std::string base64(const std::string& bytes) {
  const char* const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (int k = 0; k < 4; ++k)
      out += i + std::size_t(k) <= bytes.size() ? digits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

enum class Packing { text, inline_base64, inline_zlib, appended_raw };

std::string vtu(Packing packing) {
  struct Array {
    std::string name, type, words, bytes;
  } arrays[4] = {{"Points", "Float32", "", ""},
                 {"connectivity", "Int64", "", ""},
                 {"offsets", "Int32", "4 ", ""},
                 {"types", "UInt8", "10 ", ""}};
  for (float v : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f}) {
    arrays[0].words += std::to_string(v) + " ";
    arrays[0].bytes += bytes_of(v);
  }
  for (std::int64_t v : {0, 1, 2, 3}) {
    arrays[1].words += std::to_string(v) + " ";
    arrays[1].bytes += bytes_of(v);
  }
  arrays[2].bytes = bytes_of(std::int32_t(4));
  arrays[3].bytes = bytes_of(std::uint8_t(10));
  std::string appended, xml =
                            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
                            "byte_order=\"LittleEndian\" header_type=\"UInt32\"";
  if (packing == Packing::inline_zlib) xml += " compressor=\"vtkZLibDataCompressor\"";
  xml += "><UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><Points>";
  for (const Array& a : arrays) {
    xml += "<DataArray type=\"" + a.type + "\" Name=\"" + a.name + "\" NumberOfComponents=\"" +
           (a.name == "Points" ? "3" : "1") + "\" format=\"";
    const std::string head = bytes_of(std::uint32_t(a.bytes.size()));
    if (packing == Packing::text) xml += "ascii\">\n" + a.words + "\n";
    if (packing == Packing::inline_base64) xml += "binary\">\n" + base64(head + a.bytes) + "\n";
    if (packing == Packing::inline_zlib) {
      uLongf size = compressBound(a.bytes.size());
      std::string packed(size, '\0');
      compress(reinterpret_cast<Bytef*>(&packed[0]), &size, reinterpret_cast<const Bytef*>(a.bytes.data()),
               a.bytes.size());
      packed.resize(size);
      const std::string blocks = bytes_of(1u) + bytes_of(32768u) + head + bytes_of(std::uint32_t(size));
      xml += "binary\">\n" + base64(blocks) + base64(packed) + "\n";
    }
    if (packing == Packing::appended_raw) {
      xml += "appended\" offset=\"" + std::to_string(appended.size()) + "\">";
      appended += head + a.bytes;
    }
    xml += "</DataArray>";
    if (a.name == "Points") xml += "</Points><Cells>";
  }
  xml += "</Cells></Piece></UnstructuredGrid>";
  if (!appended.empty()) xml += "<AppendedData encoding=\"raw\">_" + appended + "</AppendedData>";
  return xml + "</VTKFile>\n";
}

TEST(MeshFiles, VtuInAllItsPackings) {
  for (Packing p : {Packing::text, Packing::inline_base64, Packing::inline_zlib, Packing::appended_raw}) {
    const TetMesh mesh = load_tet_mesh(TestFile(".vtu", vtu(p)).path);
    EXPECT_EQ(mesh.points.size(), 4u);
    EXPECT_NEAR(volume(mesh), 1.0 / 6, 1e-15);
  }
}

void survive(const TestFile& file) {
  error_of([&] { load_triangle_mesh(file.path); });
  error_of([&] { load_tet_mesh(file.path); });
}

// Any exception but an Error, and any crash, fails the test.
void damage_in_every_way(const std::string& ending, const std::string& whole) {
  const TestFile file(ending);
  const std::size_t step = 1 + whole.size() / 150;
  for (std::size_t i = 0; i < whole.size(); i += step) {
    file.write(whole.substr(0, i));
    survive(file);
    for (const char c : {'\xff', '9', '-'}) {
      std::string damaged = whole;
      damaged[i] = c;
      file.write(damaged);
      survive(file);
    }
  }
}

TEST(MeshFiles, DamageIsAtWorstASentence) {
  for (const char* ending : tet_endings) {
    const TestFile good(ending);
    save_tet_mesh(good.path, tets());
    damage_in_every_way(ending, good.read());
    remove_tetgen(good.path);
  }
  for (const char* ending : surface_endings) {
    const TestFile good(ending);
    save_triangle_mesh(good.path, triangles());
    damage_in_every_way(ending, good.read());
  }
  for (Packing p : {Packing::text, Packing::inline_base64, Packing::inline_zlib, Packing::appended_raw})
    damage_in_every_way(".vtu", vtu(p));
}

TEST(MeshFiles, TruncatedFilesAreRefused) {
  for (const char* ending : {".msh", ".mesh", ".vtk", ".ply", ".off", ".stl"}) {
    const TestFile file(ending);
    const bool is_surface = contains(".ply.off.stl", ending);
    is_surface ? save_triangle_mesh(file.path, triangles()) : save_tet_mesh(file.path, tets());
    const std::string whole = file.read();
    for (double share : {0.1, 0.5, 0.9}) {
      file.write(whole.substr(0, std::size_t(share * double(whole.size()))));
      const std::string sentence = error_of([&] { load_triangle_mesh(file.path); });
      EXPECT_TRUE(contains(sentence, file.path)) << ending << " " << share << " " << sentence;
    }
  }
}

TEST(MeshFiles, AlienFilesAreRefused) {
  for (const char* ending : {".msh", ".node", ".mesh", ".vtk", ".vtu", ".obj", ".ply", ".off", ".stl"})
    for (const std::string& alien : {std::string("GIF89a\x01\x02\x03 and so on"), std::string(500, '\0')}) {
      const TestFile file(ending, alien);
      EXPECT_TRUE(contains(error_of([&] { load_triangle_mesh(file.path); }), file.path)) << ending;
    }
  EXPECT_TRUE(contains(error_of([] { save_tet_mesh("x.obj", tets()); }), ".msh"));
  EXPECT_TRUE(contains(error_of([] { save_triangle_mesh("/no/such/folder/x.obj", triangles()); }), "folder"));
}

}  // namespace
}  // namespace verve
