//===- Report.h - tables and JSON of a comparison ---------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_MATMUL_REPORT_H
#define PRUNER_BENCHMARKS_MATMUL_REPORT_H

#include "Contender.h"

#include "llvm/Support/raw_ostream.h"

namespace pruner::bench {

/// One shape, timed.
struct ShapeResult {
  Shape shape;
  std::vector<Contender> contenders;
  /// FLOP/s of one core before, half-way and after.
  std::vector<double> roofs;
  unsigned threads = 1;

  /// FLOP/s that `count` cores could do: the fastest probe times `count`.
  double roof(unsigned count) const;
  /// Slowest over fastest probe.
  double steadiness() const;
};

void printShape(llvm::raw_ostream &os, const ShapeResult &result);
llvm::json::Object toJson(const ShapeResult &result);

/// What the run ran on: CPU, kernel, load, versions.
llvm::json::Object describeMachine();

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_MATMUL_REPORT_H
