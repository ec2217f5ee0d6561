//===- LowerStage.cpp - packing loops -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageLowering.h"

#include "pruner/Dialect/Pruner/IR/Layout.h"

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pruner;

StageLowering::StageLowering(CpuLowering &parent, StageOp op)
    : parent(parent), builder(parent.builder), indices(parent.indices),
      loc(op.getLoc()), op(op), target(parent.flat(op.getResult())),
      extents(target.shape),
      origin(applyMap(op.getMap(), parent.position(op.getAt()))) {
  if (extents.empty())
    return;
  LayoutTerm row = term(extents.size() - 1);
  rowCoord = row.coord;
  rowStep = row.div;
  // The memory after a row may be padding of the buffer, which is not filled.
  int64_t length = llvm::divideCeil(op.getBox()[row.coord], row.div);
  extents.back() = std::min(extents.back(), length);
}

void StageLowering::lower() {
  Forms local(origin.size());
  if (copiesWindows())
    return lowerWindows(0, local);
  if (op.getPadding())
    return lowerPadded(0, local);
  lowerDim(0, local);
  fillBehind();
}

LayoutTerm StageLowering::term(unsigned p) {
  return toLayoutTerm(op.getLayout().getResult(p));
}

/// True if the box may reach beyond the tensor along coordinate `coord`.
bool StageLowering::isCut(unsigned coord) {
  // Rows of every n-th element continue to a whole multiple.
  int64_t reach = op.getBox()[coord];
  if (coord == rowCoord)
    reach = llvm::divideCeil(reach, rowStep) * rowStep;
  return (origin[coord] + (reach - 1)).mayReach(op.getShape()[coord]);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The end of the positions of physical dimension `p` inside the tensor. If an
/// outer dimension moves the same coordinate, `local` has its position.
Value StageLowering::dimBound(unsigned p, FormsRef local) {
  LayoutTerm t = term(p);
  Value bound = indices.constant(extents[p]);
  if (!isCut(t.coord))
    return bound;
  Value rest = indices.sub(indices.constant(op.getShape()[t.coord] + t.div - 1),
                           indices.value(origin[t.coord] + local[t.coord]));
  Value inside = indices.divS(rest, indices.constant(t.div));
  return indices.min(inside, bound);
}

void StageLowering::lowerDim(unsigned p, Forms local) {
  if (p + 1 >= extents.size())
    return lowerRow(p, local);
  Value begin = indices.constant(0), bound = dimBound(p, local);
  if (int64_t size = squareSize(p, local))
    return lowerSquares(p, local, begin, bound, size);
  lowerLoop(p, local, begin, bound, 1,
            [&](Forms here) { lowerDim(p + 1, std::move(here)); });
}

/// Emits a loop over positions of physical dimension `p`. `body` receives the
/// coordinates relative to the box.
void StageLowering::lowerLoop(unsigned p, const Forms &local, Value begin,
                              Value end, int64_t step,
                              llvm::function_ref<void(Forms)> body) {
  LayoutTerm t = term(p);
  auto forOp =
      scf::ForOp::create(builder, loc, begin, end, indices.constant(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forOp.getBody());
  Forms here(local);
  here[t.coord] =
      here[t.coord] +
      IndexForm(IndexTerm{forOp.getInductionVar(), t.div, extents[p], {}});
  body(std::move(here));
}

/// Calls `body` once if all rows are whole, otherwise twice: for whole rows and
/// for rows that reach beyond the tensor.
void StageLowering::ifRowWhole(unsigned p, FormsRef local,
                               llvm::function_ref<void(bool cut)> body) {
  unsigned row = *rowCoord;
  if (!isCut(row))
    return body(/*cut=*/false);
  Value end = indices.value(origin[row] + local[row] +
                            ((extents[p] - 1) * rowStep + 1));
  Value whole = indices.compare(arith::CmpIPredicate::sle, end,
                                indices.constant(op.getShape()[row]));
  auto ifOp = scf::IfOp::create(builder, loc, whole, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  body(/*cut=*/false);
  builder.setInsertionPointToStart(ifOp.elseBlock());
  body(/*cut=*/true);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Emits one row of the buffer: contiguous memory along one coordinate.
void StageLowering::lowerRow(unsigned p, FormsRef local) {
  if (!rowCoord)
    return move({}, local, 1, /*cut=*/false);
  ifRowWhole(p, local, [&](bool cut) { lowerPieces(extents[p], local, cut); });
}

/// Emits a loop of `piece` over the whole pieces of `size` in `length`, if
/// there are many. Returns the end of the loop, or 0.
int64_t
StageLowering::loopOverMany(int64_t length, int64_t size,
                            llvm::function_ref<void(const IndexForm &)> piece) {
  int64_t trips = length / size;
  if (trips <= kMaxPieces)
    return 0;
  auto forOp = scf::ForOp::create(builder, loc, indices.constant(0),
                                  indices.constant(trips), indices.constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forOp.getBody());
  piece(IndexForm(IndexTerm{forOp.getInductionVar(), size, trips, {}}));
  return trips * size;
}

/// Emits vectors of the stage's width and then narrower ones for the rest; a
/// loop if there would be many.
void StageLowering::lowerPieces(int64_t length, FormsRef local, bool cut) {
  int64_t lanes = std::max<int64_t>(op.getVector(), 1);
  int64_t done = loopOverMany(length, lanes, [&](const IndexForm &here) {
    move(here, local, lanes, cut);
  });
  while (done < length) {
    while (lanes > length - done)
      lanes /= 2;
    move(IndexForm(done), local, lanes, cut);
    done += lanes;
  }
}

/// Coordinates of the tensor at `along` in the row, moved by `lane` lanes.
StageLowering::Forms StageLowering::coordinates(const IndexForm &along,
                                                FormsRef local, int64_t lane,
                                                bool clamp) {
  Forms coords;
  for (unsigned r = 0; r < origin.size(); ++r) {
    IndexForm form = origin[r] + local[r];
    if (rowCoord == r) {
      form = form + along * rowStep + lane * rowStep;
      if (clamp)
        form = IndexForm::opaque(indices.min(
            indices.value(form), indices.constant(op.getShape()[r] - 1)));
    }
    coords.push_back(std::move(form));
  }
  return coords;
}

/// Copies `lanes` elements of the row, from position `along`.
void StageLowering::move(const IndexForm &along, FormsRef local, int64_t lanes,
                         bool cut) {
  if (lanes > 1 && !vectorReads(along, local, lanes)) {
    for (int64_t lane = 0; lane < lanes; ++lane)
      move(along + lane, local, 1, cut);
    return;
  }
  SmallVector<Value> arguments;
  for (unsigned n = 0; n < op.getInputs().size(); ++n)
    arguments.push_back(read(n, along, local, lanes, cut));
  Value value = inlineBody(builder, op.getBody().front(), arguments,
                           /*contract=*/false);
  store(lanes == 1 ? value : broadcastTo(builder, loc, value, lanes), along,
        local);
}

void StageLowering::store(Value value, const IndexForm &along, FormsRef local) {
  Value at = indices.value(targetAddress(along, local));
  if (isa<VectorType>(value.getType()))
    vector::StoreOp::create(builder, loc, value, target.memref, ValueRange{at});
  else
    memref::StoreOp::create(builder, loc, value, target.memref, ValueRange{at});
}

IndexForm StageLowering::targetAddress(const IndexForm &along, FormsRef local) {
  Forms coords(local);
  if (rowCoord)
    coords[*rowCoord] = coords[*rowCoord] + along * rowStep;
  SmallVector<int64_t> still(coords.size(), 0);
  return getAddress(indices, target, coords, still, 1).address;
}

AffineMap StageLowering::inputMap(unsigned n) {
  return cast<AffineMapAttr>(op.getMaps()[n]).getValue();
}

SmallVector<int64_t>
StageLowering::moves(unsigned n, std::optional<unsigned> coord, int64_t step) {
  SmallVector<int64_t> change(origin.size(), 0);
  if (coord)
    change[*coord] = step;
  return applyMoves(inputMap(n), change);
}

/// The distance of elements of input `n` from lane to lane, which are `step`
/// apart along `coord`, if it is regular.
std::optional<int64_t> StageLowering::laneStride(unsigned n,
                                                 std::optional<unsigned> coord,
                                                 int64_t step, FormsRef local,
                                                 int64_t lanes) {
  Forms coords = applyMap(inputMap(n), coordinates({}, local, 0, false));
  return getAddress(indices, parent.flat(op.getInputs()[n]), coords,
                    moves(n, coord, step), lanes)
      .laneStride;
}

/// True if every input is one element, contiguous along the lanes, or every
/// n-th element for a small n.
bool StageLowering::vectorReads(const IndexForm &along, FormsRef local,
                                int64_t lanes) {
  if (!hasPlainVectors(target.element()))
    return false;
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    auto stride = laneStride(n, rowCoord, rowStep, local, lanes);
    if (!stride || *stride < 0 || *stride > (lanes < 4 ? 1 : kMaxGatherStride))
      return false;
    if (*stride != 0 &&
        !hasPlainVectors(parent.flat(op.getInputs()[n]).element()))
      return false;
  }
  return true;
}

Value StageLowering::read(unsigned n, const IndexForm &along, FormsRef local,
                          int64_t lanes, bool cut) {
  const FlatBuffer &source = parent.flat(op.getInputs()[n]);
  bool single = lanes == 1 || llvm::all_of(moves(n, rowCoord, rowStep),
                                           [](int64_t m) { return m == 0; });
  Forms coords = applyMap(
      inputMap(n), coordinates(along, local, 0, /*clamp=*/cut && single));
  LaneAddress from =
      getAddress(indices, source, coords, moves(n, rowCoord, rowStep), lanes);
  Value at = indices.value(from.address);
  if (single)
    return memref::LoadOp::create(builder, loc, source.memref, ValueRange{at});
  int64_t stride = from.laneStride.value_or(1);
  Value readable = cut ? elementsInside(along, local, stride) : Value();
  if (stride > 1)
    return readStrided(source, at, lanes, stride, readable);
  return loadVector(source, at, 0, lanes, readable);
}

/// The number of elements of an input from the first lane of a vector at
/// position `along` of the row to its last lane inside the tensor. The lanes
/// are `stride` elements apart. Zero or less if no lane is inside.
Value StageLowering::elementsInside(const IndexForm &along, FormsRef local,
                                    int64_t stride) {
  Value begin =
      indices.value(origin[*rowCoord] + local[*rowCoord] + along * rowStep);
  Value rest = indices.sub(indices.constant(op.getShape()[*rowCoord]), begin);
  if (stride == rowStep)
    return rest;
  Value lanes = indices.divS(indices.add(rest, indices.constant(rowStep - 1)),
                             indices.constant(rowStep));
  Value before = indices.sub(lanes, indices.constant(1));
  return indices.add(indices.mul(before, indices.constant(stride)),
                     indices.constant(1));
}

/// Selects `lanes` lanes from the `loaded` vectors, of which there are at least
/// two. Lane n is element `first` + n `stride`; vector i begins at element
/// `starts`[i].
static Value pickLanes(OpBuilder &builder, Location loc, ArrayRef<Value> loaded,
                       ArrayRef<int64_t> starts, int64_t first, int64_t stride,
                       int64_t lanes) {
  Value result = loaded.front();
  // The position of lane n in `result`, for the lanes that it contains.
  SmallVector<int64_t> places;
  auto isIn = [&](int64_t lane, int64_t start) {
    return first + lane * stride < start + lanes;
  };
  for (int64_t lane = 0; lane < lanes && isIn(lane, starts.front()); ++lane)
    places.push_back(first + lane * stride - starts.front());
  for (auto [vector, start] :
       llvm::zip_equal(loaded.drop_front(), starts.drop_front())) {
    int64_t done = places.size();
    for (int64_t lane = done; lane < lanes && isIn(lane, start); ++lane)
      places.push_back(lanes + first + lane * stride - start);
    SmallVector<int64_t> picks(places);
    picks.resize(lanes, 0);
    result = vector::ShuffleOp::create(builder, loc, result, vector, picks);
    for (auto [lane, place] : llvm::enumerate(places))
      place = lane;
  }
  return result;
}

/// Strided read: every `stride`-th element from `at` on. Emits as many
/// contiguous loads, the last of which ends with the last selected element, and
/// shuffles.
Value StageLowering::readStrided(const FlatBuffer &source, Value at,
                                 int64_t lanes, int64_t stride,
                                 Value readable) {
  int64_t reach = (lanes - 1) * stride + 1;
  SmallVector<Value> loaded;
  SmallVector<int64_t> starts;
  for (int64_t part = 0; part < stride; ++part) {
    starts.push_back(std::min(part * lanes, reach - lanes));
    loaded.push_back(loadVector(source, at, starts.back(), lanes, readable));
  }
  return pickLanes(builder, loc, loaded, starts, 0, stride, lanes);
}

/// The elements of input `n` for `rowStep` adjacent rows from `along` on,
/// `lanes` of each. Each row has every `rowStep`-th element.
SmallVector<Value> StageLowering::readParts(unsigned n, const IndexForm &along,
                                            FormsRef local, int64_t lanes) {
  const FlatBuffer &source = parent.flat(op.getInputs()[n]);
  Forms coords =
      applyMap(inputMap(n), coordinates(along, local, 0, /*clamp=*/false));
  Value at = indices.value(
      getAddress(indices, source, coords, moves(n, rowCoord, rowStep), lanes)
          .address);
  SmallVector<Value> loaded, parts;
  SmallVector<int64_t> starts;
  for (int64_t part = 0; part < rowStep; ++part) {
    starts.push_back(part * lanes);
    loaded.push_back(loadVector(source, at, starts.back(), lanes));
  }
  for (int64_t part = 0; part < rowStep; ++part)
    parts.push_back(
        pickLanes(builder, loc, loaded, starts, part, rowStep, lanes));
  return parts;
}

/// `lanes` elements of the source from `at` + `offset` on. With `readable`,
/// elements at that distance from `at` or farther are zero.
Value StageLowering::loadVector(const FlatBuffer &source, Value at,
                                int64_t offset, int64_t lanes, Value readable) {
  Value from = indices.add(at, indices.constant(offset));
  auto type = VectorType::get({lanes}, source.element());
  if (!readable)
    return vector::LoadOp::create(builder, loc, type, source.memref,
                                  ValueRange{from});
  Value mask =
      indices.mask(indices.sub(readable, indices.constant(offset)), lanes);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return vector::MaskedLoadOp::create(builder, loc, type, source.memref,
                                      ValueRange{from}, mask, zero);
}

void CpuLowering::lowerStage(StageOp stage) {
  StageLowering(*this, stage).lower();
}
