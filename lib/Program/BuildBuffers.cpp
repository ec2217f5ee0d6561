//===- BuildBuffers.cpp - buffers of a tiled program --------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

using namespace pruner;

BufferDesc ProgramBuilder::globalBuffer(const TensorDesc &tensor) {
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

/// Arguments that are packed ahead of time have the layout of the stage that
/// would otherwise pack them, of the whole tensor.
void ProgramBuilder::layOutPacked() {
  for (unsigned i = 0; i < schedule.stages.size(); ++i) {
    if (schedule.stages[i] != StageLevel::Ahead)
      continue;
    StageLayout memory = stageLayout(task, schedule, i);
    BufferDesc &buffer = program.buffers[anchor.inputs[i].tensor];
    buffer.shape = std::move(memory.shape);
    buffer.layout = std::move(memory.layout);
  }
}

BufferDesc ProgramBuilder::accumulator(MemoryLevel level) const {
  const TensorDesc &tensor = task.tensors[anchor.output.tensor];
  BufferDesc buffer;
  buffer.name = "acc";
  buffer.level = level;
  buffer.type = tensor.type;
  buffer.tensorShape = tensor.shape;
  buffer.at = acrossRow;
  return buffer;
}

int ProgramBuilder::addAlloc(BufferDesc buffer) {
  int index = program.buffers.size();
  program.buffers.push_back(std::move(buffer));
  body->push_back({AllocNode{index}});
  return index;
}

/// The position inside a block of coordinate `coord`. Blocks of one element
/// have none: `d mod 1` is no coordinate but the constant zero.
void ProgramBuilder::addWithin(BufferDesc &buffer, unsigned coord,
                               int64_t extent, int64_t mod) {
  if (mod == 1)
    return;
  buffer.shape.push_back(extent);
  buffer.layout.push_back({coord, 1, mod});
}

/// Register tiles one after the other, each contiguous along vectors.
int ProgramBuilder::cpuAccumulator(bool blocks) {
  BufferDesc buffer = accumulator(MemoryLevel::Local);
  llvm::SmallVector<unsigned, 6> coords;
  for (unsigned r = 0; r < outputDims.size(); ++r)
    if (outputDims[r] != vectorDim)
      coords.push_back(r);
  for (unsigned r = 0; r < outputDims.size(); ++r)
    if (outputDims[r] == vectorDim)
      coords.push_back(r);
  auto tiles = [&](unsigned r) { return schedule.tiles[outputDims[r]]; };
  for (unsigned r : coords) {
    if (!blocks || tiles(r)[1] == 1)
      continue;
    buffer.shape.push_back(tiles(r)[1]);
    buffer.layout.push_back({r, tiles(r)[2], 0});
  }
  for (unsigned r : coords) {
    bool blocked = blocks && tiles(r)[1] > 1;
    addWithin(buffer, r, tiles(r)[2], blocked ? tiles(r)[2] : 0);
  }
  return addAlloc(std::move(buffer));
}

/// One element for each row of a thread.
int ProgramBuilder::rowAccumulator() {
  BufferDesc buffer = accumulator(MemoryLevel::Local);
  for (unsigned r = 0; r < outputDims.size(); ++r)
    addWithin(buffer, r, schedule.tiles[outputDims[r]][1], 0);
  return addAlloc(std::move(buffer));
}

/// The elements of one thread: those of its virtual threads are far apart
/// in the tensor and side by side here.
int ProgramBuilder::simtAccumulator() {
  BufferDesc buffer = accumulator(MemoryLevel::Local);
  const DimList &dims = outputDims;
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

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

void ProgramBuilder::stageAll(StageLevel where) {
  for (unsigned i = 0; i < anchor.inputs.size(); ++i)
    if (schedule.stages[i] == where)
      stage(i);
}

void ProgramBuilder::stage(unsigned input) {
  const OperandDesc &operand = anchor.inputs[input];
  const TensorDesc &tensor = task.tensors[operand.tensor];
  StageLayout memory = stageLayout(task, schedule, input);
  StageNode node;
  node.input = input;
  node.statement = task.prologues[input];
  node.map = operand.map;
  node.padded = operand.padded;
  node.at = program.gpu ? sharedOrigin : enclosing;
  node.threads = program.gpu ? threadsOfBlock() : 1;
  node.box = std::move(memory.box);
  node.vector = schedule.vector;
  node.reads = readsOfPrologue(operand, node.statement);

  BufferDesc buffer;
  buffer.name = tensor.name + (program.gpu ? ".shared" : ".packed");
  buffer.level = program.gpu ? MemoryLevel::Shared : MemoryLevel::Local;
  buffer.type = tensor.type;
  buffer.tensorShape = tensor.shape;
  buffer.at = node.at;
  buffer.shape = std::move(memory.shape);
  buffer.layout = std::move(memory.layout);
  node.buffer = program.buffers.size();
  operandBuffer[input] = node.buffer;
  program.buffers.push_back(std::move(buffer));
  body->push_back({std::move(node)});
}

int64_t ProgramBuilder::threadsOfBlock() const {
  int64_t product = 1;
  for (unsigned d : parallels)
    product *= schedule.tiles[d][1];
  return product;
}

/// What a staged or computed input is made of: the tensor itself, or the inputs
/// of the prologue, with maps from the coordinates of that tensor.
std::vector<TileAccess>
ProgramBuilder::readsOfPrologue(const OperandDesc &operand,
                                int statement) const {
  unsigned rank = task.tensors[operand.tensor].shape.size();
  if (statement < 0)
    return {{operand.tensor, identityMap(rank)}};
  // The prologue writes by a permutation: invert it.
  const StatementDesc &prologue = task.statements[statement];
  AccessMap inverse(prologue.dims.size());
  for (unsigned r = 0; r < rank; ++r) {
    unsigned dim = prologue.output.map[r].singleDim().value_or(r);
    inverse[dim] = identityMap(rank)[r];
  }
  std::vector<TileAccess> reads;
  for (const OperandDesc &read : prologue.inputs)
    reads.push_back({read.tensor, compose(read.map, inverse)});
  return reads;
}
