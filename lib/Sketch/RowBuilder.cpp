//===- RowBuilder.cpp - programs of chains over rows ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

void RowBuilder::chain(std::optional<unsigned> inPlace) {
  for (unsigned t = 0; t < task.tensors.size(); ++t)
    tensorBuffer.push_back(t);
  for (unsigned s = 0; s < task.statements.size(); ++s) {
    const OperandDesc &output = task.statements[s].output;
    if (s == inPlace)
      tensorBuffer[output.tensor] = task.outputTensor();
    else if (task.tensors[output.tensor].argument < 0)
      tensorBuffer[output.tensor] = rowBuffer(output);
  }
  for (unsigned s = 0; s < task.statements.size(); ++s)
    if (task.statements[s].hasReduction())
      reduceRows(s);
    else
      mapRows(s);
}

/// Memory for a tensor between two statements, for the rows that are processed
/// at a time.
int RowBuilder::rowBuffer(const OperandDesc &operand) {
  const TensorDesc &tensor = task.tensors[operand.tensor];
  BufferDesc buffer;
  buffer.name = tensor.name;
  buffer.level = MemoryLevel::Local;
  buffer.type = tensor.type;
  buffer.tensorShape = tensor.shape;
  buffer.at = runsAlong(operand) ? enclosing : acrossRow;
  for (unsigned r = 0; r < operand.map.size(); ++r) {
    unsigned d = *operand.map[r].singleDim();
    if (task.kindOf(d) == DimKind::Reduction) {
      addAlong(buffer, r, d);
      continue;
    }
    buffer.shape.push_back(rowsOf(d));
    buffer.layout.push_back({r, 1, 0});
  }
  return addAlloc(std::move(buffer));
}

bool RowBuilder::runsAlong(const OperandDesc &operand) const {
  return llvm::any_of(operand.map, [&](const LinearExpr &expr) {
    return task.kindOf(*expr.singleDim()) == DimKind::Reduction;
  });
}

ProgramBuilder::BoxLoops RowBuilder::rowLoops() const {
  BoxLoops loops;
  for (unsigned d : parallels)
    loops.push_back({d, schedule.tiles[d].back(), 1, LoopLevel::Unroll});
  return loops;
}

ComputeNode RowBuilder::rowNode(int s) const {
  const StatementDesc &statement = task.statements[s];
  ComputeNode node;
  node.statement = s;
  for (const OperandDesc &input : statement.inputs)
    node.reads.push_back({tensorBuffer[input.tensor], &input.map});
  node.write = {tensorBuffer[statement.output.tensor], &statement.output.map};
  return node;
}

/// An elementwise statement, along the rows or once per row.
void RowBuilder::mapRows(int s) {
  ComputeNode node = rowNode(s);
  node.role = ComputeRole::Map;
  node.loops = rowLoops();
  if (runsAlong(task.statements[s].output))
    return mapAlong(std::move(node));
  node.at = acrossRow;
  sink.add(node);
}

void RowBuilder::reduceRows(int s) {
  ComputeNode node = rowNode(s);
  ComputeNode start;
  start.role = ComputeRole::Init;
  start.statement = -1;
  start.reduction = s;
  start.at = acrossRow;
  start.loops = rowLoops();
  start.write = node.write;
  sink.add(start);
  node.role = ComputeRole::Update;
  node.at = enclosing;
  reduceAlong(std::move(node));
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
