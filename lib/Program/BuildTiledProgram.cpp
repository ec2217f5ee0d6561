//===- BuildTiledProgram.cpp - from schedule to tiled program -------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Program/TiledProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace pruner;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

namespace {

/// Builds one program. The nest is written down by nested calls of `band`;
/// loops that run once are left out.
class Builder {
public:
  Builder(const TaskDesc &task, const Schedule &schedule)
      : task(task), schedule(schedule), anchor(task.anchorStatement()) {
    program.gpu = isGpu(schedule.variant);
    program.dims.assign(anchor.dims.begin(), anchor.dims.end());
    if (program.gpu)
      program.unrollMaxStep = schedule.unroll;
    for (unsigned d = 0; d < anchor.dims.size(); ++d)
      (anchor.dims[d].reduction ? reductions : parallels).push_back(d);
    for (const TensorDesc &tensor : task.tensors)
      program.buffers.push_back(globalBuffer(tensor));
    operandBuffer.assign(anchor.inputs.size(), -1);
    body = &program.body;
  }

  TiledProgram build() {
    switch (schedule.variant) {
    case Variant::CpuTile:
      cpuTile();
      break;
    case Variant::SimtTile:
      simtTile();
      break;
    case Variant::CpuMap:
      map(LoopLevel::Core, LoopLevel::Serial);
      break;
    case Variant::SimtMap:
      map(LoopLevel::Block, LoopLevel::Thread);
      break;
    }
    return std::move(program);
  }

private:
  using Dims = llvm::ArrayRef<unsigned>;

  //===--- the sketches --------------------------------------------------===//

  void cpuTile() {
    llvm::SmallVector<unsigned, 6> order(parallels);
    if (!schedule.order.empty())
      order.assign(schedule.order.begin(), schedule.order.end());
    bool splitReduction = outerTrips(reductions) > 1;

    outerBand(LoopLevel::Core, parallels, [&] {
      stageAll(StageLevel::Outer, /*tileLevel=*/0);
      innerBand(LoopLevel::Serial, parallels, 0, [&] {
        auto tile = [&](llvm::function_ref<void()> inside) {
          innerBand(LoopLevel::Serial, order, 1, inside);
        };
        // With the reduction in one piece the accumulator is one register
        // tile; otherwise it must hold a whole cache tile meanwhile.
        if (splitReduction) {
          int acc = cpuAccumulator(/*blocks=*/true);
          tile([&] { init(acc, cpuTileLoops()); });
          outerBand(LoopLevel::Serial, reductions, [&] {
            stageAll(StageLevel::Inner, 1);
            tile([&] { update(acc, cpuUpdateLoops()); });
          });
          tile([&] { finish(acc, cpuTileLoops()); });
          return;
        }
        stageAll(StageLevel::Inner, 1);
        tile([&] {
          int acc = cpuAccumulator(/*blocks=*/false);
          init(acc, cpuTileLoops());
          update(acc, cpuUpdateLoops());
          finish(acc, cpuTileLoops());
        });
      });
    });
  }

  void simtTile() {
    outerBand(LoopLevel::Block, parallels, [&] {
      stageAll(StageLevel::Outer, 0);
      innerBand(LoopLevel::Thread, parallels, 1, [&] {
        int acc = simtAccumulator();
        auto tile = [&](llvm::function_ref<void()> inside) {
          innerBand(LoopLevel::VThread, parallels, 0, [&] {
            innerBand(LoopLevel::Unroll, parallels, 2, inside);
          });
        };
        tile([&] { init(acc, simtTileLoops()); });
        outerBand(LoopLevel::Serial, reductions, [&] {
          stageAll(StageLevel::Inner, 0);
          innerBand(LoopLevel::Serial, reductions, 0,
                    [&] { tile([&] { update(acc, simtUpdateLoops()); }); });
        });
        tile([&] { finish(acc, simtTileLoops()); });
      });
    });
  }

  void map(LoopLevel outer, LoopLevel inner) {
    outerBand(outer, parallels, [&] {
      innerBand(inner, parallels, 0, [&] {
        ComputeNode node;
        node.role = ComputeRole::Map;
        node.statement = task.anchor;
        node.at = enclosing;
        for (unsigned d : parallelsInOutputOrder())
          tileLoops(node.loops, d, schedule.tiles[d][1]);
        for (const OperandDesc &input : anchor.inputs)
          node.reads.push_back({input.tensor, input.map});
        node.write = {anchor.output.tensor, anchor.output.map};
        body->push_back({std::move(node)});
      });
    });
  }

  //===--- bands ---------------------------------------------------------===//

  int64_t outerTrips(Dims dims) const {
    int64_t product = 1;
    for (unsigned d : dims)
      product *= ceilDiv(anchor.dims[d].extent, schedule.tileSize(d));
    return product;
  }

  /// The outermost level of `dims`: whatever the factors leave over.
  void outerBand(LoopLevel level, Dims dims,
                 llvm::function_ref<void()> inside) {
    BandNode node;
    node.level = level;
    for (unsigned d : dims) {
      int64_t step = schedule.tileSize(d);
      addLoop(node, d, ceilDiv(anchor.dims[d].extent, step), step);
    }
    push(std::move(node), inside);
  }

  /// Factor `factor` of every dimension in `dims`.
  void innerBand(LoopLevel level, Dims dims, unsigned factor,
                 llvm::function_ref<void()> inside) {
    BandNode node;
    node.level = level;
    for (unsigned d : dims)
      addLoop(node, d, schedule.tiles[d][factor],
              schedule.tileSize(d, factor + 1));
    push(std::move(node), inside);
  }

  void addLoop(BandNode &node, unsigned dim, int64_t trips, int64_t step) {
    if (trips > 1)
      node.loops.push_back({nextLoop++, dim, trips, step});
  }

  void push(BandNode node, llvm::function_ref<void()> inside) {
    if (node.loops.empty())
      return inside();
    unsigned depth = enclosing.size();
    unsigned sharedDepth = sharedOrigin.size();
    for (const BandLoop &loop : node.loops) {
      enclosing.push_back(loop.id);
      if (node.level != LoopLevel::Thread)
        sharedOrigin.push_back(loop.id);
    }
    std::vector<Node> *parent = body;
    body = &node.body;
    inside();
    body = parent;
    enclosing.truncate(depth);
    sharedOrigin.truncate(sharedDepth);
    body->push_back({std::move(node)});
  }

  //===--- loops of a statement ------------------------------------------===//

  /// The loops over `size` elements of a parallel dimension inside a register
  /// tile: vectors along the innermost output dimension, copies elsewhere.
  void tileLoops(llvm::SmallVectorImpl<BoxLoop> &loops, unsigned dim,
                 int64_t size) {
    bool vectorDim = !program.gpu && dim == vectorDimension();
    if (!vectorDim) {
      loops.push_back({dim, size, 1, LoopLevel::Unroll});
      return;
    }
    int64_t lanes = schedule.vector;
    if (size > lanes)
      loops.push_back({dim, size / lanes, lanes, LoopLevel::Unroll});
    loops.push_back({dim, lanes, 1, LoopLevel::Vector});
  }

  /// The anchor dimension of the output's last coordinate.
  unsigned vectorDimension() const {
    auto dims = task.outputDims();
    return dims.empty() ? ~0u : dims.back();
  }

  llvm::SmallVector<BoxLoop, 6> cpuTileLoops() {
    llvm::SmallVector<BoxLoop, 6> loops;
    for (unsigned d : parallelsInOutputOrder())
      tileLoops(loops, d, schedule.tiles[d][2]);
    return loops;
  }

  llvm::SmallVector<BoxLoop, 6> cpuUpdateLoops() {
    llvm::SmallVector<BoxLoop, 6> loops;
    for (unsigned d : reductions)
      loops.push_back({d, schedule.tiles[d][0], 1, LoopLevel::Serial});
    llvm::append_range(loops, cpuTileLoops());
    return loops;
  }

  llvm::SmallVector<BoxLoop, 6> simtTileLoops() {
    llvm::SmallVector<BoxLoop, 6> loops;
    for (unsigned d : parallelsInOutputOrder())
      loops.push_back({d, schedule.tiles[d][3], 1, LoopLevel::Unroll});
    return loops;
  }

  llvm::SmallVector<BoxLoop, 6> simtUpdateLoops() {
    llvm::SmallVector<BoxLoop, 6> loops;
    for (unsigned d : reductions)
      loops.push_back({d, schedule.tiles[d][1], 1, LoopLevel::Serial});
    llvm::append_range(loops, simtTileLoops());
    return loops;
  }

  llvm::SmallVector<unsigned, 6> parallelsInOutputOrder() const {
    return task.outputDims();
  }

  //===--- buffers -------------------------------------------------------===//

  static BufferDesc globalBuffer(const TensorDesc &tensor) {
    BufferDesc buffer;
    buffer.name = tensor.name;
    buffer.type = tensor.type;
    buffer.tensorShape = tensor.shape;
    buffer.shape = tensor.shape;
    buffer.argument = tensor.argument;
    for (unsigned r = 0; r < tensor.shape.size(); ++r)
      buffer.layout.push_back({r, 1, 0});
    return buffer;
  }

  BufferDesc accumulator(MemoryLevel level) const {
    const TensorDesc &tensor = task.tensors[anchor.output.tensor];
    BufferDesc buffer;
    buffer.name = "acc";
    buffer.level = level;
    buffer.type = tensor.type;
    buffer.tensorShape = tensor.shape;
    buffer.at = enclosing;
    return buffer;
  }

  int addAlloc(BufferDesc buffer) {
    int index = program.buffers.size();
    program.buffers.push_back(std::move(buffer));
    body->push_back({AllocNode{index}});
    return index;
  }

  /// The position inside a block of coordinate `coord`. Blocks of one element
  /// have none: `d mod 1` is no coordinate but the constant zero.
  static void addWithin(BufferDesc &buffer, unsigned coord, int64_t extent,
                        int64_t mod) {
    if (mod == 1)
      return;
    buffer.shape.push_back(extent);
    buffer.layout.push_back({coord, 1, mod});
  }

  /// Register tiles one after the other, each contiguous.
  int cpuAccumulator(bool blocks) {
    BufferDesc buffer = accumulator(MemoryLevel::Local);
    auto dims = task.outputDims();
    if (blocks) {
      for (unsigned r = 0; r < dims.size(); ++r) {
        if (schedule.tiles[dims[r]][1] == 1)
          continue;
        buffer.shape.push_back(schedule.tiles[dims[r]][1]);
        buffer.layout.push_back({r, schedule.tiles[dims[r]][2], 0});
      }
    }
    for (unsigned r = 0; r < dims.size(); ++r) {
      int64_t tile = schedule.tiles[dims[r]][2];
      bool blocked = blocks && schedule.tiles[dims[r]][1] > 1;
      addWithin(buffer, r, tile, blocked ? tile : 0);
    }
    return addAlloc(std::move(buffer));
  }

  /// The elements of one thread: those of its virtual threads are far apart
  /// in the tensor and side by side here.
  int simtAccumulator() {
    BufferDesc buffer = accumulator(MemoryLevel::Local);
    auto dims = task.outputDims();
    for (unsigned r = 0; r < dims.size(); ++r) {
      int64_t vthreads = schedule.tiles[dims[r]][0];
      int64_t spread = schedule.tileSize(dims[r], 1);
      if (vthreads > 1) {
        buffer.shape.push_back(vthreads);
        buffer.layout.push_back({r, spread, 0});
      }
      addWithin(buffer, r, schedule.tileSize(dims[r], 2),
                vthreads > 1 ? spread : 0);
    }
    return addAlloc(std::move(buffer));
  }

  //===--- staging -------------------------------------------------------===//

  /// `tileLevel`: how many outer factors of the parallel dimensions lie
  /// outside of the staged tile.
  void stageAll(StageLevel where, unsigned tileLevel) {
    for (unsigned i = 0; i < anchor.inputs.size(); ++i)
      if (schedule.stages[i] == where)
        stage(i, where, tileLevel);
  }

  void stage(unsigned input, StageLevel where, unsigned tileLevel) {
    const OperandDesc &operand = anchor.inputs[input];
    const TensorDesc &tensor = task.tensors[operand.tensor];
    StageNode node;
    node.input = input;
    node.statement = task.prologues[input];
    node.map = operand.map;
    node.at = program.gpu ? sharedOrigin : enclosing;
    node.threads = program.gpu ? threadsOfBlock() : 1;
    for (const LinearExpr &expr : operand.map) {
      int64_t extent = 1;
      for (unsigned d = 0; d < expr.coeffs.size(); ++d)
        extent += std::abs(expr.coeffs[d]) * (boxOf(d, where, tileLevel) - 1);
      node.box.push_back(extent);
    }
    readsOfStage(node, operand);

    BufferDesc buffer;
    buffer.name = tensor.name + (program.gpu ? ".shared" : ".packed");
    buffer.level = program.gpu ? MemoryLevel::Shared : MemoryLevel::Local;
    buffer.type = tensor.type;
    buffer.tensorShape = tensor.shape;
    buffer.at = node.at;
    layoutStage(buffer, node);
    node.vector = schedule.vector;
    node.buffer = program.buffers.size();
    operandBuffer[input] = node.buffer;
    program.buffers.push_back(std::move(buffer));
    body->push_back({std::move(node)});
  }

  int64_t boxOf(unsigned dim, StageLevel where, unsigned tileLevel) const {
    if (!anchor.dims[dim].reduction)
      return schedule.tileSize(dim, tileLevel);
    int64_t slice = schedule.tileSize(dim);
    if (where == StageLevel::Inner)
      return slice;
    return ceilDiv(anchor.dims[dim].extent, slice) * slice;
  }

  int64_t threadsOfBlock() const {
    int64_t product = 1;
    for (unsigned d : parallels)
      product *= schedule.tiles[d][1];
    return product;
  }

  /// What a stage reads: the tensor itself, or the inputs of the prologue with
  /// maps from the coordinates of the staged tensor.
  void readsOfStage(StageNode &node, const OperandDesc &operand) {
    unsigned rank = task.tensors[operand.tensor].shape.size();
    if (node.statement < 0) {
      node.reads.push_back({operand.tensor, identityMap(rank)});
      return;
    }
    // The prologue writes by a permutation: invert it.
    const StatementDesc &prologue = task.statements[node.statement];
    AccessMap inverse(prologue.dims.size());
    for (unsigned r = 0; r < rank; ++r) {
      unsigned dim = prologue.output.map[r].singleDim().value_or(r);
      inverse[dim] = identityMap(rank)[r];
    }
    for (const OperandDesc &read : prologue.inputs)
      node.reads.push_back({read.tensor, compose(read.map, inverse)});
  }

  /// Reduction coordinates outside, parallel ones inside, so that the register
  /// tile of one reduction step is contiguous. On CPUs the coordinate of the
  /// register tile is moreover cut into panels of that tile.
  void layoutStage(BufferDesc &buffer, const StageNode &node) {
    llvm::SmallVector<unsigned, 4> outer, inner;
    for (unsigned r = 0; r < node.map.size(); ++r) {
      std::optional<unsigned> dim = node.map[r].singleDim();
      bool parallel = dim && !anchor.dims[*dim].reduction;
      (parallel ? inner : outer).push_back(r);
    }
    // Of several parallel coordinates only the one along vectors (or the last)
    // belongs inside; the others are batches or rows and stay in front.
    std::optional<unsigned> panel;
    for (unsigned r : inner)
      if (!panel || *node.map[r].singleDim() == vectorDimension())
        panel = r;
      else if (*node.map[*panel].singleDim() != vectorDimension())
        panel = r;
    auto add = [&](unsigned coord, int64_t extent, int64_t div, int64_t mod) {
      buffer.shape.push_back(extent);
      buffer.layout.push_back({coord, div, mod});
    };
    for (unsigned r : inner)
      if (r != panel)
        add(r, node.box[r], 1, 0);
    int64_t tile = 0;
    if (panel && !program.gpu) {
      tile = schedule.tiles[*node.map[*panel].singleDim()][2];
      if (node.box[*panel] > tile)
        add(*panel, ceilDiv(node.box[*panel], tile), tile, 0);
    }
    for (unsigned r : outer)
      add(r, node.box[r], 1, 0);
    if (panel && tile)
      addWithin(buffer, *panel, tile, node.box[*panel] > tile ? tile : 0);
    else if (panel)
      add(*panel, node.box[*panel], 1, 0);
    if (program.gpu && !buffer.shape.empty())
      buffer.shape.back() += schedule.pad;
  }

  //===--- statements ----------------------------------------------------===//

  TileAccess accessAccumulator(int acc) const {
    return {acc, anchor.output.map};
  }

  void init(int acc, llvm::SmallVector<BoxLoop, 6> loops) {
    ComputeNode node;
    node.role = ComputeRole::Init;
    node.at = enclosing;
    node.loops = std::move(loops);
    if (task.initTensor >= 0)
      node.reads.push_back({task.initTensor, anchor.output.map});
    node.write = accessAccumulator(acc);
    body->push_back({std::move(node)});
  }

  void update(int acc, llvm::SmallVector<BoxLoop, 6> loops) {
    ComputeNode node;
    node.role = ComputeRole::Update;
    node.statement = task.anchor;
    node.at = enclosing;
    node.loops = std::move(loops);
    for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
      const OperandDesc &input = anchor.inputs[i];
      int buffer = operandBuffer[i] >= 0 ? operandBuffer[i] : input.tensor;
      node.reads.push_back({buffer, input.map});
    }
    node.write = accessAccumulator(acc);
    node.unroll = program.gpu ? 1 : schedule.unroll;
    body->push_back({std::move(node)});
  }

  void finish(int acc, llvm::SmallVector<BoxLoop, 6> loops) {
    ComputeNode node;
    node.role = ComputeRole::Finish;
    node.statement = task.epilogue;
    node.at = enclosing;
    node.loops = std::move(loops);
    if (task.epilogue < 0) {
      node.reads.push_back(accessAccumulator(acc));
      node.write = {anchor.output.tensor, anchor.output.map};
      body->push_back({std::move(node)});
      return;
    }
    // Epilogue dimensions are coordinates of the anchor's output.
    const StatementDesc &epilogue = task.statements[task.epilogue];
    for (const OperandDesc &input : epilogue.inputs) {
      if (input.tensor == anchor.output.tensor)
        node.reads.push_back(accessAccumulator(acc));
      else
        node.reads.push_back(
            {input.tensor, compose(input.map, anchor.output.map)});
    }
    node.write = {epilogue.output.tensor,
                  compose(epilogue.output.map, anchor.output.map)};
    body->push_back({std::move(node)});
  }

  const TaskDesc &task;
  const Schedule &schedule;
  const StatementDesc &anchor;
  TiledProgram program;
  llvm::SmallVector<unsigned, 6> parallels, reductions;
  /// Where the anchor reads each input: a staged buffer, or -1 for in place.
  llvm::SmallVector<int, 4> operandBuffer;
  /// Loops around the current place; the same without those over threads.
  llvm::SmallVector<int, 8> enclosing, sharedOrigin;
  int nextLoop = 0;
  std::vector<Node> *body;
};

} // namespace

TiledProgram pruner::buildTiledProgram(const TaskDesc &task,
                                       const Schedule &schedule) {
  return Builder(task, schedule).build();
}
