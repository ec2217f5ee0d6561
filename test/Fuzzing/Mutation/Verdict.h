//===- Verdict.h - classify mutants -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_MUTATION_VERDICT_H
#define PRUNER_FUZZING_MUTATION_VERDICT_H

#include "Fuzzing/Mutation/Mutation.h"
#include "Observation.h"

namespace pruner {

/// How far correct kernels are from the reference in one output of one set.
struct Spread {
  double difference = 0; ///< Largest |got - want| of any element.
  int64_t differing = 0; ///< Largest number of elements with got != want.
  /// Unit roundoff of the element type; 0 for integers.
  double unitRoundoff = 0;
};

/// The results of the correct kernels of one task.
class RightKernels {
public:
  /// `checkedResults` results belong to the sets of the verification;
  /// `roundoffs` has the unit roundoff of each output's type, 0 for integers.
  RightKernels(size_t checkedResults, std::vector<double> roundoffs)
      : checked(checkedResults), roundoffs(std::move(roundoffs)) {}

  void add(const Observation &seen);

  size_t checkedResults() const { return checked; }
  const std::vector<Spread> &spread() const { return spreads; }

  /// The result of `seen` that exceeds the spread of correct kernels most,
  /// preferably of a set of the verification; std::nullopt if there is none
  /// (MutationTest.h, runMutationTest).
  std::optional<size_t> wrongResult(const Observation &seen) const;

private:
  size_t checked;
  std::vector<double> roundoffs;
  std::vector<Spread> spreads;
};

enum class Verdict { Unbuilt, Equivalent, Near, Rejected, Survived, Unseen };
/// "unbuilt", "equivalent", ...
llvm::StringRef nameOf(Verdict verdict);

/// `right` are the hashes of the kernel without its fault.
Verdict judge(const Observation &mutant, const std::vector<uint64_t> &right,
              const RightKernels &kernels);

/// The hashes of all results.
std::vector<uint64_t> hashesOf(const Observation &seen);

} // namespace pruner

#endif // PRUNER_FUZZING_MUTATION_VERDICT_H
