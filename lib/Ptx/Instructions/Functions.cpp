//===- Functions.cpp - division, roots, transcendental functions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with `.rn` are correctly rounded. The bits of approximate ones are
// not documented, only bounds of their error (PTX ISA, floating-point
// instructions). They are computed in double precision; then
// LaunchOptions::approximationError times the bound is added, and the sum is
// rounded. A kernel whose results are accepted for -1, 0 and 1 does not depend
// on the better accuracy of this machine.
//
//   function                bound
//   div.approx, div.full    2 units in the last place
//   rcp.approx              1 unit in the last place
//   sqrt.approx             2^-23, relative
//   rsqrt.approx            2^-22.4, relative
//   ex2.approx              2^-22, relative; f16: 2^-9.9; bf16: 2^-7
//   lg2.approx              2^-22, absolute from 0.5 to 2, else relative
//   sin.approx, cos.approx  2^-20.5, absolute, up to 2 pi; 2^-14.7 beyond
//   tanh.approx             2^-11, relative; f16: 2^-10.987, bf16: 2^-8,
//                           absolute
//
//===----------------------------------------------------------------------===//

#include "HalfFloat.h"
#include "Lanes.h"

#include <limits>

using namespace pruner::ptx;

namespace pruner::ptx {
void decodeIntegerDivision(Decoder &decoder); // Arithmetic.cpp
}

namespace {

/// The value and the absolute bound of its error.
struct Approximate {
  double value, bound;
};

enum class Format : uint8_t { F32, F16, BF16 };

} // namespace

static Approximate relative(double value, double bound) {
  return {value, std::fabs(value) * bound};
}

namespace {

struct Reciprocal {
  static Approximate apply(Format, double a) {
    return relative(1 / a, 0x1p-23);
  }
};
struct SquareRoot {
  static Approximate apply(Format, double a) {
    return relative(std::sqrt(a), 0x1p-23);
  }
};
struct ReciprocalRoot {
  static Approximate apply(Format, double a) {
    return relative(1 / std::sqrt(a), 0x1.835p-23); // 2^-22.4
  }
};
struct Exp2 {
  static Approximate apply(Format format, double a) {
    return relative(std::exp2(a), format == Format::F32   ? 0x1p-22
                                  : format == Format::F16 ? 0x1.12p-10
                                                          : 0x1p-7);
  }
};
struct Log2 {
  static Approximate apply(Format, double a) {
    double value = std::log2(a);
    return a > 0.5 && a < 2 ? Approximate{value, 0x1p-22}
                            : relative(value, 0x1p-22);
  }
};
} // namespace

static double trigonometricBound(double a) {
  return std::fabs(a) <= 6.2832 ? 0x1.6ap-21 : 0x1.3bp-15;
}

namespace {
struct Sine {
  static Approximate apply(Format, double a) {
    return {std::sin(a), trigonometricBound(a)};
  }
};
struct Cosine {
  static Approximate apply(Format, double a) {
    return {std::cos(a), trigonometricBound(a)};
  }
};
struct Tanh {
  static Approximate apply(Format format, double a) {
    double value = std::tanh(a);
    if (format == Format::F32)
      return relative(value, 0x1p-11);
    return {value, format == Format::F16 ? 0x1.025p-11 : 0x1p-8};
  }
};

} // namespace

static float flushed(float a) {
  return std::fabs(a) < std::numeric_limits<float>::min()
             ? std::copysign(0.0f, a)
             : a;
}

/// Op::immediate: denormal operands and results are zero.
template <class F>
static void approximate32(Warp &warp, const Op &op, uint32_t active) {
  double share = warp.block.launch.options.approximationError;
  Reader<float> source(warp, warp.source(op, 0));
  auto *result = warp.lanes<Aliased<float>::type>(warp.result(op));
  forLanes(active, [&](unsigned lane) {
    float a = op.immediate ? flushed(source[lane]) : source[lane];
    Approximate y = F::apply(Format::F32, a);
    float value = std::isfinite(y.value) && y.value != 0
                      ? float(y.value + share * y.bound)
                      : float(y.value);
    result[lane] = canonical(op.immediate ? flushed(value) : value);
  });
}

template <class F, class H, Format format>
static uint16_t approximateHalf(uint16_t bits, double share) {
  Approximate y = F::apply(format, H::decode(bits));
  return H::encode(std::isfinite(y.value) ? y.value + share * y.bound
                                          : y.value);
}

/// Op::immediate: two in a register.
template <class F, class H, Format format>
static void approximate16(Warp &warp, const Op &op, uint32_t active) {
  double share = warp.block.launch.options.approximationError;
  if (!op.immediate) {
    auto *result = warp.lanes<uint16_t>(warp.result(op));
    const auto *source = warp.lanes<uint16_t>(warp.source(op, 0));
    forLanes(active, [&](unsigned lane) {
      result[lane] = approximateHalf<F, H, format>(source[lane], share);
    });
    return;
  }
  auto *result = warp.lanes<uint32_t>(warp.result(op));
  const auto *source = warp.lanes<uint32_t>(warp.source(op, 0));
  forLanes(active, [&](unsigned lane) {
    uint16_t low = uint16_t(source[lane]), high = uint16_t(source[lane] >> 16);
    result[lane] = approximateHalf<F, H, format>(low, share) |
                   uint32_t(approximateHalf<F, H, format>(high, share)) << 16;
  });
}

namespace {

struct ExactReciprocal {
  template <class T> static T apply(T a) { return canonical(1 / a); }
};
struct ExactRoot {
  template <class T> static T apply(T a) { return canonical(std::sqrt(a)); }
};
struct ExactQuotient {
  template <class T> static T apply(T a, T b) { return canonical(a / b); }
};
template <class F> struct FlushedExact {
  template <class... T> static float apply(T... a) {
    return flushed(F::apply(flushed(a)...));
  }
};

} // namespace

/// Functions that only approximate.
template <class F, bool HasHalf> static void decodeApproximate(Decoder &d) {
  d.op.pipe = Pipe::Xu;
  if (!d.take("approx"))
    d.fail("expected '.approx'");
  bool flush = d.take("ftz");
  Type type = d.type();
  bool isHalf = type.bits == 16 || type.isPacked;
  if (!type.isFloat() || type.bits == 64 || (isHalf && !HasHalf))
    return d.unsupportedType(type);
  if (!isHalf) {
    d.op.execute = approximate32<F>;
    d.op.immediate = flush;
  } else {
    d.op.execute = type.kind == TypeClass::BFloat
                       ? approximate16<F, BFloat, Format::BF16>
                       : approximate16<F, Half, Format::F16>;
    d.op.immediate = type.isPacked;
  }
  d.result(type);
  d.source(type);
}

/// Functions that are approximate or correctly rounded.
template <class F, class Exact> static void decodeRoot(Decoder &d) {
  if (d.nextModifier() == "approx")
    return decodeApproximate<F, false>(d);
  d.op.pipe = Pipe::Xu;
  if (!d.take("rn"))
    d.fail("expected '.approx' or '.rn'");
  bool flush = d.take("ftz");
  Type type = d.type();
  if (!type.isFloat() || type.isPacked || type.bits == 16 ||
      (flush && type.bits == 64))
    return d.unsupportedType(type);
  d.op.execute = type.bits == 64 ? lanewise<Exact, double, double>
                 : flush         ? lanewise<FlushedExact<Exact>, float, float>
                                 : lanewise<Exact, float, float>;
  d.result(type);
  d.source(type);
}

static void divideApproximately(Warp &warp, const Op &op, uint32_t active) {
  double share = warp.block.launch.options.approximationError;
  Reader<float> a(warp, warp.source(op, 0)), b(warp, warp.source(op, 1));
  auto *result = warp.lanes<Aliased<float>::type>(warp.result(op));
  forLanes(active, [&](unsigned lane) {
    float x = op.immediate ? flushed(a[lane]) : a[lane];
    float y = op.immediate ? flushed(b[lane]) : b[lane];
    double quotient = double(x) / double(y);
    float value = std::isfinite(quotient)
                      ? float(quotient * (1 + share * 0x1p-22))
                      : float(quotient);
    result[lane] = canonical(op.immediate ? flushed(value) : value);
  });
}

static void decodeDivision(Decoder &d) {
  llvm::StringRef mode = d.takeOne({"approx", "full", "rn"});
  if (mode.empty())
    return decodeIntegerDivision(d);
  d.op.pipe = Pipe::Xu;
  bool flush = d.take("ftz");
  Type type = d.type();
  if (!type.isFloat() || type.isPacked || type.bits == 16 ||
      (type.bits == 64 && (flush || mode != "rn")))
    return d.unsupportedType(type);
  d.op.immediate = flush;
  using Q = ExactQuotient;
  d.op.execute = mode != "rn"      ? divideApproximately
                 : type.bits == 64 ? lanewise<Q, double, double, double>
                 : flush ? lanewise<FlushedExact<Q>, float, float, float>
                         : lanewise<Q, float, float, float>;
  d.result(type);
  d.source(type);
  d.source(type);
}

llvm::ArrayRef<InstructionClass> pruner::ptx::functionInstructions() {
  static const InstructionClass list[] = {
      {"div", decodeDivision},
      {"rcp", decodeRoot<Reciprocal, ExactReciprocal>},
      {"sqrt", decodeRoot<SquareRoot, ExactRoot>},
      {"rsqrt", decodeApproximate<ReciprocalRoot, false>},
      {"ex2", decodeApproximate<Exp2, true>},
      {"lg2", decodeApproximate<Log2, false>},
      {"sin", decodeApproximate<Sine, false>},
      {"cos", decodeApproximate<Cosine, false>},
      {"tanh", decodeApproximate<Tanh, true>},
  };
  return list;
}
