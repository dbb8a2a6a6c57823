#include <algorithm>
#include <cmath>

#include "integrator/SagProblem.h"
#include "linear/LinearSolver.h"

namespace verve {
namespace {

constexpr double least_length = 0.1;  ///< of a spring at rest, as a share of what it is now

class SpringSearch {
 public:
  explicit SpringSearch(SagProblem& problem)
      : problem_(problem), own_(problem.points_of(SagPart::Kind::springs)) {}

  /// Springs: tension alone where it can bear the load, since what is pushed buckles, and any forces
  /// otherwise.
  void run() {
    std::vector<Column> columns;
    for (SagPart& part : problem_.parts) {
      if (part.kind != SagPart::Kind::springs) continue;
      problem_.relax(part);
      const std::vector<Vec3> force = by_length(part);
      for (std::size_t k = 0; k < part.elements.size(); ++k) columns.push_back({&part, k, force[k]});
    }
    const std::vector<Column> all = columns;
    for (int round = 0; round < 30; ++round) {
      balance(columns);
      const auto pushes = [&](const Column& c) {
        return c.part->of(c.part->elements[c.spring])[0] > (1.0 + 1e-12) * present(*c.part, c.spring);
      };
      const auto kept = std::remove_if(columns.begin(), columns.end(), pushes);
      if (kept == columns.end()) break;
      columns.erase(kept, columns.end());
    }
    if (problem_.gradient_of(own_).cwiseAbs().maxCoeff() > 1e-8 * problem_.size) balance(all);
  }

 private:
  struct Column {
    SagPart* part;
    std::size_t spring;
    Vec3 force;  ///< the gradient at the second point, as its squared length grows by all of itself
  };
  double present(const SagPart& part, std::size_t k) const {
    return (point(problem_.state.x, part.points[k][1]) - point(problem_.state.x, part.points[k][0])).norm();
  }

  /// From springs without any force: the least change of the squared lengths of these that balances the load,
  /// in the least squares' sense where they cannot.
  void balance(const std::vector<Column>& columns) {
    BlockMatrix squared = problem_.matrix();
    for (const Column& c : columns)
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) {
          const auto& p = c.part->points[c.spring];
          const int place = problem_.system.pattern->find(p[a], p[b]);
          const Mat3 block = (a == b ? 1.0 : -1.0) * c.force * c.force.transpose();
          for (int i = 0; i < 9; ++i)
            squared.values[9 * std::size_t(place) + std::size_t(i)] += block(i / 3, i % 3);
        }
    problem_.boundary.mask(problem_.system, squared);
    problem_.add_to_diagonal(squared, 1e-8);
    const auto solver = make_linear_solver(LinearKind::direct);
    solver->analyze(problem_.system.pattern);
    if (!solver->factorize(squared)) return;
    for (SagPart& part : problem_.parts)
      if (part.kind == SagPart::Kind::springs) problem_.relax(part);
    Vector g = problem_.gradient_of(own_), z = Vector::Zero(g.size());
    double before = INFINITY;
    // Each round takes out what the addition to the diagonal, and springs that are not quartic, left of the
    // last.
    for (int n = 0; n < 100; ++n) {
      const double now = g.cwiseAbs().maxCoeff();
      if (now <= SagProblem::tolerance * problem_.size || now > 0.999 * before) break;
      before = now;
      solver->solve(squared, g, z, 1e-14);
      for (const Column& c : columns) {
        const auto& p = c.part->points[c.spring];
        double& length = c.part->of(c.part->elements[c.spring])[0];
        const double by = -c.force.dot(point(z, p[1]) - point(z, p[0]));
        length *= std::sqrt(std::max(1.0 + by, least_length * least_length));
      }
      for (SagPart& part : problem_.parts) part.set();
      g = problem_.gradient_of(own_);
    }
  }
  /// What the gradients at the springs' second points become, per share of their squared lengths.
  std::vector<Vec3> by_length(SagPart& part) {
    const std::vector<double> constants = part.constants;
    std::vector<std::array<Vec3, 4>> side[2];
    for (int s : {0, 1}) {
      for (int e : part.elements) part.of(e)[0] *= std::sqrt(s == 0 ? 1.0 + 1e-4 : 1.0 - 1e-4);
      part.set();
      side[s].resize(part.elements.size());
      problem_.forces(part, side[s]);
      part.constants = constants;
    }
    part.set();
    std::vector<Vec3> result;
    for (std::size_t k = 0; k < part.elements.size(); ++k)
      result.push_back((side[0][k][1] - side[1][k][1]) / 2e-4);
    return result;
  }

  SagProblem& problem_;
  std::vector<char> own_;  ///< the points that springs hold
};

}  // namespace

void give_springs_rest(SagProblem& problem) {
  SpringSearch(problem).run();
}

}  // namespace verve
