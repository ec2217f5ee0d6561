//===- CloneTensors.cpp - clone tensor ops with static shapes -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cloner.h"

#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pruner;

LogicalResult Cloner::cloneTensor(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](tensor::EmptyOp each) { return cloneEmpty(each); })
      .Case([&](tensor::CastOp each) { return cloneCast(each); })
      .Case([&](tensor::CollapseShapeOp each) { return cloneCollapse(each); })
      .Case([&](tensor::ExpandShapeOp each) { return cloneExpand(each); })
      .Case([&](tensor::ReshapeOp each) { return cloneReshape(each); })
      .Case(
          [&](tensor::ExtractSliceOp each) { return cloneExtractSlice(each); })
      .Case([&](tensor::InsertSliceOp each) { return cloneInsertSlice(each); })
      .Case([&](tensor::PadOp each) { return clonePad(each); })
      .Case([&](tensor::ConcatOp each) { return cloneConcat(each); })
      .Case([&](tensor::InsertOp each) { return cloneInsert(each); })
      .Default([&](Operation *each) {
        // Operands that define shapes have no other reader.
        auto isShape = [](OpOperand &use) {
          return isa<tensor::ReshapeOp>(use.getOwner()) &&
                 use.getOperandNumber() == 1;
        };
        if (isa<tensor::FromElementsOp>(each) &&
            llvm::all_of(each->getUses(), isShape))
          return success();
        return cloneOther(*each);
      });
}

LogicalResult Cloner::cloneEmpty(tensor::EmptyOp op) {
  Dims known;
  for (OpFoldResult extent : op.getMixedSizes()) {
    std::optional<SizeTable> table = evaluate(extent);
    if (!table)
      return fail(op) << "an extent does not follow from the size";
    if (isNegative(op, *table))
      return failure();
    const bool uniform = !isConstant(*table);
    known.push_back({std::move(*table), {}, uniform});
  }
  Value made = tensor::EmptyOp::create(builder, op.getLoc(), shapeOf(known),
                                       op.getType().getElementType());
  define(op, made, std::move(known));
  return success();
}

LogicalResult Cloner::cloneCast(tensor::CastOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  const Dims known = dimsOf(op.getSource());
  if (!type || type.getRank() != int64_t(known.size()))
    return fail(op) << op.getType() << " has no rank";
  for (auto [extent, dim] : llvm::zip_equal(type.getShape(), known))
    if (!ShapedType::isDynamic(extent) &&
        !llvm::all_equal(llvm::concat<const int64_t>(
            dim.extents, ArrayRef<int64_t>(extent))))
      return fail(op) << "the extent " << extent << " does not hold for every "
                      << "call";
  define(op, map.lookup(op.getSource()), known);
  return success();
}

LogicalResult Cloner::cloneCollapse(tensor::CollapseShapeOp op) {
  const Dims source = dimsOf(op.getSrc());
  Dims known;
  for (ReassociationIndices group : op.getReassociationIndices()) {
    SmallVector<PaddedDim> parts =
        llvm::map_to_vector(group, [&](int64_t n) { return source[n]; });
    FailureOr<PaddedDim> dim = collapse(parts, calls);
    if (failed(dim))
      return fail(op) << "the extents of a group do not follow from the size";
    known.push_back(std::move(*dim));
  }
  Value made = tensor::CollapseShapeOp::create(
      builder, op.getLoc(), typeOf(op.getType(), known),
      map.lookup(op.getSrc()), op.getReassociationIndices());
  define(op, made, std::move(known));
  return success();
}

LogicalResult Cloner::cloneExpand(tensor::ExpandShapeOp op) {
  const Dims source = dimsOf(op.getSrc());
  SmallVector<OpFoldResult> extents = op.getMixedOutputShape();
  Dims known;
  for (auto [n, group] : llvm::enumerate(op.getReassociationIndices())) {
    SmallVector<SizeTable> tables;
    for (int64_t dim : group) {
      std::optional<SizeTable> table = evaluate(extents[dim]);
      if (!table)
        return fail(op) << "an extent does not follow from the size";
      tables.push_back(std::move(*table));
    }
    auto parts = expand(source[n], tables, size());
    if (failed(parts))
      return fail(op) << "the padding of dimension " << n
                      << " is not padding of the dimensions it becomes";
    llvm::append_range(known, *parts);
  }
  // A single element has no groups.
  if (source.empty())
    known.assign(op.getType().getRank(),
                 PaddedDim{SizeTable(calls.size(), 1), {}, false});
  Value made = tensor::ExpandShapeOp::create(
      builder, op.getLoc(), typeOf(op.getType(), known),
      map.lookup(op.getSrc()), op.getReassociationIndices());
  define(op, made, std::move(known));
  return success();
}

LogicalResult Cloner::cloneReshape(tensor::ReshapeOp op) {
  auto shape = op.getShape().getDefiningOp<tensor::FromElementsOp>();
  if (!shape || !isa<RankedTensorType>(op.getType()))
    return fail(op) << "the shape is not built from scalars";
  SmallVector<SizeTable> tables;
  for (Value extent : shape.getElements()) {
    const SizeTable *table = tableOf(extent);
    if (!table)
      return fail(op) << "an extent does not follow from the size";
    tables.push_back(*table);
  }
  FailureOr<PaddedDim> row = collapse(dimsOf(op.getSource()), calls);
  auto known = succeeded(row) ? expand(*row, tables, size())
                              : FailureOr<SmallVector<PaddedDim>>();
  if (failed(known))
    return fail(op) << "the padding of its source is not padding of one "
                       "dimension of its result";
  Value source = map.lookup(op.getSource());
  auto from = cast<RankedTensorType>(source.getType());
  RankedTensorType to = typeOf(op.getType(), *known);
  Value made = source;
  Location loc = op.getLoc();
  if (from != to) {
    auto groups = getReassociationIndicesForReshape(from, to);
    const bool collapses = from.getRank() > to.getRank();
    if (!groups) {
      // By way of one dimension.
      ReassociationIndices all =
          llvm::to_vector(llvm::seq<int64_t>(0, from.getRank()));
      made = tensor::CollapseShapeOp::create(
          builder, loc, source, SmallVector<ReassociationIndices>{all});
      all = llvm::to_vector(llvm::seq<int64_t>(0, to.getRank()));
      made = tensor::ExpandShapeOp::create(
          builder, loc, to, made, SmallVector<ReassociationIndices>{all});
    } else if (collapses) {
      made = tensor::CollapseShapeOp::create(builder, loc, to, source, *groups);
    } else {
      made = tensor::ExpandShapeOp::create(builder, loc, to, source, *groups);
    }
  }
  define(op, made, std::move(*known));
  return success();
}

LogicalResult Cloner::cloneExtractSlice(tensor::ExtractSliceOp op) {
  const Dims source = dimsOf(op.getSource());
  const auto offsets = op.getMixedOffsets(), sizes = op.getMixedSizes(),
             strides = op.getMixedStrides();
  Dims known;
  SmallVector<OpFoldResult> starts, extents, steps;
  for (unsigned n = 0; n < source.size(); ++n) {
    std::optional<SizeTable> start = evaluate(offsets[n]),
                             extent = evaluate(sizes[n]),
                             step = evaluate(strides[n]);
    if (!extent || !step || !isConstant(*step))
      return fail(op) << "the extent of dimension " << n
                      << " does not follow from the size";
    if (isNegative(op, *extent))
      return failure();
    const int64_t last = start ? start->back() : 0;
    const bool whole = start && isConstant(*start) && last == 0 &&
                       step->front() == 1 && *extent == source[n].extents;
    PaddedDim dim = source[n];
    if (!whole) {
      // Elements before the padding: the same number in every call. If the
      // dimension has no padding, a smaller call may have fewer.
      FailureOr<PaddedDim> part = prefixDim(*extent, calls);
      const bool fits = start && last + (extent->back() - 1) * step->front() <
                                     source[n].extent();
      if (!source[n].isPrefix(size()) || failed(part) ||
          (part->isPadded() &&
           (source[n].isPadded() || !fits || !isConstant(*start))))
        return fail(op) << "it shifts or cuts dimension " << n;
      // Each piece would take the first elements.
      if (source[n].isPadded() || part->isPadded())
        result.independent = false;
      dim = *part;
      dim.uniform = source[n].uniform && dim.isPadded();
    }
    OpFoldResult place = numberInCall(offsets[n]);
    if (!place)
      return fail(op) << "the offset of dimension " << n
                      << " does not follow from the size";
    starts.push_back(place);
    extents.push_back(builder.getIndexAttr(dim.extent()));
    steps.push_back(builder.getIndexAttr(step->front()));
    known.push_back(std::move(dim));
  }
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Dims kept;
  for (unsigned n = 0; n < known.size(); ++n)
    if (!dropped[n])
      kept.push_back(known[n]);
  // The verifier accepts no place in an empty dimension.
  RankedTensorType type = typeOf(op.getType(), kept);
  Value made =
      type.getNumElements() == 0
          ? tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                    type.getElementType())
                .getResult()
          : tensor::ExtractSliceOp::create(builder, op.getLoc(), type,
                                           map.lookup(op.getSource()), starts,
                                           extents, steps)
                .getResult();
  define(op, made, std::move(kept));
  return success();
}

LogicalResult Cloner::cloneInsertSlice(tensor::InsertSliceOp op) {
  const Dims source = dimsOf(op.getSource()), dest = dimsOf(op.getDest());
  const auto offsets = op.getMixedOffsets(), sizes = op.getMixedSizes(),
             strides = op.getMixedStrides();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Dims known = dest;
  SmallVector<OpFoldResult> starts, extents, steps;
  unsigned next = 0;
  for (unsigned n = 0; n < dest.size(); ++n) {
    std::optional<SizeTable> start = evaluate(offsets[n]),
                             extent = evaluate(sizes[n]),
                             step = evaluate(strides[n]);
    if (!start || !extent || !step || !isConstant(*step))
      return fail(op) << "the extent of dimension " << n
                      << " does not follow from the size";
    const PaddedDim *from = dropped[n] ? nullptr : &source[next++];
    const bool changes = !isConstant(dest[n].extents) || !isConstant(*extent) ||
                         !isConstant(*start);
    if (changes) {
      // The whole dimension, with the same padding on both sides.
      const bool whole = isConstant(*start) && start->front() == 0 &&
                         step->front() == 1 && *extent == dest[n].extents;
      if (!whole || !from ||
          !(from->uniform || dest[n].uniform || *from == dest[n]))
        return fail(op) << "it shifts or cuts dimension " << n;
      known[n] = dest[n].uniform ? *from : dest[n];
    }
    starts.push_back(builder.getIndexAttr(start->back()));
    extents.push_back(builder.getIndexAttr(extent->back()));
    steps.push_back(builder.getIndexAttr(step->front()));
  }
  Value from = map.lookup(op.getSource()), made = map.lookup(op.getDest());
  // The verifier accepts no place in an empty dimension.
  if (cast<RankedTensorType>(from.getType()).getNumElements() != 0)
    made = tensor::InsertSliceOp::create(builder, op.getLoc(), from, made,
                                         starts, extents, steps);
  define(op, made, std::move(known));
  return success();
}

LogicalResult Cloner::clonePad(tensor::PadOp op) {
  Dims known = dimsOf(op.getSource());
  const auto low = op.getMixedLowPad(), high = op.getMixedHighPad();
  SmallVector<OpFoldResult> before, behind;
  for (unsigned n = 0; n < known.size(); ++n) {
    std::optional<SizeTable> front = evaluate(low[n]), back = evaluate(high[n]);
    if (!front || !back || !isConstant(*front) || !isConstant(*back))
      return fail(op) << "the padding of dimension " << n
                      << " is not the same in every call";
    const int64_t more = front->front() + back->front();
    // Padding before the elements and equally much cropping after them move the
    // elements, too.
    if ((front->front() != 0 || back->front() != 0) &&
        !isConstant(known[n].extents))
      return fail(op) << "it pads dimension " << n;
    for (int64_t &extent : known[n].extents)
      extent += more;
    if (isNegative(op, known[n].extents))
      return failure();
    before.push_back(builder.getIndexAttr(front->front()));
    behind.push_back(builder.getIndexAttr(back->front()));
  }
  if (failed(mapNumbers(op)) || failed(checkReads(op)))
    return failure();
  for (auto [dim, position] :
       llvm::zip_equal(known, op.getRegion().getArguments()))
    if (!position.use_empty() && (dim.uniform || dim.isPadded()))
      return fail(op) << "its values depend on positions that padding changes";
  auto made = tensor::PadOp::create(
      builder, op.getLoc(), typeOf(op.getType(), known),
      map.lookup(op.getSource()), before, behind, op.getNofold());
  op.getRegion().cloneInto(&made.getRegion(), map);
  define(op, made, std::move(known));
  return success();
}

LogicalResult Cloner::cloneConcat(tensor::ConcatOp op) {
  const unsigned along = op.getDim();
  Dims known = dimsOf(op.getInputs().front());
  SmallVector<Value> inputs;
  for (auto [number, input] : llvm::enumerate(op.getInputs())) {
    const Dims &next = dimsOf(input);
    for (unsigned n = 0; n < known.size(); ++n) {
      if (n == along) {
        if (!isConstant(next[n].extents))
          return fail(op) << "it concatenates along dimension " << n;
        if (number > 0)
          for (int64_t &extent : known[n].extents)
            extent += next[n].extent();
        continue;
      }
      if (known[n].uniform)
        known[n] = next[n];
      else if (!next[n].uniform && known[n] != next[n])
        return fail(op) << "its operands are padded differently";
    }
    inputs.push_back(map.lookup(input));
  }
  Value made = tensor::ConcatOp::create(
      builder, op.getLoc(), typeOf(op.getType(), known), along, inputs);
  define(op, made, std::move(known));
  return success();
}

LogicalResult Cloner::cloneInsert(tensor::InsertOp op) {
  if (failed(mapNumbers(op)))
    return failure();
  Dims known = dimsOf(op.getDest());
  for (PaddedDim &dim : known) {
    FailureOr<PaddedDim> resolved = resolve(dim, calls);
    if (failed(resolved) || !resolved->isPrefix(size()))
      return fail(op)
             << "it writes an element at a position that padding changes";
    dim = *resolved;
    // Each piece would write it.
    if (dim.isPadded())
      result.independent = false;
  }
  Operation *made = builder.clone(*op, map);
  made->getResult(0).setType(typeOf(op.getType(), known));
  define(op, made->getResult(0), std::move(known));
  return success();
}
