#include "simulation/Import.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/Error.h"
#include "geometry/WarpDirections.h"
#include "mesh/MeshGeometry.h"
#include "mesh/UnionFind.h"

namespace verve {
namespace {

/// The elements of one piece, by the numbers of its own points.
struct Piece {
  std::vector<int> points;  ///< of the geometry, ascending
  TetMesh tets;
  std::vector<int> tet_primitive;
  TriangleMesh cloth;
  std::vector<Vec3> warp;  ///< one a triangle of the cloth, where the geometry says
  std::vector<std::vector<int>> lines;
  std::vector<double> line_scale;  ///< rest length over that of the rest shape
};

std::string primitive(int i) {
  return "primitive " + std::to_string(i);
}

/// Sorts the primitives of a geometry into pieces and checks each of them.
class Sorter {
 public:
  Sorter(const Geometry& geometry, const std::vector<Vec3>& rest, const std::vector<double>& lengths,
         bool split, std::vector<std::string>& warnings)
      : geometry_(geometry), rest_(rest), lengths_(lengths), warnings_(warnings) {
    check_points();
    warp_ = warp_directions(geometry, rest);
    triangles_before_.push_back(0);
    for (int i = 0; i < geometry.primitive_count(); ++i)
      triangles_before_.push_back(triangles_before_.back() +
                                  (geometry.primitive_types[std::size_t(i)] == PrimitiveType::Polygon
                                       ? std::max(0, end(i) - begin(i) - 2)
                                       : 0));
    const std::vector<char> in_tets = points_in_tets();
    UnionFind sets(geometry.point_count);
    std::vector<char> used(std::size_t(geometry.point_count));
    std::vector<int> simulated;
    for (int i = 0; i < geometry.primitive_count(); ++i) {
      const bool tet = geometry.primitive_types[std::size_t(i)] == PrimitiveType::Tetrahedron;
      if (end(i) - begin(i) < 2 || (!tet && carried(i, in_tets))) continue;
      simulated.push_back(i);
      for (int j = begin(i); j < end(i); ++j) {
        sets.join(point_at(begin(split ? i : simulated[0])), point_at(j));
        used[std::size_t(point_at(j))] = 1;
      }
    }
    if (simulated.empty())
      throw Error(
          "the geometry has no tetrahedra, polygons or lines to simulate; tetrahedralize it or feed "
          "polygons to be cloth");
    number_points(sets, used);
    for (int i : simulated) add(i);
    report_turned();
    report_unused_lengths();
  }

  std::vector<Piece> pieces;

 private:
  int begin(int i) const { return geometry_.primitive_starts[std::size_t(i)]; }
  int end(int i) const { return geometry_.primitive_starts[std::size_t(i) + 1]; }
  int point_at(int vertex) const { return geometry_.vertex_points[std::size_t(vertex)]; }
  int local(int vertex) const { return local_[std::size_t(point_at(vertex))]; }

  void check_points() const {
    const Vector x = geometry_.positions();
    for (int i = 0; i < geometry_.point_count; ++i)
      if (!point(x, i).allFinite())
        throw Error("point " + std::to_string(i) +
                    " is not at a finite place; look for a division by zero "
                    "in what comes before");
  }

  std::vector<char> points_in_tets() const {
    std::vector<char> in_tets(std::size_t(geometry_.point_count));
    for (int i = 0; i < geometry_.primitive_count(); ++i)
      if (geometry_.primitive_types[std::size_t(i)] == PrimitiveType::Tetrahedron)
        for (int j = begin(i); j < end(i); ++j) in_tets[std::size_t(point_at(j))] = 1;
    return in_tets;
  }
  bool carried(int i, const std::vector<char>& in_tets) const {
    for (int j = begin(i); j < end(i); ++j)
      if (!in_tets[std::size_t(point_at(j))]) return false;
    return true;
  }

  void number_points(UnionFind& sets, const std::vector<char>& used) {
    piece_.assign(used.size(), -1);
    local_.assign(used.size(), -1);
    int unused = 0, first_unused = -1;
    for (int i = 0; i < int(used.size()); ++i) {
      if (!used[std::size_t(i)]) {
        if (unused++ == 0) first_unused = i;
        continue;
      }
      const int root = sets.find(i);  // the lowest of its set, so it was numbered before
      if (root == i) {
        piece_[std::size_t(i)] = int(pieces.size());
        pieces.emplace_back();
      }
      Piece& piece = pieces[std::size_t(piece_[std::size_t(i)] = piece_[std::size_t(root)])];
      local_[std::size_t(i)] = int(piece.points.size());
      piece.points.push_back(i);
    }
    if (unused)
      warnings_.push_back(std::to_string(unused) +
                          " points belong to nothing that is simulated and stay as "
                          "they are, the first is point " +
                          std::to_string(first_unused));
  }

  double length(int i) const { return lengths_.empty() ? 0.0 : lengths_[std::size_t(i)]; }

  void add(int i) {
    Piece& piece = pieces[std::size_t(piece_[std::size_t(point_at(begin(i)))])];
    const PrimitiveType type = geometry_.primitive_types[std::size_t(i)];
    const bool line = type == PrimitiveType::Polyline || end(i) - begin(i) < 3;
    if (!line && length(i) > 0.0 && unused_lengths_++ == 0) first_unused_length_ = i;
    if (type == PrimitiveType::Tetrahedron)
      add_tet(piece, i);
    else if (type == PrimitiveType::Polygon && end(i) - begin(i) > 2)
      add_polygon(piece, i);
    else
      add_line(piece, i);
  }

  void add_tet(Piece& piece, int i) {
    std::array<int, 4> tet;
    std::array<Vec3, 4> p;
    double size = 0.0;
    for (int k = 0; k < 4; ++k) {
      tet[std::size_t(k)] = local(begin(i) + k);
      p[std::size_t(k)] = rest_[std::size_t(point_at(begin(i) + k))];
      size = std::max(size, (p[std::size_t(k)] - p[0]).norm());
    }
    const double volume = tet_volume(p[0], p[1], p[2], p[3]);
    if (!(std::abs(volume) > 1e-12 * size * size * size))
      throw Error(primitive(i) +
                  " is a tetrahedron without volume at rest; remove it or mesh the shape again");
    if (volume < 0.0) {
      std::swap(tet[2], tet[3]);
      if (turned_++ == 0) first_turned_ = i;
    }
    piece.tets.tets.push_back(tet);
    piece.tet_primitive.push_back(i);
  }

  void add_polygon(Piece& piece, int i) {
    for (int j = begin(i) + 1; j + 1 < end(i); ++j) {
      const Vec3 a = rest_[std::size_t(point_at(begin(i)))], b = rest_[std::size_t(point_at(j))],
                 c = rest_[std::size_t(point_at(j + 1))];
      const double size = std::max({(b - a).squaredNorm(), (c - a).squaredNorm(), (c - b).squaredNorm()});
      if (!((b - a).cross(c - a).norm() > 1e-12 * size))
        throw Error(primitive(i) +
                    " is a polygon without area at rest, so no cloth can be made of it; remove it "
                    "or fuse its points");
      piece.cloth.triangles.push_back({local(begin(i)), local(j), local(j + 1)});
      if (!warp_.empty())
        piece.warp.push_back(warp_[std::size_t(triangles_before_[std::size_t(i)] + j - begin(i) - 1)]);
    }
  }

  void add_line(Piece& piece, int i) {
    std::vector<int> line;
    for (int j = begin(i); j < end(i); ++j) {
      line.push_back(local(j));
      if (j > begin(i) && rest_[std::size_t(point_at(j))] == rest_[std::size_t(point_at(j - 1))])
        throw Error(primitive(i) + " has points " + std::to_string(point_at(j - 1)) + " and " +
                    std::to_string(point_at(j)) + " at the same place; fuse them");
    }
    if (geometry_.primitive_types[std::size_t(i)] == PrimitiveType::Polygon && line.size() > 2)
      line.push_back(line.front());
    double sum = 0.0;
    for (std::size_t k = 0; k + 1 < line.size(); ++k)
      sum += (rest_[std::size_t(piece.points[std::size_t(line[k])])] -
              rest_[std::size_t(piece.points[std::size_t(line[k + 1])])])
                 .norm();
    piece.line_scale.push_back(length(i) > 0.0 ? length(i) / sum : 1.0);
    piece.lines.push_back(std::move(line));
  }

  void report_unused_lengths() {
    if (unused_lengths_)
      warnings_.push_back("'restlength' is not used at " + std::to_string(unused_lengths_) +
                          " polygons or tetrahedra, the first is " + primitive(first_unused_length_) +
                          "; it is for poly lines, and the point attribute 'rest' for all others");
  }

  void report_turned() {
    if (turned_)
      warnings_.push_back(std::to_string(turned_) +
                          " tetrahedra are inside out at rest and are taken the other "
                          "way round, the first is " +
                          primitive(first_turned_));
  }

  const Geometry& geometry_;
  const std::vector<Vec3>& rest_;
  const std::vector<double>& lengths_;  ///< restlength by primitive; may be empty
  std::vector<std::string>& warnings_;
  std::vector<Vec3> warp_;
  std::vector<int> triangles_before_;  ///< of each primitive, as polygon_triangles counts them
  std::vector<int> piece_, local_;     ///< by point of the geometry; -1: not simulated
  int turned_ = 0, first_turned_ = -1, unused_lengths_ = 0, first_unused_length_ = -1;
};

/// The entries of a list that belong to some points; nothing of an empty one.
template <class T>
std::vector<T> chosen(const std::vector<T>& list, const std::vector<int>& points) {
  std::vector<T> result;
  if (!list.empty())
    for (int i : points) result.push_back(list[std::size_t(i)]);
  return result;
}

template <class Element>
double mean(const std::vector<double>& by_point, const Element& element) {
  if (by_point.empty()) return 1.0;
  double sum = 0.0;
  for (int i : element) sum += by_point[std::size_t(i)];
  return sum / double(element.size());
}

class BodyMaker {
 public:
  BodyMaker(Piece& piece, const std::vector<Vec3>& rest, const Vector& x, const PointAttributes& attributes,
            const BodyMaterials& materials, const std::string& name)
      : piece_(piece),
        materials_(materials),
        stiffness_(chosen(attributes.stiffness, piece.points)),
        density_(chosen(attributes.massdensity, piece.points)) {
    body.name = name;
    body.rest = chosen(rest, piece.points);
    for (int i : piece.points) body.x.push_back(point(x, i));
    body.v = chosen(attributes.v, piece.points);
    body.v.resize(body.rest.size(), Vec3::Zero());
    body.mass.assign(body.rest.size(), 0.0);
    add_tets();
    add_cloth();
    add_lines();
    if (!attributes.mass.empty()) body.mass = chosen(attributes.mass, piece.points);
    body.damping = chosen(attributes.dampingratio, piece.points);
    body.growth = chosen(attributes.restscale, piece.points);
    body.friction = chosen(attributes.friction, piece.points);
    body.contact_stiffness = chosen(attributes.collisionstiffness, piece.points);
    body.radius = chosen(attributes.pscale, piece.points);
    body.release = chosen(attributes.release, piece.points);
    body.drag_normal = chosen(attributes.dragnormal, piece.points);
    body.drag_tangent = chosen(attributes.dragtangent, piece.points);
    body.wind = chosen(attributes.wind, piece.points);
    body.collision = chosen(attributes.collision, piece.points);
  }

  Body body;

 private:
  void add_tets() {
    if (!piece_.tets.tets.empty()) require_bounded(materials_.tet_model, materials_.lame, body.name);
    body.tets = piece_.tets.tets;
    body.tet_material.model = materials_.tet_model;
    for (const auto& tet : body.tets) {
      const double stiffness = mean(stiffness_, tet), density = materials_.tet_density * mean(density_, tet);
      body.tet_material.mu.push_back(materials_.lame.mu * stiffness);
      body.tet_material.lambda.push_back(materials_.lame.lambda * stiffness);
      body.tet_material.density.push_back(density);
      const double volume = tet_volume(place(tet[0]), place(tet[1]), place(tet[2]), place(tet[3]));
      share(density * volume, tet);
    }
    if (body.tets.empty()) return;
    piece_.tets.points = body.rest;
    body.surface = surface_triangles(piece_.tets);
  }

  void add_cloth() {
    piece_.cloth.points = body.rest;
    if (!materials_.membranes) add_springs(make_spring_net(piece_.cloth));
    for (std::size_t e = 0; e < piece_.cloth.triangles.size(); ++e) {
      const auto& t = piece_.cloth.triangles[e];
      const Vec3 normal = (place(t[1]) - place(t[0])).cross(place(t[2]) - place(t[0]));
      SheetMaterial sheet = materials_.sheet;
      sheet.density = (materials_.membranes ? sheet.density : materials_.cloth_density) * mean(density_, t);
      share(sheet.density * 0.5 * normal.norm(), t);
      body.surface.push_back(t);
      if (!materials_.membranes) continue;
      const double stiffness = mean(stiffness_, t);
      sheet.stretch = sheet.stretch * stiffness;
      sheet.bend = sheet.bend * stiffness;
      if (!piece_.warp.empty()) sheet.warp = piece_.warp[e];
      body.membrane.push_back(t);
      body.sheet.push_back(sheet);
    }
  }

  void add_lines() {
    const std::size_t first = body.springs.size();
    if (materials_.rope) {
      add_ropes(body, piece_.lines, piece_.line_scale, *materials_.rope, stiffness_);
    } else {
      add_springs(make_spring_net(body.rest, piece_.lines));
      scale_lengths(first);
    }
    for (const auto& line : piece_.lines)
      for (std::size_t k = 0; k + 1 < line.size(); ++k) {
        const std::array<int, 2> segment = {line[k], line[k + 1]};
        share(
            materials_.rod_density * mean(density_, segment) * (place(segment[1]) - place(segment[0])).norm(),
            segment);
        body.lines.push_back(segment);
      }
  }

  void add_springs(const SpringNet& net) {
    body.spring_material.model = materials_.spring_model;
    const auto add = [&](const std::vector<std::array<int, 2>>& springs, double stiffness) {
      for (const auto& spring : springs) {
        body.springs.push_back(spring);
        body.spring_material.stiffness.push_back(stiffness * mean(stiffness_, spring));
      }
    };
    add(net.stretch, materials_.stretch);
    add(net.bend, materials_.bend);
  }

  /// Gives the springs of lines the lengths that the lines ask for; those across a point where two lines meet
  /// take the mean.
  void scale_lengths(std::size_t first) {
    const auto& scales = piece_.line_scale;
    if (std::all_of(scales.begin(), scales.end(), [](double s) { return s == 1.0; })) return;
    std::map<std::array<int, 2>, double> of_segment;
    std::vector<double> sum(body.rest.size()), count(body.rest.size());
    for (std::size_t l = 0; l < scales.size(); ++l)
      for (std::size_t k = 0; k < piece_.lines[l].size(); ++k) {
        const int a = piece_.lines[l][k], b = piece_.lines[l][std::min(k + 1, piece_.lines[l].size() - 1)];
        of_segment[{std::min(a, b), std::max(a, b)}] = scales[l];
        sum[std::size_t(a)] += scales[l], count[std::size_t(a)] += 1.0;
      }
    body.spring_material.length.assign(body.springs.size(), 0.0);
    for (std::size_t s = first; s < body.springs.size(); ++s) {
      const auto [a, b] = body.springs[s];
      const auto segment = of_segment.find({std::min(a, b), std::max(a, b)});
      const auto mean = [&](int i) { return sum[std::size_t(i)] / count[std::size_t(i)]; };
      body.spring_material.length[s] =
          (place(a) - place(b)).norm() *
          (segment != of_segment.end() ? segment->second : 0.5 * (mean(a) + mean(b)));
    }
  }

  const Vec3& place(int i) const { return body.rest[std::size_t(i)]; }
  template <class Element>
  void share(double mass, const Element& element) {
    for (int i : element) body.mass[std::size_t(i)] += mass / double(element.size());
  }

  Piece& piece_;
  const BodyMaterials& materials_;
  std::vector<double> stiffness_, density_;
};

void append(std::vector<int>& to, const std::vector<int>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

std::string name_of(const Geometry& geometry, int point, std::size_t number) {
  const Attribute* name = geometry.find(Owner::Point, "name");
  if (name && name->is_text() && !name->is_array() && !name->text(std::size_t(point)).empty())
    return name->text(std::size_t(point));
  return "piece" + std::to_string(number);
}

}  // namespace

std::vector<Vec3> rest_positions(const Geometry& geometry, const PointAttributes& attributes) {
  if (!attributes.rest.empty()) return attributes.rest;
  const Vector x = geometry.positions();
  std::vector<Vec3> rest;
  for (int i = 0; i < geometry.point_count; ++i) rest.push_back(point(x, i));
  return rest;
}

ImportedBodies import_bodies(const Geometry& geometry, const std::vector<Vec3>& rest,
                             const PointAttributes& attributes, const BodyMaterials& materials, bool split) {
  check(geometry);
  ImportedBodies imported;
  Sorter sorter(geometry, rest, attributes.restlength, split, imported.warnings);
  const Vector x = geometry.positions();
  for (Piece& piece : sorter.pieces) {
    BodyMaker maker(piece, rest, x, attributes, materials,
                    name_of(geometry, piece.points.front(), imported.bodies.size()));
    const std::string lost = without_stiffness(maker.body);
    if (!lost.empty()) imported.warnings.push_back(lost);
    imported.bodies.push_back(std::move(maker.body));
    append(imported.geometry_point, piece.points);
    append(imported.tet_primitive, piece.tet_primitive);
  }
  return imported;
}

}  // namespace verve
