//===- ProgramTerms.h - terms of the analytical model -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The intermediate results of the analytical model, and properties that it
// ignores, as a row of fixed length per kind of device. These are the features
// of models that read one vector per program, such as gradient-boosted trees.
// The statement rows and the dataflow of Features.h have one row per statement
// or step instead.

#ifndef PRUNER_ANALYSIS_PROGRAMTERMS_H
#define PRUNER_ANALYSIS_PROGRAMTERMS_H

#include "pruner/Analysis/Psa.h"

#include <string>
#include <vector>

namespace pruner {

/// Returns the row of a program. Seconds, bytes, operations and extents are
/// logarithms to base 2; shares and flags are unchanged. A missing part (a
/// second copy, shared memory) is 0. Column 0 is the logarithm of the seconds
/// that the analytical model predicts.
std::vector<float> programTerms(const ProgramSummary &program,
                                const Machine &machine,
                                const PsaOptions &options = {});

/// The names of the columns, with units: "copy1.bytes_log2".
std::vector<std::string> programTermNames();

} // namespace pruner

#endif // PRUNER_ANALYSIS_PROGRAMTERMS_H
