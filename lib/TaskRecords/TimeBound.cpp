//===- TimeBound.cpp - the least time a task can take ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimeBound.h"

#include "pruner/Machine/Instructions.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace pruner;

static constexpr double kMaxClock = 7e9, kMaxPipes = 4, kLinesPerCycle = 2;
/// Bytes of the narrowest operand, times points, that tile registers multiply
/// in a cycle: 16 x 16 x 64 in 8 cycles. Sapphire Rapids takes 16.
static constexpr double kTileBytes = 2048;
/// GPUs: packed narrow types, and clocks above those of the data sheet.
static constexpr double kGpuRate = 2, kGpuClock = 1.25;

/// Returns the points of floating-point reductions, each multiplied by the
/// bytes of the narrowest operand, which is the space that it takes in vector
/// registers.
static double reductionBytes(const TaskDesc &task) {
  double bytes = 0;
  for (const StatementDesc &statement : task.statements) {
    if (!statement.hasReduction() || statement.ops.floatTotal() == 0)
      continue;
    int64_t narrowest = byteWidth(task.tensors[statement.output.tensor].type);
    for (const OperandDesc &input : statement.inputs)
      narrowest =
          std::min(narrowest, byteWidth(task.tensors[input.tensor].type));
    bytes += statement.points() * double(narrowest);
  }
  return bytes;
}

/// Returns a lower bound of the distinct elements of an access. Each coordinate
/// counts the largest dimension that no coordinate before it uses, because
/// different steps of these dimensions access different elements.
static double distinctElements(const StatementDesc &statement,
                               const OperandDesc &operand) {
  if (operand.padded) // Some accesses are outside of the tensor.
    return 0;
  double elements = 1;
  llvm::SmallVector<bool> used(statement.dims.size(), false);
  for (const LinearExpr &coordinate : operand.map) {
    int64_t most = 1;
    for (unsigned d = 0; d < coordinate.coeffs.size(); ++d)
      if (coordinate.coeffs[d] != 0 && !used[d])
        most = std::max(most, statement.dims[d].extent);
    for (unsigned d = 0; d < coordinate.coeffs.size(); ++d)
      used[d] |= coordinate.coeffs[d] != 0;
    elements *= double(most);
  }
  return elements;
}

/// Returns a lower bound of the accessed bytes of all arguments.
static double touchedBytes(const TaskDesc &task) {
  std::map<int, double> elements; // By tensor: its largest access.
  auto add = [&](const StatementDesc &statement, const OperandDesc &operand) {
    if (task.tensors[operand.tensor].argument >= 0)
      elements[operand.tensor] = std::max(elements[operand.tensor],
                                          distinctElements(statement, operand));
  };
  for (const StatementDesc &statement : task.statements) {
    for (const OperandDesc &input : statement.inputs)
      add(statement, input);
    add(statement, statement.output);
  }
  double bytes = 0;
  for (auto [tensor, count] : elements)
    bytes += std::min(count, double(task.tensors[tensor].elements())) *
             double(byteWidth(task.tensors[tensor].type));
  return bytes;
}

/// Whether `machine` has instructions of tiles or of warps that multiply
/// operands of `statement`.
static bool multipliesMatrices(const TaskDesc &task,
                               const StatementDesc &statement,
                               const Machine &machine) {
  ElementType sum = task.tensors[statement.output.tensor].type;
  auto fits = [&](const MatrixInstruction *instruction) {
    return !instruction->isDot() && instruction->accumulators == sum &&
           hasInstruction(machine, *instruction,
                          instruction->widths.front().bytes);
  };
  return statement.product && llvm::any_of(allMatrixInstructions(), fits);
}

/// Bytes of the narrowest operand that a core multiplies in a cycle at most.
static double bytesPerCycle(const TaskDesc &task, const Machine &machine) {
  double bytes = kMaxPipes * double(machine.vectorBytes);
  for (const StatementDesc &statement : task.statements)
    if (multipliesMatrices(task, statement, machine))
      return std::max(bytes, kTileBytes);
  return bytes;
}

/// The rate of a GPU, FLOP/s of f32. Tensor cores multiply as many bytes of all
/// types in a cycle, and a multiply-add of 4 bytes counts as two.
static double gpuRate(const TaskDesc &task, const Machine &machine) {
  double tensor =
      std::max(2 * machine.sm.halfTensorRate, machine.sm.byteTensorRate) / 4 *
      2 * double(machine.units) * machine.clockMHz * 1e6;
  for (const StatementDesc &statement : task.statements)
    if (multipliesMatrices(task, statement, machine))
      return std::max(machine.peakFlops, tensor);
  return machine.peakFlops;
}

double pruner::leastSeconds(const TaskDesc &task, const Machine &machine,
                            unsigned threads) {
  double arithmetic = reductionBytes(task), memory = touchedBytes(task);
  if (machine.isCpu()) {
    double cores = std::max(1u, threads), clock = kMaxClock * cores;
    double l1 = double(machine.l1Bytes) * cores;
    return std::max(
        {1 / kMaxClock, arithmetic / bytesPerCycle(task, machine) / clock,
         (memory - l1) / (kLinesPerCycle * double(machine.transactionBytes)) /
             clock});
  }
  double least = 1 / kMaxClock;
  if (double rate = gpuRate(task, machine); rate > 0)
    least = std::max(least, arithmetic * 2 / 4 / (kGpuRate * rate * kGpuClock));
  if (machine.memoryBandwidth > 0 && machine.l2Bytes > 0)
    least = std::max(least, (memory - double(machine.l2Bytes)) /
                                (machine.memoryBandwidth * kGpuClock));
  return least;
}
