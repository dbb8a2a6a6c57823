// A hundred broken surfaces: each must give a usable mesh, with warnings, or a sentence.
#include <cmath>
#include <random>

#include "mesh/ImplicitShapes.h"
#include "mesh/MeshCheck.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshQuality.h"
#include "mesh/MeshTestTools.h"
#include "mesh/Mesher.h"
#include "mesh/Shapes.h"

namespace verve {
namespace {

class Breaker {
 public:
  explicit Breaker(int seed) : random_(seed) {}

  int below(std::size_t n) { return int(random_() % n); }
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }

  TriangleMesh base(int kind) {
    switch (kind) {
      case 0:
        return surface(make_sphere(1, 0.3));
      case 1:
        return surface(make_torus(0.8, 0.35, 0.25));
      case 2:
        return surface(make_hare(2, 0.2));
      default:
        return surface(make_box({1.5, 1, 1.2}, {4, 3, 3}));
    }
  }

  void add(TriangleMesh& mesh, TriangleMesh other, const Vec3& offset, double scale) {
    const int first = int(mesh.points.size());
    for (const Vec3& p : other.points) mesh.points.push_back(scale * p + offset);
    for (const auto& t : other.triangles)
      mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }

  void damage(TriangleMesh& mesh, int kind) {
    auto& triangles = mesh.triangles;
    const int some = 1 + below(triangles.size() / 8);
    const auto any = [&]() -> std::array<int, 3>& { return triangles[below(triangles.size())]; };
    switch (kind) {
      case 0:  // holes
        for (int i = 0; i < some; ++i) triangles.erase(triangles.begin() + below(triangles.size()));
        break;
      case 1:  // flipped
        for (int i = 0; i < some; ++i) {
          auto& t = any();
          std::swap(t[0], t[1]);
        }
        break;
      case 2:  // duplicates, some the other way round
        for (int i = 0; i < some; ++i) triangles.push_back(any());
        break;
      case 3:  // intersecting pieces
        add(mesh, base(below(4)), Vec3(between(-1, 1), between(-1, 1), between(-1, 1)), between(0.3, 1));
        break;
      case 4:  // not a number
        for (int i = 0; i < 1 + some / 8; ++i)
          mesh.points[below(mesh.points.size())][below(3)] = i % 2 ? std::nan("") : INFINITY;
        break;
      case 5:  // no area
        for (int i = 0; i < some; ++i) {
          auto& t = any();
          mesh.points[t[0]] = (mesh.points[t[1]] + mesh.points[t[2]]) / 2;
        }
        break;
      case 6:  // nested shells
        add(mesh, mesh, Vec3::Zero(), between(0.3, 0.9));
        break;
      case 7:  // inside out
        for (auto& t : triangles) std::swap(t[0], t[2]);
        break;
      case 8:  // collapsed triangles, some corners repeated
        for (int i = 0; i < some; ++i) any()[0] = any()[1];
        break;
      case 9:  // spikes
        for (int i = 0; i < 4; ++i) mesh.points[below(mesh.points.size())] *= between(-2, 3);
        break;
      case 10:  // torn apart into separate triangles, a little off
        for (auto& t : triangles)
          for (int& p : t) {
            mesh.points.push_back(mesh.points[p] +
                                  1e-4 * Vec3(between(-1, 1), between(-1, 1), between(-1, 1)));
            p = int(mesh.points.size()) - 1;
          }
        break;
      case 11:  // flat
        for (Vec3& p : mesh.points) p.y() = 0;
        break;
      case 12:  // indices out of range
        any()[below(3)] = below(2) ? -1 : int(mesh.points.size());
        break;
      case 13:  // huge or tiny
        for (Vec3& p : mesh.points) p *= below(2) ? 1e150 : 1e-150;
        break;
      default:  // shuffled points
        for (int i = 0; i < some; ++i) any()[below(3)] = below(mesh.points.size());
    }
  }

 private:
  std::mt19937 random_;
};

TEST(BrokenMesh, AHundredOfThemGiveAMeshOrASentence) {
  int meshes = 0, sentences = 0;
  for (int seed = 0; seed < 100; ++seed) {
    Breaker breaker(seed);
    TriangleMesh mesh = breaker.base(seed % 4);
    breaker.damage(mesh, seed % 15);
    if (seed >= 50) breaker.damage(mesh, breaker.below(11));
    MeshingReport report;
    TetMesh tets;
    const std::string sentence = error_of([&] { tets = mesh_surface(mesh, {0.3, seed % 3}, report); });
    if (sentence.empty()) {
      ++meshes;
      EXPECT_NO_THROW(require_usable(tets, "seed " + std::to_string(seed)));
      const MeshQuality quality = measure(tets);
      EXPECT_GE(quality.smallest_dihedral, 10.7) << seed;
      EXPECT_LE(quality.largest_dihedral, 164.8) << seed;
    } else {
      ++sentences;
      EXPECT_GT(sentence.size(), 30u) << sentence;
    }
  }
  // Only surfaces that are flat, out of range or of absurd size have nothing to fill.
  EXPECT_GE(meshes, 75);
  EXPECT_GE(sentences, 5);
}

}  // namespace
}  // namespace verve
