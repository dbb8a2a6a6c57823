// Bodies thrown at meshes of any winding, open and closed, thin and fast: no energy may come from nowhere and
// nothing may pass.
//   random_scenes [COUNT] [SEED] [--springs] [--show]: COUNT scenes from SEED on (300 from 1), each the same
//   whatever ran before it. --springs leaves contact.wall away, and then springs may yield but not be passed.
//   --show prints every scene, --keep leaves the files of the last one, for `verve run` and its --trace. Ends
//   with 1 when one has failed; `random_scenes 1 SEED --show` tells of it.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/Parallel.h"
#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  // Not std's distributions: they differ between libraries, and a seed shall name a scene everywhere.
  double between(double low, double high) { return low + (high - low) * (double(engine_()) / 4294967296.0); }
  int one_of(int count) { return int(engine_() % unsigned(count)); }
  /// Evenly by its logarithm.
  double scale(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }

 private:
  std::mt19937 engine_;
};

std::string list(const Vec3& v) {
  return "[" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + "]";
}

/// A mesh about the origin whose upper side is what bodies meet first; triangles or squares, each either way
/// round.
class MeshFile {
 public:
  explicit MeshFile(Random& random) : random_(random), mixed_(random.one_of(2) == 0), up_(random.one_of(2)) {}

  /// A square floor at height 0, of `cells` each way.
  void add_floor(double size, int cells) {
    const int first = int(points_.size());
    for (int i = 0; i <= cells; ++i)
      for (int k = 0; k <= cells; ++k)
        points_.push_back({size * (double(i) / cells - 0.5), 0.0, size * (double(k) / cells - 0.5)});
    for (int i = 0; i < cells; ++i)
      for (int k = 0; k < cells; ++k) {
        const int a = first + i * (cells + 1) + k;
        add_square({a, a + 1, a + cells + 2, a + cells + 1}, random_.one_of(2) == 0);
      }
  }
  /// A closed plate whose top is at height 0; all of its faces are wound alike, outwards or inwards.
  void add_plate(double size, double thickness) {
    for (double y : {-thickness, 0.0})
      for (double x : {-0.5, 0.5})
        for (double z : {-0.5, 0.5}) points_.push_back({size * x, y, size * z});
    for (const std::array<int, 4>& q : {std::array<int, 4>{4, 5, 7, 6},
                                        {0, 2, 3, 1},
                                        {0, 1, 5, 4},
                                        {2, 6, 7, 3},
                                        {0, 4, 6, 2},
                                        {1, 3, 7, 5}})
      add_square(q, false);
  }
  /// A closed ball whose top is at height 0.
  void add_ball(double radius, int rings) {
    const int around = 2 * rings;
    points_.push_back({0.0, 0.0, 0.0});
    for (int r = 1; r < rings; ++r)
      for (int k = 0; k < around; ++k) {
        const double down = M_PI * r / rings, turn = 2.0 * M_PI * k / around;
        points_.push_back({radius * std::sin(down) * std::cos(turn), radius * (std::cos(down) - 1.0),
                           radius * std::sin(down) * std::sin(turn)});
      }
    points_.push_back({0.0, -2.0 * radius, 0.0});
    const auto at = [&](int r, int k) {
      return r == 0 ? 0 : r == rings ? int(points_.size()) - 1 : 1 + (r - 1) * around + k % around;
    };
    for (int r = 0; r < rings; ++r)
      for (int k = 0; k < around; ++k) {
        if (r > 0) add_face({at(r, k), at(r, k + 1), at(r + 1, k)}, false);
        if (r + 1 < rings) add_face({at(r, k + 1), at(r + 1, k + 1), at(r + 1, k)}, false);
      }
  }

  void write(const std::string& path) const {
    std::ofstream file(path);
    file.precision(17);
    for (const Vec3& p : points_) file << "v " << p[0] << ' ' << p[1] << ' ' << p[2] << "\n";
    for (const std::vector<int>& face : faces_) {
      file << "f";
      for (int p : face) file << ' ' << p + 1;
      file << "\n";
    }
  }

 private:
  void add_square(const std::array<int, 4>& q, bool other) {
    if (random_.one_of(2) == 0) return add_face({q[0], q[1], q[2], q[3]}, other);
    add_face({q[0], q[1], q[2]}, other);
    add_face({q[0], q[2], q[3]}, mixed_ ? !other : other);
  }
  void add_face(std::vector<int> face, bool other) {
    if (up_ != (mixed_ && other)) std::reverse(face.begin(), face.end());
    faces_.push_back(std::move(face));
  }

  Random& random_;
  bool mixed_, up_;
  std::vector<Vec3> points_;
  std::vector<std::vector<int>> faces_;
};

struct Throw {
  std::string json;
  bool open = false;  ///< the collider is a floor without a far side, turned so that `up` leads off it
  Vec3 up = Vec3::UnitY();
};

/// What bodies are made of and thrown at; writes the collider's file into `folder`.
Throw make_throw(unsigned seed, bool wall, const std::string& folder) {
  Random random(seed);
  Throw made;
  MeshFile mesh(random);
  const int kind = random.one_of(4);
  made.open = kind < 2;
  const double thickness = random.one_of(3) == 0 ? 0.0 : random.scale(0.005, 0.05);
  if (made.open)
    mesh.add_floor(30.0, 1 + random.one_of(24));
  else if (kind == 2)
    mesh.add_plate(30.0, random.scale(0.01, 1.0));
  else
    mesh.add_ball(random.between(0.5, 3.0), 4 + random.one_of(12));
  mesh.write(folder + "/collider.obj");

  const double tilt = random.between(-60.0, 60.0), angle = tilt * M_PI / 180.0;
  made.up = Vec3(-std::sin(angle), std::cos(angle), 0.0);
  const double speed = random.scale(0.5, 100.0), distance = 0.75 + random.between(0.0, 1.5);
  const Vec3 aside(made.up[1], -made.up[0], 0.0);
  const Vec3 velocity =
      speed * (-made.up + random.between(-0.1, 0.1) * aside + random.between(-0.1, 0.1) * Vec3::UnitZ());
  const Vec3 turn(random.between(-180, 180), random.between(-180, 180), random.between(-180, 180));
  const Vec3 spin(random.between(-5, 5), random.between(-5, 5), random.between(-5, 5));
  std::string body;
  switch (random.one_of(4)) {
    case 0:
      body = R"({"geometry": {"shape": "box", "size": [0.5, 0.4, 0.3], "cells": [3, 3, 2]}, "density": 200,
      "material": {"young": )" +
             std::to_string(random.scale(1e4, 1e6)) + R"(, "poisson": 0.35})";
      break;
    case 1:
      body = R"({"geometry": {"shape": "box", "size": [0.6, 0.05, 0.4], "cells": [6, 1, 4]}, "density": 200,
      "material": {"model": "stvk", "young": )" +
             std::to_string(random.scale(1e5, 1e6)) + R"(, "poisson": 0.3})";
      break;
    case 2:
      body = R"({"geometry": {"shape": "sheet", "size": [0.8, 0.8], "cells": [8, 8]}, "mass": 0.2,
      "material": {"model": "springs", "mu": )" +
             std::to_string(random.scale(100, 1e4)) + R"(, "bend": 1})";
      break;
    default:
      body = R"({"geometry": {"shape": "sheet", "size": [0.8, 0.8], "cells": [8, 8]}, "mass": 0.2,
      "material": {"fabric": "cotton"})";
  }
  made.json = R"({"fps": 30, "frames": [1, 15], "gravity": )" +
              std::string(random.one_of(2) ? "[0, -9.81, 0]" : "[0, 0, 0]") + R"(, "damping": {"delta": )" +
              (random.one_of(2) ? std::to_string(random.scale(0.001, 0.05)) : "0") +
              R"(}, "contact": {"wall": )" + (wall ? "true" : "false") + R"(},
  "bodies": [)" +
              body + R"(, "velocity": )" + list(velocity) + R"(, "angular_velocity": )" + list(spin) +
              R"(, "transform": {"translate": )" + list(distance * made.up) + R"(, "rotate": )" + list(turn) +
              R"(}}],
  "colliders": [{"file": "collider.obj", "transform": {"rotate": [0, 0, )" +
              std::to_string(tilt) + R"(]},
    "thickness": )" +
              std::to_string(thickness) + R"(, "stiffness": )" + std::to_string(random.scale(200, 20000)) +
              R"(, "friction": )" + std::to_string(random.one_of(2) ? 0.0 : random.between(0.0, 0.8)) +
              "}]}\n";
  return made;
}

/// What went wrong, or nothing.
std::string run(const Throw& thrown, bool wall, const std::string& folder) {
  constexpr double books = 1e-3;  // of the largest energy; quality final keeps 1e-4 over a shot
  std::ofstream(folder + "/scene.json") << thrown.json;
  const SceneFile file = read_scene(folder + "/scene.json");
  Simulation simulation(file.scene);
  for (int f = 2; f <= 15; ++f) {
    const FrameReport report = simulation.advance();
    const std::string at = " at frame " + std::to_string(f);
    if (report.grown > 0.0) return "energy grew by " + std::to_string(report.grown) + " J" + at;
    if (std::abs(report.ledger_error()) > books)
      return "the ledger is off by " + std::to_string(report.ledger_error()) + at;
    if (report.passed > 0) return std::to_string(report.passed) + " points passed" + at;
    double lowest = INFINITY;
    for (int i = 0; i < simulation.system().points(); ++i)
      lowest = std::min(lowest, thrown.up.dot(point(simulation.state().x, i)));
    if (thrown.open && lowest < (wall ? -1e-9 : -0.5))
      return "behind the sheet by " + std::to_string(-lowest) + " m" + at;
    if (wall && report.penetration > 1e-9)
      return "inside by " + std::to_string(report.penetration) + " m" + at;
  }
  return "";
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  using namespace verve;
  int count = 300, numbers = 0;
  unsigned seed = 1;
  bool wall = true, show = false, keep = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--springs") == 0)
      wall = false;
    else if (std::strcmp(argv[i], "--show") == 0)
      show = true;
    else if (std::strcmp(argv[i], "--keep") == 0)
      keep = true;
    else if (numbers++ == 0)
      count = std::atoi(argv[i]);
    else
      seed = unsigned(std::atol(argv[i]));
  }
  const ThreadLimit limit(1);
  std::string folder = (std::filesystem::temp_directory_path() / "verve_random_XXXXXX").string();
  if (!::mkdtemp(folder.data())) return std::perror("a folder for the scenes"), 2;
  int failed = 0;
  for (unsigned s = seed; s < seed + unsigned(count); ++s) {
    const Throw thrown = make_throw(s, wall, folder);
    if (show) std::printf("%s", thrown.json.c_str());
    const auto begin = std::chrono::steady_clock::now();
    std::string wrong;
    try {
      wrong = run(thrown, wall, folder);
    } catch (const std::exception& e) {
      wrong = e.what();
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!wrong.empty() || show || seconds > 20.0)
      std::printf("seed %u: %s (%.1f s)\n", s, wrong.empty() ? "held" : wrong.c_str(), seconds);
    std::fflush(stdout);
    failed += !wrong.empty();
  }
  if (keep)
    std::printf("the last scene is %s/scene.json\n", folder.c_str());
  else
    std::filesystem::remove_all(folder);
  std::printf("%d of %d scenes failed\n", failed, count);
  return failed > 0;
}
