#include "energy/Energy.h"

namespace verve {

bool Energy::update_correction(const Chord&, const Vector&) {
  return false;
}

double Energy::strain_change(const Vector&, const Vector&, double, const Vector&, Vector*) const {
  return 0.0;
}

void Energy::add_strain_change_hessian(const Vector&, const Vector&, double, const Vector&, double,
                                       BlockMatrix&) const {}

int Energy::stencil(int, int (&)[max_stencil]) const {
  return 0;
}

void Energy::element_gradients(const int (&)[Pack::size], const Pack3 (&)[max_stencil],
                               Pack3 (&)[max_stencil]) const {}

int Energy::inverted(const Vector&) const {
  return 0;
}

double Energy::at(const Vector& x, Vector* gradient) const {
  static const Chord end{{}, {{1.0, 1.0}}};
  return evaluate(end, x, gradient);
}

}  // namespace verve
