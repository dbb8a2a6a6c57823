#include <algorithm>
#include <cmath>

#include "energy/SheetRest.h"
#include "integrator/SagProblem.h"
#include "linear/LinearSolver.h"

namespace verve {
namespace {

constexpr double least_length = 0.1;  ///< of a rest shape in any direction, as a share of what it is now
constexpr double most_turn = 1.0;     ///< of a rest shape across an element, from what it is now, rad
constexpr int rounds = 12;            ///< in which what pushes is taken out bit by bit
constexpr double less = 0.1;          ///< by how much it counts less from round to round

using Strain = std::array<double, 3>;

/// What an element of a sheet is to answer with: its law times these.
struct Share {
  double warp = 1.0, weft = 1.0, shear = 1.0;
};

/// Stresses that balance the load are sought in the form C B z, which are those of the least energy; B z is
/// the strain (or change of curvature) of a small displacement z. Cloth buckles where it is pushed: where
/// stresses that only pull (and bend) can bear the load, those are found by making what pushes softer and
/// softer.
class SheetSearch {
 public:
  explicit SheetSearch(SagProblem& problem) : problem_(problem), own_(problem.points_of({RestKind::sheets})) {
    for (SagPart& part : problem.parts)
      if (part.kind == RestKind::sheets) sheets_.push_back({&part, {}, {}});
  }

  void run() {
    reset_shares();
    for (int round = 0; round < rounds; ++round) {
      balance();
      if (!soften()) break;
    }
    if (problem_.gradient_of(own_).cwiseAbs().maxCoeff() <= 1e-8 * problem_.size) return;
    reset_shares();
    balance();
  }

 private:
  struct Sheet {
    SagPart* part;
    std::vector<Share> share;
    std::vector<double> present;  ///< three numbers for each of the energy's elements
    bool bends() const { return part->energy->bends(); }
  };

  void reset_shares() {
    for (Sheet& sheet : sheets_) sheet.share.assign(sheet.part->elements.size(), {});
  }

  /// The stress, per area, of strains of an element under its law.
  static Strain stress_of(const double* c, bool bends, const Strain& e) {
    return {c[4] * e[0] + c[6] * e[1], c[6] * e[0] + c[5] * e[1], (bends ? 1.0 : 2.0) * c[7] * e[2]};
  }
  /// The strains that go with a stress.
  static Strain strain_of(const double* c, bool bends, const Strain& s) {
    const double det = c[4] * c[5] - c[6] * c[6];
    const auto over = [](double a, double b) { return b > 0.0 ? a / b : 0.0; };
    return {over(c[5] * s[0] - c[6] * s[1], det), over(c[4] * s[1] - c[6] * s[0], det),
            over(s[2], (bends ? 1.0 : 2.0) * c[7])};
  }
  /// The constants of an element that answers with a share of its law only.
  static void weaken(double* c, const Share& share) {
    c[4] *= share.warp, c[5] *= share.weft, c[6] *= std::min(share.warp, share.weft), c[7] *= share.shear;
  }

  /// Makes elements that push softer for the next round. False when none does.
  bool soften() {
    bool any = false;
    for (Sheet& sheet : sheets_) {
      if (sheet.bends()) continue;
      for (std::size_t k = 0; k < sheet.part->elements.size(); ++k) {
        const int e = sheet.part->elements[k];
        const double* c = sheet.part->of(e);
        Strain elastic;
        for (int a = 0; a < 3; ++a)
          elastic[std::size_t(a)] = sheet.present[3 * std::size_t(e) + std::size_t(a)] - c[a];
        const Strain s = stress_of(c, false, elastic);
        const double mean = 0.5 * (s[0] + s[1]), radius = std::hypot(0.5 * (s[0] - s[1]), s[2]);
        if (mean - radius >= -1e-3 * (mean + radius) && mean + radius > 0.0) continue;
        if (mean == 0.0 && radius == 0.0) continue;
        Share& share = sheet.share[k];
        if (s[0] < 0.0) share.warp *= less;
        if (s[1] < 0.0) share.weft *= less;
        if (s[2] * s[2] > s[0] * s[1]) share.shear *= less;
        any = true;
      }
    }
    return any;
  }

  /// Gives sheets the rest shapes that balance the load with the present shares, in the sense of least
  /// squares where there are none.
  void balance() {
    const Vector& x = problem_.state.x;
    BlockMatrix stiffness = problem_.matrix();
    for (Sheet& sheet : sheets_) {
      problem_.relax(*sheet.part);
      const std::vector<double> constants = sheet.part->constants;
      std::vector<char> chosen(std::size_t(sheet.part->energy->elements()), 0);
      for (std::size_t k = 0; k < sheet.part->elements.size(); ++k) {
        weaken(sheet.part->of(sheet.part->elements[k]), sheet.share[k]);
        chosen[std::size_t(sheet.part->elements[k])] = 1;
      }
      for (std::size_t e = 0; e < chosen.size(); ++e)
        if (!chosen[e]) std::fill_n(sheet.part->of(int(e)) + SheetRest::rest_constants, 4, 0.0);
      sheet.part->set();
      sheet.part->energy->add_strain_change_hessian(x, x, 1.0, {}, 0.0, stiffness);
      sheet.part->constants = constants;
      sheet.part->set();
      sheet.present.resize(3 * chosen.size());
      rest_of(sheet).present(x, sheet.present.data());
    }
    problem_.boundary.mask(problem_.system, stiffness);
    problem_.add_to_diagonal(stiffness, 1e-8);
    const auto solver = make_linear_solver(LinearKind::direct);
    solver->analyze(problem_.system.pattern);
    if (!solver->factorize(stiffness)) return;
    Vector g = problem_.gradient_of(own_), z = Vector::Zero(g.size());
    double before = INFINITY;
    std::vector<std::vector<double>> kept;
    // Each round takes out what the addition to the diagonal, and bending that is not linear, left of the
    // last.
    for (int n = 0; n < 100; ++n) {
      const double now = g.norm();
      if (!(now < before)) {  // the last one made it worse
        for (std::size_t k = 0; k < kept.size(); ++k)
          sheets_[k].part->constants = kept[k], sheets_[k].part->set();
        break;
      }
      if (g.cwiseAbs().maxCoeff() <= SagProblem::tolerance * problem_.size || now > 0.999 * before) break;
      before = now;
      kept.clear();
      for (const Sheet& sheet : sheets_) kept.push_back(sheet.part->constants);
      z.setZero();
      solver->solve(stiffness, g, z, 1e-14);
      for (Sheet& sheet : sheets_) stress(sheet, z);
      g = problem_.gradient_of(own_);
    }
  }

  static const SheetRest& rest_of(const Sheet& sheet) {
    return dynamic_cast<const SheetRest&>(*sheet.part->energy);
  }

  /// Adds the stresses against z to a sheet's rest shape.
  void stress(Sheet& sheet, const Vector& z) const {
    SagPart& part = *sheet.part;
    const double most = z.cwiseAbs().maxCoeff();
    if (most == 0.0) return;
    double size = 0.0;
    for (int e : part.elements) size += std::sqrt(2.0 * part.of(e)[3]) / double(part.elements.size());
    const double by = 1e-4 * size / most;
    std::vector<double> plus(sheet.present.size()), minus(sheet.present.size());
    rest_of(sheet).present(problem_.state.x + by * z, plus.data());
    rest_of(sheet).present(problem_.state.x - by * z, minus.data());
    for (std::size_t k = 0; k < part.elements.size(); ++k) {
      const int e = part.elements[k];
      double* c = part.of(e);
      Strain way;
      for (std::size_t a = 0; a < 3; ++a)
        way[a] = (plus[3 * std::size_t(e) + a] - minus[3 * std::size_t(e) + a]) / (2.0 * by);
      double weak[SheetRest::constants];
      std::copy_n(c, SheetRest::constants, weak);
      weaken(weak, sheet.share[k]);
      const Strain change = strain_of(c, sheet.bends(), stress_of(weak, sheet.bends(), way));
      for (int a = 0; a < 3; ++a) c[a] += change[std::size_t(a)];
      if (sheet.bends())
        limit_turn(c, &sheet.present[3 * std::size_t(e)]);
      else
        limit_length(c, &sheet.present[3 * std::size_t(e)]);
    }
    part.set();
  }

  static void limit_turn(double* c, const double* present) {
    double size = 0.0;
    for (int a = 0; a < 3; ++a) size += (a < 2 ? 1.0 : 0.5) * std::pow(c[a] - present[a], 2);
    size = std::sqrt(2.0 * size * c[3]);
    if (size > most_turn)
      for (int a = 0; a < 3; ++a) c[a] = present[a] + most_turn / size * (c[a] - present[a]);
  }
  /// Neither a length at rest below that share of the present one, nor one beyond its inverse.
  static void limit_length(double* c, const double* present) {
    const double least = 0.5 * (least_length * least_length - 1.0),
                 most = 0.5 * (1.0 / (least_length * least_length) - 1.0);
    Strain d;
    for (std::size_t a = 0; a < 3; ++a) d[a] = c[a] - present[a];
    const double mean = 0.5 * (d[0] + d[1]), radius = std::hypot(0.5 * (d[0] - d[1]), d[2]);
    double share = 1.0;
    if (mean - radius < least) share = std::min(share, least / (mean - radius));
    if (mean + radius > most) share = std::min(share, most / (mean + radius));
    if (share < 1.0)
      for (int a = 0; a < 3; ++a) c[a] = present[a] + share * d[std::size_t(a)];
  }

  SagProblem& problem_;
  std::vector<char> own_;  ///< the points that sheets hold
  std::vector<Sheet> sheets_;
};

}  // namespace

void give_sheets_rest(SagProblem& problem) {
  SheetSearch(problem).run();
}

}  // namespace verve
