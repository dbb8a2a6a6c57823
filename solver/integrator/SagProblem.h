// What the searches for rest shapes share: the bodies where they stand, their load, and what may be changed.
#pragma once

#include <array>

#include "energy/RestKind.h"
#include "integrator/StillDrivers.h"
#include "system/Boundary.h"

namespace verve {

/// The elements of one energy that may be given another rest shape.
struct SagPart {
  Energy* energy;
  RestKind kind;
  std::vector<int> elements;
  std::vector<std::array<int, 4>> points;  ///< the first of each
  std::vector<double> constants;           ///< of all elements

  void set() { energy->set_constants(constants.data()); }
  double* of(int element) { return &constants[std::size_t(element * energy->constants())]; }
};

class SagProblem {
 public:
  static constexpr double tolerance = 1e-11;  ///< of the forces, as a share of the load

  SagProblem(System& system, const Drivers& drivers, const std::vector<char>& pieces, double h, State state);

  bool has(std::initializer_list<RestKind> kinds) const;
  /// Gives tets the rest positions `rest`. False when one would be turned over; nothing changes then.
  bool shape_tets(const Vector& rest);
  /// Gives springs, corners and sheets the rest shape that they have.
  void relax(SagPart& part) const;
  /// The length that the k-th spring of a part has, or the angle of a corner.
  double present(SagPart& part, std::size_t k) const;
  /// Takes all stress out of what may be changed; what is left to bear then is the load.
  void find_load();
  /// The gradient of everything at x, less what is given to share out.
  Vector gradient() const;
  /// Whether each point is free to move and belongs to parts of these kinds.
  std::vector<char> points_of(std::initializer_list<RestKind> kinds) const;
  /// The gradient with nothing on points that are not among these.
  Vector gradient_of(const std::vector<char>& points) const;
  /// Adds a share of the mean of the free points' diagonal to it.
  void add_to_diagonal(BlockMatrix& matrix, double share) const;
  /// A matrix of the system's pattern, with nothing in it.
  BlockMatrix matrix() const;
  /// The forces at the first four points of each of a part's elements.
  void forces(const SagPart& part, std::vector<std::array<Vec3, 4>>& out) const;

  System& system;
  State state;
  Boundary boundary;
  Chord chord;
  std::vector<int> row;  ///< of each free point; -1: held
  int rows = 0;
  std::vector<SagPart> parts;
  double size = 0.0;  ///< the largest force of the load

 private:
  void collect(const std::vector<char>& pieces);

  StillDrivers drivers_;
};

/// Newton's method in the rest positions of tets, under a load that grows; the share of it that they came to
/// bear.
double give_tets_rest(SagProblem& problem);
/// Least squares: of springs that only pull (and corners of ropes), or if need be of all, the least change
/// that balances the load.
void give_springs_rest(SagProblem& problem);
/// The same of the strains and curvatures of sheets at rest, the least in terms of energy.
void give_sheets_rest(SagProblem& problem);

}  // namespace verve
