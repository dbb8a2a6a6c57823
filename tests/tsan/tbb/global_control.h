// The part of TBB that the solver uses, on std::thread: the distribution's libtbb is not instrumented, so
// that the thread sanitizer cannot see which task waits for which and takes every hand-over for a race.
// Builds of the tsan preset find these headers in place of TBB's; all else that they check is the shipped
// code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <set>
#include <thread>

namespace tbb {

class global_control {
 public:
  enum parameter { max_allowed_parallelism };

  global_control(parameter, std::size_t limit) : limit_(limit) {
    const std::lock_guard<std::mutex> lock(mutex());
    limits().insert(limit_);
  }
  ~global_control() {
    const std::lock_guard<std::mutex> lock(mutex());
    limits().erase(limits().find(limit_));
  }
  global_control(const global_control&) = delete;
  global_control& operator=(const global_control&) = delete;

  static std::size_t active_value(parameter) {
    const std::lock_guard<std::mutex> lock(mutex());
    return limits().empty() ? std::max(2u, std::thread::hardware_concurrency()) : *limits().begin();
  }

 private:
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }
  static std::multiset<std::size_t>& limits() {
    static std::multiset<std::size_t> l;
    return l;
  }

  std::size_t limit_;
};

}  // namespace tbb
