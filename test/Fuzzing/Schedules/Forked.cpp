//===- Forked.cpp - utilities for forked children -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Forked.h"

#include <cerrno>
#include <cstring>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pruner;

static volatile sig_atomic_t *stopFlag = nullptr;
static constexpr int stopSignals[2] = {SIGINT, SIGTERM};

StopOnSignals::StopOnSignals(volatile sig_atomic_t &flag) {
  stopFlag = &flag;
  struct sigaction action = {};
  action.sa_handler = [](int) { *stopFlag = 1; };
  action.sa_flags = SA_RESETHAND;
  for (unsigned n = 0; n < 2; ++n)
    sigaction(stopSignals[n], &action, &before[n]);
}

StopOnSignals::~StopOnSignals() {
  for (unsigned n = 0; n < 2; ++n)
    sigaction(stopSignals[n], &before[n], nullptr);
}

std::optional<int> pruner::runForked(llvm::function_ref<void()> work) {
  pid_t child = fork();
  if (child < 0)
    return std::nullopt;
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

const char *pruner::describeEnd(int status) {
  return WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "unexpected exit";
}

void pruner::limitTime(unsigned seconds) {
  alarm(10 * seconds);
  itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

void pruner::copyText(llvm::MutableArrayRef<char> to, llvm::StringRef from) {
  size_t size = std::min(from.size(), to.size() - 1);
  std::memcpy(to.data(), from.data(), size);
  to[size] = 0;
}
