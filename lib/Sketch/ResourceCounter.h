//===- ResourceCounter.h - count the resources of a schedule ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_SKETCH_RESOURCECOUNTER_H
#define PRUNER_LIB_SKETCH_RESOURCECOUNTER_H

#include "pruner/Sketch/BuildProgram.h"
#include "pruner/Sketch/Resources.h"

namespace pruner {

/// The part of counting resources that all sketches share.
class ResourceCounter {
public:
  /// Counts the grid and the workspace.
  ResourceCounter(const TaskDesc &task, const Schedule &schedule);

  /// The product of factor `level` over all parallel or reduction dimensions.
  int64_t product(unsigned level, bool reduction = false) const;
  int64_t outputBytes() const {
    return byteWidth(task.tensors[anchor.output.tensor].type);
  }
  /// 32-bit registers of an element of the output (GPU).
  int64_t registersPerElement() const;
  int64_t lanes() const { return schedule.vector > 1 ? schedule.vector : 1; }
  /// Bytes of the buffers in which inputs are staged while the kernel runs, and
  /// the same with every buffer aligned to 16 bytes.
  std::pair<int64_t, int64_t> stagedBytes() const;
  /// Chains over rows: bytes of the tensors between the statements, except that
  /// of `inPlace`. `along(d)` is the extent that is processed at a time of
  /// dimension d along a row.
  int64_t rowBytes(std::optional<unsigned> inPlace,
                   llvm::function_ref<int64_t(unsigned)> along) const;
  /// The bytes of one operand.
  int64_t rowBytes(const OperandDesc &operand,
                   llvm::function_ref<int64_t(unsigned)> along) const;
  static bool uses(const OperandDesc &operand, unsigned dim);

  const TaskDesc &task;
  const Schedule &schedule;
  const StatementDesc &anchor;
  const std::optional<unsigned> vectorDim;
  /// A reduction has more than one outermost step.
  bool splitReduction = false;
  ScheduleResources used;
};

} // namespace pruner

#endif // PRUNER_LIB_SKETCH_RESOURCECOUNTER_H
