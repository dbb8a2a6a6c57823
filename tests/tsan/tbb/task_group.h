// As global_control.h says: a thread for each task.
#pragma once

#include <thread>
#include <utility>
#include <vector>

#include "global_control.h"

namespace tbb {

class task_group {
 public:
  template <class Body>
  void run(Body body) {
    if (global_control::active_value(global_control::max_allowed_parallelism) < 2)
      body();
    else
      threads_.emplace_back(std::move(body));
  }
  void wait() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace tbb
