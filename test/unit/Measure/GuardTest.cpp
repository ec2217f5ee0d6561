//===- GuardTest.cpp - processes left after a kill ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Guard.h"
#include "../../../lib/Measure/RunDirectory.h"
#include "pruner/Measure/Protocol.h"
#include "pruner/Support/Subprocess.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

static bool isGone(int pid) {
  for (int turn = 0; turn < 300; ++turn) {
    auto stat = MemoryBuffer::getFileAsStream("/proc/" + Twine(pid) + "/stat");
    if (!stat || (*stat)->getBuffer().rsplit(')').second.starts_with(" Z"))
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

/// A shell command under a guard.
static Expected<Subprocess> guarded(StringRef script) {
  SubprocessOptions options;
  options.program = PRUNER_WORKER;
  options.guarded = true;
  options.arguments = {workerGuardedCommandFlag.str(), script.str()};
  return Subprocess::start(options);
}

/// Reads process numbers from the next lines.
static std::vector<int> readPids(Subprocess &child, int count) {
  std::vector<int> pids;
  for (int i = 0; i < count; ++i) {
    auto read = child.readLine(Subprocess::in(10));
    int pid = 0;
    EXPECT_FALSE(StringRef(read.line).getAsInteger(10, pid)) << read.line;
    pids.push_back(pid);
  }
  return pids;
}

/// A child, a process that left the group, and a daemon that ignores signals.
/// Prints the numbers of all three, and continues after the last one.
static const char *family =
    "export said=$(mktemp -u) && mkfifo $said; "
    "echo $$; setsid sleep 1000 & echo $!; "
    "(setsid sh -c 'trap \"\" TERM HUP INT; echo $$; echo > $said; "
    "while :; do sleep 1000; done' &) ; read line < $said; rm $said; ";

TEST(Guard, EndsLikeItsChild) {
  for (auto [script, code, signal] :
       {std::tuple("exit 3", 3, 0), std::tuple("exit 0", 0, 0),
        std::tuple("kill -SEGV $$", 0, SIGSEGV),
        std::tuple("kill -KILL $$", 0, SIGKILL)}) {
    auto child = guarded(script);
    ASSERT_TRUE(bool(child));
    auto status = child->wait(Subprocess::in(10));
    ASSERT_TRUE(status) << script;
    EXPECT_EQ(status->code, code) << script;
    EXPECT_EQ(status->signal, signal) << script;
  }
}

TEST(Guard, NothingOutlivesTheChild) {
  auto child = guarded(std::string(family) + "exit 5");
  ASSERT_TRUE(bool(child));
  std::vector<int> pids = readPids(*child, 3);
  auto status = child->wait(Subprocess::in(10));
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, 5);
  // Daemons hold the pipes, so their end is seen only after they are gone.
  EXPECT_EQ(child->readLine(Subprocess::in(10)).status,
            Subprocess::IoStatus::Eof);
  for (int pid : pids)
    EXPECT_TRUE(isGone(pid));
}

TEST(Guard, NothingOutlivesAKill) {
  // Kill the child, the guard, or both at once.
  for (int victim = 0; victim < 4; ++victim) {
    auto child = guarded(std::string(family) + "sleep 1000");
    ASSERT_TRUE(bool(child));
    std::vector<int> pids = readPids(*child, 3);
    auto start = Subprocess::Clock::now();
    if (victim == 1)
      ::kill(pids[0], SIGKILL);
    else if (victim == 2)
      ::kill(child->pid(), SIGKILL);
    else if (victim == 3)
      ::kill(child->pid(), SIGSTOP);
    if (victim == 1 || victim == 2)
      EXPECT_TRUE(child->wait(Subprocess::in(10))) << victim;
    else
      child->killAndWait();
    for (int pid : pids)
      EXPECT_TRUE(isGone(pid)) << victim;
    EXPECT_LT(Subprocess::Clock::now() - start, std::chrono::seconds(8));
  }
}

/// Runs `body` in a separate process, which is killed after it has printed its
/// `count` numbers. Returns the numbers.
template <typename Body>
static std::vector<int> inKilledOwner(int count, int signal, Body body) {
  int ends[2];
  if (::pipe(ends))
    return {};
  pid_t owner = ::fork();
  if (owner == 0) {
    body([&](int number) {
      ssize_t ignored = ::write(ends[1], &number, sizeof(number));
      (void)ignored;
    });
    while (true)
      ::sleep(1000);
  }
  ::close(ends[1]);
  std::vector<int> numbers(count);
  for (int &number : numbers)
    EXPECT_EQ(::read(ends[0], &number, sizeof(number)),
              ssize_t(sizeof(number)));
  ::kill(owner, signal);
  ::waitpid(owner, nullptr, 0);
  ::close(ends[0]);
  return numbers;
}

TEST(Guard, NothingOutlivesTheOwner) {
  for (int signal : {SIGKILL, SIGHUP, SIGTERM}) {
    std::vector<int> pids = inKilledOwner(4, signal, [](auto say) {
      // Never destroyed, because the owner is killed first.
      auto *child =
          new Expected<Subprocess>(guarded(std::string(family) + "sleep 1000"));
      if (!*child)
        ::_exit(1);
      for (int pid : readPids(**child, 3))
        say(pid);
      say((*child)->pid());
    });
    for (int pid : pids)
      EXPECT_TRUE(isGone(pid)) << signalName(signal);
  }
}

TEST(Guard, TheNextRunEndsAbandonedProcesses) {
  // The guards are killed together with the owner.
  std::vector<int> pids = inKilledOwner(4, SIGKILL, [](auto say) {
    auto *child =
        new Expected<Subprocess>(guarded(std::string(family) + "sleep 1000"));
    if (!*child)
      ::_exit(1);
    std::vector<int> pids = readPids(**child, 3);
    ::kill((*child)->pid(), SIGSTOP);
    for (int pid : pids)
      say(pid);
    say((*child)->pid());
  });
  ::kill(pids[3], SIGKILL);
  EXPECT_FALSE(::kill(pids[2], 0)) << "nothing is left to be ended";
  killOrphans();
  for (int pid : pids)
    EXPECT_TRUE(isGone(pid));
}

TEST(Guard, ProcessesOfLivingOwnersAreSpared) {
  auto child = guarded(std::string(family) + "sleep 1000");
  ASSERT_TRUE(bool(child));
  std::vector<int> pids = readPids(*child, 3);
  killOrphans();
  for (int pid : pids)
    EXPECT_EQ(::kill(pid, 0), 0);
}

TEST(Subprocess, DeadlinesHoldAgainstFloods) {
  // Each fills a pipe that is emptied, and never writes the expected line.
  for (const char *script :
       {"while :; do echo flood >&2; done", "while :; do printf flood; done",
        "exec 0<&-; while :; do echo flood >&2; done"}) {
    auto child = guarded(script);
    ASSERT_TRUE(bool(child));
    auto start = Subprocess::Clock::now();
    child->writeLine(std::string(1 << 22, 'x'), Subprocess::in(0.3));
    EXPECT_EQ(child->readLine(Subprocess::in(0.5)).status,
              Subprocess::IoStatus::Timeout);
    child->killAndWait();
    EXPECT_LT(Subprocess::Clock::now() - start, std::chrono::seconds(4))
        << script;
  }
}

static bool exists(const std::string &path) { return sys::fs::exists(path); }

TEST(RunDirectory, GoesWithItsOwner) {
  std::string path;
  {
    auto directory = RunDirectory::create(PRUNER_WORKER, 1);
    ASSERT_TRUE(directory);
    path = directory->path();
    EXPECT_TRUE(exists(directory->references()));
    // Nothing is removed while the owner lives.
    RunDirectory::removeAbandoned();
    EXPECT_TRUE(exists(path));
  }
  EXPECT_FALSE(exists(path));
}

TEST(RunDirectory, GoesWithAKilledOwner) {
  SmallString<128> place;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("pruner-guard-test", place));
  setenv("TMPDIR", place.c_str(), 1);
  auto listed = [&] {
    std::error_code code;
    return sys::fs::directory_iterator(place, code) !=
           sys::fs::directory_iterator();
  };
  inKilledOwner(1, SIGKILL, [](auto say) {
    auto *directory = RunDirectory::create(PRUNER_WORKER, 1).release();
    if (!directory)
      ::_exit(1);
    std::error_code code;
    raw_fd_ostream(directory->references() + "/file", code) << "x";
    say(1);
  });
  for (int turn = 0; turn < 300 && listed(); ++turn)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(listed());
  // A directory whose keeper was killed as well.
  SmallString<128> old(place);
  sys::path::append(old, "pruner-run-0123456789ab");
  ASSERT_EQ(::mkdir(old.c_str(), 0700), 0);
  EXPECT_EQ(RunDirectory::removeAbandoned(), 1u);
  EXPECT_FALSE(listed());
  unsetenv("TMPDIR");
  sys::fs::remove_directories(place);
}

/// Starts a process that carries `mark`, of user `user`.
static pid_t startMarked(const std::string &mark, uid_t user) {
  std::string entry = (ownerVariable + "=" + mark).str();
  pid_t pid = ::fork();
  if (pid == 0) {
    if (user != ::getuid() && ::setuid(user))
      ::_exit(1);
    const char *argv[] = {"sleep", "1000", nullptr};
    const char *envp[] = {entry.c_str(), nullptr};
    ::execve("/bin/sleep", const_cast<char **>(argv),
             const_cast<char **>(envp));
    ::_exit(1);
  }
  // Before it executes the program, it has the environment of this process.
  for (int turn = 0; turn < 1000; ++turn) {
    auto environment =
        MemoryBuffer::getFileAsStream("/proc/" + Twine(pid) + "/environ");
    if (environment && (*environment)->getBuffer().starts_with(entry))
      break;
    ::usleep(5000);
  }
  return pid;
}

static bool runs(pid_t pid) {
  // A killed process ends soon.
  ::usleep(50000);
  return ::waitpid(pid, nullptr, WNOHANG) == 0;
}

static void end(pid_t pid) {
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

/// This process's mark with another start time, like that of a dead owner.
static std::string deadMark() {
  const std::string live = ownerMark(77);
  auto [pid, rest] = StringRef(live).split('.');
  return (pid + ".1." + rest.split('.').second).str();
}

// The superuser can see and kill processes of other users.
TEST(Guard, ProcessesOfOthersAreSpared) {
  pid_t own = startMarked(deadMark(), ::getuid());
  EXPECT_GE(killOrphans(), 1u);
  EXPECT_FALSE(runs(own));
  if (::getuid() != 0)
    GTEST_SKIP() << "only the superuser can start processes of other users";
  pid_t foreign = startMarked(deadMark(), 65534);
  EXPECT_EQ(killOrphans(), 0u);
  EXPECT_EQ(killMarked(deadMark()), 0u);
  EXPECT_TRUE(runs(foreign));
  end(foreign);
}

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

// Start times differ between time namespaces.
TEST(Guard, OwnersInOtherTimeNamespacesAreIgnored) {
  pid_t live = startMarked(ownerMark(78), ::getuid());
  std::fflush(nullptr);
  pid_t elsewhere = ::fork();
  if (elsewhere == 0) {
    if (::unshare(CLONE_NEWTIME))
      ::_exit(100);
    int fd = ::open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC);
    const char offset[] = "boottime 100000 0\n";
    if (fd < 0 || ::write(fd, offset, sizeof(offset) - 1) < 0)
      ::_exit(100);
    ::close(fd);
    pid_t inside = ::fork();
    if (inside == 0)
      ::_exit(int(killOrphans()));
    int status = 0;
    ::waitpid(inside, &status, 0);
    ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 101);
  }
  int status = 0;
  ::waitpid(elsewhere, &status, 0);
  bool spared = runs(live);
  end(live);
  if (WEXITSTATUS(status) == 100)
    GTEST_SKIP() << "no right to make a time namespace";
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(spared);
}
