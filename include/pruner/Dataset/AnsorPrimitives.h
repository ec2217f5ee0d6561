//===- AnsorPrimitives.h - Ansor's steps as rows of numbers -----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The original form of TLP's features (ASPLOS 2023, section 4.2): the steps
// that Ansor's logs record of a program. A step is its type as one of eleven
// (CPUs and GPUs have a list each), then its parameters in the order of the
// log; lists stand open, words are tokens from 1, and so is the limit of
// unrolling. A step of a type that is not in the list of the device makes the
// record a bad one.
//
//   ["SP", 2, 0, 64, [1, 8, 2, 2], 1]  ->  one-hot of SP, 2 0 64 1 8 2 2 1
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DATASET_ANSORPRIMITIVES_H
#define PRUNER_DATASET_ANSORPRIMITIVES_H

#include "pruner/Sketch/Primitives.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace pruner {

/// A row of kPrimitiveFeatureSize numbers for each step of a JSON list of steps
/// (`DatasetRecord::primitives`), in order.
llvm::Expected<std::vector<float>> ansorPrimitiveRows(llvm::StringRef text,
                                                      bool gpu);

/// The steps themselves. Their types are numbers below ansorPrimitiveTypes(),
/// not those of PrimitiveType.
llvm::Expected<PrimitiveSequence> readAnsorPrimitives(llvm::StringRef text,
                                                      bool gpu);
unsigned ansorPrimitiveTypes(bool gpu);

} // namespace pruner

#endif // PRUNER_DATASET_ANSORPRIMITIVES_H
