//===- Instructions.cpp - the matrix instructions of machines -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/Instructions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace pruner;

/// Whether the text "+avx2,-amx-tile" enables `feature`.
static bool enables(llvm::StringRef features, llvm::StringRef feature) {
  for (llvm::StringRef rest = features; !rest.empty();) {
    auto [entry, tail] = rest.split(',');
    if (entry.consume_front("+") && entry == feature)
      return true;
    rest = tail;
  }
  return false;
}

/// Whether the CPU of `machine` has the feature with this name of LLVM's.
static bool hasCpuFeature(const Machine &machine, llvm::StringRef feature) {
  if (!machine.isCpu())
    return false;
  if (machine.unknownFeatures)
    return true;
  if (!machine.features.empty())
    return enables(machine.features, feature);
  if (llvm::X86::parseArchX86(machine.arch) == llvm::X86::CK_None)
    return false;
  llvm::SmallVector<llvm::StringRef> known;
  llvm::X86::getFeaturesForCPU(machine.arch, known);
  return llvm::is_contained(known, feature);
}

/// The number of "sm_80" or "sm_90a".
static std::optional<unsigned> chipNumber(llvm::StringRef name) {
  unsigned number;
  if (!name.consume_front("sm_") || name.consumeInteger(10, number))
    return std::nullopt;
  return number;
}

bool pruner::hasInstruction(const Machine &machine,
                            const MatrixInstruction &instruction,
                            int64_t bytes) {
  const MatrixInstruction::Width *width = instruction.width(bytes);
  if (machine.isGpu()) {
    // GPUs have what earlier ones had.
    std::optional<unsigned> chip = chipNumber(machine.arch);
    return width && chip && width->exists([&](llvm::StringRef first) {
      std::optional<unsigned> number = chipNumber(first);
      return number && *number <= *chip;
    });
  }
  if (!width || bytes > machine.vectorBytes)
    return false;
  return width->exists(
      [&](llvm::StringRef feature) { return hasCpuFeature(machine, feature); });
}

double pruner::tensorRate(const Machine &machine,
                          const MatrixInstruction &instruction) {
  if (instruction.accumulators == ElementType::F16)
    return machine.sm.halfSumTensorRate;
  switch (instruction.operands) {
  case ElementType::F16:
  case ElementType::BF16:
    return machine.sm.halfTensorRate;
  case ElementType::F32:
    return machine.sm.tf32TensorRate;
  case ElementType::I8:
    return machine.sm.byteTensorRate;
  default:
    return 0;
  }
}
