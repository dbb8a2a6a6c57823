// Soft targets: springs from points to places that may move.
#pragma once

#include "constraint/Drivers.h"
#include "energy/Energy.h"

namespace verve {

/// E = sum k/2 |x_i - a_i|^2, where the anchor a_i goes straight from its place at the step's start to that
/// at its end; and the dissipation of c against the motion relative to the anchor.
class TargetEnergy final : public Energy {
 public:
  /// Sets the targets of the step of h seconds: where they are at its start and at its end. A target without
  /// a place at the start appears where it ends.
  void begin_step(const std::vector<Target>& start, const std::vector<Target>& end, double h);
  bool empty() const { return targets_.empty(); }

  void append_pairs(std::vector<std::array<int, 2>>&) const override {}
  void attach(const BlockPattern&) override {}
  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override;
  void add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const override;

  /// Adds the gradient, and gives the energy, with the anchors at the step's start; and the energy at its
  /// end.
  void add_start_gradient(const Vector& x, Vector& gradient) const;
  double start_energy(const Vector& x) const;
  double end_energy(const Vector& x) const;
  /// What moving the anchors brings in over the chord (J), and what the dampers take out.
  double work(const Chord& chord, const Vector& x) const;
  double dissipated(const Chord& chord, const Vector& x) const;

 private:
  struct Spring {
    int point;
    double stiffness, damping;
    Vec3 start, end;
  };
  std::vector<Spring> targets_;
  double h_ = 1.0;
};

}  // namespace verve
