//===- MaskedInputs.h - rows whose last columns are masked ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_MASKEDINPUTS_H
#define PRUNER_LIB_VERIFICATION_MASKEDINPUTS_H

#include "InputSets.h"
#include "pruner/Verification/ElementData.h"

namespace pruner {

/// Whether each argument of `task` may be a mask of scores: an elementwise op
/// combines it with a result of a reduction, and an extremum is reduced later.
/// All are false if the task does not have several reductions in a row.
std::vector<bool> maskArguments(const TaskProgram &task);

/// Whether a mask argument has floats or bits that belong to rows.
bool isMaskOfRows(const TensorSpec &spec, const ArgumentBoxes &boxes);

/// Masks the last elements of each box of a mask, from box `first` on: floats
/// become minus infinity, bits zero. The places from which they are masked
/// increase from box to box, as in causal attention; some boxes are masked
/// completely.
void fillMasked(void *data, const TensorSpec &spec, const ArgumentBoxes &boxes,
                int64_t first, ElementStream &random);

/// Does so for the masks among `inputs`, from the middle of their boxes on.
/// Returns whether there are any.
bool maskRows(const TaskProgram &task, llvm::ArrayRef<ArgumentDomain> domains,
              llvm::ArrayRef<ArgumentBoxes> boxes, const Random &random,
              std::vector<std::vector<uint8_t>> &inputs);

/// Makes the integers from which a mask of `task` is computed positions along
/// the last dimension, as in causal attention.
void placePositions(const TaskProgram &task,
                    llvm::ArrayRef<ArgumentDomain> domains,
                    std::vector<std::vector<uint8_t>> &inputs);

/// Places NaN, infinities and a large number into the second half of an
/// argument of floats. If its first dimension is that of the columns, most rows
/// mask them.
void placeOutliers(void *data, const TensorSpec &spec, ElementStream &random);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_MASKEDINPUTS_H
