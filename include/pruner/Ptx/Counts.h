//===- Counts.h - counts of a PTX kernel ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_PTX_COUNTS_H
#define PRUNER_PTX_COUNTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace pruner::ptx {

/// The pipe that executes an instruction on NVIDIA's GPUs since Volta. An
/// instruction of PTX that becomes several of machine code counts once, in the
/// pipe that does most of its work.
enum class Pipe : uint8_t {
  Fma,     ///< f32 sums and products; products of integers.
  Alu,     ///< Sums of integers, logic, comparisons, minima, moves.
  Half,    ///< f16 and bf16.
  Fp64,    ///< f64.
  Xu,      ///< Transcendental functions, divisions, conversions.
  Lsu,     ///< Memory, shuffles, votes.
  Control, ///< Branches and barriers.
  Tensor,  ///< Matrix instructions.
};
constexpr unsigned kNumPipes = 8;
llvm::StringRef pipeName(Pipe pipe);

/// Executions of some instructions: by warps, and by the threads whose guard
/// was true.
struct Executions {
  uint64_t warps = 0, threads = 0;
  Executions &operator+=(const Executions &other);
};

/// Requests of warps to one memory.
struct MemoryCounts {
  uint64_t requests = 0;
  uint64_t bytes = 0; ///< Over all threads.
  /// Shared memory: passes over the 32 banks of 4 bytes. One pass serves any
  /// number of threads that access the same word of a bank. Accesses of 8 bytes
  /// are served by half warps, those of 16 bytes by quarters.
  uint64_t wavefronts = 0;
  /// The passes that accesses without bank conflicts would take.
  uint64_t idealWavefronts = 0;
  /// Global memory: different blocks of 32 bytes, summed over the requests.
  uint64_t sectors = 0;
  MemoryCounts &operator+=(const MemoryCounts &other);
};

/// What a kernel contains, and what a launch executed.
struct Counts {
  // Of the text.
  uint64_t instructions = 0;
  std::array<uint64_t, kNumPipes> pipes = {};
  std::map<std::string, uint64_t> opcodes; ///< By full name.
  uint64_t sharedBytes = 0, localBytes = 0;

  // Of a launch.
  uint64_t blocks = 0, threads = 0;
  uint64_t steps = 0; ///< In the sense of LaunchOptions::stepLimit.
  Executions executed;
  std::array<Executions, kNumPipes> executedPipes = {};
  std::map<std::string, Executions> executedOpcodes;
  MemoryCounts sharedLoads, sharedStores, asyncCopies;
  /// Global loads include the sources of asynchronous copies.
  MemoryCounts globalLoads, globalStores;
  uint64_t barriers = 0; ///< Completed, summed over blocks.
  uint64_t shuffles = 0; ///< By warps.

  /// Adds the launch of `other` to this one.
  void addLaunch(const Counts &other);
};

llvm::json::Object toJSON(const Counts &counts);

} // namespace pruner::ptx

#endif // PRUNER_PTX_COUNTS_H
