//===- BuildProgram.h - from schedule to tiled program ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program that a schedule makes of a task, and what can be said of it
// without building it.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SKETCH_BUILDPROGRAM_H
#define PRUNER_SKETCH_BUILDPROGRAM_H

#include "pruner/Program/TiledProgram.h"
#include "pruner/Sketch/Schedule.h"

namespace pruner {

/// The program that `schedule` makes of `task`. The schedule must fit the task
/// (`Analysis/Legality.h` checks it): right number of tile lists and factors.
TiledProgram buildTiledProgram(const TaskDesc &task, const Schedule &schedule);

/// The outermost tile level of a dimension.
struct OuterLevel {
  /// Blocks that share a reduction (`Schedule::split`); 1 for others.
  int64_t parts = 1;
  /// Trips of each.
  int64_t steps = 1;
};

OuterLevel outerLevel(const TaskDesc &task, const Schedule &schedule,
                      unsigned dim);

/// Elements of the anchor output's type that blocks leave to each other.
int64_t workspaceElements(const TaskDesc &task, const Schedule &schedule);

/// CPU, a chain over rows: the statement whose result lies where the task's
/// result will be, if there is one: the last elementwise one of which the last
/// statement reads the very element that it replaces. So getting the result's
/// memory into the cache takes its time beside more work, and less of the cache
/// is in use.
std::optional<unsigned> statementInPlace(const TaskDesc &task);

/// The anchor dimension that vectors run along where a schedule names none:
/// that of the output's last coordinate; in a chain over rows the last one
/// along a row. None for a scalar output.
std::optional<unsigned> defaultVectorDimension(const TaskDesc &task);

/// The anchor dimension that vectors run along: `Schedule::vectorDim`, or the
/// default.
std::optional<unsigned> vectorDimension(const TaskDesc &task,
                                        const Schedule &schedule);

/// The memory of a staged input: how many elements it holds per coordinate of
/// the tensor, and where they lie (as in BufferDesc).
struct StageLayout {
  llvm::SmallVector<int64_t, 4> box;
  llvm::SmallVector<int64_t, 4> shape;
  llvm::SmallVector<LayoutTerm, 4> layout;

  int64_t elements() const;
};

/// The layout that `schedule`, which stages anchor input `input`, gives it.
/// Rows of padding are part of the shape, and so is the room behind a row that
/// makes the next one begin where a vector may.
StageLayout stageLayout(const TaskDesc &task, const Schedule &schedule,
                        unsigned input);

/// The parallel dimension along which panels of a packed input follow one
/// another, each of a register tile; of several inputs the one that is packed
/// ahead of time, or else outside of most loops. None where nothing is packed,
/// or one register tile is all of it. Of cpu_tile only.
std::optional<unsigned> panelDimension(const TaskDesc &task,
                                       const Schedule &schedule);

} // namespace pruner

#endif // PRUNER_SKETCH_BUILDPROGRAM_H
