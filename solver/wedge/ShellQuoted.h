// Names that go through a shell.
#pragma once

#include <string>

namespace verve {

/// One word of a POSIX shell, whatever the text holds: quoted unless it is plain.
inline std::string shell_quoted(const std::string& text) {
  const char* const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace verve
