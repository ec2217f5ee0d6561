//===- LibraryPeers.h - BLAS libraries to compare with ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_MATMUL_LIBRARYPEERS_H
#define PRUNER_BENCHMARKS_MATMUL_LIBRARYPEERS_H

#include "Rounds.h"

namespace pruner::bench {

/// Of every OpenMP runtime that is loaded by now: oneDNN and our kernels may
/// have one each.
void setOpenMPThreads(unsigned threads);

/// Libraries that are opened at run time. What is missing becomes a contender
/// with a failure.
class LibraryPeers {
public:
  /// `openBlas`, `oneDnn`: file names for dlopen, empty to leave it out.
  /// Settings for another machine that the environment carries are removed
  /// while the libraries start.
  LibraryPeers(const std::string &openBlas, const std::string &oneDnn,
               unsigned threads);

  std::vector<Contender> contenders(Operands &operands) const;

  /// Variables that were set aside, "NAME=value".
  const std::vector<std::string> &removed() const { return dropped; }

private:
  struct Library {
    std::string name, detail, failure;
    unsigned threads = 1;
    /// C = A B, m x n x k.
    std::function<void(const Shape &, const float *, const float *, float *)>
        run;
  };
  static Library openOpenBlas(const std::string &file, unsigned threads);
  static Library openOneDnn(const std::string &file, unsigned threads);

  std::vector<Library> libraries;
  std::vector<std::string> dropped;
};

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_MATMUL_LIBRARYPEERS_H
