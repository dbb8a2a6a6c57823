#include "mesh/SpringNet.h"

#include <algorithm>
#include <string>

#include "base/Error.h"

namespace verve {
namespace {

using Pair = std::array<int, 2>;

Pair ordered(int a, int b) {
  return a < b ? Pair{a, b} : Pair{b, a};
}

void make_unique(std::vector<Pair>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

void remove_doubles(SpringNet& net) {
  make_unique(net.stretch);
  make_unique(net.bend);
  std::vector<Pair> bend;
  std::set_difference(net.bend.begin(), net.bend.end(), net.stretch.begin(), net.stretch.end(),
                      std::back_inserter(bend));
  net.bend = std::move(bend);
}

template <class Element>
void require_points(const Element& element, std::size_t points, const char* kind, std::size_t number) {
  for (int p : element)
    if (p < 0 || std::size_t(p) >= points)
      throw Error(std::string(kind) + " " + std::to_string(number) + " uses point " + std::to_string(p) +
                  " but there are only " + std::to_string(points) + " points");
}

}  // namespace

SpringNet make_spring_net(const TriangleMesh& sheet) {
  struct Corner {
    Pair edge;
    int opposite;
  };
  std::vector<Corner> corners;
  corners.reserve(3 * sheet.triangles.size());
  for (std::size_t i = 0; i < sheet.triangles.size(); ++i) {
    const auto& t = sheet.triangles[i];
    require_points(t, sheet.points.size(), "triangle", i);
    for (int c = 0; c < 3; ++c) {
      const int a = t[(c + 1) % 3], b = t[(c + 2) % 3];
      if (a == b)
        throw Error("triangle " + std::to_string(i) + " uses point " + std::to_string(a) +
                    " twice; remove degenerate triangles before making springs");
      corners.push_back({ordered(a, b), t[c]});
    }
  }
  std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) {
    return a.edge != b.edge ? a.edge < b.edge : a.opposite < b.opposite;
  });

  SpringNet net{sheet.points, {}, {}};
  for (std::size_t begin = 0, end = 0; begin < corners.size(); begin = end) {
    while (end < corners.size() && corners[end].edge == corners[begin].edge) ++end;
    net.stretch.push_back(corners[begin].edge);
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t j = i + 1; j < end; ++j)
        if (corners[i].opposite != corners[j].opposite)
          net.bend.push_back(ordered(corners[i].opposite, corners[j].opposite));
  }
  remove_doubles(net);
  return net;
}

SpringNet make_spring_net(const std::vector<Vec3>& points, const std::vector<std::vector<int>>& lines) {
  SpringNet net{points, {}, {}};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& line = lines[i];
    require_points(line, points.size(), "line", i);
    for (std::size_t k = 0; k + 1 < line.size(); ++k) {
      if (line[k] == line[k + 1])
        throw Error("line " + std::to_string(i) + " has point " + std::to_string(line[k]) +
                    " twice in a row");
      net.stretch.push_back(ordered(line[k], line[k + 1]));
    }
    const auto bend = [&](int a, int b) {
      if (a != b) net.bend.push_back(ordered(a, b));
    };
    for (std::size_t k = 0; k + 2 < line.size(); ++k) bend(line[k], line[k + 2]);
    if (line.size() > 3 && line.front() == line.back()) bend(line[line.size() - 2], line[1]);
  }
  remove_doubles(net);
  return net;
}

}  // namespace verve
