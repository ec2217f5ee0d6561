//===- Summarizer.h - summaries of programs as they are made ----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_PROGRAM_SUMMARIZER_H
#define PRUNER_PROGRAM_SUMMARIZER_H

#include "pruner/Program/Summary.h"

namespace pruner {

/// Summarizes programs of one task that are not kept, one after the other, in
/// the same memory.
class Summarizer final : public ProgramSink {
public:
  /// The task must outlive it.
  explicit Summarizer(const TaskDesc &task) : task(task) {}

  void begin() override;
  void beginKernel() override { summary.kernels.emplace_back(); }
  void beginBand(LoopLevel level, llvm::ArrayRef<BandLoop> loops) override;
  void endBand() override;
  void add(const AllocNode &node) override { allocate(node.buffer); }
  void add(const StageNode &node) override;
  void add(const ComputeNode &node) override;

  /// Of the program that it was told of last.
  ProgramSummary summary;

private:
  void addBuffers(size_t count);
  void allocate(int index);
  StatementSummary &addStatement(StatementKind kind, llvm::ArrayRef<int> at);
  AccessSummary &addAccess(StatementSummary &out, int buffer, AccessKind kind);
  void addTile(StatementSummary &out, const TileAccess &tile, AccessKind kind);
  void finish(StatementSummary &out, AccessSummary &access);

  const TaskDesc &task;
  /// Per buffer of the program its number in the summary; -1 for a value that
  /// is never in memory.
  llvm::SmallVector<int, 8> numbers;
  struct Enclosing {
    BandLoop loop;
    LoopLevel level;
  };
  llvm::SmallVector<Enclosing, 24> enclosing;
  /// How many loops each open band has.
  llvm::SmallVector<unsigned, 8> bands;
  /// Per loop of the current statement: its id (-1: its own loop) and its step.
  llvm::SmallVector<int, 24> ids;
  llvm::SmallVector<int64_t, 24> steps;
  /// The ids of the loops around the statement before, and its kernel.
  llvm::SmallVector<int, 24> lastIds;
  unsigned lastKernel = 0;
};

} // namespace pruner

#endif // PRUNER_PROGRAM_SUMMARIZER_H
