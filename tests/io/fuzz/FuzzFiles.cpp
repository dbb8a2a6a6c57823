// Damaged files of every format: an Error or a result, but never a crash, a hang or a huge allocation.
//
//   fuzz_files [COUNT [SEED [FORMAT]]]     COUNT damaged files of each format, or of one
//
// Stops with the signal at the first file that does worse than an Error, and says where that file is.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>

#include <sys/time.h>
#include <unistd.h>

#include "TemporaryFolder.h"
#include "io/fuzz/Formats.h"
#include "io/fuzz/LargestAllocation.h"

// More than the largest mesh that a scene may ask for takes at once; the sanitizer ends the program at once.
extern "C" const char* __asan_default_options() {
  return "max_allocation_size_mb=512:allocator_may_return_null=0:hard_rss_limit_mb=4096";
}

namespace verve {
namespace {

constexpr std::size_t largest_allowed = std::size_t(512) << 20;
constexpr int longest_seconds = 120;  // of the processor, for one file; sanitizers take several times as long

char about[1024];  // the file at hand, for the message of a handler that may not allocate

void tell_and_end(int signal) {
  (void)!::write(2, about, std::strlen(about));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Ends the program after that many seconds of the processor, or many more of the clock; 0: not at all.
void limit_time(int seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = seconds;
  ::setitimer(ITIMER_PROF, &timer, nullptr);
  ::alarm(unsigned(10 * seconds));
}

std::string damaged(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  for (std::size_t n = 1 + below(4); n > 0 && !bytes.empty(); --n) {
    const std::size_t at = below(bytes.size());
    switch (below(7)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(random());
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.erase(at, 1 + below(8));
        break;
      case 4:
        bytes.insert(at, bytes.substr(below(bytes.size()), below(64)));
        break;
      case 5:
        bytes.replace(at, std::min<std::size_t>(4, bytes.size() - at), "\xff\xff\xff\x7f");
        break;
      default: {
        // A number in the text becomes another one.
        const std::size_t digit = bytes.find_first_of("0123456789", at);
        constexpr const char* numbers[] = {"-1", "2147483647", "4294967296", "99999999999999999999",
                                           "0",  "1e9",        "nan"};
        if (digit != std::string::npos) bytes.replace(digit, 1, numbers[below(7)]);
      }
    }
  }
  return bytes;
}

void write_file(const FuzzedFormat& format, const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << (format.seal ? format.seal(bytes) : bytes);
}

/// False when the files taught nothing: whole ones are bad already, or damaged ones are all good.
bool fuzz(const FuzzedFormat& format, int count, unsigned seed) {
  const TemporaryFolder folder;
  const std::vector<std::string> seeds = format.seeds(folder.path());
  const std::string path = folder / format.file;
  std::string refused;
  for (const std::string& whole : seeds) {
    write_file(format, path, whole);
    if (refused.empty()) refused = error_of([&] { format.read(path); });
  }
  if (!refused.empty() && !format.some_refused) {
    std::fprintf(stderr, "%s: a whole file is refused: %s\n", format.name.c_str(), refused.c_str());
    return false;
  }
  std::mt19937 random(seed);
  int errors = 0;
  largest_allocation = 0;
  for (int i = 0; i < count; ++i) {
    const std::string& whole = seeds[random() % seeds.size()];
    write_file(format, path, format.damage ? format.damage(whole, random) : damaged(whole, random));
    std::snprintf(about, sizeof about, "\n%s, seed %u, file %d (%s): worse than an Error\n",
                  format.name.c_str(), seed, i, path.c_str());
    limit_time(longest_seconds);
    try {
      format.read(path);
    } catch (const Error&) {
      ++errors;
    }
    limit_time(0);
    if (largest_allocation > largest_allowed) {
      std::fprintf(stderr, "asked for %zu bytes at once", largest_allocation.load());
      tell_and_end(SIGABRT);
    }
  }
  std::printf("%-24s %d files: %d errors, %d results; largest allocation %zu kB\n", format.name.c_str(),
              count, errors, count - errors, largest_allocation.load() >> 10);
  std::fflush(stdout);
  return errors > 0;
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
  const unsigned seed = argc > 2 ? unsigned(std::atoi(argv[2])) : 1;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGPROF})
    std::signal(signal, verve::tell_and_end);
  bool good = true, found = false;
  for (const verve::FuzzedFormat& format : verve::fuzzed_formats()) {
    if (argc > 3 && format.name != argv[3]) continue;
    found = true;
    good = verve::fuzz(format, count, seed) && good;
  }
  if (!found) std::fprintf(stderr, "there is no format '%s'\n", argv[3]);
  return good && found ? 0 : 1;
}
