//===- ProgramTerms.h - a program as one row of numbers ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the analytical model computes on its way to a time, and what it leaves
// out, as a row of the same length for every program of a kind of device:
// features of models that take a vector, such as boosted trees. Statement rows
// and dataflow of Features.h have one row a statement or step instead.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_ANALYSIS_PROGRAMTERMS_H
#define PRUNER_ANALYSIS_PROGRAMTERMS_H

#include "pruner/Analysis/Psa.h"

#include <string>
#include <vector>

namespace pruner {

/// Logarithms to base 2 of seconds, bytes, operations, extents; shares of
/// seconds and flags as they are. What a program does not have (a second copy,
/// shared memory) is 0. Column 0 is the logarithm of the seconds that the
/// analytical model predicts.
std::vector<float> programTerms(const ProgramSummary &program,
                                const Machine &machine,
                                const PsaOptions &options = {});

/// The columns' names, with their units: "copy1.bytes_log2".
std::vector<std::string> programTermNames();

} // namespace pruner

#endif // PRUNER_ANALYSIS_PROGRAMTERMS_H
