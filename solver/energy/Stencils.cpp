#include "energy/Stencils.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

namespace verve {
namespace {

void split(const Vector& x, std::vector<int>& order, int begin, int end, int part, int parts,
           std::vector<int>& owner) {
  if (parts == 1) {
    for (int i = begin; i < end; ++i) owner[order[i]] = part;
    return;
  }
  Eigen::AlignedBox3d box;
  for (int i = begin; i < end; ++i) box.extend(Vec3(point(x, order[i])));
  int axis = 0;
  if (!box.isEmpty()) box.sizes().maxCoeff(&axis);
  const int left = parts / 2, middle = begin + int((long long)(end - begin) * left / parts);
  std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end, [&](int a, int b) {
    const double xa = x[3 * Eigen::Index(a) + axis], xb = x[3 * Eigen::Index(b) + axis];
    return xa != xb ? xa < xb : a < b;
  });
  split(x, order, begin, middle, part, left, owner);
  split(x, order, middle, end, part + left, parts - left, owner);
}

}  // namespace

Partition partition_points(const Vector& x, int parts) {
  const int points = int(x.size() / 3);
  Partition result;
  result.parts = std::max(1, std::min(parts, points));
  result.owner.assign(points, 0);
  std::vector<int> order(points);
  std::iota(order.begin(), order.end(), 0);
  split(x, order, 0, points, 0, result.parts, result.owner);
  return result;
}

template <int N>
Stencils<N>::Stencils(const std::vector<std::array<int, N>>& elements, const Partition& partition)
    : elements_(int(elements.size())), first_(1, 0), places_(elements.size()), values_(elements.size()) {
  for (int part = 0; part < partition.parts; ++part) {
    int lane = 0;
    for (int e = 0; e < elements_; ++e) {
      const auto& stencil = elements[e];
      if (std::none_of(stencil.begin(), stencil.end(), [&](int p) { return partition.owner[p] == part; }))
        continue;
      if (lane == 0) blocks_.emplace_back();
      Block& block = blocks_.back();
      for (int a = 0; a < N; ++a) {
        block.point[a][lane] = stencil[a];
        if (partition.owner[stencil[a]] == part) block.owned[a] |= 1u << lane;
      }
      block.element[lane] = e;
      if (partition.owner[stencil[0]] == part) {
        block.counted |= 1u << lane;
        places_[e] = {int(blocks_.size()) - 1, lane};
      }
      lane = (lane + 1) % Pack::size;
    }
    for (; lane != 0; lane = (lane + 1) % Pack::size) {
      Block& block = blocks_.back();
      for (int a = 0; a < N; ++a) block.point[a][lane] = block.point[a][lane - 1];
      block.element[lane] = block.element[lane - 1];
    }
    first_.push_back(int(blocks_.size()));
  }
}

template <int N>
void Stencils<N>::append_pairs(std::vector<std::array<int, 2>>& pairs) const {
  for (const Block& block : blocks_)
    for (int lane = 0; lane < Pack::size; ++lane)
      if (block.counted >> lane & 1)
        for (int a = 0; a < N; ++a)
          for (int b = a + 1; b < N; ++b) pairs.push_back({block.point[a][lane], block.point[b][lane]});
}

template <int N>
void Stencils<N>::attach(const BlockPattern& pattern) {
  place_.resize(blocks_.size());
  parallel_pieces(size(), 256, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      for (int a = 0; a < N; ++a)
        for (int b = 0; b < N; ++b)
          for (int lane = 0; lane < Pack::size; ++lane)
            place_[i][(a * N + b) * Pack::size + lane] =
                pattern.find(blocks_[i].point[a][lane], blocks_[i].point[b][lane]);
  });
}

// Element by element (lanes outermost), so that a row adds up in the order of the elements however they are
// packed.
template <int N>
void Stencils<N>::scatter(int i, const Pack (&h)[N][N][9], BlockMatrix& matrix) const {
  const Block& block = blocks_[i];
  for (int lane = 0; lane < Pack::size; ++lane)
    for (int a = 0; a < N; ++a) {
      if (!(block.owned[a] >> lane & 1)) continue;
      for (int b = 0; b < N; ++b) {
        double* out = &matrix.values[9 * std::size_t(place_[i][(a * N + b) * Pack::size + lane])];
        for (int k = 0; k < 9; ++k) out[k] += h[a][b][k][lane];
      }
    }
}

template <int N>
void Stencils<N>::scatter(int i, const Pack3 (&g)[N], Vector& gradient) const {
  const Block& block = blocks_[i];
  for (int lane = 0; lane < Pack::size; ++lane)
    for (int a = 0; a < N; ++a) {
      if (!(block.owned[a] >> lane & 1)) continue;
      double* out = &gradient[3 * Eigen::Index(block.point[a][lane])];
      for (int k = 0; k < 3; ++k) out[k] += g[a][k][lane];
    }
}

template <int N>
void Stencils<N>::gather(int i, const Vector& x, Pack3 (&q)[N]) const {
  const Block& block = blocks_[i];
  for (int a = 0; a < N; ++a) {
    const double* p[Pack::size];
    for (int lane = 0; lane < Pack::size; ++lane) p[lane] = &x[3 * Eigen::Index(block.point[a][lane])];
    for (int k = 0; k < 3; ++k) q[a][k] = Pack(Pack::Lanes{p[0][k], p[1][k], p[2][k], p[3][k]});
  }
}

template <int N>
Pack Stencils<N>::mean(int i, const Vector& values) const {
  if (values.size() == 0) return 1.0;
  Pack sum = 0.0;
  for (int lane = 0; lane < Pack::size; ++lane) {
    double s = 0.0;
    for (int a = 0; a < N; ++a) s += values[blocks_[i].point[a][lane]];
    sum.set(lane, s / N);
  }
  return sum;
}

template class Stencils<2>;
template class Stencils<3>;
template class Stencils<4>;
template class Stencils<10>;
template class Stencils<12>;

}  // namespace verve
