//===- Summarizer.h - summarize programs while they are built ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_PROGRAM_SUMMARIZER_H
#define PRUNER_PROGRAM_SUMMARIZER_H

#include "pruner/Program/Summary.h"

namespace pruner {

/// Summarizes programs of one task, one after the other, without storing them.
/// Reuses the memory of the previous summary.
class Summarizer final : public ProgramSink {
public:
  /// The task must outlive it.
  explicit Summarizer(const TaskDesc &task) : task(task) {}

  void begin() override;
  void beginKernel() override { summary.kernels.emplace_back(); }
  void beginBand(LoopLevel level, llvm::ArrayRef<BandLoop> loops) override;
  void endBand() override;
  void add(const AllocNode &node) override {
    allocate(node.buffer, /*copies=*/1);
  }
  void add(const StageNode &node) override;
  void add(const ComputeNode &node) override;

  /// The summary of the last program.
  ProgramSummary summary;

private:
  void addBuffers(size_t count);
  void allocate(int index, int64_t copies);
  StatementSummary &addStatement(StatementKind kind, llvm::ArrayRef<int> at);
  AccessSummary &addAccess(StatementSummary &out, int buffer, AccessKind kind);
  void addTile(StatementSummary &out, const TileAccess &tile, AccessKind kind);
  void finish(StatementSummary &out, AccessSummary &access);

  const TaskDesc &task;
  /// For each buffer of the program its number in the summary; -1 for a value
  /// that is never in memory.
  llvm::SmallVector<int, 8> numbers;
  struct Enclosing {
    BandLoop loop;
    LoopLevel level;
  };
  llvm::SmallVector<Enclosing, 24> enclosing;
  /// The number of loops of each open band.
  llvm::SmallVector<unsigned, 8> bands;
  /// For each loop of the current statement its id (-1 for the statement's own
  /// loops) and its step.
  llvm::SmallVector<int, 24> ids;
  llvm::SmallVector<int64_t, 24> steps;
  /// The ids of the loops around the preceding statement, and its kernel.
  llvm::SmallVector<int, 24> lastIds;
  unsigned lastKernel = 0;
};

} // namespace pruner

#endif // PRUNER_PROGRAM_SUMMARIZER_H
