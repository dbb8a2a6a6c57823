#include "Machine.h"

namespace verve {

std::string refusal(const Instructions& has) {
  std::string missing;
  if (!has.avx2) missing += " AVX2";
  if (!has.fma) missing += " FMA";
  if (!has.bmi2) missing += " BMI2";
  if (missing.empty()) return {};
  return "Verve is not loaded: this processor does not have" + missing +
         ", which the plugin was compiled for; build it with -DVERVE_ARCH=x86-64";
}

std::string refusal() {
#ifdef VERVE_NEEDS_X86_64_V3
  __builtin_cpu_init();
  return refusal({__builtin_cpu_supports("avx2") != 0, __builtin_cpu_supports("fma") != 0,
                  __builtin_cpu_supports("bmi2") != 0});
#else
  return {};
#endif
}

}  // namespace verve
