// The HP paper's own comparison (section 5.4) with its own programs: TAO's Newton line search minimises the
// Lilyan, SNES finds the root of its gradient. The same steps and the same tolerance; first with the linear
// solvers that the two come with, then with MUMPS' factors for both.
// petsc_bench [STEPS [MOST_TETS]]: larger bars are left out.
#include <petsctao.h>

#include <algorithm>
#include <cstdlib>

#include "bench/Lilyan.h"

namespace verve {
namespace {

using bench::Lilyan;

void check(PetscErrorCode code) {
  if (code) std::exit(1);  // PETSc has printed why
}

enum class Linear {
  own,     ///< conjugate gradients for TAO, which knows that the Hessian is symmetric; GMRES and ILU for SNES
  factors  ///< MUMPS' Cholesky for both
};

/// One bar's functions as PETSc calls them.
class Problem {
 public:
  Problem(std::shared_ptr<const BlockPattern> pattern, Linear linear) : hessian_(pattern) {
    const int points = pattern->rows();
    std::vector<PetscInt> values(3 * points);  // a row
    for (int i = 0; i < 3 * points; ++i)
      values[i] = 3 * (pattern->row_start[i / 3 + 1] - pattern->row_start[i / 3]);
    check(MatCreateSeqAIJ(PETSC_COMM_SELF, 3 * points, 3 * points, 0, values.data(), &matrix_));
    check(MatSetBlockSize(matrix_, 3));
    check(MatSetOption(matrix_, MAT_SYMMETRIC, PETSC_TRUE));
    check(VecCreateSeq(PETSC_COMM_SELF, 3 * points, &solution_));
    check(VecDuplicate(solution_, &residual_));
    x_ = gradient_ = Vector::Zero(3 * Eigen::Index(points));

    check(TaoCreate(PETSC_COMM_SELF, &tao_));
    check(TaoSetType(tao_, TAONLS));
    check(TaoSetObjectiveAndGradient(tao_, residual_, objective, this));
    check(TaoSetHessian(tao_, matrix_, matrix_, tao_hessian, this));
    check(TaoSetConvergenceTest(tao_, tao_converged, this));
    check(TaoSetMaximumIterations(tao_, 500));
    check(TaoSetFromOptions(tao_));

    check(SNESCreate(PETSC_COMM_SELF, &snes_));
    check(SNESSetType(snes_, SNESNEWTONLS));
    check(SNESSetFunction(snes_, residual_, gradient_only, this));
    check(SNESSetJacobian(snes_, matrix_, matrix_, snes_jacobian, this));
    check(SNESSetConvergenceTest(snes_, snes_converged, this, nullptr));
    check(SNESSetFromOptions(snes_));

    if (linear == Linear::own) return;
    KSP ksp;
    check(TaoGetKSP(tao_, &ksp));
    use_factors(ksp);
    check(SNESGetKSP(snes_, &ksp));
    check(KSPSetType(ksp, KSPPREONLY));
    use_factors(ksp);
  }
  ~Problem() {
    TaoDestroy(&tao_);
    SNESDestroy(&snes_);
    MatDestroy(&matrix_);
    VecDestroy(&solution_);
    VecDestroy(&residual_);
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  NewtonReport minimize(Lilyan& f, Vector& x, double tolerance) {
    begin(f, x, tolerance);
    check(TaoSetSolution(tao_, solution_));
    check(TaoSolve(tao_));
    TaoConvergedReason reason;
    check(TaoGetConvergedReason(tao_, &reason));
    PetscInt iterations;
    check(TaoGetIterationNumber(tao_, &iterations));
    return end(int(iterations), reason > 0, x);
  }
  NewtonReport find_root(Lilyan& f, Vector& x, double tolerance) {
    begin(f, x, tolerance);
    check(SNESSolve(snes_, nullptr, solution_));
    SNESConvergedReason reason;
    check(SNESGetConvergedReason(snes_, &reason));
    PetscInt iterations;
    check(SNESGetIterationNumber(snes_, &iterations));
    return end(int(iterations), reason > 0, x);
  }

 private:
  static void use_factors(KSP ksp) {
    PC pc;
    check(KSPGetPC(ksp, &pc));
    check(PCSetType(pc, PCCHOLESKY));
    check(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  }
  void begin(Lilyan& f, const Vector& x, double tolerance) {
    lilyan_ = &f;
    tolerance_ = tolerance;
    factorizations_ = 0;
    write(x, solution_);
  }
  NewtonReport end(int iterations, bool converged, Vector& x) {
    read(solution_, x);
    NewtonReport report;
    report.iterations = iterations;
    report.factorizations = factorizations_;
    report.exit = converged ? NewtonReport::Exit::converged : NewtonReport::Exit::failed;
    return report;
  }
  static void read(Vec from, Vector& to) {
    const PetscScalar* values;
    check(VecGetArrayRead(from, &values));
    std::copy(values, values + to.size(), to.data());
    check(VecRestoreArrayRead(from, &values));
  }
  static void write(const Vector& from, Vec to) {
    PetscScalar* values;
    check(VecGetArray(to, &values));
    std::copy(from.data(), from.data() + from.size(), values);
    check(VecRestoreArray(to, &values));
  }
  double evaluate(Vec x, Vec gradient) {
    read(x, x_);
    const double value = lilyan_->evaluate(x_, gradient_).value;
    write(gradient_, gradient);
    return value;
  }
  void fill(Vec x, Mat matrix) {
    ++factorizations_;
    read(x, x_);
    lilyan_->hessian(x_, 0.0, hessian_);
    const BlockPattern& p = *hessian_.pattern;
    for (PetscInt i = 0; i < p.rows(); ++i)
      check(MatSetValuesBlocked(matrix, 1, &i, p.row_start[i + 1] - p.row_start[i],
                                p.column.data() + p.row_start[i], row(i), INSERT_VALUES));
    check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  }
  /// The three rows of a point, each across all of its blocks, as MatSetValuesBlocked takes them.
  const double* row(int i) {
    const BlockPattern& p = *hessian_.pattern;
    const int first = p.row_start[i], count = p.row_start[i + 1] - first;
    row_.resize(9 * std::size_t(count));
    for (int b = 0; b < count; ++b)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          row_[std::size_t(r) * 3 * count + 3 * b + c] =
              hessian_.values[9 * std::size_t(first + b) + 3 * r + c];
    return row_.data();
  }
  bool small_enough(Vec x, Vec gradient) {
    read(x, x_);
    read(gradient, gradient_);
    return lilyan_->residual(x_, gradient_).worst() <= tolerance_;
  }

  static PetscErrorCode objective(Tao, Vec x, PetscReal* value, Vec gradient, void* self) {
    *value = static_cast<Problem*>(self)->evaluate(x, gradient);
    return 0;
  }
  static PetscErrorCode tao_hessian(Tao, Vec x, Mat matrix, Mat, void* self) {
    static_cast<Problem*>(self)->fill(x, matrix);
    return 0;
  }
  static PetscErrorCode tao_converged(Tao tao, void* self) {
    Vec x, gradient;
    check(TaoGetSolution(tao, &x));
    check(TaoGetGradient(tao, &gradient, nullptr, nullptr));
    if (static_cast<Problem*>(self)->small_enough(x, gradient))
      return TaoSetConvergedReason(tao, TAO_CONVERGED_USER);
    PetscInt iterations;
    check(TaoGetIterationNumber(tao, &iterations));
    return TaoSetConvergedReason(tao, iterations >= 500 ? TAO_DIVERGED_MAXITS : TAO_CONTINUE_ITERATING);
  }
  static PetscErrorCode gradient_only(SNES, Vec x, Vec gradient, void* self) {
    static_cast<Problem*>(self)->evaluate(x, gradient);
    return 0;
  }
  static PetscErrorCode snes_jacobian(SNES, Vec x, Mat matrix, Mat, void* self) {
    static_cast<Problem*>(self)->fill(x, matrix);
    return 0;
  }
  static PetscErrorCode snes_converged(SNES snes, PetscInt iterations, PetscReal, PetscReal, PetscReal,
                                       SNESConvergedReason* reason, void* self) {
    Vec x, gradient;
    check(SNESGetSolution(snes, &x));
    check(SNESGetFunction(snes, &gradient, nullptr, nullptr));
    *reason = static_cast<Problem*>(self)->small_enough(x, gradient) ? SNES_CONVERGED_FNORM_ABS
              : iterations >= 50                                     ? SNES_DIVERGED_MAX_IT
                                                                     : SNES_CONVERGED_ITERATING;
    return 0;
  }

  Lilyan* lilyan_ = nullptr;
  double tolerance_ = 0.0;
  int factorizations_ = 0;
  BlockMatrix hessian_;
  std::vector<double> row_;
  Vector x_, gradient_;
  Mat matrix_ = nullptr;
  Vec solution_ = nullptr, residual_ = nullptr;
  Tao tao_ = nullptr;
  SNES snes_ = nullptr;
};

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  using namespace verve;
  if (PetscInitialize(&argc, &argv, nullptr, nullptr)) return 1;
  const double tolerance = 1e-8;
  const int steps = argc > 1 ? std::atoi(argv[1]) : 20, most = argc > 2 ? std::atoi(argv[2]) : INT_MAX;
  const auto race_all = [&](const auto& bar) {
    Problem own(bar().system.pattern, Linear::own), factors(bar().system.pattern, Linear::factors);
    const auto minimise = [&](Problem& problem) {
      return
          [&problem, tolerance](Lilyan& lilyan, Vector& x) { return problem.minimize(lilyan, x, tolerance); };
    };
    const auto find_root = [&](Problem& problem) {
      return [&problem, tolerance](Lilyan& lilyan, Vector& x) {
        return problem.find_root(lilyan, x, tolerance);
      };
    };
    bench::race(bar(), steps,
                {{"TAO nls", minimise(own)},
                 {"SNES newtonls", find_root(own)},
                 {"TAO, factors", minimise(factors)},
                 {"SNES, factors", find_root(factors)}});
  };
  constexpr int most_violent = 2100;  // larger ones take TAO many minutes
  bench::for_each_bar(race_all, most, std::min(most, most_violent));
  return PetscFinalize() ? 1 : 0;
}
