#include "base/Parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>

namespace verve {

void parallel_pieces(int count, int grain, FunctionRef<void(int, int)> body) {
  if (count <= 0) return;
  const int pieces = (count + grain - 1) / grain;
  if (pieces == 1) return body(0, count);
  tbb::parallel_for(0, pieces, [&](int i) { body(i * grain, std::min(count, (i + 1) * grain)); });
}

namespace {

template <class Join>
double parallel_reduce(int count, int grain, FunctionRef<double(int, int)> body, const Join& join) {
  if (count <= 0) return 0.0;
  if (count <= grain) return body(0, count);
  // The parts stand on the stack, so that loops inside Newton do not allocate; long loops widen the grain.
  constexpr int most_pieces = 256;
  double parts[most_pieces];
  grain = std::max(grain, (count + most_pieces - 1) / most_pieces);
  const int pieces = (count + grain - 1) / grain;
  tbb::parallel_for(0, pieces, [&](int i) { parts[i] = body(i * grain, std::min(count, (i + 1) * grain)); });
  double joined = 0.0;
  for (int i = 0; i < pieces; ++i) joined = join(joined, parts[i]);
  return joined;
}

}  // namespace

double parallel_sum(int count, int grain, FunctionRef<double(int, int)> body) {
  return parallel_reduce(count, grain, body, [](double a, double b) { return a + b; });
}

double parallel_max(int count, int grain, FunctionRef<double(int, int)> body) {
  return parallel_reduce(count, grain, body, [](double a, double b) { return std::max(a, b); });
}

void isolated(FunctionRef<void()> body) {
  tbb::this_task_arena::isolate([&] { body(); });
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
