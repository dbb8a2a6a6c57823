#include "system/System.h"

#include "contact/Contacts.h"

namespace verve {

void System::finish() {
  weight.resize(mass.size());
  for (int i = 0; i < points(); ++i) point(weight, i) = mass[3 * Eigen::Index(i)] * gravity;
  std::vector<std::array<int, 2>> pairs;
  for (const auto& energy : elastic) energy->append_pairs(pairs);
  for (const auto& term : terms) term->append_pairs(pairs);
  if (contacts) contacts->append_pairs(pairs);
  pattern = std::make_shared<const BlockPattern>(make_block_pattern(points(), pairs));
  for (const auto& energy : elastic) energy->attach(*pattern);
  for (const auto& term : terms) term->attach(*pattern);
  if (contacts) contacts->attach(*pattern);
}

double System::evaluate(const Chord& chord, const Vector& x, Vector* gradient) const {
  double sum = targets.evaluate(chord, x, gradient);
  for (const auto& energy : elastic) sum += energy->evaluate(chord, x, gradient);
  for (const auto& term : terms) sum += term->evaluate(chord, x, gradient);
  if (contacts) sum += contacts->evaluate(chord, x, gradient);
  return sum;
}

void System::add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const {
  targets.add_hessian(chord, x, filter, hessian);
  for (const auto& energy : elastic) energy->add_hessian(chord, x, filter, hessian);
  for (const auto& term : terms) term->add_hessian(chord, x, filter, hessian);
  if (contacts) contacts->add_hessian(chord, x, filter, hessian);
}

}  // namespace verve
