//===- DrawNumbers.cpp - roundings, integer widths, masks and scalars -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkDraw.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pruner;

static unsigned widthOf(const std::string &element) {
  return element == "index" ? 64 : unsigned(std::stoul(element.substr(1)));
}

/// Integers of many widths, including some that are never stored: spread over
/// all of their bits, multiplied, shifted, cut and extended.
void NetworkDraw::widths() {
  TextTensor x = integer(1), y = like(x.shape, x.element);
  static const char *const types[] = {"i1",  "i5",  "i7",  "i8",  "i12",
                                      "i16", "i24", "i32", "i48", "i64"};
  BodyText body;
  std::string e = x.element, value = "%x0", other = "%x1";
  auto convert = [&](const std::string &from, const std::string &type,
                     const std::string &to, bool isSigned) {
    if (type == to)
      return from;
    const char *how = widthOf(type) > widthOf(to) ? "arith.trunci"
                      : isSigned                  ? "arith.extsi"
                                                  : "arith.extui";
    return body.add(how, from, type + " to " + to);
  };
  for (int64_t steps = between(2, 6); steps > 0; --steps) {
    if (chance(60)) {
      std::string to = types[random.uniform(std::size(types))];
      bool isSigned = chance(60);
      value = convert(value, e, to, isSigned);
      other = convert(other, e, to, !isSigned || chance(50));
      e = to;
    }
    unsigned width = widthOf(e);
    auto two = [&](const char *operation, const std::string &a,
                   const std::string &b) {
      return body.add(std::string("arith.") + operation, a + ", " + b, e);
    };
    switch (random.uniform(7)) {
    case 0: // All bits.
      if (width >= 32) {
        value = two("muli", value, constant("-1640531535", e));
        break;
      }
      [[fallthrough]];
    case 1:
      value = two("muli", value, other);
      break;
    case 2: { // The high half of a product.
      if (width > 32 || width < 4) {
        value = two("xori", value, other);
        break;
      }
      std::string wide = "i" + std::to_string(2 * width);
      bool isSigned = chance(60);
      std::string a = convert(value, e, wide, isSigned),
                  b = convert(other, e, wide, isSigned);
      std::string product = body.add("arith.muli", a + ", " + b, wide);
      std::string by = constant(std::to_string(width), wide);
      value = convert(body.add(isSigned ? "arith.shrsi" : "arith.shrui",
                               product + ", " + by, wide),
                      wide, e, false);
      break;
    }
    case 3: {
      std::string by = constant(std::to_string(random.uniform(width)), e);
      value = two(oneOf<const char *>({"shrsi", "shrui", "shli"}), value, by);
      break;
    }
    case 4: // By a nonzero number.
      if (width > 2) {
        std::string by = constant(std::to_string(between(2, 3)), e);
        value = two(oneOf<const char *>({"divsi", "divui", "remsi", "remui",
                                         "floordivsi", "ceildivsi"}),
                    value, by);
        break;
      }
      [[fallthrough]];
    case 5: {
      std::string which =
          body.add(std::string("arith.cmpi ") +
                       oneOf<const char *>({"slt", "ult", "sge", "ne"}) + ",",
                   value + ", " + other, e);
      value = body.add("arith.select", which + ", " + value + ", " + other, e);
      break;
    }
    default:
      value = two(oneOf<const char *>({"addi", "subi", "xori", "andi", "ori",
                                       "minsi", "maxui", "minui", "maxsi"}),
                  value, other);
    }
  }
  // Mostly a stored type, sometimes one that only occurs between two
  // operations.
  TextTensor result;
  std::string to = oneOf<const char *>({"i8", "i16", "i32", "i64"});
  if (chance(70) || e == "i1") {
    value = convert(value, e, to, chance(50));
    TextMap map = allDims(x.rank());
    commit({generic(std::string(x.rank(), 'p'), {{x, map}, {y, map}},
                    {{empty(x.shape, to), map}}, body.text, {value})[0]});
    return;
  }
  TextMap map = allDims(x.rank());
  TextTensor odd = generic(std::string(x.rank(), 'p'), {{x, map}, {y, map}},
                           {{empty(x.shape, e), map}}, body.text, {value})[0];
  if (e == to) {
    commit({odd});
    return;
  }
  const char *how = widthOf(e) > widthOf(to) ? "arith.trunci" : "arith.extsi";
  commit({elementwise({odd}, x.shape, to,
                      std::string("    %r0 = ") + how + " %x0 : " + e + " to " +
                          to + "\n")});
}

/// Sums in i32 to bytes: by a floating-point scale, or by an integer one and a
/// shift.
void NetworkDraw::requantize() {
  TextTensor x = integer(1, 4);
  if (x.element != "i32")
    x = cast(x, "i32");
  BodyText body;
  auto two = [&](const char *operation, const std::string &a,
                 const std::string &b, const std::string &e) {
    return body.add(std::string("arith.") + operation, a + ", " + b, e);
  };
  std::string zero = constant(std::to_string(between(-5, 5)), "i32"),
              value = two("muli", "%x0",
                          constant(oneOf<const char *>(
                                       {"1", "113", "-9973", "1000003"}),
                                   "i32"),
                          "i32");
  bool narrows = chance(75);
  std::string e = "i32";
  if (chance(50)) {
    std::string scale = number(oneOf({0.0117, 0.5, 0.00031, 1.5}), "f32");
    value = body.add("arith.sitofp", value, "i32 to f32");
    value = two("mulf", value, constant(scale, "f32"), "f32");
    value = body.add(oneOf<const char *>({"math.roundeven", "math.roundeven",
                                          "math.round", "math.floor"}),
                     value, "f32");
    // Clamped before or after the conversion to an integer.
    std::string low = constant(number(-1000, "f32"), "f32"),
                high = constant(number(1000, "f32"), "f32");
    value = two("maximumf", value, low, "f32");
    value = two("minimumf", value, high, "f32");
    value = body.add("arith.fptosi", value, "f32 to i32");
  } else {
    int64_t shift = between(31, 40);
    std::string factor = constant(std::to_string(between(1 << 30, INT32_MAX)),
                                  "i64"),
                half =
                    constant(std::to_string(int64_t(1) << (shift - 1)), "i64"),
                by = constant(std::to_string(shift), "i64");
    value = body.add("arith.extsi", value, "i32 to i64");
    value = two("muli", value, factor, "i64");
    value = two("addi", value, half, "i64");
    value = two("shrsi", value, by, "i64");
    value = body.add("arith.trunci", value, "i64 to i32");
  }
  value = two("addi", value, zero, "i32");
  if (narrows || chance(50)) {
    bool isSigned = chance(70);
    value = two("maxsi", value, constant(isSigned ? "-128" : "0", e), e);
    value = two("minsi", value, constant(isSigned ? "127" : "255", e), e);
  }
  if (narrows)
    value = body.add("arith.trunci", value, "i32 to i8");
  std::string to = narrows ? "i8" : "i32";
  TextMap map = allDims(x.rank());
  commit({generic(std::string(x.rank(), 'p'), {{x, map}},
                  {{empty(x.shape, to), map}}, body.text, {value})[0]});
}

/// Operations that each round, followed by an operation that shows whether they
/// did: a comparison with a value computed separately, a rounding to integers,
/// a cast back.
void NetworkDraw::floatChain() {
  TextTensor x = real(1, 4, 2048);
  std::string e =
      chance(50) ? oneOf<const char *>({"bf16", "f16", "f32"}) : x.element;
  if (e != x.element)
    x = cast(x, e);
  std::string c = constant(number(oneOf({3.0, 0.1, 7.0, 1.7, 0.3}), e), e);
  std::string t = " : " + e + "\n";
  auto map = [&](const std::vector<TextTensor> &inputs, const BodyText &body,
                 const std::string &value, const std::string &element) {
    std::vector<std::string> all;
    for (size_t d = 0; d < x.rank(); ++d)
      all.push_back("d" + std::to_string(d));
    std::vector<TextOperand> operands;
    for (const TextTensor &input : inputs)
      operands.push_back({input, all});
    return generic(std::string(x.rank(), 'p'), operands,
                   {{empty(x.shape, element), all}}, body.text, {value})[0];
  };
  BodyText body;
  auto two = [&](BodyText &to, const char *operation, const std::string &a,
                 const std::string &b) {
    return to.add(std::string("arith.") + operation, a + ", " + b, e);
  };
  const char *first = oneOf<const char *>({"divf", "mulf", "addf", "subf"});
  switch (random.uniform(6)) {
  case 0: { // Equal to a value computed separately.
    BodyText apart;
    TextTensor known = map({x}, apart, two(apart, first, "%x0", c), e);
    std::string again = two(body, first, "%x0", c);
    std::string same =
        body.add(std::string("arith.cmpf ") +
                     oneOf<const char *>({"oeq", "une", "ole", "ult"}) + ",",
                 again + ", %x1", e);
    TextTensor y = map({x, known}, body, same, "i1");
    commit(chance(50) ? std::vector<TextTensor>{y}
                      : std::vector<TextTensor>{known, y});
    return;
  }
  case 1: { // The remainder.
    std::string quotient = two(body, "divf", "%x0", c);
    std::string whole = body.add(
        oneOf<const char *>({"math.floor", "math.trunc", "math.roundeven"}),
        quotient, e);
    std::string back = two(body, "mulf", whole, c);
    commit({map({x}, body, two(body, "subf", "%x0", back), e)});
    return;
  }
  case 2: { // Rounded to integers.
    std::string scale = constant(number(oneOf({20.0, 63.0, 10.0}), e), e);
    std::string product = two(body, "mulf", "%x0", scale);
    std::string sum = two(body, "addf", product, c);
    std::string to = oneOf<const char *>({"i8", "i32", "i64"});
    commit(
        {map({x}, body, body.add("arith.fptosi", sum, e + " to " + to), to)});
    return;
  }
  case 3: { // A rotation of pairs.
    TextTensor y = like(x.shape, e), cosine = like(x.shape, e);
    std::string a = two(body, "mulf", "%x0", "%x2"),
                b = two(body, "mulf", "%x1", c);
    commit({map({x, y, cosine}, body, two(body, "subf", a, b), e)});
    return;
  }
  case 4: { // To a narrower type and back.
    std::string value = two(body, first, "%x0", c), type = e;
    for (int64_t steps = between(1, 3); steps > 0; --steps) {
      bool narrow = type == "f16" || type == "bf16";
      std::string to = narrow ? "f32"
                       : type == "f64"
                           ? oneOf<const char *>({"f32", "f16", "bf16"})
                           : oneOf<const char *>({"f16", "bf16"});
      value = body.add(narrow ? "arith.extf" : "arith.truncf", value,
                       type + " to " + to);
      type = to;
      std::string third = constant(number(3, type), type);
      if (chance(60))
        value =
            body.add(std::string("arith.") + first, value + ", " + third, type);
    }
    commit({map({x}, body, value, type)});
    return;
  }
  default: { // The larger of two products.
    TextTensor y = like(x.shape, e);
    std::string a = two(body, first, "%x0", c), b = two(body, first, "%x1", c);
    std::string larger = body.add("arith.cmpf ogt,", a + ", " + b, e);
    commit({map({x, y}, body,
                body.add("arith.select", larger + ", " + a + ", %x1", e), e)});
  }
  }
}

/// Rows of which some are masked completely, and operations on them.
void NetworkDraw::rowMask() {
  TextTensor x = real(2, 3, 2048);
  const std::string e = x.element;
  std::string t = " : " + e + "\n";
  Shape rows = x.shape, columns = x.shape;
  rows.back() = 1;
  for (size_t d = 0; d + 1 < columns.size(); ++d)
    columns[d] = 1;
  TextTensor keep = like(rows, "i1"), mask = like(columns, "i1");
  std::string low = constant(infinityOf(e, true), e);
  TextTensor masked = elementwise(
      {x, keep, mask}, x.shape, e,
      std::string("    %p = arith.") + oneOf<const char *>({"andi", "ori"}) +
          " %x1, %x2 : i1\n    %r0 = arith.select %p, %x0, " + low + t);
  std::vector<bool> last(x.rank(), false);
  last.back() = true;
  switch (random.uniform(4)) {
  case 0: // NaN for a completely masked row.
    commit({rowSoftmax(masked, random.uniform(4))}, /*wild=*/true);
    return;
  case 1:
    commit({reduce(masked, last, chance(50) ? "max" : "maxnum", chance(50))},
           /*wild=*/true);
    return;
  case 2: // The maximum by comparisons.
  {
    Shape shape(x.shape.begin(), x.shape.end() - 1);
    std::vector<std::string> in, out;
    for (size_t d = 0; d < x.rank(); ++d)
      in.push_back("d" + std::to_string(d));
    out.assign(in.begin(), in.end() - 1);
    std::string kinds(x.rank(), 'p');
    kinds.back() = 'r';
    BodyText body;
    std::string larger = body.add("arith.cmpf ogt,", "%x0, %y0", e);
    std::string value = body.add("arith.select", larger + ", %x0, %y0", e);
    commit({generic(kinds, {{masked, in}},
                    {{filled(shape, e, infinityOf(e, true)), out}}, body.text,
                    {value})[0]},
           /*wild=*/true);
    return;
  }
  default: { // Zero for a completely masked row.
    TextTensor most = reduce(masked, last, "max", true);
    std::string zero = constant(number(0, e), e);
    TextTensor shift =
        elementwise({most}, most.shape, e,
                    "    %p = arith.cmpf oeq, %x0, " + low + t +
                        "    %r0 = arith.select %p, " + zero + ", %x0" + t);
    TextTensor power = elementwise({masked, shift}, x.shape, e,
                                   "    %s = arith.subf %x0, %x1" + t +
                                       "    %r0 = math.exp %s" + t);
    TextTensor sum = reduce(power, last, "sum", true);
    std::string small = constant(number(0.001, e), e);
    commit({elementwise({power, sum}, x.shape, e,
                        "    %s = arith.maximumf %x1, " + small + t +
                            "    %r0 = arith.divf %x0, %s" + t)});
  }
  }
}

/// Elements that bodies capture: of constant weights, of arguments, of results;
/// directly or after a computation.
void NetworkDraw::scalars() {
  TextTensor x = real(1, 4, 2048);
  std::vector<std::string> captured, elements;
  BodyText body;
  std::string value = "%x0", e = x.element;
  for (int64_t left = between(1, 3); left > 0; --left) {
    bool whole = chance(35);
    std::string type = whole ? oneOf<const char *>({"i32", "i64", "i8"}) : e;
    Shape shape(random.uniform(2), between(1, 4));
    TextTensor from =
        chance(65) ? argument(shape, type, true) : like(shape, type);
    std::string at, scalar = name("q");
    for (int64_t extent : from.shape)
      at = constant(std::to_string(random.uniform(extent)), "index");
    written += "  " + scalar + " = tensor.extract " + from.name + "[" + at +
               "] : " + from.type() + "\n";
    if (chance(50)) { // Computed before any body captures it.
      std::string more = name("q");
      written += "  " + more + " = arith." + (whole ? "muli " : "mulf ") +
                 scalar + ", " + scalar + " : " + type + "\n";
      scalar = more;
    }
    if (whole) {
      std::string real = name("q");
      if (chance(50)) {
        written += "  " + real + " = arith.sitofp " + scalar + " : " + type +
                   " to " + e + "\n";
        scalar = real;
      } else {
        scalar = body.add("arith.sitofp", scalar, type + " to " + e);
      }
      std::string small = constant(number(0.0625, e), e);
      scalar = body.add("arith.mulf", scalar + ", " + small, e);
    }
    value =
        body.add(std::string("arith.") +
                     oneOf<const char *>({"mulf", "addf", "subf", "maximumf"}),
                 value + ", " + scalar, e);
  }
  TextMap map = allDims(x.rank());
  commit({generic(std::string(x.rank(), 'p'), {{x, map}},
                  {{empty(x.shape, e), map}}, body.text, {value})[0]});
}
