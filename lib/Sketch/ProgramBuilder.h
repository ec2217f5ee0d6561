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
#include "pruner/Support/Sizes.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace pruner {

/// Builds one program. The nest is written down by nested calls of the bands;
/// loops that run once are left out.
class ProgramBuilder {
public:
  ProgramBuilder(const TaskDesc &task, const Schedule &schedule);
  virtual ~ProgramBuilder() = default;

  TiledProgram build();

protected:
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
  void addLoop(BandNode &node, unsigned dim, int64_t trips, int64_t step);
  void push(BandNode node, llvm::function_ref<void()> inside);

  // BuildBuffers.cpp: what is in memory and where it lies.
  static BufferDesc globalBuffer(const TensorDesc &tensor);
  void layOutPacked();
  BufferDesc accumulator(MemoryLevel level) const;
  int addAlloc(BufferDesc buffer);
  static void addWithin(BufferDesc &buffer, unsigned coord, int64_t extent,
                        int64_t mod);
  void stageAll(StageLevel where);
  void stage(unsigned input);
  std::vector<TileAccess> readsOfPrologue(const OperandDesc &operand,
                                          int statement) const;

  // BuildStatements.cpp: what is computed on a register tile.
  BoxLoops tileLoops(unsigned level);
  bool leavesParts() const;
  TileAccess accessAccumulator(int acc) const;
  void init(int acc, BoxLoops loops);
  void update(int acc, BoxLoops loops);
  void finish(int acc, BoxLoops loops);
  void mapTile(BoxLoops loops);

  const TaskDesc &task;
  const Schedule &schedule;
  const StatementDesc &anchor;
  TiledProgram program;
  DimList parallels, reductions;
  /// The parallel dimensions in the order of the outermost loops.
  DimList rastered;
  /// The dimensions of the output's coordinates, in their order.
  DimList outputDims;
  /// CPU: the dimension along vectors. GPU: the output's last one.
  std::optional<unsigned> vectorDim;
  /// Where the anchor reads each input: a staged buffer, or -1 for in place.
  llvm::SmallVector<int, 4> operandBuffer;
  /// The buffer that blocks leave partial results in, and the map to it; -1
  /// where each has a reduction of its own.
  int workspace = -1;
  AccessMap partMap;
  /// Loops around the current place; the same without those over threads; and
  /// without those over the threads along a row, who all do the same where
  /// nothing runs along it.
  llvm::SmallVector<int, 8> enclosing, sharedOrigin, acrossRow;
  int nextLoop = 0;
  std::vector<Node> *body;
};

/// A sketch whose programs `Builder` builds.
template <typename Builder> class SketchWith : public Sketch {
public:
  using Sketch::Sketch;
  TiledProgram build(const TaskDesc &task,
                     const Schedule &schedule) const final {
    return Builder(task, schedule).build();
  }

protected:
  ~SketchWith() = default;
};

} // namespace pruner

#endif // PRUNER_LIB_SKETCH_PROGRAMBUILDER_H
