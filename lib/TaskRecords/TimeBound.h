//===- TimeBound.h - the least time a task can take -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TASKRECORDS_TIMEBOUND_H
#define PRUNER_LIB_TASKRECORDS_TIMEBOUND_H

#include "pruner/Machine/Machine.h"
#include "pruner/Program/Task.h"

namespace pruner {

/// Returns a lower bound, in seconds, of one run of `task` on `threads` cores
/// of `machine` (on a whole GPU), for any schedule. A smaller time was not
/// measured. The bound is meant to be sound rather than tight; it is about a
/// quarter of the roofline that reports show. It is the largest of:
///
/// * Arithmetic. Each point of a reduction costs one lane of an arithmetic
///   instruction. A multiply-add counts as one, and operations that a compiler
///   may hoist out of the loop do not count. CPUs: 4 vector instructions of
///   `vectorBytes` per cycle (no core has more floating-point pipes: Neoverse
///   V2; Zen 5 has two for multiply-adds and two for sums) at 7 GHz (no product
///   exceeds 6.2), with as many elements of the narrowest operand as fit; if
///   the CPU has tile registers for the task, 8 cycles for a product of 16 rows
///   by 16 columns of 64 bytes. GPUs: twice `peakFlops` per 32 bits of the
///   narrowest operand; nothing if that is unknown.
/// * Memory. Every element that the loops certainly access is transferred once:
///   the output, and for each input the product of the extents of dimensions
///   that move along separate coordinates. CPUs: what exceeds the L1 caches, at
///   two lines per cycle and core. GPUs: what exceeds the L2 cache, at 1.25
///   times `memoryBandwidth`, to allow for clocks above those of the data
///   sheet.
/// * One cycle.
double leastSeconds(const TaskDesc &task, const Machine &machine,
                    unsigned threads);

} // namespace pruner

#endif // PRUNER_LIB_TASKRECORDS_TIMEBOUND_H
