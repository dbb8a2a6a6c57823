#include "mesh/MeshCheck.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/Error.h"
#include "mesh/MeshGeometry.h"

namespace verve {
namespace {

// An element is flat when its measure is below this share of its longest edge's power: what is left of a
// genuine one after coordinates far from the origin were rounded.
constexpr double flat = 1e-12;

enum class Sign { negative, flat, positive };

Sign sign_of(const std::vector<Vec3>& points, const std::array<int, 4>& t) {
  double longest = 0;
  for (const auto& e : tet_edges) longest = std::max(longest, (points[t[e[0]]] - points[t[e[1]]]).norm());
  const double det = 6 * tet_volume(points[t[0]], points[t[1]], points[t[2]], points[t[3]]);
  if (!(std::abs(det) > flat * longest * longest * longest)) return Sign::flat;
  return det > 0 ? Sign::positive : Sign::negative;
}

Sign sign_of(const std::vector<Vec3>& points, const std::array<int, 3>& t) {
  const Vec3 a = points[t[1]] - points[t[0]], b = points[t[2]] - points[t[0]];
  const double longest = std::max({a.squaredNorm(), b.squaredNorm(), (a - b).squaredNorm()});
  return a.cross(b).norm() > flat * longest ? Sign::positive : Sign::flat;
}

const auto& elements_of(const TetMesh& mesh) {
  return mesh.tets;
}
const auto& elements_of(const TriangleMesh& mesh) {
  return mesh.triangles;
}
auto& elements_of(TetMesh& mesh) {
  return mesh.tets;
}
auto& elements_of(TriangleMesh& mesh) {
  return mesh.triangles;
}

template <class Elements>
std::vector<char> used_points(const Elements& elements, std::size_t points) {
  std::vector<char> used(points, 0);
  for (const auto& e : elements)
    for (int p : e)
      if (p >= 0 && std::size_t(p) < points) used[p] = 1;
  return used;
}

template <class Mesh>
MeshReport check_any(const Mesh& mesh) {
  const auto& elements = elements_of(mesh);
  using Element = typename std::decay_t<decltype(elements)>::value_type;
  MeshReport report;
  report.points = int(mesh.points.size());
  report.elements = int(elements.size());
  const auto note = [&](Defect kind, int offender) { report.defects[int(kind)].add(offender); };

  for (int i = 0; i < report.points; ++i)
    if (!mesh.points[i].allFinite()) note(Defect::not_finite, i);

  std::vector<std::pair<Element, int>> sound;
  sound.reserve(elements.size());
  for (int i = 0; i < report.elements; ++i) {
    const Element& e = elements[i];
    Element sorted = e;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.front() < 0 || sorted.back() >= report.points) {
      note(Defect::out_of_range, i);
    } else if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      note(Defect::repeated_point, i);
    } else {
      sound.emplace_back(sorted, i);
      if (std::all_of(e.begin(), e.end(), [&](int p) { return mesh.points[p].allFinite(); })) {
        const Sign sign = sign_of(mesh.points, e);
        if (sign == Sign::flat) note(Defect::degenerate, i);
        if (sign == Sign::negative) note(Defect::inverted, i);
      }
    }
  }
  std::sort(sound.begin(), sound.end());
  for (std::size_t i = 1; i < sound.size(); ++i)
    if (sound[i].first == sound[i - 1].first) note(Defect::duplicate, sound[i].second);

  const std::vector<char> used = used_points(elements, mesh.points.size());
  for (int i = 0; i < report.points; ++i)
    if (!used[i]) note(Defect::unreferenced, i);
  return report;
}

const char* advice(Defect kind) {
  switch (kind) {
    case Defect::not_finite:
      return "repair or delete the point";
    case Defect::out_of_range:
      return "the mesh is damaged; export it again";
    case Defect::repeated_point:
      return "delete it";
    case Defect::degenerate:
      return "delete it or mesh again";
    case Defect::inverted:
      return "reverse it, or mesh again if tets overlap";
    case Defect::duplicate:
      return "delete one of the two";
    case Defect::unreferenced:
      return "delete unused points";
  }
  return "";
}

template <class Mesh>
void require_usable_any(const Mesh& mesh, const std::string& name, const char* element) {
  const auto& elements = elements_of(mesh);
  if (mesh.points.empty()) throw Error(name + ": the mesh is empty; it has no points");
  if (elements.empty()) throw Error(name + ": the mesh is empty; it has no " + element + "s");
  const MeshReport report = check_any(mesh);
  for (int k = 0; k < defect_kinds; ++k) {
    const Defect kind = Defect(k);
    const auto& entry = report[kind];
    if (entry.count == 0) continue;
    std::string sentence =
        name + ": " + (offender_is_point(kind) ? "point" : element) + " " + std::to_string(entry.first);
    if (!offender_is_point(kind)) {
      sentence += " (points";
      for (int p : elements[entry.first]) sentence += " " + std::to_string(p);
      sentence += ")";
    }
    sentence += std::string(" ") + describe(kind);
    if (entry.count > 1) sentence += ", and " + std::to_string(entry.count - 1) + " more like it";
    throw Error(sentence + "; " + advice(kind));
  }
}

template <class Mesh>
int remove_unreferenced_any(Mesh& mesh) {
  const std::vector<char> used = used_points(elements_of(mesh), mesh.points.size());
  std::vector<int> renumbered(mesh.points.size(), -1);
  int kept = 0;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) {
      mesh.points[kept] = mesh.points[i];
      renumbered[i] = kept++;
    }
  const int removed = int(mesh.points.size()) - kept;
  mesh.points.resize(kept);
  for (auto& e : elements_of(mesh))
    for (int& p : e) p = renumbered[p];
  return removed;
}

}  // namespace

const char* describe(Defect kind) {
  switch (kind) {
    case Defect::not_finite:
      return "has a coordinate that is not a finite number";
    case Defect::out_of_range:
      return "uses a point that does not exist";
    case Defect::repeated_point:
      return "uses a point twice";
    case Defect::degenerate:
      return "is flat: it has no volume or area";
    case Defect::inverted:
      return "is inverted: its volume is negative";
    case Defect::duplicate:
      return "has the same points as an earlier one";
    case Defect::unreferenced:
      return "is used by no element";
  }
  return "";
}

bool offender_is_point(Defect kind) {
  return kind == Defect::not_finite || kind == Defect::unreferenced;
}

void MeshReport::Entry::add(int offender) {
  ++count;
  first = first < 0 ? offender : std::min(first, offender);
}

bool MeshReport::clean() const {
  return std::all_of(defects.begin(), defects.end(), [](const Entry& e) { return e.count == 0; });
}

MeshReport check(const TetMesh& mesh) {
  return check_any(mesh);
}
MeshReport check(const TriangleMesh& mesh) {
  return check_any(mesh);
}

void require_usable(const TetMesh& mesh, const std::string& name) {
  require_usable_any(mesh, name, "tet");
}
void require_usable(const TriangleMesh& mesh, const std::string& name) {
  require_usable_any(mesh, name, "triangle");
}

Orientation orientation(const TetMesh& mesh) {
  Orientation counts;
  for (const auto& t : mesh.tets) {
    const Sign sign = sign_of(mesh.points, t);
    counts.positive += sign == Sign::positive;
    counts.negative += sign == Sign::negative;
  }
  return counts;
}

Orientation orient(TetMesh& mesh) {
  const Orientation before = orientation(mesh);
  if (before.negative > 0)
    for (auto& t : mesh.tets)
      if (sign_of(mesh.points, t) == Sign::negative) std::swap(t[2], t[3]);
  return before;
}

int remove_unreferenced(TetMesh& mesh) {
  return remove_unreferenced_any(mesh);
}
int remove_unreferenced(TriangleMesh& mesh) {
  return remove_unreferenced_any(mesh);
}

}  // namespace verve
