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

using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// By what lengths at rest are multiplied at a time: a number for each element, or one for all of them.
class Lengths {
 public:
  Lengths(const ChangingElements& e, double time) : all_(e.rest_scale ? e.rest_scale(time) : 1.0) {
    if (e.rest_map) e.rest_map(time, each_);
  }
  double of(int i) const { return each_.empty() ? all_ : all_ * each_[std::size_t(i)]; }

 private:
  double all_;
  std::vector<double> each_;
};

/// The root mean square change of a map over that of its numbers.
double change_of(const ChangingElements::Map& map, double before, double after) {
  std::vector<double> one, two;
  map(before, one), map(after, two);
  double sum = 0.0, size = 0.0;
  for (std::size_t i = 0; i < one.size(); ++i)
    sum += std::pow(two[i] - one[i], 2), size += std::max(one[i] * one[i], two[i] * two[i]);
  return size > 0.0 ? std::sqrt(sum / size) : 0.0;
}

}  // namespace

RestTerm::RestTerm(std::vector<ChangingElements> elements, const Vector& rest)
    : elements_(std::move(elements)), shape_(rest) {
  for (const ChangingElements& e : elements_) {
    std::size_t p = 0;
    while (p < parts_.size() && parts_[p].energy != e.energy) ++p;
    if (p == parts_.size()) {
      Part part{e.energy,
                rest_kind(*e.energy),
                RestFromPoints(*e.energy, rest),
                std::vector<double>(std::size_t(e.energy->elements() * e.energy->constants())),
                {}};
      e.energy->get_constants(part.base.data());
      part.now = part.base;
      parts_.push_back(std::move(part));
    }
    part_.push_back(int(p));
    moves_ |= e.rest_scale || e.stiffness_scale || e.rest_map || e.stiffness_map || e.rest_shape;
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
      if (e.energy != part.energy || (!e.rest_scale && !e.rest_map)) continue;
      const Lengths length(e, time);
      for (int i = 0; i < e.count; ++i)
        scale_lengths(*e.energy, e.in_newtons, 1.0 / length.of(i), &all[std::size_t((e.first + i) * each)]);
    }
    for (int e = 0; e < part.energy->elements(); ++e)
      memory.insert(memory.end(), all.begin() + e * each, all.begin() + e * each + rest);
  }
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    const ChangingElements& e = elements_[k];
    const RestKind kind = part_of(k).kind;
    for (int i = 0; e.plastic && i < e.count; ++i)
      for (int n = 0; n < plastic_numbers(kind); ++n)
        memory.push_back(kind == RestKind::tets && n < 9 && n % 4 == 0);
  }
  return memory;
}

double RestTerm::change(const TermMemory& before, const TermMemory& after) const {
  if (before.size() != after.size() || before.empty()) return 0.0;
  double most = 0.0;
  std::size_t at = 2 + (before[1] != 0.0 ? rest_numbers() : 0);
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    const ChangingElements& e = elements_[k];
    for (const auto* course : {&e.rest_scale, &e.stiffness_scale})
      if (*course) most = std::max(most, std::abs(std::log((*course)(after[0]) / (*course)(before[0]))));
    for (const auto* map : {&e.rest_map, &e.stiffness_map})
      if (*map) most = std::max(most, change_of(*map, before[0], after[0]));
    if (e.rest_shape) most = std::max(most, change_of_shape(k, before[0], after[0]));
    double squared = 0.0;
    const int numbers = plastic_numbers(part_of(k).kind);
    for (int i = 0; e.plastic && i < e.count; ++i, at += std::size_t(numbers)) {
      const std::size_t last = at + std::size_t(numbers) - 1;
      squared += std::pow((after[last] - before[last]) * strain_of(k, i), 2);
    }
    most = std::max(most, std::sqrt(squared / std::max(1, e.count)));
  }
  return most;
}

/// The root mean square change of the edges at rest, as a share of their length.
double RestTerm::change_of_shape(std::size_t k, double before, double after) const {
  const ChangingElements& e = elements_[k];
  Vector one = shape_, two = shape_;
  e.rest_shape(before, one), e.rest_shape(after, two);
  double sum = 0.0, size = 0.0;
  for (int i = 0; i < e.count; ++i) {
    int p[Energy::max_stencil];
    e.energy->stencil(e.first + i, p);
    const Vec3 from = point(one, p[1]) - point(one, p[0]), to = point(two, p[1]) - point(two, p[0]);
    sum += (to - from).squaredNorm(), size += std::max(from.squaredNorm(), to.squaredNorm());
  }
  return size > 0.0 ? std::sqrt(sum / size) : 0.0;
}

/// What turns an element's sum of plastic strain into a strain: of bends a tenth of the angle over the
/// element, which the eye forgives as gladly.
double RestTerm::strain_of(std::size_t k, int i) const {
  constexpr double by_angle = 0.1;
  const ChangingElements& e = elements_[k];
  const Part& part = part_of(k);
  const double* c = &part.base[std::size_t((e.first + i) * e.energy->constants())];
  switch (part.kind) {
    case RestKind::tets:
      return 1.0;
    case RestKind::springs:
      return by_angle * 0.5 * e.arms[std::size_t(i)];
    case RestKind::corners:
      return by_angle * 0.5 * (c[1] + c[2]);
    default:
      return by_angle * std::sqrt(c[3]);
  }
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
    const Lengths length(e, time);
    const double stiffness = e.stiffness_scale ? e.stiffness_scale(time) : 1.0;
    std::vector<double> painted;
    if (e.stiffness_map) e.stiffness_map(time, painted);
    if (e.rest_shape) {
      e.rest_shape(time, shape_);
      part.from_points.set(shape_, e.first, e.count, part.now.data());
    }
    for (int i = 0; i < e.count; ++i) {
      double* c = &part.now[std::size_t((e.first + i) * each)];
      if (e.plastic) {
        add_plastic(part.kind, e.arms.empty() ? 0.0 : e.arms[std::size_t(i)], &memory[at], c);
        at += std::size_t(plastic_numbers(part.kind));
      }
      scale_lengths(*e.energy, e.in_newtons, length.of(i), c);
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
    const Part& part = part_of(k);
    any |= part.kind == RestKind::tets      ? flow_tets(e, part, x, &memory[at])
           : part.kind == RestKind::springs ? flow_joints(e, part, x, &memory[at])
           : part.kind == RestKind::corners ? flow_corners(e, part, x, &memory[at])
                                            : flow_bends(e, part, x, &memory[at]);
    at += std::size_t(e.count * plastic_numbers(part.kind));
  }
  return any;
}

bool RestTerm::flow_tets(const ChangingElements& e, const Part& part, const Vector& x,
                         double* numbers) const {
  std::vector<char> flowed(std::size_t(e.count), 0);
  parallel_pieces(e.count, 64, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const double* c = &part.now[std::size_t((e.first + i) * e.energy->constants())];
      int p[Energy::max_stencil];
      e.energy->stencil(e.first + i, p);
      Mat3 edges;
      for (int a = 0; a < 3; ++a) edges.col(a) = point(x, p[a + 1]) - point(x, p[0]);
      double* own = numbers + plastic_numbers(part.kind) * i;
      PlasticState state;
      state.inverse = Eigen::Map<const Rows>(own);
      state.strain = own[9];
      // The constants have Fp in them already: what flows now is seen from there.
      PlasticState change;
      change.strain = state.strain;
      if (!verve::flow(edges * Eigen::Map<const Rows>(c), c[10], e.law, h_, change)) continue;
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
  const Lengths length(e, set_time_);
  bool any = false;
  for (int i = 0; i < e.count; ++i) {
    const double* c = &part.now[std::size_t((e.first + i) * SheetRest::constants)];
    double elastic[3];
    for (int k = 0; k < 3; ++k) elastic[k] = present[std::size_t(3 * (e.first + i) + k)] - c[k];
    // What stays is remembered as it would be without growth, which flattens it.
    double* own = numbers + plastic_numbers(part.kind) * i;
    double change[4] = {0.0, 0.0, 0.0, own[3]};
    if (!flow_curvature(elastic, e.law, h_, change)) continue;
    for (int k = 0; k < 3; ++k) own[k] += length.of(i) * change[k];
    own[3] = change[3];
    any = true;
  }
  return any;
}

bool RestTerm::flow_joints(const ChangingElements& e, const Part& part, const Vector& x,
                           double* numbers) const {
  const Lengths length(e, set_time_);
  bool any = false;
  for (int i = 0; i < e.count; ++i) {
    const double arm = length.of(i) * e.arms[std::size_t(i)];
    if (arm == 0.0) continue;
    int p[Energy::max_stencil];
    e.energy->stencil(e.first + i, p);
    const double now = (point(x, p[1]) - point(x, p[0])).norm();
    const double rest = part.now[std::size_t((e.first + i) * e.energy->constants())];
    any |= flow_joint(angle_of_joint(now, arm), angle_of_joint(rest, arm), arm, e.law, h_,
                      numbers + plastic_numbers(part.kind) * i);
  }
  return any;
}

bool RestTerm::flow_corners(const ChangingElements& e, const Part& part, const Vector& x,
                            double* numbers) const {
  bool any = false;
  for (int i = 0; i < e.count; ++i) {
    int p[Energy::max_stencil];
    e.energy->stencil(e.first + i, p);
    const double* c = &part.now[std::size_t((e.first + i) * e.energy->constants())];
    any |= flow_joint(angle_of_corner(x, p, c + 1), c[0], c[1] + c[2], e.law, h_,
                      numbers + plastic_numbers(part.kind) * i);
  }
  return any;
}

}  // namespace verve
