//===- PadStage.cpp - staging with padding --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageLowering.h"

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pruner;

/// True if the box may reach beyond either end of the tensor along `coord`.
bool StageLowering::mayLeave(unsigned coord) {
  return origin[coord].getConstant() < 0 || isCut(coord);
}

/// Emits `copy` where all coordinates of `local` except `except` are inside of
/// the tensor, and `fill` elsewhere.
void StageLowering::ifInside(FormsRef local, std::optional<unsigned> except,
                             llvm::function_ref<void()> copy,
                             llvm::function_ref<void()> fill) {
  Value inside;
  for (unsigned r = 0; r < origin.size(); ++r) {
    if (r == rowCoord || r == except || !mayLeave(r))
      continue;
    IndexForm position = origin[r] + local[r];
    if (Value here = indices.within({}, position, position, op.getShape()[r]))
      inside = indices.both(inside, here);
  }
  if (!inside)
    return copy();
  auto ifOp = scf::IfOp::create(builder, loc, inside, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  copy();
  builder.setInsertionPointToStart(ifOp.elseBlock());
  fill();
}

/// Emits loops over all rows of the buffer.
void StageLowering::lowerPadded(unsigned p, Forms local) {
  if (rowCoord && !mayLeave(*rowCoord))
    if (int64_t size = squareSize(p, local))
      return lowerPaddedSquares(p, local, size);
  bool interleaved = isInterleaved(p);
  if (p + 1 < extents.size() && !interleaved)
    return lowerLoop(p, local, indices.constant(0),
                     indices.constant(extents[p]), 1,
                     [&](Forms here) { lowerPadded(p + 1, std::move(here)); });
  if (!rowCoord)
    return move({}, local, 1, /*cut=*/false);
  int64_t length = extents.back();
  SmallVector<Row> rows = rowsAt(interleaved ? rowStep : 1, length, local);
  ifInside(
      local, std::nullopt,
      [&] {
        for (const Row &row : rows)
          fillEnds(row, length);
        copyInside(rows, length);
      },
      [&] {
        for (const Row &row : rows)
          fillRow(row, length);
      });
}

/// Fills rows together, as many as are inside along physical dimension `p`.
void StageLowering::lowerPaddedSquares(unsigned p, FormsRef local,
                                       int64_t size) {
  LayoutTerm t = term(p);
  Value none = indices.constant(0), all = indices.constant(extents[p]);
  auto fill = [&](Value begin, Value end) {
    lowerLoop(p, Forms(local), begin, end, 1, [&](Forms here) {
      fillRow({std::move(here), 0, {}, {}}, extents[p + 1]);
    });
  };
  ifInside(
      local, t.coord,
      [&] {
        Value begin = none, end = all;
        if (mayLeave(t.coord)) {
          Value at = indices.value(origin[t.coord] + local[t.coord]);
          begin = firstPosition(at, 0, t.div, extents[p]);
          end = firstPosition(at, op.getShape()[t.coord], t.div, extents[p]);
          fill(none, begin);
          fill(end, all);
        }
        lowerSquares(p, local, begin, end, size);
      },
      [&] { fill(none, all); });
}

/// The first of `length` positions, `step` apart from coordinate `at` on, whose
/// coordinate is at least `bound`; `length` if there is none.
Value StageLowering::firstPosition(Value at, int64_t bound, int64_t step,
                                   int64_t length) {
  Value distance = indices.sub(indices.constant(bound + step - 1), at);
  distance = indices.max(distance, indices.constant(0));
  if (step != 1)
    distance = indices.divU(distance, indices.constant(step));
  return indices.min(distance, indices.constant(length));
}

/// True if the rows along physical dimension `p` are the `rowStep` parts of one
/// row of the tensor, each with every `rowStep`-th element.
bool StageLowering::isInterleaved(unsigned p) {
  if (p + 2 != extents.size() || rowStep == 1)
    return false;
  LayoutTerm part = term(p);
  return part.coord == rowCoord && part.div == 1 && extents[p] == rowStep;
}

/// `count` rows from `local` on, of `length` elements each: one, or all parts
/// of a row of the tensor. The first element inside belongs to the first row,
/// as far as the padding is known.
SmallVector<StageLowering::Row>
StageLowering::rowsAt(int64_t count, int64_t length, FormsRef local) {
  IndexForm start = origin[*rowCoord] + local[*rowCoord];
  int64_t before = std::max<int64_t>(0, -start.getConstant()) % count;
  SmallVector<Row> rows;
  for (int64_t n = before; n < before + count; ++n)
    rows.push_back(rowAt(n % count, n / count, length, local));
  return rows;
}

/// Row number `n` from `local` on, of `length` elements.
StageLowering::Row StageLowering::rowAt(int64_t n, int64_t shift,
                                        int64_t length, FormsRef local) {
  Row row{Forms(local), shift, indices.constant(0), indices.constant(length)};
  row.local[*rowCoord] = row.local[*rowCoord] + n;
  if (!mayLeave(*rowCoord))
    return row;
  Value at = indices.value(origin[*rowCoord] + row.local[*rowCoord]);
  row.begin = firstPosition(at, 0, rowStep, length);
  row.end = firstPosition(at, op.getShape()[*rowCoord], rowStep, length);
  return row;
}

//===----------------------------------------------------------------------===//
// Outside of the tensor
//===----------------------------------------------------------------------===//

/// The padding value as a vector or scalar, and its number of lanes.
std::pair<Value, int64_t> StageLowering::filling(int64_t length) {
  Value value = arith::ConstantOp::create(builder, loc, *op.getPadding());
  int64_t lanes = std::max<int64_t>(op.getVector(), 1);
  if (lanes > length || !hasPlainVectors(target.element()))
    lanes = 1;
  if (lanes > 1)
    value = broadcastTo(builder, loc, value, lanes);
  return {value, lanes};
}

void StageLowering::fillRow(const Row &row, int64_t length) {
  auto [value, lanes] = filling(length);
  int64_t whole = length / lanes * lanes;
  auto forOp =
      scf::ForOp::create(builder, loc, indices.constant(0),
                         indices.constant(whole), indices.constant(lanes));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(forOp.getBody());
    IndexForm here(IndexTerm{forOp.getInductionVar(), 1, whole, {}});
    store(value, here, row.local);
  }
  // The last vector may cover elements that are already filled.
  if (whole < length)
    store(value, IndexForm(length - lanes), row.local);
}

/// Fills the ends of a row that is partly inside. The exact border depends on
/// the tile, and elements inside are copied later. The fill therefore consists
/// of whole vectors, as many as can contain an element outside.
void StageLowering::fillEnds(const Row &row, int64_t length) {
  IndexForm start = origin[*rowCoord] + row.local[*rowCoord];
  int64_t before =
      llvm::divideCeil(std::max<int64_t>(0, -start.getConstant()), rowStep);
  int64_t after = length;
  if (std::optional<int64_t> largest = start.maximum()) {
    int64_t inside = std::max<int64_t>(0, op.getShape()[*rowCoord] - *largest);
    after -= std::min<int64_t>(length, llvm::divideCeil(inside, rowStep));
  }
  auto [value, lanes] = filling(length);
  if (before + after >= length || before + after > kMaxPieces * lanes)
    return fillRow(row, length);
  for (int64_t n = 0; n < before; n += lanes)
    store(value, IndexForm(std::min(n, length - lanes)), row.local);
  for (int64_t n = length; n > length - after; n -= lanes)
    store(value, IndexForm(std::max<int64_t>(n - lanes, 0)), row.local);
}

//===----------------------------------------------------------------------===//
// Inside of the tensor
//===----------------------------------------------------------------------===//

/// Copies the elements of the rows that are inside. The rows are `rowStep`
/// apart, or there is only one.
void StageLowering::copyInside(ArrayRef<Row> rows, int64_t length) {
  FormsRef local = rows.front().local;
  int64_t lanes = std::max<int64_t>(op.getVector(), 1);
  int64_t most = std::min<int64_t>(
      length, llvm::divideCeil(op.getShape()[*rowCoord], rowStep));
  while (lanes > most)
    lanes /= 2;
  if (lanes > 1 && !vectorReads({}, local, lanes))
    lanes = 1;
  auto loop = [&](Value from, Value to, int64_t step,
                  llvm::function_ref<void(const IndexForm &)> body) {
    auto forOp =
        scf::ForOp::create(builder, loc, from, to, indices.constant(step));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(forOp.getBody());
    body(IndexForm(IndexTerm{forOp.getInductionVar(), 1, length, {}}));
  };
  auto scalars = [&](const Row &row, Value from, Value to) {
    loop(from, to, 1, [&](const IndexForm &along) {
      move(along, row.local, 1, /*cut=*/false);
    });
  };
  if (lanes == 1) {
    for (const Row &row : rows)
      scalars(row, row.begin, row.end);
    return;
  }

  // The first row begins last, and the last row ends first.
  auto shifted = [&](Value position, int64_t shift) -> Value {
    return shift == 0 ? position
                      : indices.add(position, indices.constant(shift));
  };
  Value begin = rows.front().begin;
  Value end = shifted(rows.back().end, -rows.back().shift);
  auto vectors = [&](const IndexForm &along) { moveRows(rows, along, lanes); };
  Value count = indices.sub(end, begin);
  Value enough = indices.compare(arith::CmpIPredicate::sge, count,
                                 indices.constant(lanes));
  auto ifOp = scf::IfOp::create(builder, loc, enough, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  Value rest = indices.remU(count, indices.constant(lanes));
  loop(begin, indices.sub(end, rest), lanes, vectors);
  // The rest is one more vector, which overlaps elements already copied.
  Value isRest =
      indices.compare(arith::CmpIPredicate::ne, rest, indices.constant(0));
  auto tail = scf::IfOp::create(builder, loc, isRest, /*withElse=*/false);
  builder.setInsertionPointToStart(tail.thenBlock());
  vectors(IndexForm::opaque(indices.sub(end, indices.constant(lanes))));
  builder.setInsertionPointAfter(tail);
  for (const Row &row : rows) {
    Value from = shifted(begin, row.shift), to = shifted(end, row.shift);
    if (row.begin != from)
      scalars(row, row.begin, from);
    if (row.end != to)
      scalars(row, to, row.end);
  }
  builder.setInsertionPointToStart(ifOp.elseBlock());
  for (const Row &row : rows)
    scalars(row, row.begin, row.end);
}

/// Moves `lanes` elements of each row, from its position for `along`.
void StageLowering::moveRows(ArrayRef<Row> rows, const IndexForm &along,
                             int64_t lanes) {
  FormsRef local = rows.front().local;
  if (rows.size() == 1)
    return move(along, local, lanes, /*cut=*/false);
  SmallVector<SmallVector<Value>> arguments(rows.size());
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    bool together = laneStride(n, rowCoord, rowStep, local, lanes) == rowStep;
    for (auto [r, row] : llvm::enumerate(rows))
      if (!together)
        arguments[r].push_back(
            read(n, along + row.shift, row.local, lanes, false));
    if (together)
      for (auto [part, list] :
           llvm::zip_equal(readParts(n, along, local, lanes), arguments))
        list.push_back(part);
  }
  for (auto [row, list] : llvm::zip_equal(rows, arguments)) {
    Value value = inlineBody(builder, op.getBody().front(), list,
                             /*contract=*/false);
    store(broadcastTo(builder, loc, value, lanes), along + row.shift,
          row.local);
  }
}
