//===- Comparison.cpp - setp, selp, slct ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HalfFloat.h"
#include "Lanes.h"

#include <cmath>

using namespace pruner::ptx;

namespace {

enum class Relation { Eq, Ne, Lt, Le, Gt, Ge, Num, Nan };

/// Comparisons with NaN are false, or true for unordered ones.
template <Relation R, bool Unordered> struct Compare {
  template <class T> static bool apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      bool nan = std::isnan(a) || std::isnan(b);
      if (R == Relation::Num || R == Relation::Nan)
        return nan == (R == Relation::Nan);
      if (nan)
        return Unordered;
    }
    switch (R) {
    case Relation::Eq:
      return a == b;
    case Relation::Ne:
      return a != b;
    case Relation::Lt:
      return a < b;
    case Relation::Le:
      return a <= b;
    case Relation::Gt:
      return a > b;
    default:
      return a >= b;
    }
  }
};
template <class Format, class C> struct HalfCompare {
  static bool apply(uint16_t a, uint16_t b) {
    return C::apply(Format::decode(a), Format::decode(b));
  }
};

} // namespace

template <class C> static Execute compareTypes(Type type) {
  if (type.isPacked)
    return nullptr;
  if (type.kind == TypeClass::BFloat)
    return lanewise<HalfCompare<BFloat, C>, bool, uint16_t, uint16_t>;
  if (type.isFloat())
    return type.bits == 16
               ? lanewise<HalfCompare<Half, C>, bool, uint16_t, uint16_t>
           : type.bits == 32 ? lanewise<C, bool, float, float>
                             : lanewise<C, bool, double, double>;
  return forInteger(type, [](auto tag) -> Execute {
    using T = typename decltype(tag)::type;
    return lanewise<C, bool, T, T>;
  });
}

namespace {

enum class Combination : uint64_t { And, Or, Xor };

} // namespace

static Execute findComparison(llvm::StringRef name, Type type) {
  bool isUnsigned =
      type.kind == TypeClass::Unsigned || type.kind == TypeClass::Bits;
  // lo, ls, hi and hs compare unsigned integers.
  if (isUnsigned)
    name = name == "lo"   ? "lt"
           : name == "ls" ? "le"
           : name == "hi" ? "gt"
           : name == "hs" ? "ge"
                          : name;
  if (type.kind == TypeClass::Bits && name != "eq" && name != "ne")
    return nullptr;
  using R = Relation;
  struct Named {
    llvm::StringRef name;
    Execute (*ordered)(Type), (*unordered)(Type);
  };
#define PRUNER_PTX_COMPARISON(NAME, R)                                         \
  {                                                                            \
    NAME, compareTypes<Compare<R, false>>, compareTypes<Compare<R, true>>      \
  }
  static const Named table[] = {
      PRUNER_PTX_COMPARISON("eq", R::Eq),
      PRUNER_PTX_COMPARISON("ne", R::Ne),
      PRUNER_PTX_COMPARISON("lt", R::Lt),
      PRUNER_PTX_COMPARISON("le", R::Le),
      PRUNER_PTX_COMPARISON("gt", R::Gt),
      PRUNER_PTX_COMPARISON("ge", R::Ge),
      PRUNER_PTX_COMPARISON("num", R::Num),
      PRUNER_PTX_COMPARISON("nan", R::Nan),
  };
#undef PRUNER_PTX_COMPARISON
  for (const Named &entry : table) {
    bool isNan = entry.name.starts_with("n") && entry.name != "ne";
    if (entry.name == name && (type.isFloat() || !isNan))
      return entry.ordered(type);
    if (type.isFloat() && !isNan && name.size() == 3 &&
        name.drop_back() == entry.name && name.back() == 'u')
      return entry.unordered(type);
  }
  return nullptr;
}

/// Combines the result of a comparison with a predicate, which may be the
/// register of the result.
static void compareAndCombine(Warp &warp, const Op &op, uint32_t active) {
  uint32_t with = warp.mask(warp.source(op, 2));
  if (op.isNegated)
    with = ~with;
  reinterpret_cast<Execute>(op.immediate2)(warp, op, active);
  uint32_t &result = warp.mask(warp.result(op));
  uint32_t combined = result;
  switch (Combination(op.immediate)) {
  case Combination::And:
    combined &= with;
    break;
  case Combination::Or:
    combined |= with;
    break;
  case Combination::Xor:
    combined ^= with;
    break;
  }
  result = (result & ~active) | (combined & active);
}

static void decodeSetp(Decoder &d) {
  llvm::StringRef relation =
      d.takeOne({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs",
                 "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  llvm::StringRef with = d.takeOne({"and", "or", "xor"});
  bool flush = d.take("ftz");
  Type type = d.type();
  Execute comparison = findComparison(relation, type);
  if (!comparison || flush)
    return d.unsupportedType(type);
  d.op.execute = comparison;
  const Operand *to = d.peek();
  if (to && to->kind == Operand::Pair)
    return d.fail("two results are not supported");
  d.result(kPred);
  d.source(type);
  d.source(type);
  if (with.empty())
    return;
  d.op.immediate = uint64_t(with == "and"  ? Combination::And
                            : with == "or" ? Combination::Or
                                           : Combination::Xor);
  d.op.immediate2 = reinterpret_cast<uint64_t>(comparison);
  d.op.execute = compareAndCombine;
  d.op.isNegated = d.takeNegation();
  d.source(kPred);
}

/// A lane of the result is defined if its predicate and the chosen value are.
template <class T>
static void select(Warp &warp, const Op &op, uint32_t active) {
  using A = typename Aliased<T>::type;
  A *result = warp.lanes<A>(warp.result(op));
  Slot a = warp.source(op, 0), b = warp.source(op, 1), p = warp.source(op, 2);
  const A *first = warp.lanes<A>(a), *second = warp.lanes<A>(b);
  uint32_t mask = warp.mask(p);
  uint32_t known = warp.definedLanes(p) & ((warp.definedLanes(a) & mask) |
                                           (warp.definedLanes(b) & ~mask));
  uint8_t bytes[kWarpSize];
  uint32_t unknown = active & ~known;
  forLanes(unknown & warp.definedLanes(p), [&](unsigned lane) {
    bytes[lane] = warp.definedBytes(mask >> lane & 1 ? a : b, lane);
  });
  forLanes(active, [&](unsigned lane) {
    result[lane] = mask >> lane & 1 ? first[lane] : second[lane];
  });
  warp.define(warp.result(op), active, known);
  forLanes(unknown & warp.definedLanes(p), [&](unsigned lane) {
    warp.defineBytes(warp.result(op), lane, bytes[lane]);
  });
}

static void decodeSelp(Decoder &d) {
  Type type = d.type();
  d.op.execute = type.bits == 16   ? select<uint16_t>
                 : type.bits == 32 ? select<uint32_t>
                 : type.bits == 64 ? select<uint64_t>
                                   : nullptr;
  if (!d.op.execute)
    return d.unsupportedType(type);
  d.op.tracksDefined = true;
  d.result(type);
  d.source(type);
  d.source(type);
  d.source(kPred);
}

namespace {
struct SelectBySign {
  template <class T, class C> static T apply(T a, T b, C c) {
    return c >= 0 ? a : b; // NaN selects b.
  }
};
} // namespace

static void decodeSlct(Decoder &d) {
  Type type = d.type(), by = d.type();
  bool byFloat = by.isFloat() && by.bits == 32;
  if ((type.bits != 32 && type.bits != 64) || type.isPacked ||
      (!byFloat && !(by.isSigned() && by.bits == 32)))
    return d.unsupportedType(by);
  if (type.bits == 32)
    d.op.execute =
        byFloat ? lanewise<SelectBySign, uint32_t, uint32_t, uint32_t, float>
                : lanewise<SelectBySign, uint32_t, uint32_t, uint32_t, int32_t>;
  else
    d.op.execute =
        byFloat ? lanewise<SelectBySign, uint64_t, uint64_t, uint64_t, float>
                : lanewise<SelectBySign, uint64_t, uint64_t, uint64_t, int32_t>;
  d.result(type);
  d.source(type);
  d.source(type);
  d.source(by);
}

llvm::ArrayRef<InstructionClass> pruner::ptx::comparisonInstructions() {
  static const InstructionClass list[] = {
      {"setp", decodeSetp}, {"selp", decodeSelp}, {"slct", decodeSlct}};
  return list;
}
