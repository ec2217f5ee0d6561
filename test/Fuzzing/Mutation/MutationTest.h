//===- MutationTest.h - does the check reject faults? -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_MUTATION_MUTATIONTEST_H
#define PRUNER_FUZZING_MUTATION_MUTATIONTEST_H

#include "Fuzzing/Mutation/Mutation.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <tuple>

namespace pruner {

struct MutationTestOptions {
  /// Kernels for an sm_80: those with tensor cores in the PTX machine, others
  /// in the emulator.
  bool gpu = false;
  uint64_t seed = 1;
  /// The number of the first mutant, and how many to test. A mutant depends
  /// only on its number, the seed and the following options.
  uint64_t first = 0, count = 500;
  unsigned mutantsPerTask = 50;
  /// Correct kernels per task, which determine how far correct results may be
  /// apart.
  unsigned schedules = 200;
  /// Names of kinds of tasks and of mutations; empty for all.
  std::vector<std::string> tasks, kinds;
  /// Limit of processor time per kernel in seconds; the limit of wall-clock
  /// time is ten times as long.
  unsigned timeout = 20;
  /// Factor for the bounds of verification. A factor above 1 weakens it, which
  /// shows that the test finds survivors.
  double loosen = 1;
  bool verbose = false; ///< Print every mutant.
  bool dump = false;    ///< Print tasks, and mutants as IR.
};

/// Counts of mutants; made = unbuilt + equivalent + near + relevant.
struct MutantCounts {
  uint64_t made = 0;
  uint64_t unbuilt = 0;    ///< No kernel: rejected by the verifier or lowering.
  uint64_t equivalent = 0; ///< The same bits for every set of inputs.
  /// Different, but no further from the reference than correct kernels may be.
  uint64_t near = 0;
  uint64_t relevant = 0; ///< Certainly wrong on inputs of the verification.
  uint64_t rejected = 0; ///< Relevant and rejected.
  /// Accepted, and wrong only on inputs that the verification does not use.
  uint64_t unseen = 0;

  uint64_t survivors() const { return relevant - rejected; }
  MutantCounts &operator+=(const MutantCounts &other);
};

struct RightCounts {
  uint64_t ran = 0, rejected = 0;
};

struct MutationTestReport {
  /// By kind of task, type, and kind of mutation.
  std::map<std::tuple<std::string, std::string, MutationKind>, MutantCounts>
      mutants;
  /// By kind of task and type.
  std::map<std::pair<std::string, std::string>, RightCounts> right;
  /// No reference, or no kernel of a correct schedule.
  uint64_t failedTasks = 0;
  /// A signal ended the run before mutant `next`.
  bool interrupted = false;
  uint64_t next = 0;

  MutantCounts total() const;
  RightCounts totalRight() const;
  /// No survivor, no rejected correct kernel, no task without a reference, and
  /// at least one relevant mutant.
  bool good() const;
  MutationTestReport &operator+=(const MutationTestReport &other);
  void print(llvm::raw_ostream &os) const;
};

/// A mutant is relevant if its error is this many times the largest difference
/// between any correct kernel and the reference.
inline constexpr double relevanceFactor = 8;

/// Tests the verification of candidates (compareOutput with makeReference) by
/// mutants of correct kernels. For every task:
///
/// 1. Correct kernels with random schedules run on the input sets of the
///    reference, which verification uses, and on those of references with two
///    other seeds. All must be accepted on all of them.
/// 2. Mutants of some of these kernels run on the same sets. A mutant is
///    *relevant* if, on any output of any set, its largest |got - want| is more
///    than relevanceFactor times the largest |got - want| of any correct kernel
///    over all elements of that output. If correct kernels agree with the
///    reference in every element, any difference is relevant. For integer
///    outputs that correct kernels round differently, it is relevant if more
///    than relevanceFactor times as many elements differ, or if they differ by
///    that much more. Elements with an infinite bound do not count. A mutant
///    that crashes, hangs or writes outside of its outputs is relevant and
///    rejected.
/// 3. A relevant mutant that is accepted on the sets of the verification is a
///    survivor. It is written to `log` with the command that repeats it.
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
