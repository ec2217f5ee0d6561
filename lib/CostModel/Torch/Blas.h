//===- Blas.h - which BLAS is bound -----------------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which library multiplies matrices here. Asked from inside the plug-in, so
// that the answer is the one LibTorch got: both resolve the symbol in the same
// order.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_BLAS_H
#define PRUNER_LIB_COSTMODEL_TORCH_BLAS_H

#include <string>

namespace pruner {

/// E.g. "OpenBLAS 0.3.21 with Zen kernels (/usr/lib/.../libopenblas.so.0)".
/// Empty when no shared BLAS is bound, i.e. LibTorch has its own inside.
std::string describeBlas();

/// What is wrong with it, as a whole sentence; empty when nothing is.
std::string blasWarning();

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_BLAS_H
