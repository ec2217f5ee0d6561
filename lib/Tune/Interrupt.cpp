//===- Interrupt.cpp - stop a run by signal -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interrupt.h"

#include "pruner/Tune/TuneHooks.h"

#include <csignal>

using namespace pruner;

static volatile std::sig_atomic_t stopAsked = 0;
static struct sigaction oldInterrupt, oldTerminate, oldHangUp, oldFileSize;

static void askToStop(int) { stopAsked = 1; }

void pruner::stopTuning() { stopAsked = 1; }

InterruptGuard::InterruptGuard(bool signals) : signals(signals) {
  if (!signals)
    return;
  struct sigaction action = {};
  action.sa_handler = askToStop;
  // Reset to the default at the first signal, so that a second one ends the
  // process.
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, &oldInterrupt);
  sigaction(SIGTERM, &action, &oldTerminate);
  // Keep SIGHUP ignored under nohup(1).
  sigaction(SIGHUP, nullptr, &oldHangUp);
  if (oldHangUp.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
}

InterruptGuard::~InterruptGuard() {
  if (signals) {
    sigaction(SIGINT, &oldInterrupt, nullptr);
    sigaction(SIGTERM, &oldTerminate, nullptr);
    sigaction(SIGHUP, &oldHangUp, nullptr);
  }
  stopAsked = 0;
}

bool pruner::interrupted() { return stopAsked != 0; }

FileSizeGuard::FileSizeGuard() {
  struct sigaction action = {};
  action.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &action, &oldFileSize);
}

FileSizeGuard::~FileSizeGuard() { sigaction(SIGXFSZ, &oldFileSize, nullptr); }
