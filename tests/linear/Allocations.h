// Counts what operator new hands out in this test program.
#pragma once

namespace verve {

/// Calls of operator new so far, in all threads.
long allocations();

}  // namespace verve
