//===- TaskRun.h - one task and its mutants ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_MUTATION_TASKRUN_H
#define PRUNER_FUZZING_MUTATION_TASKRUN_H

#include "Fuzzing/Mutation/MutationTest.h"
#include "Subject.h"
#include "Tasks.h"
#include "Verdict.h"
#include "mlir/IR/MLIRContext.h"
#include <csignal>
#include <memory>

namespace pruner {

/// Data shared by the processes of a run.
struct MutationTestMemory {
  static constexpr size_t maxKinds = 32, maxTypes = 8;

  volatile sig_atomic_t stop; ///< Set by a signal in either process.
  uint64_t next;              ///< The first mutant that was not tested.
  uint64_t failedTasks;
  MutantCounts mutants[maxKinds][maxTypes][numMutationKinds];
  RightCounts right[maxKinds][maxTypes];
  Observation observation;
};

/// One task: its correct kernels, then some of its mutants.
class TaskRun {
public:
  /// Task `number` is of kind `kinds[number % kinds.size()]`.
  TaskRun(const MutationTestOptions &options, MutationTestMemory &shared,
          llvm::raw_ostream &log, llvm::ArrayRef<size_t> kinds, uint64_t number)
      : options(options), shared(shared), log(log), number(number),
        kind(kinds[number % kinds.size()]) {
    // Each cycle through the kinds uses the next type of each.
    type = number / kinds.size() % taskKinds()[kind].types.size();
  }

  /// Tests its mutants from `first` up to, but not including, `end`.
  void run(uint64_t first, uint64_t end);

private:
  std::string title() const;
  std::string repeat(uint64_t n) const;
  bool prepare();
  bool runRight();
  void runMutant(uint64_t n);
  std::string scheduleText(const Schedule &schedule) const;
  void reportMissed(uint64_t n, Verdict verdict, const Schedule &schedule,
                    llvm::StringRef what, const Observation &seen);
  struct Choice;
  std::optional<Choice> choose(Random &random);

  const MutationTestOptions &options;
  MutationTestMemory &shared;
  llvm::raw_ostream &log;
  uint64_t number;
  size_t kind, type;
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<MutationSubject> subject;
  std::string text;
  std::vector<Schedule> schedules;
  std::vector<std::vector<uint64_t>> hashes; ///< Of each correct kernel.
  std::optional<RightKernels> right;
};

} // namespace pruner

#endif // PRUNER_FUZZING_MUTATION_TASKRUN_H
