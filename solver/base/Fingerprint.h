// A 64-bit sum that tells two inputs apart: for stale caches and damaged files, not for secrets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace verve {

/// FNV-1a.
class Fingerprint {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ bytes[i]) * 1099511628211u;
  }
  void add(const std::string& text) { add(text.data(), text.size() + 1); }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace verve
