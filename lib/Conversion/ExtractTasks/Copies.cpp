//===- Copies.cpp - ops that move tensors ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Copies.h"

#include "pruner/Dialect/Pruner/Utils/DecomposeAggregate.h"
#include "pruner/Dialect/Pruner/Utils/PrefixSlice.h"
#include "pruner/Recognition/Operands.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pruner;

/// The alignment of buffers. A part must begin at a multiple of it.
static constexpr int64_t alignment = 64;

static std::string textOf(RankedTensorType type) {
  return type.getRank() ? pruner::shapeText(type.getShape()) : "a scalar";
}

/// True if `op` can read a slice in place. Ops that stay in the model can, but
/// callees take whole tensors, and reshapes need contiguous memory.
static bool readsSlices(Operation *op) {
  return isa<linalg::LinalgOp, tensor::ConcatOp, tensor::ExtractSliceOp,
             tensor::InsertSliceOp, tensor::PadOp>(op);
}

/// Why a task does not read `slice` in place. A map can contain a constant or
/// add one to a loop, but a loop alone must cover the dimension.
static std::string whyNotInPlace(tensor::ExtractSliceOp slice) {
  if (!slice.getSourceType().hasStaticShape() ||
      ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
      ShapedType::isDynamicShape(slice.getStaticSizes()) ||
      ShapedType::isDynamicShape(slice.getStaticStrides()))
    return "the bounds of the slice are not constant";
  for (Operation *user : slice->getUsers())
    if (!readsSlices(user) && !isa<func::CallOp>(user))
      return ("'" + user->getName().getStringRef() + "' cannot read in place")
          .str();
  for (auto [dim, size, extent, offset, stride] :
       llvm::enumerate(slice.getStaticSizes(), slice.getSourceType().getShape(),
                       slice.getStaticOffsets(), slice.getStaticStrides()))
    if (size != 1 && size != extent &&
        (stride != 1 || extent % size != 0 || offset % size != 0))
      return ("the " + Twine(size) + " of " + Twine(extent) +
              " elements along dimension #" + Twine(dim) +
              " are not one of several equal blocks")
          .str();
  return "run pruner-normalize first, so that the readers read in place";
}

/// True if `value`, possibly extended or reshaped, is a result of the function.
/// It is then computed in the caller's buffer.
static bool isReturned(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isa<func::ReturnOp>(user))
      return true;
    bool goesOn = isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
      goesOn = insert.getDest() == value;
    return goesOn && isReturned(user->getResult(0));
  });
}

/// True if nothing reads `value`, reshaped or not, after `op`.
static bool isReadUntil(Value value, Operation *op) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (user == op)
      return true;
    if (user->getBlock() != op->getBlock() || !user->isBeforeInBlock(op))
      return false;
    return !isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                tensor::ExtractSliceOp>(user) ||
           isReadUntil(user->getResult(0), op);
  });
}

/// Why `part`, which is a contiguous part of the result of `op` at an offset of
/// `offset` elements, is copied instead of computed in place. Empty if it is
/// computed in place: an op computes it, and `op` is its last user.
static std::string whyCopied(Value part, Operation *op, int64_t offset) {
  if (isReturned(op->getResult(0)))
    return "the result is returned by the function";
  auto type = cast<RankedTensorType>(part.getType());
  int64_t bytes = mulSizes(offset, bytesOf(type.clone(ArrayRef<int64_t>{})));
  if (bytes % alignment != 0)
    return ("a part begins at byte " + Twine(bytes) +
            ", which is not a multiple of " + Twine(alignment))
        .str();
  // An operand that occurs twice cannot be computed in both places.
  if (llvm::count(op->getOperands(), part) != 1)
    return "a part occurs twice";
  while (isReadUntil(part, op)) {
    Operation *maker = part.getDefiningOp();
    if (!maker)
      return "a part is an argument of the function";
    // Concatenations may be nested in larger ones.
    if (isa<func::CallOp, linalg::LinalgOp, tensor::ConcatOp,
            tensor::InsertSliceOp>(maker))
      return "";
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(maker))
      return ("a part is computed by '" + maker->getName().getStringRef() + "'")
          .str();
    part = maker->getOperand(0);
  }
  return "a part is read again afterward";
}

Copy pruner::copyOf(tensor::ExtractSliceOp op) {
  if (isPrefixSlice(op) || llvm::all_of(op->getUsers(), readsSlices))
    return {};
  return {mulSizes(2, bytesOf(op.getType())),
          "the op copies " + textOf(op.getType()) + " of " +
              textOf(op.getSourceType()) + "; " + whyNotInPlace(op)};
}

Copy pruner::copyOf(tensor::InsertSliceOp op) {
  RankedTensorType part = op.getSourceType(), whole = op.getDestType();
  bool isContiguous = part.hasStaticShape() && whole.hasStaticShape() &&
                      !ShapedType::isDynamicShape(op.getStaticOffsets());
  bool isInside = false; // Inside a dimension of more than one element.
  int64_t offset = 0;
  for (auto [size, extent, first, stride] :
       llvm::zip_equal(op.getStaticSizes(), whole.getShape(),
                       op.getStaticOffsets(), op.getStaticStrides())) {
    isContiguous &= (size == 1 || stride == 1) && (!isInside || size == extent);
    isInside |= size != 1;
    offset = addSizes(mulSizes(offset, extent), first);
  }
  std::string why = "a part is not contiguous in the result";
  if (isContiguous && boxSize(part.getShape()) != 0)
    why = whyCopied(op.getSource(), op, offset);
  if (why.empty())
    return {};
  return {mulSizes(2, bytesOf(part)), "the op copies " + textOf(part) +
                                          " into a part of " + textOf(whole) +
                                          "; " + why};
}

Copy pruner::copyOf(tensor::ConcatOp op) {
  RankedTensorType whole = op.getResultType();
  auto isStatic = [](Value part) {
    return cast<RankedTensorType>(part.getType()).hasStaticShape();
  };
  bool isContiguous = whole.hasStaticShape() &&
                      llvm::all_of(op.getInputs(), isStatic) &&
                      llvm::all_of(whole.getShape().take_front(op.getDim()),
                                   [](int64_t extent) { return extent == 1; });
  Copy copy;
  int64_t offset = 0;
  unsigned copied = 0;
  std::string first;
  for (Value part : op.getInputs()) {
    auto type = cast<RankedTensorType>(part.getType());
    std::string why = "a part is not contiguous in the result";
    if (isContiguous && boxSize(whole.getShape()) != 0) {
      int64_t elements = boxSize(type.getShape());
      why = elements ? whyCopied(part, op, offset) : "";
      offset = addSizes(offset, elements);
    }
    if (why.empty())
      continue;
    copy.bytes = addSizes(copy.bytes, mulSizes(2, bytesOf(type)));
    if (copied++ == 0)
      first = why;
  }
  if (copied)
    copy.reason = ("the op copies " + Twine(copied) + " of " +
                   Twine(op.getInputs().size()) + " tensors into one of " +
                   textOf(whole) + "; " + first)
                      .str();
  return copy;
}

/// Why `op` is work outside of tasks; none if it is part of a task or no work.
static std::optional<Obstacle> findWork(Operation *op) {
  auto work = [&](StringRef category, const Twine &reason) {
    return Obstacle{op, category.str(), reason.str()};
  };
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    std::optional<Obstacle> why = findObstacle(pad);
    return why ? why : work("padding", "it is not read by a single reduction");
  }
  Copy copy = llvm::TypeSwitch<Operation *, Copy>(op)
                  .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp,
                        tensor::ConcatOp>([](auto op) { return copyOf(op); })
                  .Default([](Operation *) { return Copy(); });
  if (!copy.reason.empty())
    return work("copy", copy.reason);
  if (isAggregate(op)) {
    std::string why = whyNotDecomposed(op);
    return work("whole tensors",
                why.empty()
                    ? "run pruner-normalize first, which rewrites the op "
                      "as loops"
                    : why);
  }
  if (isa<tensor::GenerateOp>(op))
    return work("loop index", "the body reads its loop indices");
  if (!isa_and_nonnull<linalg::LinalgDialect>(op->getDialect()) ||
      isa<linalg::YieldOp, linalg::IndexOp>(op))
    return std::nullopt;
  StringRef name = op->getName().stripDialect();
  return work(name, "tasks do not support linalg." + name +
                        ", expected an op with loops");
}

OpClass pruner::classifyInNetwork(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return classify(linalgOp);
  std::optional<Obstacle> work = findWork(op);
  return work ? OpClass::outside(std::move(*work)) : OpClass();
}
