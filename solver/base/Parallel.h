// Threads for the hot loops, without showing TBB to a host.
#pragma once

#include <functional>
#include <memory>

namespace verve {

/// Calls body(begin, end) on pieces of [0, count) that have at most `grain` entries and begin at multiples of
/// it, so the pieces are the same at every number of threads.
void parallel_pieces(int count, int grain, const std::function<void(int begin, int end)>& body);

/// The sum of body(begin, end) over the same pieces, added up in their order: the same bits every time.
double parallel_sum(int count, int grain, const std::function<double(int begin, int end)>& body);

/// How many threads parallel loops may use at present.
int thread_count();

/// While one lives, parallel loops use at most `threads` threads (0: as many as the machine has).
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace verve
