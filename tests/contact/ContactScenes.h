// Small bodies that meet colliders, for the tests and benchmarks of contact.
#pragma once

#include "contact/Contacts.h"
#include "energy/SpringEnergy.h"
#include "energy/TetEnergy.h"
#include "integrator/Integrator.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshTopology.h"
#include "mesh/Shapes.h"
#include "scheme/MakeIntegrator.h"

namespace verve::test {

struct Material {
  TetModel model = TetModel::stvk;
  double mu = 400, lambda = 100, mass = 1;
};

/// Bodies, colliders and the integrator that moves them.
struct ContactScene {
  System system;
  State state;
  ContactInput contact;
  IntegratorSettings settings;
  double h = 0.033;
  std::vector<std::array<int, 3>> triangles;  ///< the bodies' surfaces
  std::vector<std::size_t> first_triangle;    ///< by body
  Drivers drivers;
  std::unique_ptr<Integrator> integrator;
  double start = 0.0;
  int iterations = 0;

  ContactScene() { system.gravity = {0, -9.81, 0}; }

  /// Adds a body of tets at rest; call before begin().
  void add(const TetMesh& mesh, const Material& material, const Vec3& place,
           const Vec3& velocity = Vec3::Zero()) {
    const int first = add_points(mesh.points, place, velocity);
    const Vector& rest = state.x;
    const double density = material.mass / volume(mesh);
    std::vector<std::array<int, 4>> tets = mesh.tets;
    for (std::size_t t = 0; t < tets.size(); ++t) {
      const double share = density * tet_volume(mesh, int(t)) / 4;
      for (int& p : tets[t]) p += first, point(system.mass, p).array() += share;
    }
    const std::size_t n = tets.size();
    const TetMaterial tet{material.model, std::vector<double>(n, material.mu),
                          std::vector<double>(n, material.lambda), std::vector<double>(n, density)};
    system.elastic.push_back(make_tet_energy(rest, tets, tet, partition_points(rest, 1)));
    for (auto t : surface_triangles(mesh)) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }

  /// Adds a cloth of springs along its edges, of `stiffness` N/m at rest.
  void add_sheet(const TriangleMesh& mesh, double stiffness, double mass, const Vec3& place,
                 const Vec3& velocity = Vec3::Zero()) {
    const int first = add_points(mesh.points, place, velocity);
    std::vector<std::array<int, 2>> springs;
    SpringMaterial material;
    for_each_edge(sorted_edges(mesh.triangles), [&](const TriangleEdge* e, const TriangleEdge*) {
      springs.push_back({e->a + first, e->b + first});
      const double length = (mesh.points[e->a] - mesh.points[e->b]).norm();
      material.stiffness.push_back(stiffness / (4 * length * length));
      material.length.push_back(length);
    });
    std::vector<double> by_point(system.points(), mass / double(mesh.points.size()));
    for (int i = first; i < system.points(); ++i) point(system.mass, i).setConstant(by_point[i]);
    material.mass = spread_mass(springs, by_point);
    system.elastic.push_back(make_spring_energy(springs, material, partition_points(state.x, 1)));
    for (auto t : mesh.triangles) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }

  /// Lets the bodies meet each other, themselves, and the corners of colliders; call after the last add().
  void add_skins() {
    contact.rest = state.x;
    for (std::size_t k = 0; k < first_triangle.size(); ++k) {
      const auto begin = triangles.begin() + std::ptrdiff_t(first_triangle[k]);
      const auto end = k + 1 < first_triangle.size()
                           ? triangles.begin() + std::ptrdiff_t(first_triangle[k + 1])
                           : triangles.end();
      contact.bodies.push_back({"body " + std::to_string(k), {begin, end}, {}});
    }
  }

  void begin() {
    system.finish();
    system.contacts = std::make_shared<Contacts>(contact, system.mass, system.gravity);
    integrator = make_integrator(system, settings);
    record(measure(system, state), state.ledger);
    start = measure(system, state).total();
  }

  /// Advances by a step, in parts where it cannot be solved whole, as Simulation does; false when even 2^4
  /// parts fail.
  bool step() { return step(h, 4); }
  bool step(double span, int halvings) {
    const State before = state;
    const StepReport report = integrator->step(drivers, state, span);
    iterations += report.newton_iterations;
    if (report.solved) {
      record(measure(system, state), state.ledger);
      return true;
    }
    state = before;
    return halvings > 0 && step(0.5 * span, halvings - 1) && step(0.5 * span, halvings - 1);
  }
  int add_points(const std::vector<Vec3>& points, const Vec3& place, const Vec3& velocity) {
    const int first = system.points(), count = int(points.size());
    for (Vector* v : {&state.x, &state.v, &system.mass})
      v->conservativeResize(3 * Eigen::Index(first + count));
    for (int i = 0; i < count; ++i) {
      point(state.x, first + i) = points[i] + place;
      point(state.v, first + i) = velocity;
      point(system.mass, first + i).setZero();
    }
    system.piece.resize(first + count, system.pieces++);
    first_triangle.push_back(triangles.size());
    return first;
  }
  double energy() const { return measure(system, state).total(); }
  double ledger_error() const { return state.ledger.error(energy()); }

  /// The largest ledger error over `steps`; infinite when a step failed.
  double worst_error(int steps) {
    double worst = 0.0;
    for (int i = 0; i < steps; ++i) {
      if (!step()) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, std::abs(ledger_error()));
    }
    return worst;
  }
};

inline ColliderSpec collider(const char* name, std::unique_ptr<Shape> shape, double stiffness) {
  ColliderSpec spec;
  spec.name = name;
  spec.shape = std::move(shape);
  spec.stiffness = stiffness;
  return spec;
}

/// A cube of side .5 m, 1 kg, let fall from 1 m.
inline ContactScene cube_scene(const Material& material = {}, int cells = 2) {
  ContactScene scene;
  scene.add(make_box({.5, .5, .5}, {cells, cells, cells}), material, {0, 1, 0}, {.1, 0, .05});
  scene.settings.newton.tolerance = 1e-10;
  return scene;
}

}  // namespace verve::test
