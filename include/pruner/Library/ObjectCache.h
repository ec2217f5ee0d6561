//===- ObjectCache.h - objects that libraries share -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIBRARY_OBJECTCACHE_H
#define PRUNER_LIBRARY_OBJECTCACHE_H

#include "pruner/Target/ObjectCode.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <condition_variable>
#include <mutex>

namespace pruner {

/// A cache of objects by lowered module and options, for the lifetime of the
/// cache. Libraries that share functions compile each only once. Several
/// threads may use it, each with modules of its own context.
class ObjectCache {
public:
  /// Hash of the module's text and of the options.
  static std::string key(mlir::ModuleOp module, const CpuOptions &options);

  /// Compiles the module unless this has been done or is in progress.
  void compile(const std::string &key, mlir::ModuleOp module,
               const CpuOptions &options);
  /// The object for a key that was passed to `compile`; waits until it is
  /// compiled. The reference is valid as long as the cache.
  llvm::Expected<const ObjectCode &> get(llvm::StringRef key);

  /// The number of compiled objects, and the number of calls of `compile` that
  /// found an existing one.
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
