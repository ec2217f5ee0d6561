//===- MLIR.cpp - MLIR's headers, precompiled ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A precompiled header belongs to a target, and a target needs a source file.
