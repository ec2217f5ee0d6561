//===- LibraryPeers.h - BLAS libraries to compare with ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_COMMON_LIBRARYPEERS_H
#define PRUNER_BENCHMARKS_COMMON_LIBRARYPEERS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pruner::bench {

/// Sets the threads of every OpenMP runtime loaded so far; peers bring their
/// own.
void setOpenMPThreads(unsigned threads);

/// The matrix product of a library that is opened at run time.
struct LibraryPeer {
  std::string name, detail;
  std::string failure; ///< Why `run` is null.
  unsigned threads = 1;
  /// C = A B in f32, row-major: A is m x k, B is k x n, C is m x n.
  std::function<void(int64_t m, int64_t n, int64_t k, const float *a,
                     const float *b, float *c)>
      run;
};

/// Libraries that are opened at run time.
class LibraryPeers {
public:
  /// `openBlas` and `oneDnn` are file names for dlopen; empty to omit the
  /// library. Environment variables that tune the libraries for another machine
  /// are removed while the libraries start.
  LibraryPeers(const std::string &openBlas, const std::string &oneDnn,
               unsigned threads);

  /// Missing libraries have a failure.
  llvm::ArrayRef<LibraryPeer> all() const { return libraries; }

  /// The removed variables, "NAME=value".
  const std::vector<std::string> &removed() const { return dropped; }

private:
  std::vector<LibraryPeer> libraries;
  std::vector<std::string> dropped;
};

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMMON_LIBRARYPEERS_H
