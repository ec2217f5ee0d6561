//===- Registry.h - the objects of instructions -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_PROGRAM_INSTRUCTIONS_REGISTRY_H
#define PRUNER_LIB_PROGRAM_INSTRUCTIONS_REGISTRY_H

#include "pruner/Program/WarpInstruction.h"

namespace pruner {

// Each is defined in the file of its name or family, and listed in
// MatrixInstruction.cpp.
const MatrixInstruction &vpdpbusd();
const MatrixInstruction &vpdpwssd();
const MatrixInstruction &vdpbf16ps();
const MatrixInstruction &tdpbssd();
const MatrixInstruction &tdpbsud();
const MatrixInstruction &tdpbusd();
const MatrixInstruction &tdpbuud();
const MatrixInstruction &tdpbf16ps();
const MatrixInstruction &tdpfp16ps();
const MatrixInstruction &vpdpbssd();
const MatrixInstruction &vpdpbsud();
const MatrixInstruction &vpdpbuud();
const MatrixInstruction &vpmaddwd();
const MatrixInstruction &vpmaddwdOfBytes();
const WarpInstruction &mma16x8x16F16();
const WarpInstruction &mma16x8x16BF16();
const WarpInstruction &mma16x8x8F16();
const WarpInstruction &mma16x8x32S8();
const WarpInstruction &mma16x8x32S8U8();
const WarpInstruction &mma16x8x32U8S8();
const WarpInstruction &mma16x8x32U8();
const WarpInstruction &mma16x8x8F32();
const WarpInstruction &mma16x8x16F16Sums();
const WarpInstruction &mma16x8x8F16Sums();
const WarpInstruction &mma8x8x16S8();
const WarpInstruction &mma8x8x16S8U8();
const WarpInstruction &mma8x8x16U8S8();
const WarpInstruction &mma8x8x16U8();

} // namespace pruner

#endif // PRUNER_LIB_PROGRAM_INSTRUCTIONS_REGISTRY_H
