#include "simulation/Scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/Error.h"
#include "base/Parallel.h"
#include "energy/BendingEnergy.h"
#include "energy/MembraneEnergy.h"
#include "energy/QuadraticTetEnergy.h"
#include "simulation/ChangingBodies.h"
#include "simulation/PaintedMaps.h"
#include "simulation/Pieces.h"
#include "simulation/SceneContacts.h"
#include "simulation/SceneTerms.h"

namespace verve {
namespace {

void check(const Body& body) {
  const auto fail = [&](const std::string& what) { throw Error("body '" + body.name + "': " + what); };
  if (body.rest.empty()) fail("has no points");
  if (body.tets.empty() && body.springs.empty() && body.membrane.empty())
    fail("has neither tets nor a membrane nor springs, so nothing holds it together");
  for (std::size_t i = 0; i < body.rest.size(); ++i) {
    const std::string name = "point " + std::to_string(i);
    if (!body.rest[i].allFinite() || !body.x[i].allFinite())
      fail(name + " has a position that is not a number");
    if (!body.v[i].allFinite()) fail(name + " has a velocity that is not a number");
    if (!(body.mass[i] > 0.0) || !std::isfinite(body.mass[i]))
      fail(name + " has mass " + std::to_string(body.mass[i]) + "; masses must be positive");
  }
  for (std::size_t e = 0; e < body.tets.size(); ++e) {
    const double mu = body.tet_material.mu[e], lambda = body.tet_material.lambda[e];
    if (mu == 0.0 && lambda == 0.0) continue;  // painted away
    if (!(mu > 0.0) || !std::isfinite(mu) || !(lambda > -2.0 / 3.0 * mu) || !std::isfinite(lambda))
      fail("tet " + std::to_string(e) + " has mu " + std::to_string(mu) + " and lambda " +
           std::to_string(lambda) + "; mu must be positive and lambda above -2/3 mu");
  }
  for (std::size_t e = 0; e < body.springs.size(); ++e) {
    const double k = body.spring_material.stiffness[e];
    if (!(k >= 0.0) || !std::isfinite(k))
      fail("spring " + std::to_string(e) + " has stiffness " + std::to_string(k) +
           "; it must not be negative");
  }
  for (double k : body.rope.rigidity)
    if (!(k >= 0.0) || !std::isfinite(k))
      fail("has a rope of bending stiffness " + std::to_string(k) + "; it must not be negative");
  for (std::size_t e = 0; e < body.sheet.size(); ++e)
    if (!body.sheet[e].stretch.semidefinite() || !body.sheet[e].bend.semidefinite())
      fail("triangle " + std::to_string(e) +
           " would set energy free when it is stretched or bent; stiffness must not be negative");
}

/// Elements of one model over all bodies, numbered over all points.
struct Tets {
  std::vector<std::array<int, 4>> elements;
  TetMaterial material;
};
struct Sheets {
  std::vector<std::array<int, 3>> elements;
  std::vector<SheetMaterial> material;
};
struct QuadraticTets {
  std::vector<QuadraticTet> elements;
  TetMaterial material;
};

/// Adds a body's tets, linear or quadratic; an element takes the mean of the small tets that it is shown by.
void add_tets(const Body& body, int first, Tets& linear, QuadraticTets& quadratic) {
  const TetMaterial& from = body.tet_material;
  if (body.quadratic.empty()) {
    for (std::size_t e = 0; e < body.tets.size(); ++e) {
      if (from.mu[e] == 0.0) continue;
      std::array<int, 4> tet = body.tets[e];
      for (int& p : tet) p += first;
      linear.elements.push_back(tet);
      linear.material.mu.push_back(from.mu[e]);
      linear.material.lambda.push_back(from.lambda[e]);
      linear.material.density.push_back(from.density[e]);
    }
    return;
  }
  const std::size_t parts = body.tets.size() / body.quadratic.size();
  for (std::size_t e = 0; e < body.quadratic.size(); ++e) {
    QuadraticTet element = body.quadratic[e];
    for (int& p : element) p += first;
    quadratic.elements.push_back(element);
    for (auto list : {&TetMaterial::mu, &TetMaterial::lambda, &TetMaterial::density}) {
      const auto begin = (from.*list).begin() + std::ptrdiff_t(parts * e);
      (quadratic.material.*list)
          .push_back(std::accumulate(begin, begin + std::ptrdiff_t(parts), 0.0) / double(parts));
    }
  }
}

struct Springs {
  std::vector<std::array<int, 2>> elements;
  SpringMaterial material;
};

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

double Course::at(double time) const {
  if (keys.empty()) return 1.0;
  if (time <= keys.front()[0]) return keys.front()[1];
  for (std::size_t k = 1; k < keys.size(); ++k)
    if (time < keys[k][0]) {
      const double share = (time - keys[k - 1][0]) / (keys[k][0] - keys[k - 1][0]);
      return (1.0 - share) * keys[k - 1][1] + share * keys[k][1];
    }
  return keys.back()[1];
}

int Scene::points() const {
  std::size_t sum = 0;
  for (const Body& body : bodies) sum += body.rest.size();
  return int(sum);
}

IntegratorSettings integrator_settings(const Scene& scene) {
  IntegratorSettings settings = scene.integrator;
  const std::vector<double> by_point = multipliers_at(scene, &Body::damping, &Painted::damping, 0.0);
  if (!by_point.empty()) {
    auto multiplier = std::make_shared<PointScale>();
    multiplier->value = Eigen::Map<const Vector>(by_point.data(), Eigen::Index(by_point.size()));
    settings.damping.multiplier = std::move(multiplier);
  }
  return settings;
}

void compile(const Scene& scene, System& system, State& state) {
  if (scene.bodies.empty()) throw Error("the scene has no bodies; give at least one in 'bodies'");
  const int points = scene.points();
  system.gravity = scene.gravity;
  system.mass.resize(3 * Eigen::Index(points));
  system.pieces = 0;
  state.x.resize(system.mass.size());
  state.v.resize(system.mass.size());
  Vector rest(system.mass.size());
  std::array<Tets, 4> tets;
  std::array<QuadraticTets, 4> quadratic;
  std::array<Springs, 2> springs;
  Sheets sheets;
  std::vector<std::array<int, 3>> corners;
  RopeMaterial rope;
  int first = 0;
  for (const Body& body : scene.bodies) {
    check(body);
    const std::vector<int> part = parts_of(body);
    for (std::size_t i = 0; i < body.rest.size(); ++i) {
      const int at = first + int(i);
      point(rest, at) = body.rest[i];
      point(state.x, at) = body.x[i];
      point(state.v, at) = body.v[i];
      point(system.mass, at).setConstant(body.mass[i]);
      system.piece.push_back(system.pieces + part[i]);
    }
    if (!part.empty()) system.pieces += 1 + *std::max_element(part.begin(), part.end());
    const auto model = std::size_t(body.tet_material.model);
    add_tets(body, first, tets[model], quadratic[model]);
    for (auto triangle : body.membrane) {
      for (int& p : triangle) p += first;
      sheets.elements.push_back(triangle);
    }
    append(sheets.material, body.sheet);
    for (auto corner : body.corners) {
      for (int& p : corner) p += first;
      corners.push_back(corner);
    }
    append(rope.rigidity, body.rope.rigidity);
    append(rope.sides, body.rope.sides);
    append(rope.angle, body.rope.angle);
    Springs& s = springs[std::size_t(body.spring_material.model)];
    const std::vector<double>& given = body.spring_material.length;
    for (std::size_t e = 0; e < body.springs.size(); ++e) {
      std::array<int, 2> spring = body.springs[e];
      const double at_rest = (body.rest[spring[0]] - body.rest[spring[1]]).norm();
      s.material.length.push_back(!given.empty() && given[e] > 0.0 ? given[e] : at_rest);
      for (int& p : spring) p += first;
      s.elements.push_back(spring);
    }
    append(s.material.stiffness, body.spring_material.stiffness);
    append(s.material.mass, spread_mass(body.springs, body.mass));
    first += int(body.rest.size());
  }

  const Partition partition = partition_points(rest, thread_count());
  CompiledEnergies changing;
  for (std::size_t m = 0; m < tets.size(); ++m) {
    tets[m].material.model = TetModel(m);
    if (!tets[m].elements.empty()) {
      system.elastic.push_back(make_tet_energy(rest, tets[m].elements, tets[m].material, partition));
      changing.tets[m] = system.elastic.back().get();
    }
    quadratic[m].material.model = TetModel(m);
    if (!quadratic[m].elements.empty())
      system.elastic.push_back(
          make_quadratic_tet_energy(rest, quadratic[m].elements, quadratic[m].material, partition));
  }
  if (!sheets.elements.empty()) {
    system.elastic.push_back(make_membrane_energy(rest, sheets.elements, sheets.material, partition));
    changing.membrane = system.elastic.back().get();
    if (auto limit = make_strain_limit(rest, sheets.elements, sheets.material, partition))
      system.elastic.push_back(std::move(limit));
    std::vector<char> changes;
    for (const Body& body : scene.bodies)
      changes.insert(changes.end(), body.membrane.size(), changes_shape(body));
    append_bending(rest, sheets.elements, sheets.material, partition, system.elastic, changes,
                   &changing.bends);
  }
  for (std::size_t m = 0; m < springs.size(); ++m) {
    springs[m].material.model = SpringModel(m);
    if (springs[m].elements.empty()) continue;
    system.elastic.push_back(make_spring_energy(springs[m].elements, springs[m].material, partition));
    changing.springs[m] = system.elastic.back().get();
  }
  if (!corners.empty()) {
    const bool change = std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const Body& body) {
      return !body.corners.empty() && changes_shape(body);
    });
    system.elastic.push_back(make_rope_bending(corners, rope, partition, change));
    changing.corners = system.elastic.back().get();
  }
  add_rest_term(scene, changing, rest, system, state);
  system.constraints = ConstraintSet(scene.constraints, state.x);
  system.rest = std::move(rest);
  add_terms(scene, state.x, system);
  system.finish();
  add_contacts(scene, system);
}

}  // namespace verve
