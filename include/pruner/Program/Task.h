//===- Task.h - one tuning task as plain data -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// A task is the unit of tuning. It has one anchor statement (a contraction, a
// convolution, another reduction or an elementwise op). At most one elementwise
// statement is fused before each input of the anchor (prologue) and one
// after its output (epilogue). Alternatively, a task is a chain over rows
// (softmax, layer norm): reductions of rows and elementwise statements that use
// their results, over one domain. A chain may begin and end with products
// (attention, the two products of an MLP). A task is plain data, so search can
// evaluate millions of schedules without IR. `Recognition/TaskFromIR.h` builds
// it from ops.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_PROGRAM_TASK_H
#define PRUNER_PROGRAM_TASK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

enum class ElementType : uint8_t { F64, F32, F16, BF16, I64, I32, I16, I8, I1 };

/// Size of one element in memory, in bytes (i1 occupies one byte).
int64_t byteWidth(ElementType type);

/// One dimension of an iteration domain: a static trip count, and whether
/// iterations are independent (parallel) or accumulate (reduction).
struct IterDim {
  int64_t extent = 1;
  bool reduction = false;
  bool operator==(const IterDim &other) const {
    return extent == other.extent && reduction == other.reduction;
  }
};

/// The part of a dimension of the domain in a task.
enum class DimKind : uint8_t {
  /// Iterations are independent. In a chain: rows.
  Parallel,
  /// Iterations accumulate. In a chain: the elements of a row.
  Reduction,
  /// A chain between products: the terms of a sum of the first product.
  Terms,
  /// A chain between products: the columns of the second product's result.
  Columns,
};

/// A linear form over iteration dimensions: constant + sum coeffs[d] * iter[d].
struct LinearExpr {
  llvm::SmallVector<int64_t, 8> coeffs;
  int64_t constant = 0;

  bool uses(unsigned dim) const { return coeffs[dim] != 0; }
  /// The dimension, if the form is a single dimension with coefficient one and
  /// no constant.
  std::optional<unsigned> singleDim() const;
  bool operator==(const LinearExpr &other) const {
    return constant == other.constant && coeffs == other.coeffs;
  }
};

/// An indexing map: one linear form per tensor coordinate.
using AccessMap = llvm::SmallVector<LinearExpr, 4>;

/// The identity map over `rank` dimensions.
AccessMap identityMap(unsigned rank);

/// `map` with every dimension d replaced by `by[d]` (both over the same new
/// dimensions): first `by`, then `map`.
AccessMap compose(const AccessMap &map, const AccessMap &by);

/// Scalar operations per iteration point, by the classes of the statement
/// features (Ansor's algorithm): max, min and comparisons are `cmp`, exp and
/// similar functions are `math`, a fused multiply-add counts as two.
struct OpCounts {
  int64_t floatAddSub = 0, floatMul = 0, floatDivMod = 0, floatCmp = 0;
  int64_t floatMath = 0, floatOther = 0;
  int64_t intAddSub = 0, intMul = 0, intDivMod = 0, intCmp = 0;
  int64_t intMath = 0, intOther = 0, boolOps = 0, select = 0;

  /// Floating-point operations of any class.
  int64_t floatTotal() const {
    return floatAddSub + floatMul + floatDivMod + floatCmp + floatMath +
           floatOther;
  }
  /// Arithmetic of any class, on floats or integers, as counted by FLOP. Bit
  /// operations and selects are free.
  int64_t arithmetic() const {
    return floatTotal() + intAddSub + intMul + intDivMod + intCmp + intMath +
           intOther;
  }
  bool operator==(const OpCounts &other) const;
};

struct TensorDesc {
  std::string name;
  llvm::SmallVector<int64_t, 4> shape;
  ElementType type = ElementType::F32;
  /// Position among the kernel's arguments (inputs first, then the output);
  /// -1 for a value that exists only between fused statements.
  int argument = -1;
  /// An argument whose elements are known before the network runs (weights).
  bool constant = false;

  int64_t elements() const;
};

struct OperandDesc {
  int tensor = -1;
  AccessMap map; ///< Statement dimensions to tensor coordinates.
  /// The map may leave the tensor, which is then extended by a constant (a
  /// fused `tensor.pad`). Only inputs of the anchor may be padded.
  bool padded = false;
  /// This constant is zero, and a factor of what the anchor adds, so the anchor
  /// adds nothing outside of the tensor.
  bool zeroOutside = false;
};

/// In a chain over rows every statement (except a prologue) has all dimensions
/// of the domain. The dimensions that it does not iterate have extent 1 and
/// occur in none of its maps.
struct StatementDesc {
  llvm::SmallVector<IterDim, 6> dims;
  llvm::SmallVector<OperandDesc, 4> inputs;
  OperandDesc output;
  OpCounts ops;
  /// The statement accumulates by one associative operation (a sum, a maximum,
  /// ...), so parts may be accumulated separately and combined.
  bool associative = false;
  /// The counts of one such operation; not set in chains over rows.
  OpCounts combiner;
  /// The statement accumulates products of its two inputs, which are converted
  /// to the accumulator's type exactly, and nothing else. Padding values of
  /// inputs are finite, so that zero times each of them is zero. For each input
  /// whether its integers are signed (true for floats). Dot products and matrix
  /// instructions compute such statements (Program/MatrixInstruction.h).
  std::optional<std::array<bool, 2>> product;
  /// The factors of `product` are f32, and are rounded to tf32 first.
  bool tensorFloats = false;

  bool hasReduction() const;
  /// Points of the iteration domain.
  double points() const;
};

/// A task as plain data: everything that decides which schedules it has and
/// what they cost.
struct TaskDesc {
  std::string name;
  std::vector<TensorDesc> tensors;
  std::vector<StatementDesc> statements;
  /// The task is a chain over rows. `statements` are in the order of execution;
  /// the anchor is the first that reduces. Without products, the dimensions of
  /// the anchor are the domain: parallel ones are rows, reduction ones run
  /// along a row. The other statements have no prologue and no epilogue, and
  /// accumulate only from constants.
  bool rows = false;
  /// A chain between two products, and empty in all other tasks: its domain.
  /// The anchor is the first product, which may have prologues; it computes the
  /// rows. The second product reduces them, and elementwise statements on its
  /// result may follow. A dimension is marked as a reduction if some statement
  /// reduces it.
  llvm::SmallVector<IterDim, 6> domain;
  /// The kind of each dimension of `domain`.
  llvm::SmallVector<DimKind, 6> domainKinds;
  /// Index of the anchor in `statements`.
  int anchor = 0;
  /// For each anchor input the statement that produces it, or -1.
  llvm::SmallVector<int, 4> prologues;
  /// The statement behind the anchor, or -1. Its dimensions are the
  /// coordinates of the anchor's output, in order.
  int epilogue = -1;
  /// The initial value of the accumulator: a tensor that is read with the
  /// anchor's output map, or (tensor == -1) a constant.
  int initTensor = -1;

  const StatementDesc &anchorStatement() const { return statements[anchor]; }
  /// The dimensions that a schedule tiles.
  llvm::ArrayRef<IterDim> dims() const {
    return domain.empty() ? anchorStatement().dims : domain;
  }
  DimKind kindOf(unsigned dim) const {
    if (!domain.empty())
      return domainKinds[dim];
    return anchorStatement().dims[dim].reduction ? DimKind::Reduction
                                                 : DimKind::Parallel;
  }
  /// A chain over rows between two products.
  bool joinsProducts() const { return !domain.empty(); }
  /// The statement that reduces the rows of such a chain; -1 in other tasks.
  int secondProduct() const;
  bool hasReduction() const;
  /// Whether an input of the anchor is computed by a prologue.
  bool hasPrologue() const;
  /// The tensor that holds the result of the task.
  int outputTensor() const {
    if (rows)
      return statements.back().output.tensor;
    return statements[epilogue >= 0 ? epilogue : anchor].output.tensor;
  }
  /// Whether input `input` of the anchor may be packed ahead of time: nothing
  /// else reads it, it is constant, and each coordinate is a single dimension.
  bool canPackAhead(unsigned input) const;
  /// The anchor dimension of each coordinate of the anchor's output.
  llvm::SmallVector<unsigned, 6> outputDims() const;
  /// FLOP of one execution: `OpCounts::arithmetic` of every point.
  double flops() const;
  /// Bytes of its arguments and its result that one execution accesses, each
  /// element counted once. If maps access only parts of an argument, the boxes
  /// around these parts count.
  double bytes() const;
};

} // namespace pruner

#endif // PRUNER_PROGRAM_TASK_H
