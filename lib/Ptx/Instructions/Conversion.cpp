//===- Conversion.cpp - cvt, mov, cvta ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers pass through double or 64-bit integers, which represent all sources
// except 64-bit integers as floats exactly.
//
//===----------------------------------------------------------------------===//

#include "HalfFloat.h"
#include "Lanes.h"

#include <cfenv>
#include <limits>

using namespace pruner::ptx;

namespace {

enum class Rounding : uint8_t { None, Nearest, Zero, Down, Up };

/// The parts of a cvt, packed into Op::immediate.
struct Conversion {
  Type to, from;
  Rounding rounding = Rounding::None; ///< To a float format.
  bool toIntegral = false;            ///< .rni, .rzi, .rmi, .rpi
  bool saturate = false, flush = false, relu = false;
};

} // namespace

static Conversion unpack(const Op &op) {
  uint64_t bits = op.immediate;
  auto take = [&](unsigned count) {
    uint64_t field = bits & ((uint64_t(1) << count) - 1);
    bits >>= count;
    return field;
  };
  Conversion c;
  c.to = {TypeClass(take(3)), unsigned(take(8)), bool(take(1))};
  c.from = {TypeClass(take(3)), unsigned(take(8)), bool(take(1))};
  c.rounding = Rounding(take(3));
  c.toIntegral = take(1);
  c.saturate = take(1);
  c.flush = take(1);
  c.relu = take(1);
  return c;
}

static uint64_t pack(const Conversion &c) {
  uint64_t bits = 0;
  unsigned at = 0;
  auto put = [&](uint64_t field, unsigned count) {
    bits |= field << at;
    at += count;
  };
  for (Type type : {c.to, c.from}) {
    put(uint64_t(type.kind), 3);
    put(type.bits, 8);
    put(type.isPacked, 1);
  }
  put(uint64_t(c.rounding), 3);
  put(c.toIntegral, 1);
  put(c.saturate, 1);
  put(c.flush, 1);
  put(c.relu, 1);
  return bits;
}

static uint64_t readBits(Warp &warp, Slot slot, unsigned bits, unsigned lane) {
  switch (bits) {
  case 16:
    return warp.lanes<uint16_t>(slot)[lane];
  case 32:
    return warp.lanes<uint32_t>(slot)[lane];
  default:
    return warp.lanes<uint64_t>(slot)[lane];
  }
}

static void writeBits(Warp &warp, Slot slot, unsigned bits, unsigned lane,
                      uint64_t value) {
  switch (bits) {
  case 16:
    warp.lanes<uint16_t>(slot)[lane] = uint16_t(value);
    break;
  case 32:
    warp.lanes<uint32_t>(slot)[lane] = uint32_t(value);
    break;
  default:
    warp.lanes<uint64_t>(slot)[lane] = value;
  }
}

static int64_t signExtend(uint64_t value, unsigned bits) {
  return int64_t(value << (64 - bits)) >> (64 - bits);
}

static uint64_t truncate(uint64_t value, unsigned bits) {
  return bits == 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

static double decodeFloatBits(Type type, uint64_t bits) {
  if (type.kind == TypeClass::BFloat)
    return BFloat::decode(uint16_t(bits));
  switch (type.bits) {
  case 16:
    return Half::decode(uint16_t(bits));
  case 32:
    return bitCast<float>(uint32_t(bits));
  default:
    return bitCast<double>(bits);
  }
}

static double toIntegral(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  default:
    return std::nearbyint(value);
  }
}

/// Moves a float that was rounded to nearest to the other neighbor of `exact`
/// where the mode asks for it.
static float adjust(float rounded, double exact, Rounding rounding) {
  if (std::isnan(exact) || double(rounded) == exact)
    return rounded;
  bool down =
      rounding == Rounding::Down || (rounding == Rounding::Zero && exact > 0);
  bool up =
      rounding == Rounding::Up || (rounding == Rounding::Zero && exact < 0);
  if (down && double(rounded) > exact)
    return std::nextafter(rounded, -INFINITY);
  if (up && double(rounded) < exact)
    return std::nextafter(rounded, INFINITY);
  return rounded;
}

static uint64_t encodeFloat(const Conversion &c, double value) {
  if (c.saturate)
    value = std::isnan(value) ? 0 : std::clamp(value, 0.0, 1.0);
  if (c.relu && !std::isnan(value))
    value = std::max(value, 0.0);
  if (c.to.kind == TypeClass::BFloat)
    return BFloat::encode(value);
  switch (c.to.bits) {
  case 16:
    return Half::encode(value);
  case 32: {
    if (std::isnan(value))
      return 0x7fffffff;
    float rounded = adjust(float(value), value, c.rounding);
    if (c.flush && std::fabs(rounded) < std::numeric_limits<float>::min())
      rounded = std::copysign(0.0f, rounded);
    return bitCast<uint32_t>(rounded);
  }
  default:
    return bitCast<uint64_t>(value);
  }
}

/// Values beyond the ends of the type become the ends, NaN becomes 0.
static uint64_t encodeInteger(Type to, double value) {
  if (std::isnan(value))
    return 0;
  if (to.isSigned()) {
    double end = std::ldexp(1.0, to.bits - 1);
    int64_t largest = int64_t(truncate(~uint64_t(0), to.bits - 1));
    if (value >= end)
      return uint64_t(largest);
    if (value < -end)
      return uint64_t(-largest - 1);
    return uint64_t(int64_t(value));
  }
  if (value >= std::ldexp(1.0, to.bits))
    return truncate(~uint64_t(0), to.bits);
  return value <= 0 ? 0 : uint64_t(value);
}

static uint64_t saturateInteger(const Conversion &c, uint64_t value) {
  bool isNegative = c.from.isSigned() && int64_t(value) < 0;
  if (c.to.isSigned()) {
    int64_t largest = int64_t(truncate(~uint64_t(0), c.to.bits - 1));
    if (isNegative)
      return uint64_t(std::max(int64_t(value), -largest - 1));
    return std::min(value, uint64_t(largest));
  }
  return isNegative ? 0 : std::min(value, truncate(~uint64_t(0), c.to.bits));
}

static uint64_t convertOne(const Conversion &c, uint64_t bits) {
  if (c.from.isFloat()) {
    double value = decodeFloatBits(c.from, truncate(bits, c.from.bits));
    if (c.flush && c.from.bits == 32 &&
        std::fabs(value) < std::numeric_limits<float>::min())
      value = std::copysign(0.0, value);
    if (c.toIntegral)
      value = toIntegral(value, c.rounding);
    return c.to.isFloat() ? encodeFloat(c, value) : encodeInteger(c.to, value);
  }
  uint64_t value = c.from.isSigned() ? uint64_t(signExtend(bits, c.from.bits))
                                     : truncate(bits, c.from.bits);
  if (!c.to.isFloat())
    return c.saturate ? saturateInteger(c, value) : value;
  // Rounded once, also from 64 bits.
  if (c.to.bits == 32)
    return bitCast<uint32_t>(c.from.isSigned() ? float(int64_t(value))
                                               : float(value));
  if (c.to.bits == 64)
    return bitCast<uint64_t>(c.from.isSigned() ? double(int64_t(value))
                                               : double(value));
  return encodeFloat(c, c.from.isSigned() ? double(int64_t(value))
                                          : double(value));
}

/// The bits of the registers of the result and source are in immediate2.
static void convert(Warp &warp, const Op &op, uint32_t active) {
  const Conversion c = unpack(op);
  unsigned toBits = op.immediate2 & 255, fromBits = op.immediate2 >> 8;
  Slot result = warp.result(op), source = warp.source(op, 0);
  forLanes(active, [&](unsigned lane) {
    uint64_t value = convertOne(c, readBits(warp, source, fromBits, lane));
    // A narrow result is extended to its register.
    if (c.to.isInteger())
      value = c.to.isSigned() ? uint64_t(signExtend(value, c.to.bits))
                              : truncate(value, c.to.bits);
    writeBits(warp, result, toBits, lane, value);
  });
}

/// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half.
static void convertPair(Warp &warp, const Op &op, uint32_t active) {
  Conversion c = unpack(op);
  c.to.bits = 16;
  c.to.isPacked = false;
  const auto *high = warp.lanes<uint32_t>(warp.source(op, 0)),
             *low = warp.lanes<uint32_t>(warp.source(op, 1));
  auto *result = warp.lanes<uint32_t>(warp.result(op));
  forLanes(active, [&](unsigned lane) {
    result[lane] = uint32_t(convertOne(c, high[lane])) << 16 |
                   uint32_t(convertOne(c, low[lane]));
  });
}

namespace {
/// To the 10 explicit bits of tf32; the other bits are 0. Ties go away from
/// zero.
struct ToTf32 {
  static uint32_t apply(uint32_t bits) {
    if (std::isnan(bitCast<float>(bits)))
      return 0x7fffffff;
    return (bits + 0x1000) & ~0x1fffu;
  }
};
} // namespace

static void decodeCvt(Decoder &d) {
  Conversion c;
  if (d.take("rna")) {
    if (!d.take("tf32") || !d.take("f32"))
      return d.fail("the rounding mode is not supported for this type");
    if (!d.requireChip(80))
      return;
    d.op.pipe = Pipe::Xu;
    d.op.execute = lanewise<ToTf32, uint32_t, uint32_t>;
    d.result(kB32);
    d.source(Type{TypeClass::Float, 32});
    return;
  }
  llvm::StringRef rounding =
      d.takeOne({"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"});
  if (!rounding.empty()) {
    c.toIntegral = rounding.size() == 3;
    c.rounding = rounding[1] == 'n'   ? Rounding::Nearest
                 : rounding[1] == 'z' ? Rounding::Zero
                 : rounding[1] == 'm' ? Rounding::Down
                                      : Rounding::Up;
  }
  c.relu = d.take("relu");
  c.flush = d.take("ftz");
  c.saturate = d.take("sat");
  c.to = d.type();
  c.from = d.type();
  bool isDirected =
      c.rounding != Rounding::None && c.rounding != Rounding::Nearest;
  if (c.to.kind == TypeClass::Pred || c.from.kind == TypeClass::Pred ||
      c.from.isPacked || (c.to.isPacked && c.from.bits != 32))
    return d.unsupportedType(c.from);
  if (isDirected && !c.toIntegral && c.to.isFloat() &&
      !(c.from.isFloat() && c.to.bits == 32 && !c.to.isPacked))
    return d.fail("the rounding mode is not supported for this type");
  if (c.from.isFloat() && !c.to.isFloat() && !c.toIntegral)
    return d.fail("expected a rounding mode to an integer");
  if (!c.from.isFloat() && c.toIntegral)
    return d.fail("integers are not rounded to integers");
  d.op.pipe = c.to.isInteger() && c.from.isInteger() ? Pipe::Alu : Pipe::Xu;
  d.op.immediate = pack(c);
  if (c.to.isPacked) {
    d.op.execute = convertPair;
    d.result(c.to);
    d.source(c.from);
    d.source(c.from);
    return;
  }
  d.op.execute = convert;
  bool wider = c.to.isInteger();
  uint64_t toBits = d.result(c.to, wider);
  uint64_t fromBits = d.source(c.from, c.from.isInteger());
  d.op.immediate2 = toBits | fromBits << 8;
  if (c.to.isInteger() && c.from.isInteger() && !c.saturate) {
    // Bytes above the narrower of both types are copies of its sign, or 0.
    const Type &narrow = c.to.bits < c.from.bits ? c.to : c.from;
    d.op.byteFlow = ByteFlow::Extend;
    d.op.isSigned = narrow.isSigned();
    d.op.extendedBytes = narrow.bits / 8;
  }
}

namespace {
struct Copy1 {
  template <class T> static T apply(T a) { return a; }
};
} // namespace

/// mov.b32 {a, b}, c
static void unpackVector(Warp &warp, const Op &op, uint32_t active) {
  unsigned bits = op.immediate, part = bits / op.numResults;
  for (unsigned n = 0; n != op.numResults; ++n)
    forLanes(active, [&](unsigned lane) {
      uint64_t value = readBits(warp, warp.source(op, 0), bits, lane);
      writeBits(warp, warp.result(op, n), part, lane, value >> n * part);
    });
}

/// mov.b32 a, {b, c}
static void packVector(Warp &warp, const Op &op, uint32_t active) {
  unsigned bits = op.immediate, part = bits / op.numSources;
  forLanes(active, [&](unsigned lane) {
    uint64_t value = 0;
    for (unsigned n = 0; n != op.numSources; ++n)
      value |= readBits(warp, warp.source(op, n), part, lane) << n * part;
    writeBits(warp, warp.result(op), bits, lane, value);
  });
}

/// The time is the number of instructions that the launch has executed.
/// Op::immediate: the lowest bit that is read.
template <class T>
static void readClock(Warp &warp, const Op &op, uint32_t active) {
  Slot to = warp.result(op);
  T time = T(warp.block.launch.steps >> op.immediate);
  forLanes(active, [&](unsigned lane) { warp.lanes<T>(to)[lane] = time; });
  warp.define(to, active, ~0u);
}

static void decodeMov(Decoder &d) {
  Type type = d.type();
  const Operand *to = d.peek();
  if (type.kind == TypeClass::Pred) {
    d.op.execute = lanewise<Copy1, bool, bool>;
    d.result(type);
    d.source(type);
    return;
  }
  d.op.immediate = type.bits;
  auto part = [&](size_t count) {
    unsigned bits = count ? type.bits / count : 0;
    if (bits != 16 && bits != 32)
      d.fail("vectors of such elements are not supported");
    return Type{TypeClass::Bits, bits == 16 ? 16u : 32u};
  };
  if (to && to->kind == Operand::Vector) {
    d.op.execute = unpackVector;
    d.op.byteFlow = ByteFlow::Unpack;
    d.results(part(to->elements.size()), to->elements.size());
    d.source(type);
    return;
  }
  d.op.byteFlow = ByteFlow::Copy;
  d.result(type);
  if (const Operand *from = d.peek(); from && from->kind == Operand::Vector) {
    d.op.execute = packVector;
    d.op.byteFlow = ByteFlow::Pack;
    d.sources(part(from->elements.size()), from->elements.size());
    return;
  }
  d.op.execute = type.bits == 16   ? lanewise<Copy1, uint16_t, uint16_t>
                 : type.bits == 32 ? lanewise<Copy1, uint32_t, uint32_t>
                 : type.bits == 64 ? lanewise<Copy1, uint64_t, uint64_t>
                                   : nullptr;
  if (!d.op.execute)
    return d.unsupportedType(type);
  if (auto bit = d.takeClock(type)) {
    d.op.execute = type.bits == 32 ? readClock<uint32_t> : readClock<uint64_t>;
    d.op.immediate = *bit;
    d.op.tracksDefined = true;
    return;
  }
  d.source(type);
}

/// Generic addresses of shared and local memory have a high bit.
static void convertAddress(Warp &warp, const Op &op, uint32_t active) {
  auto *result = warp.lanes<uint64_t>(warp.result(op));
  const auto *source = warp.lanes<uint64_t>(warp.source(op, 0));
  forLanes(active, [&](unsigned lane) {
    result[lane] = (source[lane] & ~op.immediate2) | op.immediate;
  });
}

static void decodeCvta(Decoder &d) {
  bool to = d.take("to");
  llvm::StringRef space =
      d.takeOne({"global", "const", "shared", "shared::cta", "local"});
  Type type = d.type();
  if (space.empty() || type.bits != 64)
    return d.unsupportedType(type);
  uint64_t bit = space.starts_with("shared") ? kGenericShared
                 : space == "local"          ? kGenericLocal
                                             : 0;
  (to ? d.op.immediate2 : d.op.immediate) = bit;
  d.op.execute = convertAddress;
  d.result(type);
  d.source(type);
}

llvm::ArrayRef<InstructionClass> pruner::ptx::conversionInstructions() {
  static const InstructionClass list[] = {
      {"cvt", decodeCvt}, {"mov", decodeMov}, {"cvta", decodeCvta}};
  return list;
}
