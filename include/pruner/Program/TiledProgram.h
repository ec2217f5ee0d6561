//===- TiledProgram.h - the tiled program as plain data ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// The program that a schedule makes of a task: bands of loops, buffers, the
// copies that fill them, and statements on register tiles, in temporal order.
// The `pruner` dialect represents the same program as IR; `pruner-tile` writes
// one operation per node. This form exists so that search needs no IR.
//
// Every loop belongs to one anchor dimension. Its induction variable is an
// *offset* in that dimension (0, step, 2*step, ...). The position of a node in
// a dimension is the sum of the loops named in its `at` list (outermost first).
// Tiles at the edge may therefore reach beyond the extent; a node that reads or
// writes memory of the task there must mask or clamp.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_PROGRAM_TILEDPROGRAM_H
#define PRUNER_PROGRAM_TILEDPROGRAM_H

#include "pruner/Program/MatrixInstruction.h"

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
  Dot,     ///< Products that one matrix instruction adds up.
  Rows,    ///< Rows of the tile that one matrix instruction computes.
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
/// coord is a tensor coordinate relative to the origin of the buffer. No modulo
/// if mod is 0.
struct LayoutTerm {
  unsigned coord = 0;
  int64_t div = 1;
  int64_t mod = 0;
  bool operator==(const LayoutTerm &other) const {
    return coord == other.coord && div == other.div && mod == other.mod;
  }
};

/// A tensor of the task in memory, or a buffer with a part of one.
struct BufferDesc {
  std::string name;
  MemoryLevel level = MemoryLevel::Global;
  ElementType type = ElementType::F32;
  /// Shape of the whole tensor, also if the buffer holds a part of it; used for
  /// bounds.
  llvm::SmallVector<int64_t, 4> tensorShape;
  /// Physical shape, row-major.
  llvm::SmallVector<int64_t, 4> shape;
  /// One term per physical dimension.
  llvm::SmallVector<LayoutTerm, 4> layout;
  /// Kernel argument, or -1.
  int argument = -1;
  /// An additional argument after those of the task, for partial results of
  /// blocks.
  bool workspace = false;
  /// Loops whose offsets are the buffer's origin, outermost first.
  llvm::SmallVector<int, 8> at;

  int64_t elements() const;
  /// Whether the layout differs from that of the tensor.
  bool isPackedArgument() const;
  /// Whether this is an argument of the task that is packed ahead of time.
  bool isPackedAhead() const { return !workspace && isPackedArgument(); }
  /// Row-major element offset of tensor coordinates relative to the origin.
  int64_t address(llvm::ArrayRef<int64_t> coords) const;
};

/// An access to a buffer. The map goes from anchor dimensions to the
/// coordinates of the tensor. The producer of the program owns it
/// (TiledProgram::maps).
struct TileAccess {
  int buffer = -1;
  const AccessMap *map = nullptr;
};
using TileAccesses = llvm::SmallVector<TileAccess, 4>;

struct AllocNode {
  int buffer = -1;
};

/// Fills a buffer with a box of a tensor, elementwise, through the prologue
/// statement if there is one. Positions outside of the tensor become zero, or
/// the padding value of a padded input.
struct StageNode {
  int buffer = -1;
  /// The anchor input that is staged, and its prologue in TaskDesc (or -1). The
  /// number after the last input means the argument of the second product of a
  /// chain, which a matrix instruction packs.
  int input = -1;
  int statement = -1;
  llvm::SmallVector<int, 8> at;
  /// Elements of the box per tensor coordinate.
  llvm::SmallVector<int64_t, 4> box;
  /// Anchor dimensions to coordinates of the staged tensor.
  const AccessMap *map = nullptr;
  /// The tensors that are read. Their maps go from coordinates of the staged
  /// tensor.
  TileAccesses reads;
  /// Positions outside of the tensor hold the task's padding value.
  bool padded = false;
  int64_t vector = 1;
  /// Threads that share the copy (1 on CPUs).
  int64_t threads = 1;
  /// GPU: the number of buffers, which the steps of the innermost serial band
  /// around the copy use in turn. With n, the copies of the next n - 1 steps
  /// are under way while the statements of one step run.
  int64_t buffers = 1;
  /// With several buffers: copied by the asynchronous copies of the device, not
  /// through registers.
  bool async = false;
};

/// Where the anchor reads no padding: the points at which `map` is inside of
/// `shape`. At the others a factor is zero, so they add nothing.
struct InsideBox {
  AccessMap map; ///< Of the dimensions of the anchor.
  llvm::SmallVector<int64_t, 4> shape;

  /// The share of the points that an update with the loops `tile` computes if
  /// it omits executions of its register tile that are outside entirely. With
  /// `unroll` above 1, the innermost serial loop is executed as a whole. `dims`
  /// are the dimensions of the anchor.
  double share(llvm::ArrayRef<IterDim> dims, llvm::ArrayRef<BoxLoop> tile,
               int64_t unroll) const;
};

enum class ComputeRole : uint8_t {
  Init,   ///< Initializes the accumulator.
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
  /// The `Init` of a partial result, which starts from the neutral element of
  /// the anchor's combiner.
  bool neutral = false;
  /// An `Update` that combines partial results with the anchor's combiner.
  bool combines = false;
  llvm::SmallVector<int, 8> at;
  /// Outermost first.
  llvm::SmallVector<BoxLoop, 6> loops;
  TileAccesses reads;
  TileAccess write;
  /// CPU: an update reads padded inputs of the anchor in place, so positions
  /// outside of their tensors have the task's padding values.
  bool padded = false;
  /// CPU: the only points that an update needs to compute; null for all.
  const InsideBox *inside = nullptr;
  /// Unroll factor of the innermost serial loop.
  int64_t unroll = 1;
  /// Also prefetch the elements of the arguments (an update: of the operands;
  /// a finish: of the arguments that move along the vectors) that are
  /// `prefetchBy` further along `prefetchDim`; 0 for none.
  int64_t prefetchBy = 0;
  unsigned prefetchDim = 0;
  /// Stores whole vectors around the caches.
  bool nontemporal = false;
  /// The instruction that computes the loops of the levels Rows, Dot and
  /// Vector, or null.
  const MatrixInstruction *instruction = nullptr;
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
  /// The bodies of the kernels, which run one after the other. There is one, or
  /// two if blocks share a reduction.
  std::vector<std::vector<Node>> kernels;
  int64_t unrollMaxStep = 0;
  /// Owns the maps of all accesses.
  std::vector<std::shared_ptr<const void>> maps;
};

/// Receives a program node by node, in temporal order, for consumers that read
/// it once and need not store it. Nodes are valid only during a call. A sink
/// may receive several programs of the same task, one after the other.
class ProgramSink {
public:
  /// Called first. `program` is complete except for kernels and allocated
  /// buffers.
  virtual void begin() = 0;
  virtual void beginKernel() = 0;
  virtual void beginBand(LoopLevel level, llvm::ArrayRef<BandLoop> loops) = 0;
  virtual void endBand() = 0;
  /// The buffer of an AllocNode or StageNode exists when it is added.
  virtual void add(const AllocNode &node) = 0;
  virtual void add(const StageNode &node) = 0;
  virtual void add(const ComputeNode &node) = 0;

  /// Without kernels, except those that the sink itself adds.
  TiledProgram program;

protected:
  ~ProgramSink() = default;
};

/// Bytes of shared memory for `buffers` buffers of `elements` elements. Each of
/// several buffers begins at a multiple of 16 bytes.
int64_t sharedBytesOf(int64_t elements, int64_t elementBytes, int64_t buffers);

/// Lets all copies of `program` go through registers, for devices without
/// asynchronous copies.
void copyThroughRegisters(TiledProgram &program);

/// Sends all of `program` to `sink`.
void replay(const TiledProgram &program, ProgramSink &sink);

/// CPU: the number of sets of accumulators of an update whose lanes run along a
/// reduction. The `copies` of its step alternate between the sets, so that one
/// sum need not wait for another; each set has `accumulators` vectors. The
/// result is a power of two that divides `copies`, and the smallest one that
/// hides the latency of an addition.
int64_t accumulatorSets(int64_t copies, int64_t accumulators);

} // namespace pruner

#endif // PRUNER_PROGRAM_TILEDPROGRAM_H
