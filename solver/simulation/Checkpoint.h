// Saved states, from which a run goes on as if it had never stopped.
#pragma once

#include <cstdint>
#include <string>

#include "system/State.h"

namespace verve {

struct Checkpoint {
  std::uint64_t fingerprint = 0;  ///< of everything that shapes the result; a run only resumes its own
  int frame = 0;
  State state;
};

/// A checkpoint as bytes, for hosts that keep them elsewhere than in a file of their own.
std::string to_bytes(const Checkpoint& checkpoint);
/// Throws an Error, to be read after "the checkpoint ", when the bytes are damaged or of another version.
Checkpoint checkpoint_from(const std::string& bytes);

/// Writes under a temporary name and renames: the file is whole or not there.
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);
/// Throws an Error when the file is missing, damaged or of another version.
Checkpoint read_checkpoint(const std::string& path);

}  // namespace verve
