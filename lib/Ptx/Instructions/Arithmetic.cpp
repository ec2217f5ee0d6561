//===- Arithmetic.cpp - sums, products, minima ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f32 and f64 follow IEEE 754, rounded to nearest. `add.f32` without a rounding
// mode may be fused with a product by an assembler; here it is not.
//
//===----------------------------------------------------------------------===//

#include "FloatFunctions.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pruner::ptx;

namespace {

struct Add {
  template <class T> static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a + b;
    else
      return T(Wrapping<T>(a) + Wrapping<T>(b));
  }
};
struct Sub {
  template <class T> static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a - b;
    else
      return T(Wrapping<T>(a) - Wrapping<T>(b));
  }
};
struct Mul {
  template <class T> static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a * b;
    else
      return T(Wrapping<T>(a) * Wrapping<T>(b));
  }
};
struct Mad {
  template <class T> static T apply(T a, T b, T c) {
    return Add::apply(Mul::apply(a, b), c);
  }
};
struct AddSaturated {
  static int32_t apply(int32_t a, int32_t b) {
    return int32_t(std::clamp<int64_t>(int64_t(a) + b, INT32_MIN, INT32_MAX));
  }
};
struct SubSaturated {
  static int32_t apply(int32_t a, int32_t b) {
    return int32_t(std::clamp<int64_t>(int64_t(a) - b, INT32_MIN, INT32_MAX));
  }
};

template <class T> struct Widened;
template <> struct Widened<int16_t> {
  using type = int32_t;
};
template <> struct Widened<uint16_t> {
  using type = uint32_t;
};
template <> struct Widened<int32_t> {
  using type = int64_t;
};
template <> struct Widened<uint32_t> {
  using type = uint64_t;
};
template <> struct Widened<int64_t> {
  using type = __int128;
};
template <> struct Widened<uint64_t> {
  using type = unsigned __int128;
};

struct MulHigh {
  template <class T> static T apply(T a, T b) {
    using W = typename Widened<T>::type;
    return T((W(a) * W(b)) >> (8 * sizeof(T)));
  }
};
struct MadHigh {
  template <class T> static T apply(T a, T b, T c) {
    return Add::apply(MulHigh::apply(a, b), c);
  }
};
template <class W> struct MulWide {
  template <class T> static W apply(T a, T b) { return W(a) * W(b); }
};
template <class W> struct MadWide {
  template <class T> static W apply(T a, T b, W c) {
    return Add::apply(W(W(a) * W(b)), c);
  }
};

/// Division by zero has a result that depends on the machine. This one is that
/// of current hardware for unsigned numbers.
struct Div {
  template <class T> static T apply(T a, T b) {
    if (b == 0)
      return T(-1);
    if constexpr (std::is_signed_v<T>)
      if (b == T(-1))
        return T(-Wrapping<T>(a));
    return T(a / b);
  }
};
struct Rem {
  template <class T> static T apply(T a, T b) {
    if (b == 0)
      return a;
    if constexpr (std::is_signed_v<T>)
      if (b == T(-1))
        return 0;
    return T(a % b);
  }
};
struct Neg {
  template <class T> static T apply(T a) {
    if constexpr (std::is_floating_point_v<T>)
      return -a;
    else
      return T(-Wrapping<T>(a));
  }
};
struct Abs {
  template <class T> static T apply(T a) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fabs(a);
    else
      return std::is_signed_v<T> && a < 0 ? Neg::apply(a) : a;
  }
};
struct CopySign {
  /// The sign of a, the magnitude of b.
  template <class T> static T apply(T a, T b) { return std::copysign(b, a); }
};

/// The smaller or the larger operand. Without PropagateNaN, a NaN loses against
/// a number. -0 is below +0.
template <bool Larger, bool PropagateNaN> struct Extremum {
  template <class T> static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a) || std::isnan(b)) {
        if (PropagateNaN || (std::isnan(a) && std::isnan(b)))
          return std::numeric_limits<T>::quiet_NaN();
        return std::isnan(a) ? b : a;
      }
      if (a == b)
        return std::signbit(a) != Larger ? a : b;
    }
    return (a < b) != Larger ? a : b;
  }
};
template <bool PropagateNaN> using Min = Extremum<false, PropagateNaN>;
template <bool PropagateNaN> using Max = Extremum<true, PropagateNaN>;

struct Fma {
  template <class T> static T apply(T a, T b, T c) { return std::fma(a, b, c); }
};

/// Functions of f16 and bf16, with double for their operands.
struct HalfAdd {
  static double apply(double a, double b) { return addToOdd(a, b); }
};
struct HalfSub {
  static double apply(double a, double b) { return addToOdd(a, -b); }
};
struct HalfMul { // Exact.
  static double apply(double a, double b) { return a * b; }
};
struct HalfFma {
  static double apply(double a, double b, double c) {
    return addToOdd(a * b, c);
  }
};
template <class F> struct HalfRelu {
  template <class... T> static double apply(T... a) {
    double value = F::apply(a...);
    return std::isnan(value) ? value : std::max(value, 0.0);
  }
};

struct HalfNeg {
  static uint16_t apply(uint16_t a) { return a ^ 0x8000; }
};
struct HalfAbs {
  static uint16_t apply(uint16_t a) { return a & 0x7fff; }
};

} // namespace

/// A function that only changes the sign, also of a NaN.
template <class F, unsigned N>
static Execute signFunction(Type type, bool flush) {
  return type.bits == 64 ? sameTypes<F, N, double>()
         : flush         ? sameTypes<Flushed<F>, N, float>()
                         : sameTypes<F, N, float>();
}

static bool isHalf(Type type) {
  return type.isFloat() && (type.bits == 16 || type.isPacked);
}

static Pipe pipeOf(Type type, Pipe ofIntegers) {
  if (!type.isFloat())
    return ofIntegers;
  return isHalf(type) ? Pipe::Half : type.bits == 64 ? Pipe::Fp64 : Pipe::Fma;
}

static void finish(Decoder &d, Execute execute, Type type, unsigned sources) {
  if (!execute)
    return d.unsupportedType(type);
  d.op.execute = execute;
  if (type.isPacked)
    d.op.byteFlow = ByteFlow::Halves;
  d.result(type);
  for (unsigned n = 0; n != sources; ++n)
    d.source(type);
}

namespace {

/// F for f32 whose first operands are of a half format: the factors of a fused
/// multiply-add, or the first of two terms.
template <class Format, class F> struct Mixed {
  static float apply(uint16_t a, uint16_t b, float c) {
    return F::apply(float(Format::decode(a)), float(Format::decode(b)), c);
  }
  static float apply(uint16_t a, float b) {
    return F::apply(float(Format::decode(a)), b);
  }
};

/// F for two f32 in one register.
template <class F> struct OfWords {
  template <class... T> static uint64_t apply(T... a) {
    return bitCast<uint32_t>(F::apply(bitCast<float>(uint32_t(a))...)) |
           uint64_t(bitCast<uint32_t>(
               F::apply(bitCast<float>(uint32_t(a >> 32))...)))
               << 32;
  }
};

} // namespace

/// `fma.f32.f16` and the like.
template <class F, unsigned N>
static void decodeMixed(Decoder &d, Type sum, Type narrow, bool saturate) {
  if (!d.requireChip(100))
    return;
  auto choose = [&](auto format) -> Execute {
    using M = Mixed<decltype(format), F>;
    if constexpr (N == 3)
      return saturate
                 ? lanewise<Saturated<M>, float, uint16_t, uint16_t, float>
                 : lanewise<Canonical<M>, float, uint16_t, uint16_t, float>;
    else
      return saturate ? lanewise<Saturated<M>, float, uint16_t, float>
                      : lanewise<Canonical<M>, float, uint16_t, float>;
  };
  d.op.execute =
      narrow.kind == TypeClass::BFloat ? choose(BFloat()) : choose(Half());
  d.result(sum);
  for (unsigned n = 0; n + 1 != N; ++n)
    d.source(narrow);
  d.source(sum);
}

template <class F, unsigned N> static void decodeWords(Decoder &d, bool flush) {
  if (!d.requireChip(100))
    return;
  d.op.pipe = Pipe::Fma;
  finish(d,
         flush ? sameTypes<OfWords<Canonical<Flushed<F>>>, N, uint64_t>()
               : sameTypes<OfWords<Canonical<F>>, N, uint64_t>(),
         {TypeClass::Bits, 64}, N);
  d.op.byteFlow = ByteFlow::Halves;
}

/// add, sub, mul and fma of floats: the modifiers that all have.
template <class F, class H, unsigned N> static void decodeFloat(Decoder &d) {
  d.take("rn");
  bool flush = d.take("ftz"), saturate = d.take("sat");
  bool relu = N == 3 && d.take("relu");
  if (!saturate && !relu && d.take("f32x2"))
    return decodeWords<F, N>(d, flush);
  Type type = d.type();
  d.op.pipe = pipeOf(type, Pipe::Fma);
  if (isHalf(type)) {
    // Flushing changes nothing in bf16, which has no such modifier, and is not
    // known for f16.
    if (flush || saturate)
      d.fail("modifiers of f32 are not supported for 16 bits");
    return finish(
        d, relu ? halfFunction<HalfRelu<H>, N>(type) : halfFunction<H, N>(type),
        type, N);
  }
  if (!type.isFloat() || relu || (type.bits == 64 && (flush || saturate)))
    return d.unsupportedType(type);
  llvm::StringRef next = d.nextModifier();
  if (type.bits == 32 && !flush && !std::is_same_v<F, Mul> &&
      (next == "f16" || next == "bf16"))
    return decodeMixed<F, N>(d, type, d.type(), saturate);
  finish(d, floatFunction<F, N>(type, flush, saturate), type, N);
}

static bool nextIsInteger(Decoder &d) {
  llvm::StringRef next = d.nextModifier();
  return next == "sat" ||
         (next.size() >= 2 && llvm::StringRef("sub").contains(next[0]) &&
          next[1] >= '0' && next[1] <= '9');
}

template <class F, class H, class Sat> static void decodeSum(Decoder &d) {
  if (!nextIsInteger(d))
    return decodeFloat<F, H, 2>(d);
  bool saturate = d.take("sat");
  Type type = d.type();
  if (saturate && type.isFloat()) // add.sat.f32
    return finish(d, floatFunction<F, 2>(type, false, true), type, 2);
  if (!saturate)
    d.op.byteFlow = ByteFlow::Carry;
  if (saturate && !(type.isSigned() && type.bits == 32))
    return d.unsupportedType(type);
  finish(d,
         saturate ? lanewise<Sat, int32_t, int32_t, int32_t>
                  : integerFunction<F, 2>(type),
         type, 2);
}

template <bool HasAddend> static void decodeProduct(Decoder &d) {
  llvm::StringRef part = d.takeOne({"lo", "hi", "wide"});
  if (part.empty()) {
    if constexpr (HasAddend)
      return decodeFloat<Fma, HalfFma, 3>(d);
    else
      return decodeFloat<Mul, HalfMul, 2>(d);
  }
  Type type = d.type();
  d.op.pipe = Pipe::Fma;
  constexpr unsigned sources = HasAddend ? 3 : 2;
  if (part == "lo")
    d.op.byteFlow = ByteFlow::Carry;
  if (part == "lo")
    return finish(d,
                  HasAddend ? integerFunction<Mad, 3>(type)
                            : integerFunction<Mul, 2>(type),
                  type, sources);
  if (part == "hi")
    return finish(d,
                  HasAddend ? integerFunction<MadHigh, 3>(type)
                            : integerFunction<MulHigh, 2>(type),
                  type, sources);
  Execute execute = forInteger(type, [](auto tag) -> Execute {
    using T = typename decltype(tag)::type;
    using W = typename Widened<T>::type;
    if constexpr (sizeof(T) == 8)
      return nullptr;
    else if constexpr (HasAddend)
      return lanewise<MadWide<W>, W, T, T, W>;
    else
      return lanewise<MulWide<W>, W, T, T>;
  });
  if (!execute)
    return d.unsupportedType(type);
  Type wide{type.kind, 2 * type.bits};
  d.op.execute = execute;
  d.result(wide);
  d.source(type);
  d.source(type);
  if (HasAddend)
    d.source(wide);
}

static void decodeFma(Decoder &d) { decodeFloat<Fma, HalfFma, 3>(d); }

template <template <bool> class F> static void decodeExtremum(Decoder &d) {
  bool flush = d.take("ftz"), propagate = d.take("NaN");
  Type type = d.type();
  d.op.pipe = isHalf(type)                        ? Pipe::Half
              : type.isFloat() && type.bits == 64 ? Pipe::Fp64
                                                  : Pipe::Alu;
  if (isHalf(type) && !flush)
    return finish(d,
                  propagate ? halfFunction<F<true>, 2>(type)
                            : halfFunction<F<false>, 2>(type),
                  type, 2);
  if (type.isFloat() && !isHalf(type))
    return finish(d,
                  propagate ? floatFunction<F<true>, 2>(type, flush, false)
                            : floatFunction<F<false>, 2>(type, flush, false),
                  type, 2);
  finish(d, flush || propagate ? nullptr : integerFunction<F<false>, 2>(type),
         type, 2);
}

static void decodeRemainder(Decoder &d) {
  Type type = d.type();
  d.op.pipe = Pipe::Xu;
  finish(d, integerFunction<Rem, 2>(type), type, 2);
}

/// Division of integers. Functions.cpp divides floats.
namespace pruner::ptx {
void decodeIntegerDivision(Decoder &d) {
  Type type = d.type();
  d.op.pipe = Pipe::Xu;
  finish(d, integerFunction<Div, 2>(type), type, 2);
}
} // namespace pruner::ptx

template <class F, class H> static void decodeSign(Decoder &d) {
  bool flush = d.take("ftz");
  Type type = d.type();
  if (isHalf(type) && !flush)
    return finish(d, halfBits<H, 1>(type), type, 1);
  if (type.isFloat() && !isHalf(type))
    return finish(d, signFunction<F, 1>(type, flush), type, 1);
  finish(d, type.isSigned() && !flush ? integerFunction<F, 1>(type) : nullptr,
         type, 1);
}

static void decodeCopySign(Decoder &d) {
  Type type = d.type();
  finish(d,
         type.isFloat() && !isHalf(type)
             ? signFunction<CopySign, 2>(type, false)
             : nullptr,
         type, 2);
}

llvm::ArrayRef<InstructionClass> pruner::ptx::arithmeticInstructions() {
  static const InstructionClass list[] = {
      {"add", decodeSum<Add, HalfAdd, AddSaturated>},
      {"sub", decodeSum<Sub, HalfSub, SubSaturated>},
      {"mul", decodeProduct<false>},
      {"mad", decodeProduct<true>},
      {"fma", decodeFma},
      {"rem", decodeRemainder},
      {"min", decodeExtremum<Min>},
      {"max", decodeExtremum<Max>},
      {"neg", decodeSign<Neg, HalfNeg>},
      {"abs", decodeSign<Abs, HalfAbs>},
      {"copysign", decodeCopySign},
  };
  return list;
}
