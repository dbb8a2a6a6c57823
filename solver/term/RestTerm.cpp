#include "term/RestTerm.h"

#include <algorithm>
#include <cmath>

#include "base/Parallel.h"
#include "energy/SheetRest.h"
#include "system/State.h"
#include "term/BendFlow.h"
#include "term/PlasticFlow.h"

namespace verve {
namespace {

constexpr int tet_constants = 12, spring_constants = 2;

/// What is remembered of a plastic element; the last of them is the sum of its plastic strain.
int plastic_numbers(const Energy& energy) {
  return energy.constants() == tet_constants ? 10 : energy.constants() == spring_constants ? 2 : 4;
}

using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// The gradients of the shape functions of a tet as rows: F = sum_a (x_a - x_0) g_a^T.
Eigen::Map<const Rows> gradients(const double* constants) {
  return Eigen::Map<const Rows>(constants);
}

void scale_lengths(const Energy& energy, double* c, double by) {
  if (by == 1.0) return;
  const double square = by * by;
  if (energy.constants() == tet_constants) {
    for (int j = 0; j < 9; ++j) c[j] /= by;
    c[9] *= by * square;
  } else if (energy.constants() == spring_constants) {
    c[0] *= by;
  } else {  // of a SheetRest: strains and curvatures stay seen from the shape it was made with
    for (int k = 0; k < 3; ++k)
      c[k] = energy.bends() ? c[k] / by : square * c[k] + (k < 2 ? 0.5 * (square - 1.0) : 0.0);
    c[3] /= square;
  }
}

/// Adds what has stayed to an element's rest shape.
void deform(const ChangingElements& e, int element, double* c, const double* numbers) {
  if (e.energy->constants() == tet_constants) {
    const Rows grown = gradients(c) * Eigen::Map<const Rows>(numbers);
    std::copy_n(grown.data(), 9, c);
  } else if (e.energy->constants() == spring_constants) {
    const double arm = e.arms[std::size_t(element)];
    if (arm > 0.0 && numbers[0] != 0.0) c[0] = length_of_joint(angle_of_joint(c[0], arm) + numbers[0], arm);
  } else {
    for (int k = 0; k < 3; ++k) c[k] += numbers[k];
  }
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
    moves_ |= e.rest_scale || e.stiffness_scale || e.stiffness_map;
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
        scale_lengths(*e.energy, &all[std::size_t((e.first + i) * each)], 1.0 / e.rest_scale(time));
    }
    for (int e = 0; e < part.energy->elements(); ++e)
      memory.insert(memory.end(), all.begin() + e * each, all.begin() + e * each + rest);
  }
  for (const ChangingElements& e : elements_) {
    const bool tet = e.energy->constants() == tet_constants;
    for (int i = 0; e.plastic && i < e.count; ++i)
      for (int k = 0; k < plastic_numbers(*e.energy); ++k) memory.push_back(tet && k < 9 && k % 4 == 0);
  }
  return memory;
}

double RestTerm::change(const TermMemory& before, const TermMemory& after) const {
  if (before.size() != after.size() || before.empty()) return 0.0;
  double most = 0.0;
  std::size_t at = 2 + (before[1] != 0.0 ? rest_numbers() : 0);
  for (const ChangingElements& e : elements_) {
    for (const auto* course : {&e.rest_scale, &e.stiffness_scale})
      if (*course) most = std::max(most, std::abs(std::log((*course)(after[0]) / (*course)(before[0]))));
    if (e.stiffness_map) {
      std::vector<double> one, two;
      e.stiffness_map(before[0], one), e.stiffness_map(after[0], two);
      double sum = 0.0, size = 0.0;
      for (std::size_t i = 0; i < one.size(); ++i)
        sum += std::pow(two[i] - one[i], 2), size += std::max(one[i] * one[i], two[i] * two[i]);
      if (size > 0.0) most = std::max(most, std::sqrt(sum / size));
    }
    double squared = 0.0;
    const int numbers = plastic_numbers(*e.energy);
    for (int i = 0; e.plastic && i < e.count; ++i, at += std::size_t(numbers)) {
      const std::size_t last = at + std::size_t(numbers) - 1;
      squared += std::pow((after[last] - before[last]) * strain_of(e, i), 2);
    }
    most = std::max(most, std::sqrt(squared / std::max(1, e.count)));
  }
  return most;
}

/// What turns an element's sum of plastic strain into a strain: of bends a tenth of the angle over the
/// element, which the eye forgives as gladly.
double RestTerm::strain_of(const ChangingElements& e, int i) const {
  constexpr double by_angle = 0.1;
  if (!e.arms.empty()) return by_angle * 0.5 * e.arms[std::size_t(i)];
  if (!e.energy->bends()) return 1.0;
  const auto part =
      std::find_if(parts_.begin(), parts_.end(), [&](const Part& p) { return p.energy == e.energy; });
  return by_angle * std::sqrt(part->base[std::size_t((e.first + i) * e.energy->constants() + 3)]);
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
    std::vector<double> painted;
    if (e.stiffness_map) e.stiffness_map(time, painted);
    for (int i = 0; i < e.count; ++i) {
      double* c = &part.now[std::size_t((e.first + i) * each)];
      if (e.plastic) {
        deform(e, i, c, &memory[at]);
        at += std::size_t(plastic_numbers(*e.energy));
      }
      scale_lengths(*e.energy, c, length);
      for (int j = e.energy->rest_constants(); j < each; ++j)
        c[j] *= painted.empty() ? stiffness : stiffness * painted[std::size_t(i)];
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
    const int each = e.energy->constants();
    any |= each == tet_constants      ? flow_tets(e, part, x, &memory[at])
           : each == spring_constants ? flow_joints(e, part, x, &memory[at])
                                      : flow_bends(e, part, x, &memory[at]);
    at += std::size_t(e.count * plastic_numbers(*e.energy));
  }
  return any;
}

bool RestTerm::flow_tets(const ChangingElements& e, const Part& part, const Vector& x,
                         double* numbers) const {
  std::vector<char> flowed(std::size_t(e.count), 0);
  parallel_pieces(e.count, 64, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const double* c = &part.now[std::size_t((e.first + i) * tet_constants)];
      int p[Energy::max_stencil];
      e.energy->stencil(e.first + i, p);
      Mat3 edges;
      for (int a = 0; a < 3; ++a) edges.col(a) = point(x, p[a + 1]) - point(x, p[0]);
      double* own = numbers + plastic_numbers(*e.energy) * i;
      PlasticState state;
      state.inverse = Eigen::Map<const Rows>(own);
      state.strain = own[9];
      // The constants have Fp in them already: what flows now is seen from there.
      PlasticState change;
      change.strain = state.strain;
      if (!verve::flow(edges * gradients(c), c[10], e.law, h_, change)) continue;
      const Rows product = state.inverse * change.inverse;
      std::copy_n(product.data(), 9, own);
      own[9] = change.strain;
      flowed[std::size_t(i)] = 1;
    }
  });
  return std::find(flowed.begin(), flowed.end(), 1) != flowed.end();
}

bool RestTerm::flow_bends(const ChangingElements& e, const Part& part, const Vector& x,
                          double* numbers) const {
  std::vector<double> present(3 * std::size_t(e.energy->elements()));
  dynamic_cast<const SheetRest&>(*e.energy).present(x, present.data());
  const double length = e.rest_scale ? e.rest_scale(set_time_) : 1.0;
  bool any = false;
  for (int i = 0; i < e.count; ++i) {
    const double* c = &part.now[std::size_t((e.first + i) * SheetRest::constants)];
    double elastic[3];
    for (int k = 0; k < 3; ++k) elastic[k] = present[std::size_t(3 * (e.first + i) + k)] - c[k];
    // What stays is remembered as it would be without growth, which flattens it.
    double* own = numbers + plastic_numbers(*e.energy) * i;
    double change[4] = {0.0, 0.0, 0.0, own[3]};
    if (!flow_curvature(elastic, e.law, h_, change)) continue;
    for (int k = 0; k < 3; ++k) own[k] += length * change[k];
    own[3] = change[3];
    any = true;
  }
  return any;
}

bool RestTerm::flow_joints(const ChangingElements& e, const Part& part, const Vector& x,
                           double* numbers) const {
  const double length = e.rest_scale ? e.rest_scale(set_time_) : 1.0;
  bool any = false;
  for (int i = 0; i < e.count; ++i) {
    const double arm = length * e.arms[std::size_t(i)];
    if (arm == 0.0) continue;
    int p[Energy::max_stencil];
    e.energy->stencil(e.first + i, p);
    const double now = (point(x, p[1]) - point(x, p[0])).norm();
    const double rest = part.now[std::size_t((e.first + i) * spring_constants)];
    any |= flow_joint(angle_of_joint(now, arm), angle_of_joint(rest, arm), arm, e.law, h_,
                      numbers + plastic_numbers(*e.energy) * i);
  }
  return any;
}

}  // namespace verve
