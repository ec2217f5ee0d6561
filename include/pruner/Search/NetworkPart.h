//===- NetworkPart.h - the calls of tasks in a network ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a network may have several forms, of which one is executed
// (`pruner.alternatives`). The time of a network is that of the fastest forms.

#ifndef PRUNER_SEARCH_NETWORKPART_H
#define PRUNER_SEARCH_NETWORKPART_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace pruner {

/// A network or a part of it: the calls of tasks that are always made, and
/// inner parts that have several forms. Tasks are numbers.
struct NetworkPart {
  struct Calls {
    unsigned task = 0;
    double count = 0;
  };
  /// The forms of an inner part; at least one.
  using Forms = std::vector<NetworkPart>;

  std::vector<Calls> calls;
  std::vector<Forms> choices;

  /// The sum over all calls, with the fastest form of each choice.
  /// `secondsOf` has the time of one call of each task; infinity if unknown.
  double seconds(llvm::ArrayRef<double> secondsOf) const;

  /// The number of calls of each of `numTasks` tasks. Where `isKept` holds for
  /// several forms of a choice, the one with the most calls counts.
  std::vector<double>
  countCalls(size_t numTasks,
             llvm::function_ref<bool(const Forms &, unsigned)> isKept) const;

  /// The number of calls of each task with the fastest form of each choice.
  std::vector<double> fastestCalls(llvm::ArrayRef<double> secondsOf) const;

  /// "0*2 (1*1 2*1 | 3*1)": two calls of task 0, and a choice of two forms.
  std::string str() const;

  /// The position of the fastest form; the first of equal ones.
  static unsigned fastest(const Forms &forms, llvm::ArrayRef<double> secondsOf);
};

} // namespace pruner

#endif // PRUNER_SEARCH_NETWORKPART_H
