// What every stored energy offers, whatever its stencil.
#pragma once

#include <array>
#include <vector>

#include "base/Pack.h"
#include "linear/BlockMatrix.h"

namespace verve {

/// A point on a step's chord and the weight of the energy there.
struct Sample {
  double s;  ///< where: 0 is the step's start, 1 its end
  double w;  ///< weight, in s^2 (it carries the step's h^2)
};

/// The straight path of a step, from x0 to the unknown x, and the samples along it. Every implicit integrator
/// is a choice of samples: its energy term is sum_j w_j E(x0 + s_j (x - x0)).
struct Chord {
  Vector x0;  ///< empty for a lone state: there is no path then, only its end
  std::vector<Sample> samples;
  /// The rule's weight at s = 0, as a share of the average force (it is constant in x and sits in the
  /// predictor).
  double start_share = 0.0;
  /// True when the rule stands for the average of the force along the chord (AVF): energies that know it in
  /// closed form may use it in place of the samples.
  bool average = false;

  bool has_start() const { return x0.size() != 0; }
  /// sum_j w_j s_j: what a constant force is multiplied with.
  double force_weight() const {
    double sum = 0.0;
    for (const Sample& j : samples) sum += j.w * j.s;
    return sum;
  }
  /// The weight of the average force over the whole chord, the part at s = 0 included.
  double average_weight() const { return force_weight() / (1.0 - start_share); }
};

/// A sum of energies over stencils of points.
class Energy {
 public:
  /// The most points that an element has.
  static constexpr int max_stencil = 12;

  virtual ~Energy() = default;

  /// Appends the pairs of points whose motion this energy couples.
  virtual void append_pairs(std::vector<std::array<int, 2>>& pairs) const = 0;
  /// Called once the pattern with those pairs is known, before any add_hessian().
  virtual void attach(const BlockPattern& pattern) = 0;

  /// sum_j w_j E(x0 + s_j (x - x0)); adds its gradient in x to `gradient` unless that is null.
  virtual double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const = 0;
  /// Adds the Hessian of the same sum. An element whose Hessian is not positive definite together with its
  /// share of the mass is moved towards the nearest that is: not at all with `filter` 0, all the way with 1.
  virtual void add_hessian(const Chord& chord, const Vector& x, double filter,
                           BlockMatrix& hessian) const = 0;

  /// Chooses the force that closes the energy balance of this chord exactly, element by element; it then acts
  /// as a constant in evaluate() until the next call. True when it changed. Polynomial energies under an
  /// exact quadrature need none.
  virtual bool update_correction(const Chord& chord, const Vector& x);
  virtual void clear_correction() {}
  /// Whether it is a polynomial of at most the fourth degree in the positions, whose force Simpson's rule
  /// averages exactly.
  virtual bool quartic() const { return false; }

  /// What damping sees of this energy: the same material charged for the change of its strain from `from` to
  /// x, whatever the strain itself. Rigid motion is free of charge. Each element counts with the mean of
  /// `multiplier` over its points (1 when that is empty). Adds weight times the gradient in x to `gradient`
  /// unless that is null.
  virtual double strain_change(const Vector& from, const Vector& x, double weight, const Vector& multiplier,
                               Vector* gradient) const;
  /// Adds weight times its Hessian in x, positive semi-definite with `filter` 1. At x = from it is B^T C B,
  /// the stiffness of the material without the geometric part.
  virtual void add_strain_change_hessian(const Vector& from, const Vector& x, double weight,
                                         const Vector& multiplier, double filter, BlockMatrix& hessian) const;

  /// Its elements one by one, for schemes that give each a clock of its own: how many there are (0: it is not
  /// made of elements), the points of one (their count is returned), and the gradients of any four of them at
  /// the points' positions `x`, an entry per point of the stencil.
  virtual int elements() const { return 0; }
  virtual int stencil(int element, int (&points)[max_stencil]) const;
  virtual void element_gradients(const int (&elements)[Pack::size], const Pack3 (&x)[max_stencil],
                                 Pack3 (&gradient)[max_stencil]) const;

  /// Whether it resists bending, which damping tells from stretch.
  virtual bool bends() const { return false; }

  /// The numbers that its elements are made of, so that rest shapes and stiffness may change during a run:
  /// how many an element has (0: they stay as they are), and those of all elements, one element after the
  /// other. Tets: the gradients of the shape functions of points 1 to 3 (1/m), the volume (m^3), mu and
  /// lambda (Pa); springs: length (m), stiffness; corners of ropes: see make_rope_bending(); sheets: see
  /// SheetRest. The first rest_constants() of them are the rest shape's.
  virtual int constants() const { return 0; }
  virtual int rest_constants() const { return 0; }
  virtual void get_constants(double* out) const { (void)out; }
  virtual void set_constants(const double* from) { (void)from; }

  /// How many elements are turned inside out at x.
  virtual int inverted(const Vector& x) const;
  /// Whether the material is made not to: a step that turns elements over is better made in shorter ones.
  virtual bool resists_inversion() const { return false; }

  /// E(x), and its gradient added to `gradient` unless that is null: the chord that ends at x with all its
  /// weight.
  double at(const Vector& x, Vector* gradient = nullptr) const;
};

}  // namespace verve
