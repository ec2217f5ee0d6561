//===- CheckKernel.cpp - checks of a GPU kernel ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckKernel.h"

#include "pruner/Dialect/Pruner/Utils/Copies.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pruner;

/// Limits of CUDA: threads of a block, and blocks along x.
static constexpr int64_t kMaxThreads = 1024;
static constexpr int64_t kMaxBlocks = INT32_MAX;

/// Limit for local buffers. Every element is a value during lowering, and no
/// thread has that many registers.
static constexpr uint64_t kMaxElements = 65536;

bool pruner::isInArgument(Value buffer) {
  return isa<BlockArgument>(buffer) || buffer.getDefiningOp<PackedOp>();
}

static int64_t tripsOf(BandOp band) {
  int64_t product = 1;
  for (int64_t trips : band.getTrips())
    if (llvm::MulOverflow(product, trips, product))
      return INT64_MAX;
  return product;
}

static LogicalResult checkBlocks(KernelOp kernel, LaunchShape &shape) {
  Block &body = kernel.getBody().front();
  for (auto band : body.getOps<BandOp>()) {
    if (band.getLevel() != LoopKind::Block)
      continue;
    if (llvm::any_of(body, [&](Operation &op) {
          return &op != band && !isa<PackedOp>(op);
        }))
      return band.emitOpError(
          "must be the only op of its kernel, because every "
          "block would also execute the others");
    shape.blocks = tripsOf(band);
    if (shape.blocks > kMaxBlocks)
      return band.emitOpError("makes a grid of ")
             << shape.blocks << " blocks, but the limit is " << kMaxBlocks;
  }
  return success();
}

static LogicalResult checkThreads(KernelOp kernel, LaunchShape &shape) {
  BandOp first;
  auto visit = [&](BandOp band) -> LogicalResult {
    if (band.getLevel() != LoopKind::Thread)
      return success();
    int64_t threads = tripsOf(band);
    if (threads > kMaxThreads)
      return band.emitOpError("makes blocks of ")
             << threads << " threads, but the limit is " << kMaxThreads;
    if (first && threads != shape.threads)
      return band.emitOpError("has ")
             << threads << " threads but another 'thread' band has "
             << shape.threads;
    first = band;
    shape.threads = threads;
    return success();
  };
  auto result = kernel.walk([&](BandOp band) {
    return failed(visit(band)) ? WalkResult::interrupt()
                               : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// True if `expr` is a constant plus a sum of dimensions times non-negative
/// constants.
static bool isNonNegativeLinear(AffineExpr expr) {
  if (isa<AffineDimExpr, AffineConstantExpr>(expr))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return isNonNegativeLinear(binary.getLHS()) &&
           isNonNegativeLinear(binary.getRHS());
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && factor &&
         factor.getValue() >= 0 && isNonNegativeLinear(binary.getLHS());
}

static LogicalResult checkMap(Operation *op, AffineMap map) {
  for (AffineExpr expr : map.getResults())
    if (!isNonNegativeLinear(expr))
      return op->emitOpError("has a map that is not linear with non-negative "
                             "coefficients: ")
             << AffineMapAttr::get(map);
  return success();
}

static LogicalResult checkStage(StageOp stage, const LaunchShape &shape) {
  if (int64_t(stage.getThreads()) != shape.threads)
    return stage.emitOpError("is shared by ")
           << stage.getThreads() << " threads but a block has "
           << shape.threads;
  auto level = dyn_cast_or_null<MemoryKindAttr>(
      stage.getResult().getType().getMemorySpace());
  if (!level || level.getValue() != MemoryKind::Shared)
    return stage.emitOpError("must fill a shared buffer in a kernel for gpu");
  for (Value input : stage.getInputs())
    if (!isInArgument(input))
      return stage.emitOpError("reads a buffer of the kernel; only arguments "
                               "can be staged");
  for (Attribute map : stage.getMaps())
    if (failed(checkMap(stage, cast<AffineMapAttr>(map).getValue())))
      return failure();
  return checkMap(stage, stage.getMap());
}

static LogicalResult checkAlloc(AllocOp alloc) {
  auto level = dyn_cast_or_null<MemoryKindAttr>(
      alloc.getResult().getType().getMemorySpace());
  if (!level || level.getValue() != MemoryKind::Local)
    return alloc.emitOpError("must be local in a kernel for gpu");
  uint64_t elements = 1;
  for (int64_t extent : alloc.getResult().getType().getShape())
    elements = llvm::SaturatingMultiply<uint64_t>(elements, extent);
  if (elements > kMaxElements)
    return alloc.emitOpError("has ")
           << elements << " elements, but the limit for a thread is "
           << kMaxElements;
  return success();
}

static LogicalResult checkCompute(ComputeOp compute) {
  Value output = compute.getOutput();
  bool local = bool(output.getDefiningOp<AllocOp>());
  if (!local && !isInArgument(output))
    return compute.emitOpError("writes to a staged buffer");
  if (!local && compute.getRole() == Role::Update)
    return compute.emitOpError("accumulates in an argument, expected a local "
                               "buffer in a kernel for gpu");
  for (Attribute map : compute.getMaps())
    if (failed(checkMap(compute, cast<AffineMapAttr>(map).getValue())))
      return failure();
  return success();
}

/// Checks that values from outside are memrefs of the function, which become
/// arguments, or constants, which are cloned.
static LogicalResult checkCaptures(KernelOp kernel) {
  auto function = kernel->getParentOfType<FunctionOpInterface>();
  if (!function || kernel->getBlock() != &function.getFunctionBody().front())
    return kernel.emitOpError("expects to be in the first block of a function");
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(kernel.getBody(), captured);
  for (Value value : captured) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (llvm::is_contained(function.getArguments(), value) && type) {
      if (type.hasStaticShape() && type.getLayout().isIdentity() &&
          !type.getMemorySpace())
        continue;
      return kernel.emitOpError("uses an argument of type ")
             << type << ", expected a plain memref of static shape";
    }
    if (!matchPattern(value, m_Constant()))
      return kernel.emitOpError(
          "uses a value that is neither a memref argument of its function nor "
          "a constant");
  }
  return success();
}

FailureOr<LaunchShape> pruner::checkKernel(KernelOp kernel) {
  LaunchShape shape;
  if (failed(checkCaptures(kernel)) || failed(checkBlocks(kernel, shape)) ||
      failed(checkThreads(kernel, shape)) || failed(checkCopies(kernel)))
    return failure();
  auto result = kernel.walk([&](Operation *op) {
    LogicalResult fits = success();
    if (auto stage = dyn_cast<StageOp>(op))
      fits = checkStage(stage, shape);
    else if (auto alloc = dyn_cast<AllocOp>(op))
      fits = checkAlloc(alloc);
    else if (auto compute = dyn_cast<ComputeOp>(op))
      fits = checkCompute(compute);
    return failed(fits) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return shape;
}
