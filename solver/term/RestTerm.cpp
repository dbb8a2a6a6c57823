#include "term/RestTerm.h"

#include <algorithm>
#include <cmath>

#include "base/Parallel.h"
#include "system/State.h"
#include "term/PlasticFlow.h"

namespace verve {
namespace {

constexpr int plastic_numbers = 10;
constexpr int tet_constants = 12;

using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// The gradients of the shape functions of a tet as rows: F = sum_a (x_a - x_0) g_a^T.
Eigen::Map<const Rows> gradients(const double* constants) {
  return Eigen::Map<const Rows>(constants);
}

void scale_lengths(double* constants, int count, double by) {
  if (by == 1.0) return;
  if (count != tet_constants) {
    constants[0] *= by;
    return;
  }
  for (int j = 0; j < 9; ++j) constants[j] /= by;
  constants[9] *= by * by * by;
}

}  // namespace

RestTerm::RestTerm(std::vector<ChangingElements> elements) : elements_(std::move(elements)) {
  for (const ChangingElements& e : elements_) {
    std::size_t p = 0;
    while (p < parts_.size() && parts_[p].energy != e.energy) ++p;
    if (p == parts_.size()) {
      Part part{e.energy, std::vector<double>(std::size_t(e.energy->elements() * e.energy->constants())), {}};
      e.energy->get_constants(part.base.data());
      part.now = part.base;
      parts_.push_back(std::move(part));
    }
    part_.push_back(int(p));
    moves_ |= e.rest_scale || e.stiffness_scale;
    flows_ |= e.plastic;
  }
}

std::size_t RestTerm::rest_numbers() const {
  std::size_t sum = 0;
  for (const Part& part : parts_) sum += std::size_t(part.energy->elements() * part.energy->rest_constants());
  return sum;
}

TermMemory RestTerm::first_memory(double time, bool keep) const {
  TermMemory memory{time, keep ? 1.0 : 0.0};
  for (const Part& part : parts_) {
    if (!keep) break;
    std::vector<double> all(part.base.size());
    part.energy->get_constants(all.data());
    const int each = part.energy->constants(), rest = part.energy->rest_constants();
    for (std::size_t k = 0; k < elements_.size(); ++k) {
      const ChangingElements& e = elements_[k];
      if (e.energy != part.energy || !e.rest_scale) continue;
      for (int i = 0; i < e.count; ++i)
        scale_lengths(&all[std::size_t((e.first + i) * each)], each, 1.0 / e.rest_scale(time));
    }
    for (int e = 0; e < part.energy->elements(); ++e)
      memory.insert(memory.end(), all.begin() + e * each, all.begin() + e * each + rest);
  }
  for (const ChangingElements& e : elements_)
    for (int i = 0; e.plastic && i < e.count; ++i)
      for (double number : {1., 0., 0., 0., 1., 0., 0., 0., 1., 0.}) memory.push_back(number);
  return memory;
}

double RestTerm::change(const TermMemory& before, const TermMemory& after) const {
  if (before.size() != after.size() || before.empty()) return 0.0;
  double most = 0.0;
  std::size_t at = 2 + (before[1] != 0.0 ? rest_numbers() : 0);
  for (const ChangingElements& e : elements_) {
    for (const auto* course : {&e.rest_scale, &e.stiffness_scale})
      if (*course) most = std::max(most, std::abs(std::log((*course)(after[0]) / (*course)(before[0]))));
    double squared = 0.0;
    for (int i = 0; e.plastic && i < e.count; ++i, at += plastic_numbers)
      squared += std::pow(after[at + 9] - before[at + 9], 2);
    most = std::max(most, std::sqrt(squared / std::max(1, e.count)));
  }
  return most;
}

/// Makes the energies what they are with this memory at that time.
void RestTerm::set(const TermMemory& memory, double time) {
  const bool keeps = memory[1] != 0.0;
  std::size_t at = 2;
  for (Part& part : parts_) {
    part.now = part.base;
    const int each = part.energy->constants(), rest = part.energy->rest_constants();
    for (int e = 0; keeps && e < part.energy->elements(); ++e, at += std::size_t(rest))
      std::copy_n(memory.begin() + std::ptrdiff_t(at), rest, part.now.begin() + e * each);
  }
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    const ChangingElements& e = elements_[k];
    Part& part = parts_[std::size_t(part_[k])];
    const int each = e.energy->constants();
    const double length = e.rest_scale ? e.rest_scale(time) : 1.0;
    const double stiffness = e.stiffness_scale ? e.stiffness_scale(time) : 1.0;
    for (int i = 0; i < e.count; ++i) {
      double* c = &part.now[std::size_t((e.first + i) * each)];
      if (e.plastic) {
        const Rows grown = gradients(c) * Eigen::Map<const Rows>(&memory[at]);
        std::copy_n(grown.data(), 9, c);
        at += plastic_numbers;
      }
      scale_lengths(c, each, length);
      for (int j = e.energy->rest_constants(); j < each; ++j) c[j] *= stiffness;
    }
  }
  for (Part& part : parts_) part.energy->set_constants(part.now.data());
  set_ = memory;
  set_time_ = time;
}

void RestTerm::recall(const TermMemory& memory) {
  if (memory.empty() || (set_time_ == memory[0] && set_ == memory)) return;
  set(memory, memory[0]);
}

double RestTerm::energy(const Vector& x) const {
  double sum = 0.0;
  for (const Part& part : parts_) sum += part.energy->at(x);
  return sum;
}

TermBooks RestTerm::begin(const Drivers&, const State& state, double h, TermMemory& memory) {
  TermBooks books;
  if (memory.empty()) memory = first_memory(state.time, false);
  recall(memory);
  begun_ = state.time;
  h_ = h;
  if (still_ || !moves_) return books;
  const double before = energy(state.x);
  set(memory, begun_ + 0.5 * h);
  books.work = energy(state.x) - before;
  return books;
}

TermBooks RestTerm::end(const Chord&, const Vector& x, TermMemory& memory) {
  TermBooks books;
  if (still_) return books;
  const double start = energy(x);
  double now = start;
  TermMemory flown = memory;
  if (flow(x, flown)) {
    set(flown, set_time_);
    now = energy(x);
    if (now > start) {  // far in compression some materials become softer: flow must not give
      set(memory, set_time_);
      now = start;
    } else {
      memory = std::move(flown);
      books.dissipated = start - now;
    }
  }
  memory[0] = begun_ + h_;
  set(memory, memory[0]);
  if (moves_) books.work = energy(x) - now;
  return books;
}

bool RestTerm::flow(const Vector& x, TermMemory& memory) const {
  std::size_t at = 2 + (memory[1] != 0.0 ? rest_numbers() : 0);
  bool any = false;
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    const ChangingElements& e = elements_[k];
    if (!e.plastic) continue;
    const Part& part = parts_[std::size_t(part_[k])];
    std::vector<char> flowed(std::size_t(e.count), 0);
    parallel_pieces(e.count, 64, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        const double* c = &part.now[std::size_t((e.first + i) * tet_constants)];
        int p[Energy::max_stencil];
        e.energy->stencil(e.first + i, p);
        Mat3 edges;
        for (int a = 0; a < 3; ++a) edges.col(a) = point(x, p[a + 1]) - point(x, p[0]);
        double* numbers = &memory[at + std::size_t(i * plastic_numbers)];
        PlasticState state;
        state.inverse = Eigen::Map<const Rows>(numbers);
        state.strain = numbers[9];
        // The constants have Fp in them already: what flows now is seen from there.
        PlasticState change;
        change.strain = state.strain;
        if (!verve::flow(edges * gradients(c), c[10], {e.yield, e.creep, e.hardening}, h_, change)) continue;
        const Rows product = state.inverse * change.inverse;
        std::copy_n(product.data(), 9, numbers);
        numbers[9] = change.strain;
        flowed[std::size_t(i)] = 1;
      }
    });
    any |= std::find(flowed.begin(), flowed.end(), 1) != flowed.end();
    at += std::size_t(e.count * plastic_numbers);
  }
  return any;
}

}  // namespace verve
