// Small systems for tests that work below the level of scenes.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "energy/SpringEnergy.h"
#include "energy/TetEnergy.h"
#include "integrator/Integrator.h"
#include "mesh/Shapes.h"
#include "mesh/SpringNet.h"

namespace verve::test {

/// A system at its first state, with its books open.
struct Case {
  System system;
  State state;
  Vector rest;

  double total() const { return measure(system, state).total(); }
  double energy_scale() const { return state.ledger.largest; }
};

inline Vector stacked(const std::vector<Vec3>& points) {
  Vector x(3 * Eigen::Index(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) point(x, int(i)) = points[i];
  return x;
}

/// Fills in the rest once masses, energies and positions are there.
inline void finish(Case& c) {
  c.system.piece.assign(std::size_t(c.system.points()), 0);
  c.system.pieces = 1;
  c.system.finish();
  c.state.v = Vector::Zero(c.state.x.size());
  record(measure(c.system, c.state), c.state.ledger);
}

/// Books the present energy after the velocities were set.
inline void reopen(Case& c) {
  c.state.ledger = {};
  record(measure(c.system, c.state), c.state.ledger);
}

/// A bar of 1 kg along x at rest, Lamé parameters mu and lambda.
inline Case make_bar(double mu = 400, double lambda = 100, const Vec3& size = {2, .25, .25},
                     std::array<int, 3> cells = {8, 1, 1}, TetModel model = TetModel::stvk) {
  Case c;
  const TetMesh mesh = make_box(size, cells);
  c.rest = c.state.x = stacked(mesh.points);
  const std::size_t n = mesh.tets.size();
  const double density = 1.0 / size.prod();
  c.system.mass = Vector::Zero(c.rest.size());
  for (const auto& t : mesh.tets) {
    const auto p = [&](int i) { return mesh.points[t[i]]; };
    const double volume = (p(1) - p(0)).cross(p(2) - p(0)).dot(p(3) - p(0)) / 6.0;
    for (int i : t) point(c.system.mass, i).array() += 0.25 * density * volume;
  }
  const TetMaterial material{model, std::vector<double>(n, mu), std::vector<double>(n, lambda),
                             std::vector<double>(n, density)};
  c.system.elastic.push_back(make_tet_energy(c.rest, mesh.tets, material, partition_points(c.rest, 1)));
  finish(c);
  return c;
}

/// A sheet of StVK springs of 1 kg in the xz plane, 1 x 1 m.
inline Case make_sheet_of_springs(double stretch_stiffness, double bend_stiffness, std::array<int, 2> cells) {
  Case c;
  const TriangleMesh sheet = make_sheet({1, 1}, cells);
  const SpringNet net = make_spring_net(sheet);
  c.rest = c.state.x = stacked(net.points);
  c.system.mass = Vector::Constant(c.rest.size(), 1.0 / double(net.points.size()));
  std::vector<std::array<int, 2>> springs = net.stretch;
  springs.insert(springs.end(), net.bend.begin(), net.bend.end());
  SpringMaterial material{SpringModel::stvk, {}, {}, {}};
  for (std::size_t i = 0; i < springs.size(); ++i) {
    material.stiffness.push_back(i < net.stretch.size() ? stretch_stiffness : bend_stiffness);
    material.length.push_back((net.points[springs[i][0]] - net.points[springs[i][1]]).norm());
  }
  material.mass =
      spread_mass(springs, std::vector<double>(net.points.size(), 1.0 / double(net.points.size())));
  c.system.elastic.push_back(make_spring_energy(springs, material, partition_points(c.rest, 1)));
  finish(c);
  return c;
}

/// Pins that stay where they are.
class FixedPins : public Drivers {
 public:
  FixedPins() = default;
  explicit FixedPins(std::vector<Pin> pins) : pins_(std::move(pins)) {}
  void pins(double, std::vector<Pin>& out) const override { out = pins_; }

 private:
  std::vector<Pin> pins_;
};

/// Pins on every point of x for which `chosen(position)`.
template <class Chosen>
FixedPins pin_where(const Vector& x, const Chosen& chosen) {
  std::vector<Pin> pins;
  for (int i = 0; i < int(x.size() / 3); ++i)
    if (chosen(Vec3(point(x, i)))) pins.push_back({i, point(x, i)});
  return FixedPins(pins);
}

/// Takes `steps` steps of h and keeps the ledger's largest energy; false when one was not solved.
inline bool run(Case& c, Integrator& integrator, int steps, double h, const Drivers& drivers = FixedPins()) {
  for (int i = 0; i < steps; ++i) {
    if (!integrator.step(drivers, c.state, h).solved) return false;
    record(measure(c.system, c.state), c.state.ledger);
  }
  return true;
}

}  // namespace verve::test
