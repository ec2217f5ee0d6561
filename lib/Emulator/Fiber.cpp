//===- Fiber.cpp - context switch -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fiber.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace pruner::emulator;

#if defined(__x86_64__) && defined(__linux__)
#define PRUNER_EMULATOR_ASM_SWITCH 1
// Saves the registers that the System V ABI requires a callee to preserve (rbx,
// rbp, r12-r15) on the current stack, stores the stack pointer, and continues
// on the other stack. Because nothing else is saved, a barrier costs a few
// nanoseconds; swapcontext also saves the signal mask, which takes a system
// call.
extern "C" void prunerEmulatorSwitch(void **savedStack, void *stack);
extern "C" void prunerEmulatorEnter();
asm(R"(
  .pushsection .text
  .p2align 4
  .globl prunerEmulatorSwitch
  .hidden prunerEmulatorSwitch
  .type prunerEmulatorSwitch, @function
prunerEmulatorSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size prunerEmulatorSwitch, .-prunerEmulatorSwitch

  .p2align 4
  .globl prunerEmulatorEnter
  .hidden prunerEmulatorEnter
  .type prunerEmulatorEnter, @function
prunerEmulatorEnter:
  movq %r12, %rdi
  callq *%rbx
  ud2
  .size prunerEmulatorEnter, .-prunerEmulatorEnter
  .popsection
)");
#else
#include <ucontext.h>
#endif

struct FiberPool::Contexts {
#ifdef PRUNER_EMULATOR_ASM_SWITCH
  std::vector<void *> fibers;
  void *caller = nullptr;
  explicit Contexts(unsigned count) : fibers(count) {}
#else
  struct Start {
    Body body;
    void *argument;
  };
  std::vector<ucontext_t> fibers;
  std::vector<Start> starts;
  ucontext_t caller;
  explicit Contexts(unsigned count) : fibers(count), starts(count) {}

  // makecontext passes only ints.
  static void enter(unsigned high, unsigned low) {
    auto *start =
        reinterpret_cast<Start *>(static_cast<uint64_t>(high) << 32 | low);
    start->body(start->argument);
  }
#endif
};

llvm::Expected<std::unique_ptr<FiberPool>>
FiberPool::create(unsigned count, uint64_t stackBytes) {
  std::unique_ptr<FiberPool> pool(new FiberPool);
  pool->pageBytes = sysconf(_SC_PAGESIZE);
  pool->count = count;
  uint64_t page = pool->pageBytes;
  pool->strideBytes = (stackBytes + page - 1) / page * page + page;
  pool->memoryBytes = pool->strideBytes * count;
  void *memory = mmap(nullptr, pool->memoryBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return llvm::createStringError(
        std::error_code(errno, std::generic_category()),
        "cannot reserve %llu bytes for the stacks of %u threads",
        static_cast<unsigned long long>(pool->memoryBytes), count);
  pool->memory = static_cast<char *>(memory);
  for (unsigned n = 0; n != count; ++n)
    if (mprotect(pool->memory + n * pool->strideBytes, page, PROT_NONE))
      return llvm::createStringError(
          std::error_code(errno, std::generic_category()),
          "cannot protect the stack of thread %u", n);
  pool->contexts = std::make_unique<Contexts>(count);
  return pool;
}

FiberPool::~FiberPool() {
  if (memory)
    munmap(memory, memoryBytes);
}

#ifdef PRUNER_EMULATOR_ASM_SWITCH

void FiberPool::start(unsigned n, Body body, void *argument) {
  // The frame that the first switch pops. The return into `enter` leaves the
  // stack aligned to 16 bytes, as after a call instruction.
  auto **top = reinterpret_cast<void **>(memory + (n + 1) * strideBytes);
  void **frame = top - 9;
  std::memset(static_cast<void *>(frame), 0, 9 * sizeof(void *));
  frame[3] = argument;                       // r12
  frame[4] = reinterpret_cast<void *>(body); // rbx
  frame[6] = reinterpret_cast<void *>(&prunerEmulatorEnter);
  contexts->fibers[n] = frame;
}

void FiberPool::resume(unsigned n) {
  prunerEmulatorSwitch(&contexts->caller, contexts->fibers[n]);
}

void FiberPool::suspend(unsigned n) {
  prunerEmulatorSwitch(&contexts->fibers[n], contexts->caller);
}

#else

void FiberPool::start(unsigned n, Body body, void *argument) {
  contexts->starts[n] = {body, argument};
  ucontext_t &context = contexts->fibers[n];
  getcontext(&context);
  context.uc_stack.ss_sp = memory + n * strideBytes + pageBytes;
  context.uc_stack.ss_size = strideBytes - pageBytes;
  context.uc_link = nullptr;
  uintptr_t start = reinterpret_cast<uintptr_t>(&contexts->starts[n]);
  makecontext(&context, reinterpret_cast<void (*)()>(&Contexts::enter), 2,
              static_cast<unsigned>(static_cast<uint64_t>(start) >> 32),
              static_cast<unsigned>(start));
}

void FiberPool::resume(unsigned n) {
  swapcontext(&contexts->caller, &contexts->fibers[n]);
}

void FiberPool::suspend(unsigned n) {
  swapcontext(&contexts->fibers[n], &contexts->caller);
}

#endif
