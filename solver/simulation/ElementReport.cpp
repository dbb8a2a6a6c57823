#include "simulation/ElementReport.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "energy/SheetMaterial.h"
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

/// The von Mises stress of the plane in N/m, as tets by area; points of tets keep what those say.
void add_membrane(const Body& body, const Vector& x, int first, const std::vector<char>& in_tets,
                  Sums& sums) {
  for (std::size_t e = 0; e < body.membrane.size(); ++e) {
    const auto& t = body.membrane[e];
    const auto rest = [&](int a) { return body.rest[std::size_t(t[std::size_t(a)])]; };
    const SheetFrame frame = sheet_frame({rest(0), rest(1), rest(2)}, body.sheet[e].warp);
    Vec3 f[2] = {Vec3::Zero(), Vec3::Zero()};
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < 2; ++k) f[k] += frame.gradient[a][k] * point(x, first + t[std::size_t(a)]);
    const double xx = 0.5 * (f[0].squaredNorm() - 1.0), yy = 0.5 * (f[1].squaredNorm() - 1.0),
                 xy = f[0].dot(f[1]);
    const SheetLaw& c = body.sheet[e].stretch;
    const double sx = c.along_warp * xx + c.mixed * yy, sy = c.mixed * xx + c.along_weft * yy,
                 sxy = c.shear * xy;
    const double energy = 0.5 * (sx * xx + sy * yy + sxy * xy);
    for (int i : t) {
      if (in_tets[std::size_t(i)]) continue;
      const auto at = std::size_t(first + i);
      sums.stress[at] += frame.area * std::sqrt(std::max(0.0, sx * sx - sx * sy + sy * sy + 3.0 * sxy * sxy));
      sums.energy[at] += frame.area * energy;
      sums.weight[at] += frame.area;
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
    add_membrane(body, x, first, in_tets, sums);
    std::vector<char> by_size = in_tets;  // of these points the stresses are means, of springs the largest
    for (const auto& t : body.membrane)
      for (int i : t) by_size[std::size_t(i)] = 1;
    add_springs(body, x, first, by_size, sums);
    for (std::size_t i = 0; i < body.rest.size(); ++i) {
      const auto at = std::size_t(first) + i;
      const double weight = sums.weight[at];
      if (!(weight > 0.0)) continue;
      report.stress[at] = float(by_size[i] ? sums.stress[at] / weight : sums.stress[at]);
      report.energy_density[at] = float(sums.energy[at] / weight);
    }
    first += int(body.rest.size());
    first_tet += int(body.tets.size());
  }
  return report;
}

}  // namespace verve
