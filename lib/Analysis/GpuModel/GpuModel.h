//===- GpuModel.h - the work of a warp ------------------------ -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_ANALYSIS_GPUMODEL_GPUMODEL_H
#define PRUNER_LIB_ANALYSIS_GPUMODEL_GPUMODEL_H

#include "../PsaDetail.h"

#include "pruner/Program/WarpInstruction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace pruner::detail {

/// The byte addresses of a warp's lanes.
using Addresses = llvm::SmallVector<int64_t, 64>;
/// Indices of loops, the fastest first.
using Loops = llvm::SmallVector<unsigned, 12>;

/// Passes of shared memory for one load or store of a warp: `address` is that
/// of each lane, `bytes` its length. Lanes whose data together fit one word of
/// each bank are served in one pass. Different words of a bank take a pass
/// each. With `merges`, two neighboring groups of such lanes are served
/// together if each of their lanes n has the address of lane n ^ 1, or each
/// that of lane n ^ 2: loads of 8 and 16 bytes from shared memory on an H200.
double bankPasses(llvm::ArrayRef<int64_t> address, double bytes,
                  double bytesPerCycle, bool merges = false);
/// Segments of `piece` bytes that a warp accesses.
double pieces(llvm::ArrayRef<int64_t> address, int64_t piece);

/// Bytes of a line, which the load/store units process in one pass.
inline constexpr int64_t kLineBytes = 128;
/// 32-bit registers of a thread for addresses and counters.
inline constexpr double kBaseRegisters = 24;

/// Floating-point lanes of an SM.
double multiplyAddLanes(const Machine &machine);

/// The role of a loop from the view of a thread.
enum class Role : uint8_t {
  Block,    ///< Selects the block.
  Thread,   ///< Selects the thread.
  Step,     ///< Iterations that begin with copies to shared memory.
  Loop,     ///< Iterations of a loop that is not unrolled.
  Copy,     ///< Virtual threads.
  Unrolled, ///< Unrolled.
};

/// A statement and the roles of its loops.
class Nest {
public:
  /// `steps` is the number of outer serial loops that begin with copies.
  Nest(const ProgramSummary &program, const StatementSummary &statement,
       unsigned steps);

  /// The product of the extents of the loops with these roles.
  template <typename... R> double trips(R... wanted) const {
    double result = 1;
    for (auto [role, loop] : llvm::zip_equal(roles, statement.loops))
      if (((role == wanted) || ...))
        result *= double(loop.extent);
    return result;
  }
  /// The loops with these roles that change the address.
  template <typename... R>
  Loops moving(const AccessSummary &access, R... wanted) const {
    Loops loops;
    for (unsigned l = roles.size(); l-- > 0;)
      if (((roles[l] == wanted) || ...) && access.strides[l] != 0 &&
          statement.loops[l].extent > 1)
        loops.push_back(l);
    return loops;
  }

  /// The product of their extents.
  template <typename... R>
  double moved(const AccessSummary &access, R... wanted) const {
    double result = 1;
    for (unsigned l : moving(access, wanted...))
      result *= double(statement.loops[l].extent);
    return result;
  }

  /// The strides of loop `l` in the coordinates of the tensor.
  llvm::ArrayRef<int64_t> movesOf(const AccessSummary &access,
                                  unsigned l) const {
    size_t rank = bufferOf(access).tensorShape.size();
    return llvm::ArrayRef(access.moves).slice(l * rank, rank);
  }

  static bool isSerial(const LoopSummary &loop) {
    return loop.level == LoopLevel::Serial;
  }

  /// Whether each thread reads the elements that `other`, a statement of the
  /// same kernel, reads by `others`, all in unrolled code. The generated code
  /// loads them once.
  bool rereads(const AccessSummary &access, const Nest &other,
               const AccessSummary &others) const;

  /// The addresses of the first `lanes` lanes, `step` iterations apart; the
  /// loops `digits` enumerate these iterations.
  Addresses addresses(const AccessSummary &access, const Loops &digits,
                      int64_t lanes, int64_t step = 1) const;
  /// The addresses of the first warp, with all other loops at 0.
  Addresses laneAddresses(const AccessSummary &access,
                          const Machine &machine) const;
  /// The length of the contiguous run that `loops` form. Removes the loops of
  /// the run from the list.
  int64_t contiguousRun(const AccessSummary &access, Loops &loops) const;
  /// The widest load of a power of two of elements that divides `run`.
  int64_t widest(int64_t run, const AccessSummary &access,
                 const Machine &machine) const;
  /// The widest load that is aligned for every start of an unrolled run.
  int64_t loadWidth(const AccessSummary &access, const Machine &machine) const;
  /// The terms of a sum that one load of `width` elements brings.
  double termsOfLoad(const AccessSummary &access, int64_t width) const;
  const BufferSummary &bufferOf(const AccessSummary &access) const {
    return program.buffers[access.buffer];
  }
  /// The copy that fills the buffer of an access, or null.
  const StatementSummary *copyOf(const AccessSummary &access) const;
  /// The update that reads what this copy fills, or null.
  const StatementSummary *updateOf(const AccessSummary &written) const;

  const ProgramSummary &program;
  const StatementSummary &statement;
  llvm::SmallVector<Role, 12> roles;
  /// The accesses of the statement that load nothing, because an earlier
  /// statement did, as a bit mask.
  uint64_t loaded = 0;
  bool isLoaded(const AccessSummary &access) const {
    return loaded >> (&access - statement.accesses.data()) & 1;
  }
};

/// The work of one warp for a statement of one block.
struct WarpWork {
  double issue = 0;        ///< Instructions.
  double multiplyAdds = 0; ///< Of these, for the floating-point lanes.
  double integer = 0;      ///< Of these, for addresses.
  double passes = 0;       ///< Passes of the load/store units.
  double wait = 0;         ///< Cycles in which the warp itself cannot issue.
  double tensor = 0;       ///< Cycles of all tensor cores of an SM.

  WarpWork &operator+=(const WarpWork &other) {
    issue += other.issue;
    multiplyAdds += other.multiplyAdds;
    integer += other.integer;
    passes += other.passes;
    wait += other.wait;
    tensor += other.tensor;
    return *this;
  }
  WarpWork times(double n) const {
    return {n * issue,  n * multiplyAdds, n * integer,
            n * passes, n * wait,         n * tensor};
  }
};

/// What one warp executes of an update by an instruction of warps.
struct MatrixCounts {
  double products = 0; ///< mma.sync.
  double steps = 0;    ///< Of the sum, with `sums` terms each.
  double loads = 0;    ///< ldmatrix, as in Conversion/PrunerToGPU. Windows that
                       ///< overlap may take fewer.
  double passes = 0;   ///< Passes of shared memory that the loads take.
  double conversions = 0; ///< Registers of fragments that are rounded to tf32.
  /// 32-bit registers of a thread that hold fragments of the inputs.
  double registers = 0;
};
MatrixCounts countMatrices(const Nest &nest, const Machine &machine);
/// The work of these; without that of loops and barriers.
WarpWork matrixWork(const Nest &nest, const MatrixCounts &counts,
                    const Machine &machine);
/// Cycles of a tensor core of `machine` for one product.
double productCycles(const WarpInstruction &instruction,
                     const Machine &machine);

/// A statement that accumulates.
class Reduction {
public:
  Reduction(const Nest &nest, const Machine &machine);

  /// 32-bit registers that a thread needs.
  double registers = 0;

  /// `spilled` of these registers are not available.
  WarpWork work(const Nest &nest, const Machine &machine, double spilled) const;

private:
  struct Operand {
    double loads = 0;  ///< Loads of the unrolled code.
    double passes = 0; ///< Passes of the load/store units for one load.
    /// Read from main memory, with an address for each lane.
    bool inPlace = false;
  };
  /// Adds instructions and barriers of loops around the unrolled code.
  static void addLoops(const Nest &nest, const Machine &machine, bool staged,
                       WarpWork &work);

  llvm::SmallVector<Operand, 4> operands;
  double accumulators = 1;
  /// Of an instruction of warps, which has no operands here.
  std::optional<MatrixCounts> matrices;
};

/// Copies to shared memory. `waits`: no other copy of the step waits longer.
/// `lost` of its `spareRegisters` are not available.
WarpWork copyWork(const Nest &nest, const Machine &machine, bool waits,
                  double lost);

/// Registers of a thread that hold the loaded values of a copy for the next
/// step during the current one.
double heldRegisters(const Nest &nest, const Machine &machine);

/// Registers of a thread that hold the addresses and bounds of copies for
/// tensor cores from step to step. The chunks of a thread have one address if
/// they are at constant distances, and else one each; every coordinate that can
/// be outside of the tensor has a bound.
double addressRegisters(const Nest &nest, const Machine &machine);

/// Those of them that a thread can do without, because it computes the
/// addresses again in each step: of copies through registers. Compilers keep
/// the addresses of asynchronous copies and spill them.
double spareRegisters(const Nest &nest, const Machine &machine);

/// All other statements: elementwise work, initialization, results.
WarpWork elementwiseWork(const Nest &nest, const Machine &machine);

/// Bytes of main memory that all blocks read, `wave` blocks at a time. The
/// blocks of a wave run together and share what they read, neighbors first. L2
/// keeps what it has room for from step to step and from wave to wave.
double bytesRead(const Nest &nest, const AccessSummary &access, double wave,
                 const Machine &machine);
/// Bytes that all blocks write, including partial sectors that blocks share.
double bytesWritten(const Nest &nest, const AccessSummary &access, double wave,
                    const Machine &machine);

} // namespace pruner::detail

#endif // PRUNER_LIB_ANALYSIS_GPUMODEL_GPUMODEL_H
