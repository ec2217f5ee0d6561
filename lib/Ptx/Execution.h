//===- Execution.h - warps, blocks and launches -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a warp that are at the same instruction form a fragment, which
// executes together. The scheduler of a warp always runs the fragment with the
// smallest program counter that is not waiting, and joins fragments that meet.
// This is the same as a program counter per thread, of which the smallest runs:
// it needs no post-dominators, cannot lose a thread, and threads that left a
// loop or branch wait for the others wherever the text places the join after
// the branches, as LLVM does. If it joins late, the program still computes the
// same.
//
// Warps run one after the other until they wait at a barrier. Their order does
// not matter for kernels without races, and others are reported.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_PTX_EXECUTION_H
#define PRUNER_LIB_PTX_EXECUTION_H

#include "Decoder.h"

namespace pruner::ptx {

struct Block;
struct Launch;

/// One access, as the race detector remembers it.
struct Stamp {
  uint32_t clock = 0; ///< Of the warp; 0 means none.
  uint32_t block = 0;
  uint32_t op = 0;
  uint16_t thread = 0;
  bool isStrong = false;
};

/// The accesses to `granule` bytes that the race detector remembers.
struct Shadow {
  Stamp writer;
  /// The last two reads by different threads. If all threads take part in each
  /// barrier, at least one of two reads since the last barrier is by another
  /// thread than any writer, so two suffice.
  Stamp readers[2];
  /// One more than the thread whose copy will write here, or 0.
  uint16_t pendingThread = 0;
};

/// Bytes with consecutive addresses.
struct Region {
  uint64_t address = 0, bytes = 0;
  uint8_t *data = nullptr;
  uint8_t *defined = nullptr; ///< A byte each, or null if all are.
  std::vector<Shadow> shadow; ///< Empty if accesses cannot race.
  unsigned granule = 1;
  bool isReadOnly = false;
  /// Accesses by blocks that ran earlier are ordered before this one's.
  bool isOfBlock = false;
  std::string name;
};

enum class AccessKind : uint8_t { Load, Store, Atomic, CopySource };

/// Threads at the same instruction.
struct Fragment {
  uint32_t pc = 0;
  uint32_t lanes = 0;
  enum State : uint8_t { Ready, AtConvergence, AtBarrier } state = Ready;
  uint32_t barrier = 0;
};

/// An asynchronous copy before its wait.
struct Copy {
  unsigned lane;
  uint64_t group; ///< Number of commits of the lane before it.
  uint64_t to, from;
  unsigned bytes, sourceBytes;
  uint32_t op;
};

struct Warp {
  Warp(Block &block, unsigned index) : block(block), index(index) {}
  void start();
  /// Runs until all lanes ended or wait at barriers. Returns false after a
  /// fault.
  bool run();
  bool isDone() const { return fragments.empty(); }

  /// The values of a slot, indexed by lane.
  template <class T> T *lanes(Slot slot) {
    return reinterpret_cast<T *>(values.data() + slot.offset);
  }
  uint32_t &mask(Slot slot) { return *lanes<uint32_t>(slot); }
  Slot result(const Op &op, unsigned n = 0) const;
  Slot source(const Op &op, unsigned n) const;

  // Definedness. A lane is defined if all its bytes are.
  uint32_t definedLanes(Slot slot) const { return defined[slot.index]; }
  /// Makes those of `lanes` defined that are in `value`, others undefined.
  void define(Slot slot, uint32_t lanes, uint32_t value) {
    uint32_t &mask = defined[slot.index];
    mask = (mask & ~lanes) | (value & lanes);
    if (lanes & ~value)
      for (uint32_t &bytes : partial[slot.index])
        bytes &= ~lanes;
  }
  /// Bit n states whether byte n of a lane is defined.
  uint8_t definedBytes(Slot slot, unsigned lane) const;
  void defineBytes(Slot slot, unsigned lane, uint8_t bytes);

  uint32_t opNumber(const Op &op) const;
  unsigned thread(unsigned lane) const { return index * kWarpSize + lane; }

  /// The addresses that `slot` and `offset` give. Addresses in registers of 32
  /// bits wrap at 2^32.
  void addresses(Slot slot, uint64_t offset, bool isShort,
                 uint64_t (&to)[kWarpSize]) {
    for (unsigned lane = 0; lane != kWarpSize; ++lane)
      to[lane] = isShort ? uint32_t(lanes<uint32_t>(slot)[lane] + offset)
                         : lanes<uint64_t>(slot)[lane] + offset;
  }

  /// The bytes of an access after all checks, or null after a fault. `region`
  /// receives where they are.
  uint8_t *access(const Op &op, unsigned lane, Space space, uint64_t address,
                  unsigned bytes, AccessKind kind, Region *&region);
  /// Fails if an address or a stored value is undefined.
  bool requireDefined(const Op &op, Slot slot, uint32_t lanes,
                      const char *what);
  void fault(const Op &op, unsigned lane, Violation violation,
             const llvm::Twine &what);

  void beginCopy(const Copy &copy);
  /// Finishes all copies of a lane of groups below `group`.
  void finishCopies(const Op &op, unsigned lane, uint64_t group);

  Block &block;
  const unsigned index;
  std::vector<uint8_t> values;
  std::vector<uint32_t> defined;
  /// Of lanes that are not defined: the lanes whose n-th byte is.
  std::vector<std::array<uint32_t, 8>> partial;
  std::vector<Fragment> fragments;
  uint32_t live = 0;
  /// clock[w] is the number of synchronizations of warp w that happened before
  /// what this warp does now.
  std::vector<uint32_t> clock;
  std::vector<Copy> copies;
  /// The value of bytes beyond a buffer, for loads that end there.
  Region edge;
  std::array<uint8_t, 16> edgeData = {}, edgeDefined = {};
  std::array<uint64_t, kWarpSize> committed = {};

private:
  uint8_t *loadAcrossEnd(const Region &region, uint64_t offset, unsigned bytes,
                         Region *&result);
  enum class Step { Continue, Yield, Stop };
  Step runFragment(size_t current);
  Step converge(const Op &op, Fragment &fragment, uint32_t lanes);
  Step convergeAll(const Op &op, Fragment &fragment, uint32_t lanes);
  Step arrive(const Op &op, Fragment &fragment, uint32_t lanes);
  void execute(const Op &op, uint32_t lanes);
  void propagateBytes(const Op &op, uint32_t lanes);
  void reportBlocked();
};

struct Block {
  Block(Launch &launch, const DecodedKernel &code);
  bool run(uint32_t number, std::array<unsigned, 3> position);
  /// Lets threads pass barriers that are complete. Returns whether any did.
  bool releaseBarriers();
  void reportDeadlock();

  Launch &launch;
  const DecodedKernel &code;
  uint32_t number = 0;
  std::array<unsigned, 3> position = {};
  unsigned numThreads = 0;
  std::vector<std::unique_ptr<Warp>> warps;
  std::vector<uint8_t> sharedData, sharedDefined;
  std::vector<Region> shared;
  /// Of each thread, one after the other.
  std::vector<uint8_t> localData, localDefined;
  std::vector<std::vector<Region>> local;
};

/// Counts of one instruction.
struct OpCounts {
  Executions executed;
  MemoryCounts memory, source; ///< `source`: of asynchronous copies.
};

struct Launch {
  Launch(const DecodedKernel &code, const LaunchOptions &options)
      : code(code), options(options) {}
  /// Violations that concern no instruction.
  void fault(Violation violation, const llvm::Twine &what);

  const DecodedKernel &code;
  const LaunchOptions &options;
  std::vector<uint8_t> parameters;
  std::vector<Region> buffers;
  std::vector<std::vector<uint8_t>> storage; ///< Of global variables.
  std::vector<OpCounts> counts;
  uint64_t steps = 0, barriers = 0;
  std::optional<Fault> violation;
};

/// Wavefronts and sectors of a request by some lanes (Counts.h).
unsigned countWavefronts(const uint64_t *addresses, uint32_t lanes,
                         unsigned bytes);
unsigned countIdealWavefronts(uint32_t lanes, unsigned bytes);
unsigned countSectors(const uint64_t *addresses, uint32_t lanes,
                      unsigned bytes);

/// Calls `function` for each lane of a mask.
template <class F> inline void forLanes(uint32_t lanes, F function) {
  for (; lanes; lanes &= lanes - 1)
    function(unsigned(__builtin_ctz(lanes)));
}

} // namespace pruner::ptx

#endif // PRUNER_LIB_PTX_EXECUTION_H
