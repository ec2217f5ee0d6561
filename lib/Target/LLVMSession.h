//===- LLVMSession.h - one LLVM context with its errors collected -*- C++
//-*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TARGET_LLVMSESSION_H
#define PRUNER_TARGET_LLVMSESSION_H

#include "pruner/Target/Translation.h"
#include "llvm/IR/LLVMContext.h"
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace pruner {

/// A context whose error diagnostics are kept instead of ending the process,
/// which is what LLVM's default handler does.
class LLVMSession {
public:
  LLVMSession();

  llvm::LLVMContext &context() { return llvmContext; }

  /// An error with the collected text if any error was reported so far.
  llvm::Error takeErrors(llvm::StringRef stage);

private:
  llvm::LLVMContext llvmContext;
  std::string errors;
};

/// What `optimizeModule` runs.
struct OptimizeOptions {
  /// 0: nothing; 1 and 2: the lean pipeline; 3: LLVM's default O3 pipeline.
  unsigned optLevel = 2;
  /// Either one implies LLVM's default pipeline.
  bool slpVectorize = false;
  bool loopVectorize = false;
  bool loopUnroll = true;
  /// Where LLVM's default pipeline has GVN, run CSE on memory SSA instead. GVN
  /// asks for every load which of the memory operations before it matters, in
  /// time that grows with the square of an unrolled block; behind it must be
  /// another optimiser of registers and loads, such as ptxas.
  bool cseForGvn = false;
};

/// Runs the IR pipeline. The lean one is written for code whose loops were
/// already tiled, vectorised and unrolled by a schedule: it cleans up scalar
/// code, promotes memory to registers and moves invariants out of loops, and
/// leaves out inlining heuristics, runtime unrolling and both vectorisers (SLP
/// alone takes three quarters of LLVM's -O3 on such code).
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    const OptimizeOptions &options);

/// Masked stores of a constant mask with one lane store that element. LLVM 22
/// makes truncating stores of those of bytes, 16-bit and 32-bit numbers that
/// were truncated before, and those of one lane then write what it had been
/// truncated from on x86 with AVX-512 (reduceMaskedStoreToScalarStore).
void storeSingleLanes(llvm::Module &module);

/// Shifts to the right of products of vectors whose operands have at most 16 bits
/// become shifts of 32-bit products. LLVM 22 computes wrong bits for wider ones
/// on x86: it takes the high half of a 16-bit product and shifts that by the full
/// amount, or extends it without its sign (combinePMULH).
void narrowShiftedProducts(llvm::Module &module);

/// Names joined by ", ", at most `limit` of them.
std::string joinNames(llvm::ArrayRef<std::string> names, size_t limit = 200);

} // namespace pruner

#endif // PRUNER_TARGET_LLVMSESSION_H
