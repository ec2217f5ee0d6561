//===- TimeBound.h - the least time a task can take -------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TUNE_TIMEBOUND_H
#define PRUNER_TUNE_TIMEBOUND_H

#include "pruner/Machine/Machine.h"
#include "pruner/Program/Task.h"

namespace pruner {

/// Seconds below which no code of ours runs `task` once on `threads` cores of
/// `machine` (on the whole of a GPU), whatever the schedule: a time below it
/// was not measured. It is meant to be sound rather than near, some 4 times
/// below the roofs that reports show:
///
/// * Each point of a reduction costs one lane of an arithmetic instruction: a
///   multiply-add counts as one, and what compilers may hoist out of the loop
///   not at all. CPUs: 4 vector instructions of `vectorBytes` per cycle (no
///   core has more floating-point pipes: Neoverse V2; Zen 5 has two for
///   multiply-adds and two for sums) at 7 GHz (none is sold above 6.2), with as
///   many elements of the narrowest operand as fit. GPUs: twice `peakFlops`
///   per 32 bits of the narrowest operand; nothing where that is not known.
/// * Every element that the loops certainly touch passes once: the output, and
///   of each input the product of extents of dimensions that move along
///   coordinates of their own. CPUs: what exceeds the L1 caches by two lines
///   per cycle and core. GPUs: what exceeds the L2 cache by `memoryBandwidth`,
///   a quarter allowed for clocks above those of the data sheet.
/// * A cycle.
double leastSeconds(const TaskDesc &task, const Machine &machine,
                    unsigned threads);

} // namespace pruner

#endif // PRUNER_TUNE_TIMEBOUND_H
