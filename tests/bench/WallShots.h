// The scenes that walls are measured on: what must not pass through what, each in a size that takes minutes.
#pragma once

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "base/Types.h"

namespace verve::bench {

struct WallShot {
  std::string name;
  int frames;           ///< that are computed
  std::string content;  ///< of the scene: all keys but frames
};

/// Writes a sheet of points as an OBJ file, closed around the first direction or not.
template <class Place>
void write_grid(const std::string& path, int around, int along, bool closed, const Place& place) {
  std::ofstream file(path);
  file.precision(9);
  const int columns = closed ? around : around + 1;
  for (int j = 0; j <= along; ++j)
    for (int i = 0; i < columns; ++i) {
      const Vec3 p = place(double(i) / around, double(j) / along);
      file << "v " << p[0] << ' ' << p[1] << ' ' << p[2] << "\n";
    }
  const auto at = [&](int i, int j) { return 1 + j * columns + i % columns; };
  for (int j = 0; j < along; ++j)
    for (int i = 0; i < around; ++i) {
      const bool turned = (i + j) % 2 != 0;  // diagonals alternate
      const int a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
      if (turned)
        file << "f " << a << ' ' << d << ' ' << b << "\nf " << b << ' ' << d << ' ' << c << "\n";
      else
        file << "f " << a << ' ' << d << ' ' << c << "\nf " << a << ' ' << c << ' ' << b << "\n";
    }
}

inline std::string number(double v) {
  return std::to_string(v);
}
inline std::string list(const Vec3& v) {
  return "[" + number(v[0]) + ", " + number(v[1]) + ", " + number(v[2]) + "]";
}

/// A sheet of cloth that lies in the xz plane before it is placed.
inline std::string cloth(double size, int cells, const Vec3& place, const Vec3& rotate = Vec3::Zero()) {
  const std::string n = number(size), k = std::to_string(cells);
  return R"({"geometry": {"shape": "sheet", "size": [)" + n + ", " + n + R"(], "cells": [)" + k + ", " + k +
         R"(]}, "material": {"fabric": "cotton"}, "transform": {"translate": )" + list(place) +
         R"(, "rotate": )" + list(rotate) + "}}";
}

inline std::string block(const Vec3& size, int cells, double young, const Vec3& place, const Vec3& rotate,
                         const std::string& more = "") {
  const std::string k = std::to_string(cells);
  return R"({"geometry": {"shape": "box", "size": )" + list(size) + R"(, "cells": [)" + k + ", " + k + ", " +
         k + R"(]}, "material": {"model": "stable_neo_hookean", "young": )" + number(young) +
         R"(, "poisson": 0.35}, "density": 200, "transform": {"translate": )" + list(place) +
         R"(, "rotate": )" + list(rotate) + "}" + more + "}";
}

/// With walls, among bodies and in themselves.
inline std::string scene(const std::string& bodies, const std::string& colliders, double thickness = 0.005,
                         const std::string& more = "") {
  return R"("fps": 24, "damping": {"delta": 0.005}, "contact": {"wall": true, "self": true, "thickness": )" +
         number(thickness) + R"(, "friction": 0.2}, "bodies": [)" + bodies + R"(], "colliders": [)" +
         colliders + "]" + more;
}

inline std::string floor_at(double height, double thickness = 0.005) {
  return R"({"shape": "plane", "normal": [0, 1, 0], "offset": )" + number(height) +
         R"(, "stiffness": 5000, "friction": 0.4, "thickness": )" + number(thickness) + "}";
}

inline std::string ball(double radius) {
  return R"({"shape": "sphere", "center": [0, 0, 0], "radius": )" + number(radius) +
         R"(, "stiffness": 2000, "friction": 0.3, "thickness": 0.01})";
}

/// Keys that turn about x by so many degrees in so many seconds.
inline std::string turning(double degrees, double seconds) {
  return R"({"keys": [[0, {"rotate": [0, 0, 0]}], [)" + number(seconds) + R"(, {"rotate": [)" +
         number(degrees) + ", 0, 0]}]]}";
}

inline WallShot skirt(const std::string& folder) {
  constexpr int around = 36, along = 10;
  write_grid(folder + "/skirt.obj", around, along, true, [](double u, double w) {
    const double radius = 0.13 + 0.2 * w, angle = 2.0 * M_PI * u;
    return Vec3(radius * std::cos(angle), 0.3 - 0.35 * w, radius * std::sin(angle));
  });
  std::string waist;
  for (int i = 0; i < around; ++i) waist += (i ? ", " : "") + std::to_string(i);
  const std::string motion = R"({"keys": [[0, {}], [0.4, {"translate": [0.3, 0, 0]}],
      [0.8, {"translate": [-0.2, 0, 0.1]}], [1.3, {"translate": [0.1, 0, -0.1]}]]})";
  return {
      "skirt on a moving capsule", 36,
      scene(
          R"({"geometry": {"file": "skirt.obj"}, "material": {"fabric": "cotton"}, "pins": [{"points": [)" +
              waist + R"(], "motion": )" + motion + "}]}",
          R"({"shape": "capsule", "length": 1, "radius": 0.11, "transform": {"translate": [0, -0.1, 0]}, "stiffness": 2000,
      "friction": 0.3, "thickness": 0.005, "motion": )" +
              motion + "}")};
}

inline WallShot twist(int turns) {
  const double seconds = 0.75 * turns;
  std::string pins;
  for (int side : {-1, 1})
    pins += std::string(side < 0 ? "" : ", ") + R"({"box": [[)" + number(side < 0 ? -0.6 : 0.49) +
            ", -1, -1], [" + number(side < 0 ? -0.49 : 0.6) + R"(, 1, 1]], "motion": )" +
            turning(180.0 * turns * -side, seconds) + "}";
  return {
      "mat twisted by " + std::to_string(turns) + " turns", int(24 * seconds),
      scene(
          R"({"geometry": {"shape": "sheet", "size": [1, 0.6], "cells": [20, 20]}, "material": {"young": 20000,
      "poisson": 0.3, "thickness": 0.002}, "density": 0.3, "pins": [)" +
              pins + "]}",
          "", 0.004, R"(, "gravity": [0, 0, 0])")};
}

inline WallShot pile_of_twenty() {
  std::string bodies;
  for (int i = 0; i < 20; ++i)
    bodies += (i ? ", " : "") + block({0.2, 0.14, 0.17}, 2, 3e4,
                                      {0.09 * ((i * 7) % 5 - 2), 0.15 + 0.17 * i, 0.08 * ((i * 3) % 5 - 2)},
                                      {23.0 * i, 37.0 * i, 11.0 * i});
  return {"pile of 20 bodies", 48, scene(bodies, floor_at(0.0), 0.006)};
}

inline WallShot rollers() {
  std::string colliders;
  for (int side : {-1, 1})
    colliders += std::string(side < 0 ? "" : ", ") + R"({"shape": "capsule", "length": 1, "radius": 0.2,
      "stiffness": 20000, "friction": 0.9, "thickness": 0.01, "transform": {"rotate": [90, 0, 0], "translate": [)" +
                 number(0.3 * side) + R"(, 0, 0]}, "motion": {"keys": [[0, {}], [2, {"rotate": [0, 0, )" +
                 number(360.0 * side) + "]}]]}}";
  return {"blob through rollers", 48,
          scene(R"({"geometry": {"shape": "sphere", "radius": 0.22, "spacing": 0.07}, "material": {"model":
      "stable_neo_hookean", "young": 20000, "poisson": 0.4}, "density": 500, "transform": {"translate": [0, 0.42, 0]}})",
                colliders, 0.006)};
}

inline WallShot rope() {
  // One end is held; the other is led around the cylinder, nearer with each turn.
  std::string keys = "[0, {}]";
  const Vec3 start(1.0, 0.13, 0.0);
  for (int k = 1; k <= 12; ++k) {
    const double turn = -2.0 * M_PI * k / 8.0, radius = 1.0 - 0.055 * k;
    const Vec3 at(radius * std::cos(turn), 0.13 + radius * std::sin(turn), 0.04 * k);
    keys += ", [" + number(0.125 * k) + R"(, {"translate": )" + list(at - start) + "}]";
  }
  return {
      "rope around a cylinder", 36,
      scene(
          R"({"geometry": {"shape": "rod", "length": 1.4, "thickness": 0.02, "cells": 40}, "material": {"model":
      "springs", "mu": 2000, "bend": 0.5}, "mass": 0.1, "transform": {"translate": [0.3, 0.13, 0]}, "pins": [{"points": [0]},
      {"points": [40], "motion": {"keys": [)" +
              keys + "]}}]}",
          R"({"shape": "capsule", "length": 2, "radius": 0.1, "transform": {"rotate": [90, 0, 0]}, "stiffness": 5000,
      "friction": 0.3, "thickness": 0.01})",
          0.01)};
}

inline WallShot bullet(double speed, bool at_cloth) {
  const std::string thrown = block({0.2, 0.2, 0.2}, 2, 1e6, {0.03, 0.4, 0.02}, {20, 0, 35},
                                   R"(, "velocity": )" + list({0, -speed, 0}));
  const std::string name = "body at " + std::to_string(int(speed)) + " m/s against a ";
  if (at_cloth) return {name + "cloth", 8, scene(thrown + ", " + cloth(1.2, 12, {0, 0, 0}), "")};
  return {name + "wall of 2 cm", 8,
          scene(thrown, R"({"shape": "box", "size": [4, 0.02, 4], "stiffness": 20000, "friction": 0.3})")};
}

/// After Erleben's cases: what lies on an edge, a tip, and half over a brink.
inline std::vector<WallShot> erleben(const std::string& folder) {
  write_grid(folder + "/spike.obj", 8, 6, true, [](double u, double w) {
    const double radius = 0.002 + 0.1 * w, angle = 2.0 * M_PI * u;
    return Vec3(radius * std::cos(angle), -0.6 * w, radius * std::sin(angle));
  });
  const std::string soft = block({0.4, 0.2, 0.4}, 3, 3e4, {0.02, 0.25, 0.01}, {0, 20, 0});
  const std::string with = R"(, "stiffness": 5000, "friction": 0.3, "thickness": 0.004})";
  const std::string wedge = R"({"shape": "box", "size": [0.3, 0.3, 2], "transform": {"rotate": [0, 0, 45],
      "translate": [0, -0.2122, 0]})" +
                            with;
  const std::string cliff =
      R"({"shape": "box", "size": [1, 0.5, 2], "transform": {"translate": [-0.5, -0.25, 0]})" + with;
  const std::string spike = R"({"file": "spike.obj")" + with;
  return {{"block on a wedge", 24, scene(soft, wedge)},
          {"block on a spike", 24, scene(soft, spike)},
          {"block on a cliff", 24, scene(soft, cliff)},
          {"cloth on a wedge", 24, scene(cloth(0.6, 10, {0.02, 0.05, 0.01}), wedge)},
          {"cloth on a spike", 24, scene(cloth(0.6, 10, {0.02, 0.05, 0.01}), spike)},
          {"cloth on a cliff", 24, scene(cloth(0.6, 10, {0.02, 0.05, 0.01}), cliff)}};
}

/// Files that scenes need are written into the folder.
inline std::vector<WallShot> wall_shots(const std::string& folder) {
  std::vector<WallShot> shots;
  shots.push_back(
      {"drape 50x50", 24, scene(cloth(1.2, 50, {0.03, 0.42, 0.02}), ball(0.4) + ", " + floor_at(-0.45))});
  std::string stack;
  for (int i = 0; i < 5; ++i)
    stack += (i ? ", " : "") + cloth(0.8, 12, {0.01 * i, 0.32 + 0.03 * i, 0.0}, {0, 10.0 * i, 0});
  shots.push_back({"five sheets stacked", 24, scene(stack, ball(0.3) + ", " + floor_at(-0.35))});
  shots.push_back({"heap 20x20", 48, scene(cloth(1, 20, {0, 0.6, 0}, {80, 0, 10}), floor_at(0.0))});
  shots.push_back({"heap 50x50", 12, scene(cloth(1, 50, {0, 0.52, 0}, {80, 0, 10}), floor_at(0.0))});
  shots.push_back(skirt(folder));
  shots.push_back(twist(2));
  shots.push_back(twist(6));
  shots.push_back(pile_of_twenty());
  shots.push_back(rollers());
  shots.push_back(rope());
  for (bool at_cloth : {false, true})
    for (double speed : {20.0, 60.0, 100.0}) shots.push_back(bullet(speed, at_cloth));
  for (WallShot& shot : erleben(folder)) shots.push_back(std::move(shot));
  return shots;
}

}  // namespace verve::bench
