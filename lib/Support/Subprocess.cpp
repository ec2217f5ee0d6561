//===- Subprocess.cpp - a child process that exchanges lines --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Subprocess.h"
#include "SpawnChild.h"
#include "pruner/Support/Guard.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

std::string pruner::signalName(int signal) {
  // glibc 2.32: "SEGV", thread safe, untranslated.
  if (const char *name = ::sigabbrev_np(signal))
    return std::string("SIG") + name;
  return "signal " + std::to_string(signal);
}

std::string ExitStatus::text() const {
  return signal ? signalName(signal) : "exit code " + std::to_string(code);
}

namespace {
/// Blocks SIGPIPE in this thread while it writes. A dead reader then shows as
/// EPIPE, whatever the process does with the signal.
class SigPipeGuard {
public:
  SigPipeGuard() {
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    sigset_t pending;
    ::sigpending(&pending);
    wasPending = ::sigismember(&pending, SIGPIPE);
    if (!wasPending)
      ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
  }
  ~SigPipeGuard() {
    if (wasPending)
      return;
    struct timespec now = {0, 0};
    while (::sigtimedwait(&pipe, nullptr, &now) < 0 && errno == EINTR)
      ;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

private:
  sigset_t pipe, before;
  bool wasPending;
};
} // namespace

static void closeFd(int &fd) {
  if (fd >= 0)
    ::close(fd);
  fd = -1;
}

struct Subprocess::State {
  SpawnedChild child;
  size_t stderrBytes, maxLineBytes;
  std::string mark;     ///< Of all processes below a guard; empty without one.
  bool asked = false;   ///< The guard was asked to end the child.
  std::string received; ///< From stdout; consumed up to `begin`.
  size_t begin = 0;
  size_t searched = 0; ///< No newline is between `begin` and here.
  std::string errors;  ///< The end of stderr, up to twice stderrBytes.
  std::optional<ExitStatus> exit;

  /// Whether there is room for more stdout. Beyond the limit the child has to
  /// wait for its reader.
  bool wantsOutput() const { return received.size() - begin <= maxLineBytes; }
  std::string take(size_t end);
  void readOutput();
  void readErrors();
  IoStatus pump(short events, Deadline deadline);
  void reap();
};

/// Returns the bytes from `begin` to `end` and consumes them. Consumed bytes
/// are erased only when they are the larger part, so that short lines cause no
/// copying.
std::string Subprocess::State::take(size_t end) {
  std::string text = received.substr(begin, end - begin);
  begin = searched = std::min(end + 1, received.size());
  if (begin > received.size() / 2) {
    received.erase(0, begin);
    begin = searched = 0;
  }
  return text;
}

/// Reads the available bytes, up to a bound, because a child that writes
/// without end must not block us here. Closes the stream at its end or on an
/// error.
void Subprocess::State::readOutput() {
  char buffer[16384];
  for (int turn = 0; child.out >= 0 && wantsOutput() && turn < 64; ++turn) {
    ssize_t size = ::read(child.out, buffer, sizeof(buffer));
    if (size > 0)
      received.append(buffer, size);
    else if (size < 0 && errno == EINTR)
      continue;
    else if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return;
    else
      closeFd(child.out);
  }
}

void Subprocess::State::readErrors() {
  char buffer[16384];
  for (int turn = 0; child.err >= 0 && turn < 64; ++turn) {
    ssize_t size = ::read(child.err, buffer, sizeof(buffer));
    if (size > 0) {
      errors.append(buffer, size);
      if (errors.size() > 2 * stderrBytes)
        errors.erase(0, errors.size() - stderrBytes);
    } else if (size < 0 && errno == EINTR) {
      continue;
    } else if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return;
    } else {
      closeFd(child.err);
    }
  }
}

/// Waits until the child sent something, or can be written to if `events` has
/// POLLOUT, and reads what it sent.
Subprocess::IoStatus Subprocess::State::pump(short events, Deadline deadline) {
  struct pollfd fds[3];
  nfds_t count = 0;
  auto add = [&](int fd, short what) {
    if (fd >= 0)
      fds[count++] = {fd, what, 0};
  };
  if (wantsOutput())
    add(child.out, POLLIN);
  add(child.err, POLLIN);
  if (events & POLLOUT)
    add(child.in, POLLOUT);
  if (!count)
    return IoStatus::Eof;
  auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline -
                                                                   Clock::now())
                  .count();
  left = std::max<decltype(left)>(left, 0);
  struct timespec timeout = {static_cast<time_t>(left / 1000000000),
                             static_cast<long>(left % 1000000000)};
  int ready = ::ppoll(fds, count, &timeout, nullptr);
  if (ready < 0)
    return errno == EINTR ? IoStatus::Ok : IoStatus::Error;
  if (ready == 0)
    return IoStatus::Timeout;
  readOutput();
  readErrors();
  // A child that writes without end keeps the pipes ready forever.
  return Clock::now() < deadline ? IoStatus::Ok : IoStatus::Timeout;
}

/// Collects a child that has ended, and kills the rest of its group. The kernel
/// does not reuse the number of the group before the child is collected.
void Subprocess::State::reap() {
  if (exit)
    return;
  siginfo_t info = {};
  if (::waitid(P_PID, child.pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0) {
    // Something else collected it (SIGCHLD is ignored); its status is lost.
    if (errno == ECHILD)
      exit = ExitStatus{255, 0};
    return;
  }
  if (info.si_pid != child.pid)
    return;
  ::kill(-child.pid, SIGKILL);
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR)
    ;
  exit = WIFSIGNALED(status) ? ExitStatus{0, WTERMSIG(status)}
                             : ExitStatus{WEXITSTATUS(status), 0};
  // A guard that was killed could not clean up. The kernel then killed only its
  // direct child.
  if (!mark.empty() && exit->signal == SIGKILL && !asked)
    killMarked(mark);
  readOutput();
  readErrors();
}

Subprocess::Deadline Subprocess::in(double seconds) {
  // "Forever" is a year, which avoids an overflow.
  seconds = std::clamp(seconds, 0.0, 3.2e7);
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(seconds));
}

Expected<Subprocess> Subprocess::start(const SubprocessOptions &options) {
  SubprocessOptions marked = options;
  std::string mark;
  if (options.guarded) {
    static std::atomic<unsigned> instances;
    mark = ownerMark(++instances);
    marked.environment.emplace_back(ownerVariable.str(), mark);
  }
  Expected<SpawnedChild> child = spawnChild(marked);
  if (!child)
    return child.takeError();
  auto state = std::make_unique<State>();
  state->child = *child;
  state->mark = std::move(mark);
  state->stderrBytes = options.stderrBytes;
  state->maxLineBytes = options.maxLineBytes;
  return Subprocess(std::move(state));
}

Subprocess::Subprocess(std::unique_ptr<State> state)
    : state(std::move(state)) {}
Subprocess::Subprocess(Subprocess &&) = default;

Subprocess &Subprocess::operator=(Subprocess &&other) {
  std::swap(state, other.state); // The destructor of `other` ends our child.
  return *this;
}

Subprocess::~Subprocess() {
  if (!state)
    return;
  killAndWait();
  closeFd(state->child.in);
  closeFd(state->child.out);
  closeFd(state->child.err);
}

Subprocess::IoStatus Subprocess::writeLine(StringRef line, Deadline deadline) {
  std::string text = (line + "\n").str();
  SigPipeGuard guard;
  for (size_t sent = 0; sent < text.size();) {
    if (state->child.in < 0)
      return IoStatus::Eof;
    ssize_t size =
        ::write(state->child.in, text.data() + sent, text.size() - sent);
    if (size >= 0) {
      sent += size;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      IoStatus status = state->pump(POLLOUT, deadline);
      if (status != IoStatus::Ok)
        return status;
    } else if (errno == EPIPE) {
      closeInput();
    } else if (errno != EINTR) {
      return IoStatus::Error;
    }
  }
  return IoStatus::Ok;
}

Subprocess::ReadResult Subprocess::readLine(Deadline deadline) {
  std::string &received = state->received;
  bool late = false;
  while (true) {
    size_t end = received.find('\n', state->searched);
    if (end != std::string::npos && end - state->begin <= state->maxLineBytes)
      return {IoStatus::Ok, state->take(end)};
    if (received.size() - state->begin > state->maxLineBytes)
      return {IoStatus::TooLong, ""};
    state->searched = received.size();
    if (state->child.out < 0)
      return {IoStatus::Eof, state->take(received.size())};
    if (late)
      return {IoStatus::Timeout, ""};
    IoStatus status = state->pump(POLLIN, deadline);
    if (status == IoStatus::Error)
      return {status, sys::StrError()};
    // It may have arrived with the line.
    late = status == IoStatus::Timeout;
    if (status == IoStatus::Eof)
      return {status, ""};
  }
}

void Subprocess::closeInput() { closeFd(state->child.in); }

void Subprocess::kill() {
  // After it is collected, its number may be reused.
  if (state->exit)
    return;
  if (state->mark.empty()) {
    ::kill(-state->child.pid, SIGKILL);
  } else {
    state->asked = true;
    ::kill(state->child.pid, SIGTERM);
    ::kill(state->child.pid, SIGCONT);
  }
}

std::optional<ExitStatus> Subprocess::wait(Deadline deadline) {
  using std::chrono::milliseconds;
  for (milliseconds nap(1);; nap = std::min(2 * nap, milliseconds(20))) {
    state->reap();
    if (state->exit || Clock::now() >= deadline)
      return state->exit;
    Deadline wake = std::min<Deadline>(deadline, Clock::now() + nap);
    // Keep reading the pipes of the child; closed pipes leave nothing to poll.
    while (Clock::now() < wake)
      if (state->pump(0, wake) != IoStatus::Ok) {
        std::this_thread::sleep_until(wake);
        break;
      }
  }
}

ExitStatus Subprocess::killAndWait() {
  kill();
  if (!state->mark.empty()) {
    if (std::optional<ExitStatus> status = wait(in(3)))
      return *status;
    // The guard was stopped, or processes start faster than it kills them.
    ::kill(-state->child.pid, SIGKILL);
    state->asked = false;
  }
  while (true)
    if (std::optional<ExitStatus> status = wait(in(1)))
      return *status;
}

StringRef Subprocess::stderrTail() {
  state->readErrors();
  return StringRef(state->errors).take_back(state->stderrBytes);
}

int Subprocess::pid() const { return state->child.pid; }
