#include "term/RestConstants.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>

#include "term/BendFlow.h"

namespace verve {
namespace {

using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

}  // namespace

int plastic_numbers(RestKind kind) {
  switch (kind) {
    case RestKind::tets:
      return 10;
    case RestKind::sheets:
      return 4;
    default:
      return 2;
  }
}

void scale_lengths(const Energy& energy, bool in_newtons, double by, double* c) {
  if (by == 1.0) return;
  const double square = by * by;
  switch (rest_kind(energy)) {
    case RestKind::tets:
      for (int j = 0; j < 9; ++j) c[j] /= by;
      c[9] *= by * square;
      break;
    case RestKind::springs:
      c[0] *= by;
      if (in_newtons) c[1] /= by * square;
      break;
    case RestKind::corners:
      c[1] *= by, c[2] *= by;
      break;
    case RestKind::sheets:  // strains and curvatures stay seen from the shape it was made with
      for (int k = 0; k < 3; ++k)
        c[k] = energy.bends() ? c[k] / by : square * c[k] + (k < 2 ? 0.5 * (square - 1.0) : 0.0);
      c[3] /= square;
  }
}

void add_plastic(RestKind kind, double arm, const double* numbers, double* c) {
  switch (kind) {
    case RestKind::tets: {
      // The gradients of the shape functions are rows: F = sum_a (x_a - x_0) g_a^T.
      const Rows grown = Eigen::Map<const Rows>(c) * Eigen::Map<const Rows>(numbers);
      std::copy_n(grown.data(), 9, c);
      break;
    }
    case RestKind::springs:
      if (arm > 0.0 && numbers[0] != 0.0) c[0] = length_of_joint(angle_of_joint(c[0], arm) + numbers[0], arm);
      break;
    case RestKind::corners:
      c[0] = std::max(0.0, c[0] + numbers[0]);
      break;
    case RestKind::sheets:
      for (int k = 0; k < 3; ++k) c[k] += numbers[k];
  }
}

double angle_of_corner(const Vector& x, const int* p, const double* sides) {
  return ((point(x, p[2]) - point(x, p[1])) / sides[1] - (point(x, p[1]) - point(x, p[0])) / sides[0]).norm();
}

RestFromPoints::RestFromPoints(const Energy& energy, const Vector& rest)
    : energy_(energy), kind_(rest_kind(energy)) {
  for (int e = 0; e < energy.elements(); ++e) at_rest_.push_back(size_of(rest, e));
}

RestFromPoints::Size RestFromPoints::size_of(const Vector& x, int element) const {
  int p[Energy::max_stencil];
  energy_.stencil(element, p);
  const auto edge = [&](int a, int b) -> Vec3 { return point(x, p[b]) - point(x, p[a]); };
  switch (kind_) {
    case RestKind::tets:
      return {};
    case RestKind::springs:
      return {edge(0, 1).norm(), 0.0};
    case RestKind::corners:
      return {edge(0, 1).norm(), edge(1, 2).norm()};
    default:
      return {0.5 * edge(0, 1).cross(edge(0, 2)).norm(), 0.0};
  }
}

void RestFromPoints::set(const Vector& x, int first, int count, double* constants) const {
  const int each = energy_.constants();
  std::vector<double> present;
  if (kind_ == RestKind::sheets) {
    present.resize(3 * std::size_t(energy_.elements()));
    dynamic_cast<const SheetRest&>(energy_).present(x, present.data());
  }
  for (int e = first; e < first + count; ++e) {
    double* c = constants + e * each;
    const Size now = size_of(x, e), then = at_rest_[std::size_t(e)];
    int p[Energy::max_stencil];
    energy_.stencil(e, p);
    switch (kind_) {
      case RestKind::tets: {
        Mat3 edges;
        for (int a = 0; a < 3; ++a) edges.col(a) = point(x, p[a + 1]) - point(x, p[0]);
        Eigen::Map<Rows>(c, 3, 3) = edges.inverse();
        c[9] = edges.determinant() / 6.0;
        break;
      }
      case RestKind::springs:
        c[0] *= now.length / then.length;
        break;
      case RestKind::corners: {
        const double sides[2] = {now.length, now.other};
        const double angle = angle_of_corner(x, p, sides);
        c[0] = angle > 1e-7 ? angle : 0.0;
        c[1] *= now.length / then.length, c[2] *= now.other / then.other;
        break;
      }
      case RestKind::sheets:
        // The energy of a grown triangle, of its strain seen from the shape that it was made with.
        std::copy_n(&present[3 * std::size_t(e)], 3, c);
        c[3] *= then.length / now.length;
    }
  }
}

}  // namespace verve
