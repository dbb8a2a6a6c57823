#include "mesh/MeshQuality.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/Error.h"
#include "base/Parallel.h"
#include "mesh/MeshGeometry.h"

namespace verve {
namespace {

constexpr int grain = 4096;
constexpr double sliver = 5;

// Results of pieces are kept in the order of pieces, so that sums do not depend on the threads.
template <class Result, class Body>
std::vector<Result> map_pieces(int count, const Body& body) {
  std::vector<Result> results((count + grain - 1) / grain);
  parallel_pieces(count, grain, [&](int begin, int end) { results[begin / grain] = body(begin, end); });
  return results;
}

double badness(const MeshQuality& q) {
  return std::min(q.smallest_dihedral, 180 - q.largest_dihedral);
}

MeshQuality empty_quality() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  MeshQuality q;
  q.smallest_dihedral = 180;
  q.smallest_volume = q.shortest_edge = infinity;
  return q;
}

void merge(MeshQuality& into, const MeshQuality& from) {
  if (into.worst_tet < 0 || badness(from) < badness(into)) into.worst_tet = from.worst_tet;
  for (int b = 0; b < MeshQuality::bins; ++b) into.dihedral_histogram[b] += from.dihedral_histogram[b];
  into.smallest_dihedral = std::min(into.smallest_dihedral, from.smallest_dihedral);
  into.largest_dihedral = std::max(into.largest_dihedral, from.largest_dihedral);
  into.volume += from.volume;
  into.smallest_volume = std::min(into.smallest_volume, from.smallest_volume);
  into.shortest_edge = std::min(into.shortest_edge, from.shortest_edge);
  into.longest_edge = std::max(into.longest_edge, from.longest_edge);
  into.slivers += from.slivers;
  if (into.first_sliver < 0) into.first_sliver = from.first_sliver;
}

MeshQuality measure_tet(const TetMesh& mesh, int tet) {
  const auto& t = mesh.tets[tet];
  const Vec3* p[4];
  for (int c = 0; c < 4; ++c) p[c] = &mesh.points[t[c]];
  MeshQuality q = empty_quality();
  for (double angle : dihedral_angles(*p[0], *p[1], *p[2], *p[3])) {
    ++q.dihedral_histogram[std::min(MeshQuality::bins - 1, int(angle / 10))];
    q.smallest_dihedral = std::min(q.smallest_dihedral, angle);
    q.largest_dihedral = std::max(q.largest_dihedral, angle);
  }
  for (const auto& e : tet_edges) {
    const double length = (*p[e[0]] - *p[e[1]]).norm();
    q.shortest_edge = std::min(q.shortest_edge, length);
    q.longest_edge = std::max(q.longest_edge, length);
  }
  q.volume = q.smallest_volume = tet_volume(mesh, tet);
  q.worst_tet = tet;
  if (badness(q) < sliver) q.slivers = 1, q.first_sliver = tet;
  return q;
}

// The highest eigenvalue of the tet's stiffness over its lumped mass, rho V / 4 a corner. It is that of the
// 6x6 matrix sqrt(D) B B^T sqrt(D), with strains written such that their dot product is that of matrices.
double highest_frequency_squared(const TetMesh& mesh, int tet, double mu, double lambda, double density) {
  const auto& t = mesh.tets[tet];
  Mat3 edges;
  for (int c = 0; c < 3; ++c) edges.col(c) = mesh.points[t[c + 1]] - mesh.points[t[0]];
  Eigen::Matrix<double, 3, 4> gradients;
  gradients.rightCols<3>() = edges.inverse().transpose();
  gradients.col(0) = -gradients.rightCols<3>().rowwise().sum();

  Eigen::Matrix<double, 6, 12> strain = Eigen::Matrix<double, 6, 12>::Zero();
  for (int c = 0; c < 4; ++c) {
    const Vec3 g = gradients.col(c);
    for (int axis = 0; axis < 3; ++axis) {
      const int next = (axis + 1) % 3;
      strain(axis, 3 * c + axis) = g[axis];
      strain(3 + axis, 3 * c + axis) = g[next] * std::sqrt(0.5);
      strain(3 + axis, 3 * c + next) = g[axis] * std::sqrt(0.5);
    }
  }
  const double shear = std::sqrt(2 * mu);
  const double bulk = (std::sqrt(2 * mu + 3 * lambda) - shear) / 3;
  Eigen::Matrix<double, 6, 6> root = shear * Eigen::Matrix<double, 6, 6>::Identity();
  root.topLeftCorner<3, 3>().array() += bulk;
  const Eigen::Matrix<double, 6, 6> energy = root * (strain * strain.transpose()) * root;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> solver(energy, Eigen::EigenvaluesOnly);
  return 4 * solver.eigenvalues()[5] / density;
}

}  // namespace

std::array<double, 6> dihedral_angles(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3* p[4] = {&a, &b, &c, &d};
  Vec3 normals[4];
  for (int f = 0; f < 4; ++f) {
    const auto& face = tet_faces[f];
    normals[f] = (*p[face[1]] - *p[face[0]]).cross(*p[face[2]] - *p[face[0]]);
  }
  std::array<double, 6> angles;
  for (int e = 0; e < 6; ++e) {
    // The faces at edge e are opposite to the two corners that are not on it.
    const Vec3 &n = normals[tet_edges[5 - e][0]], &m = normals[tet_edges[5 - e][1]];
    angles[e] = 180 / M_PI * std::atan2(n.cross(m).norm(), -n.dot(m));
  }
  return angles;
}

MeshQuality measure(const TetMesh& mesh) {
  const auto parts = map_pieces<MeshQuality>(int(mesh.tets.size()), [&](int begin, int end) {
    MeshQuality part = empty_quality();
    for (int i = begin; i < end; ++i) merge(part, measure_tet(mesh, i));
    return part;
  });
  MeshQuality all = empty_quality();
  for (const MeshQuality& part : parts) merge(all, part);
  return all;
}

double stable_step(const TetMesh& mesh, double mu, double lambda, double density) {
  if (!(mu > 0) || !(3 * lambda + 2 * mu > 0) || !(density > 0) || !std::isfinite(mu + lambda + density))
    throw Error("a stable step needs mu > 0, 3 lambda + 2 mu > 0 and density > 0");
  const auto parts = map_pieces<double>(int(mesh.tets.size()), [&](int begin, int end) {
    double highest = 0;
    for (int i = begin; i < end; ++i)
      highest = std::max(highest, highest_frequency_squared(mesh, i, mu, lambda, density));
    return highest;
  });
  const double highest = parts.empty() ? 0 : *std::max_element(parts.begin(), parts.end());
  return 2 / std::sqrt(highest);
}

}  // namespace verve
