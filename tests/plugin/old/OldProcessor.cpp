// old_processor MODULE FUNCTION: loads the module and calls its function (with null) on a processor that has
// neither AVX nor what came after it, as machines before 2011. Step by step: what asks the processor gets an
// old one's answers, and whatever instruction such a processor does not know ends it with status 132, as
// SIGILL would, and with a line that names the address. What the program had before it loads the module is
// left alone: the C library has made its choice by then.
#include <dlfcn.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

int load(const char* module, const char* name) {
  std::raise(SIGSTOP);  // from here on it is watched
  void* opened = dlopen(module, RTLD_NOW);
  if (!opened) return std::fprintf(stderr, "%s\n", dlerror()), 1;
  void* function = dlsym(opened, name);
  if (!function) return std::fprintf(stderr, "%s\n", dlerror()), 1;
  reinterpret_cast<void (*)(void*)>(function)(nullptr);
  return 0;
}

/// Whether the bytes begin with the prefixes of AVX and AVX-512, which are nothing else in 64-bit code.
bool is_new(const unsigned char* bytes) {
  int i = 0;
  while (i < 6 && std::strchr("\x66\xf2\xf3\x2e\x36\x3e\x26\x64\x65\x67", bytes[i]) && bytes[i]) ++i;
  return bytes[i] == 0xc4 || bytes[i] == 0xc5 || bytes[i] == 0x62;
}

bool asks(const unsigned char* bytes) {
  return bytes[0] == 0x0f && bytes[1] == 0xa2;
}

/// What the processor answered, without what is younger than SSE 4.2.
void forget(unsigned long long leaf, user_regs_struct& r) {
  constexpr unsigned long long fma = 1u << 12, movbe = 1u << 22, avx = 1u << 28, f16c = 1u << 29;
  if (leaf == 1) r.rcx &= ~(fma | movbe | avx | f16c);
  if (leaf == 7) r.rax = r.rbx = r.rcx = r.rdx = 0;
  if (leaf == 0x80000001) r.rcx &= ~(1ull << 5);
}

/// The code of a program that has stopped.
std::vector<std::array<unsigned long long, 2>> code_of(pid_t child) {
  std::vector<std::array<unsigned long long, 2>> found;
  std::ifstream maps("/proc/" + std::to_string(child) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long long from = 0, to = 0;
    char may_run = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx %*c%*c%c", &from, &to, &may_run) == 3 && may_run == 'x')
      found.push_back({from, to});
  }
  return found;
}

int watch(pid_t child) {
  int status = 0;
  // It stops when it is ready to begin, and again by itself.
  while (waitpid(child, &status, 0) == child && WIFSTOPPED(status) && WSTOPSIG(status) != SIGSTOP)
    if (ptrace(PTRACE_CONT, child, nullptr, nullptr)) return 2;
  if (!WIFSTOPPED(status)) return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
  const auto before = code_of(child);
  const auto is_known = [&](unsigned long long at) {
    for (const auto& [from, to] : before)
      if (at >= from && at < to) return true;
    return false;
  };
  if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr)) return 2;
  while (waitpid(child, &status, 0) == child && !WIFEXITED(status) && !WIFSIGNALED(status)) {
    const int stop = WSTOPSIG(status);
    user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, child, nullptr, &r)) return std::perror("old_processor"), 2;
    errno = 0;
    const long word = ptrace(PTRACE_PEEKTEXT, child, reinterpret_cast<void*>(r.rip), nullptr);
    unsigned char bytes[sizeof word] = {};
    if (!errno) std::memcpy(bytes, &word, sizeof word);
    if (is_new(bytes) && !is_known(r.rip)) {
      std::fprintf(stderr, "an instruction that the old processor does not know, at %llx\n", r.rip);
      ptrace(PTRACE_KILL, child, nullptr, nullptr);
      return 132;
    }
    const bool question = asks(bytes);
    const unsigned long long leaf = r.rax & 0xffffffff;
    const long signal = stop == SIGTRAP ? 0 : stop;
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, reinterpret_cast<void*>(signal))) return 2;
    if (!question) continue;
    waitpid(child, &status, 0);
    ptrace(PTRACE_GETREGS, child, nullptr, &r);
    forget(leaf, r);
    ptrace(PTRACE_SETREGS, child, nullptr, &r);
    ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--here") == 0) return load(argv[2], argv[3]);
  if (argc != 3) return std::fprintf(stderr, "old_processor MODULE FUNCTION\n"), 2;
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)) {
      std::printf("not run: this machine does not let one program watch another\n");
      std::exit(77);
    }
    execl("/proc/self/exe", "old_processor", "--here", argv[1], argv[2], nullptr);
    std::exit(2);
  }
  return watch(child);
}
