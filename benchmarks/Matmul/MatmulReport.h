//===- MatmulReport.h - one product's contenders ----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_MATMUL_MATMULREPORT_H
#define PRUNER_BENCHMARKS_MATMUL_MATMULREPORT_H

#include "MatmulOperands.h"
#include "Report.h"

namespace pruner::bench {

/// One shape, timed.
struct ShapeResult {
  Shape shape;
  std::vector<Contender> contenders;
  Probes roofs; ///< FLOP/s of one core before, half-way and after.
  unsigned threads = 1;
};

void printShape(llvm::raw_ostream &os, const ShapeResult &result);
llvm::json::Object toJson(const ShapeResult &result);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_MATMUL_MATMULREPORT_H
