//===- LowerLimits.cpp - stop at the last column that rows need -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CpuLowering.h"
#include "MaskedColumns.h"

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

#include <functional>

using namespace mlir;
using namespace pruner;

/// Lanes of the searches. LLVM splits vectors that are longer than registers.
static constexpr int64_t kLanes = 16;

namespace {

/// A range of positions along a dimension of the domain.
struct Positions {
  unsigned dim = 0;
  IndexForm begin;
  int64_t span = 1;
};

/// Loops over elements of arguments that evaluate a condition for each.
class Scan {
public:
  using Condition = llvm::function_ref<Value(ValueRange elements)>;

  Scan(OpBuilder &builder, IndexBuilder &indices, KernelOp kernel,
       ArrayRef<ElementRead> reads,
       std::function<const FlatBuffer &(Value)> flat)
      : builder(builder), indices(indices), loc(kernel.getLoc()),
        kernel(kernel), reads(reads), flat(std::move(flat)),
        place(kernel.getNumDims()) {}

  /// Whether the condition holds for all elements, or for any. The last of
  /// `ranges` runs along vectors.
  Value run(ArrayRef<Positions> ranges, bool all, Condition condition);

private:
  Value loops(ArrayRef<Positions> ranges, Value sofar);
  Value steps(Value count, Value sofar,
              llvm::function_ref<Value(Value, Value)> body);
  Value elements(const ElementRead &read);

  OpBuilder &builder;
  IndexBuilder &indices;
  Location loc;
  KernelOp kernel;
  ArrayRef<ElementRead> reads;
  /// A copy, because callers pass temporaries.
  std::function<const FlatBuffer &(Value)> flat;
  SmallVector<IndexForm> place;
  unsigned laneDim = 0;
  int64_t lanes = 1;
  bool all = false;
  const Condition *condition = nullptr;
};

} // namespace

Value Scan::run(ArrayRef<Positions> ranges, bool ofAll, Condition holds) {
  all = ofAll;
  condition = &holds;
  laneDim = ranges.back().dim;
  int64_t extent = kernel.getExtents()[laneDim];
  lanes = std::min<int64_t>(kLanes, llvm::bit_floor(uint64_t(extent)));
  auto type = VectorType::get({lanes}, builder.getI1Type());
  Value start =
      arith::ConstantOp::create(builder, loc,
                                all ? DenseElementsAttr::get(type, true)
                                    : DenseElementsAttr::get(type, false));
  return vector::ReductionOp::create(builder, loc,
                                     all ? vector::CombiningKind::AND
                                         : vector::CombiningKind::OR,
                                     loops(ranges, start));
}

/// A loop of `count` iterations that carries a value.
Value Scan::steps(Value count, Value sofar,
                  llvm::function_ref<Value(Value, Value)> body) {
  if (getConstantIntValue(count) == 1)
    return body(indices.constant(0), sofar);
  auto forOp = scf::ForOp::create(builder, loc, indices.constant(0), count,
                                  indices.constant(1), ValueRange{sofar});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forOp.getBody());
  Value next = body(forOp.getInductionVar(), forOp.getRegionIterArg(0));
  scf::YieldOp::create(builder, loc, next);
  return forOp.getResult(0);
}

Value Scan::loops(ArrayRef<Positions> ranges, Value sofar) {
  const Positions &range = ranges.front();
  int64_t extent = kernel.getExtents()[range.dim];
  if (ranges.size() > 1) {
    Value count = indices.constant(range.span);
    if ((range.begin + (range.span - 1)).mayReach(extent))
      count = indices.min(count, indices.sub(indices.constant(extent),
                                             indices.value(range.begin)));
    return steps(count, sofar, [&](Value step, Value carried) {
      place[range.dim] =
          range.begin + IndexForm(IndexTerm{step, 1, range.span, {}});
      return loops(ranges.drop_front(), carried);
    });
  }
  // Vectors at the end overlap others, so that they stay inside of the tensor.
  int64_t count = ceilDiv(range.span, lanes);
  return steps(indices.constant(count), sofar, [&](Value step, Value carried) {
    IndexForm first =
        range.begin + IndexForm(IndexTerm{step, lanes, count, {}});
    if ((first + (lanes - 1)).mayReach(extent))
      first = IndexForm::opaque(
          indices.min(indices.value(first), indices.constant(extent - lanes)));
    place[laneDim] = first;
    SmallVector<Value> values;
    for (const ElementRead &read : reads)
      values.push_back(elements(read));
    Value holds = broadcastTo(builder, loc, (*condition)(values), lanes);
    return all ? arith::AndIOp::create(builder, loc, carried, holds).getResult()
               : arith::OrIOp::create(builder, loc, carried, holds).getResult();
  });
}

/// The elements of a vector, or the one that all lanes read.
Value Scan::elements(const ElementRead &read) {
  const FlatBuffer &buffer = flat(read.buffer);
  SmallVector<int64_t> moves(kernel.getNumDims(), 0);
  moves[laneDim] = 1;
  SmallVector<IndexForm> coords = applyMap(read.map, place);
  LaneAddress where =
      getAddress(indices, buffer, coords, applyMoves(read.map, moves), lanes);
  Type element = buffer.element();
  if (where.laneStride == 1 &&
      (hasPlainVectors(element) || element.isInteger(1)))
    return vector::LoadOp::create(
        builder, loc, VectorType::get({lanes}, element), buffer.memref,
        ValueRange{indices.value(where.address)});
  auto load = [&](const IndexForm &address) -> Value {
    return memref::LoadOp::create(builder, loc, buffer.memref,
                                  ValueRange{indices.value(address)});
  };
  if (where.laneStride == 0)
    return load(where.address);
  SmallVector<Value> scalars;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    SmallVector<IndexForm> at(place);
    at[laneDim] = at[laneDim] + lane;
    scalars.push_back(load(getAddress(indices, buffer, applyMap(read.map, at),
                                      SmallVector<int64_t>(coords.size(), 0), 1)
                               .address));
  }
  return vectorFrom(builder, loc, scalars);
}

//===----------------------------------------------------------------------===//
// Limits of a block
//===----------------------------------------------------------------------===//

/// The position of the loops around the insertion point.
SmallVector<IndexForm> CpuLowering::currentPosition() {
  SmallVector<IndexForm> forms(kernel.getNumDims());
  for (auto &[iv, term] : ivs) {
    BandIv where = getBandIv(iv);
    IndexForm &form = forms[where.band.getDims()[where.loop]];
    form = form + IndexForm(term);
  }
  return forms;
}

/// The positions that statements inside `block` read along the dimensions of
/// `reads`.
static SmallVector<Positions> rangesOf(ArrayRef<ElementRead> reads,
                                       Block *block, ComputeOp statement,
                                       KernelOp kernel,
                                       ArrayRef<IndexForm> position) {
  // The innermost coordinate of the first tensor is contiguous.
  std::optional<unsigned> innermost;
  for (const ElementRead &read : llvm::reverse(reads))
    if (read.map.getNumResults())
      if (auto dim = dyn_cast<AffineDimExpr>(read.map.getResults().back()))
        innermost = dim.getPosition();
  SmallVector<Positions> ranges;
  for (unsigned dim = 0; dim < kernel.getNumDims(); ++dim) {
    if (!llvm::any_of(reads, [&](const ElementRead &read) {
          return usesDim(read.map, dim);
        }))
      continue;
    Positions range{dim, position[dim], kernel.getExtents()[dim]};
    // Dimensions that only other statements have are read completely.
    if (!kernel.getReductions()[dim] && usesDim(statement.getOutputMap(), dim))
      range.span = std::min(range.span, spanInside(block, statement, dim));
    ranges.push_back(range);
  }
  llvm::stable_sort(ranges, [&](const Positions &a, const Positions &b) {
    return (a.dim == innermost) < (b.dim == innermost);
  });
  return ranges;
}

/// Emits the checks that are evaluated at the start of `block`.
void CpuLowering::lowerChecks(Block &block) {
  for (MaskedColumns &columns : maskedColumns)
    for (const MagnitudeCheck &check : columns.checks) {
      if (check.at != &block)
        continue;
      Scan scan(
          builder, indices, kernel, check.reads,
          [&](Value buffer) -> const FlatBuffer & { return flat(buffer); });
      SmallVector<Positions> ranges = rangesOf(
          check.reads, &block, columns.scores, kernel, currentPosition());
      Value small = scan.run(ranges, /*all=*/true, [&](ValueRange elements) {
        Value value = check.body ? inlineBody(builder, *check.body, elements,
                                              /*contract=*/false)
                                 : elements.front();
        value = extendedToF32(value);
        auto below = [&](arith::CmpFPredicate predicate,
                         double limit) -> Value {
          return arith::CmpFOp::create(builder, loc, predicate, value,
                                       constantFloat(value.getType(), limit));
        };
        return arith::AndIOp::create(
                   builder, loc, below(arith::CmpFPredicate::OLT, check.limit),
                   below(arith::CmpFPredicate::OGT, -check.limit))
            .getResult();
      });
      Value &passed = checksPassed[columns.block];
      passed =
          passed
              ? arith::AndIOp::create(builder, loc, passed, small).getResult()
              : small;
    }
}

/// Searches backwards for the last columns that some row of `block` needs, and
/// lets the loops in the block end after them.
void CpuLowering::lowerLimit(Block &block) {
  auto *columns = llvm::find_if(maskedColumns, [&](const MaskedColumns &other) {
    return other.block == &block;
  });
  if (columns == maskedColumns.end())
    return;
  ComputeOp scores = columns->scores;
  const unsigned dim = columns->dim;
  const int64_t extent = kernel.getExtents()[dim], unit = columns->unit,
                parts = ceilDiv(extent, unit);
  SmallVector<ElementRead> reads;
  for (auto [n, input] : llvm::enumerate(scores.getInputs()))
    if (n != columns->product)
      reads.push_back({input, scores.getMap(n)});
  SmallVector<Positions> rows =
      rangesOf(reads, &block, scores, kernel, currentPosition());
  llvm::erase_if(rows,
                 [&](const Positions &range) { return range.dim == dim; });

  // Whether some row has a score in this part that is not minus infinity.
  auto isNeeded = [&](Value part) {
    SmallVector<Positions> ranges(rows);
    ranges.push_back({dim, IndexForm(IndexTerm{part, unit, parts, {}}), unit});
    Scan scan(builder, indices, kernel, reads,
              [&](Value buffer) -> const FlatBuffer & { return flat(buffer); });
    return scan.run(ranges, /*all=*/false, [&](ValueRange elements) {
      Block &body = scores.getBody().front();
      Type product = body.getArgument(columns->product).getType();
      SmallVector<Value> arguments(elements);
      arguments.insert(arguments.begin() + columns->product,
                       constantFloat(product, 0));
      Value score = extendedToF32(
          inlineBody(builder, body, arguments, /*contract=*/false));
      Value least = constantFloat(score.getType(),
                                  -std::numeric_limits<double>::infinity());
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE,
                                   score, least)
          .getResult();
    });
  };

  Value all = indices.constant(parts), one = indices.constant(1);
  Type index = builder.getIndexType();
  auto search = [&]() -> Value {
    auto isMasked = [&](Value count) -> Value {
      auto several = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::sgt, count, one);
      auto test = scf::IfOp::create(builder, loc, builder.getI1Type(), several,
                                    /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(test.thenBlock());
      Value last = arith::SubIOp::create(builder, loc, count, one);
      Value yes =
          arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
      Value masked = arith::XOrIOp::create(builder, loc, isNeeded(last), yes);
      scf::YieldOp::create(builder, loc, masked);
      builder.setInsertionPointToStart(test.elseBlock());
      Value no =
          arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
      scf::YieldOp::create(builder, loc, no);
      return test.getResult(0);
    };
    auto loop = scf::WhileOp::create(
        builder, loc, TypeRange{index}, ValueRange{all},
        [&](OpBuilder &, Location, ValueRange counts) {
          scf::ConditionOp::create(builder, loc, isMasked(counts[0]), counts);
        },
        [&](OpBuilder &, Location, ValueRange counts) {
          Value fewer = arith::SubIOp::create(builder, loc, counts[0], one);
          scf::YieldOp::create(builder, loc, fewer);
        });
    return loop.getResult(0);
  };
  Value needed;
  if (Value passed = checksPassed.lookup(&block)) {
    auto ifOp = scf::IfOp::create(builder, loc, index, passed,
                                  /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    scf::YieldOp::create(builder, loc, search());
    builder.setInsertionPointToStart(ifOp.elseBlock());
    scf::YieldOp::create(builder, loc, all);
    needed = ifOp.getResult(0);
  } else {
    needed = search();
  }
  ends[dim] = {indices.min(indices.mul(needed, indices.constant(unit)),
                           indices.constant(extent)),
               unit};
}

/// A float, or a vector of floats, as f32 if its type is narrower.
Value CpuLowering::extendedToF32(Value value) {
  if (getElementTypeOrSelf(value).getIntOrFloatBitWidth() >= 32)
    return value;
  Type wide = builder.getF32Type();
  if (auto type = dyn_cast<VectorType>(value.getType()))
    wide = type.clone(wide);
  return arith::ExtFOp::create(builder, loc, wide, value);
}

/// A constant of a float type or of a vector of floats.
Value CpuLowering::constantFloat(Type type, double value) {
  auto number = FloatAttr::get(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(vector, Attribute(number)));
  return arith::ConstantOp::create(builder, loc, number);
}
