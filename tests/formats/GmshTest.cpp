#include "formats/Gmsh.h"
#include "io/MeshFiles.h"

#include <cstdint>

#include "mesh/MeshGeometry.h"
#include "mesh/MeshTestTools.h"
#include "mesh/Shapes.h"

namespace verve {
namespace {

const std::string tet_2 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n"
    "$Nodes\n4\n10 0 0 0\n2 1 0 0\n3 0 1 0\n7 0 0 1\n$EndNodes\n"
    "$Elements\n3\n1 15 2 0 1 10\n2 2 2 0 1 10 2 3\n3 4 3 0 1 1 10 2 3 7\n$EndElements\n";

const std::string tet_40 =
    "$MeshFormat\n4 0 8\n$EndMeshFormat\n"
    "$Nodes\n2 4\n1 0 0 1\n10 0 0 0\n1 2 1 3\n2 1 0 0 .1 .2\n3 0 1 0 .1 .2\n7 0 0 1 .1 .2\n$EndNodes\n"
    "$Elements\n1 1\n1 3 4 1\n1 10 2 3 7\n$EndElements\n";

const std::string tet_41 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 0\n$EndEntities\n"
    "$Nodes\n2 4 2 10\n0 1 0 1\n10\n0 0 0\n2 1 0 3\n2\n3\n7\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
    "$Elements\n2 2 1 2\n2 1 2 1\n1 10 2 3\n3 1 4 1\n2 10 2 3 7\n$EndElements\n";

template <class... Values>
std::string raw(Values... values) {
  return (bytes_of(values) + ...);
}

std::string binary_41() {
  using I = std::int32_t;
  using L = std::int64_t;
  std::string s = "$MeshFormat\n4.1 1 8\n" + raw(I(1)) + "\n$EndMeshFormat\n$Nodes\n";
  s += raw(L(1), L(4), L(2), L(10), I(3), I(1), I(0), L(4), L(10), L(2), L(3), L(7));
  for (double x : {0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1.}) s += raw(x);
  s += "\n$EndNodes\n$Elements\n" + raw(L(1), L(1), L(1), L(1), I(3), I(1), I(4), L(1));
  s += raw(L(5), L(10), L(2), L(3), L(7));
  return s + "\n$EndElements\n";
}

void expect_the_tet(const MeshFile& file) {
  ASSERT_EQ(file.points.size(), 4u);
  EXPECT_EQ(file.points[3], Vec3(0, 0, 1));
  ASSERT_EQ(file.tets.size(), 1u);
  EXPECT_EQ(file.tets[0], (std::array<int, 4>{0, 1, 2, 3}));
}

TEST(Gmsh, ReadsEveryVersion) {
  for (const std::string& text : {tet_2, tet_40, tet_41, binary_41()})
    expect_the_tet(read_gmsh(TestFile(".msh", text).path));
  EXPECT_EQ(read_gmsh(TestFile(".msh", tet_2).path).triangles.size(), 1u);
}

TEST(Gmsh, NodesOfMarksGoWithThemButStrayOnesStay) {
  std::string text = tet_2;
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("$Nodes\n4\n", "$Nodes\n6\n1 9 9 9\n");
  replace("7 0 0 1\n", "7 0 0 1\n8 5 5 5\n");
  replace("1 15 2 0 1 10", "1 15 2 0 1 1");
  const MeshFile file = read_gmsh(TestFile(".msh", text).path);
  ASSERT_EQ(file.points.size(), 5u);
  EXPECT_EQ(file.points[4], Vec3(5, 5, 5));
  EXPECT_EQ(file.tets[0], (std::array<int, 4>{0, 1, 2, 3}));
  EXPECT_EQ(file.triangles[0], (std::array<int, 3>{0, 1, 2}));
}

TEST(Gmsh, WritesWhatItReads) {
  TetMesh box = make_box({1, 2, 3}, {2, 3, 2});
  for (Vec3& p : box.points) p += Vec3(1.0 / 3, 1e-17, 1e20);
  for (bool binary : {false, true}) {
    TestFile file(".msh");
    write_gmsh(file.path, box, binary);
    const MeshFile back = read_gmsh(file.path);
    EXPECT_EQ(back.points, box.points);
    EXPECT_EQ(back.tets, box.tets);
  }
}

TEST(Gmsh, ReadsSwappedBytes) {
  const TetMesh box = make_box({1, 2, 3}, {1, 1, 1});
  using I = std::int32_t;
  const auto swapped = [](auto v) {
    std::string b = bytes_of(v);
    return std::string(b.rbegin(), b.rend());
  };
  std::string s = "$MeshFormat\n2.2 1 8\n" + swapped(I(1)) + "\n$EndMeshFormat\n$Nodes\n8\n";
  for (int i = 0; i < 8; ++i) {
    s += swapped(I(i + 1));
    for (int k = 0; k < 3; ++k) s += swapped(box.points[i][k]);
  }
  s += "\n$EndNodes\n$Elements\n6\n" + swapped(I(4)) + swapped(I(6)) + swapped(I(0));
  for (int i = 0; i < 6; ++i) {
    s += swapped(I(i + 1));
    for (int p : box.tets[i]) s += swapped(I(p + 1));
  }
  const MeshFile back = read_gmsh(TestFile(".msh", s + "\n$EndElements\n").path);
  EXPECT_EQ(back.points, box.points);
  EXPECT_EQ(back.tets, box.tets);
}

TEST(Gmsh, LoadsInsideOutFilesButNotMixedOnes) {
  TetMesh box = make_box({1, 1, 1}, {2, 2, 2});
  for (auto& t : box.tets) std::swap(t[2], t[3]);
  TestFile file(".msh");
  write_gmsh(file.path, box);
  EXPECT_NEAR(volume(load_tet_mesh(file.path)), 1, 1e-12);
  std::swap(box.tets[3][2], box.tets[3][3]);
  write_gmsh(file.path, box);
  EXPECT_TRUE(contains(error_of([&] { load_tet_mesh(file.path); }), "inverted"));
}

TEST(Gmsh, EveryTruncationIsASentence) {
  for (const std::string& whole : {tet_2, tet_40, tet_41, binary_41()})
    for (std::size_t size = 1; size + 1 < whole.size(); ++size) {
      const TestFile file(".msh", whole.substr(0, size));
      const std::string sentence = error_of([&] { read_gmsh(file.path); });
      ASSERT_TRUE(contains(sentence, file.path)) << size << ": " << sentence;
    }
}

TEST(Gmsh, EveryDamagedByteIsASentenceOrAMesh) {
  for (const std::string& whole : {tet_2, tet_41, binary_41()})
    for (std::size_t i = 0; i < whole.size(); ++i)
      for (char c : {'\xff', '9', '-', '\0'}) {
        std::string damaged = whole;
        damaged[i] = c;
        const TestFile file(".msh", damaged);
        error_of([&] { read_gmsh(file.path); });
      }
}

TEST(Gmsh, NamesWhatIsWrong) {
  const auto sentence = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    const TestFile file(".msh", text);
    return error_of([&] { read_gmsh(file.path); });
  };
  EXPECT_TRUE(contains(sentence(tet_2, "10 2 3 7\n$", "10 2 3 8\n$"), "element 3 uses node 8"));
  EXPECT_TRUE(contains(sentence(tet_2, "3 0 1 0", "3 0 one 0"), "line 12: 'one' is not a number"));
  EXPECT_TRUE(contains(sentence(tet_2, "$Nodes\n4", "$Nodes\n4000000000"), "too short"));
  EXPECT_TRUE(contains(sentence(tet_2, "2.2 0 8", "1.0 0 8"), "version"));
  EXPECT_TRUE(contains(sentence(tet_2, "3 4 3 0", "3 5 3 0"), "export tets only"));
  EXPECT_TRUE(contains(sentence(tet_2, "2 1 0 0\n", "10 1 0 0\n"), "node 10 is there twice"));
  EXPECT_TRUE(contains(error_of([] { load_tet_mesh("/no/such.msh"); }), "cannot be opened"));
  EXPECT_TRUE(contains(error_of([] { load_tet_mesh("/no/such.xyz"); }), ".msh"));
}

}  // namespace
}  // namespace verve
