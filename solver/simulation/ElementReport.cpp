#include "simulation/ElementReport.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "energy/TetStress.h"

namespace verve {
namespace {

template <class Place>
Mat3 edges(const std::array<int, 4>& tet, const Place& place) {
  Mat3 m;
  for (int k = 0; k < 3; ++k) m.col(k) = place(tet[std::size_t(k) + 1]) - place(tet[0]);
  return m;
}

/// Sums over the elements around each point, and what they are divided by.
struct Sums {
  std::vector<double> stress, energy, weight;
  explicit Sums(std::size_t points) : stress(points), energy(points), weight(points) {}
};

void add_tets(const Body& body, const Vector& x, int first, int first_tet, Sums& sums,
              std::vector<int>& inverted) {
  const auto rest = [&](int i) -> Vec3 { return body.rest[std::size_t(i)]; };
  const auto now = [&](int i) -> Vec3 { return point(x, first + i); };
  for (std::size_t t = 0; t < body.tets.size(); ++t) {
    const Mat3 before = edges(body.tets[t], rest), after = edges(body.tets[t], now);
    const Mat3 f = after * before.inverse();
    const double volume = before.determinant() / 6.0;
    if (!(f.determinant() > 0.0)) inverted.push_back(first_tet + int(t));
    const TetStress s =
        tet_stress(body.tet_material.model, body.tet_material.mu[t], body.tet_material.lambda[t], f);
    for (int i : body.tets[t]) {
      sums.stress[std::size_t(first + i)] += volume * s.von_mises;
      sums.energy[std::size_t(first + i)] += volume * s.energy_density;
      sums.weight[std::size_t(first + i)] += volume;
    }
  }
}

/// Points that belong to tets as well keep what the tets say.
void add_springs(const Body& body, const Vector& x, int first, const std::vector<char>& in_tets, Sums& sums) {
  for (std::size_t e = 0; e < body.springs.size(); ++e) {
    const auto& [a, b] = body.springs[e];
    const double k = body.spring_material.stiffness[e];
    const double rest = (body.rest[std::size_t(a)] - body.rest[std::size_t(b)]).norm();
    const double now = (point(x, first + a) - point(x, first + b)).norm();
    const bool quartic = body.spring_material.model == SpringModel::stvk;
    const double strain = quartic ? now * now - rest * rest : now - rest;
    const double force = quartic ? 2.0 * k * strain * now : k * strain;
    for (int i : {a, b}) {
      if (in_tets[std::size_t(i)]) continue;
      const auto at = std::size_t(first + i);
      sums.stress[at] = std::max(sums.stress[at], std::abs(force));
      sums.energy[at] += 0.25 * k * strain * strain;
      sums.weight[at] += 0.5 * rest;
    }
  }
}

}  // namespace

ElementReport report_elements(const Scene& scene, const Vector& x) {
  const auto points = std::size_t(scene.points());
  ElementReport report;
  report.stress.resize(points);
  report.energy_density.resize(points);
  Sums sums(points);
  int first = 0, first_tet = 0;
  for (const Body& body : scene.bodies) {
    std::vector<char> in_tets(body.rest.size());
    for (const auto& tet : body.tets)
      for (int i : tet) in_tets[std::size_t(i)] = 1;
    add_tets(body, x, first, first_tet, sums, report.inverted);
    add_springs(body, x, first, in_tets, sums);
    for (std::size_t i = 0; i < body.rest.size(); ++i) {
      const auto at = std::size_t(first) + i;
      const double weight = sums.weight[at];
      if (!(weight > 0.0)) continue;
      report.stress[at] = float(in_tets[i] ? sums.stress[at] / weight : sums.stress[at]);
      report.energy_density[at] = float(sums.energy[at] / weight);
    }
    first += int(body.rest.size());
    first_tet += int(body.tets.size());
  }
  return report;
}

}  // namespace verve
