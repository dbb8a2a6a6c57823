// Watches how much memory a test program asks for at once.
#pragma once

#include <atomic>
#include <cstddef>

namespace verve {

/// The largest single allocation since it was last set to zero. Stays zero with the address sanitizer, which
/// needs the allocation functions for itself.
extern std::atomic<std::size_t> largest_allocation;

}  // namespace verve
