#include "integrator/SagFree.h"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "base/Error.h"
#include "contact/Contacts.h"
#include "integrator/StillDrivers.h"
#include "system/Boundary.h"

namespace verve {
namespace {

constexpr int tet_constants = 12;
constexpr double tolerance = 1e-11;   ///< of the forces, as a share of the load
constexpr double least_length = 0.1;  ///< of a spring at rest, as a share of what it is now

/// The elements of one energy that may be given another rest shape.
struct Part {
  Energy* energy;
  std::vector<int> elements;
  std::vector<std::array<int, 4>> points;
  std::vector<double> constants;  ///< of all elements

  bool tets() const { return energy->constants() == tet_constants; }
  void set() { energy->set_constants(constants.data()); }
  double* of(int element) { return &constants[std::size_t(element * energy->constants())]; }
};

class SagSearch {
 public:
  SagSearch(System& system, const Drivers& drivers, const std::vector<char>& pieces, double h, State state)
      : system_(system), drivers_(drivers, state.time, system, pieces, state.x), state_(std::move(state)) {
    Standstill still(system);
    boundary_.begin(system_, drivers_, state_, h);
    chord_.x0 = state_.x;
    chord_.samples = {{1.0, 1.0}};
    if (system_.contacts) system_.contacts->update_correction(chord_, state_.x);
    row_.assign(std::size_t(system.points()), -1);
    for (int i = 0; i < system.points(); ++i)
      if (!std::binary_search(state_.held.begin(), state_.held.end(), i)) row_[std::size_t(i)] = rows_++;
    collect(pieces);
    rest_ = state_.x;
    shape(rest_);
    load_ =
        gradient() - elastic();  // all but the changeable elements, and what of them no rest shape changes
    size_ = 0.0;
    for (int i = 0; i < system.points(); ++i)
      if (row_[std::size_t(i)] >= 0) size_ = std::max(size_, point(load_, i).norm());
  }

  SagReport run() {
    SagReport report;
    if (size_ > 0.0) {
      if (has(true)) report.share = grow();
      if (has(false)) balance_springs();
    }
    const Vector g = gradient();
    for (int i = 0; i < system_.points(); ++i)
      if (row_[std::size_t(i)] >= 0 && point(g, i).norm() >= report.residual)
        report.residual = point(g, i).norm(), report.point = i;
    report.found = report.residual <= 1e-8 * size_;
    return report;
  }

 private:
  void collect(const std::vector<char>& pieces) {
    for (const auto& energy : system_.elastic) {
      std::vector<std::array<int, 2>> pairs;
      energy->append_pairs(pairs);
      const auto free = [&](int p) { return pieces[std::size_t(system_.piece[std::size_t(p)])] != 0; };
      if (std::none_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return free(pair[0]); })) continue;
      if (energy->constants() != tet_constants && energy->constants() != 2)
        throw Error(
            "sag_free is known of tets and springs only; choose such a material, or 'settle' instead");
      Part part{
          energy.get(), {}, {}, std::vector<double>(std::size_t(energy->elements() * energy->constants()))};
      energy->get_constants(part.constants.data());
      for (int e = 0; e < energy->elements(); ++e) {
        int p[Energy::max_stencil] = {};
        energy->stencil(e, p);
        if (!free(p[0])) continue;
        part.elements.push_back(e);
        part.points.push_back({p[0], p[1], p[2], p[3]});
      }
      parts_.push_back(std::move(part));
    }
  }
  bool has(bool tets) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const Part& p) { return p.tets() == tets; });
  }

  /// Gives tets the rest positions `rest`. False when one would be turned over; nothing changes then.
  bool shape(const Vector& rest) {
    std::vector<Part> made = parts_;
    for (Part& part : made)
      for (std::size_t k = 0; part.tets() && k < part.elements.size(); ++k) {
        Mat3 edges;
        for (int a = 0; a < 3; ++a)
          edges.col(a) = point(rest, part.points[k][a + 1]) - point(rest, part.points[k][0]);
        double* c = part.of(part.elements[k]);
        c[9] = edges.determinant() / 6.0;
        if (!(c[9] > 0.0)) return false;
        Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(c, 3, 3) = edges.inverse();
      }
    parts_.swap(made);
    for (Part& part : parts_) part.set();
    return true;
  }

  /// The gradient of everything at x, less what is given to share out.
  Vector gradient() const {
    Vector g = -(system_.weight + boundary_.force());
    system_.evaluate(chord_, state_.x, &g);
    return g;
  }
  /// That of the elements that may change.
  Vector elastic() const {
    Vector g = Vector::Zero(state_.x.size());
    for (const Part& part : parts_)
      if (part.tets()) part.energy->at(state_.x, &g);
    return g;
  }
  /// The rows of the points that are free to move.
  Vector freed(const Vector& g) const {
    Vector out(3 * rows_);
    for (int i = 0; i < system_.points(); ++i)
      if (row_[std::size_t(i)] >= 0) point(out, row_[std::size_t(i)]) = point(g, i);
    return out;
  }

  /// The derivative of the free points' forces in the rest positions of the same: by differences, tet by tet.
  Eigen::SparseMatrix<double> derivative() {
    std::vector<Eigen::Triplet<double>> entries;
    for (Part& part : parts_) {
      if (!part.tets()) continue;
      const std::vector<double> constants = part.constants;
      const auto count = part.elements.size();
      std::vector<std::array<Vec3, 4>> plus(count), minus(count);
      for (int a = 0; a < 4; ++a)
        for (int j = 0; j < 3; ++j) {
          for (double side : {1.0, -1.0}) {
            for (std::size_t k = 0; k < count; ++k) perturb(part, k, a, j, side);
            part.set();
            forces(part, side > 0.0 ? plus : minus);
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
  double step(Part& part, std::size_t k) const { return 1e-5 * std::cbrt(part.of(part.elements[k])[9]); }
  void perturb(Part& part, std::size_t k, int a, int j, double side) {
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
  void forces(const Part& part, std::vector<std::array<Vec3, 4>>& out) const {
    for (std::size_t k = 0; k < part.elements.size(); k += Pack::size) {
      int elements[Pack::size];
      Pack3 x[Energy::max_stencil] = {}, g[Energy::max_stencil] = {};
      for (int lane = 0; lane < Pack::size; ++lane) {
        const std::size_t e = std::min(k + std::size_t(lane), part.elements.size() - 1);
        elements[lane] = part.elements[e];
        for (int b = 0; b < 4; ++b)
          for (int i = 0; i < 3; ++i) x[b][i].set(lane, point(state_.x, part.points[e][b])[i]);
      }
      part.energy->element_gradients(elements, x, g);
      for (int lane = 0; lane < Pack::size && k + std::size_t(lane) < part.elements.size(); ++lane)
        for (int b = 0; b < 4; ++b)
          for (int i = 0; i < 3; ++i) out[k + std::size_t(lane)][b][i] = g[b][i][lane];
    }
  }

  /// Whether x is a minimum, not a ridge from which the shape would buckle.
  bool holds() {
    BlockMatrix hessian(system_.pattern);
    std::fill(hessian.values.begin(), hessian.values.end(), 0.0);
    system_.add_hessian(chord_, state_.x, 0.0, hessian);
    boundary_.mask(system_, hessian);
    // What would take more than half a minute to grow is let pass: bodies that lie on something may be free
    // to slide.
    for (int i = 0; i < system_.points(); ++i)
      for (int d : {0, 4, 8})
        hessian.values[9 * std::size_t(system_.pattern->diagonal[std::size_t(i)]) + std::size_t(d)] +=
            1e-3 * system_.mass[3 * Eigen::Index(i)];
    const auto solver = make_linear_solver(LinearKind::direct);
    solver->analyze(system_.pattern);
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
      if (g.cwiseAbs().maxCoeff() <= tolerance * size_) {
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
        for (int i = 0; i < system_.points(); ++i)
          if (row_[std::size_t(i)] >= 0) point(trial, i) += length * point(way, row_[std::size_t(i)]);
        if (!trial.allFinite() || !shape(trial)) continue;
        rest_ = trial;
        const Vector then = residual();
        if (then.norm() < (1.0 - 1e-3 * length) * g.norm()) {
          g = then;
          break;
        }
      }
      if (length <= 1e-3) {
        // Round-off ends it as well as success.
        solved = g.cwiseAbs().maxCoeff() <= 1e-9 * size_;
        rest_ = from;
        shape(rest_);
        break;
      }
    }
    if (solved && holds()) return true;
    rest_ = before;
    shape(rest_);
    return false;
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

  /// Springs: tension alone where it can bear the load, since what is pushed buckles, and any forces
  /// otherwise.
  void balance_springs() {
    std::vector<Column> columns;
    for (Part& part : parts_) {
      if (part.tets()) continue;
      for (std::size_t k = 0; k < part.elements.size(); ++k) part.of(part.elements[k])[0] = present(part, k);
      part.set();
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
    if (left() > 1e-8 * size_) balance(all);
  }

  struct Column {
    Part* part;
    std::size_t spring;
    Vec3 force;  ///< the gradient at the second point, as its squared length grows by all of itself
  };
  double present(const Part& part, std::size_t k) const {
    return (point(state_.x, part.points[k][1]) - point(state_.x, part.points[k][0])).norm();
  }
  /// The largest force that is not balanced.
  double left() const {
    Vector g = gradient();
    boundary_.mask(g);
    return g.cwiseAbs().maxCoeff();
  }

  /// From springs without any force: the least change of the squared lengths of these that balances the load,
  /// in the least squares' sense where they cannot.
  void balance(const std::vector<Column>& columns) {
    BlockMatrix squared(system_.pattern);
    std::fill(squared.values.begin(), squared.values.end(), 0.0);
    for (const Column& c : columns)
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) {
          const auto& p = c.part->points[c.spring];
          const int place = system_.pattern->find(p[a], p[b]);
          const Mat3 block = (a == b ? 1.0 : -1.0) * c.force * c.force.transpose();
          for (int i = 0; i < 9; ++i)
            squared.values[9 * std::size_t(place) + std::size_t(i)] += block(i / 3, i % 3);
        }
    boundary_.mask(system_, squared);
    add_to_diagonal(squared, 1e-8);
    const auto solver = make_linear_solver(LinearKind::direct);
    solver->analyze(system_.pattern);
    if (!solver->factorize(squared)) return;
    for (Part& part : parts_) {
      for (std::size_t k = 0; !part.tets() && k < part.elements.size(); ++k)
        part.of(part.elements[k])[0] = present(part, k);
      part.set();
    }
    Vector g = gradient(), z = Vector::Zero(g.size());
    double before = INFINITY;
    // Each round takes out what the addition to the diagonal, and springs that are not quartic, left of the
    // last.
    for (int n = 0; n < 100; ++n) {
      boundary_.mask(g);
      const double now = g.cwiseAbs().maxCoeff();
      if (now <= tolerance * size_ || now > 0.999 * before) break;
      before = now;
      solver->solve(squared, g, z, 1e-14);
      for (const Column& c : columns) {
        const auto& p = c.part->points[c.spring];
        double& length = c.part->of(c.part->elements[c.spring])[0];
        const double by = -c.force.dot(point(z, p[1]) - point(z, p[0]));
        length *= std::sqrt(std::max(1.0 + by, least_length * least_length));
      }
      for (Part& part : parts_) part.set();
      g = gradient();
    }
  }
  /// What the gradients at the springs' second points become, per share of their squared lengths.
  std::vector<Vec3> by_length(Part& part) {
    const std::vector<double> constants = part.constants;
    std::vector<std::array<Vec3, 4>> side[2];
    for (int s : {0, 1}) {
      for (int e : part.elements) part.of(e)[0] *= std::sqrt(s == 0 ? 1.0 + 1e-4 : 1.0 - 1e-4);
      part.set();
      side[s].resize(part.elements.size());
      forces(part, side[s]);
      part.constants = constants;
    }
    part.set();
    std::vector<Vec3> result;
    for (std::size_t k = 0; k < part.elements.size(); ++k)
      result.push_back((side[0][k][1] - side[1][k][1]) / 2e-4);
    return result;
  }
  /// Adds a share of the mean of the free points' diagonal to it.
  void add_to_diagonal(BlockMatrix& matrix, double share) const {
    double mean = 0.0;
    const auto each = [&](const auto& visit) {
      for (int i = 0; i < system_.points(); ++i)
        for (int d : {0, 4, 8})
          if (row_[std::size_t(i)] >= 0)
            visit(matrix.values[9 * std::size_t(system_.pattern->diagonal[std::size_t(i)]) + std::size_t(d)]);
    };
    each([&](double& value) { mean += value / (3.0 * rows_); });
    each([&](double& value) { value += share * mean; });
  }

  System& system_;
  StillDrivers drivers_;
  State state_;
  Boundary boundary_;
  Chord chord_;
  std::vector<int> row_;  ///< of each free point; -1: held
  int rows_ = 0;
  std::vector<Part> parts_;
  Vector rest_, load_;
  double size_ = 0.0;
};

}  // namespace

SagReport find_rest_shape(System& system, const Drivers& drivers, const std::vector<char>& free_of_sag,
                          double h, const State& state) {
  return SagSearch(system, drivers, free_of_sag, h, state).run();
}

}  // namespace verve
