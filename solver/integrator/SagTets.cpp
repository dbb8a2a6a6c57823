#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "integrator/SagProblem.h"
#include "linear/LinearSolver.h"

namespace verve {
namespace {

class TetSearch {
 public:
  explicit TetSearch(SagProblem& problem) : problem_(problem), rest_(problem.state.x) {
    // What only springs and sheets hold is theirs to bear.
    for (char moves : problem_.points_of({RestKind::tets})) {
      if (!moves) still_.push_back(int(row_.size()));
      row_.push_back(moves ? rows_++ : -1);
    }
    problem_.shape_tets(rest_);
    // All but the changeable elements, and what of them no rest shape changes.
    load_ = problem_.gradient() - elastic();
  }

  /// Lets the load grow as far as a rest shape can bear it; the share that it reached.
  double grow() {
    double share = 0.0, step = 1.0;
    while (share < 1.0 && step > 1e-3) {
      const double next = std::min(1.0, share + step);
      if (solve(next))
        share = next, step *= 2.0;
      else
        step *= 0.5;
    }
    return share;
  }

 private:
  /// The gradient of the elements that may change.
  Vector elastic() const {
    Vector g = Vector::Zero(problem_.state.x.size());
    for (const SagPart& part : problem_.parts)
      if (part.kind == RestKind::tets) part.energy->at(problem_.state.x, &g);
    return g;
  }
  /// The rows of the points that are free to move.
  Vector freed(const Vector& g) const {
    Vector out(3 * rows_);
    for (int i = 0; i < problem_.system.points(); ++i)
      if (row_[std::size_t(i)] >= 0) point(out, row_[std::size_t(i)]) = point(g, i);
    return out;
  }
  /// The derivative of the free points' forces in the rest positions of the same: by differences, tet by tet.
  Eigen::SparseMatrix<double> derivative() {
    std::vector<Eigen::Triplet<double>> entries;
    for (SagPart& part : problem_.parts) {
      if (part.kind != RestKind::tets) continue;
      const std::vector<double> constants = part.constants;
      const auto count = part.elements.size();
      std::vector<std::array<Vec3, 4>> plus(count), minus(count);
      for (int a = 0; a < 4; ++a)
        for (int j = 0; j < 3; ++j) {
          for (double side : {1.0, -1.0}) {
            for (std::size_t k = 0; k < count; ++k) perturb(part, k, a, j, side);
            part.set();
            problem_.forces(part, side > 0.0 ? plus : minus);
            part.constants = constants;
          }
          for (std::size_t k = 0; k < count; ++k) {
            const int column = row_[std::size_t(part.points[k][a])];
            if (column < 0) continue;
            for (int b = 0; b < 4; ++b) {
              const int row = row_[std::size_t(part.points[k][b])];
              if (row < 0) continue;
              const Vec3 d = (plus[k][b] - minus[k][b]) / (2.0 * step(part, k));
              for (int i = 0; i < 3; ++i) entries.emplace_back(3 * row + i, 3 * column + j, d[i]);
            }
          }
        }
      part.set();
    }
    // Bodies that nothing pins have rest shapes that may be turned and moved as they like.
    double mean = 0.0;
    for (const auto& entry : entries)
      if (entry.row() == entry.col()) mean += entry.value() / (3.0 * rows_);
    for (int i = 0; i < 3 * rows_; ++i) entries.emplace_back(i, i, 1e-8 * mean);
    Eigen::SparseMatrix<double> matrix(3 * rows_, 3 * rows_);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
  }
  /// How far a tet's points are moved for a difference.
  double step(SagPart& part, std::size_t k) const { return 1e-5 * std::cbrt(part.of(part.elements[k])[9]); }
  void perturb(SagPart& part, std::size_t k, int a, int j, double side) {
    const double by = side * step(part, k);
    std::array<Vec3, 4> p;
    for (int b = 0; b < 4; ++b) p[b] = point(rest_, part.points[k][b]);
    p[a][j] += by;
    Mat3 edges;
    for (int b = 0; b < 3; ++b) edges.col(b) = p[b + 1] - p[0];
    double* c = part.of(part.elements[k]);
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(c, 3, 3) = edges.inverse();
    c[9] = edges.determinant() / 6.0;
  }
  /// Whether x is a minimum, not a ridge from which the shape would buckle.
  bool holds() {
    BlockMatrix hessian = problem_.matrix();
    problem_.system.add_hessian(problem_.chord, problem_.state.x, 0.0, hessian);
    hold(still_, problem_.system, hessian);
    // What would take more than half a minute to grow is let pass: bodies that lie on something may be free
    // to slide.
    for (int i = 0; i < problem_.system.points(); ++i)
      for (int d : {0, 4, 8})
        hessian.values[9 * std::size_t(problem_.system.pattern->diagonal[std::size_t(i)]) + std::size_t(d)] +=
            1e-3 * problem_.system.mass[3 * Eigen::Index(i)];
    const auto solver = make_linear_solver(LinearKind::direct);
    solver->analyze(problem_.system.pattern);
    return solver->factorize(hessian);
  }

  /// Newton's method in the rest positions, under a share of the load. False when that fails: nothing changes
  /// then.
  bool solve(double share) {
    const Vector before = rest_;
    Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
    const auto residual = [&] { return Vector(freed(elastic() + share * load_)); };
    Vector g = residual();
    bool solved = false;
    for (int n = 0; n < 30; ++n) {
      if (g.cwiseAbs().maxCoeff() <= SagProblem::tolerance * problem_.size) {
        solved = true;
        break;
      }
      const Eigen::SparseMatrix<double> matrix = derivative();
      if (n == 0) lu.analyzePattern(matrix);
      lu.factorize(matrix);
      if (lu.info() != Eigen::Success) break;
      const Vector way = lu.solve(-g);
      const Vector from = rest_;
      double length = 1.0;
      for (; length > 1e-3; length *= 0.5) {
        Vector trial = from;
        for (int i = 0; i < problem_.system.points(); ++i)
          if (row_[std::size_t(i)] >= 0) point(trial, i) += length * point(way, row_[std::size_t(i)]);
        if (!trial.allFinite() || !problem_.shape_tets(trial)) continue;
        rest_ = trial;
        const Vector then = residual();
        if (then.norm() < (1.0 - 1e-3 * length) * g.norm()) {
          g = then;
          break;
        }
      }
      if (length <= 1e-3) {
        // Round-off ends it as well as success.
        solved = g.cwiseAbs().maxCoeff() <= 1e-9 * problem_.size;
        rest_ = from;
        problem_.shape_tets(rest_);
        break;
      }
    }
    if (solved && holds()) return true;
    rest_ = before;
    problem_.shape_tets(rest_);
    return false;
  }

  SagProblem& problem_;
  Vector rest_, load_;
  std::vector<int> row_;    ///< of each point that this search moves; -1: of none
  std::vector<int> still_;  ///< those
  int rows_ = 0;
};

}  // namespace

double give_tets_rest(SagProblem& problem) {
  return TetSearch(problem).grow();
}

}  // namespace verve
