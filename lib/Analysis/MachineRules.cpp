//===- MachineRules.cpp - rules that depend on the machine ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RuleChecker.h"
#include "pruner/Sketch/Knob.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace pruner;
using detail::broken;
using detail::text;

int64_t pruner::localBytesLimit(const Machine &machine) {
  return std::max(machine.l2Bytes, machine.l3Bytes);
}

MaybeViolation RuleChecker::all(const Machine &machine) {
  if (sketch.gpu != machine.isGpu())
    return broken(1, "variant " + sketch.name.str() + " is for " +
                         (sketch.gpu ? "GPUs" : "CPUs") +
                         ", the machine is a " +
                         (machine.isGpu() ? "GPU" : "CPU"));
  if (MaybeViolation result = shape())
    return result;
  for (const Knob *knob : allKnobs())
    if (MaybeViolation result = knob->checkOn(machine, task, schedule))
      return result;
  return machine.isGpu() ? gpu(machine) : cpu(machine);
}

std::string RuleChecker::registerTile() const {
  return llvm::join(llvm::map_range(sketch.registerTile(task, schedule), text),
                    "x");
}

int64_t RuleChecker::operationsPerVector() const {
  // The approximate number of operations of a mathematical function.
  constexpr int64_t kFunction = 16;
  int64_t operations = 4;
  size_t rank = task.anchorStatement().dims.size();
  for (const StatementDesc &statement : task.statements)
    // Other statements run once for each row.
    if (statement.dims.size() == rank) {
      int64_t functions = statement.ops.floatMath + statement.ops.intMath;
      operations += statement.ops.arithmetic() + (kFunction - 1) * functions;
    }
  return operations;
}

MaybeViolation RuleChecker::cpu(const Machine &machine) {
  ScheduleResources used = resourcesOf(task, schedule);
  int64_t limit = localBytesLimit(machine);
  if (limit > 0 && used.localBytes > limit)
    return broken(7, "local buffers take " + text(used.localBytes) +
                         " bytes, the outermost cache of a core has " +
                         text(limit));
  int64_t registers = used.accumulatorRegisters + used.operandRegisters;
  if (sketch.tilesReduction() && machine.vectorRegisters > 0 &&
      registers > machine.vectorRegisters)
    return broken(11, "register tile " + registerTile() + " needs " +
                          text(used.accumulatorRegisters) + " + " +
                          text(used.operandRegisters) +
                          " vector registers, the machine has " +
                          text(machine.vectorRegisters));
  if (used.tiles > MatrixInstruction::kTileRegisters)
    return broken(11, "register tile " + registerTile() + " needs " +
                          text(used.tiles) +
                          " tile registers, the machine has " +
                          text(MatrixInstruction::kTileRegisters));
  int64_t operations =
      (used.accumulatorRegisters + used.tiles) *
      (sketch.tilesReduction() ? schedule.unroll : operationsPerVector());
  if (operations > sketch.bodyLimit)
    return broken(12, "register tile " + registerTile() + " unrolls to " +
                          text(operations) +
                          " vector operations, the limit is " +
                          text(sketch.bodyLimit));
  return std::nullopt;
}

MaybeViolation RuleChecker::gpu(const Machine &machine) {
  ScheduleResources used = resourcesOf(task, schedule);
  int64_t bodyLimit = sketch.bodyLimit;
  if (bodyLimit && used.accumulators > bodyLimit)
    return broken(12, "register tile " + registerTile() + " unrolls to " +
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
  // Only staged buffers may be in dynamic shared memory.
  int64_t mostShared = sketch.tilesReduction()
                           ? machine.sharedBytesPerBlockOptIn
                           : machine.sharedBytesPerBlock;
  if (used.allocatedSharedBytes > mostShared)
    return broken(15, "staged buffers take " + text(used.allocatedSharedBytes) +
                          " bytes of shared memory, a block has " +
                          text(mostShared));
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
  return std::nullopt;
}

MaybeViolation pruner::checkScheduleShape(const TaskDesc &task,
                                          const Schedule &schedule) {
  return RuleChecker(task, schedule).shape();
}

MaybeViolation pruner::checkSchedule(const TaskDesc &task,
                                     const Schedule &schedule,
                                     const Machine &machine) {
  return RuleChecker(task, schedule).all(machine);
}
