//===- MatrixInstruction.h - instructions that multiply matrices *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instruction that adds the product of two small matrices to a third one:
//
//   c[m][n] += sum over k < sums of a[m][k] * b[k][n],    m < rows, n < lanes
//
// Dot products of vectors have one row. The columns of b and c are the lanes of
// a vector register, or of the rows of a tile register.
//
// Most operands are narrower than accumulators, so each lane of b holds `group`
// neighbors along k. Memory holds b as [sums / group][lanes][group] and a as
// [rows][sums]; the rows of both may be apart.
//
// `sums` need not divide the extent of k. Beyond the extent b is zero, and so
// is a if they are floats, because zero times infinity is not zero.
//
// The objects are in lib/Program/Instructions, one class in a file.
// `Schedule::instruction` selects one; a statement of a tiled program names it.

#ifndef PRUNER_PROGRAM_MATRIXINSTRUCTION_H
#define PRUNER_PROGRAM_MATRIXINSTRUCTION_H

#include "pruner/Program/Task.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace pruner {

class MatrixInstruction {
public:
  /// One width of the registers of c.
  struct Width {
    int64_t bytes;
    /// LLVM's name of the operation. It takes c and the two factors.
    llvm::StringLiteral intrinsic;
    /// LLVM's names of the CPU features that it needs, separated by commas.
    /// Either list is enough; the second may be empty.
    llvm::StringLiteral features, orFeatures;

    /// Whether a CPU has it, which has the features that `has` accepts.
    bool exists(llvm::function_ref<bool(llvm::StringRef)> has) const;
  };

  /// The mnemonic, which is also its spelling in schedules and in IR.
  const llvm::StringLiteral name;
  /// The types of a and b, and of c.
  const ElementType operands, accumulators;
  /// For integers, whether a and b are signed.
  const bool aSigned, bSigned;
  /// The most rows and terms of a sum; fewer are possible if `rows` is above 1.
  const int64_t rows, sums;
  const int64_t group;
  /// The type of the factors that it multiplies. If it is wider than
  /// `operands`, these are extended in registers, according to their own signs.
  const ElementType factorType;
  /// What executes it; `CoreModel` and `SmModel` have the cost of each.
  /// `Warps` are those of GPUs (WarpInstruction.h).
  enum class Unit { IntegerDot, IntegerPairs, BrainFloatDot, Tiles, Warps };
  const Unit unit;
  const llvm::ArrayRef<Width> widths;

  bool extends() const { return factorType != operands; }
  /// The operation takes only the factors; an addition to c follows.
  bool addsApart() const { return unit == Unit::IntegerPairs; }
  /// Whether it multiplies tf32: operands are f32, and are rounded in
  /// registers.
  bool multipliesTensorFloats() const { return operands == ElementType::F32; }
  /// Whether a, b and c are in tile registers.
  bool isTile() const { return unit == Unit::Tiles; }
  /// Whether c is one row, so that a has no rows either.
  bool isDot() const { return rows == 1; }
  /// Tile registers of a core.
  static constexpr int64_t kTileRegisters = 8;
  /// A product of tiles with fewer rows takes as long as one of this many
  /// (measured on an Emerald Rapids).
  static constexpr double kLeastTileRows = 10.5;
  const Width *width(int64_t bytes) const;

  /// How the two factors are passed to the instruction.
  struct Factors {
    /// b is the first one.
    bool bFirst = false;
    /// Half of their range is added to the signed integers of a, which makes
    /// them unsigned; the same times the sum of b is subtracted from the
    /// result.
    bool shiftsA = false;
  };
  /// The factors for integers with these signs; std::nullopt if the instruction
  /// cannot multiply them.
  std::optional<Factors> factorsOf(bool aSigned, bool bSigned) const;

protected:
  MatrixInstruction(llvm::StringLiteral name, ElementType operands,
                    ElementType accumulators, bool aSigned, bool bSigned,
                    int64_t rows, int64_t sums, int64_t group, Unit unit,
                    llvm::ArrayRef<Width> widths)
      : MatrixInstruction(name, operands, accumulators, aSigned, bSigned, rows,
                          sums, group, operands, unit, widths) {}
  MatrixInstruction(llvm::StringLiteral name, ElementType operands,
                    ElementType accumulators, bool aSigned, bool bSigned,
                    int64_t rows, int64_t sums, int64_t group,
                    ElementType factorType, Unit unit,
                    llvm::ArrayRef<Width> widths)
      : name(name), operands(operands), accumulators(accumulators),
        aSigned(aSigned), bSigned(bSigned), rows(rows), sums(sums),
        group(group), factorType(factorType), unit(unit), widths(widths) {}
  ~MatrixInstruction() = default;
};

/// The intrinsics that clear, load and store the tiles of such instructions.
inline constexpr llvm::StringLiteral kClearTile = "llvm.x86.tilezero.internal";
inline constexpr llvm::StringLiteral kLoadTile =
    "llvm.x86.tileloadd64.internal";
inline constexpr llvm::StringLiteral kStoreTile =
    "llvm.x86.tilestored64.internal";

/// The intrinsic that rounds a register of f32 with this many bytes to bf16, to
/// nearest even, and takes subnormal numbers as zero. Empty for other widths.
/// All CPUs with an instruction that multiplies bf16 have it (AVX512-BF16).
llvm::StringRef roundToBrainFloats(int64_t bytes);

/// Whether an instruction of a CPU has this intrinsic, or its operands or
/// results need it. The CPU has the features that `has` accepts.
bool isMatrixIntrinsic(
    llvm::StringRef name, llvm::function_ref<bool(llvm::StringRef)> has =
                              [](llvm::StringRef) { return true; });

/// All instructions, in the order of their numbers in schedules, from 1.
llvm::ArrayRef<const MatrixInstruction *> allMatrixInstructions();

/// The instruction with this mnemonic, or null.
const MatrixInstruction *findMatrixInstruction(llvm::StringRef name);

} // namespace pruner

#endif // PRUNER_PROGRAM_MATRIXINSTRUCTION_H
