//===- AnsorPrimitives.h - Ansor's steps as rows of numbers -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The original form of TLP's features (ASPLOS 2023, section 4.2): the primitive
// steps that Ansor's logs record for a program. A row holds the step's type as
// a one-hot vector of eleven, then its parameters in the order of the log. CPUs
// and GPUs have different lists of types. Lists are flattened. Words and unroll
// limits become tokens, counted from 1. A step whose type is not in the list of
// the device makes the record invalid.
//
//   ["SP", 2, 0, 64, [1, 8, 2, 2], 1]  ->  one-hot of SP, 2 0 64 1 8 2 2 1

#ifndef PRUNER_LIB_DATASET_ANSORPRIMITIVES_H
#define PRUNER_LIB_DATASET_ANSORPRIMITIVES_H

#include "pruner/Sketch/Primitives.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace pruner {

/// One row of kPrimitiveFeatureSize numbers for each step of
/// `DatasetRecord::primitives`, a JSON list of steps, in order.
llvm::Expected<std::vector<float>> ansorPrimitiveRows(llvm::StringRef text,
                                                      bool gpu);

/// The steps themselves. Their types are numbers below ansorPrimitiveTypes(),
/// not values of PrimitiveType.
llvm::Expected<PrimitiveSequence> readAnsorPrimitives(llvm::StringRef text,
                                                      bool gpu);
unsigned ansorPrimitiveTypes(bool gpu);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_ANSORPRIMITIVES_H
