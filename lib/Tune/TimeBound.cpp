//===- TimeBound.cpp - the least time a task can take ---------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Tune/TimeBound.h"

#include <algorithm>
#include <map>

using namespace pruner;

static constexpr double kMaxClock = 7e9, kMaxPipes = 4, kLinesPerCycle = 2;
/// Of GPUs: packed narrow types, and clocks above the data sheet's.
static constexpr double kGpuRate = 2, kGpuClock = 1.25;

/// Points of reductions in floating point, each as the bytes of the narrowest
/// operand: what they take of vector registers.
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

/// Distinct elements that an access reaches at least: each coordinate moves
/// with a dimension that no coordinate before it uses, so that different steps
/// of those dimensions are different elements.
static double distinctElements(const StatementDesc &statement,
                               const OperandDesc &operand) {
  if (operand.padded) // Part of it lies outside.
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

/// Bytes of arguments that are touched at least.
static double touchedBytes(const TaskDesc &task) {
  std::map<int, double> elements; // By tensor: the access that reaches most.
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

double pruner::leastSeconds(const TaskDesc &task, const Machine &machine,
                            unsigned threads) {
  double arithmetic = reductionBytes(task), memory = touchedBytes(task);
  if (machine.isCpu()) {
    double cores = std::max(1u, threads), clock = kMaxClock * cores;
    double l1 = double(machine.l1Bytes) * cores;
    return std::max(
        {1 / kMaxClock,
         arithmetic / (kMaxPipes * double(machine.vectorBytes)) / clock,
         (memory - l1) / (kLinesPerCycle * double(machine.transactionBytes)) /
             clock});
  }
  double least = 1 / kMaxClock;
  if (machine.peakFlops > 0) // Two of them are a multiply-add, of 4 bytes.
    least = std::max(least, arithmetic * 2 / 4 /
                                (kGpuRate * machine.peakFlops * kGpuClock));
  if (machine.memoryBandwidth > 0 && machine.l2Bytes > 0)
    least = std::max(least, (memory - double(machine.l2Bytes)) /
                                (machine.memoryBandwidth * kGpuClock));
  return least;
}
