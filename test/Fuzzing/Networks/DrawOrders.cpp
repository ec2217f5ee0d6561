//===- DrawOrders.cpp - reductions with and without a fixed order ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkDraw.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pruner;

/// A new value computed from %x0 and the old one, %y0; mostly one that depends
/// on the order of the iterations.
std::string NetworkDraw::orderedBody(const std::string &e, BodyText &body) {
  auto two = [&](const char *operation, const std::string &a,
                 const std::string &b) {
    return body.add(std::string("arith.") + operation, a + ", " + b, e);
  };
  std::string x = "%x0", y = "%y0", a = x, b = y;
  if (chance(50))
    std::swap(a, b);
  bool real = e[0] != 'i';
  // A selection between both: the larger one, the last one, or one that is not
  // NaN.
  if (chance(35)) {
    std::string how =
        real ? std::string("arith.cmpf ") +
                   oneOf<const char *>({"ogt", "oge", "olt", "ole", "ugt",
                                        "uge", "ult", "ule", "uno", "ord"})
             : std::string("arith.cmpi ") +
                   oneOf<const char *>(
                       {"sgt", "sge", "slt", "sle", "ugt", "ult"});
    std::string chosen = body.add(how + ",", a + ", " + b, e);
    return chance(50) ? body.add("arith.select", chosen + ", %y0, %x0", e)
                      : body.add("arith.select", chosen + ", %x0, %y0", e);
  }
  if (e == "i1")
    return two(oneOf<const char *>({"addi", "xori", "andi", "ori", "muli",
                                    "subi", "maxsi", "minui"}),
               a, b);
  if (!real) {
    std::string c = constant(std::to_string(between(2, 3)), e);
    switch (random.uniform(9)) {
    case 0:
      return two("addi", two("muli", y, c), x);
    case 1:
      return two("subi", a, b);
    case 2:
      return x;
    case 3:
      return two("addi", two("muli", x, y), y);
    case 4:
      return two("minsi", two("addi", a, b), constant("20", e));
    case 5:
      return two("xori", two("shli", y, c), x);
    case 6:
      return two("maxsi", two("subi", a, b), c);
    case 7:
      return two("addi", x, two("ori", y, c));
    default:
      return two(oneOf<const char *>(
                     {"addi", "muli", "minui", "maxsi", "xori", "andi", "ori"}),
                 a, b);
    }
  }
  std::string half = constant(number(oneOf({0.5, 0.25, 0.75}), e), e);
  switch (random.uniform(9)) {
  case 0:
    return two("addf", two("mulf", y, half), x);
  case 1:
    return two("subf", a, b);
  case 2:
    return chance(50) ? x : two("mulf", x, half);
  case 3: {
    std::string part = two("mulf", x, half);
    return two("addf", two("mulf", part, y), y);
  }
  case 4:
    return two("minimumf", two("addf", a, b), half);
  case 5:
    return two("mulf", two("addf", a, b), half);
  case 6: {
    std::string zero = constant(number(0, e), e);
    return two("maximumf", two("subf", a, b), zero);
  }
  case 7: { // NaN is left out.
    std::string ordered = body.add("arith.cmpf ord,", "%x0, %x0", e);
    std::string sum = two("addf", a, b);
    return body.add("arith.select", ordered + ", " + sum + ", %y0", e);
  }
  default:
    return two(oneOf<const char *>({"addf", "maximumf", "minnumf", "maxnumf"}),
               a, b);
  }
}

void NetworkDraw::orderedReduction() {
  TextTensor x = chance(60) ? real(1, 3, 2048) : discrete(1, 3, 2048);
  if (chance(25)) // Long enough for tiles and vectors.
    x = argument({extent(17), 16 + extent(17), extent(33)}, x.element);
  if (x.rank() == 0)
    return;
  std::string kinds;
  std::vector<std::string> in, out;
  Shape shape;
  size_t sure = random.uniform(x.rank());
  for (size_t d = 0; d < x.rank(); ++d) {
    bool reduced = d == sure || chance(35);
    in.push_back("d" + std::to_string(d));
    kinds += reduced ? 'r' : 'p';
    if (!reduced) {
      out.push_back(in.back());
      shape.push_back(x.shape[d]);
    }
  }
  TextTensor init = chance(50) ? filled(shape, x.element, number(0, x.element))
                               : like(shape, x.element);
  BodyText body;
  std::string value = orderedBody(x.element, body);
  commit({generic(kinds, {{x, in}}, {{init, out}}, body.text, {value})[0]});
}

/// A window that slides over a tensor, with a body that may read its partial
/// sum. It starts from the result of an elementwise operation.
void NetworkDraw::orderedWindow() {
  bool planes = chance(40);
  TextTensor x = planes ? real(4, 4, 1024) : real(1, 1, 256);
  const std::string e = x.element;
  int64_t taps = between(2, 3);
  if (x.shape.back() < taps || (planes && x.shape[2] < taps))
    return;
  int64_t channels = planes ? x.shape[1] : 1;
  Shape shape = x.shape, filter(planes ? 4 : 1, taps);
  shape.back() -= taps - 1;
  std::vector<std::string> in = {"d0 + d1"}, by = {"d1"}, out = {"d0"};
  std::string kinds = "pr";
  if (planes) {
    shape[1] = filter[0] = between(1, 4);
    filter[1] = channels;
    shape[2] -= taps - 1;
    kinds = "pppprrr";
    in = {"d0", "d4", "d2 + d5", "d3 + d6"};
    by = {"d1", "d4", "d5", "d6"};
    out = {"d0", "d1", "d2", "d3"};
  }
  TextTensor w = weight(filter, e, taps * taps * channels);
  // A bias that was modified.
  TextTensor init = like(planes && chance(60) ? Shape{shape[1]} : shape, e);
  std::string c = constant(number(oneOf({0.5, 1.0, 0.25}), e), e);
  std::vector<std::string> from;
  for (size_t d = 0; d < init.rank(); ++d)
    from.push_back("d" + std::to_string(init.rank() < shape.size() ? 1 : d));
  std::vector<std::string> all;
  for (size_t d = 0; d < shape.size(); ++d)
    all.push_back("d" + std::to_string(d));
  BodyText prepared;
  std::string first =
      prepared.add(chance(50) ? "arith.addf" : "arith.mulf", "%x0, " + c, e);
  init = generic(std::string(shape.size(), 'p'), {{init, from}},
                 {{empty(shape, e), all}}, prepared.text, {first})[0];
  BodyText body;
  auto two = [&](const char *operation, const std::string &a,
                 const std::string &b) {
    return body.add(std::string("arith.") + operation, a + ", " + b, e);
  };
  std::string value, product = two("mulf", "%x0", "%x1");
  switch (random.uniform(8)) {
  case 0:
    value = two("addf", two("mulf", product, "%y0"), "%y0");
    break;
  case 1:
    value = two("addf", two("mulf", "%x0", "%y0"), "%y0");
    break;
  case 2:
    value = two("subf", product, "%y0");
    break;
  case 3:
    value = two("maximumf", product, "%y0");
    break;
  case 4:
    value =
        two("mulf", two("addf", product, "%y0"), constant(number(0.5, e), e));
    break;
  case 5:
    value = two("addf", two("mulf", two("subf", "%x0", "%y0"), "%x1"), "%y0");
    break;
  case 6:
    value = two("subf", "%y0", product);
    break;
  default:
    value = two("addf", "%y0", product);
  }
  commit({generic(kinds, {{x, in}, {w, by}}, {{init, out}}, body.text,
                  {value})[0]});
}

/// Two results that depend on each other: arg-max by selections, running pairs.
void NetworkDraw::coupledReduction() {
  TextTensor x = chance(60) ? real(1, 3, 1024) : integer(1, 3);
  if (x.rank() == 0 || x.elements() > 1024)
    return;
  size_t along = random.uniform(x.rank());
  const std::string e = x.element;
  std::string kinds;
  std::vector<std::string> in, out;
  Shape shape;
  for (size_t d = 0; d < x.rank(); ++d) {
    in.push_back("d" + std::to_string(d));
    kinds += d == along ? 'r' : 'p';
    if (d != along) {
      out.push_back(in.back());
      shape.push_back(x.shape[d]);
    }
  }
  BodyText body;
  std::vector<std::string> results;
  std::string other = e;
  if (chance(60)) {
    other = oneOf<const char *>({"index", "i64", "i32", "i8"});
    std::string how =
        x.isReal()
            ? std::string("arith.cmpf ") +
                  oneOf<const char *>({"ogt", "uge", "olt", "ugt", "ole"})
            : std::string("arith.cmpi ") +
                  oneOf<const char *>({"sgt", "sge", "ult", "sle"});
    std::string which = body.add(how + ",", "%x0, %y0", e);
    body.text +=
        "    %i = linalg.index " + std::to_string(along) + " : index\n";
    std::string at = "%i";
    if (other != "index")
      at = body.add("arith.index_cast", "%i", "index to " + other);
    results = {body.add("arith.select", which + ", %x0, %y0", e),
               body.add("arith.select", which + ", " + at + ", %y1", other)};
  } else if (x.isReal()) {
    std::string half = constant(number(0.5, e), e);
    std::string sum = body.add("arith.addf", "%y0, %x0", e);
    results = {body.add("arith.mulf", "%y1, " + half, e),
               body.add("arith.mulf", sum + ", " + half, e)};
  } else {
    results = {"%y1", body.add("arith.addi", "%y0, %x0", e)};
  }
  bool takesFirst = chance(50); // The reduction starts with an element.
  std::string start = x.isReal() ? number(takesFirst ? -2 : 0.25, e) : "1";
  auto both = generic(kinds, {{x, in}},
                      {{filled(shape, e, start), out},
                       {filled(shape, other, number(0, other)), out}},
                      body.text, results);
  commit(chance(60) ? both : std::vector<TextTensor>{both[1]});
}

/// Products and sums of all kinds of operations.
void NetworkDraw::algebra() {
  TextTensor a = chance(65) ? discrete(1, 3, 1024) : real(1, 3, 1024);
  if (a.rank() == 0)
    return;
  const std::string e = a.element;
  bool real = a.isReal();
  int64_t k = a.shape.back(), n = extent(17);
  Shape second, shape(a.shape.begin(), a.shape.end() - 1);
  std::vector<std::string> in, by, out;
  std::string kinds(a.rank() - 1, 'p');
  for (size_t d = 0; d + 1 < a.rank(); ++d) {
    in.push_back("d" + std::to_string(d));
    out.push_back(in.back());
  }
  std::string column = "d" + std::to_string(a.rank() - 1),
              sum = "d" + std::to_string(a.rank());
  bool vector = chance(25);
  if (vector) {
    sum = column;
  } else {
    kinds += 'p';
    shape.push_back(n);
    out.push_back(column);
  }
  kinds += 'r';
  in.push_back(sum);
  if (a.rank() == 3 && chance(70)) { // In a batch.
    second.push_back(a.shape[0]);
    by.push_back("d0");
  }
  bool transposed = !vector && chance(50);
  if (transposed) {
    second.push_back(n);
    by.push_back(column);
  }
  second.push_back(k);
  by.push_back(sum);
  if (!vector && !transposed) {
    second.push_back(n);
    by.push_back(column);
  }
  TextTensor b = like(second, e);
  BodyText body;
  auto two = [&](const std::string &operation, std::string x, std::string y) {
    if (chance(50))
      std::swap(x, y);
    return body.add("arith." + operation, x + ", " + y, e);
  };
  std::string times, plus, start = "0";
  if (real) {
    times = oneOf<const char *>(
        {"mulf", "mulf", "addf", "subf", "minimumf", "maximumf"});
    plus = oneOf<const char *>(
        {"addf", "addf", "minimumf", "maximumf", "maxnumf"});
    start = number(oneOf({0.0, 0.0, -2.0, 2.0}), e);
  } else {
    times = oneOf<const char *>({"muli", "muli", "andi", "ori", "xori", "addi",
                                 "subi", "minsi", "maxui"});
    plus = oneOf<const char *>(
        {"addi", "addi", "xori", "ori", "andi", "minsi", "maxsi", "maxui"});
    if (e == "i1") { // In one bit, a sum is a difference.
      times = oneOf<const char *>({"muli", "muli", "andi", "ori"});
      plus = oneOf<const char *>({"addi", "addi", "xori", "ori", "andi"});
    }
    if (plus == "andi")
      start = e == "i1" ? "1" : "-1";
  }
  std::string term = two(times, "%x0", "%x1"), value;
  if (real && times == "subf" && chance(60))
    term = body.add("arith.mulf", term + ", " + term, e);
  if (chance(15)) { // The term reads the sum.
    std::string read = real ? constant(number(0.125, e), e) : "";
    term = real ? body.add("arith.mulf", term + ", " + read, e) : term;
    term = two(real ? "mulf" : "muli", term, "%y0");
  }
  value = two(plus, "%y0", term);
  TextTensor init = chance(70) ? filled(shape, e, start) : like(shape, e);
  commit({generic(kinds, {{a, in}, {b, by}}, {{init, out}}, body.text,
                  {value})[0]});
}
