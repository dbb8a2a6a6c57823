// The `verve` program.
#include <csignal>
#include <cstdio>
#include <new>

#include "base/Error.h"
#include "cli/CommandLine.h"
#include "cli/Help.h"

namespace verve {
namespace {

int run(const CommandLine& line) {
  const std::string& command = line.command;
  if (command == "run") return run_command(line.run);
  if (command == "view") return view_command(line.view);
  if (command == "wedge") return wedge_command(line.wedge);
  if (command == "info") return info_command(line.file);
  if (command == "convert") return convert_command(line.in, line.out);
  if (command == "mesh") return mesh_command(line.mesh);
  if (command == "params") return params_command(line.form);
  if (command == "completion") return completion_command(line.shell, line.commands);
  return help_command(line.topic, line.commands);
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
#if defined(__GNUC__) && defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    std::fprintf(stderr,
                 "verve: this build needs a processor with AVX2; build with -DVERVE_ARCH= for older ones\n");
    return 1;
  }
#endif
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow any further is an error that can be told
  const verve::CommandLine line(argc, argv);
  if (line.command.empty()) return line.exit;
  try {
    return verve::run(line);
  } catch (const verve::Error& error) {
    std::fprintf(stderr, "verve: %s\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "verve: out of memory\n");
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "verve: %s\n", error.what());
    return 1;
  }
}
