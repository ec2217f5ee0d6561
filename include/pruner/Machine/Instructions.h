//===- Instructions.h - the matrix instructions of machines -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_MACHINE_INSTRUCTIONS_H
#define PRUNER_MACHINE_INSTRUCTIONS_H

#include "pruner/Machine/Machine.h"
#include "pruner/Program/MatrixInstruction.h"

namespace pruner {

/// Whether code for `machine` may contain `instruction` with registers of
/// `bytes` bytes; on GPUs these are the bytes of a row of accumulators. LLVM
/// ends the process if it meets an instruction that its target lacks.
bool hasInstruction(const Machine &machine,
                    const MatrixInstruction &instruction, int64_t bytes);

/// Multiply-adds per cycle of an SM of `machine` with an instruction of warps;
/// 0 if the machine does not state them.
double tensorRate(const Machine &machine, const MatrixInstruction &instruction);

} // namespace pruner

#endif // PRUNER_MACHINE_INSTRUCTIONS_H
