//===- PsaThroughput.h - the draft model on GPUs, in cycles -----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_ANALYSIS_PSATHROUGHPUT_H
#define PRUNER_LIB_ANALYSIS_PSATHROUGHPUT_H

#include "PsaDetail.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace pruner::detail {

/// Byte addresses of the lanes of a warp.
using Addresses = llvm::SmallVector<int64_t, 64>;
/// Numbers of loops, the fastest first.
using Loops = llvm::SmallVector<unsigned, 12>;

/// Passes of shared memory for one load or store of a warp, at `address` of
/// each lane, `bytes` long. Lanes that together take at most a word of each
/// bank are served at a time; different words of a bank take a pass each.
double bankPasses(llvm::ArrayRef<int64_t> address, double bytes,
                  double bytesPerCycle);
/// Pieces of `piece` bytes that a warp touches.
double pieces(llvm::ArrayRef<int64_t> address, int64_t piece);

/// Bytes of a line, which one pass of the load/store units takes.
inline constexpr int64_t kLineBytes = 128;
/// 32-bit registers of a thread for addresses and counters.
inline constexpr double kBaseRegisters = 24;

/// Lanes of an SM that multiply and add.
double multiplyAddLanes(const Machine &machine);

/// What a loop is to a thread.
enum class Role : uint8_t {
  Block,  ///< Which block it belongs to.
  Thread, ///< Which thread it is.
  Step,   ///< Iterations that begin with copies to shared memory.
  Loop,   ///< Iterations that stay a loop.
  Copy,   ///< Virtual threads.
  Body,   ///< Written out.
};

/// A statement with the roles of its loops.
class Nest {
public:
  /// `steps`: how many serial loops, counted from outside, begin with copies.
  Nest(const ProgramSummary &program, const StatementSummary &statement,
       unsigned steps);

  /// Product of the extents of the loops of these roles.
  template <typename... R> double trips(R... wanted) const {
    double result = 1;
    for (auto [role, loop] : llvm::zip_equal(roles, statement.loops))
      if (((role == wanted) || ...))
        result *= double(loop.extent);
    return result;
  }
  /// The loops of these roles that move the address.
  template <typename... R>
  Loops moving(const AccessSummary &access, R... wanted) const {
    Loops loops;
    for (unsigned l = roles.size(); l-- > 0;)
      if (((roles[l] == wanted) || ...) && access.strides[l] != 0 &&
          statement.loops[l].extent > 1)
        loops.push_back(l);
    return loops;
  }

  /// Product of their extents.
  template <typename... R>
  double moved(const AccessSummary &access, R... wanted) const {
    double result = 1;
    for (unsigned l : moving(access, wanted...))
      result *= double(statement.loops[l].extent);
    return result;
  }

  /// How far an iteration of loop `l` moves each coordinate of the tensor.
  llvm::ArrayRef<int64_t> movesOf(const AccessSummary &access,
                                  unsigned l) const {
    size_t rank = bufferOf(access).tensorShape.size();
    return llvm::ArrayRef(access.moves).slice(l * rank, rank);
  }

  static bool isSerial(const LoopSummary &loop) {
    return loop.level == LoopLevel::Serial;
  }

  /// Where the first `lanes` lanes access, each `step` iterations behind the
  /// one before; `digits`: the loops that count these.
  Addresses addresses(const AccessSummary &access, const Loops &digits,
                      int64_t lanes, int64_t step = 1) const;
  /// Those of the first warp, with the other loops at 0.
  Addresses laneAddresses(const AccessSummary &access,
                          const Machine &machine) const;
  /// How far a run of contiguous elements grows over `loops`; those that it
  /// grew over are taken out.
  int64_t contiguousRun(const AccessSummary &access, Loops &loops) const;
  /// The widest load of a power of two of elements that divides `run`.
  int64_t widest(int64_t run, const AccessSummary &access,
                 const Machine &machine) const;
  /// The widest load that the runs of the body allow wherever they begin.
  int64_t loadWidth(const AccessSummary &access, const Machine &machine) const;
  const BufferSummary &bufferOf(const AccessSummary &access) const {
    return program.buffers[access.buffer];
  }

  const ProgramSummary &program;
  const StatementSummary &statement;
  llvm::SmallVector<Role, 12> roles;
};

/// What one warp does for a statement of one block, from start to end.
struct WarpWork {
  double issue = 0;        ///< Instructions.
  double multiplyAdds = 0; ///< Those of them for the floating-point lanes.
  double integer = 0;      ///< Those of them for addresses.
  double passes = 0;       ///< Of the load/store units.
  double wait = 0;         ///< Cycles in a row in which it cannot go on.

  WarpWork times(double n) const {
    return {n * issue, n * multiplyAdds, n * integer, n * passes, n * wait};
  }
};

/// A statement that accumulates.
class Reduction {
public:
  Reduction(const Nest &nest, const Machine &machine);

  /// 32-bit registers that a thread needs.
  double registers = 0;

  /// `spilled`: how many of these it does not get.
  WarpWork work(const Nest &nest, const Machine &machine, double spilled) const;

private:
  struct Operand {
    double loads = 0;     ///< Of the body that is written out.
    double passes = 0;    ///< Of the load/store units for one load.
    bool inPlace = false; ///< From main memory, with an address of each lane.
  };
  llvm::SmallVector<Operand, 4> operands;
  double accumulators = 1;
};

/// Copies to shared memory. `waits`: no other copy of the step waits longer.
WarpWork copyWork(const Nest &nest, const Machine &machine, bool waits);

/// Everything else: elementwise work, first values, results.
WarpWork elementwiseWork(const Nest &nest, const Machine &machine);

/// Bytes of main memory that all blocks read, `wave` at a time: the blocks of a
/// wave run together and share what they read, neighbours first, and L2 keeps
/// what it has room for from step to step and from wave to wave.
double bytesRead(const Nest &nest, const AccessSummary &access, double wave,
                 const Machine &machine);
/// Bytes that all blocks write, and those of sectors that blocks share.
double bytesWritten(const Nest &nest, const AccessSummary &access, double wave,
                    const Machine &machine);

} // namespace pruner::detail

#endif // PRUNER_LIB_ANALYSIS_PSATHROUGHPUT_H
