//===- Registry.cpp - the instructions of PTX that are known --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "llvm/ADT/StringMap.h"

using namespace pruner::ptx;

const InstructionClass *pruner::ptx::findInstruction(llvm::StringRef opcode) {
  static const llvm::StringMap<const InstructionClass *> known = [] {
    llvm::StringMap<const InstructionClass *> map;
    for (auto list :
         {arithmeticInstructions(), bitInstructions(), comparisonInstructions(),
          controlInstructions(), conversionInstructions(), copyInstructions(),
          functionInstructions(), matrixInstructions(),
          matrixLoadInstructions(), memoryInstructions(), warpInstructions()})
      for (const InstructionClass &entry : list)
        map[entry.opcode] = &entry;
    return map;
  }();
  return known.lookup(opcode);
}
