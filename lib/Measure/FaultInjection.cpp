//===- FaultInjection.cpp - injected faults of workers --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Measure/FaultInjection.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Compiler.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

static std::optional<Fault> parseFault(StringRef name) {
  return StringSwitch<std::optional<Fault>>(name)
      .Case("crash", Fault::Crash)
      .Case("illegal", Fault::Illegal)
      .Case("abort", Fault::Abort)
      .Case("exit", Fault::Exit)
      .Case("hang", Fault::Hang)
      .Case("burn", Fault::Burn)
      .Case("sleep", Fault::Sleep)
      .Case("allocate", Fault::Allocate)
      .Case("overflow", Fault::Overflow)
      .Case("garbage", Fault::Garbage)
      .Case("flood", Fault::Flood)
      .Case("fork", Fault::Fork)
      .Case("mute", Fault::Mute)
      .Case("wrong-id", Fault::WrongId)
      .Case("wrong-result", Fault::WrongResult)
      .Case("write-after", Fault::WriteAfter)
      .Case("write-input", Fault::WriteInput)
      .Default(std::nullopt);
}

Expected<FaultPlan> FaultPlan::parse(StringRef text) {
  FaultPlan plan;
  SmallVector<StringRef, 4> items;
  text.split(items, ',', -1, /*KeepEmpty=*/false);
  for (StringRef item : items) {
    auto [name, where] = item.split('@');
    auto [stage, ids] = where.split(':');
    auto fault = parseFault(name);
    auto at = StringSwitch<std::optional<FaultStage>>(stage)
                  .Case("task", FaultStage::Task)
                  .Case("build", FaultStage::Build)
                  .Case("run", FaultStage::Run)
                  .Default(std::nullopt);
    auto [first, modulus] = ids.split('%');
    Entry entry{fault.value_or(Fault::Crash), at.value_or(FaultStage::Run), 0,
                0};
    bool bad = !fault || !at;
    if (ids == "*")
      entry.modulus = 1;
    else
      bad |= first.getAsInteger(10, entry.remainder) ||
             (ids.contains('%') &&
              (modulus.getAsInteger(10, entry.modulus) || entry.modulus <= 0));
    if (bad)
      return createStringError("invalid fault '%s'; expected "
                               "<fault>@<task|build|run>:<id|*|r%%m>",
                               item.str().c_str());
    plan.entries.push_back(entry);
  }
  return plan;
}

std::optional<Fault> FaultPlan::at(FaultStage stage, int64_t id) const {
  for (const Entry &entry : entries)
    if (entry.stage == stage &&
        (entry.modulus ? id % entry.modulus == entry.remainder
                       : id == entry.remainder))
      return entry.fault;
  return std::nullopt;
}

/// Opaque to the optimizer, which could otherwise remove code without effect.
static volatile char sink;

// Infinite recursion is intended.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winfinite-recursion"
__attribute__((noinline)) static int recurse(int depth) {
  volatile char frame[4096];
  frame[0] = char(depth);
  sink = frame[0];
  return recurse(depth + 1) + frame[0];
}
#pragma GCC diagnostic pop

[[noreturn]] static void spin() {
  while (true)
    sink = 1;
}

static void writeText(int fd, const char *text) {
  ssize_t ignored = ::write(fd, text, std::strlen(text));
  (void)ignored;
}

// A sanitizer would report the null pointer and exit.
LLVM_NO_SANITIZE("null") void pruner::commitFault(Fault fault, int replyFd) {
  switch (fault) {
  case Fault::Crash: {
    volatile int *volatile nowhere = nullptr;
    *nowhere = 1;
    return;
  }
  case Fault::Illegal:
    __builtin_trap();
  case Fault::Abort:
    writeText(2, "fatal: injected\n");
    std::abort();
  case Fault::Exit:
    std::_Exit(3);
  case Fault::Hang:
    spin();
  case Fault::Burn:
    for (std::clock_t start = std::clock();
         std::clock() - start < CLOCKS_PER_SEC;)
      sink = 1;
    return;
  case Fault::Sleep: {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    while (true)
      ::sleep(1000);
  }
  case Fault::Allocate:
    // Reserved, not accessed: the limit is on the address space.
    while (true) {
      char *volatile block = new char[size_t(64) << 20];
      block[0] = 1;
    }
  case Fault::Overflow:
    sink = char(recurse(0));
    return;
  case Fault::Garbage:
    writeText(replyFd, "Segmentation fault (not really)\n");
    return;
  case Fault::Flood:
    while (true) {
      writeText(replyFd, "flood, flood, flood, flood, flood, flood, flood, ");
      writeText(2, "flood\n");
    }
  case Fault::Fork:
    for (int i = 0; i < 32; ++i)
      if (fork() == 0)
        while (true)
          ::sleep(1000);
    spin();
  case Fault::Mute:
    ::close(replyFd);
    spin();
  case Fault::WrongId:
  case Fault::WrongResult:
  case Fault::WriteAfter:
  case Fault::WriteInput:
    return;
  }
}
