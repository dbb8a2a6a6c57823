#include "base/Parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace verve {

void parallel_pieces(int count, int grain, const std::function<void(int, int)>& body) {
  if (count <= 0) return;
  const int pieces = (count + grain - 1) / grain;
  if (pieces == 1) return body(0, count);
  tbb::parallel_for(0, pieces, [&](int i) { body(i * grain, std::min(count, (i + 1) * grain)); });
}

double parallel_sum(int count, int grain, const std::function<double(int, int)>& body) {
  if (count <= 0) return 0.0;
  const int pieces = (count + grain - 1) / grain;
  if (pieces == 1) return body(0, count);
  // A thread keeps its buffer between calls, so that loops inside Newton do not allocate. The caller's copy
  // is taken out while in use, as body may itself sum in parallel.
  static thread_local std::vector<double> kept;
  std::vector<double> parts = std::move(kept);
  parts.assign(pieces, 0.0);
  tbb::parallel_for(0, pieces, [&](int i) { parts[i] = body(i * grain, std::min(count, (i + 1) * grain)); });
  double sum = 0.0;
  for (double part : parts) sum += part;
  kept = std::move(parts);
  return sum;
}

int thread_count() {
  return int(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

struct ThreadLimit::Impl {
  tbb::global_control control;
};

ThreadLimit::ThreadLimit(int threads) {
  const int limit = threads > 0 ? threads : int(std::max(1u, std::thread::hardware_concurrency()));
  impl_.reset(new Impl{{tbb::global_control::max_allowed_parallelism, std::size_t(limit)}});
}

ThreadLimit::~ThreadLimit() = default;

}  // namespace verve
