//===- Registry.h - the instructions of PTX that are known ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of this directory decodes and executes some instructions. To add one,
// write its function and name it in the list of its file, or add a file and
// name its list here and in Registry.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_PTX_INSTRUCTIONS_REGISTRY_H
#define PRUNER_LIB_PTX_INSTRUCTIONS_REGISTRY_H

#include "../Decoder.h"

namespace pruner::ptx {

llvm::ArrayRef<InstructionClass> arithmeticInstructions();
llvm::ArrayRef<InstructionClass> bitInstructions();
llvm::ArrayRef<InstructionClass> comparisonInstructions();
llvm::ArrayRef<InstructionClass> controlInstructions();
llvm::ArrayRef<InstructionClass> conversionInstructions();
llvm::ArrayRef<InstructionClass> copyInstructions();
llvm::ArrayRef<InstructionClass> functionInstructions();
llvm::ArrayRef<InstructionClass> matrixInstructions();
llvm::ArrayRef<InstructionClass> matrixLoadInstructions();
llvm::ArrayRef<InstructionClass> memoryInstructions();
llvm::ArrayRef<InstructionClass> warpInstructions();

/// The instruction of this opcode, or null.
const InstructionClass *findInstruction(llvm::StringRef opcode);

} // namespace pruner::ptx

#endif // PRUNER_LIB_PTX_INSTRUCTIONS_REGISTRY_H
