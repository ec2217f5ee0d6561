//===- Guard.cpp - ends all processes that a child started ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Guard.h"

#include "llvm/Support/FileSystem.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

/// Calls `visit` with the number of each process.
template <typename Visit> static void forEachProcess(Visit visit) {
  DIR *directory = ::opendir("/proc");
  if (!directory)
    return;
  while (const dirent *entry = ::readdir(directory))
    if (int pid = std::atoi(entry->d_name); pid > 0)
      visit(pid);
  ::closedir(directory);
}

/// The content of a small file in /proc; empty if it cannot be read.
static std::string readProcess(const std::string &process, const char *file) {
  std::string text;
  std::FILE *in = std::fopen(("/proc/" + process + "/" + file).c_str(), "re");
  if (!in)
    return text;
  char buffer[4096];
  while (size_t count = std::fread(buffer, 1, sizeof(buffer), in))
    text.append(buffer, count);
  std::fclose(in);
  return text;
}

/// Field `number` of /proc/<pid>/stat, numbered as in proc(5). Field 2, the
/// name of the program, may contain any character.
static std::string statField(const std::string &process, unsigned number) {
  std::string text = readProcess(process, "stat");
  StringRef rest = StringRef(text).rsplit(')').second.ltrim(' ');
  for (unsigned n = 3; n < number; ++n)
    rest = rest.split(' ').second;
  return rest.split(' ').first.str();
}

//===----------------------------------------------------------------------===//
// The guard
//===----------------------------------------------------------------------===//

/// Kills and collects children until none is left. Children of a child that
/// dies become ours, so this reaches every process below us.
static void endAllChildren() {
  const std::string self = std::to_string(::getpid());
  // A program that starts processes faster than they are found keeps this loop
  // busy. The owner of a guard that does not end kills the guard.
  while (true) {
    forEachProcess([&](int pid) {
      if (statField(std::to_string(pid), 4) == self)
        ::kill(pid, SIGKILL);
    });
    pid_t collected;
    do
      collected = ::waitpid(-1, nullptr, WNOHANG);
    while (collected > 0);
    if (collected < 0 && errno == ECHILD)
      return;
    struct timespec nap = {0, 1000000};
    ::nanosleep(&nap, nullptr);
  }
}

[[noreturn]] static void endLike(int status, const sigset_t &before) {
  if (WIFSIGNALED(status)) {
    struct rlimit none = {0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::signal(WTERMSIG(status), SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::raise(WTERMSIG(status));
  }
  ::_exit(WEXITSTATUS(status));
}

[[noreturn]] static void guard(pid_t child, const sigset_t &watched,
                               const sigset_t &before) {
  // If this process kept an end of a pipe open, the owner would not notice that
  // the child closed its own end.
  int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2; ++fd)
    ::dup2(nowhere, fd);
  int status = 0;
  while (true) {
    siginfo_t info = {};
    if (::waitid(P_PID, child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == child)
      break;
    int signal = ::sigwaitinfo(&watched, nullptr);
    if (signal > 0 && signal != SIGCHLD)
      break;
    // Collect adopted processes that have ended.
    while (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid > 0 && info.si_pid != child)
      ::waitpid(info.si_pid, nullptr, 0);
  }
  // The child is not collected yet, so its number and its group's number are
  // not reused.
  ::kill(-child, SIGKILL);
  ::kill(child, SIGKILL);
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  endAllChildren();
  endLike(status, before);
}

void pruner::becomeGuarded() {
  // Until here the signal was SIGKILL, which would have left the child running.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t watched, before;
  ::sigemptyset(&watched);
  for (int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE})
    ::sigaddset(&watched, signal);
  ::sigprocmask(SIG_BLOCK, &watched, &before);
  pid_t self = ::getpid(), child = ::fork();
  if (child < 0) {
    std::perror("cannot fork");
    ::_exit(1);
  }
  if (child > 0) {
    ::setpgid(child, child);
    guard(child, watched, before);
  }
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != self)
    ::_exit(127);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

void pruner::keepUntilOwnerDies(const std::string &directory) {
  ::prctl(PR_SET_PDEATHSIG, 0);
  for (int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE})
    ::signal(signal, SIG_IGN);
  ssize_t ignored = ::write(1, "ready\n", 6);
  (void)ignored;
  char buffer[256];
  ssize_t count;
  do
    count = ::read(0, buffer, sizeof(buffer));
  while (count > 0 || (count < 0 && errno == EINTR));
  // Workers that are also ending because the owner died may still be writing.
  for (int turn = 0; turn < 100; ++turn) {
    sys::fs::remove_directories(directory);
    if (!sys::fs::exists(directory))
      return;
    struct timespec nap = {0, 20000000};
    ::nanosleep(&nap, nullptr);
  }
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

/// The namespaces of process numbers and start times. The kernel adds the
/// offset of the *reader's* time namespace to start times.
static std::string namespaces() {
  std::string text;
  for (const char *kind : {"pid", "time"}) {
    char target[64] = "";
    std::string link = std::string("/proc/self/ns/") + kind;
    ssize_t size = ::readlink(link.c_str(), target, sizeof(target) - 1);
    text.append(target, std::max<ssize_t>(size, 0));
  }
  return text;
}

std::string pruner::ownerMark(unsigned instance) {
  std::string self = std::to_string(::getpid());
  return self + "." + statField(self, 22) + "." + namespaces() + "." +
         std::to_string(instance);
}

/// Whether this user started that process. The superuser can see and kill
/// processes of other users as well.
static bool isOwn(const std::string &process) {
  std::string status = readProcess(process, "status");
  StringRef rest = status;
  while (!rest.empty()) {
    auto [line, next] = rest.split('\n');
    rest = next;
    unsigned real;
    if (line.consume_front("Uid:"))
      return !line.ltrim().split('\t').first.getAsInteger(10, real) &&
             real == ::getuid();
  }
  return false;
}

/// Holds a process, so that its number is not reused.
class ProcessHandle {
public:
  explicit ProcessHandle(int pid)
      : pid(pid), fd(int(::syscall(SYS_pidfd_open, pid, 0))) {}
  ProcessHandle(const ProcessHandle &) = delete;
  ProcessHandle &operator=(const ProcessHandle &) = delete;
  ~ProcessHandle() {
    if (fd >= 0)
      ::close(fd);
  }
  bool kill() const {
    // Linux before 5.3 has no such handles.
    if (fd < 0)
      return ::kill(pid, SIGKILL) == 0;
    return ::syscall(SYS_pidfd_send_signal, fd, SIGKILL, nullptr, 0) == 0;
  }

private:
  int pid, fd;
};

template <typename Condemned> static unsigned killIf(Condemned condemned) {
  const std::string variable = (ownerVariable + "=").str();
  unsigned count = 0;
  forEachProcess([&](int pid) {
    if (pid == ::getpid())
      return;
    ProcessHandle process(pid);
    if (!isOwn(std::to_string(pid)))
      return;
    std::string environment = readProcess(std::to_string(pid), "environ");
    StringRef rest = environment;
    while (!rest.empty()) {
      auto [entry, next] = rest.split('\0');
      rest = next;
      if (entry.consume_front(variable) && condemned(entry)) {
        count += process.kill();
        return;
      }
    }
  });
  return count;
}

unsigned pruner::killMarked(StringRef mark) {
  return killIf([&](StringRef found) { return found == mark; });
}

unsigned pruner::killOrphans() {
  std::string here = namespaces();
  return killIf([&](StringRef mark) {
    auto [pid, rest] = mark.split('.');
    auto [start, where] = rest.split('.');
    unsigned number;
    return where.split('.').first == here && !pid.getAsInteger(10, number) &&
           !start.empty() && statField(pid.str(), 22) != start;
  });
}
