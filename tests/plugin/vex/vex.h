// As much of VEX as the assets' code uses, for vex.py, which turns the code into C++ that includes this: the
// same arithmetic in single precision, on geometry that is read from the standard input and written to the
// standard output.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

struct vector {
  vector(float all = 0) : x(all), y(all), z(all) {}
  vector(float a, float b, float c) : x(a), y(b), z(c) {}
  float operator[](int k) const { return k == 0 ? x : k == 1 ? y : z; }
  float& operator[](int k) { return k == 0 ? x : k == 1 ? y : z; }
  float x, y, z;
};
inline vector operator+(const vector& a, const vector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline vector operator-(const vector& a, const vector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline vector operator*(float s, const vector& v) {
  return {s * v.x, s * v.y, s * v.z};
}
inline vector operator/(const vector& v, float s) {
  return {v.x / s, v.y / s, v.z / s};
}
inline vector& operator+=(vector& a, const vector& b) {
  return a = a + b;
}
inline vector set(float x, float y, float z) {
  return {x, y, z};
}
inline float dot(const vector& a, const vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline vector cross(const vector& a, const vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float floor(float v) {
  return std::floor(v);
}
inline vector floor(const vector& v) {
  return {std::floor(v.x), std::floor(v.y), std::floor(v.z)};
}
inline vector clamp(const vector& v, const vector& low, const vector& high) {
  vector out;
  for (int k = 0; k < 3; ++k) out[k] = std::min(std::max(v[k], low[k]), high[k]);
  return out;
}
inline float getcomp(const vector& v, int k) {
  return v[k];
}
inline void setcomp(vector& v, float value, int k) {
  v[k] = value;
}

template <class First, class... Rest>
std::vector<First> array(First first, Rest... rest) {
  return {first, First(rest)...};
}
template <class T>
int len(const std::vector<T>& list) {
  return int(list.size());
}
template <class T>
void resize(std::vector<T>& list, int size) {
  list.resize(std::size_t(size));
}
template <class T>
void append(std::vector<T>& list, const T& value) {
  list.push_back(value);
}

template <class... Args>
[[noreturn]] void error(const char* text, Args... args) {
  std::printf("error ");
  std::printf(text, args...);
  std::printf("\n");
  std::exit(0);
}

/// What an input has: points with attributes, triangles, and detail attributes as lists of numbers.
struct Input {
  std::map<std::string, std::vector<vector>> points;
  std::vector<std::array<int, 3>> triangles;
  std::map<std::string, std::vector<float>> details;
};
inline std::array<Input, 3> inputs;
inline std::map<std::string, int> detail_reads;

/// A value whose type is that of what it is given to.
struct Value {
  const std::vector<float>& numbers;
  operator float() const { return numbers.at(0); }
  operator vector() const { return {numbers.at(0), numbers.at(1), numbers.at(2)}; }
  operator std::vector<int>() const { return std::vector<int>(numbers.begin(), numbers.end()); }
};
inline Value detail(int input, const std::string& name) {
  ++detail_reads[name];
  return {inputs.at(std::size_t(input)).details.at(name)};
}
inline int npoints(int input) {
  return int(inputs.at(std::size_t(input)).points.at("P").size());
}
inline vector point(int input, const std::string& name, int at) {
  return inputs.at(std::size_t(input)).points.at(name).at(std::size_t(at));
}
inline void getbbox(int input, vector& low, vector& high) {
  low = 1e30f, high = -1e30f;
  for (const vector& p : inputs.at(std::size_t(input)).points.at("P"))
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
}

inline std::array<vector, 3> corners(int input, int triangle) {
  const Input& in = inputs.at(std::size_t(input));
  std::array<vector, 3> out;
  for (std::size_t k = 0; k < 3; ++k)
    out[k] = in.points.at("P").at(std::size_t(in.triangles[std::size_t(triangle)][k]));
  return out;
}
/// The distance to the nearest of the surface's triangles.
inline float xyzdist(int input, const vector& at) {
  float best = 1e30f;
  for (int t = 0; t < int(inputs.at(std::size_t(input)).triangles.size()); ++t) {
    const auto [a, b, c] = corners(input, t);
    const vector n = cross(b - a, c - a);
    const float height = dot(at - a, n) / dot(n, n);
    const vector foot = at - height * n;
    const std::array<vector, 3> p = {a, b, c};
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const vector edge = p[(k + 1) % 3] - p[k];
      inside = inside && dot(cross(edge, foot - p[k]), n) >= 0;
      const float along = std::min(1.f, std::max(0.f, dot(at - p[k], edge) / dot(edge, edge)));
      const vector gap = at - (p[k] + along * edge);
      best = std::min(best, std::sqrt(dot(gap, gap)));
    }
    if (inside) best = std::min(best, std::abs(height) * std::sqrt(dot(n, n)));
  }
  return best;
}
/// Where the ray, as long as its direction, meets triangles; hits closer together than the tolerance are one.
inline int intersect_all(int input, const std::string&, const vector& from, const vector& ray,
                         std::vector<vector>& hits, std::vector<int>& prims, std::vector<vector>& uvws,
                         float tolerance, int) {
  std::vector<float> found;
  for (int t = 0; t < int(inputs.at(std::size_t(input)).triangles.size()); ++t) {
    const auto [a, b, c] = corners(input, t);
    const vector s = from - a, h = cross(ray, c - a), q = cross(s, b - a);
    const float det = dot(b - a, h);
    if (std::abs(det) < 1e-12f) continue;
    const float u = dot(s, h) / det, v = dot(ray, q) / det, along = dot(c - a, q) / det;
    if (u < 0 || v < 0 || u + v > 1 || along < 0 || along > 1) continue;
    found.push_back(along);
    hits.push_back(from + along * ray), prims.push_back(t), uvws.emplace_back(u, v, 0.f);
  }
  std::sort(found.begin(), found.end());
  const float apart = tolerance / std::sqrt(dot(ray, ray));
  return int(std::unique(found.begin(), found.end(), [&](float a, float b) { return b - a < apart; }) -
             found.begin());
}

inline int made_points = 0;
inline int addpoint(int, const vector& p) {
  std::printf("point %.9g %.9g %.9g\n", double(p.x), double(p.y), double(p.z));
  return made_points++;
}
inline void addprim(int, const std::string& kind, int a, int b, int c, int d) {
  std::printf("%s %d %d %d %d\n", kind.c_str(), a, b, c, d);
}
inline void setpointattrib(int, const std::string& name, int at, const vector& v) {
  std::printf("%s %d %.9g %.9g %.9g\n", name.c_str(), at, double(v.x), double(v.y), double(v.z));
}
inline void setdetailattrib(int, const std::string& name, float v) {
  std::printf("detail %s %.9g\n", name.c_str(), double(v));
}
inline void setdetailattrib(int, const std::string& name, const vector& v) {
  std::printf("detail %s %.9g %.9g %.9g\n", name.c_str(), double(v.x), double(v.y), double(v.z));
}
inline void setdetailattrib(int, const std::string& name, const std::vector<int>& list) {
  std::printf("detail %s", name.c_str());
  for (int v : list) std::printf(" %d", v);
  std::printf("\n");
}

/// "attribute INPUT NAME x y z ...", "triangles INPUT a b c ...", "detail INPUT NAME v ..."
inline void read_inputs() {
  std::string word, name, line;
  std::size_t input = 0;
  while (std::getline(std::cin, line)) {
    char* at = line.data();
    const auto next = [&at]() -> std::string {
      while (*at == ' ') ++at;
      const char* begin = at;
      while (*at && *at != ' ') ++at;
      return std::string(begin, std::size_t(at - begin));
    };
    word = next(), input = std::size_t(std::stoi(next()));
    if (word != "triangles") name = next();
    std::vector<float> numbers;
    for (std::string number = next(); !number.empty(); number = next()) numbers.push_back(std::stof(number));
    Input& in = inputs.at(input);
    if (word == "detail") in.details[name] = numbers;
    for (std::size_t i = 0; word != "detail" && i + 2 < numbers.size(); i += 3) {
      if (word == "attribute") in.points[name].emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
      if (word == "triangles")
        in.triangles.push_back({int(numbers[i]), int(numbers[i + 1]), int(numbers[i + 2])});
    }
  }
}
