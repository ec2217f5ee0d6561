//===- IndexBuilder.cpp - index arithmetic without duplicates -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/IndexBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pruner;

/// True if `value` is defined in `block` or in a surrounding block.
static bool isDefinedAround(Block *block, Value value) {
  Block *defined = value.getParentBlock();
  while (block && block != defined) {
    Operation *parent = block->getParentOp();
    block = parent ? parent->getBlock() : nullptr;
  }
  return block;
}

static unsigned depthOf(Value value) {
  unsigned depth = 0;
  for (Operation *op = value.getParentBlock()->getParentOp(); op;
       op = op->getParentOp())
    ++depth;
  return depth;
}

void IndexBuilder::hoistTo() { root = constant(0).getDefiningOp(); }

Value IndexBuilder::constant(int64_t value) {
  Value &known = constants[value];
  if (known && isDefinedAround(builder.getInsertionBlock(), known))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  if (root)
    builder.setInsertionPoint(root);
  return known = arith::ConstantIndexOp::create(builder, loc, value);
}

Value IndexBuilder::value(const IndexForm &form) {
  SmallVector<IndexTerm> terms(form.getTerms());
  llvm::erase_if(terms, [](const IndexTerm &term) {
    return term.coeff == 0 || term.trips == 1;
  });
  if (root)
    llvm::stable_sort(terms, [](const IndexTerm &a, const IndexTerm &b) {
      return depthOf(a.index) < depthOf(b.index);
    });
  Value sum;
  for (const IndexTerm &term : terms) {
    Value part = term.index;
    if (term.coeff != 1)
      part = mul(part, constant(term.coeff));
    sum = sum ? add(sum, part) : part;
  }
  if (!sum)
    return constant(form.getConstant());
  return form.getConstant() == 0 ? sum : add(sum, constant(form.getConstant()));
}

Value IndexBuilder::within(Value inside, const IndexForm &first,
                           const IndexForm &last, int64_t extent) {
  auto require = [&](arith::CmpIPredicate predicate, const IndexForm &position,
                     int64_t bound) {
    inside = both(inside, compare(predicate, value(position), constant(bound)));
  };
  if (first.mayBeNegative())
    require(arith::CmpIPredicate::sge, first, 0);
  if (last.mayReach(extent))
    require(arith::CmpIPredicate::slt, last, extent);
  return inside;
}

/// The value from folding or from an earlier call, or null.
Value IndexBuilder::find(const Key &key) {
  auto [kind, a, b, extra] = key;
  auto is = [kind = kind](auto op) {
    return kind == TypeID::get<decltype(op)>();
  };
  std::optional<int64_t> left = getConstantIntValue(a),
                         right = getConstantIntValue(b);
  if (left && right) {
    int64_t x = *left, y = *right;
    if (is(arith::AddIOp()))
      return constant(x + y);
    if (is(arith::SubIOp()))
      return constant(x - y);
    if (is(arith::MulIOp()))
      return constant(x * y);
    if (is(arith::MinSIOp()))
      return constant(std::min(x, y));
    if (is(arith::MaxSIOp()))
      return constant(std::max(x, y));
    if (x >= 0 && y > 0) {
      if (is(arith::DivUIOp()) || is(arith::DivSIOp()))
        return constant(x / y);
      if (is(arith::RemUIOp()))
        return constant(x % y);
    }
  }
  if (right == 0 && (is(arith::AddIOp()) || is(arith::SubIOp())))
    return a;
  if (right == 1 &&
      (is(arith::MulIOp()) || is(arith::DivUIOp()) || is(arith::DivSIOp())))
    return a;
  if (right == 1 && is(arith::RemUIOp()))
    return constant(0);
  Value known = values.lookup(key);
  return known && isDefinedAround(builder.getInsertionBlock(), known) ? known
                                                                      : Value();
}

Value IndexBuilder::remember(const Key &key, Value result) {
  return values[key] = result;
}

/// Moves the insertion point out of loops that contain no operand. Moves out of
/// a branch only together with a surrounding loop, so that values used on one
/// side are not computed for the other.
void IndexBuilder::moveOut(ValueRange operands) {
  if (!root)
    return;
  Operation *target = nullptr;
  for (Block *block = builder.getInsertionBlock(); llvm::none_of(
           operands, [&](Value v) { return v.getParentBlock() == block; });) {
    Operation *parent = block->getParentOp();
    if (!isa_and_present<scf::ForOp, scf::IfOp>(parent))
      break;
    if (isa<scf::ForOp>(parent))
      target = parent;
    block = parent->getBlock();
  }
  if (target)
    builder.setInsertionPoint(target);
}
