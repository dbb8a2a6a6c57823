#include "simulation/Import.h"

#include <algorithm>
#include <map>

#include "base/Error.h"
#include "simulation/PrimitivePieces.h"

namespace verve {
namespace {

/// Gives the springs of lines the lengths that the lines ask for; those across a point where two lines meet
/// take the mean.
void scale_lengths(const PrimitivePiece& piece, std::size_t first, Body& body) {
  const auto place = [&](int i) -> const Vec3& { return body.rest[std::size_t(i)]; };
  const auto& scales = piece.line_scale;
  if (std::all_of(scales.begin(), scales.end(), [](double s) { return s == 1.0; })) return;
  std::map<std::array<int, 2>, double> of_segment;
  std::vector<double> sum(body.rest.size()), count(body.rest.size());
  for (std::size_t l = 0; l < scales.size(); ++l)
    for (std::size_t k = 0; k < piece.lines[l].size(); ++k) {
      const int a = piece.lines[l][k], b = piece.lines[l][std::min(k + 1, piece.lines[l].size() - 1)];
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

/// A body of a piece; `attributes` are those of its points.
Body body_of(const PrimitivePiece& piece, const std::string& name, const std::vector<Vec3>& rest,
             const Vector& x, const PointAttributes& attributes, const BodyMaterials& materials) {
  std::vector<Vec3> own;
  for (int i : piece.points) own.push_back(rest[std::size_t(i)]);
  Body body = at_rest(name, own);
  body.x.clear();
  for (int i : piece.points) body.x.emplace_back(point(x, i));
  const PointFactors factors{attributes.stiffness, attributes.massdensity};

  if (!piece.tets.empty()) require_bounded(materials.tet_model, materials.lame, name);
  add_tets(body, piece.tets, materials.tet_model, materials.lame, materials.tet_density, factors);
  if (materials.membranes)
    add_membrane(body, piece.triangles, materials.sheet, piece.warp, factors);
  else
    add_spring_sheet(body, piece.triangles, materials.spring_model, materials.stretch, materials.bend,
                     materials.cloth_density, factors);
  if (materials.rope) {
    add_ropes(body, piece.lines, piece.line_scale, *materials.rope, factors.stiffness);
  } else {
    const std::size_t first = body.springs.size();
    add_springs(body, make_spring_net(body.rest, piece.lines), materials.spring_model, materials.stretch,
                materials.bend, factors);
    scale_lengths(piece, first, body);
  }
  add_lines(body, piece.lines, materials.rod_density, factors);
  give_attributes(body, attributes);
  return body;
}

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
  const Vector x = geometry.positions();
  for (const PrimitivePiece& piece :
       primitive_pieces(geometry, rest, attributes.restlength, split, imported.warnings)) {
    const std::string name = name_of(geometry, piece.points.front(), imported.bodies.size());
    Body body = body_of(piece, name, rest, x, attributes.chosen(piece.points), materials);
    const std::string lost = without_stiffness(body);
    if (!lost.empty()) imported.warnings.push_back(lost);
    imported.bodies.push_back(std::move(body));
    append(imported.geometry_point, piece.points);
    append(imported.tet_primitive, piece.tet_primitive);
  }
  return imported;
}

}  // namespace verve
