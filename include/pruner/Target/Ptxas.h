//===- Ptxas.h - assemble PTX with NVIDIA's ptxas ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TARGET_PTXAS_H
#define PRUNER_TARGET_PTXAS_H

#include "pruner/Target/StageTimer.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// There is no ptxas, or it cannot be started.
class PtxasUnavailable : public llvm::ErrorInfo<PtxasUnavailable> {
public:
  static char ID;
  explicit PtxasUnavailable(std::string message)
      : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string message;
};

/// This ptxas does not support the chip (CUDA 13 dropped sm_70).
class PtxasUnsupportedChip : public llvm::ErrorInfo<PtxasUnsupportedChip> {
public:
  static char ID;
  PtxasUnsupportedChip(std::string chip, std::string ptxas)
      : chip(std::move(chip)), ptxas(std::move(ptxas)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string chip, ptxas;
};

/// The report of `ptxas -v` about one kernel.
struct KernelResources {
  std::string name;
  unsigned registers = 0;       ///< Per thread.
  unsigned spillStoreBytes = 0; ///< Per thread.
  unsigned spillLoadBytes = 0;  ///< Per thread.
  unsigned stackFrameBytes = 0; ///< Per thread.
  unsigned sharedBytes = 0;     ///< Static, per block.
  unsigned constantBytes = 0;   ///< All constant banks.
  unsigned barriers = 0;
};

struct CubinCode {
  llvm::SmallVector<char, 0> bytes;
  std::vector<KernelResources> kernels;
  /// The assembler's warnings and then its advice, for example that it
  /// serialized wgmma instructions.
  std::vector<std::string> warnings;
  StageTime assemble; ///< Without the CPU time of ptxas itself.
};

struct PtxasOptions {
  std::string chip = "sm_80";
  /// If empty, the first one that `findPtxas` finds.
  std::string path;
  unsigned optLevel = 3;
  /// The largest number of registers per thread, 0 for no limit. ptxas ignores
  /// it for kernels that state their block size; for these, `min-blocks-per-sm`
  /// of `pruner-to-nvvm` limits the registers.
  unsigned maxRegisters = 0;
  unsigned timeoutSeconds = 60;
};

/// Finds ptxas in PATH, then in bin of CUDA_HOME, CUDA_PATH, CUDA_ROOT and
/// /usr/local/cuda.
std::optional<std::string> findPtxas();

/// Assembles PTX. Fails with PtxasUnavailable, PtxasUnsupportedChip, or a
/// string error with the output of ptxas or the timeout.
llvm::Expected<CubinCode> assemblePtx(llvm::StringRef ptx,
                                      const PtxasOptions &options);

/// Parses the report of `ptxas -v`.
std::vector<KernelResources> parsePtxasReport(llvm::StringRef report);

} // namespace pruner

#endif // PRUNER_TARGET_PTXAS_H
