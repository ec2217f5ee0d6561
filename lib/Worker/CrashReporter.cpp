//===- CrashReporter.cpp - crash messages of a worker ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CrashReporter.h"

#include "pruner/Measure/Protocol.h"
#include "llvm/Support/ErrorHandling.h"
#include <csignal>
#include <cstdint>
#include <new>
#include <pthread.h>
#include <unistd.h>

using namespace pruner;

namespace {
struct Argument {
  uintptr_t begin, end;
};
// Plain memory, because the handler may not allocate or lock.
Argument arguments[48];
volatile size_t numArguments;
uintptr_t stackLow;

/// A line built without the C library's stdio.
struct Line {
  char text[200];
  size_t size = 0;
  void add(const char *s) {
    while (*s && size < sizeof(text))
      text[size++] = *s++;
  }
  void number(uint64_t value, unsigned base) {
    char digits[24];
    int n = 0;
    do
      digits[n++] = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    while (n && size < sizeof(text))
      text[size++] = digits[--n];
  }
  void send() {
    ssize_t ignored = ::write(2, text, size);
    (void)ignored;
  }
};
} // namespace

static void describe(Line &line, uintptr_t address) {
  // The main thread's stack grows down to its limit; a fault within 64 KiB of
  // the end is an overflow.
  if (address + 65536 >= stackLow && address < stackLow + 65536) {
    line.add("stack overflow at 0x");
    line.number(address, 16);
    return;
  }
  line.add("access to 0x");
  line.number(address, 16);
  // Guard pages and a little more.
  constexpr uintptr_t near = 1 << 16;
  size_t best = numArguments;
  uintptr_t distance = near;
  for (size_t i = 0; i < numArguments; ++i) {
    uintptr_t away = address < arguments[i].begin ? arguments[i].begin - address
                                                  : address - arguments[i].end;
    if (address >= arguments[i].begin && address < arguments[i].end)
      away = 0;
    if (away < distance) {
      distance = away;
      best = i;
    }
  }
  if (best == numArguments)
    return;
  line.add(", ");
  line.number(distance, 10);
  line.add(address < arguments[best].begin
               ? " bytes before argument "
               : " bytes past the end of argument ");
  line.number(best, 10);
}

static void onFault(int signal, siginfo_t *info, void *) {
  Line line;
  describe(line, reinterpret_cast<uintptr_t>(info->si_addr));
  line.add("\n");
  line.send();
  // SA_RESETHAND: the default action is installed again.
  raise(signal);
}

[[noreturn]] static void outOfMemory() { _exit(workerOutOfMemoryExit); }

void pruner::reportArgument(const void *data, size_t bytes) {
  if (numArguments == 48)
    return;
  auto begin = reinterpret_cast<uintptr_t>(data);
  arguments[numArguments] = {begin, begin + bytes};
  numArguments = numArguments + 1;
}

void pruner::forgetArguments() { numArguments = 0; }

void pruner::installCrashReporter() {
  pthread_attr_t attributes;
  if (!pthread_getattr_np(pthread_self(), &attributes)) {
    void *low;
    size_t size;
    if (!pthread_attr_getstack(&attributes, &low, &size)) {
      stackLow = reinterpret_cast<uintptr_t>(low);
    }
    pthread_attr_destroy(&attributes);
  }
  // The handler needs a stack of its own to report a stack overflow.
  static char alternate[65536];
  stack_t stack = {};
  stack.ss_sp = alternate;
  stack.ss_size = sizeof(alternate);
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
  for (int signal : {SIGSEGV, SIGBUS})
    sigaction(signal, &action, nullptr);
  std::set_new_handler(outOfMemory);
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { outOfMemory(); });
}
