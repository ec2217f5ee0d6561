//===- BuildStatements.cpp - statements of a tiled program --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramBuilder.h"

using namespace pruner;

/// The loops over the tiles of factor `level`, counted from the innermost one
/// for a dimension with fewer, of the dimensions `dims` of a result. On CPUs
/// vectors run along one of them, which comes last, and the others become
/// copies.
ProgramBuilder::BoxLoops
ProgramBuilder::tileLoops(Dims dims, std::optional<unsigned> along,
                          unsigned level) const {
  BoxLoops loops;
  auto size = [&](unsigned d) {
    const auto &tiles = schedule.tiles[d];
    return level < tiles.size() ? tiles[level] : tiles.back();
  };
  bool vectors = false;
  for (unsigned d : dims) {
    if (d == along && !program.gpu)
      vectors = true;
    else
      loops.push_back({d, size(d), 1, LoopLevel::Unroll});
  }
  if (!vectors)
    return loops;
  int64_t lanes = schedule.vector;
  if (size(*along) > lanes)
    loops.push_back({*along, size(*along) / lanes, lanes, LoopLevel::Unroll});
  loops.push_back({*along, lanes, 1, LoopLevel::Vector});
  return loops;
}

/// The loops of a register tile, of which the innermost is along vectors, with
/// those that the instruction of `use` executes.
ProgramBuilder::BoxLoops ProgramBuilder::loopsBy(const InstructionUse &use,
                                                 BoxLoops tile) {
  bool rows = use.instruction->isTile();
  for (BoxLoop &loop : tile)
    if (rows && loop.dim == use.rowDim) {
      loop.extent /= use.rows;
      loop.step = use.rows;
    }
  BoxLoop dot = {use.sumDim, use.sums, 1, LoopLevel::Dot};
  tile.insert(tile.end() - 1, dot);
  BoxLoop row = {use.rowDim, use.rows, 1, LoopLevel::Rows};
  if (rows)
    tile.insert(tile.end() - 1, row);
  return tile;
}

TileAccess ProgramBuilder::accessAccumulator(int acc) const {
  return {acc, &anchor.output.map};
}

/// Whether the current accumulation is a partial result.
bool ProgramBuilder::leavesParts() const {
  return workspace >= 0 && !combining;
}

void ProgramBuilder::init(int acc, BoxLoops loops) {
  ComputeNode node;
  node.role = ComputeRole::Init;
  node.at = acrossRow;
  node.loops = std::move(loops);
  node.neutral = leavesParts();
  if (task.initTensor >= 0 && !node.neutral)
    node.reads.push_back({task.initTensor, &anchor.output.map});
  node.write = accessAccumulator(acc);
  sink.add(node);
}

/// With `prefetchDim`, also prefetches the operands one register tile further
/// along that dimension.
void ProgramBuilder::update(int acc, BoxLoops loops,
                            std::optional<unsigned> prefetchDim,
                            const MatrixInstruction *instruction) {
  ComputeNode node;
  node.role = ComputeRole::Update;
  node.statement = task.anchor;
  node.at = enclosing;
  node.loops = std::move(loops);
  for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
    const OperandDesc &input = anchor.inputs[i];
    if (operandBuffer[i] < 0) {
      node.padded |= input.padded;
      node.reads.push_back({input.tensor, &input.map});
      continue;
    }
    const TaskForms::Input::Windows *windows = windowsOf(i);
    node.reads.push_back(
        {operandBuffer[i], windows ? windows->map : &input.map});
  }
  node.write = accessAccumulator(acc);
  node.unroll = program.gpu ? 1 : schedule.unroll;
  node.instruction = instruction;
  // Tile registers are cleared by the first product of a tile.
  if (!program.gpu && forms.inside && !(instruction && instruction->isTile()))
    node.inside = &*forms.inside;
  if (prefetchDim) {
    node.prefetchDim = *prefetchDim;
    node.prefetchBy = schedule.tiles[*prefetchDim].back();
  }
  sink.add(node);
}

/// With `prefetch`, also prefetches what the epilogue reads of the next tile.
void ProgramBuilder::finish(int acc, BoxLoops loops, bool prefetch) {
  ComputeNode node;
  node.role = ComputeRole::Finish;
  node.at = acrossRow;
  node.loops = std::move(loops);
  if (leavesParts()) {
    node.reads.push_back(accessAccumulator(acc));
    node.write = {workspace, partMap};
    sink.add(node);
    return;
  }
  node.statement = task.epilogue;
  node.reads = forms.finishReads;
  for (TileAccess &read : node.reads)
    if (read.buffer < 0)
      read.buffer = acc;
  node.write = forms.finishWrite;
  node.nontemporal = schedule.stream;
  if (prefetch && node.reads.size() > 1 && innermost.id >= 0) {
    node.prefetchDim = innermost.dim;
    node.prefetchBy = innermost.step;
  }
  sink.add(node);
}

/// A complete statement without a reduction.
void ProgramBuilder::mapTile(BoxLoops loops) {
  ComputeNode node;
  node.role = ComputeRole::Map;
  node.statement = task.anchor;
  node.at = enclosing;
  node.loops = std::move(loops);
  for (const OperandDesc &input : anchor.inputs)
    node.reads.push_back({input.tensor, &input.map});
  node.write = {anchor.output.tensor, &anchor.output.map};
  node.nontemporal = schedule.stream;
  sink.add(node);
}
