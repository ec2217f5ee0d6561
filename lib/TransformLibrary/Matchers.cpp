//===- Matchers.cpp - finding the ops of tasks ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Matchers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgMatchOps.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"

using namespace mlir;
using namespace pruner;

namespace {

/// Writes the conditions on one op into a matcher.
class Conditions {
public:
  Conditions(Steps &steps, Bodies &bodies, Value op, linalg::LinalgOp like)
      : steps(steps), bodies(bodies), builder(steps.builder), loc(steps.loc),
        op(op), like(like) {}

  /// Handles of the ops that make `inputs`.
  SmallVector<Value> write(ArrayRef<unsigned> inputs);

private:
  void equal(Value found, ArrayRef<int64_t> wanted) {
    transform::MatchParamCmpIOp::create(builder, loc, found,
                                        steps.constants(wanted),
                                        transform::MatchCmpIPredicate::eq);
  }
  void extents(Value inside);
  void iterators(Value inside);
  void widths(Value inside);
  void window(Value inside);
  void body(Value inside);

  Steps &steps;
  Bodies &bodies;
  OpBuilder &builder;
  const Location loc;
  Value op;
  linalg::LinalgOp like;
};

} // namespace

void Conditions::extents(Value inside) {
  Value found = transform::MatchStructuredDimOp::create(
                    builder, loc, steps.param(), inside, ArrayRef<int64_t>(),
                    /*is_inverted=*/false, /*is_all=*/true)
                    .getResult();
  equal(found, like.getStaticLoopRanges());
}

void Conditions::iterators(Value inside) {
  SmallVector<int64_t> parallels, reductions;
  for (auto [loop, kind] : llvm::enumerate(like.getIteratorTypesArray()))
    (kind == utils::IteratorType::reduction ? reductions : parallels)
        .push_back(int64_t(loop));
  for (bool reduction : {false, true})
    if (auto &loops = reduction ? reductions : parallels; !loops.empty())
      transform::MatchStructuredDimOp::create(
          builder, loc, Type(), inside, loops, /*is_inverted=*/false,
          /*is_all=*/false, !reduction, reduction);
}

void Conditions::widths(Value inside) {
  auto count = transform::MatchStructuredNumInputsOp::create(
      builder, loc, steps.param(), inside);
  equal(count, {like.getNumDpsInputs()});
  Type anyValue = transform::AnyValueType::get(builder.getContext());
  auto check = [&](Value value, Value like) {
    Type element = getElementTypeOrSelf(like.getType());
    if (!element.isIntOrFloat())
      return;
    Value width = transform::MatchStructuredElementalBitwidthOp::create(
        builder, loc, steps.param(), value);
    equal(width, {element.getIntOrFloatBitWidth()});
  };
  for (OpOperand *input : like.getDpsInputOperands())
    if (isa<RankedTensorType>(input->get().getType()))
      check(transform::MatchStructuredInputOp::create(
                builder, loc, anyValue, inside,
                ArrayRef<int64_t>{input->getOperandNumber()})
                .getResult(),
            input->get());
  check(transform::MatchStructuredInitOp::create(builder, loc, anyValue, inside,
                                                 ArrayRef<int64_t>{0})
            .getResult(),
        like.getDpsInitOperand(0)->get());
}

/// Strides and dilations, which extents do not show.
void Conditions::window(Value inside) {
  auto dims = linalg::inferConvolutionDims(like);
  if (failed(dims))
    return;
  SmallVector<Type> types(8, steps.param());
  auto found = transform::MatchStructuredClassifyConvolutionDimsOp::create(
      builder, loc, types, inside);
  equal(found.getStrides(), dims->strides);
  equal(found.getDilations(), dims->dilations);
}

void Conditions::body(Value inside) {
  auto create = [&](IntegerAttr reduced, bool elementwise,
                    ArrayAttr contraction) {
    transform::MatchStructuredBodyOp::create(builder, loc, inside, reduced,
                                             /*passthrough=*/false, elementwise,
                                             contraction);
  };
  using Pair = function_ref<bool(Operation *, Operation *)>;
  auto isSum = [&](Pair pair) {
    return like.getNumDpsInputs() == 2 &&
           linalg::detail::isContractionBody(*like.getBlock(), pair);
  };
  if (isSum([](Operation *a, Operation *b) {
        return isa<arith::MulFOp>(a) && isa<arith::AddFOp>(b);
      }))
    create({}, false, steps.names({"arith.mulf", "arith.addf"}));
  else if (isSum([](Operation *a, Operation *b) {
             return isa<arith::MulIOp>(a) && isa<arith::AddIOp>(b);
           }))
    create({}, false, steps.names({"arith.muli", "arith.addi"}));
  else if (linalg::isElementwise(like))
    create({}, true, {});
}

SmallVector<Value> Conditions::write(ArrayRef<unsigned> inputs) {
  transform::MatchOperationNameOp::create(
      builder, loc, op, steps.names({like->getName().getStringRef()}));
  SmallVector<Type> types(inputs.size(), steps.anyOp());
  auto match = transform::MatchStructuredOp::create(
      builder, loc, types, op,
      transform::FailurePropagationModeAttr::get(
          builder.getContext(), transform::FailurePropagationMode::Propagate));
  bodies.match(op, like);
  OpBuilder::InsertionGuard guard(builder);
  Block *block =
      builder.createBlock(&match.getBodyRegion(), {}, {steps.anyOp()}, {loc});
  Value inside = block->getArgument(0);
  extents(inside);
  iterators(inside);
  widths(inside);
  window(inside);
  body(inside);
  SmallVector<Value> makers;
  for (unsigned input : inputs)
    makers.push_back(
        transform::MatchStructuredInputOp::create(
            builder, loc, steps.anyOp(), inside, ArrayRef<int64_t>{input})
            .getResult());
  transform::MatchStructuredYieldOp::create(builder, loc, makers);
  return llvm::to_vector(ValueRange(match.getOutputs()));
}

transform::NamedSequenceOp pruner::makeMatcher(Steps &steps, Bodies &bodies,
                                               StringRef name,
                                               const Site &site) {
  unsigned links = site.chain.size();
  return makeSequence(
      steps, name, 1, 1 + links, /*consumes=*/false, [&](ValueRange arguments) {
        SmallVector<Value> found(1 + links);
        Value op = arguments[0];
        for (unsigned n = links; n-- > 0;) {
          const Link &link = site.chain[n];
          found[1 + n] = op;
          SmallVector<unsigned> inputs = {link.input};
          llvm::append_range(inputs, link.spread);
          auto like = cast<linalg::LinalgOp>(*link.op);
          SmallVector<Value> makers =
              Conditions(steps, bodies, op, like).write(inputs);
          for (auto [input, maker] :
               llvm::zip(link.spread, ArrayRef(makers).drop_front()))
            Conditions(steps, bodies, maker,
                       like.getDpsInputOperand(input)
                           ->get()
                           .getDefiningOp<linalg::LinalgOp>())
                .write({});
          op = makers.front();
        }
        Conditions conditions(steps, bodies, op, site.anchor);
        linalg::LinalgOp anchor = site.anchor;
        for (auto [maker, input] : llvm::zip_equal(
                 conditions.write(site.transposed), site.transposed)) {
          auto like =
              anchor->getOperand(input).getDefiningOp<linalg::LinalgOp>();
          transform::MatchOperationNameOp::create(
              steps.builder, steps.loc, maker,
              steps.names({like->getName().getStringRef()}));
          bodies.match(maker, like);
        }
        found[0] = op;
        return found;
      });
}
