#include "linear/DenseKernels.h"

#include <Eigen/Cholesky>
#include <cmath>

#ifdef VERVE_OPENBLAS
#include <cblas.h>

extern "C" {
void spotrf_(const char* uplo, const int* n, float* a, const int* lda, int* info);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
}
#endif

namespace verve::dense {
namespace {

template <class Scalar>
using Matrix = Eigen::Map<Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>, 0, Eigen::OuterStride<>>;
template <class Scalar>
using ConstMatrix =
    Eigen::Map<const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>, 0, Eigen::OuterStride<>>;
template <class Scalar>
using Column = Eigen::Map<Eigen::Matrix<Scalar, Eigen::Dynamic, 1>>;
template <class Scalar>
using ConstColumn = Eigen::Map<const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>>;

}  // namespace

#ifdef VERVE_OPENBLAS

void use_one_thread() {
  openblas_set_num_threads(1);
}

namespace {

int potrf(int n, float* a, int lda) {
  int info = 0;
  spotrf_("L", &n, a, &lda, &info);
  return info;
}
int potrf(int n, double* a, int lda) {
  int info = 0;
  dpotrf_("L", &n, a, &lda, &info);
  return info;
}
constexpr auto trsm(float) {
  return cblas_strsm;
}
constexpr auto trsm(double) {
  return cblas_dtrsm;
}
constexpr auto syrk(float) {
  return cblas_ssyrk;
}
constexpr auto syrk(double) {
  return cblas_dsyrk;
}
constexpr auto gemm(float) {
  return cblas_sgemm;
}
constexpr auto gemm(double) {
  return cblas_dgemm;
}

}  // namespace

template <class Scalar>
int cholesky(int n, Scalar* a, int lda) {
  const int info = potrf(n, a, lda);
  if (info > 0) return info - 1;
  // A pivot that is not a number passes every comparison of the library.
  for (int j = 0; j < n; ++j)
    if (!(a[j + std::size_t(j) * lda] < INFINITY)) return j;
  return -1;
}

template <class Scalar>
void solve_right(int m, int n, const Scalar* l, int ldl, Scalar* b, int ldb) {
  trsm(Scalar())(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, m, n, 1, l, ldl, b, ldb);
}

template <class Scalar>
void subtract_square(int n, int k, const Scalar* a, int lda, int keep, Scalar* c, int ldc) {
  syrk(Scalar())(CblasColMajor, CblasLower, CblasNoTrans, n, k, -1, a, lda, Scalar(keep), c, ldc);
}

template <class Scalar>
void subtract_product(int m, int n, int k, const Scalar* a, int lda, const Scalar* b, int ldb, int keep,
                      Scalar* c, int ldc) {
  gemm(Scalar())(CblasColMajor, CblasNoTrans, CblasTrans, m, n, k, -1, a, lda, b, ldb, Scalar(keep), c, ldc);
}

#else

void use_one_thread() {}

template <class Scalar>
int cholesky(int n, Scalar* a, int lda) {
  Matrix<Scalar> matrix(a, n, n, Eigen::OuterStride<>(lda));
  const int failed = int(Eigen::internal::llt_inplace<Scalar, Eigen::Lower>::blocked(matrix));
  if (failed >= 0) return failed;
  for (int j = 0; j < n; ++j)
    if (!(matrix(j, j) < INFINITY)) return j;
  return -1;
}

template <class Scalar>
void solve_right(int m, int n, const Scalar* l, int ldl, Scalar* b, int ldb) {
  Matrix<Scalar> right(b, m, n, Eigen::OuterStride<>(ldb));
  ConstMatrix<Scalar>(l, n, n, Eigen::OuterStride<>(ldl))
      .transpose()
      .template triangularView<Eigen::Upper>()
      .template solveInPlace<Eigen::OnTheRight>(right);
}

template <class Scalar>
void subtract_square(int n, int k, const Scalar* a, int lda, int keep, Scalar* c, int ldc) {
  Matrix<Scalar> result(c, n, n, Eigen::OuterStride<>(ldc));
  if (!keep) result.template triangularView<Eigen::Lower>().setZero();
  result.template selfadjointView<Eigen::Lower>().rankUpdate(
      ConstMatrix<Scalar>(a, n, k, Eigen::OuterStride<>(lda)), Scalar(-1));
}

template <class Scalar>
void subtract_product(int m, int n, int k, const Scalar* a, int lda, const Scalar* b, int ldb, int keep,
                      Scalar* c, int ldc) {
  Matrix<Scalar> result(c, m, n, Eigen::OuterStride<>(ldc));
  if (!keep) result.setZero();
  result.noalias() -= ConstMatrix<Scalar>(a, m, k, Eigen::OuterStride<>(lda)) *
                      ConstMatrix<Scalar>(b, n, k, Eigen::OuterStride<>(ldb)).transpose();
}

#endif

// The kernels of the triangular solves are bound by memory; Eigen's have less overhead on small fronts.
template <class Scalar>
void solve_lower(int n, const Scalar* l, int ldl, Scalar* x) {
  Column<Scalar> column(x, n);
  ConstMatrix<Scalar>(l, n, n, Eigen::OuterStride<>(ldl))
      .template triangularView<Eigen::Lower>()
      .solveInPlace(column);
}

template <class Scalar>
void solve_lower_transposed(int n, const Scalar* l, int ldl, Scalar* x) {
  Column<Scalar> column(x, n);
  ConstMatrix<Scalar>(l, n, n, Eigen::OuterStride<>(ldl))
      .transpose()
      .template triangularView<Eigen::Upper>()
      .solveInPlace(column);
}

template <class Scalar>
void subtract_times(int m, int n, const Scalar* a, int lda, const Scalar* x, Scalar* y) {
  Column<Scalar>(y, m).noalias() -=
      ConstMatrix<Scalar>(a, m, n, Eigen::OuterStride<>(lda)) * ConstColumn<Scalar>(x, n);
}

template <class Scalar>
void subtract_transposed_times(int m, int n, const Scalar* a, int lda, const Scalar* x, Scalar* y) {
  Column<Scalar>(y, n).noalias() -=
      ConstMatrix<Scalar>(a, m, n, Eigen::OuterStride<>(lda)).transpose() * ConstColumn<Scalar>(x, m);
}

#define VERVE_INSTANTIATE(Scalar)                                                                    \
  template int cholesky<Scalar>(int, Scalar*, int);                                                  \
  template void solve_right<Scalar>(int, int, const Scalar*, int, Scalar*, int);                     \
  template void subtract_square<Scalar>(int, int, const Scalar*, int, int, Scalar*, int);            \
  template void subtract_product<Scalar>(int, int, int, const Scalar*, int, const Scalar*, int, int, \
                                         Scalar*, int);                                              \
  template void solve_lower<Scalar>(int, const Scalar*, int, Scalar*);                               \
  template void solve_lower_transposed<Scalar>(int, const Scalar*, int, Scalar*);                    \
  template void subtract_times<Scalar>(int, int, const Scalar*, int, const Scalar*, Scalar*);        \
  template void subtract_transposed_times<Scalar>(int, int, const Scalar*, int, const Scalar*, Scalar*);
VERVE_INSTANTIATE(float)
VERVE_INSTANTIATE(double)
#undef VERVE_INSTANTIATE

}  // namespace verve::dense
