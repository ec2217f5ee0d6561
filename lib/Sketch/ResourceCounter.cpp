//===- ResourceCounter.cpp - count the resources of a schedule ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ResourceCounter.h"
#include "ProgramBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

ResourceCounter::ResourceCounter(const TaskDesc &task, const Schedule &schedule)
    : task(task), schedule(schedule), anchor(task.anchorStatement()),
      vectorDim(vectorDimension(task, schedule)) {
  for (unsigned d = 0; d < task.dims().size(); ++d) {
    auto [parts, trips] = outerLevel(task, schedule, d);
    used.grid *= parts;
    if (task.kindOf(d) == DimKind::Reduction)
      splitReduction |= trips > 1;
    else if (task.kindOf(d) == DimKind::Parallel)
      used.grid *= trips;
  }
  used.workspaceBytes = workspaceElements(task, schedule) * outputBytes();
}

int64_t ResourceCounter::product(unsigned level, bool reduction) const {
  int64_t result = 1;
  DimKind kind = reduction ? DimKind::Reduction : DimKind::Parallel;
  for (unsigned d = 0; d < task.dims().size(); ++d)
    if (task.kindOf(d) == kind)
      result *= schedule.tiles[d][level];
  return result;
}

int64_t ResourceCounter::registersPerElement() const {
  return std::max<int64_t>(1, ceilDiv(outputBytes(), 4));
}

std::pair<int64_t, int64_t> ResourceCounter::stagedBytes() const {
  int64_t bytes = 0, aligned = 0;
  for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
    if (schedule.stages[i] == StageLevel::None ||
        schedule.stages[i] == StageLevel::Ahead)
      continue;
    int64_t input = sharedBytesOf(stageLayout(task, schedule, i).elements(),
                                  byteWidth(stagedType(task, schedule, i)),
                                  copyAhead(task, schedule, i).buffers);
    bytes += input;
    aligned += ceilDiv(input, 16) * 16;
  }
  return {bytes, aligned};
}

int64_t
ResourceCounter::rowBytes(const OperandDesc &operand,
                          llvm::function_ref<int64_t(unsigned)> along) const {
  int64_t elements = 1;
  for (const LinearExpr &expr : operand.map) {
    unsigned d = expr.singleDim().value_or(0);
    elements *= anchor.dims[d].reduction ? along(d) : schedule.tiles[d].back();
  }
  return elements * byteWidth(task.tensors[operand.tensor].type);
}

int64_t
ResourceCounter::rowBytes(std::optional<unsigned> inPlace,
                          llvm::function_ref<int64_t(unsigned)> along) const {
  int64_t bytes = 0;
  for (unsigned s = 0; s < task.statements.size(); ++s) {
    const OperandDesc &output = task.statements[s].output;
    if (s != inPlace && task.tensors[output.tensor].argument < 0)
      bytes += rowBytes(output, along);
  }
  return bytes;
}

bool ResourceCounter::uses(const OperandDesc &operand, unsigned dim) {
  return llvm::any_of(operand.map,
                      [&](const LinearExpr &expr) { return expr.uses(dim); });
}
