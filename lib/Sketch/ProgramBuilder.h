//===- ProgramBuilder.h - builds one tiled program --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_SKETCH_PROGRAMBUILDER_H
#define PRUNER_LIB_SKETCH_PROGRAMBUILDER_H

#include "pruner/Sketch/Sketch.h"
#include "pruner/Sketch/TaskForms.h"
#include "pruner/Support/Sizes.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace pruner {

/// Tells a sink of one program. The nest is written down by nested calls of the
/// bands; loops that run once are left out.
class ProgramBuilder {
public:
  ProgramBuilder(const TaskForms &forms, const Schedule &schedule,
                 ProgramSink &sink);

  void build();

protected:
  ~ProgramBuilder() = default;
  using Dims = llvm::ArrayRef<unsigned>;
  using DimList = llvm::SmallVector<unsigned, 6>;
  using BoxLoops = llvm::SmallVector<BoxLoop, 6>;

  /// The sketch's loops and what is in them.
  virtual void nest() = 0;
  /// Threads that copy a staged input.
  virtual int64_t stagingThreads() const { return 1; }

  // SplitReduction.cpp: reductions that blocks share.
  void addWorkspace();
  void blockBand(llvm::function_ref<void()> inside);
  void combineParts();

  // ProgramBuilder.cpp: bands.
  void outerBand(LoopLevel level, Dims dims, llvm::function_ref<void()> inside);
  void innerBand(LoopLevel level, Dims dims, unsigned factor,
                 llvm::function_ref<void()> inside);
  using BandLoops = llvm::SmallVector<BandLoop, 8>;
  void addLoop(BandLoops &loops, unsigned dim, int64_t trips, int64_t step);
  void push(LoopLevel level, const BandLoops &loops,
            llvm::function_ref<void()> inside);

  // BuildBuffers.cpp: what is in memory and where it lies.
  void addTensors();
  BufferDesc accumulator(MemoryLevel level) const;
  int addAlloc(BufferDesc buffer);
  static void addWithin(BufferDesc &buffer, unsigned coord, int64_t extent,
                        int64_t mod);
  void stageAll(StageLevel where);
  void stage(unsigned input);

  // BuildStatements.cpp: what is computed on a register tile.
  BoxLoops tileLoops(unsigned level);
  bool leavesParts() const;
  TileAccess accessAccumulator(int acc) const;
  void init(int acc, BoxLoops loops);
  void update(int acc, BoxLoops loops,
              std::optional<unsigned> prefetchDim = std::nullopt);
  void finish(int acc, BoxLoops loops);
  void mapTile(BoxLoops loops);

  const TaskForms &forms;
  const TaskDesc &task;
  const Schedule &schedule;
  const StatementDesc &anchor;
  ProgramSink &sink;
  TiledProgram &program;
  Dims parallels, reductions;
  /// The parallel dimensions in the order of the outermost loops.
  DimList rastered;
  /// The dimensions of the output's coordinates, in their order.
  Dims outputDims;
  /// CPU: the dimension along vectors. GPU: the output's last one.
  std::optional<unsigned> vectorDim;
  /// Where the anchor reads each input: a staged buffer, or -1 for in place.
  llvm::SmallVector<int, 4> operandBuffer;
  /// The buffer that blocks leave partial results in, and the map to it; -1
  /// where each has a reduction of its own.
  int workspace = -1;
  const AccessMap *partMap = nullptr;
  /// The second kernel is under way.
  bool combining = false;
  /// Loops around the current place; the same without those over threads; and
  /// without those over the threads along a row, who all do the same where
  /// nothing runs along it.
  llvm::SmallVector<int, 8> enclosing, sharedOrigin, acrossRow;
  int nextLoop = 0;
};

/// A sketch whose programs `Builder` builds.
template <typename Builder> class SketchWith : public Sketch {
public:
  using Sketch::Sketch;
  void build(const TaskForms &forms, const Schedule &schedule,
             ProgramSink &sink) const final {
    Builder(forms, schedule, sink).build();
  }

protected:
  ~SketchWith() = default;
};

} // namespace pruner

#endif // PRUNER_LIB_SKETCH_PROGRAMBUILDER_H
