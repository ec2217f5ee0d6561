//===- Sequences.h - what cropping sequences loses --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TLP reads a matrix of fixed size of a sequence of primitives that has none.
// This counts what does not fit and which programs look the same behind it, as
// section 4.3 of the paper (ASPLOS 2023) does for TenSet.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DATASET_SEQUENCES_H
#define PRUNER_DATASET_SEQUENCES_H

#include "pruner/Dataset/DatasetView.h"

#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// What a matrix of so many rows and columns loses of sequences.
struct CroppingLoss {
  size_t rows = 0, columns = 0;
  /// Sequences that lose something; primitives, and parameters of those that
  /// are left, that are lost.
  size_t sequences = 0, primitives = 0, parameters = 0;
  /// Different matrices.
  size_t distinct = 0;
};

/// The sequences of a machine's schedules in one language.
struct SequenceStatistics {
  const Machine *machine = nullptr;
  /// "pruner", or what the records have ("ansor").
  std::string language;
  size_t sequences = 0; ///< Measured programs.
  size_t distinct = 0;  ///< Different sequences.
  size_t primitives = 0, parameters = 0;
  size_t longest = 0; ///< Primitives of a sequence.
  size_t widest = 0;  ///< Columns of a primitive, its one-hot type included.
  std::vector<CroppingLoss> losses;
};

/// Of every machine: Pruner's language, and that of the records where they have
/// one. Each is cropped to the published 25 x 22, 40 x 22 and 25 x 40.
std::vector<SequenceStatistics> sequenceStatistics(const DatasetView &view);

void printSequences(llvm::ArrayRef<SequenceStatistics> all,
                    llvm::raw_ostream &os);

} // namespace pruner

#endif // PRUNER_DATASET_SEQUENCES_H
