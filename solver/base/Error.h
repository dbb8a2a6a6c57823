// Errors carry a sentence that an artist understands; hosts show it, the command line prints it.
#pragma once

#include <stdexcept>
#include <string>

namespace verve {

/// The input is wrong: a file, a scene key, a mesh, an attribute. Nothing was written.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The input was fine but the simulation could not go on. What was computed so far is kept.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace verve
