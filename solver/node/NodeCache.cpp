#include "node/NodeCache.h"

#include <limits>

namespace verve {

void NodeCache::clear() {
  inputs_.clear();
  states_.clear();
  bytes_ = 0;
}

void NodeCache::forget_from(int frame) {
  inputs_.erase(inputs_.lower_bound(frame), inputs_.end());
  for (auto at = states_.lower_bound(frame); at != states_.end(); at = states_.erase(at))
    bytes_ -= at->second.bytes();
}

void NodeCache::put(int frame, std::uint64_t inputs, NodeState state, double limit) {
  inputs_[frame] = inputs;
  const auto there = states_.find(frame);
  if (there != states_.end()) {
    bytes_ -= there->second.bytes();
    states_.erase(there);
  }
  bytes_ += state.bytes();
  states_.emplace(frame, std::move(state));
  while (double(bytes_) > limit && states_.size() > 3) drop_one(frame);
}

const NodeState* NodeCache::find(int frame) const {
  const auto at = states_.find(frame);
  return at == states_.end() ? nullptr : &at->second;
}

void NodeCache::drop_one(int keep) {
  auto best = states_.end();
  int smallest = std::numeric_limits<int>::max();
  for (auto at = std::next(states_.begin()); std::next(at) != states_.end(); ++at) {
    const int gap = std::next(at)->first - std::prev(at)->first;
    if (gap < smallest && at->first != keep) smallest = gap, best = at;
  }
  bytes_ -= best->second.bytes();
  states_.erase(best);
}

}  // namespace verve
