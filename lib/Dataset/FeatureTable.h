//===- FeatureTable.h - features of datasets as CSV -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_DATASET_FEATURETABLE_H
#define PRUNER_LIB_DATASET_FEATURETABLE_H

#include "pruner/Dataset/DatasetView.h"

#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// Prints comma-separated values with a header and a line for each schedule:
/// machine, kind and number of the task, shape (see `taskShape`), seconds
/// (empty after a failure), and the terms of the program
/// (Analysis/ProgramTerms.h).
void printFeatureTable(const DatasetView &view, llvm::raw_ostream &os);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_FEATURETABLE_H
