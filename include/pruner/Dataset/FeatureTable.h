//===- FeatureTable.h - features of datasets as tables ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DATASET_FEATURETABLE_H
#define PRUNER_DATASET_FEATURETABLE_H

#include "pruner/Dataset/DatasetView.h"

#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// Comma-separated values with a header: a line for each schedule of the view,
/// with its machine, kind and number of the task, the task's structure (see
/// `taskStructure`), seconds (empty where it failed), and the terms of its
/// program (Analysis/ProgramTerms.h).
void printFeatureTable(const DatasetView &view, llvm::raw_ostream &os);

} // namespace pruner

#endif // PRUNER_DATASET_FEATURETABLE_H
