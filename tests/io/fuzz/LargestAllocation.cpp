#include "io/fuzz/LargestAllocation.h"

#include <cstdlib>
#include <new>

namespace verve {

std::atomic<std::size_t> largest_allocation{0};

}  // namespace verve

#ifndef __SANITIZE_ADDRESS__

void* operator new(std::size_t size) {
  std::size_t seen = verve::largest_allocation.load();
  while (size > seen && !verve::largest_allocation.compare_exchange_weak(seen, size)) {
  }
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

#endif
