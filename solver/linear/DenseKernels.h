// Dense linear algebra for the fronts of a factorisation: column-major, lower triangles, one thread. From
// OpenBLAS when the build has it, else from Eigen.
#pragma once

namespace verve::dense {

/// Keeps the library behind these kernels from starting threads of its own.
void use_one_thread();

/// A = L L^T in place. The first column whose pivot is not positive, or -1.
template <class Scalar>
int cholesky(int n, Scalar* a, int lda);

/// B = B L^-T, for B of m x n.
template <class Scalar>
void solve_right(int m, int n, const Scalar* l, int ldl, Scalar* b, int ldb);

/// The lower triangle of C = keep C - A A^T, for A of n x k; keep is 0 or 1.
template <class Scalar>
void subtract_square(int n, int k, const Scalar* a, int lda, int keep, Scalar* c, int ldc);

/// C = keep C - A B^T, for A of m x k and B of n x k; keep is 0 or 1.
template <class Scalar>
void subtract_product(int m, int n, int k, const Scalar* a, int lda, const Scalar* b, int ldb, int keep,
                      Scalar* c, int ldc);

/// x = L^-1 x
template <class Scalar>
void solve_lower(int n, const Scalar* l, int ldl, Scalar* x);

/// x = L^-T x
template <class Scalar>
void solve_lower_transposed(int n, const Scalar* l, int ldl, Scalar* x);

/// y -= A x, for A of m x n.
template <class Scalar>
void subtract_times(int m, int n, const Scalar* a, int lda, const Scalar* x, Scalar* y);

/// y -= A^T x, for A of m x n.
template <class Scalar>
void subtract_transposed_times(int m, int n, const Scalar* a, int lda, const Scalar* x, Scalar* y);

}  // namespace verve::dense
