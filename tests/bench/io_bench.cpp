// How fast caches are written and read: one core, a million points with positions and velocities, in memory.
// The aim is 300 MB of raw geometry a second each way.
#include <benchmark/benchmark.h>

#include <cmath>

#include "io/HoudiniFile.h"
#include "io/ScFile.h"

namespace verve {
namespace {

/// A bent block of tets, as a solver would write it: positions and velocities that vary smoothly, no two
/// alike.
Geometry block(int n) {
  Geometry g;
  g.point_count = n * n * n;
  auto& p = g.add<float>(Owner::Point, "P", 3, "point");
  auto& v = g.add<float>(Owner::Point, "v", 3, "vector");
  for (int i = 0; i < g.point_count; ++i) {
    const double x = double(i % n) / n, y = double(i / n % n) / n, z = double(i / n / n) / n;
    const double values[] = {x + 0.1 * std::sin(3 * y), y + 0.2 * std::cos(5 * z), z + 0.1 * std::sin(x * y)};
    for (std::size_t k = 0; k < 3; ++k) {
      p[3 * std::size_t(i) + k] = float(values[k]);
      v[3 * std::size_t(i) + k] = float(std::sin(7 * values[(k + 1) % 3]) * values[k]);
    }
  }
  for (int i = 0; i + 1 + n + n * n < g.point_count; i += 2)
    g.add_primitive(PrimitiveType::Tetrahedron, std::array<int, 4>{i, i + 1, i + n, i + n * n});
  return g;
}

constexpr int kSide = 100;

void report(benchmark::State& state, std::size_t raw, std::size_t file) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * raw));
  state.counters["file_bytes_per_raw"] = static_cast<double>(file) / static_cast<double>(raw);
}

void write_million(benchmark::State& state, HoudiniEncoding encoding) {
  const Geometry g = block(kSide);
  const std::size_t raw = write_houdini(g, HoudiniEncoding::Binary).size();
  std::size_t size = 0;
  for (auto _ : state) size = write_houdini(g, encoding).size();
  report(state, raw, size);
}

void read_million(benchmark::State& state, HoudiniEncoding encoding) {
  const Geometry g = block(kSide);
  const std::size_t raw = write_houdini(g, HoudiniEncoding::Binary).size();
  const std::string bytes = write_houdini(g, encoding);
  for (auto _ : state) benchmark::DoNotOptimize(read_houdini(bytes, nullptr).point_count);
  report(state, raw, bytes.size());
}

BENCHMARK_CAPTURE(write_million, bgeo_sc, HoudiniEncoding::Compressed)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_million, bgeo_sc, HoudiniEncoding::Compressed)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_million, bgeo, HoudiniEncoding::Binary)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_million, bgeo, HoudiniEncoding::Binary)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_million, geo, HoudiniEncoding::Text)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_million, geo, HoudiniEncoding::Text)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace verve

BENCHMARK_MAIN();
