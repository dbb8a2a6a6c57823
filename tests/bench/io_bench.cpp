// How fast caches are written and read: one core, a million points with positions and velocities, in memory.
// The aim is 300 MB of raw geometry a second each way, files within 5 % of what blosc alone makes of them,
// and less than 2 % of the stepping thread's time for caching what it makes.
#include <benchmark/benchmark.h>
#include <blosc.h>
#include <time.h>

#include <cmath>
#include <filesystem>

#include "bgeo/HoudiniFile.h"
#include "bgeo/ScFile.h"
#include "io/SequenceWriter.h"
#include "mesh/Shapes.h"
#include "simulation/Bodies.h"
#include "simulation/Export.h"

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

/// What blosc makes of some bytes in one go, with the settings of .sc files.
std::size_t blosc_alone(const std::string& raw) {
  std::string out(raw.size() + BLOSC_MAX_OVERHEAD, '\0');
  const int size =
      blosc_compress_ctx(5, BLOSC_SHUFFLE, 4, raw.size(), raw.data(), out.data(), out.size(), "lz4", 0, 1);
  return std::size_t(size);
}

void size_of_million(benchmark::State& state) {
  const Geometry g = block(kSide);
  const std::string raw = write_houdini(g, HoudiniEncoding::Binary);
  std::size_t ours = 0, alone = 0;
  for (auto _ : state) {
    ours = write_houdini(g, HoudiniEncoding::Compressed).size();
    alone = blosc_alone(raw);
  }
  state.counters["file_per_blosc_alone"] = double(ours) / double(alone);
}

/// Seconds that this thread has computed.
double thread_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// Two runs of the same scene, frame by frame in turn: one is cached, the other is not.
void cost_of_caching(benchmark::State& state) {
  Scene scene;
  const int n = int(state.range(0));
  scene.bodies = {
      make_soft_body("bar", make_box({3, 1, 1}, {3 * n, n, n}), TetModel::stvk, {1e4, 1e4}, 100.0)};
  scene.pins.resize(1);
  for (int i = 0; i < int(scene.bodies[0].rest.size()); ++i)
    if (scene.bodies[0].rest[std::size_t(i)][0] < -1.499) scene.pins[0].points.push_back(i);
  Simulation bare(scene), cached(scene);
  SequenceSettings settings;
  settings.folder = std::filesystem::temp_directory_path() / "verve_io_bench";
  double alone = 0.0, with = 0.0, handing_over = 0.0;
  {
    SequenceWriter writer(settings);
    for (auto _ : state) {
      double from = thread_seconds();
      bare.advance();
      alone += thread_seconds() - from;
      from = thread_seconds();
      const FrameReport report = cached.advance();
      const double stepped = thread_seconds();
      writer.write(report.frame, [&scene, x = cached.state().x, v = cached.state().v, report] {
        return export_frame(scene, x, v, report);
      });
      handing_over += thread_seconds() - stepped;
      with += thread_seconds() - from;
    }
    writer.finish();
  }
  std::filesystem::remove_all(settings.folder);
  state.counters["tets"] = double(scene.bodies[0].tets.size());
  state.counters["caching_percent"] = 100.0 * handing_over / alone;
  state.counters["cached_per_bare_percent"] = 100.0 * (with / alone - 1.0);
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

BENCHMARK(size_of_million)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(cost_of_caching)->Arg(4)->Arg(10)->Unit(benchmark::kMillisecond)->Iterations(20);
BENCHMARK_CAPTURE(write_million, bgeo_sc, HoudiniEncoding::Compressed)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_million, bgeo_sc, HoudiniEncoding::Compressed)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_million, bgeo, HoudiniEncoding::Binary)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_million, bgeo, HoudiniEncoding::Binary)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_million, geo, HoudiniEncoding::Text)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_million, geo, HoudiniEncoding::Text)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace verve

BENCHMARK_MAIN();
