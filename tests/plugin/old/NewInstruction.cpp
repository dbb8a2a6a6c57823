// Compiled to AVX2: what old_processor must not let pass.
extern "C" __attribute__((visibility("default"))) void add_up(const void*) {
  volatile double values[4] = {1, 2, 3, 4};
  volatile double sum = 0;
  for (int i = 0; i < 4; ++i) sum = sum + values[i];
}
