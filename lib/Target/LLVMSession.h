//===- LLVMSession.h - an LLVM context that collects errors -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

/// A context that collects error diagnostics. LLVM's default handler would end
/// the process.
class LLVMSession {
public:
  LLVMSession();

  llvm::LLVMContext &context() { return llvmContext; }

  /// An error with the collected text, if any error was reported.
  llvm::Error takeErrors(llvm::StringRef stage);

private:
  llvm::LLVMContext llvmContext;
  std::string errors;
};

/// Options of `optimizeModule`.
struct OptimizeOptions {
  /// 0: nothing; 1 and 2: the lean pipeline; 3: LLVM's default O3 pipeline.
  unsigned optLevel = 2;
  /// Either one implies LLVM's default pipeline.
  bool slpVectorize = false;
  bool loopVectorize = false;
  bool loopUnroll = true;
  /// Run CSE on memory SSA instead of GVN in LLVM's default pipeline. GVN looks
  /// up the defining memory operation of every load, which takes time quadratic
  /// in the size of an unrolled block. Another optimizer of registers and
  /// loads, such as ptxas, must follow.
  bool cseForGvn = false;
};

/// Runs the IR pipeline. The lean pipeline is for code that a schedule has
/// already tiled, vectorized and unrolled: it cleans up scalar code, promotes
/// memory to registers and hoists invariants. It omits inlining heuristics,
/// runtime unrolling and both vectorizers (SLP alone takes three quarters of
/// LLVM's -O3 on such code).
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    const OptimizeOptions &options);

/// Replaces products in the addresses of loops by pointers that move from step
/// to step, where registers suffice. The code generator must not do it again.
void reduceStrength(llvm::Module &module, llvm::TargetMachine &machine);

/// Replaces masked stores with a constant mask of one lane by a store of that
/// element. LLVM 22 combines masked stores of truncated bytes, 16-bit and
/// 32-bit numbers to truncating stores. On x86 with AVX-512, those with one
/// lane then store the value before the truncation
/// (reduceMaskedStoreToScalarStore).
void storeSingleLanes(llvm::Module &module);

/// Replaces right shifts of products of vectors whose operands have at most 16
/// bits by shifts of 32-bit products. LLVM 22 computes wrong bits for wider
/// ones on x86: it takes the high half of a 16-bit product and then shifts by
/// the full amount, or extends it without its sign (combinePMULH).
void narrowShiftedProducts(llvm::Module &module);

/// Converts vectors of 16 numbers of four bits, which a shift or a mask takes
/// from integers of 32 bits, to f32 by a table of 16 floats where the target
/// has AVX-512 (VPERMPS). The instruction ignores the upper bits of an index.
/// It replaces a shift or mask and a conversion.
void lookUpNibbles(llvm::Module &module, llvm::TargetMachine &machine);

/// Moves bf16 values between memory, lanes and blocks as 16-bit integers. LLVM
/// 22 holds a scalar bf16 on x86 as an f32 and converts it back for a store or
/// a vector. With AVX512-BF16 that conversion (VCVTNEPS2BF16) makes denormal
/// numbers zero.
void moveBrainFloatsAsIntegers(llvm::Module &module);

/// Joins names by ", ", at most `limit` of them.
std::string joinNames(llvm::ArrayRef<std::string> names, size_t limit = 200);

} // namespace pruner

#endif // PRUNER_TARGET_LLVMSESSION_H
