//===- WarpInstruction.h - products of a warp's matrices --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix instructions of GPUs (mma.sync). All lanes of a warp execute one
// together. The matrices are spread over their registers (PTX ISA, "matrix
// fragments for mma"): with g = lane / 4 and q = lane % 4,
//
//   a: 4 bytes at rows g and g + 8, from byte 4 q of every 16 bytes along k
//   b: 4 bytes at column g, from byte 4 q of every 16 bytes along k
//   c: columns 2 q and 2 q + 1 of rows g and g + 8
//
// Loops of a tiled program express the places of c: threads along the rows and
// along pairs of columns, and two copies along both. An instruction has
// `rows` rows of a and c, 8 columns of b and c, and `sums` terms. `widths` has
// one entry: the bytes of a row of c, and the first chip, such as sm_80. Where
// the device has an instruction of 8 rows only, two of them with the same b are
// one here.
//
// The objects are in lib/Program/Instructions.

#ifndef PRUNER_PROGRAM_WARPINSTRUCTION_H
#define PRUNER_PROGRAM_WARPINSTRUCTION_H

#include "pruner/Program/MatrixInstruction.h"

namespace pruner {

class WarpInstruction : public MatrixInstruction {
public:
  /// Lanes along the rows of c and along its columns, and neighboring columns
  /// of a lane.
  static constexpr int64_t kRowLanes = 8, kColumnLanes = 4, kLaneColumns = 2;
  static constexpr int64_t kColumns = kColumnLanes * kLaneColumns;
  static constexpr int64_t kLanes = kRowLanes * kColumnLanes;
  /// Bytes along the sum that ldmatrix loads of each row of a matrix. A row
  /// begins at a multiple of it.
  static constexpr int64_t kChunkBytes = 16;

  /// The rows of one instruction of the device.
  const int64_t deviceRows;

  /// Instructions of the device.
  int64_t deviceInstructions() const { return rows / deviceRows; }
  /// Terms of the sum in a chunk.
  int64_t chunkSums() const { return kChunkBytes / byteWidth(operands); }
  /// Lengths of rows in units of the lanes: 2 for 16 rows.
  int64_t rowParts() const { return rows / kRowLanes; }
  /// Whether operands may be contiguous along their rows or columns instead of
  /// the sum. ldmatrix transposes elements of 16 bits.
  bool transposes() const { return byteWidth(operands) == 2; }
  /// Whether a lane loads each register of such operands alone instead, which
  /// holds one element.
  bool loadsElements() const { return byteWidth(operands) == 4; }
  /// Whether such operands can be loaded in one of these ways.
  bool loadsAcross() const { return transposes() || loadsElements(); }
  /// The factor of padding of the rows of such operands. A load reads 8
  /// elements of 4 rows, which are in different banks if rows begin 8 words
  /// apart.
  int64_t padFactor() const { return loadsElements() ? 2 : 1; }

  /// Multiply-adds of an instruction.
  int64_t multiplyAdds() const { return rows * kColumns * sums; }
  /// Elements of c in a lane.
  int64_t laneElements() const { return rowParts() * kLaneColumns; }
  /// 32-bit registers of a lane that hold a for one instruction, and b.
  int64_t aRegisters() const { return rows * sums / kLanes / group; }
  int64_t bRegisters() const { return kColumns * sums / kLanes / group; }
  /// 32-bit registers of a lane that hold c.
  int64_t cRegisters() const {
    return laneElements() * byteWidth(accumulators) / 4;
  }
  /// Matrices of 8 rows and a chunk of terms that ldmatrix loads as a for one
  /// instruction, and as b.
  int64_t aMatrices() const { return rowParts() * bMatrices(); }
  int64_t bMatrices() const { return sums / chunkSums(); }

  /// The instruction as one of a warp, or null if it is null or of a CPU.
  static const WarpInstruction *of(const MatrixInstruction *instruction) {
    return instruction && instruction->unit == Unit::Warps
               ? static_cast<const WarpInstruction *>(instruction)
               : nullptr;
  }

protected:
  WarpInstruction(llvm::StringLiteral name, ElementType operands,
                  ElementType accumulators, bool aSigned, bool bSigned,
                  int64_t deviceRows, int64_t sums,
                  llvm::ArrayRef<Width> widths)
      : MatrixInstruction(name, operands, accumulators, aSigned, bSigned,
                          /*rows=*/16, sums, /*group=*/4 / byteWidth(operands),
                          Unit::Warps, widths),
        deviceRows(deviceRows) {}
  ~WarpInstruction() = default;
};

} // namespace pruner

#endif // PRUNER_PROGRAM_WARPINSTRUCTION_H
