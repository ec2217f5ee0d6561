//===- Blas.h - the BLAS that LibTorch calls --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the library that multiplies matrices. The query runs inside the
// plug-in, where symbols are resolved in the same order as in LibTorch.

#ifndef PRUNER_LIB_COSTMODEL_TORCH_BLAS_H
#define PRUNER_LIB_COSTMODEL_TORCH_BLAS_H

#include <string>

namespace pruner {

/// For example "OpenBLAS 0.3.21 with Zen kernels
/// (/usr/lib/.../libopenblas.so.0)". Empty if LibTorch uses its internal BLAS.
std::string describeBlas();

/// A sentence about a problem of the BLAS, or an empty string.
std::string blasWarning();

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_BLAS_H
