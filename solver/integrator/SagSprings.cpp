#include <algorithm>
#include <cmath>

#include "integrator/SagProblem.h"
#include "linear/LinearSolver.h"

namespace verve {
namespace {

constexpr double least_length = 0.1;  ///< of a spring at rest, as a share of what it was

class SpringSearch {
 public:
  explicit SpringSearch(SagProblem& problem)
      : problem_(problem), own_(problem.points_of({RestKind::springs, RestKind::corners})) {}

  /// Tension alone where it can bear the load, since what is pushed buckles; else corners bend as they have
  /// to; else any forces.
  void run() {
    std::vector<Column> springs, corners;
    for (SagPart& part : problem_.parts) {
      if (!ours(part)) continue;
      problem_.relax(part);
      append_columns(part, part.kind == RestKind::springs ? springs : corners);
    }
    // Corners push far less for a radian than springs for their length.
    const double share = mean_squared(springs) / mean_squared(corners);
    for (Column& c : corners) c.weight = std::isfinite(share) && share > 0.0 ? share : 1.0;
    if (pulls(springs)) return;
    std::vector<Column> all = springs;
    all.insert(all.end(), corners.begin(), corners.end());
    if (!corners.empty() && pulls(all)) return;
    balance(all);
  }

 private:
  /// The gradients at an element's points, as a spring's squared length grows by all of itself, or a corner's
  /// angle by a radian.
  struct Column {
    SagPart* part;
    std::size_t element;
    int count;
    std::array<Vec3, 3> force;
    double weight = 1.0;  ///< of its change beside others', the larger the cheaper

    double& constant() const { return part->of(part->elements[element])[0]; }
    int point(int a) const { return part->points[element][std::size_t(a)]; }
  };

  static bool ours(const SagPart& part) {
    return part.kind == RestKind::springs || part.kind == RestKind::corners;
  }

  static double mean_squared(const std::vector<Column>& columns) {
    double sum = 0.0;
    for (const Column& c : columns)
      for (const Vec3& f : c.force) sum += f.squaredNorm() / double(columns.size());
    return sum;
  }

  /// Balances the load with springs that only pull, and corners. False where that cannot be had.
  bool pulls(std::vector<Column> columns) {
    for (int round = 0; round < 30; ++round) {
      balance(columns);
      const auto pushes = [&](const Column& c) {
        return c.part->kind == RestKind::springs &&
               c.constant() > (1.0 + 1e-12) * problem_.present(*c.part, c.element);
      };
      const auto kept = std::remove_if(columns.begin(), columns.end(), pushes);
      if (kept == columns.end()) break;
      columns.erase(kept, columns.end());
    }
    return problem_.gradient_of(own_).cwiseAbs().maxCoeff() <= 1e-8 * problem_.size;
  }

  /// From elements without any force: the least change of these that balances the load, in the least squares'
  /// sense where they cannot.
  void balance(const std::vector<Column>& columns) {
    BlockMatrix squared = problem_.matrix();
    for (const Column& c : columns)
      for (int a = 0; a < c.count; ++a)
        for (int b = 0; b < c.count; ++b) {
          const int place = problem_.system.pattern->find(c.point(a), c.point(b));
          const Mat3 block = c.weight * c.force[std::size_t(a)] * c.force[std::size_t(b)].transpose();
          for (int i = 0; i < 9; ++i)
            squared.values[9 * std::size_t(place) + std::size_t(i)] += block(i / 3, i % 3);
        }
    problem_.boundary.mask(problem_.system, squared);
    problem_.add_to_diagonal(squared, 1e-8);
    const auto solver = make_linear_solver(LinearKind::direct);
    solver->analyze(problem_.system.pattern);
    if (!solver->factorize(squared)) return;
    for (SagPart& part : problem_.parts)
      if (ours(part)) problem_.relax(part);
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
        double by = 0.0;
        for (int a = 0; a < c.count; ++a)
          by -= c.weight * c.force[std::size_t(a)].dot(verve::point(z, c.point(a)));
        if (c.part->kind == RestKind::springs)
          c.constant() *= std::sqrt(std::max(1.0 + by, least_length * least_length));
        else
          c.constant() = std::max(0.0, c.constant() + by);
      }
      for (SagPart& part : problem_.parts) part.set();
      g = problem_.gradient_of(own_);
    }
  }

  void append_columns(SagPart& part, std::vector<Column>& columns) {
    constexpr double by = 1e-4;
    const bool corners = part.kind == RestKind::corners;
    const std::vector<double> constants = part.constants;
    std::vector<std::array<Vec3, 4>> side[2];
    for (int s : {0, 1}) {
      const double change = s == 0 ? by : -by;
      for (int e : part.elements) {
        double& c = part.of(e)[0];
        c = corners ? c + change : c * std::sqrt(1.0 + change);
      }
      part.set();
      side[s].resize(part.elements.size());
      problem_.forces(part, side[s]);
      part.constants = constants;
    }
    part.set();
    for (std::size_t k = 0; k < part.elements.size(); ++k) {
      Column column{&part, k, corners ? 3 : 2, {}, 1.0};
      for (std::size_t a = 0; a < 3; ++a) column.force[a] = (side[0][k][a] - side[1][k][a]) / (2.0 * by);
      columns.push_back(column);
    }
  }

  SagProblem& problem_;
  std::vector<char> own_;  ///< the points that springs hold
};

}  // namespace

void give_springs_rest(SagProblem& problem) {
  SpringSearch(problem).run();
}

}  // namespace verve
