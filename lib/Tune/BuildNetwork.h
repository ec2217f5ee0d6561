//===- BuildNetwork.h - a tuned network as a library ------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TUNE_BUILDNETWORK_H
#define PRUNER_LIB_TUNE_BUILDNETWORK_H

#include "pruner/Library/ObjectCache.h"
#include "pruner/Measure/NetworkProtocol.h"
#include "pruner/Tune/TuneTask.h"

#include "llvm/ADT/StringMap.h"

namespace pruner {

/// The one public function of the module that calls tasks, at least two of
/// them; null where there is none or several.
mlir::func::FuncOp findNetwork(mlir::ModuleOp module);

/// Texts of schedules by the names of tasks; other tasks stay untuned.
using ScheduleTexts = llvm::StringMap<std::string>;

/// Makes libraries of `network`, one under each of `schedules`, with what its
/// constants decide in another one, as `pruner-hoist-constants` and
/// `pruner-translate` do. The files are <directory>/network<n>.so and
/// network<n>-prepare.so. The module stays as it is. What `objects` has is not
/// compiled again. `stop` is asked before each library; where it says yes,
/// fewer come back.
llvm::Expected<std::vector<NetworkLibrary>>
buildNetworks(mlir::func::FuncOp network,
              llvm::ArrayRef<ScheduleTexts> schedules,
              const Environment &environment, llvm::StringRef directory,
              ObjectCache &objects, llvm::function_ref<bool()> stop);

} // namespace pruner

#endif // PRUNER_LIB_TUNE_BUILDNETWORK_H
