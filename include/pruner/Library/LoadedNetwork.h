//===- LoadedNetwork.h - load and run libraries of networks -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIBRARY_LOADEDNETWORK_H
#define PRUNER_LIBRARY_LOADEDNETWORK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pruner {

/// An input or output of a network.
struct NetworkTensor {
  std::string name;
  std::string kind;    ///< The kind from the names file: input, parameter, ...
  std::string element; ///< As in MLIR: f32, i64, i1, index, ...
  std::vector<int64_t> shape;

  int64_t elements() const;
};

/// Times of one call or of whole runs, in seconds, and their number. The median
/// and the minimum are over the last 256.
struct NetworkTimes {
  int64_t calls = 0;
  double total = 0, median = 0, least = 0;
};

/// A library made by `emitLibrary`, loaded into this process. It stays loaded
/// until the process ends, because its threads may still run. Its code is
/// executed without checks, so only load it in processes that may crash.
class LoadedNetwork {
public:
  /// Loads a copy of the file's current contents, even if an older library of
  /// this name is loaded already.
  static llvm::Expected<LoadedNetwork> load(llvm::StringRef path);

  std::vector<NetworkTensor> inputs, outputs;
  /// Bytes of the workspace for intermediate tensors.
  int64_t workspaceBytes = 0;
  /// For each call of the network, in the order of its code, the key of the
  /// called task; empty if the callee is not a task.
  std::vector<std::string> calls;

  /// Runs the network. Buffers are contiguous and aligned to 64 bytes.
  llvm::Error run(llvm::ArrayRef<const void *> inputs,
                  llvm::ArrayRef<void *> outputs) const;
  /// Sets the number of threads of parallel kernels; 0: as many as are useful.
  void setThreads(unsigned threads) const;
  /// Clears all times and starts to measure.
  llvm::Error startProfile() const;
  /// The times of call `n` since then.
  llvm::Expected<NetworkTimes> times(size_t n) const;
  /// The times of whole runs.
  llvm::Expected<NetworkTimes> runTimes() const {
    return times(calls.size() + 1);
  }

private:
  std::string path;
  int (*runFunction)(const void *const *, void *const *) = nullptr;
  const char *(*errorFunction)() = nullptr;
  void (*setThreadsFunction)(int) = nullptr;
  int (*profileFunction)(int) = nullptr;
  int (*readFunction)(int64_t, NetworkTimes *) = nullptr;
};

/// Bytes of one element; 0 for a type that libraries do not use.
size_t elementBytes(const NetworkTensor &tensor);

} // namespace pruner

#endif // PRUNER_LIBRARY_LOADEDNETWORK_H
