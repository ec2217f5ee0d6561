//===- Sequences.h - losses of cropped sequences ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TLP reads a matrix of fixed size, but sequences of primitives vary in length.
// This counts what cropping loses and which programs become indistinguishable,
// as section 4.3 of the paper (ASPLOS 2023) does for TenSet.

#ifndef PRUNER_LIB_DATASET_SEQUENCES_H
#define PRUNER_LIB_DATASET_SEQUENCES_H

#include "pruner/Dataset/DatasetView.h"

#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// Losses of sequences that are cropped to a matrix of this size.
struct CroppingLoss {
  size_t rows = 0, columns = 0;
  /// The numbers of cropped sequences, of lost primitives, and of lost
  /// parameters of the remaining primitives.
  size_t sequences = 0, primitives = 0, parameters = 0;
  /// Distinct matrices.
  size_t distinct = 0;
};

/// The sequences of a machine's schedules in one language.
struct SequenceStatistics {
  const Machine *machine = nullptr;
  /// "pruner", or the language of the records ("ansor").
  std::string language;
  size_t sequences = 0; ///< Measured programs.
  size_t distinct = 0;  ///< Distinct sequences.
  size_t primitives = 0, parameters = 0;
  size_t longest = 0; ///< Most primitives in a sequence.
  /// Most columns of a primitive, including its one-hot type.
  size_t widest = 0;
  std::vector<CroppingLoss> losses;
};

/// Statistics of every machine, for Pruner's language and for that of the
/// records where they have one. Sequences are cropped to the published sizes 25
/// x 22, 40 x 22 and 25 x 40.
std::vector<SequenceStatistics> sequenceStatistics(const DatasetView &view);

void printSequences(llvm::ArrayRef<SequenceStatistics> all,
                    llvm::raw_ostream &os);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_SEQUENCES_H
