//===- BuildNetwork.h - build a tuned network as a library ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TUNE_BUILDNETWORK_H
#define PRUNER_LIB_TUNE_BUILDNETWORK_H

#include "pruner/Library/ObjectCache.h"
#include "pruner/Measure/NetworkProtocol.h"
#include "pruner/ModuleTasks/ModuleTask.h"

#include "llvm/ADT/StringMap.h"

namespace pruner {

/// Returns the only public function of the module that calls tasks; null if
/// there is none, if there are several, or if it calls fewer than two tasks.
mlir::func::FuncOp findNetwork(mlir::ModuleOp module);

/// Maps the names of tasks to the texts of their schedules. Other tasks stay
/// untuned.
using ScheduleTexts = llvm::StringMap<std::string>;

/// A network under schedules.
struct NetworkVariant {
  ScheduleTexts schedules;
  /// The form of each part with several, in the order of a walk (inner ones
  /// first); empty where none is chosen.
  std::vector<std::string> forms;

  bool operator==(const NetworkVariant &other) const {
    return forms == other.forms && schedules == other.schedules;
  }
};

/// The forms that are chosen in a module.
std::vector<std::string> chosenForms(mlir::ModuleOp module);

/// Builds one library of `network` for each variant, like
/// `pruner-hoist-constants` and `pruner-translate`: <directory>/network<n>.so,
/// and network<n>-prepare.so for everything that depends on constants alone.
/// The module stays unchanged. Objects that are in `objects` are not compiled
/// again. If `stop` returns true before a library, the result has fewer
/// libraries.
llvm::Expected<std::vector<NetworkLibrary>>
buildNetworks(mlir::func::FuncOp network,
              llvm::ArrayRef<NetworkVariant> variants,
              const Environment &environment, llvm::StringRef directory,
              ObjectCache &objects, llvm::function_ref<bool()> stop);

} // namespace pruner

#endif // PRUNER_LIB_TUNE_BUILDNETWORK_H
