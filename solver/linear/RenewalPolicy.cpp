#include "linear/RenewalPolicy.h"

#include <algorithm>
#include <cmath>

namespace verve {
namespace {

double decades(double tolerance) {
  return std::clamp(-std::log10(tolerance), 0.1, 16.0);
}

}  // namespace

void RenewalPolicy::renewed(double price) {
  price_ = price;
  lost_ = 0;
  fresh_rate_ = -1;
  if (distrust_ > 0) --distrust_;
}

void RenewalPolicy::tried(bool served) {
  constexpr int most = 3;
  failures_ = served ? 0 : std::min(failures_ + 1, most);
  distrust_ = served ? 0 : 1 << failures_;  // the renewal that follows is the first of them
}

double RenewalPolicy::patience(double tolerance) const {
  return std::ceil(std::max(0.0, price_ - lost_) + std::max(0.0, fresh_rate_) * decades(tolerance)) + 1;
}

void RenewalPolicy::solved(int iterations, double tolerance) {
  if (fresh_rate_ < 0) fresh_rate_ = iterations / decades(tolerance);
  lost_ += std::max(0.0, iterations - fresh_rate_ * decades(tolerance));
}

}  // namespace verve
