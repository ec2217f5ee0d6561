//===- SpawnChild.cpp - fork and exec under limits ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// posix_spawn cannot set a parent death signal, limits or an affinity, and
// fork() copies the page tables of a process that may hold a neural network.
// This file therefore uses vfork. The child makes only system calls, on data
// that the parent prepared.

#include "SpawnChild.h"

#include "pruner/Support/FindProgram.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Errno.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

extern char **environ;

namespace {

/// A descriptor that is closed at the end of its scope.
struct ScopedFd {
  int fd = -1;
  ScopedFd() = default;
  ScopedFd(const ScopedFd &) = delete;
  ScopedFd &operator=(const ScopedFd &) = delete;
  ~ScopedFd() { reset(); }
  void reset() {
    if (fd >= 0)
      ::close(fd);
    fd = -1;
  }
  int release() { return std::exchange(fd, -1); }
};

struct Pipe {
  ScopedFd read, write;
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) < 0)
      return false;
    read.fd = ends[0];
    write.fd = ends[1];
    return true;
  }
};

/// Everything that the child needs, prepared by the parent. The child shares
/// the memory of the parent until it executes a program, so it reports errors
/// through `failed*`.
struct ChildPlan {
  const char *path;
  char *const *argv;
  char *const *envp;
  int in, out, err;
  pid_t parent;
  uint64_t addressSpaceBytes, cpuSeconds;
  bool hasAffinity;
  cpu_set_t affinity;
  const char *volatile failedStep = nullptr;
  volatile int failedErrno = 0;
};

} // namespace

/// Sets a limit, or keeps a lower limit of this process, because only the
/// superuser could raise it.
static int setLimit(int resource, rlim_t value) {
  auto kind = static_cast<__rlimit_resource_t>(resource);
  struct rlimit limit;
  if (::getrlimit(kind, &limit) < 0)
    return -1;
  limit.rlim_max = std::min(limit.rlim_max, value);
  limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
  return ::setrlimit(kind, &limit);
}

[[noreturn]] static void failChild(ChildPlan &plan, const char *step) {
  plan.failedErrno = errno;
  plan.failedStep = step;
  ::_exit(127);
}

/// Runs in the child. Makes only async-signal-safe calls; all signals are
/// blocked.
[[noreturn]] static void runChild(ChildPlan &plan) {
  // Signal handlers of the parent must not run here, and the program would
  // inherit an ignored SIGPIPE.
  struct sigaction defaults = {};
  defaults.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal)
    ::sigaction(signal, &defaults, nullptr); // Fails for SIGKILL and SIGSTOP.
  if (::setpgid(0, 0) < 0)
    failChild(plan, "make a process group");
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
    failChild(plan, "ask for a signal at the parent's death");
  if (::getppid() != plan.parent) // It died before the call of prctl.
    ::_exit(127);
  // The ends of the pipes are above 2 (see spawnChild), so no dup2 overwrites
  // another's source, and each clears close-on-exec.
  if (::dup2(plan.in, 0) < 0 || ::dup2(plan.out, 1) < 0 ||
      ::dup2(plan.err, 2) < 0)
    failChild(plan, "connect the pipes");
#ifdef SYS_close_range
  // Best effort: closes descriptors that were opened without close-on-exec.
  ::syscall(SYS_close_range, 3u, ~0u, 4u /*CLOSE_RANGE_CLOEXEC*/);
#endif
  if (plan.hasAffinity &&
      ::sched_setaffinity(0, sizeof(plan.affinity), &plan.affinity) < 0)
    failChild(plan, "set the CPU affinity");
  if (setLimit(RLIMIT_CORE, 0) < 0)
    failChild(plan, "forbid core files");
  if (plan.cpuSeconds && setLimit(RLIMIT_CPU, plan.cpuSeconds) < 0)
    failChild(plan, "limit the CPU time");
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (plan.addressSpaceBytes && setLimit(RLIMIT_AS, plan.addressSpaceBytes) < 0)
    failChild(plan, "limit the address space");
  ::execve(plan.path, plan.argv, plan.envp);
  failChild(plan, "execute it");
}

/// Not inlined, so that no variable of the caller lives across vfork.
__attribute__((noinline)) static pid_t forkChild(ChildPlan &plan) {
  pid_t pid = ::vfork();
  if (pid == 0)
    runChild(plan);
  return pid;
}

/// Moves a descriptor above 2, because 0 to 2 are the child's stdio.
static bool liftAboveStdio(ScopedFd &end) {
  if (end.fd > 2)
    return true;
  int lifted = ::fcntl(end.fd, F_DUPFD_CLOEXEC, 3);
  if (lifted < 0)
    return false;
  end.reset();
  end.fd = lifted;
  return true;
}

/// `environ` with the options' variables set, as "NAME=value" strings.
static std::vector<std::string>
makeEnvironment(const SubprocessOptions &options) {
  std::vector<std::string> variables;
  for (char **entry = environ; entry && *entry; ++entry) {
    StringRef name = StringRef(*entry).split('=').first;
    if (none_of(options.environment,
                [&](const auto &set) { return set.first == name; }))
      variables.push_back(*entry);
  }
  for (const auto &[name, value] : options.environment)
    variables.push_back(name + "=" + value);
  return variables;
}

static std::vector<char *> makePointers(std::vector<std::string> &texts) {
  std::vector<char *> pointers;
  for (std::string &text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

Expected<SpawnedChild> pruner::spawnChild(const SubprocessOptions &options) {
  auto fail = [&](const Twine &what, int error) {
    return createStringError("cannot start '" + options.program + "': cannot " +
                             what + ": " + sys::StrError(error));
  };
  std::string path = options.program;
  if (!StringRef(path).contains('/')) {
    std::optional<std::string> found = findProgram(path);
    if (!found)
      return createStringError("cannot start '" + path +
                               "': no such program in PATH");
    path = *found;
  }
  std::vector<std::string> arguments = {options.program};
  append_range(arguments, options.arguments);
  std::vector<std::string> variables = makeEnvironment(options);
  std::vector<char *> argv = makePointers(arguments);
  std::vector<char *> envp = makePointers(variables);

  Pipe in, out, err;
  bool opened = in.open() && out.open();
  if (options.stderrFile.empty())
    opened = opened && err.open();
  if (!opened)
    return fail("make pipes", errno);
  if (!options.stderrFile.empty()) {
    err.write.fd = ::open(options.stderrFile.c_str(),
                          O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (err.write.fd < 0)
      return fail("write '" + options.stderrFile + "'", errno);
  }
  // Those of the child, which dup2 connects, and ours: where a stream of this
  // process is closed, text that is printed to it must not reach the child.
  for (ScopedFd *end :
       {&in.read, &out.write, &err.write, &in.write, &out.read, &err.read})
    if (end->fd >= 0 && !liftAboveStdio(*end))
      return fail("make pipes", errno);
  for (int end : {in.write.fd, out.read.fd, err.read.fd})
    if (end >= 0)
      ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | O_NONBLOCK);

  ChildPlan plan;
  plan.path = path.c_str();
  plan.argv = argv.data();
  plan.envp = envp.data();
  plan.in = in.read.fd;
  plan.out = out.write.fd;
  plan.err = err.write.fd;
  plan.parent = ::getpid();
  // AddressSanitizer reserves terabytes of address space.
  plan.addressSpaceBytes =
      LLVM_ADDRESS_SANITIZER_BUILD ? 0 : options.addressSpaceBytes;
  plan.cpuSeconds = options.cpuSeconds;
  plan.hasAffinity = !options.cpus.empty();
  CPU_ZERO(&plan.affinity);
  for (unsigned cpu : options.cpus) {
    if (cpu >= CPU_SETSIZE)
      return createStringError("cannot start '" + options.program + "': CPU " +
                               Twine(cpu) + " is above the limit of " +
                               Twine(CPU_SETSIZE));
    CPU_SET(cpu, &plan.affinity);
  }

  // The child shares our memory, so no handler may run in it.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t pid = forkChild(plan);
  int forkErrno = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0)
    return fail("fork", forkErrno);
  if (plan.failedStep) {
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR)
      ;
    return fail(plan.failedStep, plan.failedErrno);
  }
  return SpawnedChild{pid, in.write.release(), out.read.release(),
                      err.read.release()};
}
