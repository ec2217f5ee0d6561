//===- IreeConfig.h - schedules as IREE configurations ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates a schedule for IREE's code generators into a lowering
// configuration, which has tile sizes for each loop of the op by level, and a
// pipeline that supports these levels. The attributes
// `#iree_cpu.lowering_config` and `#iree_gpu.lowering_config` are spelled for a
// given release of IREE.

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_IREECONFIG_H
#define PRUNER_LIB_TRANSFORMLIBRARY_IREECONFIG_H

#include "Sites.h"

#include "llvm/Support/Error.h"

namespace pruner {

enum class IreeTarget {
  Cpu,  ///< The backend llvm-cpu.
  Cuda, ///< The backend cuda.
};

/// A supported release 3.`minor` of IREE.
struct IreeVersion {
  static constexpr unsigned first = 10, last = 13;
  unsigned minor = last;

  /// Since 3.12 pipelines are attributes of dialects instead of keywords.
  bool hasPipelineAttributes() const { return minor >= 12; }
  /// Parses "3.13" or "3.13.0"; any other release is an error.
  static llvm::Expected<IreeVersion> parse(llvm::StringRef text);
};

/// A lowering configuration.
struct IreeConfig {
  /// `#iree_codegen.compilation_info<...>`.
  std::string text;
  /// Parts of the schedule that the configuration cannot express.
  llvm::SmallVector<std::string> lost;
};

/// The configuration of the anchor of `site`, or the reason why there is none.
llvm::Expected<IreeConfig> ireeConfig(const Site &site, IreeTarget target,
                                      IreeVersion version);

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_IREECONFIG_H
