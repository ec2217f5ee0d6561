//===- ChainPlan.cpp - the parts of a chain between products --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChainPlan.h"

#include "pruner/Sketch/BuildProgram.h"
#include "pruner/Support/Sizes.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

static bool reads(const StatementDesc &statement, int tensor) {
  return llvm::any_of(statement.inputs, [&](const OperandDesc &input) {
    return input.tensor == tensor;
  });
}

ChainPlan::ChainPlan(const TaskDesc &task) : task(task) {
  first.statement = task.anchor;
  second.statement = task.secondProduct();
  first.finish = finishOf(first.statement);
  second.finish = finishOf(second.statement);
  for (unsigned s = task.anchor + 1; s < second.statement; ++s)
    if (int(s) != first.finish) {
      between.push_back(s);
      byParts &= !task.statements[s].hasReduction();
    }

  bufferOf.assign(task.tensors.size(), -1);
  auto add = [&](unsigned statement, bool wholeBlock) {
    int tensor = task.statements[statement].output.tensor;
    if (task.tensors[tensor].argument >= 0)
      return;
    bufferOf[tensor] = buffers.size();
    buffers.push_back({tensor, wholeBlock});
  };
  add(first.finish >= 0 ? first.finish : first.statement, true);
  for (unsigned s : between) {
    int tensor = task.statements[s].output.tensor;
    bool wholeBlock =
        reads(task.statements[second.statement], tensor) ||
        (second.finish >= 0 && reads(task.statements[second.finish], tensor));
    const OperandDesc *input = overwritten(s);
    int shared = input ? bufferOf[input->tensor] : -1;
    if (shared >= 0 && (buffers[shared].wholeBlock || !wholeBlock))
      bufferOf[tensor] = shared;
    else
      add(s, wholeBlock);
  }
}

const OperandDesc &ChainPlan::writerOf(const TaskDesc &task, int tensor) {
  return llvm::find_if(task.statements,
                       [&](const StatementDesc &statement) {
                         return statement.output.tensor == tensor;
                       })
      ->output;
}

/// The only reader of a product's result, if it reads it element by element.
int ChainPlan::finishOf(unsigned product) const {
  const OperandDesc &result = task.statements[product].output;
  int found = -1;
  for (unsigned s = product + 1; s < task.statements.size(); ++s) {
    if (!reads(task.statements[s], result.tensor))
      continue;
    if (found >= 0)
      return -1;
    found = int(s);
  }
  if (found != int(product) + 1 || task.statements[found].hasReduction())
    return -1;
  for (const OperandDesc &input : task.statements[found].inputs)
    if (input.tensor == result.tensor && input.map != result.map)
      return -1;
  return found;
}

/// An input of the elementwise statement `statement` that it reads where it
/// writes, and that no later statement reads, or null.
const OperandDesc *ChainPlan::overwritten(unsigned statement) const {
  const StatementDesc &writer = task.statements[statement];
  if (writer.hasReduction())
    return nullptr;
  ElementType type = task.tensors[writer.output.tensor].type;
  for (const OperandDesc &input : writer.inputs) {
    auto readsElsewhere = [&](const OperandDesc &other) {
      return other.tensor == input.tensor && other.map != writer.output.map;
    };
    auto later = llvm::ArrayRef(task.statements).drop_front(statement + 1);
    if (task.tensors[input.tensor].type == type &&
        !llvm::any_of(writer.inputs, readsElsewhere) &&
        llvm::none_of(later, [&](const StatementDesc &reader) {
          return reads(reader, input.tensor);
        }))
      return &input;
  }
  return nullptr;
}

int64_t ChainPlan::rowsOf(const Schedule &schedule, bool wholeBlock,
                          unsigned d) {
  return wholeBlock ? schedule.tileSize(d, 1) : schedule.tiles[d].back();
}

/// Rows whose distance is a multiple of 1024 bytes would share few sets of a
/// cache, so these are separated by a vector.
int64_t ChainPlan::roomAlong(const Schedule &schedule, const TensorDesc &tensor,
                             unsigned d) const {
  int64_t tile = schedule.tiles[d].back();
  int64_t room = byParts ? schedule.tileSize(d)
                         : ceilDiv(task.dims()[d].extent, tile) * tile;
  int64_t bytes = byteWidth(tensor.type);
  if (vectorDimension(task, schedule) == d && room * bytes % 1024 == 0)
    room += schedule.vector * ceilDiv(byteWidth(ElementType::F32), bytes);
  return room;
}

int64_t ChainPlan::bytes(const Schedule &schedule) const {
  int64_t total = 0;
  for (const Buffer &buffer : buffers) {
    const TensorDesc &tensor = task.tensors[buffer.tensor];
    int64_t elements = 1;
    for (const LinearExpr &expr : writerOf(task, buffer.tensor).map) {
      unsigned d = expr.singleDim().value_or(0);
      elements *= task.kindOf(d) == DimKind::Reduction
                      ? roomAlong(schedule, tensor, d)
                      : rowsOf(schedule, buffer.wholeBlock, d);
    }
    total += elements * byteWidth(tensor.type);
  }
  return total;
}
