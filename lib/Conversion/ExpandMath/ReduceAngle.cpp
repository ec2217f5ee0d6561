//===- ReduceAngle.cpp - angles modulo a quarter turn ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReduceAngle.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <array>

using namespace mlir;
using namespace pruner::math_expansion;

/// pi/2 in three parts of 24 bits (Cody and Waite). The second and third are
/// positive, so that -0 stays -0.
constexpr double kHalfPi[] = {0x1.921fb4p0, 0x1.4442dp-24, 0x1.846988p-48};

/// Up to this limit n has 17 bits, so x - n pi/2 is known to 2^-55.
constexpr double kMaxSmallAngle = 0x1p17;

/// The first product removes all leading bits of x without rounding. The
/// rounding errors of the second product and of the difference are computed
/// separately and exactly: where they cancel, the bits of `first`, `part` and
/// `second` are between 2^-33 and 2^-7.
static Angle reduceSmall(const Arithmetic &arith, Value x) {
  Value shift = arith.constant(0x1.8p23);
  Value rounded = arith.fma(x, arith.constant(0x1.45f306p-1), shift);
  Value n = arith.sub(rounded, shift);
  Value first = arith.fma(n, arith.constant(-kHalfPi[0]), x);
  Value part = arith.mul(n, arith.constant(kHalfPi[1]));
  Value second = arith.sub(first, part);
  Value lost = arith.fma(n, arith.constant(kHalfPi[1]), arith.neg(part));
  lost = arith.sub(lost, arith.sub(arith.sub(first, second), part));
  Value excess = arith.fma(n, arith.constant(kHalfPi[2]), lost);
  return {second, excess, arith.bits(rounded)};
}

namespace {
/// 64-bit integers in the shape of an f32 `Arithmetic`.
class Words {
public:
  explicit Words(const Arithmetic &arith)
      : wide(arith.wide()), builder(arith.builder()), loc(arith.loc()) {}

  Value extend(Value word) {
    return arith::ExtUIOp::create(builder, loc, wide.integerType(), word);
  }
  Value truncate(Value word, Type type) {
    return arith::TruncIOp::create(builder, loc, type, word);
  }
  Value mul(Value a, Value b) {
    return arith::MulIOp::create(builder, loc, a, b);
  }
  Value shiftLeft(Value a, Value places) {
    return arith::ShLIOp::create(builder, loc, a, places);
  }
  Value toFloat(Value a) {
    return arith::SIToFPOp::create(builder, loc, wide.type(), a);
  }

  Arithmetic wide;
  OpBuilder &builder;
  Location loc;
};
} // namespace

/// Payne and Hanek's reduction of 2^17 <= |x| < 2^128. x is an integer m below
/// 2^24 times 2^e with -6 <= e <= 104. Only m 2^e 2/pi modulo 4 matters, which
/// depends on the bits of 2/pi from 2^(1 - e) on. 96 of these bits give 62 bits
/// of a fraction that is never closer to an integer than 2^-31.
static Angle reduceLarge(const Arithmetic &arith, Value x) {
  // 2/pi times 2^-8, in words of 32 bits. The eight zeros make room for e < 2.
  constexpr std::array<uint32_t, 8> kTwoOverPi = {
      0x00a2f983, 0x6e4e4415, 0x29fc2757, 0xd1f534dd,
      0xc0db6295, 0x993c4390, 0x41fe5163, 0xabdebbc5};
  Words words(arith);
  const Arithmetic &wide = words.wide;
  Value bits = arith.bits(arith.abs(x));
  // The first relevant bit is e + 6 positions into the table.
  Value place =
      arith.subInt(arith.shiftRight(bits, 23), arith.integer(150 - 6));
  Value mantissa = arith.addInt(arith.andInt(bits, arith.integer(0x007fffff)),
                                arith.integer(0x00800000));
  Value word = arith.shiftRight(place, 5);
  Value inWord = arith.andInt(place, arith.integer(31));

  // Shift the four words from there on into three.
  std::array<Value, 4> table;
  for (int n = 0; n < 4; ++n) {
    Value entry = arith.integer(int32_t(kTwoOverPi[n]));
    for (int first = 1; first < 4; ++first) {
      Value here = arith.compareInt(arith::CmpIPredicate::eq, word,
                                    arith.integer(first));
      entry = arith.select(here, arith.integer(int32_t(kTwoOverPi[n + first])),
                           entry);
    }
    table[n] = words.extend(entry);
  }
  Value places = words.extend(inWord);
  std::array<Value, 3> part;
  for (int n = 0; n < 3; ++n) {
    Value pair = wide.addInt(wide.shiftLeft(table[n], 32), table[n + 1]);
    part[n] = wide.shiftRight(words.shiftLeft(pair, places), 32);
  }

  // m times the three words, modulo 2^96, without the last 32 bits: the
  // fraction of a full turn, in units of 2^-64.
  Value m = words.extend(mantissa);
  Value turn = wide.shiftLeft(words.mul(m, part[0]), 32);
  turn = wide.addInt(turn, words.mul(m, part[1]));
  turn = wide.addInt(turn, wide.shiftRight(words.mul(m, part[2]), 32));

  // The nearest quarter turn, and the signed remainder.
  Value quarter =
      wide.shiftRight(wide.addInt(turn, wide.integer(int64_t(1) << 61)), 62);
  Value rest = wide.subInt(turn, wide.shiftLeft(quarter, 62));
  Value angle = wide.mul(words.toFloat(rest),
                         wide.constant(0x1.921fb54442d18p0 * 0x1p-62));
  Value quadrant = words.truncate(quarter, arith.integerType());

  Value negative = arith.less(x, arith.constant(0));
  angle = wide.select(negative, wide.neg(angle), angle);
  quadrant = arith.select(negative, arith.subInt(arith.integer(0), quadrant),
                          quadrant);
  Value finite = arith.less(arith.abs(x), arith.infinity());
  Value high = arith.select(finite, arith.narrow(angle), arith.nan());
  Value excess = arith.narrow(wide.sub(arith.widen(high), angle));
  return {high, excess, quadrant};
}

Angle pruner::math_expansion::reduceAngle(const Arithmetic &arith, Value x) {
  OpBuilder &builder = arith.builder();
  Location loc = arith.loc();
  Angle small = reduceSmall(arith, x);
  // Not "less", so that NaN takes the path for large angles.
  Value fits = arith.less(arith.abs(x), arith.constant(kMaxSmallAngle));
  Value all = fits;
  if (isa<VectorType>(fits.getType()))
    all = vector::ReductionOp::create(builder, loc, vector::CombiningKind::AND,
                                      fits);
  auto branch = scf::IfOp::create(
      builder, loc, all,
      [&](OpBuilder &inside, Location) {
        scf::YieldOp::create(
            inside, loc, ValueRange{small.angle, small.excess, small.quadrant});
      },
      [&](OpBuilder &inside, Location) {
        Arithmetic here(inside, loc, arith.type());
        Angle large = reduceLarge(here, x);
        scf::YieldOp::create(
            inside, loc,
            ValueRange{here.select(fits, small.angle, large.angle),
                       here.select(fits, small.excess, large.excess),
                       here.select(fits, small.quadrant, large.quadrant)});
      });
  return {branch.getResult(0), branch.getResult(1), branch.getResult(2)};
}
