// Real programs that open what we write. Tests that need one are skipped, and say so, where it is not
// installed; under tests/run.sh --clients, which installs them all, they fail instead.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace verve::test {

/// Whether a shell's command ends well.
inline bool runs(const std::string& command) {
  return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

inline bool clients_required() {
  const char* wanted = std::getenv("VERVE_CLIENTS");
  return wanted && std::string(wanted) == "yes";
}

/// The folder in which `npm ci` was run for tests/clients/package.json; empty if nobody says.
inline std::string npm_folder() {
  const char* folder = std::getenv("VERVE_NPM");
  return folder ? folder : "";
}

}  // namespace verve::test

#define VERVE_NEEDS_CLIENT(present, what)                             \
  do {                                                                \
    if (!(present)) {                                                 \
      if (::verve::test::clients_required()) FAIL() << what;          \
      GTEST_SKIP() << what << "; tests/run.sh --clients installs it"; \
    }                                                                 \
  } while (false)
