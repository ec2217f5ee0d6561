//===- Resources.h - the resources that a schedule uses ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The resources that legality rules compare with a machine, in closed form from
// (task, schedule). No tiled program is built, so search can reject millions of
// schedules per second. Numbers that ProgramSummary also has are equal to those
// (a property test compares them).

#ifndef PRUNER_SKETCH_RESOURCES_H
#define PRUNER_SKETCH_RESOURCES_H

#include "pruner/Program/Task.h"
#include "pruner/Sketch/Schedule.h"

namespace pruner {

struct ScheduleResources {
  /// Outermost tiles: thread blocks, or chunks for the cores.
  int64_t grid = 1;
  /// Threads of a block and virtual threads of a thread (1 on CPUs).
  int64_t threads = 1, vthreads = 1;
  /// The number of threads that share each row (simt_row).
  int64_t rowThreads = 1;
  /// Elements of the register tile of one thread, including all of its virtual
  /// threads.
  int64_t accumulators = 1;
  /// CPU: vector registers for accumulators, and for operands that must be held
  /// during their use. GPU: 32-bit registers for the same.
  int64_t accumulatorRegisters = 1, operandRegisters = 0;
  /// CPU: tile registers of a matrix instruction.
  int64_t tiles = 0;
  /// Bytes of shared memory of a block; bytes of local buffers of a thread.
  int64_t sharedBytes = 0, localBytes = 0;
  /// `sharedBytes` with every staged buffer aligned to 16 bytes.
  int64_t allocatedSharedBytes = 0;
  /// Bytes of the workspace for partial results of blocks that share a
  /// reduction.
  int64_t workspaceBytes = 0;
};

/// The schedule must have the right number of tile lists, factors and stages.
ScheduleResources resourcesOf(const TaskDesc &task, const Schedule &schedule);

} // namespace pruner

#endif // PRUNER_SKETCH_RESOURCES_H
