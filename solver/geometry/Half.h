// A 16-bit float (IEEE binary16), as Houdini's fpreal16 attributes store it.
#pragma once

#include <cstdint>
#include <cstring>

namespace verve {

/// Holds the bits, so that every value (also each NaN) survives reading and writing unchanged.
struct Half {
  std::uint16_t bits = 0;

  Half() = default;
  /// Rounds to the nearest half, ties to even; too large becomes infinity.
  explicit Half(float value) {
    std::uint32_t b;
    std::memcpy(&b, &value, 4);
    const std::uint32_t sign = (b >> 16) & 0x8000, magnitude = b & 0x7fffffff;
    std::uint32_t h;
    if (magnitude > 0x7f800000) {
      h = 0x7e00 | ((magnitude >> 13) & 0x3ff);
    } else if (magnitude >= 0x477ff000) {
      h = 0x7c00;
    } else if (magnitude >= 0x38800000) {
      h = (magnitude - 0x38000000 + 0xfff + ((magnitude >> 13) & 1)) >> 13;
    } else if (magnitude > 0x33000000) {
      const std::uint32_t shift = 126 - (magnitude >> 23), m = (magnitude & 0x7fffff) | 0x800000;
      const std::uint32_t half_way = (1u << (shift - 1)) - 1;
      h = (m + half_way + ((m >> shift) & 1)) >> shift;
    } else {
      h = 0;
    }
    bits = static_cast<std::uint16_t>(sign | h);
  }

  explicit operator float() const {
    const std::uint32_t sign = std::uint32_t(bits & 0x8000) << 16, exponent = (bits >> 10) & 31;
    std::uint32_t mantissa = bits & 0x3ff, b;
    if (exponent == 31) {
      b = 0x7f800000 | (mantissa << 13);
    } else if (exponent != 0) {
      b = ((exponent + 112) << 23) | (mantissa << 13);
    } else if (mantissa == 0) {
      b = 0;
    } else {
      std::uint32_t e = 113;
      while (!(mantissa & 0x400)) mantissa <<= 1, --e;
      b = (e << 23) | ((mantissa & 0x3ff) << 13);
    }
    b |= sign;
    float value;
    std::memcpy(&value, &b, 4);
    return value;
  }
  explicit operator double() const { return static_cast<float>(*this); }

  friend bool operator==(Half a, Half b) { return a.bits == b.bits; }
};

}  // namespace verve
