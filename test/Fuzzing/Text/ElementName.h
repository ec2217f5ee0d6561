//===- ElementName.h - element types as text --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_TEXT_ELEMENTNAME_H
#define PRUNER_FUZZING_TEXT_ELEMENTNAME_H

#include "pruner/Program/Task.h"

#include "llvm/ADT/StringRef.h"

namespace pruner {

/// The type as in MLIR: "f32", "i8".
llvm::StringRef elementName(ElementType type);

} // namespace pruner

#endif // PRUNER_FUZZING_TEXT_ELEMENTNAME_H
