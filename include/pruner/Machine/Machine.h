//===- Machine.h - properties of devices as plain data ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_MACHINE_MACHINE_H
#define PRUNER_MACHINE_MACHINE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// How one core of a CPU works through a loop, as far as the analytical model
/// asks (Analysis/CpuModel); without meaning on GPUs. Cycles are those of
/// `Machine::clockMHz`. The initial values stand for a wide out-of-order core;
/// `pruner-machine cpu --measure` replaces those that it can measure.
struct CoreModel {
  /// Latency of a multiply-add in cycles. 4 on Intel cores since Skylake and
  /// AMD cores since Zen 3 (their optimization guides).
  double fmaLatency = 4;
  /// Vector loads and stores per cycle that hit the first-level cache. The same
  /// cores have two load ports and one store port of vector width.
  double loadsPerCycle = 2;
  double storesPerCycle = 1;
  /// Operations per cycle (6 since Zen 1 and Golden Cove), and operations per
  /// iteration of a loop: a step and a branch.
  double issueWidth = 6;
  double loopOverhead = 2;
  /// Cost of a vector division, and of a mathematical function written out, in
  /// vector additions.
  double divideCost = 5;
  double functionCost = 12;
  /// Sustained rate from the second-level cache to the first, bytes per cycle:
  /// half a line. Each line takes one cycle, and another one for the line that
  /// it evicts.
  double l2BytesPerCycle = 32;
  /// Cycles to pack a vector: load, mask and store it. Fitted to 2,500
  /// schedules of the tasks of two networks (AVX-512, Xeon).
  double copyCycles = 3;
  /// Rate from the last-level cache, bytes/s of one core. 0 if unknown; the
  /// model then uses the geometric mean of the neighboring rates.
  double l3Bandwidth = 0;
  /// The next four values are fitted to matrix products that differ in one
  /// knob, on one core (Zen 3). Cycles around a reduction loop, whose end is
  /// mispredicted: 40 on Zen 3, almost none on a Xeon with deep out-of-order
  /// execution.
  double restartCycles = 20;
  /// Cycles for a line of the second-level cache that was not prefetched.
  double lineMissCycles = 5;
  /// Cycles around a packed row, and around one that may be cut.
  double rowCycles = 3;
  double paddedRowCycles = 15;
  /// No prefetcher reads across a multiple of this many bytes.
  double pageBytes = 4096;
  /// Pages of `pageBytes` whose addresses the TLBs of a core hold (Intel since
  /// Skylake), and cycles of core time for the address of another page.
  double translatedPages = 1536;
  double pageWalkCycles = 8;
  /// Cost of matrix instructions in vector multiply-adds: a dot product of
  /// integers (VNNI), products of pairs of 16-bit integers with their addition
  /// (`vpmaddwd` and `vpaddd`), a dot product of bf16, and a product of tiles
  /// of 16 rows (AMX).
  double integerDotCost = 1;
  double integerPairCost = 2;
  double brainFloatDotCost = 1;
  double tileCost = 32;
  /// Cycles from a product of tiles to the next one with the same accumulators.
  /// Rows follow one another, so it waits no longer than for the unit (measured
  /// on an Emerald Rapids). The 52 cycles of Intel's optimization manual are
  /// those after which other instructions use the result.
  double tileLatency = 16;
};

/// Rates of one SM of a GPU per cycle that the analytical model needs
/// (Analysis/GpuModel) and `Machine` does not have; without meaning on
/// CPUs. The initial values are those of Volta, GA100 and later data center
/// devices.
struct SmModel {
  /// Lanes of a warp that the load/store units process per cycle.
  double loadStoreLanes = 32;
  /// Bytes that shared memory delivers per cycle.
  double sharedBytesPerCycle = 128;
  /// Multiply-adds per cycle of dense products by mma.sync: of f16 and bf16,
  /// and of tf32, with f32 accumulators; of bytes with i32 accumulators; of f16
  /// with f16 accumulators. 0 if the device has none, or if the rate is not
  /// known.
  double halfTensorRate = 0;
  double tf32TensorRate = 0;
  double byteTensorRate = 0;
  double halfSumTensorRate = 0;
};

/// The description of a device for the analysis, the search space and the code
/// generators. Plain data: created by `knownMachine`, `queryHostCpu`,
/// `readMachine` or by hand, never changed by a pass.
///
/// The PSA symbols named below are those of Pruner (ASPLOS 2025), section 4.1:
/// level l0 is one thread (on CPUs: the registers of a core), l1 one block or
/// SM (on CPUs: a core), l2 the whole device. `S1..S8` are those of the
/// program.
///
/// All sizes are in bytes and all rates in units per second. A number that does
/// not exist on the device (shared memory of a CPU, L3 of a GPU) is 0.
struct Machine {
  enum class Kind { Cpu, Gpu };

  /// "<family>:<model>", for example "nvidia:h200" or "cpu:znver3".
  std::string name;
  Kind kind = Kind::Cpu;
  /// The target of the code generator: "sm_90a", or LLVM's CPU name.
  std::string arch;
  /// LLVM's feature string ("+avx2,-amx-tile"); if empty, the features of
  /// `arch`. A virtual machine may hide features that its `arch` normally has.
  std::string features;
  /// The machine has features of its own, but `features` does not state them:
  /// it was made from a key. It counts as having every instruction.
  bool unknownFeatures = false;

  /// Peak f32 rate, FLOP/s (one FMA = 2). Symbol T_p. The whole device on
  /// GPUs, **one core** on CPUs.
  double peakFlops = 0;
  /// Main memory bandwidth, bytes/s. Symbol T_m. Same scope as `peakFlops`: the
  /// device on GPUs, one core on CPUs.
  double memoryBandwidth = 0;

  /// SMs on GPUs, cores this process may use on CPUs. Symbol pu_l2.
  int64_t units = 0;
  /// Warp schedulers in one SM; 1 on CPUs. Symbol pu_l1.
  int64_t schedulersPerUnit = 0;
  /// Threads that issue together: the warp size, or on CPUs the f32 elements
  /// of one SIMD register. Symbol n_l1.
  int64_t lanes = 0;

  /// Accumulator and operand elements (32 bit each) that a thread may hold
  /// before the analytical model charges for them. Symbol m_l0 (v1: n_r*). On
  /// CPUs vectorRegisters * lanes.
  int64_t registersPerThread = 0;
  /// 32-bit registers that a thread can address (255 on NVIDIA since sm_35). On
  /// CPUs equal to `registersPerThread`.
  int64_t maxRegistersPerThread = 0;
  /// 32-bit registers of one SM; on CPUs equal to `registersPerThread`.
  int64_t registersPerUnit = 0;

  /// Shared memory that a block may use without opting in, bytes. Symbol m_l1
  /// if the kernel does not opt in.
  int64_t sharedBytesPerBlock = 0;
  /// Shared memory a block may use after opting in (dynamic), bytes. Symbol
  /// m_l1 otherwise. At least `sharedBytesPerBlock`.
  int64_t sharedBytesPerBlockOptIn = 0;
  /// Shared memory of one SM, bytes; limits the number of resident blocks.
  int64_t sharedBytesPerUnit = 0;

  /// Maximum number of threads in one block; 1 on CPUs.
  int64_t maxThreadsPerBlock = 0;
  /// Maximum number of threads resident on one SM; 1 on CPUs.
  int64_t maxThreadsPerUnit = 0;
  /// Maximum number of blocks resident on one SM; 1 on CPUs.
  int64_t maxBlocksPerUnit = 0;
  /// Blocks that one SM executes at a time in the wave term of the analytical
  /// model. Symbol n_b, so that B* = units * activeBlocksPerUnit. 1 in the
  /// released Pruner code.
  int64_t activeBlocksPerUnit = 0;
  /// Warps that one SM executes at a time in the wave term of the analytical
  /// model. Symbol n_w, so that W* = units * activeWarpsPerUnit. 4 in the
  /// released Pruner code.
  int64_t activeWarpsPerUnit = 0;
  /// Maximum number of virtual threads (strided copies of a thread's tile); 1
  /// on CPUs. The released Pruner code has warp / 4 = 8.
  int64_t maxVirtualThreads = 0;

  /// Size of the smallest transfer from main memory, bytes. Symbol n_l2 (in
  /// elements: transactionBytes / element size). On NVIDIA GPUs this is the
  /// 32-byte sector, not the 128-byte line: the accesses of a warp become "as
  /// many 32-byte transactions as needed" (CUDA C++ Best Practices Guide,
  /// 10.2.1, for compute capability 6.0 and above; 3.x devices read global
  /// memory through L2 in the same 32-byte segments, CUDA C++ Programming
  /// Guide, compute capability 3.x). On CPUs it is the cache line.
  int64_t transactionBytes = 0;

  /// First-level data cache of one SM (together with shared memory if they are
  /// unified) or core, bytes.
  int64_t l1Bytes = 0;
  /// Second-level cache, bytes: of the device on GPUs, of one core on CPUs.
  int64_t l2Bytes = 0;
  /// Last-level cache, bytes: shared by the cores of one cluster on CPUs; 0 on
  /// GPUs.
  int64_t l3Bytes = 0;

  /// Architectural SIMD registers of a CPU (16 or 32 on x86, 32 on AArch64); 0
  /// on GPUs.
  int64_t vectorRegisters = 0;
  /// Bytes of one SIMD register; on GPUs 16, the widest load of a thread.
  int64_t vectorBytes = 0;

  /// Main memory, bytes.
  int64_t memoryBytes = 0;
  /// Clock used for `peakFlops`, MHz: boost on GPUs, the highest known on CPUs.
  double clockMHz = 0;

  CoreModel core;
  SmModel sm;

  /// Sources of the numbers and assumptions, as text. Only printed.
  std::vector<std::string> notes;

  bool isCpu() const { return kind == Kind::Cpu; }
  bool isGpu() const { return kind == Kind::Gpu; }

  /// Whether a GPU copies from global to shared memory without registers
  /// (cp.async, since sm_80).
  bool copiesAsynchronously() const;

  /// Elements of `elementBytes` bytes in one SIMD register or widest load.
  int64_t vectorElements(int64_t elementBytes) const {
    return elementBytes > 0 ? vectorBytes / elementBytes : 0;
  }

  /// Text that is equal for two machines exactly if a measurement on one is
  /// valid for the other. It holds name, architecture, features and every
  /// number that decides which kernels exist or how fast they run. Rates and
  /// clocks are left out, because the name implies them on GPUs, and because
  /// readings on CPUs differ from one start to the next. Caches of GPUs are
  /// left out as well, and so are numbers that are 0. The text has no spaces
  /// and no newline.
  std::string key() const;

  /// The machine that a key describes, as far as the key states it: features
  /// are empty and may be unknown, and rates are 0 except for GPUs that are
  /// known by name.
  /// std::nullopt if no machine has that key.
  static std::optional<Machine> fromKey(const std::string &key);

  /// The first rule that this machine violates, with its numbers. Checks signs
  /// and the relations between fields stated above.
  std::optional<std::string> invalid() const;
};

bool operator==(const Machine &a, const Machine &b);
inline bool operator!=(const Machine &a, const Machine &b) { return !(a == b); }

} // namespace pruner

#endif // PRUNER_MACHINE_MACHINE_H
