// The simplest preconditioner: the inverse of each point's own 3x3 block.
#pragma once

#include "linear/Pcg.h"

namespace verve {

class BlockJacobi : public Preconditioner {
 public:
  void analyze(const BlockPattern& pattern);
  /// The first point whose diagonal block is not positive definite, or -1.
  int factorize(const BlockMatrix& a);
  void apply(const Vector& r, Vector& z) override;

 private:
  std::vector<double> inverse_;  // a row-major 3x3 block a point
};

}  // namespace verve
