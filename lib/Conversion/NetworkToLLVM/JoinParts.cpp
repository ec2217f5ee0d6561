//===- JoinParts.cpp - buffers that are copied into others ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BufferPlan.h"

#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"

using namespace mlir;
using namespace pruner;

namespace {
/// A view of a buffer.
struct View {
  Buffer *buffer = nullptr;
  /// The first element and the end, counted in elements of the buffer.
  int64_t begin = 0, end = 0;
  bool isContiguous = false; ///< Row-major and contiguous.
};

class Joiner {
public:
  Joiner(MutableArrayRef<Buffer> buffers, Block &body, const BufferFlow &flow,
         int64_t alignment, llvm::function_ref<int64_t(Operation *)> position)
      : body(body), flow(flow), alignment(alignment), position(position) {
    for (Buffer &buffer : buffers)
      known[buffer.op] = &buffer;
  }

  void run() {
    // In the order of the copies: a part of a part is handled first, and
    // extends the lifetime of the part.
    for (auto copy : llvm::make_early_inc_range(body.getOps<memref::CopyOp>()))
      join(copy);
  }

private:
  void join(memref::CopyOp copy) {
    View source = viewOf(copy.getSource()), target = viewOf(copy.getTarget());
    Buffer *part = source.buffer, *whole = target.buffer;
    if (!part || !whole || part == whole || part->whole ||
        !target.isContiguous || !source.isContiguous || source.begin != 0 ||
        source.end != part->op.getType().getNumElements() ||
        part->op->getBlock() != &body || whole->op->getBlock() != &body)
      return;
    int64_t within =
        target.begin * elementBytes(part->op.getType().getElementType());
    if (within % alignment != 0 || part->end != position(copy) ||
        isUsedDuring(*whole, target, *part, position(copy)))
      return;
    part->whole = whole;
    part->within = within;
    whole->begin = std::min(whole->begin, part->begin);
    whole->end = std::max(whole->end, part->end);
    copy.erase();
  }

  /// True if anything may use the range `target` of `whole` during the lifetime
  /// of `part`, before the copy at `end`.
  bool isUsedDuring(Buffer &whole, const View &target, const Buffer &part,
                    int64_t end) {
    for (Value alias : flow.reachedFrom(whole.op)) {
      View view = viewOf(alias);
      if (view.buffer && (view.end <= target.begin || target.end <= view.begin))
        continue;
      for (Operation *user : alias.getUsers()) {
        Operation *ancestor = body.findAncestorOpInBlock(*user);
        if (isa<ViewLikeOpInterface>(user))
          continue;
        if (!ancestor ||
            (position(ancestor) >= part.begin && position(ancestor) < end))
          return true;
      }
    }
    // Its parts are checked separately.
    int64_t bytes = elementBytes(whole.op.getType().getElementType());
    return llvm::any_of(known, [&](auto &entry) {
      const Buffer &other = *entry.second;
      return other.whole == &whole && other.livesWith(part) &&
             other.within < target.end * bytes &&
             target.begin * bytes < other.within + other.bytes;
    });
  }

  /// The view that `value` is of one of the buffers; no buffer if unknown.
  View viewOf(Value value) {
    View view;
    auto type = dyn_cast<MemRefType>(value.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!type || !type.hasStaticShape() ||
        failed(type.getStridesAndOffset(strides, offset)) ||
        ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides))
      return view;
    view.begin = view.end = offset;
    for (auto [extent, stride] : llvm::zip_equal(type.getShape(), strides)) {
      if (extent == 0 || stride < 0)
        return view;
      view.end += (extent - 1) * stride;
    }
    ++view.end;
    view.isContiguous = memref::isStaticShapeAndContiguousRowMajor(type);
    // These offsets are relative to the start of the buffer.
    Operation *op = value.getDefiningOp();
    while (isa_and_nonnull<memref::SubViewOp, memref::ExpandShapeOp,
                           memref::CollapseShapeOp, memref::CastOp>(op))
      op = op->getOperand(0).getDefiningOp();
    if (auto alloc = dyn_cast_or_null<memref::AllocOp>(op))
      view.buffer = known.lookup(alloc);
    return view;
  }

  Block &body;
  const BufferFlow &flow;
  int64_t alignment;
  llvm::function_ref<int64_t(Operation *)> position;
  llvm::MapVector<Operation *, Buffer *> known;
};
} // namespace

void pruner::joinParts(MutableArrayRef<Buffer> buffers, Block &body,
                       const BufferFlow &flow, int64_t alignment,
                       llvm::function_ref<int64_t(Operation *)> position) {
  Joiner(buffers, body, flow, alignment, position).run();
}
