// As global_control.h says: loops whose indices two threads or more take one by one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <vector>

#include "global_control.h"

namespace tbb {
namespace standin {

/// Threads that wait for a loop. One loop at a time is shared out; those within it run where they are called.
class Pool {
 public:
  static Pool& instance() {
    static Pool pool;
    return pool;
  }

  /// False when another loop has the threads.
  bool run(const std::function<void()>& work) {
    if (busy_.exchange(true)) return false;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      work_ = &work;
      ++round_;
      running_ = int(threads_.size());
    }
    wake_.notify_all();
    work();
    {
      std::unique_lock<std::mutex> lock(mutex_);
      done_.wait(lock, [this] { return running_ == 0; });
    }
    busy_ = false;
    return true;
  }

 private:
  Pool() {
    const unsigned helpers = std::max(1u, std::thread::hardware_concurrency() - 1);
    for (unsigned i = 0; i < helpers; ++i) threads_.emplace_back([this] { serve(); });
  }
  ~Pool() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      leaving_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void serve() {
    long seen = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return leaving_ || round_ != seen; });
      if (leaving_) return;
      seen = round_;
      const std::function<void()>& work = *work_;
      lock.unlock();
      work();
      lock.lock();
      if (--running_ == 0) done_.notify_one();
    }
  }

  std::atomic<bool> busy_{false};
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void()>* work_ = nullptr;
  long round_ = 0;
  int running_ = 0;
  bool leaving_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace standin

template <class Body>
void parallel_for(int begin, int end, const Body& body) {
  std::atomic<int> next{begin};
  const auto work = [&] {
    for (int i = next++; i < end; i = next++) body(i);
  };
  const bool alone = global_control::active_value(global_control::max_allowed_parallelism) < 2;
  if (alone || !standin::Pool::instance().run(std::ref(work))) work();
}

}  // namespace tbb
