// Holonomic constraints: conditions on positions that hold exactly.
#pragma once

#include <string>
#include <vector>

#include "base/Types.h"

namespace verve {

/// One constraint as the artist gives it. Lengths in metres.
struct Constraint {
  enum class Kind {
    distance,        ///< points[0] and points[1] stay `length` apart
    distance_place,  ///< points[0] stays `length` away from `place`
    plane,           ///< points[0] stays on the plane through `place` across `direction`
    line,            ///< points[0] stays on the line through `place` along `direction`
    weld,            ///< points[0] stays at the mean of the other points, weighted by `weights` (barycentric)
    rigid,           ///< all points keep their distances, as they are at the start
  };
  Kind kind = Kind::distance;
  std::vector<int> points;
  std::vector<double> weights;
  Vec3 place = Vec3::Zero(), direction = Vec3::UnitY();
  double length = 0.0;
};

/// All constraints of a system, compiled to scalar rows c(x) = 0 whose gradients have length 1 or so, so that
/// violations are metres and multipliers newtons. Every row is a polynomial of degree 2 at most: its gradient
/// in the middle of a chord is the average along it, and a force in that direction does no work when both
/// ends satisfy it.
class ConstraintSet {
 public:
  ConstraintSet() = default;
  /// Throws an Error for missing points, for shapes that make no sense and for constraints that do not hold
  /// at the start x (within 1e-6 of their size); so constraints that contradict each other are found.
  ConstraintSet(const std::vector<Constraint>& constraints, const Vector& x);

  struct Entry {
    int dof;
    double value;
  };
  /// The gradients of all rows, those of row r from start[r] to start[r + 1].
  struct Jacobian {
    std::vector<int> start;
    std::vector<Entry> entries;
    int rows() const { return start.empty() ? 0 : int(start.size()) - 1; }
  };

  bool empty() const { return rows_.empty(); }
  int rows() const { return int(rows_.size()); }
  /// The constraint that row r belongs to.
  int constraint_of(int r) const { return rows_[r].constraint; }
  /// The coordinate that row r holds at a value, alone and whatever the rest does, and its factor; the
  /// coordinate is -1 for all other rows. Planes and lines along the axes have such rows.
  Entry fixed(int r) const;
  void evaluate(const Vector& x, Vector& c) const;
  void jacobian(const Vector& x, Jacobian& out) const;
  /// Throws an Error when all points of a constraint are held (ascending list).
  void check_held(const std::vector<int>& held) const;

 private:
  /// x[i] - x[j], or x[i] - place where j is -1: differences, so that far from the origin nothing cancels.
  struct Difference {
    int i, j;
    double place = 0.0;
    double at(const Vector& x) const { return x[i] - (j < 0 ? place : x[j]); }
  };
  struct Linear {
    Difference a;
    double factor;
  };
  struct Product {
    Difference a, b;
    double factor;
  };
  struct Row {
    int constraint;
    double constant = 0.0;
    std::vector<Linear> linear;
    std::vector<Product> products;
  };

  void add_distance(int constraint, int i, int j, double length);
  void add_distance_place(int constraint, int i, const Vec3& place, double length);
  void add_plane(int constraint, int i, const Vec3& place, const Vec3& normal);
  void add_weld(int constraint, int i, const std::vector<int>& points, const std::vector<double>& weights);
  void add_rigid(int constraint, const std::vector<int>& points, const Vector& x);

  std::vector<Constraint> constraints_;
  std::vector<Row> rows_;
};

}  // namespace verve
