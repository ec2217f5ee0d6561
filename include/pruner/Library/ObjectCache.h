//===- ObjectCache.h - objects that libraries share -------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIBRARY_OBJECTCACHE_H
#define PRUNER_LIBRARY_OBJECTCACHE_H

#include "pruner/Target/ObjectCode.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <condition_variable>
#include <mutex>

namespace pruner {

/// Objects by the lowered modules and the options that they are compiled from,
/// as long as the cache lives: libraries that share functions compile each
/// once. Several threads may use it, each with modules of its own context.
class ObjectCache {
public:
  /// Hash of the module's text and of the options.
  static std::string key(mlir::ModuleOp module, const CpuOptions &options);

  /// Compiles the module if nobody did or does.
  void compile(const std::string &key, mlir::ModuleOp module,
               const CpuOptions &options);
  /// The object of a key that was given to `compile`; waits until it is there.
  /// It stays where it is until the cache ends.
  llvm::Expected<const ObjectCode &> get(llvm::StringRef key);

  /// How many objects were compiled, and how many calls of `compile` found
  /// theirs taken care of.
  unsigned compiled() const;
  unsigned shared() const;

private:
  struct Entry {
    bool done = false;
    std::string problem;
    ObjectCode object;
  };

  mutable std::mutex mutex;
  std::condition_variable ready;
  llvm::StringMap<Entry> entries;
  unsigned numShared = 0;
};

} // namespace pruner

#endif // PRUNER_LIBRARY_OBJECTCACHE_H
