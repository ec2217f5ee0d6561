//===- ParallelizeOperations.cpp - large operations on all threads --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace pruner {
#define GEN_PASS_DEF_PARALLELIZEOPERATIONSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// Iterations of the shared loops after which no further loop joins them.
static constexpr int64_t kEnough = 64;

/// The threads that the kernels of the module use: they have a parallel loop
/// with an iteration for each.
static int64_t threadsOf(ModuleOp module) {
  int64_t most = 1;
  module.walk([&](scf::ParallelOp loop) {
    std::optional<int64_t> low = getConstantIntValue(loop.getLowerBound()[0]),
                           high = getConstantIntValue(loop.getUpperBound()[0]);
    if (low && high)
      most = std::max(most, *high - *low);
  });
  return most;
}

/// The operations of all points; saturates.
static uint64_t workOf(linalg::LinalgOp op) {
  uint64_t work = std::max<size_t>(
      1, llvm::range_size(op.getBlock()->without_terminator()));
  for (int64_t extent : op.getStaticLoopRanges())
    work = llvm::SaturatingMultiply<uint64_t>(work, extent);
  return work;
}

/// Whether points may be computed on several threads: they call nothing that
/// may leave the run because of an error.
static bool isPlain(linalg::LinalgOp op) {
  return llvm::all_of(*op.getBlock(), [](Operation &inner) {
    return inner.getNumRegions() == 0 &&
           (isMemoryEffectFree(&inner) || isa<memref::LoadOp>(inner));
  });
}

/// The number of outermost loops that become one parallel loop. The innermost
/// loop stays, so that LLVM vectorizes it.
static unsigned numShared(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto kinds = op.getIteratorTypesArray();
  int64_t iterations = 1;
  unsigned shared = 0;
  while (shared + 1 < extents.size() && iterations < kEnough &&
         kinds[shared] == utils::IteratorType::parallel)
    iterations *= extents[shared++];
  return iterations > 1 ? shared : 0;
}

/// The operation of a function that has no other one, or null.
static linalg::LinalgOp onlyOperation(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return nullptr;
  linalg::LinalgOp found;
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || found)
      return nullptr;
    found = linalgOp;
  }
  return found;
}

/// Makes `function` compute only the iterations of the shared loops of its
/// operation from its second-last argument to its last one.
static LogicalResult computeShare(IRRewriter &rewriter, func::FuncOp function) {
  linalg::LinalgOp op = onlyOperation(function);
  unsigned shared = numShared(op);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::LinalgLoops> made = linalg::linalgOpToLoops(rewriter, op);
  if (failed(made))
    return failure();
  rewriter.eraseOp(op);
  SmallVector<scf::ForOp> loops;
  for (Operation *loop : ArrayRef(*made).take_front(shared))
    loops.push_back(cast<scf::ForOp>(loop));

  Location loc = loops.front().getLoc();
  rewriter.setInsertionPoint(loops.front());
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  unsigned arguments = function.getNumArguments();
  auto share =
      scf::ForOp::create(rewriter, loc, function.getArgument(arguments - 2),
                         function.getArgument(arguments - 1), one);
  rewriter.setInsertionPointToStart(share.getBody());
  Value rest = share.getInductionVar();
  for (unsigned l = shared; l-- > 0;) {
    Value index = rest;
    if (l > 0) {
      Value extent = arith::ConstantIndexOp::create(rewriter, loc, extents[l]);
      index = arith::RemUIOp::create(rewriter, loc, rest, extent);
      rest = arith::DivUIOp::create(rewriter, loc, rest, extent);
    }
    rewriter.replaceAllUsesWith(loops[l].getInductionVar(), index);
  }
  Operation *end = share.getBody()->getTerminator();
  for (scf::ForOp loop : ArrayRef(loops).drop_back())
    for (Operation &between :
         llvm::make_early_inc_range(loop.getBody()->without_terminator()))
      if (!isa<scf::ForOp>(between))
        rewriter.moveOpBefore(&between, end);
  Block *body = loops.back().getBody();
  rewriter.eraseOp(body->getTerminator());
  rewriter.inlineBlockBefore(body, end, ValueRange{rest});
  rewriter.eraseOp(loops.front());
  return success();
}

namespace {
struct ParallelizeOperationsPass
    : public pruner::impl::ParallelizeOperationsPassBase<
          ParallelizeOperationsPass> {
  using ParallelizeOperationsPassBase::ParallelizeOperationsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    int64_t threads = threadsOf(module);
    if (threads == 1)
      return;
    SymbolTable symbols(module);
    IRRewriter rewriter(&getContext());
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      linalg::LinalgOp op = onlyOperation(function);
      if (op && op.hasPureBufferSemantics() && !op.hasDynamicShape() &&
          workOf(op) >= leastWork && numShared(op) > 0 && isPlain(op) &&
          failed(share(rewriter, function, op, threads, symbols)))
        return signalPassFailure();
    }
  }

private:
  /// Lets each thread call a function for its share.
  LogicalResult share(IRRewriter &rewriter, func::FuncOp function,
                      linalg::LinalgOp op, int64_t threads,
                      SymbolTable &symbols) {
    int64_t iterations = 1;
    for (int64_t extent :
         ArrayRef(op.getStaticLoopRanges()).take_front(numShared(op)))
      iterations *= extent;
    func::FuncOp part = function.clone();
    part.setName((function.getName() + "_share").str());
    part.setPrivate();
    part->removeAttr("pruner.work");
    symbols.insert(part);
    Location loc = op.getLoc();
    for (unsigned n = 0; n < 2; ++n)
      if (failed(part.insertArgument(part.getNumArguments(),
                                     rewriter.getIndexType(), {}, loc)))
        return failure();
    if (failed(computeShare(rewriter, part)))
      return failure();

    rewriter.setInsertionPoint(op);
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    int64_t shares = std::min(threads, iterations);
    auto parallel = scf::ParallelOp::create(
        rewriter, loc, ValueRange{constant(0)}, ValueRange{constant(shares)},
        ValueRange{constant(1)});
    rewriter.setInsertionPointToStart(parallel.getBody());
    auto border = [&](Value n) -> Value {
      Value scaled =
          arith::MulIOp::create(rewriter, loc, n, constant(iterations));
      return arith::DivUIOp::create(rewriter, loc, scaled, constant(shares));
    };
    Value n = parallel.getInductionVars()[0];
    SmallVector<Value> arguments(function.getArguments());
    arguments.push_back(border(n));
    Value next = arith::AddIOp::create(rewriter, loc, n, constant(1));
    arguments.push_back(border(next));
    func::CallOp::create(rewriter, loc, part, arguments);
    rewriter.eraseOp(op);
    ++numParallel;
    return success();
  }
};
} // namespace
