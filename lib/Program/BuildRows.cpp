//===- BuildRows.cpp - programs that go along rows ------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few rows at a time go through all statements of a chain, so that a row is
// read from memory once and what lies between the statements stays in the
// nearest cache, or in the registers of the threads that share the row.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <iterator>

using namespace pruner;

void ProgramBuilder::cpuRow() {
  outerBand(LoopLevel::Core, parallels, [&] {
    innerBand(LoopLevel::Serial, parallels, 0, [&] {
      rowBuffers();
      rowStatements();
    });
  });
}

void ProgramBuilder::simtRow() {
  blockBand([&] {
    innerBand(LoopLevel::Thread, threadOrder(), 0, [&] {
      if (task.rows) {
        rowBuffers();
        rowStatements();
        return;
      }
      int acc = rowAccumulator();
      init(acc, rowLoops());
      for (unsigned i = 0; i < anchor.inputs.size(); ++i)
        if (task.prologues[i] >= 0)
          computeInput(i);
      // Of inputs in memory only parts of a row need be in flight.
      BoxLoops loops =
          stepLoops(task.hasPrologue() ? LoopLevel::Unroll : LoopLevel::Serial);
      llvm::append_range(loops, rowLoops());
      update(acc, std::move(loops));
      finish(acc, rowLoops());
    });
  });
}

/// All dimensions; neighbouring threads are neighbours along the last one,
/// which is the one along which the largest input is contiguous in memory.
ProgramBuilder::DimList ProgramBuilder::threadOrder() const {
  std::optional<unsigned> fastest;
  int64_t most = 0;
  for (const OperandDesc &input : anchor.inputs) {
    int64_t elements = task.tensors[input.tensor].elements();
    if (input.map.empty() || elements <= most)
      continue;
    for (unsigned d = 0; d < anchor.dims.size(); ++d)
      if (input.map.back().coeffs[d] == 1 && anchor.dims[d].extent > 1) {
        fastest = d;
        most = elements;
      }
  }
  DimList order(parallels);
  llvm::append_range(order, reductions);
  if (auto *place = llvm::find(order, fastest.value_or(order.back()));
      place != order.end())
    std::rotate(place, place + 1, order.end());
  return order;
}

/// An input that a prologue computes: each thread keeps its elements of it.
void ProgramBuilder::computeInput(unsigned input) {
  const OperandDesc &operand = anchor.inputs[input];
  auto used = [&](const BoxLoop &loop) {
    return llvm::any_of(operand.map, [&](const LinearExpr &expr) {
      return expr.uses(loop.dim);
    });
  };
  ComputeNode node;
  node.role = ComputeRole::Map;
  node.statement = task.prologues[input];
  llvm::copy_if(rowLoops(), std::back_inserter(node.loops), used);
  llvm::copy_if(stepLoops(LoopLevel::Unroll), std::back_inserter(node.loops),
                used);
  for (TileAccess &read : readsOfPrologue(operand, node.statement))
    node.reads.push_back({read.buffer, compose(read.map, operand.map)});
  node.at = runsAlong(operand) ? enclosing : acrossRow;
  operandBuffer[input] = rowBuffer(operand);
  node.write = {operandBuffer[input], operand.map};
  body->push_back({std::move(node)});
}

void ProgramBuilder::rowBuffers() {
  for (unsigned t = 0; t < task.tensors.size(); ++t)
    tensorBuffer.push_back(t);
  std::optional<unsigned> inPlace;
  if (!program.gpu)
    inPlace = statementInPlace(task);
  for (unsigned s = 0; s < task.statements.size(); ++s) {
    const OperandDesc &output = task.statements[s].output;
    if (s == inPlace)
      tensorBuffer[output.tensor] = task.outputTensor();
    else if (task.tensors[output.tensor].argument < 0)
      tensorBuffer[output.tensor] = rowBuffer(output);
  }
}

/// Memory for a tensor between two statements: of the rows at a time whole
/// vectors (CPU), or the elements of one thread (GPU).
int ProgramBuilder::rowBuffer(const OperandDesc &operand) {
  const TensorDesc &tensor = task.tensors[operand.tensor];
  BufferDesc buffer;
  buffer.name = tensor.name;
  buffer.level = MemoryLevel::Local;
  buffer.type = tensor.type;
  buffer.tensorShape = tensor.shape;
  buffer.at = runsAlong(operand) ? enclosing : acrossRow;
  for (unsigned r = 0; r < operand.map.size(); ++r) {
    unsigned d = *operand.map[r].singleDim();
    if (!anchor.dims[d].reduction) {
      buffer.shape.push_back(schedule.tileSize(d, 1));
      buffer.layout.push_back({r, 1, 0});
      continue;
    }
    int64_t steps = outerLevel(task, schedule, d).steps;
    if (!program.gpu) {
      buffer.shape.push_back(steps * schedule.tiles[d][0]);
      buffer.layout.push_back({r, 1, 0});
      continue;
    }
    // What other threads have in between is not in this one's memory.
    buffer.shape.push_back(steps);
    buffer.layout.push_back({r, schedule.tileSize(d), 0});
    addWithin(buffer, r, schedule.tiles[d][1], schedule.tiles[d][1]);
  }
  return addAlloc(std::move(buffer));
}

/// Whether the operand has something for every element of a row.
bool ProgramBuilder::runsAlong(const OperandDesc &operand) const {
  return llvm::any_of(operand.map, [&](const LinearExpr &expr) {
    return anchor.dims[*expr.singleDim()].reduction;
  });
}

void ProgramBuilder::rowStatements() {
  for (unsigned s = 0; s < task.statements.size(); ++s)
    if (task.statements[s].hasReduction())
      reduceRows(s);
    else
      rowStatement(s);
}

/// The rows at a time.
ProgramBuilder::BoxLoops ProgramBuilder::rowLoops() const {
  BoxLoops loops;
  for (unsigned d : parallels)
    loops.push_back({d, schedule.tiles[d][1], 1, LoopLevel::Unroll});
  return loops;
}

/// GPU: the way of one thread along a row, in steps of all threads.
ProgramBuilder::BoxLoops ProgramBuilder::stepLoops(LoopLevel level) const {
  BoxLoops loops;
  for (unsigned d : reductions)
    loops.push_back(
        {d, outerLevel(task, schedule, d).steps, schedule.tileSize(d), level});
  for (unsigned d : reductions)
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
  if (!runsAlong(statement.output)) {
    node.at = acrossRow;
    body->push_back({std::move(node)});
    return;
  }
  if (program.gpu) {
    // Registers have no addresses: all of a thread's elements are written out.
    llvm::append_range(node.loops, stepLoops(LoopLevel::Unroll));
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
  if (schedule.prefetch && !fetchedAhead)
    fetchAhead(node);
  outerBand(LoopLevel::Serial, reductions, [&] {
    node.at = enclosing;
    body->push_back({std::move(node)});
  });
}

/// CPU: lets `node` fetch the rows that come next, if it reads rows of
/// arguments. The next rows are those along the innermost dimension that the
/// rows at a time do not cover.
void ProgramBuilder::fetchAhead(ComputeNode &node) {
  for (unsigned d : llvm::reverse(parallels)) {
    if (schedule.tiles[d][1] >= anchor.dims[d].extent)
      continue;
    fetchedAhead = llvm::any_of(node.reads, [&](const TileAccess &read) {
      return program.buffers[read.buffer].argument >= 0 &&
             llvm::any_of(read.map,
                          [&](const LinearExpr &expr) { return expr.uses(d); });
    });
    if (!fetchedAhead)
      return;
    node.prefetchDim = d;
    node.prefetchBy = schedule.prefetch * schedule.tiles[d][1];
    return;
  }
}

void ProgramBuilder::reduceRows(int s) {
  const StatementDesc &statement = task.statements[s];
  int buffer = tensorBuffer[statement.output.tensor];
  ComputeNode start;
  start.role = ComputeRole::Init;
  start.statement = -1;
  start.reduction = s;
  start.at = acrossRow;
  start.loops = rowLoops();
  start.write = {buffer, statement.output.map};
  body->push_back({std::move(start)});

  ComputeNode node;
  node.role = ComputeRole::Update;
  node.statement = s;
  node.at = enclosing;
  node.reads = rowReads(statement);
  node.write = {buffer, statement.output.map};
  if (program.gpu) {
    node.loops = stepLoops(LoopLevel::Unroll);
    llvm::append_range(node.loops, rowLoops());
    body->push_back({std::move(node)});
    return;
  }
  int64_t lanes = schedule.vector;
  for (unsigned d : reductions)
    if (d != vectorDim)
      node.loops.push_back({d, anchor.dims[d].extent, 1, LoopLevel::Serial});
  node.loops.push_back({*vectorDim,
                        ceilDiv(anchor.dims[*vectorDim].extent, lanes), lanes,
                        LoopLevel::Serial});
  llvm::append_range(node.loops, rowLoops());
  node.loops.push_back({*vectorDim, lanes, 1, LoopLevel::Vector});
  node.unroll = schedule.unroll;
  body->push_back({std::move(node)});
}

std::optional<unsigned> pruner::statementInPlace(const TaskDesc &task) {
  const StatementDesc &last = task.statements.back();
  ElementType type = task.tensors[last.output.tensor].type;
  for (unsigned s = task.statements.size() - 1; s-- > 0;) {
    const StatementDesc &statement = task.statements[s];
    const OperandDesc &output = statement.output;
    if (statement.hasReduction() || task.tensors[output.tensor].type != type ||
        task.tensors[output.tensor].argument >= 0 ||
        output.map != last.output.map)
      continue;
    bool reads = false, elsewhere = false;
    for (const OperandDesc &input : last.inputs)
      if (input.tensor == output.tensor)
        (input.map == last.output.map ? reads : elsewhere) = true;
    if (reads && !elsewhere)
      return s;
  }
  return std::nullopt;
}
