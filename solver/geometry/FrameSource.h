// The frames of a cached sequence, read one at a time, whatever the files behind them.
#pragma once

#include <cstddef>

#include "geometry/Geometry.h"

namespace verve {

class FrameSource {
 public:
  virtual ~FrameSource() = default;

  virtual std::size_t count() const = 0;
  /// The number of the i-th frame, in increasing order.
  virtual int frame(std::size_t i) const = 0;
  virtual Geometry read(std::size_t i) const = 0;
  virtual double fps() const = 0;
};

}  // namespace verve
