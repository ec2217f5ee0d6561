//===- BuildProgram.h - build tiled programs from schedules -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the program that a schedule makes of a task, and answers questions
// about it without building it.

#ifndef PRUNER_SKETCH_BUILDPROGRAM_H
#define PRUNER_SKETCH_BUILDPROGRAM_H

#include "pruner/Program/TiledProgram.h"
#include "pruner/Sketch/Schedule.h"

namespace pruner {

/// The program that `schedule` makes of `task`. The schedule must have the
/// right number of tile lists and factors for the task (`Analysis/Legality.h`
/// checks this).
TiledProgram buildTiledProgram(const TaskDesc &task, const Schedule &schedule);

/// The outermost tile level of a dimension.
struct OuterLevel {
  /// Blocks that share a reduction (`Schedule::split`); 1 for other dimensions.
  int64_t parts = 1;
  /// Trips of each part.
  int64_t steps = 1;
};

OuterLevel outerLevel(const TaskDesc &task, const Schedule &schedule,
                      unsigned dim);

/// Elements of the anchor output's type in the workspace for partial results.
int64_t workspaceElements(const TaskDesc &task, const Schedule &schedule);

/// For a CPU chain over rows, the statement that writes its intermediate result
/// to the memory of the task's result. This is the last elementwise statement
/// for which the last statement reads exactly the element that it overwrites;
/// std::nullopt if there is none. The memory of the result is then fetched into
/// the cache while other work continues, and less of the cache is in use.
std::optional<unsigned> statementInPlace(const TaskDesc &task);

/// The dimension that vectors run along if the schedule names none: that of the
/// output's last coordinate, or in a chain over rows the last one along a row.
/// std::nullopt for a scalar output.
std::optional<unsigned> defaultVectorDimension(const TaskDesc &task);

/// The anchor dimension that vectors run along: `Schedule::vectorDim`, or the
/// default.
std::optional<unsigned> vectorDimension(const TaskDesc &task,
                                        const Schedule &schedule);

/// The last dimension along the columns of the second product of a chain, along
/// which vectors run; std::nullopt in other tasks.
std::optional<unsigned> lastColumn(const TaskDesc &task);

/// Whether vectors run along dimension `dim`: `vectorDimension`, and in a chain
/// between products also its `lastColumn`.
bool runsAlongVectors(const TaskDesc &task, const Schedule &schedule,
                      unsigned dim);

/// How a schedule uses its matrix instruction.
struct InstructionUse {
  const MatrixInstruction *instruction;
  /// The anchor inputs that provide a (the same for all lanes) and b.
  unsigned aInput, bInput;
  /// The reduction dimension whose terms the instruction adds up, and how many.
  unsigned sumDim;
  int64_t sums;
  /// The last sum has terms beyond the extent, where b is zero. Inputs that are
  /// arguments are then staged.
  bool reachesBehind = false;
  /// Tiles: the parallel dimension along their rows, and the number of rows.
  unsigned rowDim;
  int64_t rows = 1;
  /// As in MatrixInstruction::Factors.
  bool shiftsA = false;

  /// Neighbors along the sum that are next to each other in input `input`.
  int64_t neighbors(unsigned input) const {
    return input == aInput && instruction->isTile() ? sums : instruction->group;
  }
  /// The number of elements of which the innermost tile of `dim` is a multiple,
  /// or 0 if the instruction does not use `dim`.
  int64_t unitAlong(unsigned dim) const {
    if (dim == sumDim)
      return sums;
    return instruction->isTile() && dim == rowDim ? rows : 0;
  }
};

/// Whether the task can use `instruction` with vectors along `vectorDim`, and
/// how its anchor does. The types of the inputs must fit. One input (b) must
/// move along vectors and the other (a) not, and both along one reduction
/// dimension, with coefficient one. This dimension is a coordinate of b. It is
/// one of a, or a term of the last one, as the window of a convolution. Sums of
/// floats then reach beyond its extent only if windows move along a single
/// dimension. In a chain between products the second product must be able to
/// use it, too.
std::optional<InstructionUse> useOf(const MatrixInstruction &instruction,
                                    const TaskDesc &task,
                                    std::optional<unsigned> vectorDim);

/// The same for the instruction and vectors of `schedule`; std::nullopt if it
/// has none.
std::optional<InstructionUse> instructionUse(const TaskDesc &task,
                                             const Schedule &schedule);

/// A chain between products uses an instruction in both products: how the
/// second one does. Its vectors run along the columns, a is the buffer of the
/// rows, and b an argument, which is packed. std::nullopt for other tasks and
/// without an instruction.
std::optional<InstructionUse> instructionUseOfSecond(const TaskDesc &task,
                                                     const Schedule &schedule);

/// The number of elements of which the innermost factor of `dim` is a multiple:
/// that of a vector, the terms or the rows that the matrix instruction computes
/// at once, or both. 0 if it may be any number.
int64_t innermostUnit(const TaskDesc &task, const Schedule &schedule,
                      unsigned dim);
/// The same, for the known uses of the instruction by both products.
int64_t innermostUnit(const TaskDesc &task, const Schedule &schedule,
                      const std::optional<InstructionUse> &use,
                      const std::optional<InstructionUse> &second,
                      unsigned dim);

/// Stages the inputs that the matrix instruction of `schedule` cannot read in
/// place.
void stageForInstruction(const TaskDesc &task, Schedule &schedule);

/// The memory of a staged input: its extent for each coordinate of the tensor,
/// and its layout (as in BufferDesc).
struct StageLayout {
  llvm::SmallVector<int64_t, 4> box;
  llvm::SmallVector<int64_t, 4> shape;
  llvm::SmallVector<LayoutTerm, 4> layout;

  int64_t elements() const;
};

/// The layout of anchor input `input`, which `schedule` stages. The shape
/// includes rows of padding, and the gap after a row that aligns the next one
/// for vectors.
StageLayout stageLayout(const TaskDesc &task, const Schedule &schedule,
                        unsigned input);
/// The layout of the factor that `instructionUseOfSecond` packs, for all rows
/// of a core's tile.
StageLayout stageLayoutOfSecond(const TaskDesc &task, const Schedule &schedule);

/// The element type of the buffer of anchor input `input`, which `schedule`
/// stages. An input that the anchor extends before it multiplies
/// (StatementDesc::product) is extended by the copy, so that it is converted
/// once and not in every use. On GPUs, for a matrix instruction and packed
/// ahead of time it keeps its type: narrow elements take less memory there.
ElementType stagedType(const TaskDesc &task, const Schedule &schedule,
                       unsigned input);

/// The steps of the outer reduction of one block: the slices of staged inputs.
int64_t reductionSteps(const TaskDesc &task, const Schedule &schedule);

/// How the copies of a staged input run ahead of their use.
struct CopyAhead {
  /// The number of buffers; 1 if each slice is copied and used before the next
  /// one is copied.
  int64_t buffers = 1;
  /// Copied to shared memory without registers (cp.async). The other copies
  /// load the next slice into registers and store it after the current one was
  /// used, so that two buffers suffice.
  bool async = false;
};

/// How the copies of anchor input `input`, which `schedule` stages, run ahead.
/// Asynchronous are those without arithmetic that move 4, 8 or 16 bytes at a
/// time, contiguous and aligned in both memories. The start of each buffer is
/// aligned to 16 bytes.
CopyAhead copyAhead(const TaskDesc &task, const Schedule &schedule,
                    unsigned input);

/// The parallel dimension along which the panels of a packed input follow one
/// another; each panel has a register tile. Of several packed inputs, the one
/// that is packed ahead of time decides, or else the one that is packed outside
/// of most loops. std::nullopt if nothing is packed, or if one register tile
/// covers the extent. Only for cpu_tile.
std::optional<unsigned> panelDimension(const TaskDesc &task,
                                       const Schedule &schedule);

} // namespace pruner

#endif // PRUNER_SKETCH_BUILDPROGRAM_H
