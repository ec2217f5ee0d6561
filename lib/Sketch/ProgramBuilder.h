//===- ProgramBuilder.h - builds one tiled program --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_SKETCH_PROGRAMBUILDER_H
#define PRUNER_LIB_SKETCH_PROGRAMBUILDER_H

#include "pruner/Sketch/BuildProgram.h"
#include "pruner/Sketch/Sketch.h"
#include "pruner/Sketch/TaskForms.h"
#include "pruner/Support/Sizes.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace pruner {

/// Sends one program to a sink. Nested calls of the band functions form the
/// loop nest; loops with one trip are left out.
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

  /// The loops of the sketch and their contents.
  virtual void nest() = 0;
  /// The number of threads that copy a staged input.
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

  // BuildBuffers.cpp: buffers and their layouts.
  void addTensors();
  BufferDesc accumulator(MemoryLevel level) const;
  int registerTiles(const OperandDesc &output, std::optional<unsigned> along,
                    llvm::function_ref<int64_t(unsigned)> tilesOf);
  int addAlloc(BufferDesc buffer);
  static void addWithin(BufferDesc &buffer, unsigned coord, int64_t extent,
                        int64_t mod);
  const TaskForms::Input::Windows *windowsOf(unsigned input) const;
  void stageAll(StageLevel where);
  void stage(unsigned input);

  // BuildStatements.cpp: statements on a register tile.
  BoxLoops tileLoops(unsigned level) {
    return tileLoops(outputDims, vectorDim, level);
  }
  BoxLoops tileLoops(Dims dims, std::optional<unsigned> along,
                     unsigned level) const;
  static BoxLoops loopsBy(const InstructionUse &use, BoxLoops tile);
  bool leavesParts() const;
  TileAccess accessAccumulator(int acc) const;
  void init(int acc, BoxLoops loops);
  void update(int acc, BoxLoops loops,
              std::optional<unsigned> prefetchDim = std::nullopt,
              const MatrixInstruction *instruction = nullptr);
  void finish(int acc, BoxLoops loops, bool prefetch = false);
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
  /// The buffer from which the anchor reads each input, or -1 for in place.
  llvm::SmallVector<int, 4> operandBuffer;
  /// The buffer for partial results of blocks, and the map to it; -1 if each
  /// block computes whole reductions.
  int workspace = -1;
  const AccessMap *partMap = nullptr;
  /// The second kernel is being built.
  bool combining = false;
  /// Loops around the current position; those without loops over threads; and
  /// those without loops over the threads along a row, which all do the same if
  /// nothing runs along the row.
  llvm::SmallVector<int, 8> enclosing, sharedOrigin, acrossRow;
  /// The last of the loops around the current position.
  BandLoop innermost;
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
