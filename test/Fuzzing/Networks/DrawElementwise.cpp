//===- DrawElementwise.cpp - elementwise operations -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkDraw.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pruner;

/// A body from %x0 to %r0 in the element type `e`, in the forms that exporters
/// write.
std::string NetworkDraw::unaryBody(const std::string &e) {
  auto c = [&](double value) { return constant(number(value, e), e); };
  std::string t = " : " + e + "\n";
  auto one = [&](const char *function, const std::string &of,
                 const char *result = "%r0") {
    return std::string("    ") + result + " = " + function + " " + of + t;
  };
  auto two = [&](const char *function, const std::string &a,
                 const std::string &b, const char *result = "%r0") {
    return std::string("    ") + result + " = arith." + function + " " + a +
           ", " + b + t;
  };
  std::string zero, half, unit, other;
  switch (random.uniform(24)) {
  case 0: // ReLU.
  case 1:
    zero = c(0);
    return "    %p = arith.cmpf ugt, %x0, " + zero + t +
           "    %r0 = arith.select %p, %x0, " + zero + t;
  case 2:
    return two("maximumf", "%x0", c(0));
  case 3: // ReLU6.
    zero = c(0), other = c(6);
    return "    %p = arith.cmpf ult, %x0, " + zero + t +
           "    %s = arith.select %p, " + zero + ", %x0" + t +
           "    %q = arith.cmpf ugt, %s, " + other + t +
           "    %r0 = arith.select %q, " + other + ", %s" + t;
  case 4: // Leaky ReLU.
    zero = c(0), other = c(0.01);
    return "    %p = arith.cmpf ogt, %x0, " + zero + t +
           two("mulf", "%x0", other, "%s") +
           "    %r0 = arith.select %p, %x0, %s" + t;
  case 5: // GELU.
    half = c(0.5), unit = c(1), other = c(0.70710678118654757);
    return two("mulf", "%x0", other, "%s") + one("math.erf", "%s", "%f") +
           two("addf", "%f", unit, "%g") + two("mulf", "%x0", half, "%h") +
           two("mulf", "%h", "%g");
  case 6: { // GELU by tanh.
    half = c(0.5), unit = c(1), other = c(0.79788456080286541);
    std::string cubic = c(0.044715);
    return two("mulf", "%x0", "%x0", "%s") + two("mulf", "%s", "%x0", "%u") +
           two("mulf", "%u", cubic, "%v") + two("addf", "%x0", "%v", "%w") +
           two("mulf", "%w", other, "%o") + one("math.tanh", "%o", "%f") +
           two("addf", "%f", unit, "%g") + two("mulf", "%x0", half, "%h") +
           two("mulf", "%h", "%g");
  }
  case 7: // Sigmoid, SiLU.
  case 8: {
    unit = c(1);
    std::string divisor = one("arith.negf", "%x0", "%n") +
                          one("math.exp", "%n", "%f") +
                          two("addf", "%f", unit, "%g");
    return chance(50) ? divisor + two("divf", unit, "%g")
                      : divisor + two("divf", unit, "%g", "%s") +
                            two("mulf", "%s", "%x0");
  }
  case 9:
    return one("math.tanh", "%x0");
  case 10:
    return one("math.exp", "%x0");
  case 11: // Logarithms and roots of positive numbers.
    other = c(0.01);
    return one("math.absf", "%x0", "%s") + two("addf", "%s", other, "%u") +
           one(oneOf<const char *>({"math.log", "math.sqrt", "math.rsqrt",
                                    "math.log2", "math.log1p", "math.log10"}),
               "%u");
  case 12:
    return one(oneOf<const char *>({"math.absf", "arith.negf"}), "%x0");
  case 13:
    return one(oneOf<const char *>({"math.floor", "math.ceil", "math.roundeven",
                                    "math.round", "math.trunc"}),
               "%x0");
  case 14:
    return one(oneOf<const char *>({"math.sin", "math.cos"}), "%x0");
  case 15:
    return one(oneOf<const char *>({"math.erf", "math.exp2", "math.expm1",
                                    "math.atan", "math.sinh", "math.cosh"}),
               "%x0");
  case 16: { // Powers.
    std::string exponent = c(oneOf({2.0, 3.0, 0.5, -1.0, 2.5, 4.0, 1.0, 0.0}));
    other = c(0.25);
    if (chance(40))
      return "    %r0 = math.powf %x0, " + exponent + t;
    return one("math.absf", "%x0", "%s") + two("addf", "%s", other, "%u") +
           "    %r0 = math.powf %u, " + exponent + t;
  }
  case 17: {
    std::string exponent =
        constant(std::to_string(oneOf({2, 3, 4, 5, -1, -2})), "i32");
    other = c(1.5);
    return two("addf", "%x0", other, "%s") + "    %r0 = math.fpowi %s, " +
           exponent + " : " + e + ", i32\n";
  }
  case 18: { // Clamp.
    std::string least = c(-0.5), most = c(0.75);
    return two("maximumf", "%x0", least, "%s") + two("minimumf", "%s", most);
  }
  case 19: { // Hard swish.
    zero = c(0);
    std::string six = c(6), three = c(3), sixth = c(1.0 / 6);
    return two("addf", "%x0", three, "%s") + two("maximumf", "%s", zero, "%u") +
           two("minimumf", "%u", six, "%w") + two("mulf", "%w", sixth, "%v") +
           two("mulf", "%x0", "%v");
  }
  case 20: // The reciprocal of a nonzero number.
    other = c(oneOf({0.5, 1.25})), unit = c(1);
    return two("mulf", "%x0", "%x0", "%s") + two("addf", "%s", other, "%u") +
           two("divf", unit, "%u");
  case 21:
    return two(oneOf<const char *>({"mulf", "addf", "subf", "divf"}), "%x0",
               c(oneOf({0.125, 3.0, -1.7, 0.3, 10.0})));
  case 22: // Softplus.
    unit = c(1);
    return one("math.exp", "%x0", "%f") + two("addf", "%f", unit, "%g") +
           one("math.log", "%g");
  default: // Replaces NaN by a number.
    zero = c(0);
    return "    %p = arith.cmpf uno, %x0, %x0" + t +
           "    %r0 = arith.select %p, " + zero + ", %x0" + t;
  }
}

void NetworkDraw::unary() {
  TextTensor x = real();
  if (chance(8)) { // A named op.
    TextTensor into = empty(x.shape, x.element);
    commit({named(oneOf<const char *>(
                      {"linalg.exp", "linalg.abs", "linalg.negf", "linalg.tanh",
                       "linalg.floor", "linalg.erf", "linalg.square"}),
                  {x}, into)});
    return;
  }
  std::string body = unaryBody(x.element);
  commit({elementwise({x}, x.shape, x.element, body)});
}

void NetworkDraw::binary() {
  TextTensor x = real(1);
  // The other operand: the same shape, or some of its dimensions.
  Shape shape = x.shape;
  switch (random.uniform(6)) {
  case 0: // A vector along the last dimension.
    shape.assign(1, x.shape.back());
    break;
  case 1: // One along another dimension, as [c, 1, 1].
    for (size_t d = 0, keep = random.uniform(x.rank()); d < x.rank(); ++d)
      shape[d] = d == keep ? shape[d] : 1;
    break;
  case 2:
    for (int64_t &each : shape)
      each = chance(30) ? 1 : each;
    break;
  case 3:
    shape.clear();
    break;
  default:
    break;
  }
  TextTensor y = like(shape, x.element);
  std::string t = " : " + x.element + "\n", f;
  if (chance(8) && x.shape == y.shape) {
    commit({named(oneOf<const char *>({"linalg.add", "linalg.sub", "linalg.mul",
                                       "linalg.max", "linalg.min"}),
                  {x, y}, empty(x.shape, x.element))});
    return;
  }
  std::string a = "%x0", b = "%x1", body;
  if (chance(30))
    std::swap(a, b);
  switch (random.uniform(8)) {
  case 0: { // A division by a nonzero number.
    std::string small = constant(number(0.5, x.element), x.element);
    body = "    %s = math.absf " + b + t + "    %u = arith.addf %s, " + small +
           t + "    %r0 = arith.divf " + a + ", %u" + t;
    break;
  }
  case 1: // Multiplied and added, which may be fused.
    body = "    %s = arith.mulf " + a + ", " + b + t +
           "    %r0 = arith.addf %s, " + a + t;
    break;
  case 2:
    body = "    %s = arith.subf " + a + ", " + b + t +
           "    %r0 = arith.mulf %s, %s" + t;
    break;
  default:
    f = oneOf<const char *>({"addf", "addf", "mulf", "subf", "maximumf",
                             "minimumf", "maxnumf", "minnumf"});
    body = "    %r0 = arith." + f + " " + a + ", " + b + t;
  }
  commit({elementwise({x, y}, x.shape, x.element, body)});
}

void NetworkDraw::compareSelect() {
  TextTensor x = chance(75) ? real(1) : integer(1);
  TextTensor y = like(chance(60) ? x.shape : Shape{x.shape.back()}, x.element);
  std::string t = " : " + x.element + "\n";
  std::string how =
      x.isReal()
          ? std::string("cmpf ") +
                oneOf<const char *>({"olt", "ogt", "oeq", "une", "uge", "ule"})
          : std::string("cmpi ") +
                oneOf<const char *>({"slt", "sge", "eq", "ne", "ult", "ugt"});
  TextTensor mask = elementwise({x, y}, x.shape, "i1",
                                "    %r0 = arith." + how + ", %x0, %x1" + t);
  if (chance(25)) {
    commit({mask});
    return;
  }
  std::vector<TextTensor> known;
  for (const TextTensor &value : values)
    if (value.element == "i1" && value.shape == x.shape)
      known.push_back(value);
  if (!known.empty() && chance(50)) {
    const TextTensor &other = known[random.uniform(known.size())];
    mask = elementwise({mask, other}, x.shape, "i1",
                       std::string("    %r0 = arith.") +
                           oneOf<const char *>({"andi", "ori", "xori"}) +
                           " %x0, %x1 : i1\n");
  }
  std::string fill =
      constant(x.isReal() ? number(-0.25, x.element) : "3", x.element);
  commit({chance(50)
              ? elementwise({mask, x, y}, x.shape, x.element,
                            "    %r0 = arith.select %x0, %x1, %x2" + t)
              : elementwise({mask, x}, x.shape, x.element,
                            "    %r0 = arith.select %x0, %x1, " + fill + t)});
}

void NetworkDraw::integers() {
  TextTensor x = integer(1), y = like(x.shape, x.element);
  std::string t = " : " + x.element + "\n", body;
  switch (random.uniform(6)) {
  case 0: { // A division by a nonzero number.
    std::string least = constant("1", x.element);
    body = "    %s = arith.ori %x1, " + least + t + "    %r0 = arith." +
           oneOf<const char *>({"divsi", "remsi", "floordivsi", "divui",
                                "remui", "ceildivsi"}) +
           " %x0, %s" + t;
    break;
  }
  case 1: {
    std::string by = constant(std::to_string(between(2, 7)), x.element);
    body = std::string("    %r0 = arith.") +
           oneOf<const char *>({"divsi", "remsi", "floordivsi", "remui",
                                "shrsi", "shli", "shrui"}) +
           " %x0, " + by + t;
    break;
  }
  default:
    body = std::string("    %r0 = arith.") +
           oneOf<const char *>({"addi", "subi", "muli", "minsi", "maxsi",
                                "andi", "ori", "xori", "maxui", "minui"}) +
           " %x0, %x1" + t;
  }
  commit({elementwise({x, y}, x.shape, x.element, body)});
}

void NetworkDraw::casts() {
  TextTensor x = any();
  if (!x.isReal()) {
    commit({cast(x, x.element == "i1" || chance(60)
                        ? oneOf<const char *>({"f32", "i32", "i64", "f64"})
                        : oneOf<const char *>({"i8", "i16", "i32", "i64"}))});
    return;
  }
  if (chance(70)) {
    commit({cast(x, oneOf<const char *>({"f32", "f64", "f16", "bf16"}))});
    return;
  }
  // Truncated towards zero, from a range that fits.
  std::string c = constant(number(20, x.element), x.element);
  std::string to = oneOf<const char *>({"i8", "i32", "i64", "i16"});
  commit({elementwise({x}, x.shape, to,
                      "    %s = arith.mulf %x0, " + c + " : " + x.element +
                          "\n    %r0 = arith.fptosi %s : " + x.element +
                          " to " + to + "\n")});
}

/// Computed only from coordinates: positions, and triangular masks.
void NetworkDraw::positions() {
  int64_t rows = extent(17), columns = extent(33);
  if (chance(50)) {
    std::string body = "    %i = linalg.index 1 : index\n"
                       "    %r0 = arith.index_cast %i : index to i64\n";
    commit({generic("pp", {}, {{empty({rows, columns}, "i64"), {"d0", "d1"}}},
                    body)[0]});
    return;
  }
  TextTensor x = real(2, 2);
  std::string low = constant(infinityOf(x.element, true), x.element);
  if (chance(60))
    low = constant(number(-30, x.element), x.element);
  commit({elementwise({x}, x.shape, x.element,
                      "    %i = linalg.index 0 : index\n"
                      "    %j = linalg.index 1 : index\n"
                      "    %p = arith.cmpi sle, %j, %i : index\n"
                      "    %r0 = arith.select %p, %x0, " +
                          low + " : " + x.element + "\n")});
}

void NetworkDraw::quantize() {
  TextTensor x = real(1);
  std::string e = x.element, t = " : " + e + "\n";
  std::string scale = constant(number(oneOf({20.0, 31.75, 12.3}), e), e),
              zero = constant(number(oneOf({0.0, 0.0, 3.0}), e), e),
              low = constant(number(-128, e), e),
              high = constant(number(127, e), e);
  TextTensor q = elementwise(
      {x}, x.shape, "i8",
      "    %s = arith.mulf %x0, " + scale + t + "    %u = math.roundeven %s" +
          t + "    %z = arith.addf %u, " + zero + t +
          "    %l = arith.maximumf %z, " + low + t +
          "    %h = arith.minimumf %l, " + high + t +
          "    %r0 = arith.fptosi %h : " + e + " to i8\n");
  if (chance(40)) {
    commit({q});
    return;
  }
  std::string back = constant(number(0.05, e), e);
  TextTensor y = elementwise({q}, x.shape, e,
                             "    %w = arith.extsi %x0 : i8 to i32\n"
                             "    %s = arith.sitofp %w : i32 to " +
                                 e + "\n    %r0 = arith.mulf %s, " + back + t);
  commit(chance(40) ? std::vector<TextTensor>{q, y}
                    : std::vector<TextTensor>{y});
}
