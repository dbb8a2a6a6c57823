#include "asynchronous/ElementClocks.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <map>

#include "asynchronous/Clock.h"
#include "base/Error.h"
#include "base/Parallel.h"

namespace verve {
namespace {

/// An element's stiffness, 3 rows and columns a point.
using Stiffness = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3 * Energy::max_stencil,
                                3 * Energy::max_stencil>;

/// Up to this share of the stable step elements that stiffen keep their clocks.
constexpr double stiffened_safety = 0.6;

/// Against the shares of mass: M^-1/2 K M^-1/2.
Stiffness scaled(const double (&share)[Energy::max_stencil], const Stiffness& k) {
  Stiffness s = k;
  for (int row = 0; row < s.rows(); ++row)
    for (int column = 0; column < s.cols(); ++column)
      s(row, column) /= std::sqrt(share[row / 3] * share[column / 3]);
  return s;
}

double largest(const double (&share)[Energy::max_stencil], const Stiffness& k) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled(share, k), Eigen::EigenvaluesOnly);
  return eigen.eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace

void ElementPack::gradient(const Particles& particles, Pack3 (&out)[Energy::max_stencil]) const {
  Pack3 x[Energy::max_stencil];
  for (int a = 0; a < size; ++a)
    for (int lane = 0; lane < Pack::size; ++lane)
      for (int k = 0; k < 3; ++k) x[a][k].set(lane, particles.x[point[a][lane]][k]);
  energy->element_gradients(element, x, out);
}

ElementGroup::ElementGroup(std::int64_t ticks, std::vector<ElementPack> packs)
    : ticks_(ticks), packs_(std::move(packs)) {
  for (const ElementPack& pack : packs_) elements_ += pack.count;
  std::map<int, std::vector<Entry>> by_point;
  for (int p = 0; p < int(packs_.size()); ++p)
    for (int lane = 0; lane < packs_[p].count; ++lane)
      for (int a = 0; a < packs_[p].size; ++a) by_point[packs_[p].point[a][lane]].push_back({p, a, lane});
  first_.push_back(0);
  for (const auto& [point, entries] : by_point) {
    points_.push_back(point);
    entries_.insert(entries_.end(), entries.begin(), entries.end());
    first_.push_back(int(entries_.size()));
  }
  gradients_.resize(packs_.size());
}

void ElementGroup::kick(double time, double h, Particles& particles) const {
  if (particles.trace)  // which need not be called from several threads
    for (int i : points_) particles.advance(i, time);
  const int points = int(points_.size());
  parallel_pieces(points, 2048, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) particles.advance(points_[k], time);
  });
  parallel_pieces(int(packs_.size()), 256, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) {
      Pack3 gradient[Energy::max_stencil];
      packs_[p].gradient(particles, gradient);
      std::copy_n(gradient, packs_[p].size, gradients_[p].begin());
    }
  });
  const auto impulse = [&](const Entry& e) {
    const Pack3& g = gradients_[e.pack][e.corner];
    return Vec3(-h * Vec3(g[0][e.lane], g[1][e.lane], g[2][e.lane]));
  };
  parallel_pieces(points, 1024, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const int i = points_[k];
      const double inverse_mass = particles.inverse_mass[i];
      if (inverse_mass == 0.0) continue;
      Vec3 v = particles.v[i];
      for (int e = first_[k]; e < first_[k + 1]; ++e) v += inverse_mass * impulse(entries_[e]);
      particles.v[i] = v;
    }
  });
  for (int k = 0; k < points; ++k) {  // what threads may not do: bookkeeping
    const int i = points_[k];
    if (particles.inverse_mass[i] == 0.0)
      for (int e = first_[k]; e < first_[k + 1]; ++e) particles.kick(i, impulse(entries_[e]));
    else
      particles.keep_promise(i);
  }
}

/// Calls visit(element, stiffness at x), by central differences of the gradient: good to some eight digits,
/// of which a step size needs two.
template <class Visit>
void ElementClocks::for_each_stiffness(const Vector& x, const Visit& visit) const {
  for (std::size_t first = 0; first < elements_.size();) {
    const Element& lead = elements_[first];
    const int size = lead.size;
    int count = 0, number[Pack::size];
    Pack3 q[Energy::max_stencil];
    Pack eps;
    for (int lane = 0; lane < Pack::size; ++lane) {
      const bool more = first + lane < elements_.size() && elements_[first + lane].energy == lead.energy;
      if (more) ++count;
      const Element& e = elements_[first + count - 1];
      number[lane] = e.number;
      for (int a = 0; a < size; ++a)
        for (int k = 0; k < 3; ++k) q[a][k].set(lane, x[3 * Eigen::Index(e.point[a]) + k]);
      eps.set(lane, 1e-6 * (point(x, e.point[1]) - point(x, e.point[0])).norm() + 1e-300);
    }
    Stiffness k[Pack::size];
    for (Stiffness& matrix : k) matrix.resize(3 * size, 3 * size);
    const Energy& energy = *system_.elastic[lead.energy];
    for (int column = 0; column < 3 * size; ++column) {
      Pack3 low[Energy::max_stencil], high[Energy::max_stencil];
      Pack& moved = q[column / 3][column % 3];
      const Pack kept = moved;
      moved = kept - eps;
      energy.element_gradients(number, q, low);
      moved = kept + eps;
      energy.element_gradients(number, q, high);
      moved = kept;
      for (int row = 0; row < 3 * size; ++row)
        for (int lane = 0; lane < Pack::size; ++lane)
          k[lane](row, column) =
              (high[row / 3][row % 3][lane] - low[row / 3][row % 3][lane]) / (2.0 * eps[lane]);
    }
    for (int lane = 0; lane < count; ++lane) {
      const Stiffness symmetric = 0.5 * (k[lane] + k[lane].transpose());
      visit(first + lane, symmetric);
    }
    first += count;
  }
}

ElementClocks::ElementClocks(const System& system, const Vector& rest, double safety)
    : system_(system), safety_(safety) {
  for (std::size_t n = 0; n < system.elastic.size(); ++n) {
    const Energy& energy = *system.elastic[n];
    if (energy.elements() == 0)
      throw Error(
          "integrator.type: one of the scene's energies cannot be stepped asynchronously; choose avf");
    for (int e = 0; e < energy.elements(); ++e) {
      Element element{int(n), e, 0, {}, {}, 0.0};
      element.size = energy.stencil(e, element.point);
      elements_.push_back(element);
    }
  }
  std::vector<double> total(system.points(), 0.0);
  for_each_stiffness(rest, [&](std::size_t i, const Stiffness& k) {
    Element& e = elements_[i];
    for (int a = 0; a < e.size; ++a) {
      e.share[a] = k.block(3 * a, 3 * a, 3, 3).norm();
      total[e.point[a]] += e.share[a];
    }
  });
  for (Element& e : elements_)
    for (int a = 0; a < e.size; ++a)
      // Elements without stiffness at rest get a little too: they may have some later.
      e.share[a] = system.mass[3 * Eigen::Index(e.point[a])] *
                   (total[e.point[a]] > 0.0 ? std::max(1e-6, e.share[a] / total[e.point[a]]) : 1.0);
  for_each_stiffness(rest, [&](std::size_t i, const Stiffness& k) {
    elements_[i].squared_rate = k.norm() > 0.0 ? largest(elements_[i].share, k) : 0.0;
  });
}

const std::vector<ElementGroup>& ElementClocks::groups(const Vector& x, double length) {
  wanted_.resize(elements_.size());
  for_each_stiffness(x, [&](std::size_t i, const Stiffness& k) {
    const Element& e = elements_[i];
    const double rate = std::sqrt(e.squared_rate);
    std::int64_t n = ticks_for(length, rate > 0.0 ? 2.0 * safety_ / rate : length);
    const double allowed = 2.0 * std::max(safety_, stiffened_safety);
    const auto stable = [&](double squared) {
      return squared * length * length <= allowed * allowed * double(n) * double(n);
    };
    // The Frobenius norm bounds the eigenvalue, and is all that most elements need.
    if (k.norm() > 0.0 && !stable(scaled(e.share, k).norm())) {
      const double now = largest(e.share, k);
      while (!stable(now) && n < std::int64_t(1) << 50) n *= 2;
    }
    wanted_[i] = n;
  });
  if (wanted_ != ticks_) {
    ticks_ = wanted_;
    regroup();
  }
  return groups_;
}

void ElementClocks::regroup() {
  std::map<std::int64_t, std::vector<ElementPack>> packs;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Element& e = elements_[i];
    std::vector<ElementPack>& list = packs[ticks_[i]];
    const Energy* energy = system_.elastic[e.energy].get();
    if (list.empty() || list.back().energy != energy || list.back().count == Pack::size)
      list.push_back({energy, 0, e.size, {}, {}});
    ElementPack& pack = list.back();
    for (int lane = pack.count; lane < Pack::size;
         ++lane) {  // the lanes that stay free repeat the last element
      pack.element[lane] = e.number;
      for (int a = 0; a < e.size; ++a) pack.point[a][lane] = e.point[a];
    }
    ++pack.count;
  }
  groups_.clear();
  for (auto& [ticks, list] : packs) groups_.emplace_back(ticks, std::move(list));
}

}  // namespace verve
