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
  node.threads = stagingThreads();
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
