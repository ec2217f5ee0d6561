//===- LowerCompute.cpp - statements on register tiles --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComputeLowering.h"

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"
#include "pruner/Program/MatrixInstruction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>
#include <set>

using namespace mlir;
using namespace pruner;

ComputeLowering::ComputeLowering(CpuLowering &parent, ComputeOp op)
    : parent(parent), builder(parent.builder), indices(parent.indices),
      loc(op.getLoc()), op(op), kernel(parent.kernel),
      base(parent.position(op.getAt())) {
  for (unsigned n = 0; n <= op.getInputs().size(); ++n)
    maps.push_back(mapInside(n));
  for (unsigned l = 0; l < op.getNumLoops(); ++l) {
    int64_t dim = op.getLoopDims()[l], extent = op.getLoopExtents()[l];
    if (op.getLoopLevel(l) == LoopKind::Serial)
      serial.push_back(l);
    if (op.getLoopLevel(l) == LoopKind::Dot) {
      dotDim = dim;
      tileTerms = extent;
    }
    if (op.getLoopLevel(l) == LoopKind::Rows) {
      tileDim = dim;
      tileHeight = extent;
    }
    if (op.getLoopLevel(l) != LoopKind::Vector)
      continue;
    // A single lane is an ordinary place with an ordinary guard.
    laneDim = extent > 1 ? int(dim) : kNoDim;
    lanes = extent;
    reducesLanes = extent > 1 && op.reducesAlong(dim);
  }
  layOut({});
}

/// Computes the tile and its places, without the loops in `looped`.
void ComputeLowering::layOut(ArrayRef<unsigned> looped) {
  box.assign(kernel.getNumDims(), 1);
  offsets.assign(1, SmallVector<int64_t>(kernel.getNumDims(), 0));
  for (unsigned l = 0; l < op.getNumLoops(); ++l) {
    if (llvm::is_contained(looped, l))
      continue;
    int64_t dim = op.getLoopDims()[l], extent = op.getLoopExtents()[l];
    int64_t step = op.getLoopSteps()[l];
    box[dim] += (extent - 1) * step;
    LoopKind level = op.getLoopLevel(l);
    if (level != LoopKind::Unroll)
      continue;
    SmallVector<SmallVector<int64_t>> wider;
    for (const auto &offset : offsets)
      for (int64_t n = 0; n < extent; ++n) {
        wider.push_back(offset);
        wider.back()[dim] += n * step;
      }
    offsets = std::move(wider);
  }
}

/// Orders the places of an update such that the operand with the most vectors
/// changes slowest. Each of its vectors is then live for a few multiply-adds,
/// and only those of the other operand for the whole tile. LLVM keeps the order
/// of the loads: with 3 numbers and 8 vectors in the other order, 24
/// accumulators do not fit in 32 registers with them.
void ComputeLowering::orderPlaces() {
  using Key = SmallVector<int64_t>;
  std::map<Key, unsigned> slowest;
  size_t fewestChanges = 0;
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    std::map<Key, unsigned> first;
    size_t changes = 0;
    Key last;
    for (const auto &offset : offsets) {
      Key key = loadKey(n, offset);
      first.try_emplace(key, first.size());
      changes += key != last;
      last = std::move(key);
    }
    if (first.size() < slowest.size() ||
        (first.size() == slowest.size() && changes >= fewestChanges))
      continue;
    slowest = std::move(first);
    fewestChanges = changes;
  }
  if (slowest.empty())
    return;
  unsigned n = slowest.begin()->first.front();
  llvm::stable_sort(offsets, [&](const Key &left, const Key &right) {
    return slowest.at(loadKey(n, left)) < slowest.at(loadKey(n, right));
  });
}

/// The map of an operand to coordinates relative to the start of a staged box.
/// The start is the map of the tile's position, including constants.
AffineMap ComputeLowering::mapInside(unsigned n) {
  AffineMap map = op.getMap(n);
  if (!operand(n).getDefiningOp<StageOp>())
    return map;
  SmallVector<int64_t> zero(map.getNumDims(), 0);
  SmallVector<AffineExpr> results;
  for (auto [expr, constant] :
       llvm::zip_equal(map.getResults(), map.compose(zero)))
    results.push_back(expr - constant);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

/// True if buffer `n` is one register tile. LLVM keeps its elements in
/// registers if all addresses are constants.
bool ComputeLowering::isRegisterTile(unsigned n) {
  auto alloc = operand(n).getDefiningOp<AllocOp>();
  int64_t elements = 1;
  for (int64_t extent : box)
    elements *= extent;
  return alloc && alloc.getResult().getType().getNumElements() <= elements;
}

/// The unrolled loops that become loops. Places that share nothing in registers
/// need not be expanded beyond what fills the pipelines. These are the
/// outermost loops, except for the one along transposed results.
SmallVector<unsigned> ComputeLowering::loopsOverPlaces() {
  constexpr size_t kPlaces = 8;
  SmallVector<unsigned> looped;
  if (op.getRole() == Role::Update)
    return looped;
  for (unsigned n = 0; n <= op.getInputs().size(); ++n)
    if (isRegisterTile(n))
      return looped;
  size_t places = offsets.size();
  for (unsigned l = 0; l < op.getNumLoops() && places > kPlaces; ++l) {
    if (op.getLoopLevel(l) != LoopKind::Unroll || op.getLoopExtents()[l] == 1 ||
        int(op.getLoopDims()[l]) == rowDim)
      continue;
    looped.push_back(l);
    places /= op.getLoopExtents()[l];
  }
  return looped;
}

void ComputeLowering::lower() {
  if (std::optional<StringRef> name = op.getInstruction())
    instruction = findMatrixInstruction(*name);
  rowDim = findRowDim();
  SmallVector<unsigned> looped = loopsOverPlaces();
  layOut(looped);
  if (op.getRole() == Role::Update)
    orderPlaces();
  OpBuilder::InsertionGuard guard(builder);
  for (unsigned l : looped) {
    int64_t dim = op.getLoopDims()[l], trips = op.getLoopExtents()[l];
    int64_t step = op.getLoopSteps()[l];
    // Buffers of the kernel have whole tiles, and all of their elements are
    // read.
    bool ends = isa<BlockArgument>(op.getOutput());
    Value bound = ends ? parent.tripsInside(dim, trips, step, base[dim])
                       : indices.constant(trips);
    if (ends && box[dim] == 1)
      insideDims.push_back(dim);
    auto forOp = scf::ForOp::create(builder, loc, indices.constant(0), bound,
                                    indices.constant(1));
    builder.setInsertionPointToStart(forOp.getBody());
    base[dim] = base[dim] +
                IndexForm(IndexTerm{forOp.getInductionVar(), step, trips, {}});
  }
  lowerTile();
}

void ComputeLowering::lowerTile() {
  findCutDims();
  if (cutDims.empty() && !mayLeaveTensors())
    return emit(/*cut=*/false);
  if (rowDim != kNoDim && masksAreCheap() &&
      !llvm::is_contained(cutDims, laneDim))
    return emit(/*cut=*/true);
  ++parent.numGuarded;
  Value whole = areWindowsInside();
  for (unsigned dim : cutDims) {
    Value end = indices.value(base[dim] + box[dim]);
    Value inside = indices.compare(arith::CmpIPredicate::sle, end,
                                   indices.constant(kernel.getExtents()[dim]));
    whole = indices.both(whole, inside);
  }
  auto ifOp = scf::IfOp::create(builder, loc, whole, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  emit(/*cut=*/false);
  builder.setInsertionPointToStart(ifOp.elseBlock());
  emit(/*cut=*/true);
}

/// Finds the dimensions, not those of a sum, along which this tile may reach
/// beyond the domain and access an operand in a tensor there. Buffers of the
/// kernel are large enough for whole tiles, and reduction loops end at the end
/// of the domain.
void ComputeLowering::findCutDims() {
  for (unsigned dim = 0; dim < kernel.getNumDims(); ++dim) {
    IndexForm last = base[dim] + (box[dim] - 1);
    if (op.reducesAlong(dim) || llvm::is_contained(insideDims, dim) ||
        !last.mayReach(kernel.getExtents()[dim]))
      continue;
    for (unsigned n = 0; n <= op.getInputs().size(); ++n)
      if (isa<BlockArgument>(operand(n)) && usesDim(maps[n], dim)) {
        cutDims.push_back(dim);
        break;
      }
  }
}

Value ComputeLowering::operand(unsigned n) {
  return n < op.getInputs().size() ? op.getInputs()[n] : op.getOutput();
}

void ComputeLowering::emit(bool cut) {
  guarded = cut;
  unsigned output = op.getInputs().size();
  bool update = op.getRole() == Role::Update;
  if (update) {
    OpBuilder::InsertionGuard guard(builder);
    if (Value any = isAnyPointInside()) {
      auto ifOp = scf::IfOp::create(builder, loc, any, /*withElse=*/false);
      builder.setInsertionPointToStart(ifOp.thenBlock());
    }
    startStreams();
    if (instruction && instruction->isTile())
      return updateTiles();
    SmallVector<Value> accumulators;
    for (const auto &offset : offsets)
      accumulators.push_back(reducesLanes ? neutralLanes()
                                          : vectorOf(load(output, offset, {})));
    SmallVector<Value> sums = instruction ? reduceByInstruction(accumulators)
                                          : reduce(0, accumulators, {});
    for (auto [offset, sum] : llvm::zip_equal(offsets, sums))
      store(offset,
            reducesLanes ? combineLanes(load(output, offset, {}), sum) : sum);
    return;
  }
  prefetch();
  if (rowDim != kNoDim)
    return emitTransposed();
  Cache cache;
  for (const auto &offset : offsets)
    store(offset, vectorOf(point(offset, {}, {}, cache)));
}

Value ComputeLowering::vectorOf(Value value) {
  return lanes > 1 ? broadcastTo(builder, loc, value, lanes) : value;
}

/// The value of the body at one place of the register tile.
Value ComputeLowering::point(ArrayRef<int64_t> offset,
                             ArrayRef<IndexForm> extra, Value accumulator,
                             Cache &cache) {
  SmallVector<Value> arguments;
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    Value &slot = cache[loadKey(n, offset)];
    if (!slot)
      slot = load(n, offset, extra);
    arguments.push_back(slot);
  }
  if (accumulator)
    arguments.push_back(accumulator);
  Value value = inlineBody(builder, op.getBody().front(), arguments,
                           /*contract=*/op.getRole() == Role::Update);
  return op.getRole() == Role::Update
             ? value
             : zeroBehind(offset, roundByInstruction(value));
}

/// Replaces the rounding of a vector to bf16 by one instruction, where the
/// kernel may take subnormal numbers as zero.
Value ComputeLowering::roundByInstruction(Value value) {
  auto rounding = value.getDefiningOp<arith::TruncFOp>();
  auto type = dyn_cast<VectorType>(value.getType());
  if (!parent.flushesSubnormals || !rounding || !type || type.getRank() != 1 ||
      !type.getElementType().isBF16() || rounding.getRoundingmodeAttr() ||
      !getElementTypeOrSelf(rounding.getIn()).isF32())
    return value;
  StringRef intrinsic =
      roundToBrainFloats(type.getNumElements() * int64_t(sizeof(float)));
  if (intrinsic.empty())
    return value;
  value = LLVM::CallIntrinsicOp::create(builder, loc, type,
                                        builder.getStringAttr(intrinsic),
                                        rounding.getIn())
              .getResult(0);
  rounding.erase();
  return value;
}

/// Emits the reduction loops from number `loop` inward, with accumulators as
/// loop values.
SmallVector<Value> ComputeLowering::reduce(unsigned loop,
                                           ArrayRef<Value> accumulators,
                                           ArrayRef<IndexForm> extra) {
  if (loop == serial.size()) {
    if (instruction)
      return instruction->isTile() ? multiplyTiles(accumulators, extra)
                                   : multiply(accumulators, extra);
    Cache cache;
    SmallVector<Value> sums;
    for (auto [offset, accumulator] : llvm::zip_equal(offsets, accumulators))
      sums.push_back(onlyTail(
          vectorOf(point(offset, extra, accumulator, cache)), accumulator));
    return sums;
  }
  unsigned l = serial[loop];
  int64_t dim = op.getLoopDims()[l], trips = op.getLoopExtents()[l];
  int64_t step = op.getLoopSteps()[l];
  SmallVector<IndexForm> forms(extra);
  forms.resize(kernel.getNumDims());

  bool innermost = loop + 1 == serial.size();
  int64_t copies = innermost ? std::max<int64_t>(op.getUnroll(), 1) : 1;
  copies = std::min(copies, trips);
  // The remainder after a single round of copies is also straight-line code.
  if (copies > 1)
    copies = std::min(
        copies, maxCopies(dim, step, trips < 2 * copies ? trips : copies));
  bool alongLanes = innermost && reducesLanes;
  Value bound =
      alongLanes ? wholeSteps(trips, forms[dim])
                 : parent.tripsInside(dim, trips, step, base[dim] + forms[dim]);
  // Copies of the innermost steps are faster than fewer steps.
  Value start = indices.constant(0);
  if (!alongLanes && !(innermost && op.getUnroll() > 1))
    std::tie(start, bound) = iterationsInside(l, forms, bound);
  // `carried` has one or several sets of accumulators. The copies of a step use
  // the sets in turn.
  auto body = [&](const IndexForm &position, ValueRange carried,
                  int64_t count) {
    fetchStreams(forms, position, count);
    SmallVector<Value> values(carried);
    size_t size = accumulators.size(), sets = values.size() / size;
    for (int64_t copy = 0; copy < count; ++copy) {
      SmallVector<IndexForm> here(forms);
      here[dim] = here[dim] + position + copy * step;
      auto *set = values.begin() + copy % sets * size;
      llvm::copy(reduce(loop + 1, {set, size}, here), set);
    }
    return values;
  };
  auto loopOver = [&](Value from, Value to, int64_t count,
                      ArrayRef<Value> carried) -> SmallVector<Value> {
    std::optional<int64_t> begin = getConstantIntValue(from),
                           end = getConstantIntValue(to);
    if (begin && end && *begin + count == *end)
      return body(IndexForm(*begin * step), carried, count);
    auto forOp = scf::ForOp::create(builder, loc, from, to,
                                    indices.constant(count), carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(forOp.getBody());
    IndexForm position(IndexTerm{forOp.getInductionVar(), step, trips, {}});
    scf::YieldOp::create(builder, loc,
                         body(position, forOp.getRegionIterArgs(), count));
    return SmallVector<Value>(forOp.getResults());
  };
  auto copiesTo = [&](Value end) -> SmallVector<Value> {
    if (!alongLanes)
      return loopOver(indices.constant(0), end, copies, accumulators);
    return combineSets(loopOver(indices.constant(0), end, copies,
                                setsOf(accumulators, copies)),
                       accumulators.size());
  };
  auto steps = [&]() -> SmallVector<Value> {
    if (copies == 1)
      return loopOver(start, bound, 1, accumulators);
    auto fixed = getConstantIntValue(bound);
    if ((fixed && *fixed % copies == 0) ||
        parent.endsAfterCopies(dim, trips, step, copies,
                               base[dim] + forms[dim]))
      return copiesTo(bound);
    Value rest = indices.remU(bound, indices.constant(copies));
    Value even = indices.sub(bound, rest);
    return loopOver(even, bound, 1, copiesTo(even));
  };
  SmallVector<Value> sums = steps();
  return alongLanes ? addTail(sums, forms, bound, trips) : sums;
}

/// The number of copies of a step along reduction dimension `dim` that are
/// worthwhile; `steps` copies would be possible. Vectors that are assembled
/// lane by lane cost LLVM hundreds of times as much compile time as others.
/// Elements that several copies read stay live between the copies, and are
/// spilled to the stack if there are not enough registers.
int64_t ComputeLowering::maxCopies(unsigned dim, int64_t step, int64_t steps) {
  if (instruction)
    return steps;
  constexpr int64_t kMaxGathered = 512;
  constexpr int64_t kWideBytes = 64, kWideRegisters = 32, kRegisters = 16;
  SmallVector<int64_t> along(kernel.getNumDims(), 0);
  along[dim] = step;
  int64_t gathered = 0, live = int64_t(offsets.size()), vectorBytes = 0;
  bool isShared = false;
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    Type type = cast<MemRefType>(operand(n).getType()).getElementType();
    int64_t bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    vectorBytes = std::max(vectorBytes, lanes * bits / 8);
    std::set<SmallVector<int64_t>> places;
    for (const auto &offset : offsets)
      places.insert(applyMoves(maps[n], offset));
    SmallVector<int64_t> next = applyMoves(maps[n], along);
    // Operands that do not move are loaded outside of the loop.
    bool moves = llvm::any_of(next, [](int64_t move) { return move != 0; });
    auto isReadAgain = [&](SmallVector<int64_t> place) {
      for (int64_t copy = 1; copy < steps; ++copy) {
        for (auto [coord, move] : llvm::zip_equal(place, next))
          coord += move;
        if (places.count(place))
          return true;
      }
      return false;
    };
    bool shares = moves && llvm::any_of(places, isReadAgain);
    LaneAddress where =
        getAddress(indices, parent.flat(operand(n)), applyMap(maps[n], base),
                   laneMoves(maps[n]), lanes);
    bool isBroadcast = where.laneStride == 0;
    if (!isBroadcast && !(where.laneStride == 1 && hasPlainVectors(type)))
      gathered += lanes * int64_t(places.size());
    isShared |= shares;
    // A multiply-add reads an operand that is used once directly from memory.
    live += shares || !isBroadcast ? int64_t(places.size()) : 0;
  }
  if (isShared &&
      live > (vectorBytes >= kWideBytes ? kWideRegisters : kRegisters))
    return 1;
  return std::max<int64_t>(1,
                           gathered == 0 ? INT64_MAX : kMaxGathered / gathered);
}

/// The part of `offset` in the dimensions of operand `n`. Places with equal
/// keys share one load.
SmallVector<int64_t> ComputeLowering::loadKey(unsigned n,
                                              ArrayRef<int64_t> offset) {
  SmallVector<int64_t> key{int64_t(n)};
  for (auto [dim, value] : llvm::enumerate(offset))
    key.push_back(usesDim(maps[n], dim) ? value : 0);
  return key;
}

void CpuLowering::lowerCompute(ComputeOp compute) {
  ComputeLowering(*this, compute).lower();
}
