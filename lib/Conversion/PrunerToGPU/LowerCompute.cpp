//===- LowerCompute.cpp - statements on register tiles --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CarriedElements.h"
#include "GpuComputeLowering.h"

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pruner;

GpuComputeLowering::GpuComputeLowering(GpuLowering &parent, ComputeOp op,
                                       ArrayRef<BandOp> joined)
    : parent(parent), builder(parent.builder), memory(parent.memory), op(op),
      kernel(parent.kernel), loc(op.getLoc()) {
  places.emplace_back(kernel.getNumDims(), 0);
  // The offsets of joined bands are added to those of places.
  SmallVector<Value> &constant = constantOffsets;
  for (BandOp band : joined)
    for (unsigned l = 0; l < band.getDims().size(); ++l) {
      constant.push_back(band.getBody().getArgument(l));
      addPlaces(band.getDims()[l], band.getTrips()[l], band.getSteps()[l]);
    }
  for (unsigned l = 0; l < op.getNumLoops(); ++l) {
    unsigned dim = op.getLoopDims()[l];
    if (op.getLoopLevel(l) == LoopKind::Dot)
      continue;
    if (kernel.getReductions()[dim] && op.getRole() == Role::Update)
      reductions.push_back(l);
    else
      addPlaces(dim, op.getLoopExtents()[l], op.getLoopSteps()[l]);
  }
  base = parent.position(op.getAt(), constant);
  for (unsigned n = 0; n <= op.getInputs().size(); ++n) {
    SmallVector<Value> excluded(constant);
    if (auto origin = getBufferOrigin(operand(n)))
      llvm::append_range(excluded, origin->at);
    operandBase.push_back(parent.position(op.getAt(), excluded));
  }
  findRowThreads();
}

void GpuComputeLowering::addPlaces(unsigned dim, int64_t extent, int64_t step) {
  SmallVector<SmallVector<int64_t>> wider;
  for (const auto &place : places)
    for (int64_t n = 0; n < extent; ++n) {
      wider.push_back(place);
      wider.back()[dim] += n * step;
    }
  places = std::move(wider);
}

Value GpuComputeLowering::operand(unsigned n) {
  return n < op.getInputs().size() ? op.getInputs()[n] : op.getOutput();
}

LogicalResult GpuComputeLowering::lower() {
  // Loads of a warp's matrices wait for the copies that were started before
  // them, so copies start a few at a time.
  bool spreads = op.getInstruction() &&
                 llvm::all_of(llvm::seq<unsigned>(0, reductions.size()),
                              [&](unsigned loop) { return writesOut(loop); });
  if (spreads) {
    sums = 1;
    for (unsigned l : reductions)
      sums *= op.getLoopExtents()[l];
  } else {
    parent.startCopies();
  }
  parent.beforeRead(op.getInputs());
  if (op.getRole() == Role::Update)
    return rowThreads.empty() ? reduce(0, Forms(kernel.getNumDims()))
                              : reduceAcrossThreads();
  findCutDims();
  if (idleThreads.empty() || !isInArgument(op.getOutput()))
    return assign();
  auto ifOp = scf::IfOp::create(builder, loc, firstOfRow(), /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  MemoryEmitter::Scope scope(memory);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  return assign();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Whether the steps of reduction `loop` are written out, and not a loop.
bool GpuComputeLowering::writesOut(unsigned loop) {
  unsigned l = reductions[loop];
  uint64_t steps = 1;
  for (unsigned inner : ArrayRef<unsigned>(reductions).drop_front(loop))
    steps =
        llvm::SaturatingMultiply<uint64_t>(steps, op.getLoopExtents()[inner]);
  uint64_t instances = llvm::SaturatingMultiply<uint64_t>(steps, places.size());
  return op.getLoopExtents()[l] == 1 ||
         op.getLoopLevel(l) != LoopKind::Serial ||
         (steps <= uint64_t(kernel.getUnrollMax()) &&
          instances <= uint64_t(kMaxInstances));
}

LogicalResult GpuComputeLowering::reduce(unsigned loop, const Forms &offset) {
  if (loop == reductions.size())
    return reduceStep(offset);
  unsigned l = reductions[loop], dim = op.getLoopDims()[l];
  int64_t trips = op.getLoopExtents()[l], step = op.getLoopSteps()[l];
  loadAhead(loop, offset);
  Forms inner(offset);
  if (writesOut(loop)) {
    for (int64_t n = 0; n < trips; ++n) {
      inner[dim] = offset[dim] + n * step;
      if (failed(reduce(loop + 1, inner)))
        return failure();
    }
    return success();
  }
  return parent.emitLoop(trips, op.getOutput(), [&](Value index) {
    inner[dim] = offset[dim] + IndexForm(IndexTerm{index, step, trips, {}});
    return reduce(loop + 1, inner);
  });
}

/// Loads the elements of arguments that the steps of all loops from `loop` on
/// read, if all of these are expanded. Adjacent elements of a thread then form
/// vectors. The steps find the elements already loaded.
void GpuComputeLowering::loadAhead(unsigned loop, const Forms &offset) {
  ArrayRef<unsigned> inner = ArrayRef<unsigned>(reductions).drop_front(loop);
  if (rowThreads.empty() || loadedAhead || llvm::any_of(inner, [&](unsigned l) {
        return op.getLoopExtents()[l] > 1 &&
               op.getLoopLevel(l) == LoopKind::Serial;
      }))
    return;
  loadedAhead = true;
  SmallVector<Forms> steps{offset};
  for (unsigned l : inner) {
    unsigned dim = op.getLoopDims()[l];
    SmallVector<Forms> wider;
    for (const Forms &step : steps)
      for (int64_t n = 0; n < op.getLoopExtents()[l]; ++n) {
        wider.push_back(step);
        wider.back()[dim] = step[dim] + n * op.getLoopSteps()[l];
      }
    steps = std::move(wider);
  }
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    Value input = op.getInputs()[n];
    if (!isInArgument(input))
      continue;
    SmallVector<IndexForm> addresses;
    for (const Forms &step : steps)
      for (const auto &place : places)
        addresses.push_back(address(n, place, step, /*clamp=*/true));
    memory.load(loc, parent.buffers.find(input)->second.memref, addresses);
  }
}

/// True if `value` is `argument` or an extension of it.
static bool isExtensionOf(Value value, Value argument) {
  while (auto cast = value.getDefiningOp<arith::ExtFOp>())
    value = cast.getIn();
  return value == argument;
}

/// True if `input`, read through `map`, is staged and holds zeros at all
/// positions beyond the end of dimension `dim`, which has `extent`. A position
/// in a window does not depend only on the offset in the window, so it may be
/// inside of the tensor if the offset is beyond its end.
static bool isZeroBeyond(Value input, AffineMap map, unsigned dim,
                         int64_t extent) {
  auto stage = input.getDefiningOp<StageOp>();
  if (!stage)
    return false;
  std::optional<TypedAttr> padding = stage.getPadding();
  if (padding && !matchPattern(*padding, m_AnyZeroFloat()))
    return false;
  AffineExpr position = getAffineDimExpr(dim, map.getContext());
  return llvm::any_of(llvm::zip_equal(map.getResults(), stage.getShape()),
                      [&](auto pair) {
                        auto [expr, shape] = pair;
                        return expr == position && shape <= extent;
                      });
}

/// True if steps beyond the end of reduction dimension `dim` may be executed:
/// the body adds the product of two inputs that are both zero there. One zero
/// input is not enough, because the other may be infinite.
bool GpuComputeLowering::zerosAddNothing(unsigned dim) {
  Block &body = op.getBody().front();
  if (body.getNumArguments() != 3)
    return false;
  for (unsigned n = 0; n < 2; ++n)
    if (!isZeroBeyond(op.getInputs()[n], op.getMap(n), dim,
                      kernel.getExtents()[dim]))
      return false;
  auto add = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  Value accumulator = body.getArgument(2);
  Value term = add.getLhs() == accumulator ? add.getRhs() : add.getLhs();
  if (add.getLhs() != accumulator && add.getRhs() != accumulator)
    return false;
  auto product = term.getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  Value a = body.getArgument(0), b = body.getArgument(1);
  return (isExtensionOf(product.getLhs(), a) &&
          isExtensionOf(product.getRhs(), b)) ||
         (isExtensionOf(product.getLhs(), b) &&
          isExtensionOf(product.getRhs(), a));
}

LogicalResult GpuComputeLowering::reduceStep(const Forms &offset) {
  if (sums > 0)
    parent.startCopies(emittedSums++, sums);
  Value inside;
  for (unsigned dim = 0; dim < kernel.getNumDims(); ++dim) {
    if (!kernel.getReductions()[dim])
      continue;
    IndexForm at = base[dim] + offset[dim];
    int64_t extent = kernel.getExtents()[dim];
    // C12: operands of an instruction are zero beyond the extent of its sums.
    if (!at.mayReach(extent) || zerosAddNothing(dim) ||
        (op.getInstruction() && dim == op.getLoopDims().back()))
      continue;
    Value here = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       memory.address(loc, at),
                                       memory.index(loc, extent));
    inside = inside ? arith::AndIOp::create(builder, loc, inside, here) : here;
  }
  unsigned output = op.getInputs().size();
  auto step = [&]() -> LogicalResult {
    if (op.getInstruction())
      return multiply(offset);
    auto which = llvm::to_vector(llvm::seq<unsigned>(0, places.size()));
    SmallVector<Values> inputs;
    for (unsigned n = 0; n < output; ++n) {
      FailureOr<Values> values = load(n, which, offset);
      if (failed(values))
        return failure();
      inputs.push_back(std::move(*values));
    }
    for (unsigned p : which) {
      FailureOr<Value *> accumulator =
          localElement(op.getOutput(), address(output, places[p], offset,
                                               /*clamp=*/false));
      if (failed(accumulator))
        return failure();
      Values arguments;
      for (const Values &input : inputs)
        arguments.push_back(input[p]);
      if (!parent.isWritten(**accumulator))
        return op.emitOpError(
            "accumulates in an element of a local buffer that was not written");
      arguments.push_back(**accumulator);
      **accumulator = inlineBody(builder, op.getBody().front(), arguments,
                                 /*contract=*/true);
    }
    return success();
  };
  if (!inside)
    return step();

  // All threads have the same condition unless they share the reduction, so no
  // barriers are needed.
  if (failed(accumulators()))
    return failure();
  CarriedElements elements(builder, loc, parent.locals, op.getOutput());
  Values before = elements.pack();
  auto ifOp = scf::IfOp::create(builder, loc, TypeRange(ValueRange(before)),
                                inside, /*withElse=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    MemoryEmitter::Scope scope(memory);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    if (failed(step()))
      return failure();
    scf::YieldOp::create(builder, loc, elements.pack());
    builder.setInsertionPointToStart(ifOp.elseBlock());
    scf::YieldOp::create(builder, loc, before);
  }
  elements.unpack(ifOp.getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// All other statements
//===----------------------------------------------------------------------===//

/// Only stores to arguments must stop at the border. Elements of a local buffer
/// beyond it are never used.
void GpuComputeLowering::findCutDims() {
  if (!isInArgument(op.getOutput()))
    return;
  for (unsigned dim = 0; dim < kernel.getNumDims(); ++dim) {
    int64_t furthest = 0;
    for (const auto &place : places)
      furthest = std::max(furthest, place[dim]);
    if ((base[dim] + furthest).mayReach(kernel.getExtents()[dim]))
      cutDims.push_back(dim);
  }
}

/// True if `place` is inside of the domain.
Value GpuComputeLowering::insideDomain(ArrayRef<int64_t> place) {
  Value inside;
  for (unsigned dim : cutDims) {
    Value here =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                              memory.address(loc, base[dim] + place[dim]),
                              memory.index(loc, kernel.getExtents()[dim]));
    inside = inside ? arith::AndIOp::create(builder, loc, inside, here) : here;
  }
  return inside;
}

LogicalResult GpuComputeLowering::assign() {
  auto all = llvm::to_vector(llvm::seq<unsigned>(0, places.size()));
  if (cutDims.empty()) {
    knownInside = isInArgument(op.getOutput());
    return assignPlaces(all);
  }
  knownInside = true;
  OpBuilder::InsertionGuard guard(builder);
  if (places.size() > 1) {
    // Whole tiles keep their vectors; only cut tiles test each place.
    SmallVector<int64_t> furthest(kernel.getNumDims(), 0);
    for (const auto &place : places)
      for (auto [most, value] : llvm::zip_equal(furthest, place))
        most = std::max(most, value);
    auto ifOp = scf::IfOp::create(builder, loc, insideDomain(furthest),
                                  /*withElse=*/true);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    {
      MemoryEmitter::Scope scope(memory);
      if (failed(assignPlaces(all)))
        return failure();
    }
    builder.setInsertionPointToStart(ifOp.elseBlock());
  }
  MemoryEmitter::Scope scope(memory);
  for (unsigned p : all) {
    auto ifOp = scf::IfOp::create(builder, loc, insideDomain(places[p]),
                                  /*withElse=*/false);
    OpBuilder::InsertionGuard inner(builder);
    MemoryEmitter::Scope innerScope(memory);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    if (failed(assignPlaces(p)))
      return failure();
  }
  return success();
}

LogicalResult GpuComputeLowering::assignPlaces(ArrayRef<unsigned> which) {
  Forms still(kernel.getNumDims());
  SmallVector<Values> inputs;
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    FailureOr<Values> values = load(n, which, still);
    if (failed(values))
      return failure();
    inputs.push_back(std::move(*values));
  }
  Values results;
  for (unsigned p = 0; p < which.size(); ++p) {
    Values arguments;
    for (const Values &input : inputs)
      arguments.push_back(input[p]);
    results.push_back(inlineBody(builder, op.getBody().front(), arguments,
                                 /*contract=*/false));
  }
  return store(which, results);
}

LogicalResult GpuLowering::lowerCompute(ComputeOp compute,
                                        ArrayRef<BandOp> joined) {
  return GpuComputeLowering(*this, compute, joined).lower();
}
