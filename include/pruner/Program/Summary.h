//===- Summary.h - the input of the analysis and the models -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// ProgramSummary is everything that the analytical model and the features of
// the learned models read about a program. The legality rules do not use it;
// they read the closed forms of Sketch/Resources.h. A summary has two
// producers, which must agree field by field: `summarize(TiledProgram)` here,
// without IR, and `Analysis/SummaryFromIR.h`, which reads a program of the
// `pruner` dialect.
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
  /// Extents of the tensor of which the buffer holds all or a part.
  llvm::SmallVector<int64_t, 4> tensorShape;
  /// Elements allocated (per thread for local, per block for shared memory).
  int64_t elements = 0;
  /// Trip count of all loops around the allocation (1 for arguments).
  int64_t allocTrips = 1;
  bool operator==(const BufferSummary &other) const;
};

/// The access of one statement to one buffer.
struct AccessSummary {
  // Not defaulted: value initialization would zero the inline storage, and
  // search creates millions of these.
  AccessSummary() {}
  int buffer = -1;
  AccessKind kind = AccessKind::Read;
  /// For each loop of the statement the distance in elements between the
  /// addresses of consecutive iterations; 0 if the loop does not move the
  /// access.
  llvm::SmallVector<int64_t, 24> strides;
  /// For each loop and each coordinate of the tensor, loop by loop, how far one
  /// iteration moves the coordinate.
  llvm::SmallVector<int64_t, 72> moves;
  /// footprints[l] is the number of distinct elements that loops l, l+1, ...
  /// access (a box, clipped to the tensor). There is one more entry than loops;
  /// the last is 1.
  llvm::SmallVector<int64_t, 25> footprints;
  /// Elements of the longest contiguous run that one execution of the
  /// statement's own loops accesses (S7, L2TransDim).
  int64_t contiguous = 1;
  bool operator==(const AccessSummary &other) const;
};

enum class StatementKind : uint8_t { Stage, Init, Update, Finish, Map };

/// "stage", "init", "update", "finish" or "map".
llvm::StringRef statementKindName(StatementKind kind);

struct StatementSummary {
  StatementSummary() {} // As in AccessSummary.
  /// Number of the kernel.
  unsigned kernel = 0;
  StatementKind kind = StatementKind::Map;
  /// All enclosing loops and the statement's own, outermost first.
  llvm::SmallVector<LoopSummary, 24> loops;
  /// How many of `loops`, counted from the innermost, belong to the statement
  /// itself.
  unsigned ownLoops = 0;
  /// How many of `loops`, counted from the outermost, also surround the
  /// preceding statement.
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
  /// The number of buffers, and whether asynchronous copies fill them (staging
  /// on GPUs; see StageNode).
  int64_t buffers = 1;
  bool async = false;
  /// Positions outside of the tensor are filled (staging).
  bool padded = false;
  /// The tensor dimension along which the rows of the buffer lie, and the
  /// distance of their elements in it (staging); -1 without rows.
  int rowDim = -1;
  int64_t rowStep = 1;
  /// Prefetches the parts of arguments that a later iteration reads. Epilogues
  /// are not counted: what they fetch is the same in all schedules.
  bool fetchesAhead = false;
  /// Stores around the caches.
  bool nontemporal = false;
  /// The share of the points that an update computes; it omits executions of
  /// the register tile that only read padding.
  double insideShare = 1;
  /// The instruction that computes the register tile, or null.
  const MatrixInstruction *instruction = nullptr;

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

/// The resources of a kernel.
struct KernelShape {
  /// Launch shape. GPU: blocks, threads of a block, virtual threads. CPU:
  /// chunks for the cores, 1, 1.
  int64_t grid = 1, block = 1, vthreads = 1;
  /// Bytes of shared memory per block, and of local buffers per thread or core.
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
  /// GPU: iterations of serial loops that are unrolled completely. CPU: copies
  /// of the innermost reduction body.
  int64_t unrollMaxStep = 0;

  const KernelShape &kernelOf(const StatementSummary &statement) const {
    return kernels[statement.kernel];
  }
  /// Whether a later statement writes to the same buffer as statement `index`.
  /// Models use one row per distinct stored buffer, that of the last store, so
  /// the initialization of a product does not count.
  bool isOverwritten(unsigned index) const;
  bool operator==(const ProgramSummary &other) const;
};

/// The summary of a tiled program, without IR.
ProgramSummary summarize(const TaskDesc &task, const TiledProgram &program);

/// Completes an access whose buffer, kind and moves are set. `insideOrigin`
/// states which loops are part of the origin of the buffer; empty if none is.
void summarizeAccess(const BufferDesc &buffer,
                     llvm::ArrayRef<LoopSummary> loops,
                     llvm::ArrayRef<bool> insideOrigin, unsigned ownLoops,
                     AccessSummary &access);

/// Enlarges the launch shape and the register tile of the statement's kernel to
/// what `statement` needs.
void addLaunchShape(ProgramSummary &summary, const StatementSummary &statement);

/// Readable text with one field per line, for tests and reports.
std::string toString(const ProgramSummary &summary);

} // namespace pruner

#endif // PRUNER_PROGRAM_SUMMARY_H
