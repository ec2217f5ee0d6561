//===- TiledProgram.h - the tiled program as plain data ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What a schedule makes of a task: bands of loops, buffers, the copies that
// fill them and the statements on register tiles, in temporal order. The
// `pruner` dialect is the same thing as IR (`pruner-tile` writes it, operation
// for node); this form exists so that search needs no IR.
//
// Every loop belongs to one anchor dimension and its induction variable is an
// *offset* in that dimension (0, step, 2*step, ...). The position of a node
// in a dimension is the sum of the loops named in its `at` list (outermost
// first), so tiles at the edge simply reach beyond the extent; whoever reads or
// writes memory of the task there must mask or clamp.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_PROGRAM_TILEDPROGRAM_H
#define PRUNER_PROGRAM_TILEDPROGRAM_H

#include "pruner/Program/Task.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace pruner {

/// What executes the iterations of a loop.
enum class LoopLevel : uint8_t {
  Core,    ///< CPU cores.
  Block,   ///< Thread blocks of a GPU.
  Thread,  ///< Threads of a block.
  VThread, ///< Virtual threads: interleaved copies within one thread.
  Serial,  ///< A loop.
  Unroll,  ///< Copies of the body.
  Vector,  ///< Lanes of vector operations.
};

enum class MemoryLevel : uint8_t { Global, Shared, Local };

llvm::StringRef loopLevelName(LoopLevel level);
llvm::StringRef memoryLevelName(MemoryLevel level);

/// One loop of a band. `id` is unique in the program.
struct BandLoop {
  int id = -1;
  unsigned dim = 0;
  int64_t trips = 1;
  int64_t step = 1;
};

/// One loop inside a statement; its offsets are 0, step, 2*step, ... Several
/// loops may share a dimension (register blocks around a vector).
struct BoxLoop {
  unsigned dim = 0;
  int64_t extent = 1;
  int64_t step = 1;
  LoopLevel level = LoopLevel::Serial;
  bool operator==(const BoxLoop &other) const {
    return dim == other.dim && extent == other.extent && step == other.step &&
           level == other.level;
  }
};

/// One physical coordinate of a buffer: (coord floordiv div) mod `mod`, where
/// coord is a tensor coordinate relative to the buffer's origin; mod 0 = none.
struct LayoutTerm {
  unsigned coord = 0;
  int64_t div = 1;
  int64_t mod = 0;
  bool operator==(const LayoutTerm &other) const {
    return coord == other.coord && div == other.div && mod == other.mod;
  }
};

/// A tensor of the task in memory, or a part of one in a buffer of its own.
struct BufferDesc {
  std::string name;
  MemoryLevel level = MemoryLevel::Global;
  ElementType type = ElementType::F32;
  /// Coordinates of the tensor that the buffer holds, for bounds: the whole
  /// tensor's shape, also for a part of it.
  llvm::SmallVector<int64_t, 4> tensorShape;
  /// Physical shape, row-major.
  llvm::SmallVector<int64_t, 4> shape;
  /// One term per physical dimension.
  llvm::SmallVector<LayoutTerm, 4> layout;
  /// Kernel argument, or -1.
  int argument = -1;
  /// An argument behind those of the task, in which blocks leave partial
  /// results.
  bool workspace = false;
  /// Loops whose offsets are the buffer's origin, outermost first.
  llvm::SmallVector<int, 8> at;

  int64_t elements() const;
  /// The memory is not that of the tensor as it comes.
  bool isPackedArgument() const;
  /// An argument of the task that is packed ahead of time.
  bool isPackedAhead() const { return !workspace && isPackedArgument(); }
  /// Row-major element offset of tensor coordinates relative to the origin.
  int64_t address(llvm::ArrayRef<int64_t> coords) const;
};

/// Reading or writing a buffer: the map goes from anchor dimensions to the
/// coordinates of the tensor it holds. It belongs to whoever made the program
/// (TiledProgram::maps).
struct TileAccess {
  int buffer = -1;
  const AccessMap *map = nullptr;
};
using TileAccesses = llvm::SmallVector<TileAccess, 4>;

struct AllocNode {
  int buffer = -1;
};

/// Fills a buffer with a box of a tensor, elementwise through the prologue
/// statement if there is one. Positions outside the tensor become zero, or the
/// padding value of a padded input.
struct StageNode {
  int buffer = -1;
  /// The anchor input that is staged, and its prologue in TaskDesc (or -1).
  int input = -1;
  int statement = -1;
  llvm::SmallVector<int, 8> at;
  /// Elements of the box per tensor coordinate.
  llvm::SmallVector<int64_t, 4> box;
  /// Anchor dimensions to coordinates of the staged tensor.
  const AccessMap *map = nullptr;
  /// The tensors read; their maps go from coordinates of the staged tensor.
  TileAccesses reads;
  /// Positions outside of the tensor hold the task's padding value.
  bool padded = false;
  int64_t vector = 1;
  /// Threads that share the copy (1 on CPUs).
  int64_t threads = 1;
};

enum class ComputeRole : uint8_t {
  Init,   ///< Starts the accumulator.
  Update, ///< The anchor of a reduction.
  Finish, ///< Epilogue and write-back of the accumulator.
  Map,    ///< An all-parallel anchor.
};

struct ComputeNode {
  ComputeRole role = ComputeRole::Map;
  /// Statement of the task that is computed; -1 for a plain copy or fill.
  int statement = -1;
  /// The statement whose accumulator an `Init` starts; -1 for the anchor.
  int reduction = -1;
  /// An `Init` of a partial result: from the neutral element of the anchor's
  /// combiner.
  bool neutral = false;
  /// An `Update` that combines partial results: of the anchor the combiner
  /// alone.
  bool combines = false;
  llvm::SmallVector<int, 8> at;
  /// Outermost first.
  llvm::SmallVector<BoxLoop, 6> loops;
  TileAccesses reads;
  TileAccess write;
  /// Unroll factor of the innermost serial loop.
  int64_t unroll = 1;
  /// Fetch what arguments (an update: operands) hold at `prefetchBy` further
  /// along `prefetchDim` into the cache, too; 0 = nothing.
  int64_t prefetchBy = 0;
  unsigned prefetchDim = 0;
};

struct Node;

struct BandNode {
  LoopLevel level = LoopLevel::Serial;
  llvm::SmallVector<BandLoop, 4> loops;
  std::vector<Node> body;
};

struct Node {
  std::variant<BandNode, AllocNode, StageNode, ComputeNode> value;
};

struct TiledProgram {
  bool gpu = false;
  /// The anchor's iteration domain.
  llvm::SmallVector<IterDim, 6> dims;
  std::vector<BufferDesc> buffers;
  /// The bodies of the kernels, which run one after the other: one, or two
  /// where blocks share a reduction.
  std::vector<std::vector<Node>> kernels;
  int64_t unrollMaxStep = 0;
  /// Keeps the maps of all accesses.
  std::vector<std::shared_ptr<const void>> maps;
};

/// Is told a program node by node, in temporal order: whoever reads it once
/// need not have it all. Nodes are gone when a call returns. It may be told of
/// other programs of the same task later.
class ProgramSink {
public:
  /// Before all else: what `program` has but for kernels and buffers that are
  /// allocated is there.
  virtual void begin() = 0;
  virtual void beginKernel() = 0;
  virtual void beginBand(LoopLevel level, llvm::ArrayRef<BandLoop> loops) = 0;
  virtual void endBand() = 0;
  /// The buffer of an AllocNode or StageNode is there by then.
  virtual void add(const AllocNode &node) = 0;
  virtual void add(const StageNode &node) = 0;
  virtual void add(const ComputeNode &node) = 0;

  /// Without its kernels, but those that the sink itself adds.
  TiledProgram program;

protected:
  ~ProgramSink() = default;
};

/// Tells `sink` of all of `program`.
void replay(const TiledProgram &program, ProgramSink &sink);

/// CPU: how many sets of its `accumulators` vectors an update whose lanes run
/// along a reduction has, when its step is copied `copies` times: the copies
/// take turns with them, so that one sum need not wait for another. A power of
/// two that divides `copies`, and as few as hide the latency of an addition.
int64_t accumulatorSets(int64_t copies, int64_t accumulators);

} // namespace pruner

#endif // PRUNER_PROGRAM_TILEDPROGRAM_H
