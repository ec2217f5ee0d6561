//===- SubprocessTest.cpp - regular and irregular children ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Subprocess.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <csignal>
#include <sched.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

using Io = Subprocess::IoStatus;

static SubprocessOptions shell(StringRef script) {
  SubprocessOptions options;
  options.program = "/bin/sh";
  options.arguments = {"-c", script.str()};
  return options;
}

static Subprocess startOrDie(const SubprocessOptions &options) {
  Expected<Subprocess> child = Subprocess::start(options);
  if (!child) {
    ADD_FAILURE() << toString(child.takeError());
    abort();
  }
  return std::move(*child);
}

static std::string startError(const SubprocessOptions &options) {
  Expected<Subprocess> child = Subprocess::start(options);
  return child ? "started" : toString(child.takeError());
}

/// Returns true once no process `pid` runs (a zombie does not run).
static bool isGone(int pid) {
  for (int turn = 0; turn < 500; ++turn) {
    auto stat = MemoryBuffer::getFileAsStream("/proc/" + Twine(pid) + "/stat");
    if (!stat || (*stat)->getBuffer().rsplit(')').second.starts_with(" Z"))
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

static double seconds(Subprocess::Clock::time_point since) {
  return std::chrono::duration<double>(Subprocess::Clock::now() - since)
      .count();
}

TEST(Subprocess, Echoes) {
  Subprocess child = startOrDie(shell("cat"));
  for (int i = 0; i < 1000; ++i) {
    std::string line = "line " + std::to_string(i);
    ASSERT_EQ(child.writeLine(line, Subprocess::in(10)), Io::Ok);
    Subprocess::ReadResult result = child.readLine(Subprocess::in(10));
    ASSERT_EQ(result.status, Io::Ok);
    ASSERT_EQ(result.line, line);
  }
  child.closeInput();
  EXPECT_EQ(child.readLine(Subprocess::in(10)).status, Io::Eof);
  std::optional<ExitStatus> status = child.wait(Subprocess::in(10));
  ASSERT_TRUE(status);
  EXPECT_TRUE(status->success());
  EXPECT_EQ(status->text(), "exit code 0");
  EXPECT_EQ(child.wait(Subprocess::in(0))->text(), "exit code 0");
}

// Far more than pipes hold, in both directions at once; neither side may block.
TEST(Subprocess, LargeLinesDoNotDeadlock) {
  Subprocess child = startOrDie(shell("cat"));
  std::string line(3 << 20, 'x');
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(child.writeLine(line, Subprocess::in(30)), Io::Ok);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(child.readLine(Subprocess::in(30)).line, line);
}

TEST(Subprocess, ReportsExitCodeAndUnfinishedLine) {
  Subprocess child = startOrDie(shell("printf 'a\\nb'; echo oops >&2; exit 3"));
  EXPECT_EQ(child.readLine(Subprocess::in(10)).line, "a");
  Subprocess::ReadResult rest = child.readLine(Subprocess::in(10));
  EXPECT_EQ(rest.status, Io::Eof);
  EXPECT_EQ(rest.line, "b");
  EXPECT_EQ(child.readLine(Subprocess::in(10)).line, "");
  EXPECT_EQ(child.wait(Subprocess::in(10))->text(), "exit code 3");
  EXPECT_EQ(child.stderrTail(), "oops\n");
}

TEST(Subprocess, HangingChildIsTimedOutAndKilled) {
  Subprocess child = startOrDie(shell("trap '' TERM INT HUP; sleep 1000"));
  auto begin = Subprocess::Clock::now();
  EXPECT_EQ(child.readLine(Subprocess::in(0.2)).status, Io::Timeout);
  EXPECT_EQ(child.wait(Subprocess::in(0.2)), std::nullopt);
  EXPECT_GE(seconds(begin), 0.39);
  EXPECT_EQ(child.killAndWait().text(), "SIGKILL");
  EXPECT_LT(seconds(begin), 5);
}

// It never reads, so its pipe fills, and the writer must return.
TEST(Subprocess, WritingToAChildThatNeverReadsTimesOut) {
  Subprocess child = startOrDie(shell("sleep 1000"));
  EXPECT_EQ(child.writeLine(std::string(1 << 20, 'x'), Subprocess::in(0.2)),
            Io::Timeout);
}

TEST(Subprocess, CrashIsNamed) {
  Subprocess child = startOrDie(shell("read line; kill -SEGV $$"));
  EXPECT_EQ(child.writeLine("go", Subprocess::in(10)), Io::Ok);
  EXPECT_EQ(child.readLine(Subprocess::in(10)).status, Io::Eof);
  ExitStatus status = *child.wait(Subprocess::in(10));
  EXPECT_EQ(status.text(), "SIGSEGV");
  EXPECT_EQ(status.signal, SIGSEGV);
  EXPECT_FALSE(status.success());
}

TEST(Subprocess, WritingToADeadChildRaisesNoSignal) {
  struct sigaction defaults = {}, before;
  defaults.sa_handler = SIG_DFL;
  sigaction(SIGPIPE, &defaults, &before);
  Subprocess child = startOrDie(shell("exit 0"));
  EXPECT_TRUE(child.wait(Subprocess::in(10)));
  EXPECT_EQ(child.writeLine("x", Subprocess::in(1)), Io::Eof);
  EXPECT_EQ(child.writeLine("x", Subprocess::in(1)), Io::Eof);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_FALSE(sigismember(&pending, SIGPIPE));
  sigaction(SIGPIPE, &before, nullptr);
}

TEST(Subprocess, EndlessLineIsCutOff) {
  SubprocessOptions options = shell("cat /dev/zero");
  options.maxLineBytes = 1 << 20;
  Subprocess child = startOrDie(options);
  EXPECT_EQ(child.readLine(Subprocess::in(10)).status, Io::TooLong);
  EXPECT_EQ(child.readLine(Subprocess::in(10)).status, Io::TooLong);
  EXPECT_EQ(child.killAndWait().text(), "SIGKILL");
}

TEST(Subprocess, EndlessOutputDoesNotBlockTheCaller) {
  SubprocessOptions options = shell("yes & exec yes >&2");
  options.maxLineBytes = 1 << 20;
  options.stderrBytes = 1000;
  Subprocess child = startOrDie(options);
  auto begin = Subprocess::Clock::now();
  EXPECT_EQ(child.wait(Subprocess::in(0.3)), std::nullopt);
  EXPECT_LT(seconds(begin), 5);
  for (int i = 0; i < 100000; ++i)
    ASSERT_EQ(child.readLine(Subprocess::in(10)).line, "y");
  EXPECT_EQ(child.stderrTail().size(), 1000u);
  EXPECT_EQ(child.killAndWait().text(), "SIGKILL");
}

TEST(Subprocess, GrandchildrenDieWithAKilledChild) {
  Subprocess child = startOrDie(shell("sleep 1000 & echo $!; wait"));
  int grandchild = 0;
  ASSERT_TRUE(to_integer(child.readLine(Subprocess::in(10)).line, grandchild));
  EXPECT_EQ(kill(grandchild, 0), 0);
  child.killAndWait();
  EXPECT_TRUE(isGone(grandchild));
}

TEST(Subprocess, GrandchildrenDieWithAChildThatEnds) {
  // The grandchild holds the pipes open; the end must be detected anyway.
  Subprocess child = startOrDie(shell("sleep 1000 & echo $!; exit 5"));
  int grandchild = 0;
  ASSERT_TRUE(to_integer(child.readLine(Subprocess::in(10)).line, grandchild));
  EXPECT_EQ(child.wait(Subprocess::in(10))->text(), "exit code 5");
  EXPECT_TRUE(isGone(grandchild));
  EXPECT_EQ(child.readLine(Subprocess::in(10)).status, Io::Eof);
}

TEST(Subprocess, TheDestructorKills) {
  int pid;
  {
    Subprocess child = startOrDie(shell("sleep 1000"));
    pid = child.pid();
    Subprocess moved = std::move(child);
    EXPECT_EQ(kill(pid, 0), 0);
  }
  EXPECT_TRUE(isGone(pid));
}

TEST(Subprocess, DiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  pid_t parent = fork();
  if (parent == 0) {
    Subprocess child = startOrDie(shell("sleep 1000"));
    int pid = child.pid();
    (void)!write(ends[1], &pid, sizeof(pid));
    pause();
  }
  int pid = 0;
  ASSERT_EQ(read(ends[0], &pid, sizeof(pid)), ssize_t(sizeof(pid)));
  EXPECT_FALSE(kill(pid, 0));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(isGone(pid));
  close(ends[0]);
  close(ends[1]);
}

TEST(Subprocess, LimitsHold) {
  if (LLVM_ADDRESS_SANITIZER_BUILD)
    GTEST_SKIP() << "AddressSanitizer allows no limit of the address space";
  SubprocessOptions options =
      shell("ulimit -v; ulimit -c; read x; dd if=/dev/zero of=/dev/null "
            "bs=512M count=1 2>/dev/null && echo allocated || echo rejected");
  options.addressSpaceBytes = 256 << 20;
  Subprocess child = startOrDie(options);
  EXPECT_EQ(child.readLine(Subprocess::in(10)).line, "262144");
  EXPECT_EQ(child.readLine(Subprocess::in(10)).line, "0");
  child.writeLine("", Subprocess::in(10));
  EXPECT_EQ(child.readLine(Subprocess::in(10)).line, "rejected");
}

// For the superuser, who could raise it, and for others.
TEST(Subprocess, LowerLimitsOfThisProcessApply) {
  if (LLVM_ADDRESS_SANITIZER_BUILD)
    GTEST_SKIP() << "AddressSanitizer allows no limit of the address space";
  std::fflush(nullptr);
  pid_t limited = fork();
  if (limited == 0) {
    struct rlimit limit = {rlim_t(1) << 31, rlim_t(1) << 31};
    SubprocessOptions options = shell("ulimit -v");
    options.addressSpaceBytes = uint64_t(16) << 30;
    if (setrlimit(RLIMIT_AS, &limit))
      _exit(2);
    auto child = Subprocess::start(options);
    _exit(child && child->readLine(Subprocess::in(10)).line == "2097152" ? 0
                                                                         : 3);
  }
  int status = 0;
  ASSERT_EQ(waitpid(limited, &status, 0), limited);
  EXPECT_EQ(status, 0);
}

TEST(Subprocess, CpuTimeIsLimited) {
  SubprocessOptions options = shell("while :; do :; done");
  options.cpuSeconds = 1;
  Subprocess child = startOrDie(options);
  std::optional<ExitStatus> status = child.wait(Subprocess::in(60));
  ASSERT_TRUE(status);
  EXPECT_TRUE(status->signal == SIGKILL || status->signal == SIGXCPU)
      << status->text();
}

TEST(Subprocess, AffinityIsSet) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  unsigned last = 0;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed))
      last = cpu;
  SubprocessOptions options = shell("grep Cpus_allowed_list /proc/self/status");
  options.cpus = {last};
  Subprocess child = startOrDie(options);
  EXPECT_EQ(child.readLine(Subprocess::in(10)).line,
            "Cpus_allowed_list:\t" + std::to_string(last));
}

TEST(Subprocess, EnvironmentIsSetAndSignalsAreReset) {
  struct sigaction ignore = {}, before;
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
  SubprocessOptions options =
      shell("echo $PRUNER_A-$PRUNER_B; grep -E 'Sig(Blk|Ign)' "
            "/proc/self/status | tr -d '\\n\\t'; echo; ls /proc/self/fd | wc "
            "-l");
  setenv("PRUNER_A", "old", 1);
  setenv("PRUNER_B", "kept", 1);
  options.environment = {{"PRUNER_A", "new"}};
  int leak = dup(0); // Without close-on-exec.
  Subprocess child = startOrDie(options);
  EXPECT_EQ(child.readLine(Subprocess::in(10)).line, "new-kept");
  EXPECT_EQ(child.readLine(Subprocess::in(10)).line,
            "SigBlk:0000000000000000SigIgn:0000000000000000");
  // 0, 1, 2 and the descriptor with which ls reads the directory.
  EXPECT_EQ(child.readLine(Subprocess::in(10)).line, "4");
  close(leak);
  sigaction(SIGPIPE, &before, nullptr);
}

TEST(Subprocess, StderrGoesToAFile) {
  SmallString<128> path;
  ASSERT_FALSE(sys::fs::createTemporaryFile("pruner", "err", path));
  SubprocessOptions options = shell("echo words >&2");
  options.stderrFile = path.str().str();
  Subprocess child = startOrDie(options);
  EXPECT_TRUE(child.wait(Subprocess::in(10))->success());
  EXPECT_EQ(child.stderrTail(), "");
  EXPECT_EQ((*MemoryBuffer::getFile(path))->getBuffer(), "words\n");
  sys::fs::remove(path);
}

TEST(Subprocess, FailuresToStartAreExplained) {
  SubprocessOptions options;
  options.program = "/nonexistent/worker";
  EXPECT_EQ(startError(options), "cannot start '/nonexistent/worker': cannot "
                                 "execute it: No such file or directory");
  options.program = "pruner-no-such-program";
  EXPECT_EQ(startError(options),
            "cannot start 'pruner-no-such-program': no such program in PATH");
  options.program = "/etc/passwd";
  EXPECT_EQ(startError(options), "cannot start '/etc/passwd': cannot execute "
                                 "it: Permission denied");
  options = shell("true");
  options.cpus = {100000};
  EXPECT_EQ(startError(options), "cannot start '/bin/sh': CPU 100000 is above "
                                 "the limit of 1024");
  options.cpus = {};
  options.stderrFile = "/nonexistent/log";
  EXPECT_EQ(startError(options), "cannot start '/bin/sh': cannot write "
                                 "'/nonexistent/log': No such file or "
                                 "directory");
}

// Interrupts must neither shorten nor extend a wait.
TEST(Subprocess, SignalsDoNotDisturb) {
  struct sigaction handler = {}, before;
  handler.sa_handler = [](int) {};
  sigaction(SIGALRM, &handler, &before); // No SA_RESTART.
  struct itimerval every = {{0, 1000}, {0, 1000}}, never = {};
  setitimer(ITIMER_REAL, &every, nullptr);
  Subprocess child = startOrDie(shell("sleep 0.3; echo done; cat"));
  EXPECT_EQ(child.readLine(Subprocess::in(10)).line, "done");
  std::string line(1 << 20, 'x');
  EXPECT_EQ(child.writeLine(line, Subprocess::in(10)), Io::Ok);
  EXPECT_EQ(child.readLine(Subprocess::in(10)).line, line);
  auto begin = Subprocess::Clock::now();
  EXPECT_EQ(child.readLine(Subprocess::in(0.2)).status, Io::Timeout);
  EXPECT_GE(seconds(begin), 0.19);
  EXPECT_LT(seconds(begin), 5);
  child.closeInput();
  EXPECT_TRUE(child.wait(Subprocess::in(10))->success());
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
}

TEST(Subprocess, ManyAtOnceFromManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 25; ++i) {
        Subprocess child = startOrDie(shell("cat"));
        child.writeLine("x", Subprocess::in(20));
        EXPECT_EQ(child.readLine(Subprocess::in(20)).line, "x");
        child.closeInput();
        EXPECT_TRUE(child.wait(Subprocess::in(20))->success());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}
