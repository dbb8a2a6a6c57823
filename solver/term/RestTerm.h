// Elements whose rest shape or stiffness changes during a run: plastic flow, growth, courses over time.
#pragma once

#include <functional>
#include <memory>

#include "system/Term.h"
#include "term/PlasticFlow.h"
#include "term/RestConstants.h"

namespace verve {

/// A stretch of an energy's elements that change alike: those of a body.
struct ChangingElements {
  Energy* energy = nullptr;  ///< must have constants()
  int first = 0, count = 0;
  /// Multiply lengths at rest, and the stiffness, as functions of time; null: they stay.
  std::function<double(double time)> rest_scale, stiffness_scale;
  /// What multiplies those of each of them besides, at a time; null: nothing does.
  using Map = std::function<void(double time, std::vector<double>& by_element)>;
  Map rest_map, stiffness_map;
  /// Puts their points where they are without stress at a time, before lengths are multiplied; null: they
  /// stay.
  std::function<void(double time, Vector& x)> rest_shape;
  bool in_newtons = false;  ///< springs whose material is told in N, so that it stays as they grow
  bool plastic = false;     ///< of tets, of a sheet's bending, of corners, and of springs with an arm
  PlasticLaw law = {};      ///< Pa of von Mises' stress; of bending 1/m of curvature
  std::vector<double>
      arms;  ///< m, of each spring: that of the joint that it bends (see BendFlow.h); 0: of none
};

/// Does no work during steps: rest shapes go to where they are in the middle of a step when it begins and to
/// where they are at its end when it ends, which keeps steps of second order, and what that does to the
/// energy is booked as work. Plastic flow comes at the step's end, with the exact solution of its own
/// equation, so that its rate is the same in steps of any size; what it takes from the energy is booked as
/// dissipated.
///
/// A tet's deformation gradient is F = Fe Fp; the material sees Fe alone. Flow is coaxial with Hencky's
/// strain of Fe and keeps the volume, det Fp = 1 (as in Simo 1992). Von Mises' stress is taken as sqrt(6) mu
/// times the norm of that strain's deviator, which is what every material here comes to where strains are
/// small.
///
/// Of bending what flows is the part of the curvature, or of a rope's angle over its length, beyond the yield
/// (see BendFlow.h): the rest shape goes straight towards the present one, so that its energy falls.
///
/// Memory: the time it stands for, whether rest shapes are kept in it, those (of all elements of each
/// energy), and of each plastic tet Fp^-1, of each bent triangle or joint what has stayed; then the sum of
/// its plastic strain.
class RestTerm final : public Term {
 public:
  /// `rest` is the shape without stress that the energies were made with.
  RestTerm(std::vector<ChangingElements> elements, const Vector& rest);

  /// Of a run that begins at `time`. With `keep`, rest shapes as they are now are part of it.
  TermMemory first_memory(double time, bool keep) const;

  /// By what share rest shapes and stiffness changed from one memory to the next: of a body that flows its
  /// elements' root mean square of plastic strain.
  double change(const TermMemory& before, const TermMemory& after) const;

  const char* name() const override { return "rest"; }
  TermBooks begin(const Drivers& drivers, const State& state, double h, TermMemory& memory) override;
  double evaluate(const Chord&, const Vector&, Vector*) const override { return 0.0; }
  void add_hessian(const Chord&, const Vector&, double, BlockMatrix&) const override {}
  void add_explicit_gradient(const Vector&, const Vector&, Vector&) const override {}
  TermBooks end(const Chord& chord, const Vector& x, TermMemory& memory) override;
  void recall(const TermMemory& memory) override;
  void stand_still(bool still) override { still_ = still; }
  bool from_outside() const override { return false; }
  bool reversible() const override { return !flows_; }

 private:
  struct Part {
    Energy* energy;
    RestKind kind;
    RestFromPoints from_points;
    std::vector<double> base, now;  ///< constants of all its elements: without any change, and as they are
  };
  double energy(const Vector& x) const;
  using Term::energy;
  const Part& part_of(std::size_t k) const { return parts_[std::size_t(part_[k])]; }
  std::size_t rest_numbers() const;
  double strain_of(std::size_t k, int i) const;
  double change_of_shape(std::size_t k, double before, double after) const;
  void set(const TermMemory& memory, double time);
  bool flow(const Vector& x, TermMemory& memory) const;
  bool flow_tets(const ChangingElements& e, const Part& part, const Vector& x, double* numbers) const;
  bool flow_bends(const ChangingElements& e, const Part& part, const Vector& x, double* numbers) const;
  bool flow_joints(const ChangingElements& e, const Part& part, const Vector& x, double* numbers) const;
  bool flow_corners(const ChangingElements& e, const Part& part, const Vector& x, double* numbers) const;

  std::vector<ChangingElements> elements_;
  std::vector<int> part_;  ///< of each of them
  std::vector<Part> parts_;
  Vector shape_;  ///< scratch: where points are without stress
  bool moves_ = false, flows_ = false;
  TermMemory set_;  ///< what the energies have been set to, at
  double set_time_ = 0.0;
  double begun_ = 0.0, h_ = 0.0;
  bool still_ = false;
};

}  // namespace verve
