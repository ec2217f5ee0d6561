//===- PackNibbles.cpp - store two 4-bit integers in a byte ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Utils/MapElements.h"
#include "pruner/Recognition/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_PACKNIBBLESPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// How the readers of a tensor of 4-bit integers extend them.
enum class Extension { None, Signed, Unsigned, Mixed };

static Extension combine(Extension a, Extension b) {
  if (a == Extension::None || a == b)
    return b;
  return b == Extension::None ? a : Extension::Mixed;
}

static bool isNibbleTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() &&
         tensor.getElementType().isSignlessInteger(4);
}

/// Whether rows of whole bytes hold a tensor of this type.
static bool hasWholeBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getRank() > 0 && tensor.getShape().back() % 2 == 0;
}

static RankedTensorType bytesType(RankedTensorType type) {
  SmallVector<int64_t> shape(type.getShape());
  shape.back() /= 2;
  return RankedTensorType::get(shape, IntegerType::get(type.getContext(), 8));
}

static RankedTensorType wordsType(RankedTensorType type) {
  return type.clone(IntegerType::get(type.getContext(), 32));
}

/// The bytes that hold the elements of `constant`, or null if it has another
/// form than lists and blobs of elements.
static TypedAttr packConstant(TypedAttr constant) {
  auto type = cast<RankedTensorType>(constant.getType());
  SmallVector<uint8_t> bytes(type.getNumElements() / 2);
  auto put = [&](int64_t n, uint8_t element) {
    bytes[n / 2] |= uint8_t((element & 15) << (n % 2 * 4));
  };
  if (auto dense = dyn_cast<DenseIntElementsAttr>(constant)) {
    for (auto [n, element] : llvm::enumerate(dense.getValues<APInt>()))
      put(n, uint8_t(element.getZExtValue()));
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    // As in other constants, each element has a byte of its own.
    if (!blob || int64_t(blob->getData().size()) != type.getNumElements())
      return {};
    for (auto [n, element] : llvm::enumerate(blob->getData()))
      put(n, uint8_t(element));
  } else {
    return {};
  }
  return DenseElementsAttr::getFromRawBuffer(
      bytesType(type),
      ArrayRef<char>(reinterpret_cast<char *>(bytes.data()), bytes.size()));
}

/// The halves of `bytes`, along a new last dimension. The shifts are data,
/// because bodies do not have the index of their loop over the halves. They are
/// masked, so that the body is defined for any data.
static Value unpackHalves(OpBuilder &builder, Value bytes, Extension extension,
                          Type element) {
  Location loc = bytes.getLoc();
  Type word = builder.getI32Type();
  bool isSigned = extension == Extension::Signed;
  auto constant = [&](Attribute value) -> Value {
    return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(value));
  };
  Value shifts = constant(DenseElementsAttr::get(
      RankedTensorType::get({2}, word),
      isSigned ? ArrayRef<int32_t>{28, 24} : ArrayRef<int32_t>{0, 4}));
  Value most = constant(builder.getI32IntegerAttr(28));
  Value rest = isSigned ? most : constant(builder.getI32IntegerAttr(15));
  auto type = cast<RankedTensorType>(bytes.getType());
  unsigned rank = type.getRank();
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(2);
  AffineMap all = builder.getMultiDimIdentityMap(rank + 1),
            half = AffineMap::get(rank + 1, 0, builder.getAffineDimExpr(rank));
  return pruner::mapElements(
      builder, loc, RankedTensorType::get(shape, element),
      ValueRange{bytes, shifts}, {all.dropResult(rank), half},
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        Value result;
        Value shift = arith::AndIOp::create(b, loc, arguments[1], most);
        if (isSigned) {
          Value wide = arith::ExtSIOp::create(b, loc, word, arguments[0]);
          wide = arith::ShLIOp::create(b, loc, wide, shift);
          result = arith::ShRSIOp::create(b, loc, wide, rest);
        } else {
          Value wide = arith::ExtUIOp::create(b, loc, word, arguments[0]);
          wide = arith::ShRUIOp::create(b, loc, wide, shift);
          result = arith::AndIOp::create(b, loc, wide, rest);
        }
        if (element != word)
          result = arith::TruncIOp::create(b, loc, element, result);
        return result;
      });
}

namespace {
/// The low or high halves of all bytes of a tensor.
struct Half {
  Value bytes;
  bool high;
};
} // namespace

/// The number that `value` is in the body of `op`: a constant, or an element of
/// a constant input whose elements are equal.
static std::optional<APInt> knownNumber(linalg::GenericOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner() == op.getBody()) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    DenseIntElementsAttr elements;
    if (op.isDpsInput(operand) &&
        matchPattern(operand->get(), m_Constant(&elements)) &&
        elements.isSplat())
      return elements.getSplatValue<APInt>();
    return std::nullopt;
  }
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number;
}

/// The tensor of bytes that an elementwise `OpTy` combines with `number`, or
/// null.
template <typename OpTy>
static Value matchBytesWith(Value value, unsigned number) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || !op.hasPureTensorSemantics() || op.getNumDpsInputs() == 0 ||
      op->getNumResults() != 1 || op.hasDynamicShape() ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getIndexingMapsArray().front().isIdentity() ||
      !op.getIndexingMapsArray().back().isIdentity())
    return {};
  auto inner =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp<OpTy>();
  if (!inner || !inner.getType().isInteger(8) ||
      inner.getLhs() != op.getBody()->getArgument(0))
    return {};
  std::optional<APInt> found = knownNumber(op, inner.getRhs());
  return found && *found == number ? op.getDpsInputOperand(0)->get() : Value();
}

/// Matches bytes that are masked by 15 or shifted right by 4. Bytes that are
/// shifted left before have their low halves.
static std::optional<Half> matchHalf(Value value) {
  if (Value bytes = matchBytesWith<arith::AndIOp>(value, 15))
    return Half{bytes, /*high=*/false};
  Value shifted = matchBytesWith<arith::ShRUIOp>(value, 4);
  if (!shifted)
    return std::nullopt;
  if (Value bytes = matchBytesWith<arith::ShLIOp>(shifted, 4))
    return Half{bytes, /*high=*/false};
  return Half{shifted, /*high=*/true};
}

/// The bytes whose low and high halves `concat` stacks along a new last
/// dimension, or null.
static Value matchStackedHalves(tensor::ConcatOp concat) {
  auto type = concat.getResultType();
  if (concat.getInputs().size() != 2 || type.getRank() < 2 ||
      int64_t(concat.getDim()) != type.getRank() - 1)
    return {};
  Value bytes;
  for (auto [high, input] : llvm::enumerate(concat.getInputs())) {
    auto expand = input.getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || expand.getResultType().getShape().back() != 1 ||
        expand.getSrcType().getShape() !=
            expand.getResultType().getShape().drop_back())
      return {};
    std::optional<Half> half = matchHalf(expand.getSrc());
    if (!half || half->high != bool(high) || (bytes && half->bytes != bytes))
      return {};
    bytes = half->bytes;
  }
  return bytes;
}

namespace {
class NibblePacker {
public:
  /// `packsArguments`: whether nothing in the module depends on the types of
  /// the function's arguments.
  NibblePacker(func::FuncOp func, bool packsArguments)
      : func(func), packsArguments(packsArguments),
        rewriter(func.getContext()) {}

  unsigned run() {
    unsigned packed = 0;
    bool anyArgument = false;
    if (packsArguments)
      for (BlockArgument argument : func.getArguments()) {
        Extension extension = extensionOf(argument);
        if (!isPackable(argument, extension))
          continue;
        auto type = cast<RankedTensorType>(argument.getType());
        argument.setType(bytesType(type));
        rewriter.setInsertionPointToStart(&func.getBody().front());
        spreadBytes(argument, type, argument, extension);
        anyArgument = true;
        ++packed;
      }
    if (anyArgument)
      func.setType(rewriter.getFunctionType(func.getBody().getArgumentTypes(),
                                            func.getResultTypes()));
    SmallVector<arith::ConstantOp> constants;
    func.walk([&](arith::ConstantOp op) { constants.push_back(op); });
    for (arith::ConstantOp op : constants) {
      Extension extension = extensionOf(op);
      if (!isPackable(op, extension))
        continue;
      TypedAttr bytes = packConstant(op.getValue());
      if (!bytes)
        continue;
      rewriter.setInsertionPointAfter(op);
      auto type = cast<RankedTensorType>(op.getType());
      Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), bytes);
      spreadBytes(op, type, constant, extension);
      eraseUnused();
      rewriter.eraseOp(op);
      ++packed;
    }
    eraseUnused();
    return packed;
  }

private:
  static bool isPackable(Value value, Extension extension) {
    return isNibbleTensor(value.getType()) && hasWholeBytes(value.getType()) &&
           (extension == Extension::Signed || extension == Extension::Unsigned);
  }

  /// How all readers of `value` extend its elements. `Mixed` also if one does
  /// something else.
  static Extension extensionOf(Value value) {
    if (!isNibbleTensor(value.getType()))
      return Extension::None;
    Extension found = Extension::None;
    for (OpOperand &use : value.getUses())
      found = combine(found, extensionOf(use));
    return found;
  }

  static Extension extensionOf(OpOperand &use) {
    Operation *reader = use.getOwner();
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(reader))
      return extensionOf(reader->getResult(0));
    auto generic = dyn_cast<linalg::GenericOp>(reader);
    if (!generic || !generic.hasPureTensorSemantics() ||
        !generic.isDpsInput(&use))
      return Extension::Mixed;
    Extension found = Extension::None;
    for (OpOperand &inner : generic.getMatchingBlockArgument(&use).getUses()) {
      Operation *op = inner.getOwner();
      if (isa<arith::ExtSIOp, arith::SIToFPOp>(op))
        found = combine(found, Extension::Signed);
      else if (isa<arith::ExtUIOp, arith::UIToFPOp>(op))
        found = combine(found, Extension::Unsigned);
      else if (isa<linalg::YieldOp>(op) && pruner::isPureCopy(generic) &&
               generic->getNumResults() == 1)
        found = combine(found, extensionOf(generic->getResult(0)));
      else
        return Extension::Mixed;
    }
    return found;
  }

  /// Lets the readers of `old`, of the given type, read `bytes`. Reshapes that
  /// keep whole bytes in their rows apply to the bytes.
  void spreadBytes(Value old, RankedTensorType type, Value bytes,
                   Extension extension) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : old.getUses())
      if (use.getOwner() != bytes.getDefiningOp())
        uses.push_back(&use);
    Value words;
    for (OpOperand *use : uses) {
      Operation *reader = use->getOwner();
      OpBuilder::InsertionGuard guard(rewriter);
      if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(reader) &&
          hasWholeBytes(reader->getResult(0).getType())) {
        auto result = cast<RankedTensorType>(reader->getResult(0).getType());
        rewriter.setInsertionPoint(reader);
        Value shaped = reshapeLike(reader, bytes, bytesType(result));
        spreadBytes(reader->getResult(0), result, shaped, extension);
        unused.push_back(reader);
        continue;
      }
      if (!words)
        words = unpack(bytes, type, extension);
      spreadWords(*use, words);
    }
  }

  Value reshapeLike(Operation *reshape, Value source, RankedTensorType type) {
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape))
      return tensor::ExpandShapeOp::create(rewriter, reshape->getLoc(), type,
                                           source,
                                           expand.getReassociationIndices());
    return tensor::CollapseShapeOp::create(
        rewriter, reshape->getLoc(), type, source,
        cast<tensor::CollapseShapeOp>(reshape).getReassociationIndices());
  }

  /// Elements of `type` as 32-bit integers.
  Value unpack(Value bytes, RankedTensorType type, Extension extension) {
    Value halves =
        unpackHalves(rewriter, bytes, extension, rewriter.getI32Type());
    unsigned rank = type.getRank();
    SmallVector<ReassociationIndices> groups;
    for (unsigned d = 0; d < rank; ++d)
      groups.push_back({d});
    groups.back().push_back(rank);
    return tensor::CollapseShapeOp::create(rewriter, bytes.getLoc(),
                                           wordsType(type), halves, groups);
  }

  /// Lets `use` read `words`, which are its elements extended to 32 bits.
  void spreadWords(OpOperand &use, Value words) {
    Operation *reader = use.getOwner();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(reader);
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(reader)) {
      Value result = reader->getResult(0);
      Value shaped = reshapeLike(
          reader, words, wordsType(cast<RankedTensorType>(result.getType())));
      for (OpOperand &next : llvm::make_early_inc_range(result.getUses()))
        spreadWords(next, shaped);
      unused.push_back(reader);
      return;
    }
    auto generic = cast<linalg::GenericOp>(reader);
    BlockArgument element = generic.getMatchingBlockArgument(&use);
    use.set(words);
    element.setType(rewriter.getI32Type());
    for (Operation *cast : llvm::to_vector(element.getUsers()))
      if (!isa<linalg::YieldOp>(cast))
        replaceCast(cast, element);
    if (!isNibbleTensor(generic->getResult(0).getType()))
      return;
    // A copy in another order.
    Value result = generic->getResult(0);
    auto type = wordsType(::cast<RankedTensorType>(result.getType()));
    Value empty = tensor::EmptyOp::create(
        rewriter, generic.getLoc(), type.getShape(), type.getElementType());
    generic.getDpsInitOperand(0)->set(empty);
    generic.getBody()->getArguments().back().setType(rewriter.getI32Type());
    result.setType(type);
    for (OpOperand &next : llvm::make_early_inc_range(result.getUses()))
      spreadWords(next, result);
  }

  void replaceCast(Operation *op, Value word) {
    Type type = op->getResult(0).getType();
    Location loc = op->getLoc();
    rewriter.setInsertionPoint(op);
    Value result = word;
    unsigned width = type.getIntOrFloatBitWidth();
    // An unsigned number of 4 bits is also a signed one of 32.
    if (isa<FloatType>(type))
      result = arith::SIToFPOp::create(rewriter, loc, type, word);
    else if (width > 32)
      result = arith::ExtSIOp::create(rewriter, loc, type, word);
    else if (width < 32)
      result = arith::TruncIOp::create(rewriter, loc, type, word);
    rewriter.replaceOp(op, result);
  }

  void eraseUnused() {
    for (Operation *op : unused)
      rewriter.eraseOp(op);
    unused.clear();
  }

  func::FuncOp func;
  bool packsArguments;
  IRRewriter rewriter;
  /// Reshapes of 4-bit integers, each after those that read its result.
  SmallVector<Operation *> unused;
};

struct PackNibbles : pruner::impl::PackNibblesPassBase<PackNibbles> {
  void runOnOperation() override {
    llvm::DenseSet<StringAttr> called;
    getOperation().walk([&](func::CallOp call) {
      called.insert(call.getCalleeAttr().getAttr());
    });
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && !pruner::isTask(function))
        pack(function,
             function.isPublic() && !called.contains(function.getNameAttr()));
  }

  void pack(func::FuncOp function, bool packsArguments) {
    numPacked += NibblePacker(function, packsArguments).run();
    SmallVector<tensor::ConcatOp> concats;
    function.walk([&](tensor::ConcatOp op) { concats.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (tensor::ConcatOp op : concats)
      if (Value bytes = matchStackedHalves(op)) {
        rewriter.setInsertionPoint(op);
        rewriter.replaceOp(op,
                           unpackHalves(rewriter, bytes, Extension::Unsigned,
                                        op.getResultType().getElementType()));
        ++numUnstacked;
      }
  }
};
} // namespace
