// Stands in for TBB's header: loops here take no other work while they wait, so they are isolated as they
// are.
#pragma once

namespace tbb::this_task_arena {
template <class F>
auto isolate(F&& body) {
  return body();
}
}  // namespace tbb::this_task_arena
