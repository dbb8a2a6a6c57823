#include "integrator/SagProblem.h"

#include <Eigen/LU>
#include <algorithm>

#include "contact/Contacts.h"
#include "term/RestConstants.h"

namespace verve {
SagProblem::SagProblem(System& of, const Drivers& drivers, const std::vector<char>& pieces, double h,
                       State from)
    : system(of), state(std::move(from)), drivers_(drivers, state.time, of, pieces, state.x) {
  Standstill still(system);
  boundary.begin(system, drivers_, state, h);
  chord.x0 = state.x;
  chord.samples = {{1.0, 1.0}};
  if (system.contacts) system.contacts->update_correction(chord, state.x);
  row.assign(std::size_t(system.points()), -1);
  for (int i = 0; i < system.points(); ++i)
    if (!std::binary_search(state.held.begin(), state.held.end(), i)) row[std::size_t(i)] = rows++;
  collect(pieces);
}

void SagProblem::collect(const std::vector<char>& pieces) {
  const auto free = [&](int p) { return pieces[std::size_t(system.piece[std::size_t(p)])] != 0; };
  for (const auto& energy : system.elastic) {
    if (energy->constants() == 0) continue;  // what limits the strain of cloth is part of the load
    std::vector<std::array<int, 2>> pairs;
    energy->append_pairs(pairs);
    if (std::none_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return free(pair[0]); })) continue;
    SagPart part{energy.get(), rest_kind(*energy), {}, {}, {}};
    part.constants.resize(std::size_t(energy->elements() * energy->constants()));
    energy->get_constants(part.constants.data());
    for (int e = 0; e < energy->elements(); ++e) {
      int p[Energy::max_stencil] = {};
      energy->stencil(e, p);
      if (!free(p[0])) continue;
      part.elements.push_back(e);
      part.points.push_back({p[0], p[1], p[2], p[3]});
    }
    parts.push_back(std::move(part));
  }
}

bool SagProblem::has(std::initializer_list<RestKind> kinds) const {
  return std::any_of(parts.begin(), parts.end(), [&](const SagPart& p) {
    return std::find(kinds.begin(), kinds.end(), p.kind) != kinds.end();
  });
}

bool SagProblem::shape_tets(const Vector& rest) {
  std::vector<SagPart> made = parts;
  for (SagPart& part : made)
    for (std::size_t k = 0; part.kind == RestKind::tets && k < part.elements.size(); ++k) {
      Mat3 edges;
      for (int a = 0; a < 3; ++a)
        edges.col(a) = point(rest, part.points[k][a + 1]) - point(rest, part.points[k][0]);
      double* c = part.of(part.elements[k]);
      c[9] = edges.determinant() / 6.0;
      if (!(c[9] > 0.0)) return false;
      Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(c, 3, 3) = edges.inverse();
    }
  parts.swap(made);
  for (SagPart& part : parts)
    if (part.kind == RestKind::tets) part.set();
  return true;
}

double SagProblem::present(SagPart& part, std::size_t k) const {
  const std::array<int, 4>& p = part.points[k];
  if (part.kind == RestKind::corners)
    return angle_of_corner(state.x, p.data(), part.of(part.elements[k]) + 1);
  return (point(state.x, p[1]) - point(state.x, p[0])).norm();
}

void SagProblem::relax(SagPart& part) const {
  if (part.kind != RestKind::sheets) {
    for (std::size_t k = 0; k < part.elements.size(); ++k) part.of(part.elements[k])[0] = present(part, k);
  } else {
    std::vector<double> present(3 * std::size_t(part.energy->elements()));
    dynamic_cast<const SheetRest&>(*part.energy).present(state.x, present.data());
    for (int e : part.elements) std::copy_n(&present[3 * std::size_t(e)], 3, part.of(e));
  }
  part.set();
}

void SagProblem::find_load() {
  shape_tets(state.x);
  for (SagPart& part : parts)
    if (part.kind != RestKind::tets) relax(part);
  const Vector load = gradient();
  for (int i = 0; i < system.points(); ++i)
    if (row[std::size_t(i)] >= 0) size = std::max(size, point(load, i).norm());
}

Vector SagProblem::gradient() const {
  Vector g = -(system.weight + boundary.force());
  system.evaluate(chord, state.x, &g);
  return g;
}

std::vector<char> SagProblem::points_of(std::initializer_list<RestKind> kinds) const {
  std::vector<char> found(row.size(), 0);
  for (const SagPart& part : parts) {
    if (std::find(kinds.begin(), kinds.end(), part.kind) == kinds.end()) continue;
    for (int e : part.elements) {
      int p[Energy::max_stencil];
      const int count = part.energy->stencil(e, p);
      for (int a = 0; a < count; ++a) found[std::size_t(p[a])] = row[std::size_t(p[a])] >= 0;
    }
  }
  return found;
}

Vector SagProblem::gradient_of(const std::vector<char>& points) const {
  Vector g = gradient();
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!points[i]) point(g, int(i)).setZero();
  return g;
}

BlockMatrix SagProblem::matrix() const {
  BlockMatrix made(system.pattern);
  std::fill(made.values.begin(), made.values.end(), 0.0);
  return made;
}

void SagProblem::add_to_diagonal(BlockMatrix& matrix, double share) const {
  double mean = 0.0;
  const auto each = [&](const auto& visit) {
    for (int i = 0; i < system.points(); ++i)
      for (int d : {0, 4, 8})
        if (row[std::size_t(i)] >= 0)
          visit(matrix.values[9 * std::size_t(system.pattern->diagonal[std::size_t(i)]) + std::size_t(d)]);
  };
  each([&](double& value) { mean += value / (3.0 * rows); });
  each([&](double& value) { value += share * mean; });
}

void SagProblem::forces(const SagPart& part, std::vector<std::array<Vec3, 4>>& out) const {
  for (std::size_t k = 0; k < part.elements.size(); k += Pack::size) {
    int elements[Pack::size];
    Pack3 x[Energy::max_stencil] = {}, g[Energy::max_stencil] = {};
    for (int lane = 0; lane < Pack::size; ++lane) {
      const std::size_t e = std::min(k + std::size_t(lane), part.elements.size() - 1);
      elements[lane] = part.elements[e];
      for (int b = 0; b < 4; ++b)
        for (int i = 0; i < 3; ++i) x[b][i].set(lane, point(state.x, part.points[e][b])[i]);
    }
    part.energy->element_gradients(elements, x, g);
    for (int lane = 0; lane < Pack::size && k + std::size_t(lane) < part.elements.size(); ++lane)
      for (int b = 0; b < 4; ++b)
        for (int i = 0; i < 3; ++i) out[k + std::size_t(lane)][b][i] = g[b][i][lane];
  }
}

}  // namespace verve
