//===- Machine.h - device facts as plain data -------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_MACHINE_MACHINE_H
#define PRUNER_MACHINE_MACHINE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// How one core of a CPU works through a loop, as far as the analytical model
/// asks (Analysis/PsaCpu.cpp); without meaning on GPUs. Cycles are those of
/// `Machine::clockMHz`. The initial values stand for a wide out-of-order core;
/// `pruner-machine cpu --measure` replaces those that it can measure.
struct CoreModel {
  /// Cycles until the result of a multiply-add is an operand of the next one. 4
  /// on Intel cores since Skylake and AMD cores since Zen 3 (their optimization
  /// guides).
  double fmaLatency = 4;
  /// Vector loads and stores that hit the first-level cache, per cycle: two
  /// load ports and one store port of vector width on the same cores.
  double loadsPerCycle = 2;
  double storesPerCycle = 1;
  /// Operations per cycle (6 since Zen 1 and Golden Cove), and those that an
  /// iteration of a loop costs: a step and a branch.
  double issueWidth = 6;
  double loopOverhead = 2;
  /// A vector division, and a mathematical function written out, in vector
  /// additions.
  double divideCost = 5;
  double functionCost = 12;
  /// Sustained from the second-level cache to the first, bytes per cycle: half
  /// a line. A line takes this way in two cycles and waits for one that leaves.
  double l2BytesPerCycle = 32;
  /// A vector that is packed: fetched, masked and put where it belongs. Fitted
  /// to 2,500 schedules of two networks' tasks (AVX-512, Xeon).
  double copyCycles = 3;
  /// From the last-level cache, bytes/s of one core; 0 where it is not known,
  /// and then taken to be the geometric mean of the rates around it.
  double l3Bandwidth = 0;
  /// The four below were fitted to matrix products that differ in one knob, on
  /// one core (Zen 3). Cycles around a reduction loop, whose end is
  /// mispredicted: 40 there, next to none on a Xeon that runs far ahead.
  double restartCycles = 20;
  /// Cycles of a line of the second-level cache that no prefetcher foresaw.
  double lineMissCycles = 5;
  /// Cycles around a row that is packed, and where it may be cut.
  double rowCycles = 3;
  double paddedRowCycles = 15;
  /// Bytes beyond whose end no prefetcher reads.
  double pageBytes = 4096;
};

/// What one SM of a GPU does in a cycle, as far as the analytical model asks
/// (Analysis/PsaThroughput.cpp) and `Machine` does not tell; without meaning on
/// CPUs. The initial values are those of Volta, GA100 and later data centre
/// devices.
struct SmModel {
  /// Lanes of a warp that its load/store units take in a cycle.
  double loadStoreLanes = 32;
  /// Bytes that shared memory delivers in a cycle.
  double sharedBytesPerCycle = 128;
};

/// What the analysis, the search space and the code generators know about a
/// device. Plain data: made by `knownMachine`, `queryHostCpu`, `readMachine` or
/// by hand, never changed by a pass.
///
/// The PSA symbols named below are those of Pruner (ASPLOS 2025), section 4.1:
/// level l0 is one thread (on CPUs: the registers of a core), l1 one block or
/// SM (on CPUs: a core), l2 the whole device. `S1..S8` are the program's.
///
/// Every size is in bytes, every rate in units per second; a number that does
/// not exist on the device (shared memory of a CPU, L3 of a GPU) is 0.
struct Machine {
  enum class Kind { Cpu, Gpu };

  /// "<family>:<model>", for example "nvidia:h200" or "cpu:znver3".
  std::string name;
  Kind kind = Kind::Cpu;
  /// What the code generator is asked for: "sm_90a", or LLVM's CPU name.
  std::string arch;
  /// LLVM's feature string ("+avx2,-amx-tile"); empty = those of `arch`.
  /// A virtual machine may hide what its `arch` normally has.
  std::string features;

  /// Peak f32 rate, FLOP/s (one FMA = 2). Symbol T_p. The whole device on
  /// GPUs, **one core** on CPUs.
  double peakFlops = 0;
  /// Main memory bandwidth, bytes/s. Symbol T_m. Of the same scope as
  /// `peakFlops`: the device's on GPUs, what one core reaches on CPUs.
  double memoryBandwidth = 0;

  /// SMs on GPUs, cores this process may use on CPUs. Symbol pu_l2.
  int64_t units = 0;
  /// Warp schedulers in one SM; 1 on CPUs. Symbol pu_l1.
  int64_t schedulersPerUnit = 0;
  /// Threads that issue together: the warp size, or on CPUs the f32 elements
  /// of one SIMD register. Symbol n_l1.
  int64_t lanes = 0;

  /// Accumulator and operand elements (32 bit each) a thread may hold before
  /// PSA charges for it. Symbol m_l0 (v1: n_r*). On CPUs vectorRegisters *
  /// lanes.
  int64_t registersPerThread = 0;
  /// 32-bit registers a thread can address at all (255 on NVIDIA since
  /// sm_35). On CPUs equal to `registersPerThread`.
  int64_t maxRegistersPerThread = 0;
  /// 32-bit registers of one SM; on CPUs equal to `registersPerThread`.
  int64_t registersPerUnit = 0;

  /// Shared memory a block may use without asking, bytes. Symbol m_l1 when the
  /// kernel does not opt in.
  int64_t sharedBytesPerBlock = 0;
  /// Shared memory a block may use after opting in (dynamic), bytes. Symbol
  /// m_l1 otherwise. At least `sharedBytesPerBlock`.
  int64_t sharedBytesPerBlockOptIn = 0;
  /// Shared memory of one SM, bytes; limits how many blocks fit.
  int64_t sharedBytesPerUnit = 0;

  /// Threads in one block, at most; 1 on CPUs.
  int64_t maxThreadsPerBlock = 0;
  /// Threads resident on one SM, at most; 1 on CPUs.
  int64_t maxThreadsPerUnit = 0;
  /// Blocks resident on one SM, at most; 1 on CPUs.
  int64_t maxBlocksPerUnit = 0;
  /// Blocks one SM works on at a time in PSA's wave term. Symbol n_b, so that
  /// B* = units * activeBlocksPerUnit. The released Pruner code has 1.
  int64_t activeBlocksPerUnit = 0;
  /// Warps one SM works on at a time in PSA's wave term. Symbol n_w, so that
  /// W* = units * activeWarpsPerUnit. The released Pruner code has 4.
  int64_t activeWarpsPerUnit = 0;
  /// Virtual threads (strided copies of a thread's tile), at most; 1 on CPUs.
  /// The released Pruner code has warp / 4 = 8.
  int64_t maxVirtualThreads = 0;

  /// Smallest piece of main memory that is moved, bytes. Symbol n_l2 (in
  /// elements: transactionBytes / element size). On NVIDIA GPUs the 32-byte
  /// sector and not the 128-byte line: a warp's accesses become "as many
  /// 32-byte transactions as needed" (CUDA C++ Best Practices Guide, 10.2.1,
  /// for compute capability 6.0 and above; 3.x devices read global memory
  /// through L2 in the same 32-byte segments, CUDA C++ Programming Guide,
  /// compute capability 3.x). On CPUs the cache line.
  int64_t transactionBytes = 0;

  /// First-level data cache of one SM (together with shared memory where they
  /// are one array) or core, bytes.
  int64_t l1Bytes = 0;
  /// Second-level cache, bytes: of the device on GPUs, of one core on CPUs.
  int64_t l2Bytes = 0;
  /// Last-level cache, bytes: shared between the cores of one cluster on CPUs;
  /// 0 on GPUs.
  int64_t l3Bytes = 0;

  /// Architectural SIMD registers of a CPU (16 or 32 on x86, 32 on AArch64); 0
  /// on GPUs.
  int64_t vectorRegisters = 0;
  /// Bytes of one SIMD register; on GPUs 16, the widest load of a thread.
  int64_t vectorBytes = 0;

  /// Main memory, bytes.
  int64_t memoryBytes = 0;
  /// Clock behind `peakFlops`, MHz: boost on GPUs, the highest known on CPUs.
  double clockMHz = 0;

  CoreModel core;
  SmModel sm;

  /// Where numbers come from and what was assumed rather than read, in words;
  /// printed, never computed with.
  std::vector<std::string> notes;

  bool isCpu() const { return kind == Kind::Cpu; }
  bool isGpu() const { return kind == Kind::Gpu; }

  /// Elements of `elementBytes` bytes in one SIMD register or widest load.
  int64_t vectorElements(int64_t elementBytes) const {
    return elementBytes > 0 ? vectorBytes / elementBytes : 0;
  }

  /// Text that is equal exactly when a measurement on one machine may stand for
  /// one on the other: name, architecture, features and every number that
  /// decides which kernels exist or how fast they run. Rates and clocks are
  /// left out, as are caches of GPUs: the name implies them on GPUs, and on
  /// CPUs rates are readings that differ from one start to the next. A number
  /// that is 0 is left out. No spaces, no newline.
  std::string key() const;

  /// The machine that a key speaks of, as far as it does: features are empty,
  /// and rates 0 but for GPUs that are known by name. Nothing if no machine has
  /// that key.
  static std::optional<Machine> fromKey(const std::string &key);

  /// The first rule this machine breaks, with its numbers, or nothing. Checks
  /// signs and the relations between the fields stated above.
  std::optional<std::string> invalid() const;
};

bool operator==(const Machine &a, const Machine &b);
inline bool operator!=(const Machine &a, const Machine &b) { return !(a == b); }

} // namespace pruner

#endif // PRUNER_MACHINE_MACHINE_H
