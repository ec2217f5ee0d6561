//===- BuildRows.cpp - chains over rows as tiled programs -----------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few rows at a time go through all statements, so that a row is read from
// memory once and what lies between the statements stays in the nearest cache.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

void ProgramBuilder::cpuRow() {
  for (unsigned t = 0; t < task.tensors.size(); ++t)
    tensorBuffer.push_back(t);
  outerBand(LoopLevel::Core, parallels, [&] {
    innerBand(LoopLevel::Serial, parallels, 0, [&] {
      for (unsigned s = 0; s < task.statements.size(); ++s) {
        const OperandDesc &output = task.statements[s].output;
        if (task.tensors[output.tensor].argument < 0)
          rowBuffer(s);
      }
      for (unsigned s = 0; s < task.statements.size(); ++s)
        if (llvm::any_of(task.statements[s].dims,
                         [](const IterDim &dim) { return dim.reduction; }))
          reduceRows(s);
        else
          rowStatement(s);
    });
  });
}

/// Memory for what statement `s` leaves to the others: the rows at a time, and
/// whole vectors along them.
void ProgramBuilder::rowBuffer(int s) {
  const StatementDesc &statement = task.statements[s];
  const TensorDesc &tensor = task.tensors[statement.output.tensor];
  BufferDesc buffer;
  buffer.name = tensor.name;
  buffer.level = MemoryLevel::Local;
  buffer.type = tensor.type;
  buffer.tensorShape = tensor.shape;
  buffer.at = enclosing;
  for (unsigned r = 0; r < statement.output.map.size(); ++r) {
    unsigned d = *statement.output.map[r].singleDim();
    int64_t extent = schedule.tileSize(d, 1);
    if (anchor.dims[d].reduction)
      extent = ceilDiv(anchor.dims[d].extent, schedule.tiles[d][0]) *
               schedule.tiles[d][0];
    buffer.shape.push_back(extent);
    buffer.layout.push_back({r, 1, 0});
  }
  tensorBuffer[statement.output.tensor] = addAlloc(std::move(buffer));
}

/// The rows at a time.
ProgramBuilder::BoxLoops ProgramBuilder::rowLoops() const {
  BoxLoops loops;
  for (unsigned d : parallels)
    loops.push_back({d, schedule.tiles[d][1], 1, LoopLevel::Unroll});
  return loops;
}

std::vector<TileAccess>
ProgramBuilder::rowReads(const StatementDesc &statement) const {
  std::vector<TileAccess> reads;
  for (const OperandDesc &input : statement.inputs)
    reads.push_back({tensorBuffer[input.tensor], input.map});
  return reads;
}

/// An elementwise statement, along the rows or once a row.
void ProgramBuilder::rowStatement(int s) {
  const StatementDesc &statement = task.statements[s];
  ComputeNode node;
  node.role = ComputeRole::Map;
  node.statement = s;
  node.loops = rowLoops();
  node.reads = rowReads(statement);
  node.write = {tensorBuffer[statement.output.tensor], statement.output.map};
  bool along = llvm::any_of(statement.output.map, [&](const LinearExpr &expr) {
    return anchor.dims[*expr.singleDim()].reduction;
  });
  if (!along) {
    node.at = enclosing;
    body->push_back({std::move(node)});
    return;
  }
  int64_t lanes = schedule.vector;
  for (unsigned d : reductions)
    if (d != vectorDim)
      node.loops.push_back({d, schedule.tiles[d][0], 1, LoopLevel::Unroll});
  int64_t size = schedule.tiles[*vectorDim][0];
  if (size > lanes)
    node.loops.push_back({*vectorDim, size / lanes, lanes, LoopLevel::Unroll});
  node.loops.push_back({*vectorDim, lanes, 1, LoopLevel::Vector});
  outerBand(LoopLevel::Serial, reductions, [&] {
    node.at = enclosing;
    body->push_back({std::move(node)});
  });
}

void ProgramBuilder::reduceRows(int s) {
  const StatementDesc &statement = task.statements[s];
  int buffer = tensorBuffer[statement.output.tensor];
  ComputeNode start;
  start.role = ComputeRole::Init;
  start.statement = -1;
  start.reduction = s;
  start.at = enclosing;
  start.loops = rowLoops();
  start.write = {buffer, statement.output.map};
  body->push_back({std::move(start)});

  ComputeNode node;
  node.role = ComputeRole::Update;
  node.statement = s;
  node.at = enclosing;
  int64_t lanes = schedule.vector;
  for (unsigned d : reductions)
    if (d != vectorDim)
      node.loops.push_back({d, anchor.dims[d].extent, 1, LoopLevel::Serial});
  node.loops.push_back({*vectorDim,
                        ceilDiv(anchor.dims[*vectorDim].extent, lanes), lanes,
                        LoopLevel::Serial});
  llvm::append_range(node.loops, rowLoops());
  node.loops.push_back({*vectorDim, lanes, 1, LoopLevel::Vector});
  node.reads = rowReads(statement);
  node.write = {buffer, statement.output.map};
  node.unroll = schedule.unroll;
  body->push_back({std::move(node)});
}
