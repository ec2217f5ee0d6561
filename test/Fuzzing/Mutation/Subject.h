//===- Subject.h - one task and its kernels ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_MUTATION_SUBJECT_H
#define PRUNER_FUZZING_MUTATION_SUBJECT_H

#include "Fuzzing/Mutation/Mutation.h"
#include "Observation.h"

#include <optional>

namespace pruner {

/// The architecture of GPU kernels.
inline constexpr llvm::StringLiteral gpuChip = "sm_80";

/// A mutation of a kernel: its number in the list of one phase.
struct MutantSite {
  bool mapped = false; ///< Of phase 4, otherwise of phase 3.
  size_t number = 0;
};

/// A task with the inputs for its kernels.
class MutationSubject {
public:
  /// `seed` is that of the verification's reference, whose bounds are
  /// multiplied by `loosen`.
  static llvm::Expected<std::unique_ptr<MutationSubject>>
  create(mlir::MLIRContext &context, llvm::StringRef text, int64_t seed,
         double loosen);

  const TaskDesc &desc() const { return task.desc; }
  const ObservedSets &sets() const { return observed; }
  const TaskProgram &taskProgram() const { return program; }
  /// The kernel of phase 3 or of phase 4.
  llvm::Expected<ScheduledKernel> kernel(const Schedule &schedule, bool mapped);

  /// Builds and runs a kernel, or one mutant of it, in a forked child with
  /// `seconds` of processor time. `seen` is shared memory. With `dump`, the
  /// child writes the mutant there before lowering it further.
  void observe(const Schedule &schedule, std::optional<MutantSite> mutant,
               unsigned seconds, Observation &seen,
               llvm::raw_ostream *dump = nullptr);

private:
  explicit MutationSubject(TaskProgram program) : program(std::move(program)) {}
  llvm::Error build(const Schedule &schedule, std::optional<MutantSite> mutant,
                    std::optional<KernelCode> &code, llvm::raw_ostream *dump);

  TaskProgram program;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  TaskIR task;
  std::vector<Reference> references;
  ObservedSets observed;
};

} // namespace pruner

#endif // PRUNER_FUZZING_MUTATION_SUBJECT_H
