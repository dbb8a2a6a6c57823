// Whether this machine's processor knows the instructions that the plugin is compiled to.
#pragma once

#include <string>

namespace verve {

struct Instructions {
  bool avx2, fma, bmi2;
};

/// Empty when a plugin for x86-64-v3 can run with these; otherwise a sentence for the artist.
std::string refusal(const Instructions& has);

/// The same of this machine and this build.
std::string refusal();

}  // namespace verve
