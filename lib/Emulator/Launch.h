//===- Launch.h - one launch in progress ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_EMULATOR_LAUNCH_H
#define PRUNER_LIB_EMULATOR_LAUNCH_H

#include "AsyncCopies.h"
#include "Fiber.h"
#include "KernelInfo.h"
#include "Shadow.h"

#include "pruner/Emulator/Emulator.h"

#include <deque>
#include <string>

namespace pruner::emulator {

/// Memory that threads share, with the history of its accesses if it is
/// checked.
struct SharedBuffer {
  const Buffer *info = nullptr;
  char *begin = nullptr;
  std::unique_ptr<Shadow> shadow;
  bool workgroup = false;
};

/// Runs the blocks of a grid one after the other and the threads of a block as
/// fibers. Implements the functions that lowered kernels call. The first error
/// is kept and ends the launch.
class Launch {
public:
  using Entry = void (*)(void **);

  Launch(const LoweredKernel &kernel, Entry entry,
         const EmulatorOptions &options, LaunchExtent grid, LaunchExtent block,
         llvm::ArrayRef<void *> arguments);
  ~Launch();

  llvm::Expected<EmulatorReport> run();

  /// The launch whose fiber is running in this thread.
  static Launch &current();

  // Called by the kernel inside a fiber. They do not return after an error.
  void barrier(unsigned site);
  void access(unsigned site, uint64_t address, uint64_t mask);
  void outOfBounds(unsigned site, int64_t dimension, int64_t index,
                   int64_t count, int64_t extent);
  void asyncCopy(unsigned site, uint64_t destination, uint64_t source,
                 int64_t sourceElements);
  void asyncCommit();
  void asyncWait(int64_t pendingGroups);
  bool shuffle(unsigned site, void *value, int32_t offset, int32_t width,
               int32_t mode);

private:
  enum class State : uint8_t { Fresh, Ready, AtBarrier, AtShuffle, Done };
  struct Thread {
    State state = State::Fresh;
    unsigned site = 0;
    // The value that a shuffle publishes and receives.
    char *value = nullptr;
    int32_t offset = 0, width = 0, mode = 0;
    bool valid = false;
    AsyncCopies copies;
  };

  void allocateWorkgroup();
  void runBlock(LaunchExtent id);
  /// Runs ready threads until there are none.
  void runReady();
  /// Releases a barrier at which all threads wait; returns false if the block
  /// has ended.
  bool releaseBarrier();
  void reportDivergence();
  void exchange(unsigned first, unsigned last);

  /// Ends the launch with `message`. Must be called inside a fiber.
  [[noreturn]] void fail(std::string message);
  [[noreturn]] void failConflict(const SharedBuffer &buffer, Conflict conflict);
  [[noreturn]] void failAlignment(unsigned site, const char *verb,
                                  uint64_t address, uint64_t alignment);
  void complete(const AsyncCopy &copy);
  void record(SharedBuffer &buffer, unsigned site, AccessKind kind,
              uint64_t address, uint64_t bytes, uint64_t mask);
  SharedBuffer *find(uint64_t address, uint64_t bytes);

  std::string describeAddress(uint64_t address) const;
  std::string describeThread(unsigned thread) const;
  std::string describeBlock(uint64_t index) const;
  std::string describeAccess(Access access) const;
  std::string describeHere(unsigned site) const;
  std::string describeElement(const SharedBuffer &buffer,
                              uint64_t element) const;
  uint64_t blockOfEpoch(uint32_t epoch) const;

  const LoweredKernel &kernel;
  Entry entry;
  const EmulatorOptions &options;
  LaunchExtent grid, block, blockId;
  std::vector<SharedBuffer> buffers;
  std::unique_ptr<char, void (*)(void *)> arena{nullptr, nullptr};

  std::unique_ptr<FiberPool> fibers;
  std::vector<Thread> threads;
  unsigned running = 0;
  bool failed = false;
  std::string error;

  /// Addresses of the values of the parameters of the entry, in the layout of a
  /// packed call of the JIT.
  std::vector<void *> parameters;
  std::vector<void *> pointers;
  int64_t indices[12] = {};

  uint32_t epoch = 0;
  /// The first epoch of each block so far, in the order in which they run.
  std::vector<uint32_t> firstEpochs;
  EmulatorReport report;
};

} // namespace pruner::emulator

#endif // PRUNER_LIB_EMULATOR_LAUNCH_H
