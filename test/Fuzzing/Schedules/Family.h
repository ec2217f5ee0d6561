//===- Family.h - families of random cases ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_SCHEDULES_FAMILY_H
#define PRUNER_FUZZING_SCHEDULES_FAMILY_H

#include "pruner/Program/Task.h"
#include "pruner/Sketch/Schedule.h"

namespace pruner {

/// The sketch, the kind of task (elementwise, reduction, convolution,
/// contraction, rows) and the element type of its first operand, for example
/// "simt_tile contraction f16". If a matrix instruction computes the register
/// tile, the family ends in " mma". Tests count cases by family.
std::string familyOf(const TaskDesc &task, const Schedule &schedule);

} // namespace pruner

#endif // PRUNER_FUZZING_SCHEDULES_FAMILY_H
