//===- StageCopy.cpp - cooperative copies to shared memory ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageCopy.h"

#include "pruner/Dialect/Pruner/IR/Layout.h"
#include "pruner/Dialect/Pruner/Utils/InlineBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace pruner;

StageCopy::StageCopy(GpuLowering &parent, StageOp stage)
    : parent(parent), builder(parent.builder), memory(parent.memory),
      stage(stage), loc(stage.getLoc()),
      start(applyMap(stage.getMap(), parent.position(stage.getAt(), {}))) {
  chooseOrder();
  chooseWidth();
  for (unsigned coord : order) {
    int64_t box = stage.getBox()[coord];
    extents.push_back(coord == along ? box / width : box);
    chunks *= extents.back();
  }
}

static AffineMap inputMap(StageOp stage, unsigned n) {
  return cast<AffineMapAttr>(stage.getMaps()[n]).getValue();
}

/// The innermost coordinate of the largest input becomes the fastest.
void StageCopy::chooseOrder() {
  unsigned largest = 0;
  auto rank = [&](unsigned n) { return inputMap(stage, n).getNumResults(); };
  for (unsigned n = 1; n < stage.getInputs().size(); ++n)
    if (rank(n) > rank(largest))
      largest = n;
  unsigned coords = stage.getBox().size();
  auto add = [&](unsigned coord) {
    if (!llvm::is_contained(order, coord))
      order.push_back(coord);
  };
  if (!stage.getInputs().empty()) {
    AffineMap map = inputMap(stage, largest);
    for (unsigned r = map.getNumResults(); r-- > 0;)
      for (unsigned coord = coords; coord-- > 0;)
        if (map.getResult(r).isFunctionOfDim(coord))
          add(coord);
  }
  for (unsigned coord = coords; coord-- > 0;)
    add(coord);
  for (unsigned coord : order)
    if (stage.getBox()[coord] > 1) {
      along = coord;
      break;
    }
  std::reverse(order.begin(), order.end());
}

std::pair<SmallVector<int64_t>, int64_t> StageCopy::strides(unsigned n) {
  AffineMap map = inputMap(stage, n);
  ArrayRef<int64_t> shape =
      cast<MemRefType>(stage.getInputs()[n].getType()).getShape();
  SmallVector<int64_t> steps;
  auto addressOf = [&](ArrayRef<int64_t> coords) {
    int64_t address = 0;
    for (auto [value, extent] : llvm::zip_equal(map.compose(coords), shape))
      address = address * extent + value;
    return address;
  };
  SmallVector<int64_t> coords(stage.getBox().size(), 0);
  int64_t constant = addressOf(coords);
  for (int64_t &coord : coords) {
    coord = 1;
    steps.push_back(addressOf(coords) - constant);
    coord = 0;
  }
  return {steps, constant};
}

/// True if chunks of `elements` elements never cross the border of the tensor
/// and are aligned in every input.
bool StageCopy::canMove(int64_t elements) {
  auto divides = [&](int64_t value) { return value % elements == 0; };
  int64_t extent = stage.getShape()[along], box = stage.getBox()[along];
  std::optional<int64_t> last = start[along].maximum();
  bool inside = last && *last + box <= extent;
  if (!divides(box) || !start[along].isMultipleOf(elements) ||
      (!inside && !divides(extent)))
    return false;
  bool contiguous = false;
  for (unsigned n = 0; n < stage.getInputs().size(); ++n) {
    auto type = cast<MemRefType>(stage.getInputs()[n].getType());
    auto [steps, constant] = strides(n);
    if (steps[along] == 0)
      continue;
    int64_t bytes = vectorizableBytes(type.getElementType());
    if (steps[along] != 1 || bytes == 0 || elements * bytes > kMaxAccessBytes ||
        !divides(constant))
      return false;
    for (auto [coord, step] : llvm::enumerate(steps))
      if (coord != along && stage.getShape()[coord] != 1 && !divides(step))
        return false;
    contiguous = true;
  }
  return contiguous;
}

/// True if chunks of `elements` elements are contiguous and aligned in the
/// buffer.
bool StageCopy::isContiguousInBuffer(int64_t elements) {
  ArrayRef<int64_t> shape = stage.getResult().getType().getShape();
  int64_t stride = 1;
  for (size_t p = shape.size(); p-- > 0; stride *= shape[p]) {
    LayoutTerm term = toLayoutTerm(stage.getLayout().getResult(p));
    bool whole = term.div == 1 && term.mod == 0;
    if (term.coord == along ? stride != 1 || !whole
                            : shape[p] > 1 && stride % elements != 0)
      return false;
  }
  return true;
}

void StageCopy::chooseWidth() {
  width = llvm::bit_floor(uint64_t(stage.getVector()));
  while (width > 1 && !(canMove(width) &&
                        (!stage.getAsync() || isContiguousInBuffer(width))))
    width /= 2;
}

LogicalResult StageCopy::checkAsync() {
  Type element = stage.getResult().getType().getElementType();
  int64_t bytes = width * vectorizableBytes(element);
  if (llvm::is_contained({4, 8, 16}, bytes))
    return success();
  return stage.emitOpError("cannot be copied asynchronously: a chunk of ")
         << width << " x " << element << " does not have 4, 8 or 16 bytes";
}

int64_t StageCopy::iterations() const {
  return llvm::divideCeil(chunks, parent.shape.threads);
}

Type StageCopy::valueType() const {
  Type element = stage->getResult(0).getType();
  element = cast<MemRefType>(element).getElementType();
  return width == 1 ? element : VectorType::get({width}, element);
}

Value StageCopy::both(Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}

/// A test whether coordinates are inside; null if they always are.
Value StageCopy::insideTensor(ArrayRef<IndexForm> coords) {
  Value inside;
  auto require = [&](arith::CmpIPredicate predicate, const IndexForm &form,
                     int64_t bound) {
    Value here = arith::CmpIOp::create(builder, loc, predicate,
                                       memory.address(loc, form),
                                       memory.index(loc, bound));
    inside = both(inside, here);
  };
  for (auto [coord, form] : llvm::enumerate(coords)) {
    int64_t extent = stage.getShape()[coord];
    int64_t further = coord == along ? width - 1 : 0;
    if ((form + further).mayReach(extent))
      require(arith::CmpIPredicate::slt, form, extent);
    if (form.mayBeNegative())
      require(arith::CmpIPredicate::sge, form, 0);
  }
  return inside;
}

StageCopy::Chunk StageCopy::locate(const IndexForm &iteration) {
  int64_t threads = parent.shape.threads;
  IndexForm number = IndexForm(IndexTerm{parent.threadIndex, 1, threads, {}}) +
                     iteration * threads;
  Chunk chunk;
  chunk.number = number;
  if (std::optional<int64_t> last = number.maximum(); !last || *last >= chunks)
    chunk.exists = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, memory.address(loc, number),
        memory.index(loc, chunks));
  chunk.place.resize(order.size());
  for (auto [coord, digit] :
       llvm::zip_equal(order, memory.digits(loc, number, extents)))
    chunk.place[coord] = coord == along ? digit * width : digit;
  return chunk;
}

/// The coordinates of the first element of a chunk.
SmallVector<IndexForm> StageCopy::coordsOf(const Chunk &chunk) {
  SmallVector<IndexForm> coords;
  for (auto [from, place] : llvm::zip_equal(start, chunk.place))
    coords.push_back(from + place);
  return coords;
}

void StageCopy::load(Chunk &chunk) {
  SmallVector<IndexForm> coords = coordsOf(chunk);
  Value inside = insideTensor(coords);
  SmallVector<Value> arguments;
  for (unsigned n = 0; n < stage.getInputs().size(); ++n)
    arguments.push_back(loadInput(n, coords, both(inside, chunk.exists)));
  chunk.value = inlineBody(builder, stage.getBody().front(), arguments,
                           /*contract=*/false);
  if (width > 1)
    chunk.value = broadcastTo(builder, loc, chunk.value, width);
  if (inside)
    chunk.value = arith::SelectOp::create(builder, loc, inside, chunk.value,
                                          outsideValue(valueType()));
}

/// The value of the buffer at positions outside of the tensor, in type `type`.
Value StageCopy::outsideValue(Type type) {
  std::optional<TypedAttr> padding = stage.getPadding();
  Value outside = arith::ConstantOp::create(
      builder, loc,
      padding ? *padding : builder.getZeroAttr(getElementTypeOrSelf(type)));
  return isa<VectorType>(type) ? broadcastTo(builder, loc, outside, width)
                               : outside;
}

IndexForm StageCopy::sourceForm(unsigned n, ArrayRef<IndexForm> coords) {
  const FlatBuffer &buffer = parent.buffers.find(stage.getInputs()[n])->second;
  SmallVector<IndexForm> at = applyMap(inputMap(stage, n), coords);
  SmallVector<int64_t> still(at.size(), 0);
  IndexBuilder indices(builder, loc);
  return getAddress(indices, buffer, at, still, 1).address;
}

/// Coordinates whose chunks follow one another in the buffer are one digit of
/// the number of a chunk. The rows of an image are contiguous, for example. The
/// chunks of a thread are then often a constant apart, so that it needs only
/// one address.
IndexForm StageCopy::bufferForm(const Chunk &chunk) {
  const FlatBuffer &buffer = parent.sharedBuffer(stage);
  SmallVector<int64_t> steps(order.size(), 0);
  ArrayRef<int64_t> shape = stage.getResult().getType().getShape();
  int64_t stride = 1;
  for (size_t p = shape.size(); p-- > 0; stride *= shape[p]) {
    LayoutTerm term = toLayoutTerm(stage.getLayout().getResult(p));
    if (term.div != 1 || term.mod != 0) {
      SmallVector<int64_t> still(chunk.place.size(), 0);
      IndexBuilder indices(builder, loc);
      return getAddress(indices, buffer, chunk.place, still, 1).address;
    }
    steps[term.coord] += stride * (term.coord == along ? width : 1);
  }
  SmallVector<int64_t> joined, joinedSteps;
  for (auto [coord, extent] : llvm::zip_equal(order, extents)) {
    if (!joined.empty() && joinedSteps.back() == steps[coord] * extent) {
      joined.back() *= extent;
      joinedSteps.back() = steps[coord];
      continue;
    }
    joined.push_back(extent);
    joinedSteps.push_back(steps[coord]);
  }
  IndexForm form = buffer.start;
  for (auto [digit, step] :
       llvm::zip_equal(memory.digits(loc, chunk.number, joined), joinedSteps))
    form = form + digit * step;
  return form;
}

/// Divides an address into what depends on the step of a pipeline, and the
/// rest.
std::pair<IndexForm, IndexForm> StageCopy::splitBySteps(const IndexForm &form) {
  SmallPtrSet<Value, 4> moving;
  auto add = [&](const IndexForm &step) {
    for (const IndexTerm &term : step.getTerms())
      moving.insert(term.index);
  };
  add(parent.sharedBuffer(stage).start);
  if (auto band = dyn_cast<BandOp>(stage->getParentOp()))
    for (Value iv : band.getBody().getArguments())
      add(parent.ivs.lookup(iv));
  IndexForm moves, rest(form.getConstant());
  for (const IndexTerm &term : form.getTerms()) {
    IndexForm &part = moving.contains(term.index) ? moves : rest;
    part = part + IndexForm(term);
  }
  return {moves, rest};
}

/// The value of an address. The part that does not depend on the step is one
/// value, which the copies before the first step share with those of all steps.
/// Each copy then holds one value from step to step, instead of one for each
/// term.
Value StageCopy::stepAddress(const IndexForm &form) {
  auto [moves, rest] = splitBySteps(form);
  if (moves.isConstant())
    return memory.address(loc, form);
  int64_t constant = rest.getConstant();
  Value sum =
      arith::AddIOp::create(builder, loc, memory.address(loc, rest + -constant),
                            memory.address(loc, moves));
  if (constant == 0)
    return sum;
  // The constant comes last and becomes the offset of an instruction.
  return arith::AddIOp::create(builder, loc, sum, memory.index(loc, constant));
}

/// The element of input `n` at `coords`, or the first one if they are not
/// `valid`, which needs no branch.
Value StageCopy::loadInput(unsigned n, ArrayRef<IndexForm> coords,
                           Value valid) {
  Value memref = parent.buffers.find(stage.getInputs()[n])->second.memref;
  Value address = stepAddress(sourceForm(n, coords));
  if (valid)
    address = arith::SelectOp::create(builder, loc, valid, address,
                                      memory.index(loc, 0));
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  if (width == 1 || strides(n).first[along] == 0)
    return memref::LoadOp::create(builder, loc, memref, address);
  return vector::LoadOp::create(
      builder, loc, VectorType::get({width}, element), memref, address,
      /*nontemporal=*/false, llvm::Align(width * vectorizableBytes(element)));
}

void StageCopy::store(const Chunk &chunk) {
  if (!chunk.exists)
    return storeInBuffer(chunk);
  OpBuilder::InsertionGuard guard(builder);
  MemoryEmitter::Scope scope(memory);
  auto ifOp = scf::IfOp::create(builder, loc, chunk.exists, /*withElse=*/false);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  storeInBuffer(chunk);
}

void StageCopy::storeInBuffer(const Chunk &chunk) {
  const FlatBuffer &buffer = parent.sharedBuffer(stage);
  SmallVector<IndexForm> addresses;
  SmallVector<Value> values;
  SmallVector<int64_t> still(chunk.place.size(), 0);
  IndexBuilder indices(builder, loc);
  for (int64_t lane = 0; lane < width; ++lane) {
    SmallVector<IndexForm> place(chunk.place);
    place[along] = place[along] + lane;
    addresses.push_back(getAddress(indices, buffer, place, still, 1).address);
    values.push_back(width == 1
                         ? chunk.value
                         : vector::ExtractOp::create(builder, loc, chunk.value,
                                                     ArrayRef<int64_t>{lane}));
  }
  memory.store(loc, buffer.memref, addresses, values);
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

bool StageCopy::fillsWithZeros() {
  std::optional<TypedAttr> padding = stage.getPadding();
  return !padding || matchPattern(*padding, m_PosZeroFloat()) ||
         matchPattern(*padding, m_Zero());
}

std::vector<StageCopy::Chunk> StageCopy::locateAsync() {
  std::vector<Chunk> chunks;
  for (int64_t n = 0; n < iterations(); ++n)
    chunks.push_back(locate(IndexForm(n)));
  return chunks;
}

void StageCopy::copyAsync(ArrayRef<Chunk> chunks, Value condition) {
  for (const Chunk &chunk : chunks) {
    if (!chunk.exists) {
      copyAsync(chunk, condition);
      continue;
    }
    // Emitted before the branch, so that all steps share them.
    for (const IndexForm &form :
         {bufferForm(chunk), sourceForm(0, coordsOf(chunk))}) {
      IndexForm rest = splitBySteps(form).second;
      memory.address(loc, rest + -rest.getConstant());
    }
    OpBuilder::InsertionGuard guard(builder);
    MemoryEmitter::Scope scope(memory);
    auto ifOp =
        scf::IfOp::create(builder, loc, chunk.exists, /*withElse=*/false);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    copyAsync(chunk, condition);
  }
}

/// Chunks outside of the tensor become zeros by a copy of no elements, or are
/// stored if they hold another value. A copy of no elements reads nothing, so
/// its address may be outside, too.
void StageCopy::copyAsync(const Chunk &chunk, Value condition) {
  SmallVector<IndexForm> coords = coordsOf(chunk);
  Value inside = both(insideTensor(coords), condition), count;
  OpBuilder::InsertionGuard guard(builder);
  std::optional<MemoryEmitter::Scope> scope;
  if (inside && fillsWithZeros()) {
    count = arith::SelectOp::create(
        builder, loc, inside, memory.index(loc, width), memory.index(loc, 0));
  } else if (inside) {
    auto ifOp = scf::IfOp::create(builder, loc, inside, /*withElse=*/true);
    {
      MemoryEmitter::Scope outside(memory);
      builder.setInsertionPointToStart(ifOp.elseBlock());
      Chunk filled = chunk;
      filled.value = outsideValue(valueType());
      storeInBuffer(filled);
    }
    scope.emplace(memory);
    builder.setInsertionPointToStart(ifOp.thenBlock());
  }
  const FlatBuffer &buffer = parent.sharedBuffer(stage);
  Value to = stepAddress(bufferForm(chunk));
  Value from = stepAddress(sourceForm(0, coords));
  Value source = parent.buffers.find(stage.getInputs()[0])->second.memref;
  int64_t bytes = width * vectorizableBytes(buffer.element());
  nvgpu::DeviceAsyncCopyOp::create(
      builder, loc, buffer.memref, ValueRange{to}, source, ValueRange{from},
      builder.getIndexAttr(width), count,
      bytes == kMaxAccessBytes ? builder.getUnitAttr() : UnitAttr());
}
