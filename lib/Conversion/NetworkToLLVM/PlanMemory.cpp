//===- PlanMemory.cpp - place buffers in one workspace --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BufferPlan.h"

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

namespace pruner {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using pruner::Buffer;
using pruner::elementBytes;

bool pruner::isElementOfC(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth()) ||
           type.isSignlessInteger(1);
  return type.isIndex() || type.isF16() || type.isBF16() || type.isF32() ||
         type.isF64();
}

int64_t pruner::elementBytes(Type type) {
  if (type.isIndex())
    return 8;
  return llvm::PowerOf2Ceil(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
}

int64_t pruner::bufferBytes(ShapedType type) {
  return mulSizes(boxSize(type.getShape()),
                  elementBytes(type.getElementType()));
}

/// Places the buffers and the buffers that are parts of them. Returns the total
/// bytes.
static int64_t place(MutableArrayRef<Buffer> buffers) {
  SmallVector<pruner::PlannedBuffer *> wholes;
  for (Buffer &buffer : buffers)
    if (!buffer.whole)
      wholes.push_back(&buffer);
  int64_t total = pruner::planMemory(wholes);
  for (Buffer &buffer : buffers)
    for (Buffer *part = &buffer; part->whole; part = part->whole)
      buffer.offset +=
          part->within + (part->whole->whole ? 0 : part->whole->offset);
  return total;
}

namespace {
struct PlanMemoryPass
    : public pruner::impl::PlanMemoryPassBase<PlanMemoryPass> {
  using PlanMemoryPassBase::PlanMemoryPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    if (freed)
      eraseFrees(function);
    SmallVector<memref::AllocOp> allocs;
    function.walk([&](memref::AllocOp op) {
      if (llvm::none_of(op->getUsers(), llvm::IsaPred<memref::DeallocOp>))
        allocs.push_back(op);
    });
    positions.clear();
    SmallVector<Buffer> buffers;
    if (!allocs.empty()) {
      FailureOr<pruner::BufferFlow> flow = pruner::BufferFlow::read(function);
      if (failed(flow))
        return signalPassFailure();
      for (memref::AllocOp op : allocs)
        if (failed(collect(op, *flow, buffers)))
          return signalPassFailure();
      pruner::joinParts(buffers, function.getBody().front(), *flow, alignment,
                        [&](Operation *op) { return position(op); });
    }
    bool asArgument = argument && function.isPublic();
    if (!buffers.empty() || asArgument)
      replace(buffers, place(buffers), asArgument);
  }

  static void eraseFrees(func::FuncOp function) {
    SmallVector<memref::DeallocOp> frees;
    function.walk([&](memref::DeallocOp op) {
      auto alloc = op.getMemref().getDefiningOp<memref::AllocOp>();
      if (alloc && alloc.getType().hasStaticShape())
        frees.push_back(op);
    });
    for (memref::DeallocOp op : frees)
      op.erase();
  }

  /// Determines the lifetime of a buffer, or frees it at the end of its block.
  LogicalResult collect(memref::AllocOp op, const pruner::BufferFlow &flow,
                        SmallVector<Buffer> &buffers) {
    Block *block = op->getBlock();
    Block &body = getOperation().getBody().front();
    Operation *first = nullptr, *last = op;
    for (Value alias : flow.reachedFrom(op)) {
      Block *home = alias.getParentBlock();
      // A block argument of a loop in this block lives as long as the loop.
      bool inside = home == block || block->findAncestorOpInBlock(
                                         *home->getParentOp()) != nullptr;
      for (Operation *user : alias.getUsers()) {
        Operation *ancestor = block->findAncestorOpInBlock(*user);
        if (!inside || !ancestor ||
            (ancestor == user && user->hasTrait<OpTrait::IsTerminator>()))
          return op.emitError(
              "this buffer outlives the block that allocates it, "
              "so it is unknown when it can be freed");
        if (isa<ViewLikeOpInterface>(user))
          continue;
        if (!first || ancestor->isBeforeInBlock(first))
          first = ancestor;
        if (last->isBeforeInBlock(ancestor))
          last = ancestor;
      }
    }
    if (!op.getType().hasStaticShape() ||
        !op.getType().getLayout().isIdentity() ||
        op->getParentOfType<scf::ParallelOp>() ||
        op->getParentOfType<scf::ForallOp>() ||
        !getOperation().getBody().hasOneBlock()) {
      OpBuilder builder(&getContext());
      builder.setInsertionPointAfter(last);
      memref::DeallocOp::create(builder, op.getLoc(), op);
      return success();
    }
    Buffer buffer;
    buffer.op = op;
    int64_t bytes = pruner::bufferBytes(op.getType());
    if (bytes > pruner::kMaxTensorBytes)
      return op.emitError("a buffer of type ")
             << op.getType() << " exceeds the limit of "
             << pruner::kMaxTensorBytes << " bytes";
    buffer.bytes = llvm::alignTo(bytes, alignment);
    allBytes += buffer.bytes;
    // Inside a loop the buffer must live as long as the loop.
    if (block != &body)
      first = last = body.findAncestorOpInBlock(*op);
    buffer.begin = first ? position(first) : position(op);
    buffer.end = position(last);
    buffers.push_back(buffer);
    return success();
  }

  int64_t position(Operation *op) {
    if (positions.empty())
      for (auto [n, each] : llvm::enumerate(getOperation().getBody().front()))
        positions[&each] = n;
    return positions.lookup(op);
  }

  void replace(MutableArrayRef<Buffer> buffers, int64_t bytes,
               bool asArgument) {
    func::FuncOp function = getOperation();
    Block &body = function.getBody().front();
    Location loc = function.getLoc();
    OpBuilder builder(&getContext());
    builder.setInsertionPointToStart(&body);
    auto type = MemRefType::get({bytes}, builder.getI8Type());
    Value workspace;
    if (asArgument) {
      // Fails only for functions without blocks.
      auto size = builder.getDictionaryAttr(builder.getNamedAttr(
          "pruner.workspace", builder.getI64IntegerAttr(bytes)));
      (void)function.insertArgument(function.getNumArguments(), type, size,
                                    loc);
      workspace = body.getArguments().back();
    } else {
      auto alloc = memref::AllocOp::create(
          builder, loc, type, builder.getI64IntegerAttr(alignment));
      workspace = alloc;
      OpBuilder atEnd(body.getTerminator());
      memref::DeallocOp::create(atEnd, loc, alloc);
    }
    for (Buffer &buffer : buffers) {
      OpBuilder here(buffer.op);
      Value offset = arith::ConstantIndexOp::create(here, buffer.op.getLoc(),
                                                    buffer.offset);
      Value view =
          memref::ViewOp::create(here, buffer.op.getLoc(), buffer.op.getType(),
                                 workspace, offset, ValueRange());
      buffer.op.replaceAllUsesWith(view);
      buffer.op.erase();
      ++numPlanned;
    }
    workspaceBytes += bytes;
  }

  DenseMap<Operation *, int64_t> positions; ///< In the function's block.
};
} // namespace
