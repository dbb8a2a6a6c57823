#include "simulation/PrimitivePieces.h"

#include <algorithm>
#include <cmath>

#include "base/Error.h"
#include "geometry/WarpDirections.h"
#include "mesh/MeshGeometry.h"
#include "mesh/UnionFind.h"

namespace verve {
namespace {

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

  std::vector<PrimitivePiece> pieces;

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
      PrimitivePiece& piece = pieces[std::size_t(piece_[std::size_t(i)] = piece_[std::size_t(root)])];
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
    PrimitivePiece& piece = pieces[std::size_t(piece_[std::size_t(point_at(begin(i)))])];
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

  void add_tet(PrimitivePiece& piece, int i) {
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
    piece.tets.push_back(tet);
    piece.tet_primitive.push_back(i);
  }

  void add_polygon(PrimitivePiece& piece, int i) {
    for (int j = begin(i) + 1; j + 1 < end(i); ++j) {
      const Vec3 a = rest_[std::size_t(point_at(begin(i)))], b = rest_[std::size_t(point_at(j))],
                 c = rest_[std::size_t(point_at(j + 1))];
      const double size = std::max({(b - a).squaredNorm(), (c - a).squaredNorm(), (c - b).squaredNorm()});
      if (!((b - a).cross(c - a).norm() > 1e-12 * size))
        throw Error(primitive(i) +
                    " is a polygon without area at rest, so no cloth can be made of it; remove it "
                    "or fuse its points");
      piece.triangles.push_back({local(begin(i)), local(j), local(j + 1)});
      if (!warp_.empty())
        piece.warp.push_back(warp_[std::size_t(triangles_before_[std::size_t(i)] + j - begin(i) - 1)]);
    }
  }

  void add_line(PrimitivePiece& piece, int i) {
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

}  // namespace

std::vector<PrimitivePiece> primitive_pieces(const Geometry& geometry, const std::vector<Vec3>& rest,
                                             const std::vector<double>& lengths, bool split,
                                             std::vector<std::string>& warnings) {
  return Sorter(geometry, rest, lengths, split, warnings).pieces;
}

}  // namespace verve
