//===- Bits.cpp - logic, shifts, fields -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lanes.h"

#include <algorithm>

using namespace pruner::ptx;

namespace {

struct And {
  template <class T> static T apply(T a, T b) { return a & b; }
};
struct Or {
  template <class T> static T apply(T a, T b) { return a | b; }
};
struct Xor {
  template <class T> static T apply(T a, T b) { return a ^ b; }
};
struct Not {
  template <class T> static T apply(T a) {
    if constexpr (std::is_same_v<T, bool>)
      return !a;
    else
      return T(~a);
  }
};
struct LogicalNot {
  template <class T> static T apply(T a) { return a == 0; }
};

/// Shifts by the width or more move all bits out.
struct ShiftLeft {
  template <class T> static T apply(T a, uint32_t by) {
    return by >= 8 * sizeof(T) ? T(0) : T(Wrapping<T>(a) << by);
  }
};
struct ShiftRight {
  template <class T> static T apply(T a, uint32_t by) {
    return a >> std::min<uint32_t>(by, 8 * sizeof(T) - 1) >>
           (by >= 8 * sizeof(T) ? 1 : 0);
  }
};

/// Shifts of the pair b:a.
template <bool Left, bool Wrap> struct Funnel {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t by) {
    by = Wrap ? by & 31 : std::min(by, 32u);
    uint64_t pair = uint64_t(b) << 32 | a;
    return Left ? uint32_t((pair << by) >> 32) : uint32_t(pair >> by);
  }
};

struct PopCount {
  template <class T> static uint32_t apply(T a) {
    return __builtin_popcountll(a);
  }
};
struct LeadingZeros {
  template <class T> static uint32_t apply(T a) {
    return a ? __builtin_clzll(a) - (64 - 8 * sizeof(T)) : 8 * sizeof(T);
  }
};
struct Reverse {
  template <class T> static T apply(T a) {
    T result = 0;
    for (unsigned bit = 0; bit != 8 * sizeof(T); ++bit)
      result |= T(a >> bit & 1) << (8 * sizeof(T) - 1 - bit);
    return result;
  }
};
/// The most significant bit that differs from the sign.
struct FindBit {
  template <class T> static uint32_t apply(T a) {
    if (std::is_signed_v<T> && a < 0)
      a = ~a;
    using U = std::make_unsigned_t<T>;
    return a ? 8 * sizeof(T) - 1 - LeadingZeros::apply(U(a)) : ~0u;
  }
};

struct ExtractField {
  template <class T> static T apply(T a, uint32_t position, uint32_t length) {
    constexpr uint32_t width = 8 * sizeof(T);
    position &= 255;
    length &= 255;
    if (length == 0)
      return 0;
    using U = std::make_unsigned_t<T>;
    // Bits above the number are copies of its sign.
    bool isNegative = std::is_signed_v<T> && a < 0;
    U fill = isNegative ? ~U(0) : U(0);
    U value = position >= width ? fill : U(a >> position);
    if (length >= width)
      return T(value);
    U mask = (U(1) << length) - 1;
    uint32_t top = std::min(position + length - 1, width - 1);
    bool sign = std::is_signed_v<T> && (U(a) >> top & 1);
    return T((value & mask) | (sign ? ~mask : U(0)));
  }
};
struct InsertField {
  template <class T>
  static T apply(T a, T b, uint32_t position, uint32_t length) {
    constexpr uint32_t width = 8 * sizeof(T);
    position &= 255;
    length &= 255;
    if (position >= width || length == 0)
      return b;
    T mask = length >= width ? ~T(0) : (T(1) << length) - 1;
    mask <<= position;
    return ((a << position) & mask) | (b & ~mask);
  }
};

struct Permute {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t selector) {
    uint64_t bytes = uint64_t(b) << 32 | a;
    uint32_t result = 0;
    for (unsigned n = 0; n != 4; ++n) {
      unsigned select = selector >> 4 * n & 15;
      uint32_t byte = bytes >> 8 * (select & 7) & 255;
      // Bit 3: copies of the sign of the byte.
      if (select & 8)
        byte = byte & 128 ? 255 : 0;
      result |= byte << 8 * n;
    }
    return result;
  }
};

template <class A, class B> struct DotProduct {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    for (unsigned n = 0; n != 4; ++n)
      c += uint32_t(int32_t(A(a >> 8 * n)) * int32_t(B(b >> 8 * n)));
    return c;
  }
};

/// sum of |a - b| and c.
struct AbsoluteDifference {
  template <class T> static T apply(T a, T b, T c) {
    using U = Wrapping<T>;
    return T((a < b ? U(b) - U(a) : U(a) - U(b)) + U(c));
  }
};

} // namespace

static void finish(Decoder &d, Execute execute, Type result,
                   std::initializer_list<Type> sources) {
  if (!execute)
    return d.unsupportedType(result);
  d.op.execute = execute;
  d.result(result);
  for (Type source : sources)
    d.source(source);
}

template <class F> static void decodeLogic(Decoder &d) {
  Type type = d.type();
  if (type.kind != TypeClass::Pred)
    d.op.byteFlow = std::is_same_v<F, And>  ? ByteFlow::And
                    : std::is_same_v<F, Or> ? ByteFlow::Or
                                            : ByteFlow::Xor;
  finish(d,
         type.kind == TypeClass::Pred   ? lanewise<F, bool, bool, bool>
         : type.kind == TypeClass::Bits ? integerFunction<F, 2>(type)
                                        : nullptr,
         type, {type, type});
}

static void decodeNot(Decoder &d) {
  Type type = d.type();
  if (type.kind != TypeClass::Pred)
    d.op.byteFlow = ByteFlow::Copy;
  finish(d,
         type.kind == TypeClass::Pred   ? lanewise<Not, bool, bool>
         : type.kind == TypeClass::Bits ? integerFunction<Not, 1>(type)
                                        : nullptr,
         type, {type});
}

static void decodeCnot(Decoder &d) {
  Type type = d.type();
  finish(d, integerFunction<LogicalNot, 1>(type), type, {type});
}

template <class F> static void decodeShift(Decoder &d) {
  Type type = d.type();
  d.op.byteFlow =
      std::is_same_v<F, ShiftLeft> ? ByteFlow::ShiftLeft : ByteFlow::ShiftRight;
  d.op.isSigned = type.isSigned();
  finish(d,
         forInteger(type,
                    [](auto tag) -> Execute {
                      using T = typename decltype(tag)::type;
                      return lanewise<F, T, T, uint32_t>;
                    }),
         type, {type, kB32});
}

static void decodeFunnel(Decoder &d) {
  bool left = d.take("l");
  if (!left && !d.take("r"))
    d.fail("expected '.l' or '.r'");
  bool wrap = d.take("wrap");
  if (!wrap && !d.take("clamp"))
    d.fail("expected '.wrap' or '.clamp'");
  Type type = d.type();
  using U = uint32_t;
  Execute execute = left ? (wrap ? lanewise<Funnel<true, true>, U, U, U, U>
                                 : lanewise<Funnel<true, false>, U, U, U, U>)
                         : (wrap ? lanewise<Funnel<false, true>, U, U, U, U>
                                 : lanewise<Funnel<false, false>, U, U, U, U>);
  finish(d, type.bits == 32 && type.isInteger() ? execute : nullptr, type,
         {type, type, kB32});
}

template <class F> static void decodeCount(Decoder &d) {
  Type type = d.type();
  d.op.pipe = Pipe::Xu;
  Execute execute = forInteger(type, [](auto tag) -> Execute {
    using T = typename decltype(tag)::type;
    if constexpr (sizeof(T) == 2)
      return nullptr;
    else
      return lanewise<F, uint32_t, T>;
  });
  if (!execute)
    return d.unsupportedType(type);
  finish(d, execute, kB32, {type});
}

static void decodeReverse(Decoder &d) {
  Type type = d.type();
  d.op.pipe = Pipe::Xu;
  finish(d,
         type.kind == TypeClass::Bits && type.bits != 16
             ? integerFunction<Reverse, 1>(type)
             : nullptr,
         type, {type});
}

static void decodeExtract(Decoder &d) {
  Type type = d.type();
  finish(d,
         forInteger(type,
                    [](auto tag) -> Execute {
                      using T = typename decltype(tag)::type;
                      if constexpr (sizeof(T) == 2)
                        return nullptr;
                      else
                        return lanewise<ExtractField, T, T, uint32_t, uint32_t>;
                    }),
         type, {type, kB32, kB32});
}

static void decodeInsert(Decoder &d) {
  Type type = d.type();
  Execute execute = type.bits == 32 ? lanewise<InsertField, uint32_t, uint32_t,
                                               uint32_t, uint32_t, uint32_t>
                                    : lanewise<InsertField, uint64_t, uint64_t,
                                               uint64_t, uint32_t, uint32_t>;
  finish(d, type.kind == TypeClass::Bits && type.bits >= 32 ? execute : nullptr,
         type, {type, type, kB32, kB32});
}

static void decodePermute(Decoder &d) {
  Type type = d.type();
  d.op.byteFlow = ByteFlow::Permute;
  finish(d,
         type.kind == TypeClass::Bits && type.bits == 32
             ? lanewise<Permute, uint32_t, uint32_t, uint32_t, uint32_t>
             : nullptr,
         type, {type, type, type});
}

/// lop3.b32 d, a, b, c, table: bit a * 4 + b * 2 + c of the table.
static void lookup3(Warp &warp, const Op &op, uint32_t active) {
  auto *result = warp.lanes<uint32_t>(warp.result(op));
  const auto *a = warp.lanes<uint32_t>(warp.source(op, 0)),
             *b = warp.lanes<uint32_t>(warp.source(op, 1)),
             *c = warp.lanes<uint32_t>(warp.source(op, 2));
  forLanes(active, [&](unsigned lane) {
    uint32_t value = 0;
    for (unsigned n = 0; n != 8; ++n)
      if (op.immediate >> n & 1)
        value |= (n & 4 ? a[lane] : ~a[lane]) & (n & 2 ? b[lane] : ~b[lane]) &
                 (n & 1 ? c[lane] : ~c[lane]);
    result[lane] = value;
  });
}

static void decodeLookup(Decoder &d) {
  Type type = d.type();
  finish(d, type.bits == 32 ? lookup3 : nullptr, type, {type, type, type});
  d.op.immediate = d.constant("a table of 8 bits");
}

static void decodeDot(Decoder &d) {
  Type a = d.type(), b = d.type();
  d.op.pipe = Pipe::Fma;
  using U = uint32_t;
  Execute execute =
      a.isSigned()
          ? (b.isSigned() ? lanewise<DotProduct<int8_t, int8_t>, U, U, U, U>
                          : lanewise<DotProduct<int8_t, uint8_t>, U, U, U, U>)
          : (b.isSigned() ? lanewise<DotProduct<uint8_t, int8_t>, U, U, U, U>
                          : lanewise<DotProduct<uint8_t, uint8_t>, U, U, U, U>);
  bool supported = a.bits == 32 && b.bits == 32 && a.kind != TypeClass::Bits &&
                   b.kind != TypeClass::Bits && a.isInteger() && b.isInteger();
  finish(d, supported ? execute : nullptr, kB32, {kB32, kB32, kB32});
}

static void decodeDifference(Decoder &d) {
  Type type = d.type();
  finish(d, integerFunction<AbsoluteDifference, 3>(type), type,
         {type, type, type});
}

llvm::ArrayRef<InstructionClass> pruner::ptx::bitInstructions() {
  static const InstructionClass list[] = {
      {"and", decodeLogic<And>},
      {"or", decodeLogic<Or>},
      {"xor", decodeLogic<Xor>},
      {"not", decodeNot},
      {"cnot", decodeCnot},
      {"shl", decodeShift<ShiftLeft>},
      {"shr", decodeShift<ShiftRight>},
      {"shf", decodeFunnel},
      {"popc", decodeCount<PopCount>},
      {"clz", decodeCount<LeadingZeros>},
      {"bfind", decodeCount<FindBit>},
      {"brev", decodeReverse},
      {"bfe", decodeExtract},
      {"bfi", decodeInsert},
      {"prmt", decodePermute},
      {"lop3", decodeLookup},
      {"dp4a", decodeDot},
      {"sad", decodeDifference},
  };
  return list;
}
