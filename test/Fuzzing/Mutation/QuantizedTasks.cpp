//===- QuantizedTasks.cpp - tasks with wide and narrow numbers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Text/LinalgWriter.h"
#include "TaskDraws.h"

#include <cmath>

using namespace llvm;
using namespace pruner;

static std::string constant(const std::string &to, double value,
                            const std::string &type) {
  char text[40];
  std::snprintf(text, sizeof text, isFloatName(type) ? "%.9e" : "%.0f", value);
  return bodyLine(to, "arith.constant", text, type);
}

namespace {
/// The conversion of accumulators to i8.
struct Requantization {
  bool fixedPoint;  ///< A multiplier and a shift, else an f32.
  bool perChannel;  ///< One scale per channel, from an argument.
  bool isUnsigned;  ///< Results in [0, 255].
  bool clampsReals; ///< In f32, before the conversion.
  double scale;
  int zeroPoint;

  /// `terms` is the length of the sums, which determines the size of
  /// accumulators.
  Requantization(Random &random, int64_t terms) {
    fixedPoint = random.uniform(3) == 0;
    perChannel = random.uniform(3) == 0;
    isUnsigned = random.uniform(3) == 0;
    clampsReals = random.uniform(2);
    // Scales a standard deviation of sums of products of i8 to about 64.
    double size = std::sqrt(double(terms)) * 5400 / 64;
    scale = 1 / (size * (1 + random.uniformReal()));
    if (random.uniform(2)) // Ties are then representable.
      scale = std::exp2(std::round(std::log2(scale)));
    zeroPoint = int(random.uniform(31)) - 15 + (isUnsigned ? 128 : 0);
  }

  /// The body from %v, an i32, to %r, an i8; `scaleName` is the argument with
  /// the scale of a channel.
  std::string body(const std::string &scaleName) const {
    return fixedPoint ? integerBody(scaleName) : realBody(scaleName);
  }

private:
  std::string realBody(const std::string &scaleName) const {
    std::string lo = isUnsigned ? "0" : "-128", hi = isUnsigned ? "255" : "127";
    std::string text = bodyLine("%f", "arith.sitofp", "%v", "i32 to f32");
    if (!perChannel)
      text += constant("%k", scale, "f32");
    text +=
        bodyLine("%m", "arith.mulf",
                 "%f, " + (perChannel ? scaleName : std::string("%k")), "f32") +
        bodyLine("%n", "math.roundeven", "%m", "f32");
    if (clampsReals)
      return text + constant("%z", zeroPoint, "f32") +
             bodyLine("%lo", "arith.constant", lo + ".0", "f32") +
             bodyLine("%hi", "arith.constant", hi + ".0", "f32") +
             bodyLine("%p", "arith.addf", "%n, %z", "f32") +
             bodyLine("%c", "arith.maximumf", "%p, %lo", "f32") +
             bodyLine("%d", "arith.minimumf", "%c, %hi", "f32") +
             (isUnsigned ? bodyLine("%r0", "arith.fptoui", "%d", "f32 to i8")
                         : bodyLine("%r0", "arith.fptosi", "%d", "f32 to i8"));
    // Accumulators times the scale of an argument may exceed the range of
    // integers.
    return text + bodyLine("%least", "arith.constant", "-1.0e+09", "f32") +
           bodyLine("%most", "arith.constant", "1.0e+09", "f32") +
           bodyLine("%n1", "arith.maximumf", "%n, %least", "f32") +
           bodyLine("%n2", "arith.minimumf", "%n1, %most", "f32") +
           bodyLine("%i", "arith.fptosi", "%n2", "f32 to i32") +
           clamped("%i", "i32");
  }

  std::string integerBody(const std::string &multiplier) const {
    // scale = k 2^-s, k in [2^30, 2^31).
    int exponent;
    double fraction = std::frexp(scale, &exponent);
    int shift = 31 - exponent;
    std::string text =
        bodyLine("%w", "arith.extsi", "%v", "i32 to i64") +
        (perChannel ? bodyLine("%k", "arith.extsi", multiplier, "i32 to i64")
                    : constant("%k", std::floor(fraction * 0x1p31), "i64")) +
        constant("%h", std::ldexp(1.0, shift - 1), "i64") +
        constant("%s", shift, "i64") +
        bodyLine("%m", "arith.muli", "%w, %k", "i64") +
        bodyLine("%n", "arith.addi", "%m, %h", "i64") +
        bodyLine("%i", "arith.shrsi", "%n, %s", "i64");
    return text + clamped("%i", "i64");
  }

  std::string clamped(const std::string &from, const std::string &type) const {
    return constant("%z", zeroPoint, type) +
           constant("%lo", isUnsigned ? 0 : -128, type) +
           constant("%hi", isUnsigned ? 255 : 127, type) +
           bodyLine("%p", "arith.addi", from + ", %z", type) +
           bodyLine("%c", "arith.maxsi", "%p, %lo", type) +
           bodyLine("%d", "arith.minsi", "%c, %hi", type) +
           bodyLine("%r0", "arith.trunci", "%d", type + " to i8");
  }
};
} // namespace

/// The sums `sums` of i32, possibly with a bias, as i8. The channel is
/// coordinate `channel`.
static TextTensor requantized(TaskWriter &t, const TextTensor &sums,
                              unsigned channel, int64_t terms, Random &random) {
  Requantization how(random, terms);
  TextMap all = allDims(sums.rank());
  std::vector<TextOperand> operands{{sums, all}};
  int64_t channels = sums.shape[channel];
  std::string body = "", scale = "%x1";
  if (random.uniform(2)) {
    operands.push_back({t.argument({channels}, "i32"), {all[channel]}});
    body = bodyLine("%v", "arith.addi", "%x0, %x1", "i32");
    scale = "%x2";
  }
  if (how.perChannel)
    operands.push_back({t.argument({channels}, how.fixedPoint ? "i32" : "f32"),
                        {all[channel]}});
  std::string rest = how.body(scale);
  if (body.empty())
    for (size_t at = 0; (at = rest.find("%v", at)) != std::string::npos;)
      rest.replace(at, 2, "%x0");
  return t.generic(std::string(all.size(), 'p'), operands,
                   {t.empty(sums.shape, "i8"), all}, body + rest);
}

std::string pruner::drawRequantization(StringRef, Random &random) {
  TaskWriter t;
  int64_t n = drawExtent(random, 257), m = drawExtent(random, 257);
  TextTensor sums = t.argument({n, m}, "i32");
  return t.finish(requantized(t, sums, 1, 1 + random.uniform(1000), random));
}

/// The body of a product of i8, possibly with the zero point of the first
/// factor subtracted.
static std::string quantizedProduct(Random &random) {
  bool isUnsigned = random.uniform(3) == 0;
  int64_t zero = random.uniform(2) ? int64_t(random.uniform(200)) - 100 : 0;
  std::string text = bodyLine("%p", isUnsigned ? "arith.extui" : "arith.extsi",
                              "%x0", "i8 to i32") +
                     bodyLine("%q", "arith.extsi", "%x1", "i8 to i32");
  std::string first = "%p";
  if (zero) {
    text += constant("%z", double(zero), "i32") +
            bodyLine("%p1", "arith.subi", "%p, %z", "i32");
    first = "%p1";
  }
  return text + bodyLine("%m", "arith.muli", first + ", %q", "i32") +
         bodyLine("%r0", "arith.addi", "%y0, %m", "i32");
}

std::string pruner::drawQuantizedMatmul(StringRef, Random &random) {
  TaskWriter t;
  int64_t k = random.uniform(6) == 0 ? 2048 : drawExtent(random, 257);
  int64_t n = drawExtent(random, std::max<int64_t>(1, (1 << 15) / k));
  int64_t m = drawExtent(random, std::max<int64_t>(1, (1 << 15) / k / n));
  bool turned = random.uniform(2);
  TextTensor x = t.argument({m, k}, "i8"),
             y = t.argument(turned ? Shape{n, k} : Shape{k, n}, "i8");
  TextTensor sums = t.generic(
      "ppr",
      {{x, {"d0", "d2"}},
       {y, turned ? TextMap{"d1", "d2"} : TextMap{"d2", "d1"}}},
      {t.filled({m, n}, "i32", "0"), {"d0", "d1"}}, quantizedProduct(random));
  return t.finish(requantized(t, sums, 1, k, random));
}

std::string pruner::drawQuantizedConvolution(StringRef, Random &random) {
  TaskWriter t;
  int64_t c = 1 + random.uniform(12), f = 1 + random.uniform(17),
          h = 1 + random.uniform(9), w = 1 + random.uniform(13),
          kernel = 1 + random.uniform(3);
  bool channelsLast = random.uniform(2);
  Shape in{1, c, h + kernel - 1, w + kernel - 1}, out{1, f, h, w},
      filter{f, c, kernel, kernel};
  TextMap at{"d0", "d6", "d2 + d4", "d3 + d5"}, to{"d0", "d1", "d2", "d3"},
      taps{"d1", "d6", "d4", "d5"};
  auto turn = [&](auto &list, size_t from) {
    if (channelsLast)
      std::rotate(list.begin() + from, list.begin() + from + 1, list.end());
  };
  turn(in, 1);
  turn(out, 1);
  turn(at, 1);
  turn(to, 1);
  TextTensor sums = t.generic(
      "pppprrr", {{t.argument(in, "i8"), at}, {t.argument(filter, "i8"), taps}},
      {t.filled(out, "i32", "0"), to}, quantizedProduct(random));
  return t.finish(
      requantized(t, sums, channelsLast ? 3 : 1, c * kernel * kernel, random));
}

/// Integers of 64 bits: sums, extrema, products, elementwise operations,
/// comparisons.
std::string pruner::drawWide(StringRef type, Random &random) {
  TaskWriter t;
  std::string e = type.str();
  int64_t n = drawExtent(random, 65), m = drawExtent(random, 65);
  TextMap all{"d0", "d1"};
  TextTensor x = t.argument({n, m}, e);
  unsigned kind = random.uniform(6);
  if (kind == 0)
    return drawReduction(type, random);
  if (kind == 1) {
    int64_t k = drawExtent(random, 65);
    return t.finish(t.generic(
        "ppr", {{x, {"d0", "d2"}}, {t.argument({m, k}, e), {"d2", "d1"}}},
        {t.filled({n, k}, e, "0"), all},
        bodyLine("%m", "arith.muli", "%x0, %x1", e) +
            bodyLine("%r0", "arith.addi", "%y0, %m", e)));
  }
  TextTensor y = t.argument({n, m}, e);
  static const char *const predicates[] = {"eq", "slt", "ult", "sge"};
  std::string compare =
      "arith.cmpi " + std::string(predicates[random.uniform(4)]) + ",";
  if (kind == 2)
    return t.finish(t.generic("pp", {{x, all}, {y, all}},
                              {t.empty({n, m}, "i1"), all},
                              bodyLine("%r0", compare, "%x0, %x1", e)));
  std::string body;
  if (kind == 3)
    body = bodyLine("%c", compare, "%x0, %x1", e) +
           bodyLine("%s", "arith.subi", "%x0, %x1", e) +
           bodyLine("%r0", "arith.select", "%c, %s, %x1", e);
  else if (kind == 4)
    body = bodyLine("%s", "arith.muli", "%x0, %x1", e) +
           bodyLine("%r0", "arith.addi", "%s, %x0", e);
  else
    body = constant("%k", 17, e) + bodyLine("%s", "arith.shrsi", "%x0, %k", e) +
           bodyLine("%r0", "arith.maxsi", "%s, %x1", e);
  return t.finish(
      t.generic("pp", {{x, all}, {y, all}}, {t.empty({n, m}, e), all}, body));
}

/// Several operations in a narrow type, each of which rounds, followed by
/// comparisons.
std::string pruner::drawChain(StringRef type, Random &random) {
  TaskWriter t;
  std::string e = type.str();
  int64_t n = drawExtent(random, 65), m = drawExtent(random, 65);
  TextMap all{"d0", "d1"};
  TextTensor x = t.argument({n, m}, e), y = t.argument({n, m}, e);
  std::string body, result = e;
  switch (random.uniform(4)) {
  case 0: // A rotation.
    body = bodyLine("%p", "arith.mulf", "%x0, %x1", e) +
           constant("%k", 0.75, e) +
           bodyLine("%q", "arith.mulf", "%x1, %k", e) +
           bodyLine("%r0", "arith.subf", "%p, %q", e);
    break;
  case 1: // Whether a quotient is this number.
    body = constant("%k", 3, e) + bodyLine("%q", "arith.divf", "%x0, %k", e) +
           bodyLine("%p", "arith.mulf", "%q, %k", e) +
           bodyLine("%r0", "arith.cmpf oeq,", "%p, %x0", e);
    result = "i1";
    break;
  case 2:
    body = bodyLine("%s", "arith.addf", "%x0, %x1", e) +
           bodyLine("%q", "arith.mulf", "%s, %s", e) +
           bodyLine("%c", "arith.cmpf ogt,", "%q, %x1", e) +
           bodyLine("%r0", "arith.select", "%c, %q, %s", e);
    break;
  default:
    body = constant("%k", 5, e) + bodyLine("%q", "arith.mulf", "%x0, %k", e) +
           bodyLine("%f", "math.floor", "%q", e) +
           bodyLine("%s", "arith.subf", "%q, %f", e) +
           bodyLine("%r0", "arith.mulf", "%s, %x1", e);
  }
  return t.finish(t.generic("pp", {{x, all}, {y, all}},
                            {t.empty({n, m}, result), all}, body));
}

/// Fewer than 64 elements: extrema and selections with NaN, or sums.
std::string pruner::drawSmall(StringRef type, Random &random) {
  TaskWriter t;
  std::string e = type.str();
  int64_t n = 1 + random.uniform(7), k = 1 + random.uniform(63 / n);
  bool rows = random.uniform(2);
  TextMap in = rows ? TextMap{"d0", "d1"} : TextMap{"d1", "d0"};
  TextTensor x = t.argument(rows ? Shape{n, k} : Shape{k, n}, e);
  Combination how = drawCombination(e, random);
  if (isFloatName(e) && random.uniform(3) == 0) {
    // The largest number; none if a NaN follows it.
    static const char *const predicates[] = {"ogt", "uge"};
    how = {infinityOf(e, true),
           bodyLine("%c",
                    "arith.cmpf " + std::string(predicates[random.uniform(2)]) +
                        ",",
                    "%x0, %y0", e) +
               bodyLine("%r0", "arith.select", "%c, %x0, %y0", e)};
  }
  return t.finish(t.generic("pr", {{x, in}},
                            {t.filled({n}, e, how.neutral), {"d0"}}, how.body));
}
