// Threads for the hot loops, without showing TBB to a host.
#pragma once

#include <memory>
#include <type_traits>

namespace verve {

/// Borrows a callable for the time of a call: unlike std::function it never allocates.
template <class Signature>
class FunctionRef;

template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, FunctionRef>>>
  FunctionRef(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, Args... args) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(object))(args...);
        }) {}
  Result operator()(Args... args) const { return call_(object_, args...); }

 private:
  void* object_;
  Result (*call_)(void*, Args...);
};

/// Calls body(begin, end) on pieces of [0, count) that have at most `grain` entries and begin at multiples of
/// it, so the pieces are the same at every number of threads.
void parallel_pieces(int count, int grain, FunctionRef<void(int begin, int end)> body);

/// The sum of body(begin, end) over such pieces, added up in a fixed order: the same bits every time.
double parallel_sum(int count, int grain, FunctionRef<double(int begin, int end)> body);

/// The greatest of body(begin, end) over such pieces, none of them negative; 0 of no pieces.
double parallel_max(int count, int grain, FunctionRef<double(int begin, int end)> body);

/// Calls body() so that its thread, while it waits inside for parallel loops, takes up no work from outside:
/// a host's task that would call into the same object again cannot start in the middle.
void isolated(FunctionRef<void()> body);

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
