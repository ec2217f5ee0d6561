//===- OperationKernel.cpp - an operation as a kernel ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OperationKernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;
using namespace pruner;

static constexpr int32_t kWarp = 32, kMostThreads = 256;

OperationKernel::OperationKernel(linalg::LinalgOp op)
    : op(op), extents(op.getStaticLoopRanges()) {
  auto kinds = op.getIteratorTypesArray();
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  llvm::SmallBitVector isOwn(extents.size(), true);
  for (AffineExpr expr : result.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || !isOwn[dim.getPosition()] ||
        kinds[dim.getPosition()] != utils::IteratorType::parallel)
      continue;
    isOwn.reset(dim.getPosition());
    threadLoops.push_back(dim.getPosition());
    numThreads *= extents[dim.getPosition()];
  }
  for (unsigned dim : isOwn.set_bits()) {
    ownLoops.push_back(dim);
    if (extents[dim] == 0)
      numThreads = 0;
  }
}

int32_t OperationKernel::block() const {
  int64_t whole = llvm::alignTo(std::max<int64_t>(numThreads, 1), kWarp);
  return int32_t(std::min<int64_t>(whole, kMostThreads));
}

namespace {
/// Writes the loops of one thread.
class ThreadBody {
public:
  ThreadBody(linalg::LinalgOp op, IRMapping &mapping, SmallVector<Value> loops)
      : op(op), mapping(mapping), loops(std::move(loops)) {}

  void write(OpBuilder &builder, ArrayRef<unsigned> own,
             ArrayRef<int64_t> extents);

private:
  Value lookup(Value value) { return mapping.lookupOrDefault(value); }

  SmallVector<Value> placeOf(OpBuilder &builder, OpOperand &operand) {
    SmallVector<Value> place;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned n = 0; n < map.getNumResults(); ++n) {
      // Results are placed outside of the loops over reductions, which their
      // maps do not use.
      AffineMap one = map.getSubMap({n});
      llvm::SmallBitVector unused = getUnusedDimsBitVector({one});
      SmallVector<Value> used;
      for (auto [dim, loop] : llvm::enumerate(loops))
        if (!unused.test(dim))
          used.push_back(loop);
      place.push_back(affine::AffineApplyOp::create(
          builder, op.getLoc(), compressDims(one, unused), used));
    }
    return place;
  }

  Value load(OpBuilder &builder, OpOperand &operand) {
    if (!isa<MemRefType>(operand.get().getType()))
      return lookup(operand.get());
    return memref::LoadOp::create(builder, op.getLoc(), lookup(operand.get()),
                                  placeOf(builder, operand));
  }

  void store(OpBuilder &builder, ValueRange results) {
    for (auto [operand, result] :
         llvm::zip_equal(op.getDpsInitsMutable(), results))
      memref::StoreOp::create(builder, op.getLoc(), result,
                              lookup(operand.get()), placeOf(builder, operand));
  }

  /// One iteration: the yielded values.
  SmallVector<Value> compute(OpBuilder &builder, ValueRange inits);

  linalg::LinalgOp op;
  IRMapping &mapping;
  SmallVector<Value> loops; ///< Null for those that are not written yet.
};
} // namespace

SmallVector<Value> ThreadBody::compute(OpBuilder &builder, ValueRange inits) {
  Block &body = *op.getBlock();
  IRMapping inside(mapping);
  unsigned numInputs = op.getNumDpsInputs();
  for (auto [n, input] : llvm::enumerate(op.getDpsInputOperands()))
    inside.map(body.getArgument(n), load(builder, *input));
  for (auto [n, init] : llvm::enumerate(inits))
    inside.map(body.getArgument(numInputs + n), init);
  for (Operation &each : body.without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(each))
      inside.map(index.getResult(), loops[index.getDim()]);
    else
      builder.clone(each, inside);
  }
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(inside.lookupOrDefault(value));
  return results;
}

void ThreadBody::write(OpBuilder &builder, ArrayRef<unsigned> own,
                       ArrayRef<int64_t> extents) {
  Location loc = op.getLoc();
  // Usually the results of a thread stay in registers during its loops.
  bool inRegisters = llvm::none_of(op.getDpsInitsMutable(), [&](auto &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return llvm::any_of(own,
                        [&](unsigned dim) { return map.isFunctionOfDim(dim); });
  });
  auto loadInits = [&](OpBuilder &at) {
    SmallVector<Value> inits;
    for (OpOperand &init : op.getDpsInitsMutable())
      inits.push_back(load(at, init));
    return inits;
  };
  SmallVector<Value> carried;
  if (inRegisters)
    carried = loadInits(builder);
  OpBuilder inner = builder;
  scf::ForOp outermost, last;
  for (unsigned dim : own) {
    Value zero = arith::ConstantIndexOp::create(inner, loc, 0);
    Value one = arith::ConstantIndexOp::create(inner, loc, 1);
    Value end = arith::ConstantIndexOp::create(inner, loc, extents[dim]);
    auto loop = scf::ForOp::create(inner, loc, zero, end, one, carried);
    if (!outermost)
      outermost = loop;
    else if (inRegisters)
      scf::YieldOp::create(inner, loc, loop.getResults());
    loops[dim] = loop.getInductionVar();
    carried.assign(loop.getRegionIterArgs().begin(),
                   loop.getRegionIterArgs().end());
    inner.setInsertionPointToStart(loop.getBody());
    last = loop;
  }
  SmallVector<Value> inits = inRegisters ? carried : loadInits(inner);
  SmallVector<Value> results = compute(inner, inits);
  if (!inRegisters) {
    store(inner, results);
    return;
  }
  if (last) {
    scf::YieldOp::create(inner, loc, results);
    results.assign(outermost.getResults().begin(),
                   outermost.getResults().end());
  }
  store(builder, results);
}

void OperationKernel::write(OpBuilder &builder, ValueRange arguments) {
  Location loc = op.getLoc();
  auto function = op->getParentOfType<func::FuncOp>();
  IRMapping mapping;
  mapping.map(function.getArguments(),
              arguments.take_front(function.getNumArguments()));
  for (Operation &each : *op->getBlock())
    if (matchPattern(&each, m_Constant()))
      builder.clone(each, mapping);
  // Divisions of 32 bits are several times faster.
  bool isNarrow = numThreads <= std::numeric_limits<int32_t>::max() - block();
  Type index = builder.getIndexType();
  Type type = isNarrow ? Type(builder.getI32Type()) : index;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  };
  auto numberOf = [&](Value value) -> Value {
    return isNarrow ? arith::IndexCastOp::create(builder, loc, type, value)
                    : value;
  };
  Value blockNumber =
      numberOf(gpu::BlockIdOp::create(builder, loc, index, gpu::Dimension::x));
  Value ownNumber =
      numberOf(gpu::ThreadIdOp::create(builder, loc, index, gpu::Dimension::x));
  Value number = arith::AddIOp::create(
      builder, loc,
      arith::MulIOp::create(builder, loc, blockNumber, constant(block())),
      ownNumber);
  Value works = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                      number, constant(numThreads));
  auto branch =
      scf::IfOp::create(builder, loc, works, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> loops(extents.size());
  for (unsigned dim : llvm::reverse(threadLoops)) {
    Value extent = constant(extents[dim]);
    Value place = number;
    if (dim != threadLoops.front()) {
      place = arith::RemUIOp::create(builder, loc, number, extent);
      number = arith::DivUIOp::create(builder, loc, number, extent);
    }
    loops[dim] = isNarrow
                     ? arith::IndexCastOp::create(builder, loc, index, place)
                     : place;
  }
  ThreadBody(op, mapping, std::move(loops)).write(builder, ownLoops, extents);
}
