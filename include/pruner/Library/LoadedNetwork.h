//===- LoadedNetwork.h - libraries of networks, called ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIBRARY_LOADEDNETWORK_H
#define PRUNER_LIBRARY_LOADEDNETWORK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pruner {

/// A tensor that is passed to a network or comes out of it.
struct NetworkTensor {
  std::string name;
  std::string kind;    ///< What the names file says: input, parameter, ...
  std::string element; ///< As in MLIR: f32, i64, i1, index, ...
  std::vector<int64_t> shape;

  int64_t elements() const;
};

/// Times of one thing that a network does, in seconds, of as many calls. The
/// median and the least are of the last 256.
struct NetworkTimes {
  int64_t calls = 0;
  double total = 0, median = 0, least = 0;
};

/// A library that `emitLibrary` made, in this process. It stays loaded until
/// the process ends: its threads may still be in it. Its code is run as it
/// stands, so this belongs into processes that may die.
class LoadedNetwork {
public:
  /// Loads a copy of the file's present content, even if an older library of
  /// this name is loaded already.
  static llvm::Expected<LoadedNetwork> load(llvm::StringRef path);

  std::vector<NetworkTensor> inputs, outputs;
  /// Of the workspace for what is between the network's operations.
  int64_t workspaceBytes = 0;
  /// Of each call that the network makes, in the order of its code, the key of
  /// the task that is called; empty where it is none.
  std::vector<std::string> calls;

  /// One run. Buffers are contiguous and begin at multiples of 64 bytes.
  llvm::Error run(llvm::ArrayRef<const void *> inputs,
                  llvm::ArrayRef<void *> outputs) const;
  /// How many threads parallel kernels use; 0: as many as help.
  void setThreads(unsigned threads) const;
  /// Forgets all times and takes them from now on.
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

/// Bytes of one element; 0 for a type that no library has.
size_t elementBytes(const NetworkTensor &tensor);

} // namespace pruner

#endif // PRUNER_LIBRARY_LOADEDNETWORK_H
