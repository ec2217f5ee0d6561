//===- MachineRules.cpp - rules that are about a machine ------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleChecker.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace pruner;
using detail::broken;
using detail::text;

std::string RuleChecker::registerTile() const {
  std::string result;
  auto add = [&](int64_t factor) {
    result += (result.empty() ? "" : "x") + text(factor);
  };
  for (unsigned d : task.outputDims())
    add(schedule.tiles[d][registerTileLevel(schedule.variant)]);
  for (unsigned d = 0; d < anchor.dims.size(); ++d) {
    if (!anchor.dims[d].reduction)
      continue;
    if (schedule.variant == Variant::SimtRow)
      add(schedule.tiles[d][tile::Elements] *
          (task.rows || task.hasPrologue() ? outerLevel(task, schedule, d).steps
                                           : 1));
    else if (task.rows)
      add(schedule.tiles[d][0]);
  }
  return result;
}

RuleChecker::Result RuleChecker::cpu(const Machine &machine) {
  if (Result result = cpuVector(machine))
    return result;
  if (schedule.unroll < 1 || schedule.unroll > 64 ||
      !llvm::isPowerOf2_64(schedule.unroll))
    return broken(9, "unroll " + text(schedule.unroll) +
                         " is not a power of two from 1 to 64");
  ScheduleResources used = resourcesOf(task, schedule);
  int64_t limit = localBytesLimit(machine);
  if (limit > 0 && used.localBytes > limit)
    return broken(7, "local buffers take " + text(used.localBytes) +
                         " bytes, the outermost cache of a core has " +
                         text(limit));
  bool isMap = schedule.variant != Variant::CpuTile;
  int64_t registers = used.accumulatorRegisters + used.operandRegisters;
  if (!isMap && machine.vectorRegisters > 0 &&
      registers > machine.vectorRegisters)
    return broken(11, "register tile " + registerTile() + " needs " +
                          text(used.accumulatorRegisters) + " + " +
                          text(used.operandRegisters) +
                          " vector registers, the machine has " +
                          text(machine.vectorRegisters));
  int64_t body = used.accumulatorRegisters * (isMap ? 1 : schedule.unroll);
  int64_t bodyLimit = isMap ? kMaxMapBody : kMaxTileBody;
  if (body > bodyLimit)
    return broken(12, "register tile " + registerTile() + " makes a body of " +
                          text(body) + " vector operations, the limit is " +
                          text(bodyLimit));
  return std::nullopt;
}

RuleChecker::Result RuleChecker::cpuVector(const Machine &machine) {
  int64_t vector = schedule.vector;
  int64_t longest =
      vectorDim ? std::max<int64_t>(1, machine.vectorElements(outputBytes()))
                : 1;
  if (vector < 1 || !llvm::isPowerOf2_64(vector) || vector > longest)
    return broken(8, "vector " + text(vector) +
                         " is not a power of two from 1 to " + text(longest) +
                         ", the elements of a register");
  if (!vectorDim)
    return std::nullopt;
  // The innermost factor: the register tile or the inner reduction.
  int64_t tile = schedule.tiles[*vectorDim].back();
  if (tile % vector != 0)
    return broken(8,
                  "vector " + text(vector) + " does not divide the " +
                      (anchor.dims[*vectorDim].reduction ? "inner reduction "
                                                         : "register tile ") +
                      text(tile) + " of dimension " + text(*vectorDim));
  return std::nullopt;
}

RuleChecker::Result RuleChecker::gpu(const Machine &machine) {
  int64_t steps[] = {0, 16, 64, 512, 1024};
  if (!llvm::is_contained(steps, schedule.unroll))
    return broken(9, "unroll " + text(schedule.unroll) +
                         " is not one of 0, 16, 64, 512, 1024");
  ScheduleResources used = resourcesOf(task, schedule);
  int64_t bodyLimit =
      schedule.variant == Variant::SimtRow ? kMaxRowBody : kMaxMapBody;
  if (!isTile() && used.accumulators > bodyLimit)
    return broken(12, "register tile " + registerTile() + " makes a body of " +
                          text(used.accumulators) + " elements, the limit is " +
                          text(bodyLimit));
  if (used.threads > machine.maxThreadsPerBlock)
    return broken(13, "a block has " + text(used.threads) +
                          " threads, the machine allows " +
                          text(machine.maxThreadsPerBlock));
  if (used.vthreads > machine.maxVirtualThreads)
    return broken(14, "a thread has " + text(used.vthreads) +
                          " virtual threads, the machine allows " +
                          text(machine.maxVirtualThreads));
  if (used.sharedBytes > machine.sharedBytesPerBlock)
    return broken(15, "staged buffers take " + text(used.sharedBytes) +
                          " bytes of shared memory, a block has " +
                          text(machine.sharedBytesPerBlock));
  int64_t registers = used.accumulatorRegisters + used.operandRegisters;
  if (registers > machine.maxRegistersPerThread)
    return broken(16, "register tile " + registerTile() + " needs " +
                          text(used.accumulatorRegisters) + " + " +
                          text(used.operandRegisters) +
                          " registers, a thread has " +
                          text(machine.maxRegistersPerThread));
  if (used.workspaceBytes > kMaxWorkspaceBytes)
    return broken(22, "the parts of a split reduction take " +
                          text(used.workspaceBytes) + " bytes, the limit is " +
                          text(kMaxWorkspaceBytes));
  return gpuVector();
}

RuleChecker::Result RuleChecker::gpuVector() {
  int64_t vector = schedule.vector;
  int64_t lengths[] = {1, 2, 4, 8};
  if (!llvm::is_contained(lengths, vector))
    return broken(17, "vector " + text(vector) + " is not one of 1, 2, 4, 8");
  for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
    int64_t bytes = byteWidth(task.tensors[anchor.inputs[i].tensor].type);
    if (schedule.stages[i] != StageLevel::None && vector * bytes > 16)
      return broken(17, "copies of input " + text(i) + " move " +
                            text(vector * bytes) +
                            " bytes at a time, the widest access is 16");
  }
  return std::nullopt;
}
