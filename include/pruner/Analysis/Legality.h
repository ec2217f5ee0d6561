//===- Legality.h - rules of legal schedules --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbered rules that a schedule must satisfy before anything is built from
// it. Rules that concern a single knob or sketch are checked in its file
// (Sketch/Knob.h, Sketch/Sketch.h), the others here.
//
//   R1  The sketch fits the task and the machine: *_tile anchors have a
//       reduction, *_map anchors have none and nothing fused to them, *_row
//       tasks are chains over rows, *_chain tasks are chains between products;
//       simt_* runs on GPUs and cpu_* on CPUs.
//   R2  One list of tile factors per dimension of the task.
//   R3  As many factors per list as the sketch has inner levels, all >= 1.
//   R4  No level exceeds the extent: a factor is at most the extent divided by
//       the tile inside it, rounded up. The innermost factor of the dimension
//       that CPU vectors run along may round the extent up to whole vectors,
//       and along the rows of tile registers to whole tiles. With an
//       instruction of warps, extents along its rows and columns are rounded up
//       to whole products.
//   R5  One stage level per anchor input; maps stage nothing.
//   R6  An input with a fused producer is staged, because it is computed there
//       (simt_row computes it in registers). A padded input is staged on GPUs
//       and for matrix instructions; cpu_tile may also read it in place and
//       tests coordinates at the borders of the tensor.
//   R7  CPU: local buffers of a core (accumulators and packed tiles) fit its
//       outermost cache.
//   R8  CPU: vector is a power of two, no longer than a register of the output
//       type, and divides the innermost factors of the dimensions that vectors
//       run along; one lane if there is no such dimension.
//   R9  Unroll: a power of two from 1 to 64 on CPUs; 0, 16, 64, 512 or 1024 on
//       GPUs (Ansor's auto_unroll_max_step).
//   R10 order is empty or (cpu_tile) a permutation of the parallel dimensions.
//   R11 cpu_tile and cpu_chain: accumulators and held operands (of the larger
//       product) fit the vector registers, or the tile registers of a matrix
//       instruction, which both products of a chain share only for tiles of
//       equal shapes.
//   R12 The code that is always unrolled stays small. CPU: at most 1024 vector
//       operations; cpu_map and cpu_row count those of all statements and four
//       for each vector of the tile, a function as 16; cpu_tile and cpu_chain
//       count their accumulators times unroll. GPU: at most 256 elements, 64
//       for simt_row.
//   R13 GPU: threads of a block within the machine's limit.
//   R14 GPU: virtual threads within the machine's limit.
//   R15 GPU: shared memory of a block within the limit: after opting in for
//       staged buffers, each aligned to 16 bytes, without opting in for others.
//   R16 GPU: accumulators and operands of a thread within the registers that it
//       can address.
//   R17 GPU: copies move 1, 2, 4, 8 or 16 elements and at most 16 bytes.
//   R18 Row padding: 0 to 64 elements on GPUs, none on CPUs.
//   R19 Vectors run along a dimension of the anchor (CPU); along a reduction
//       only if the anchor accumulates by one associative operation; in a chain
//       over rows along the rows.
//   R20 Only a constant argument can be packed ahead of time (CPU), and only if
//       the anchor alone reads it, directly, each coordinate along one
//       dimension.
//   R21 The number of threads along a reduction is a power of two, and every
//       reduction of the task accumulates by one associative operation.
//   R22 GPU: a reduction is split among blocks into no more parts than it has
//       steps, only if the anchor (not of a chain over rows) accumulates by one
//       associative operation, and the parts fit 64 MiB.
//   R23 cpu_row prefetches rows 0 to 8 steps ahead, cpu_tile panels of a packed
//       input 0 to 1, other sketches nothing.
//   R24 The raster of *_tile is a parallel dimension; others have none.
//   R25 stream is 0, or 1 in cpu_tile and cpu_map on x86-64 CPUs.
//   R26 pipeline is 1, or in simt_tile up to 5, but no more than the steps of
//       the outer reduction; more than 1 only if an input is staged inside of
//       it, and more than 2 only if one of these can be copied asynchronously
//       (Sketch/BuildProgram.h) and the GPU is sm_80 or later.
//   R27 instruction: `none` or a matrix instruction. Only cpu_tile and
//       cpu_chain have those of CPUs, and simt_tile those of warps
//       (Program/WarpInstruction.h): the chip has it, both inputs are staged in
//       rows of whole chunks, the threads along rows and columns are multiples
//       of the lanes, elements are those of a lane, and copies have all rows of
//       a product. On CPUs the CPU has it with registers of `vector`
//       accumulators. The anchor only adds products of its inputs, in the types
//       of the instruction; vectors run along a parallel dimension of one input
//       (b) alone. The terms of a sum and the rows of a tile divide the
//       innermost factors of their dimensions. b is staged. a is staged unless
//       neighbors along the sum are contiguous in it, no tile of rows is cut,
//       and no sum reaches beyond the extent of its dimension. In cpu_chain all
//       this holds for both products, their tiles have the same rows, and the
//       second product reads a in place.

#ifndef PRUNER_ANALYSIS_LEGALITY_H
#define PRUNER_ANALYSIS_LEGALITY_H

#include "pruner/Machine/Machine.h"
#include "pruner/Program/Task.h"
#include "pruner/Sketch/Schedule.h"
#include "pruner/Sketch/Violation.h"

namespace pruner {

/// Checks the rules R1 (against the task) to R6, R10 and R18 to R21, which need
/// no machine. A schedule that passes can be given to buildTiledProgram if its
/// vector divides the register tile.
MaybeViolation checkScheduleShape(const TaskDesc &task,
                                  const Schedule &schedule);

/// Checks all rules and returns the first violation, or nothing. Never asserts,
/// whatever the schedule contains.
MaybeViolation checkSchedule(const TaskDesc &task, const Schedule &schedule,
                             const Machine &machine);

/// The bytes of local buffers that rule R7 allows a core: its outermost cache.
/// 0: unknown, no limit.
int64_t localBytesLimit(const Machine &machine);

/// The bytes that rule R22 allows for the parts of a split reduction.
constexpr int64_t kMaxWorkspaceBytes = 64 << 20;

} // namespace pruner

#endif // PRUNER_ANALYSIS_LEGALITY_H
