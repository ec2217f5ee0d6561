//===- MutationTest.h - does the check refuse wrong kernels? ----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_FUZZING_MUTATION_MUTATIONTEST_H
#define PRUNER_FUZZING_MUTATION_MUTATIONTEST_H

#include "Fuzzing/Mutation/Mutation.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <tuple>

namespace pruner {

struct MutationTestOptions {
  bool gpu = false; ///< Kernels for an sm_80 in the emulator.
  uint64_t seed = 1;
  /// Mutants are numbered; those from `first` on are made. A mutant depends on
  /// its number, the seed and the options below alone.
  uint64_t first = 0, count = 500;
  unsigned mutantsPerTask = 50;
  /// Right kernels per task, which say how far right results lie apart.
  unsigned schedules = 200;
  /// Names of kinds of tasks and of mutations; all of them if empty.
  std::vector<std::string> tasks, kinds;
  /// Seconds of processor time for each kernel; ten times as many by the clock.
  unsigned timeout = 20;
  /// Bounds of the check are multiplied by this: a check known to be too weak
  /// shows that survivors are found.
  double loosen = 1;
  bool verbose = false; ///< Print every mutant.
  bool dump = false;    ///< Print tasks, and mutants as IR.
};

/// Counts of mutants; made = unbuilt + equivalent + near + relevant.
struct MutantCounts {
  uint64_t made = 0;
  uint64_t unbuilt = 0;    ///< No kernel: the verifier or lowering refused.
  uint64_t equivalent = 0; ///< The same bits on every set of inputs.
  /// Different, but no further from the reference than right kernels may be.
  uint64_t near = 0;
  uint64_t relevant = 0; ///< Wrong beyond doubt on inputs of the check.
  uint64_t refused = 0;  ///< Relevant, and refused.
  /// Accepted, and wrong on no inputs but such as the check does not have.
  uint64_t unseen = 0;

  uint64_t survivors() const { return relevant - refused; }
  MutantCounts &operator+=(const MutantCounts &other);
};

struct RightCounts {
  uint64_t ran = 0, refused = 0;
};

struct MutationTestReport {
  /// By kind of task, type, and kind of mutation.
  std::map<std::tuple<std::string, std::string, MutationKind>, MutantCounts>
      mutants;
  /// By kind of task and type.
  std::map<std::pair<std::string, std::string>, RightCounts> right;
  uint64_t failedTasks = 0; ///< No reference, or no kernel of a right schedule.
  /// A signal ended the run in front of mutant `next`.
  bool interrupted = false;
  uint64_t next = 0;

  MutantCounts total() const;
  RightCounts totalRight() const;
  /// No survivor, no right kernel refused, no task without a reference, and at
  /// least one relevant mutant.
  bool good() const;
  MutationTestReport &operator+=(const MutationTestReport &other);
  void print(llvm::raw_ostream &os) const;
};

/// How many times the largest difference between any right kernel and the
/// reference a relevant mutant is off.
inline constexpr double relevanceFactor = 8;

/// Judges the check of candidates (compareOutput with makeReference) by mutants
/// of right kernels. For every task:
///
/// 1. Right kernels under random schedules run on the reference's sets of
///    inputs, which the check uses, and on those of references with two other
///    seeds. All must be accepted on all of them.
/// 2. Mutants of some of these run on the same sets. A mutant is *relevant* if
///    on any output of any set its largest |got - want| is more than
///    relevanceFactor times the largest |got - want| of any right kernel over
///    all elements of that output (where right kernels agree with the reference
///    in every element: if it differs at all); of integer outputs that right
///    kernels round differently, if more than relevanceFactor times as many
///    elements differ, or by so much more. Elements that a set says nothing
///    about (an infinite bound) do not count. One that crashes, hangs or writes
///    beside its outputs is relevant and refused.
/// 3. A relevant mutant that the check accepts on its own sets is a survivor,
///    written to `log` with the command that repeats it.
///
/// Every kernel is built and run in a forked child. The calling process must
/// have no other threads. The first SIGINT or SIGTERM ends the run after the
/// current kernel.
MutationTestReport runMutationTest(const MutationTestOptions &options,
                                   llvm::raw_ostream &log);

/// Names for MutationTestOptions.
std::vector<std::string> mutationTaskNames();

} // namespace pruner

#endif // PRUNER_FUZZING_MUTATION_MUTATIONTEST_H
