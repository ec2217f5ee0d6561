//===- IreeConfig.h - schedules in IREE's terms -----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a schedule says in the terms of IREE's code generators: a lowering
// configuration, which has tile sizes for each loop of the op by levels, and a
// pipeline that knows these levels. `#iree_cpu.lowering_config` and
// `#iree_gpu.lowering_config` of IREE, spelled as its release expects.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_IREECONFIG_H
#define PRUNER_LIB_TRANSFORMLIBRARY_IREECONFIG_H

#include "Sites.h"

#include "llvm/Support/Error.h"

namespace pruner {

enum class IreeTarget {
  Cpu,  ///< The backend llvm-cpu.
  Cuda, ///< The backend cuda.
};

/// The releases whose spellings are known, `minor` of 3.
struct IreeVersion {
  static constexpr unsigned first = 10, last = 13;
  unsigned minor = last;

  /// Pipelines are attributes of dialects since 3.12; before they were words.
  bool hasPipelineAttributes() const { return minor >= 12; }
  /// "3.13", or "3.13.0"; another release is an error.
  static llvm::Expected<IreeVersion> parse(llvm::StringRef text);
};

/// A lowering configuration and what has to stand beside it.
struct IreeConfig {
  /// `#iree_codegen.compilation_info<...>`.
  std::string text;
  /// What the schedule says and the configuration does not.
  llvm::SmallVector<std::string> lost;
};

/// The configuration of the anchor of `site`, or why there is none.
llvm::Expected<IreeConfig> ireeConfig(const Site &site, IreeTarget target,
                                      IreeVersion version);

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_IREECONFIG_H
