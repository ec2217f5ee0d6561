//===- Summary.h - what the analysis and the models see ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// ProgramSummary is all that the analytical model, the features and the
// legality rules look at. It has two producers that must agree field by field:
// `summarize(TiledProgram)` here, with no IR, and `Analysis/SummaryFromIR.h`,
// which reads a program of the `pruner` dialect.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_PROGRAM_SUMMARY_H
#define PRUNER_PROGRAM_SUMMARY_H

#include "pruner/Program/TiledProgram.h"

#include "llvm/ADT/STLExtras.h"

namespace pruner {

enum class AccessKind : uint8_t { Read, Write, ReadWrite };

/// One loop around a statement. `dim` is the anchor dimension, or -1 for a
/// loop over a coordinate of a staged tensor.
struct LoopSummary {
  int dim = -1;
  int64_t extent = 1;
  LoopLevel level = LoopLevel::Serial;
  bool reduction = false;
  bool operator==(const LoopSummary &other) const {
    return dim == other.dim && extent == other.extent && level == other.level &&
           reduction == other.reduction;
  }
};

struct BufferSummary {
  std::string name;
  MemoryLevel level = MemoryLevel::Global;
  int64_t elementBytes = 4;
  /// Coordinates of the tensor that is held, or held in part.
  llvm::SmallVector<int64_t, 4> tensorShape;
  /// Elements allocated (per thread for local, per block for shared memory).
  int64_t elements = 0;
  /// Trip count of all loops around the allocation (1 for arguments).
  int64_t allocTrips = 1;
  bool operator==(const BufferSummary &other) const;
};

/// One buffer touched by one statement.
struct AccessSummary {
  // Not defaulted, as a search makes millions: all of its room for loops
  // would be zeroed first.
  AccessSummary() {}
  int buffer = -1;
  AccessKind kind = AccessKind::Read;
  /// Per loop of the statement: the distance in elements between the addresses
  /// of two consecutive iterations (0: the loop does not move the access).
  llvm::SmallVector<int64_t, 24> strides;
  /// Per loop and coordinate of the tensor, loop by loop: how far one iteration
  /// moves the coordinate.
  llvm::SmallVector<int64_t, 72> moves;
  /// footprints[l]: distinct elements touched by loops l, l+1, ... (a box,
  /// clipped to the tensor); one more entry than loops, the last is 1.
  llvm::SmallVector<int64_t, 25> footprints;
  /// Elements in the longest contiguous run that one execution of the
  /// statement's own loops touches (S7, L2TransDim).
  int64_t contiguous = 1;
  bool operator==(const AccessSummary &other) const;
};

enum class StatementKind : uint8_t { Stage, Init, Update, Finish, Map };

/// "stage", "init", "update", "finish" or "map".
llvm::StringRef statementKindName(StatementKind kind);

struct StatementSummary {
  StatementSummary() {} // As AccessSummary's.
  /// Number of the kernel.
  unsigned kernel = 0;
  StatementKind kind = StatementKind::Map;
  /// All enclosing loops and the statement's own, outermost first.
  llvm::SmallVector<LoopSummary, 24> loops;
  /// How many of `loops`, counted from the innermost, are the statement's own.
  unsigned ownLoops = 0;
  /// How many of `loops`, counted from the outermost, are also loops of the
  /// statement before: of one tree of loops, in which both are leaves.
  unsigned sharedLoops = 0;
  /// Buffers read, in operand order, then the one written (ReadWrite for an
  /// accumulator).
  llvm::SmallVector<AccessSummary, 4> accesses;
  /// Operations per iteration point.
  OpCounts ops;
  /// Threads that share the statement's own loops (staging), else 1.
  int64_t sharingThreads = 1;
  /// Elements per memory operation (staging) or vector lanes.
  int64_t vector = 1;
  /// What lies outside of the tensor is filled (staging).
  bool padded = false;
  /// The dimension of the tensor along which the buffer's rows lie, and how far
  /// apart in it their elements are (staging); -1 where there are no rows.
  int rowDim = -1;
  int64_t rowStep = 1;
  /// It fetches into the cache what a later iteration reads of arguments.
  bool fetchesAhead = false;

  const AccessSummary &written() const { return accesses.back(); }
  bool touches(int buffer) const {
    return llvm::any_of(accesses, [&](const AccessSummary &access) {
      return access.buffer == buffer;
    });
  }
  /// Product of the extents of all loops that satisfy `pred`.
  template <typename Pred> int64_t trips(Pred pred) const {
    int64_t product = 1;
    for (const LoopSummary &loop : loops)
      if (pred(loop))
        product *= loop.extent;
    return product;
  }
  int64_t totalTrips() const {
    return trips([](const LoopSummary &) { return true; });
  }
  bool operator==(const StatementSummary &other) const;
};

/// What a kernel occupies.
struct KernelShape {
  /// Launch shape: blocks, threads of a block, virtual threads (GPU); cores'
  /// chunks, 1, 1 (CPU).
  int64_t grid = 1, block = 1, vthreads = 1;
  /// Bytes of shared memory of a block; of local buffers of a thread or core.
  int64_t sharedBytes = 0, localBytes = 0;
  /// Elements of the register tile (accumulators of one thread).
  int64_t accumulators = 0;
  bool operator==(const KernelShape &other) const;
};

struct ProgramSummary {
  bool gpu = false;
  /// The kernel's arguments, then buffers in the order of their allocation.
  std::vector<BufferSummary> buffers;
  std::vector<StatementSummary> statements;
  /// One for each kernel; they run one after the other.
  llvm::SmallVector<KernelShape, 1> kernels;
  /// Iterations of serial loops that are unrolled completely (GPU); copies of
  /// the innermost reduction body (CPU).
  int64_t unrollMaxStep = 0;

  const KernelShape &kernelOf(const StatementSummary &statement) const {
    return kernels[statement.kernel];
  }
  /// Whether a later statement writes to the buffer that statement `index`
  /// writes to. Models have one row per distinct stored buffer, that of the
  /// last store: a product's initialisation does not count.
  bool isOverwritten(unsigned index) const;
  bool operator==(const ProgramSummary &other) const;
};

/// The summary of a tiled program (producer B, no IR).
ProgramSummary summarize(const TaskDesc &task, const TiledProgram &program);

/// Completes an access whose buffer, kind and moves are there. `insideOrigin`:
/// which loops are part of the buffer's origin; empty: none.
void summarizeAccess(const BufferDesc &buffer,
                     llvm::ArrayRef<LoopSummary> loops,
                     llvm::ArrayRef<bool> insideOrigin, unsigned ownLoops,
                     AccessSummary &access);

/// Widens the launch shape and the register tile of the statement's kernel to
/// what `statement` needs.
void addLaunchShape(ProgramSummary &summary, const StatementSummary &statement);

/// Readable text, one field per line (used in tests and reports).
std::string toString(const ProgramSummary &summary);

} // namespace pruner

#endif // PRUNER_PROGRAM_SUMMARY_H
