//===- RandomRows.cpp - random chains over rows and maps ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskDraw.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

std::string TaskDraw::rowChain() {
  // Every second time with functions and divisions; without them, most are
  // exact.
  switch (random.uniform(8)) {
  case 0:
  case 1:
    return softmaxRows();
  case 2:
    return normRows();
  case 3:
    return exportedNormRows();
  default:
    return plainRows();
  }
}

TaskDraw::RowShape TaskDraw::rowShape() {
  RowShape row;
  unsigned rank = 2 + random.uniform(3), along = 1 + (rank > 2 && chance(30));
  row.domain = extents(rank, 1 << 13);
  // The dimensions that run along rows, and the layouts of the tensors.
  Dims order = maybePermuted(iota(rank), 40);
  row.columns.assign(order.end() - along, order.end());
  for (unsigned d = 0; d < rank; ++d)
    if (!llvm::is_contained(row.columns, d))
      row.rows.push_back(d);
  row.in = maybePermuted(iota(rank), 30);
  row.out = maybePermuted(iota(rank), 20);
  row.all.assign(rank, 'p');
  row.kinds = row.all;
  for (unsigned d : row.columns)
    row.kinds[d] = 'r';
  return row;
}

/// exp(x - max), divided by its sum or multiplied by the reciprocal.
std::string TaskDraw::softmaxRows() {
  RowShape row = rowShape();
  TextTensor x = t.argument(shapeOf(row.in, row.domain), "f32");
  TextOperand wide{x, dimNames(row.in)};
  auto start = [&](const char *value) {
    return TextOperand{t.filled(shapeOf(row.rows, row.domain), "f32", value),
                       dimNames(row.rows)};
  };
  auto whole = [&](const Dims &dims) {
    return TextOperand{t.empty(shapeOf(dims, row.domain), "f32"),
                       dimNames(dims)};
  };
  TextOperand most{t.generic(row.kinds, {wide}, start("0xFF800000"),
                             "    %r0 = arith.maximumf %y0, %x0 : f32\n"),
                   dimNames(row.rows)};
  TextOperand power{t.generic(row.all, {wide, most}, whole(row.in),
                              "    %d = arith.subf %x0, %x1 : f32\n"
                              "    %r0 = math.exp %d : f32\n"),
                    dimNames(row.in)};
  TextOperand sum{t.generic(row.kinds, {power}, start("0.0"),
                            "    %r0 = arith.addf %y0, %x0 : f32\n"),
                  dimNames(row.rows)};
  bool inverse = chance(30);
  if (inverse) {
    TextMap here = allDims(row.rows.size());
    sum.tensor =
        t.generic(std::string(here.size(), 'p'), {{sum.tensor, here}},
                  {t.empty(shapeOf(row.rows, row.domain), "f32"), here},
                  "    %c = arith.constant 1.0 : f32\n"
                  "    %r0 = arith.divf %c, %x0 : f32\n");
  }
  return t.finish(t.generic(row.all, {power, sum}, whole(row.out),
                            inverse ? "    %r0 = arith.mulf %x0, %x1 : f32\n"
                                    : "    %r0 = arith.divf %x0, %x1 : f32\n"));
}

/// The distance from the mean divided by its root mean square, or the same
/// without a mean; often scaled and shifted along the rows.
std::string TaskDraw::normRows() {
  RowShape row = rowShape();
  int64_t length = 1;
  for (unsigned d : row.columns)
    length *= row.domain[d];
  std::string count = std::to_string(length) + ".0";
  TextTensor x = t.argument(shapeOf(row.in, row.domain), "f32");
  TextOperand wide{x, dimNames(row.in)};
  auto start = [&] {
    return TextOperand{t.filled(shapeOf(row.rows, row.domain), "f32", "0.0"),
                       dimNames(row.rows)};
  };
  auto onceARow = [&](const TextTensor &of, const std::string &body) {
    auto here = allDims(row.rows.size());
    return TextOperand{
        t.generic(std::string(row.rows.size(), 'p'), {{of, here}},
                  {t.empty(shapeOf(row.rows, row.domain), "f32"), here}, body),
        dimNames(row.rows)};
  };
  std::string mean = "    %n = arith.constant " + count +
                     " : f32\n    %m = arith.divf %x0, %n : f32\n";
  if (chance(70)) {
    TextOperand first =
        onceARow(t.generic(row.kinds, {wide}, start(),
                           "    %r0 = arith.addf %y0, %x0 : f32\n"),
                 "    %n = arith.constant " + count +
                     " : f32\n    %r0 = arith.divf %x0, %n : f32\n");
    wide = {t.generic(
                row.all, {wide, first},
                {t.empty(shapeOf(row.in, row.domain), "f32"), dimNames(row.in)},
                "    %r0 = arith.subf %x0, %x1 : f32\n"),
            dimNames(row.in)};
  }
  TextOperand scale =
      onceARow(t.generic(row.kinds, {wide}, start(),
                         "    %s = arith.mulf %x0, %x0 : f32\n"
                         "    %r0 = arith.addf %y0, %s : f32\n"),
               mean + "    %c = arith.constant 1.0e-3 : f32\n"
                      "    %a = arith.addf %m, %c : f32\n"
                      "    %r0 = math.rsqrt %a : f32\n");
  std::vector<TextOperand> inputs{wide, scale};
  std::string body = "    %s = arith.mulf %x0, %x1 : f32\n";
  if (chance(60)) {
    for (unsigned n = 0; n < 2; ++n)
      inputs.push_back({t.argument(shapeOf(row.columns, row.domain), "f32"),
                        dimNames(row.columns)});
    body += "    %v = arith.mulf %s, %x2 : f32\n"
            "    %r0 = arith.addf %v, %x3 : f32\n";
  } else {
    body = "    %r0 = arith.mulf %x0, %x1 : f32\n";
  }
  return t.finish(t.generic(
      row.all, inputs,
      {t.empty(shapeOf(row.out, row.domain), "f32"), dimNames(row.out)}, body));
}

std::string TaskDraw::exportedNormRows() {
  RowShape row = rowShape();
  int64_t length = 1;
  for (unsigned d : row.columns)
    length *= row.domain[d];
  Shape rows = shapeOf(row.rows, row.domain);
  auto here = allDims(row.rows.size());
  TextOperand x{t.argument(shapeOf(row.in, row.domain), "f32"),
                dimNames(row.in)};
  auto sum = [&](const std::vector<TextOperand> &inputs, const char *type,
                 const std::string &body) {
    return t.generic(row.kinds, inputs,
                     {t.filled(rows, type, "0.0"), dimNames(row.rows)},
                     body + "    %r0 = arith.addf %x, %y0 : " + type + "\n");
  };
  // The sum divided by the number of elements, followed by `body`.
  auto onceARow = [&](const TextTensor &of, const char *type,
                      const std::string &mean, const std::string &body = "") {
    std::string e = of.element;
    return TextOperand{
        t.generic(std::string(row.rows.size(), 'p'), {{of, here}},
                  {t.empty(rows, type), here},
                  "    %n = arith.constant " + std::to_string(length) +
                      ".0 : " + e + "\n    " + mean +
                      " = arith.divf %x0, %n : " + e + "\n" + body),
        dimNames(row.rows)};
  };
  TextOperand mean = onceARow(
      sum({x}, "f64", "    %x = arith.extf %x0 : f32 to f64\n"), "f64", "%r0");
  TextTensor squares = sum({x, mean}, "f64",
                           "    %w = arith.extf %x0 : f32 to f64\n"
                           "    %d = arith.subf %w, %x1 : f64\n"
                           "    %x = arith.mulf %d, %d : f64\n");
  TextOperand scale = onceARow(squares, "f32", "%m",
                               "    %v = arith.truncf %m : f64 to f32\n"
                               "    %c = arith.constant 1.0e-3 : f32\n"
                               "    %a = arith.addf %v, %c : f32\n"
                               "    %r0 = math.rsqrt %a : f32\n");
  TextOperand narrow =
      onceARow(t.generic(row.kinds, {x},
                         {t.filled(rows, "f32", "0.0"), dimNames(row.rows)},
                         "    %r0 = arith.addf %x0, %y0 : f32\n"),
               "f32", "%r0");
  return t.finish(t.generic(
      row.all, {x, narrow, scale},
      {t.empty(shapeOf(row.out, row.domain), "f32"), dimNames(row.out)},
      "    %d = arith.subf %x0, %x1 : f32\n"
      "    %r0 = arith.mulf %d, %x2 : f32\n"));
}

std::string TaskDraw::plainRows() {
  RowShape row = rowShape();
  const Shape &domain = row.domain;
  const Dims &rows = row.rows, &columns = row.columns, &in = row.in,
             &out = row.out;
  const std::string &kinds = row.kinds, &all = row.all;
  std::string flat(rows.size(), 'p');
  TextTensor x = t.argument(shapeOf(in, domain), "f32");
  TextOperand wide{x, dimNames(in)};
  auto start = [&](const char *value) {
    return TextOperand{t.filled(shapeOf(rows, domain), "f32", value),
                       dimNames(rows)};
  };
  bool max = chance(50);
  TextOperand first{t.generic(kinds, {wide}, start(max ? "0xFF800000" : "0.0"),
                              max ? "    %r0 = arith.maximumf %y0, %x0 : f32\n"
                                  : "    %r0 = arith.addf %y0, %x0 : f32\n"),
                    dimNames(rows)};
  if (chance(40)) { // Once per row.
    TextMap here = allDims(rows.size());
    first.tensor = t.generic(flat, {{first.tensor, here}},
                             {t.empty(shapeOf(rows, domain), "f32"), here},
                             "    %r0 = arith.addf %x0, %x0 : f32\n");
  }
  std::string difference = "    %d = arith.subf %x0, %x1 : f32\n";
  TextOperand middle = wide;
  bool kept = chance(60);
  if (kept)
    middle = {t.generic(all, {wide, first},
                        {t.empty(shapeOf(in, domain), "f32"), dimNames(in)},
                        difference + "    %r0 = arith.addf %d, %d : f32\n"),
              dimNames(in)};
  TextOperand second = first;
  if (chance(30)) // Summed in a wider type.
    second = {wideSum(middle, kinds, rows, domain), dimNames(rows)};
  else if (chance(70))
    second = {
        kept ? t.generic(kinds, {middle}, start("0.0"),
                         "    %r0 = arith.addf %y0, %x0 : f32\n")
             : t.generic(kinds, {middle, first}, start("0.0"),
                         difference + "    %r0 = arith.addf %y0, %d : f32\n"),
        dimNames(rows)};
  std::vector<TextOperand> inputs{middle, second};
  std::string body = "    %s = arith.subf %x0, %x1 : f32\n";
  if (chance(50)) { // A scale along the rows.
    inputs.push_back(
        {t.argument(shapeOf(columns, domain), "f32"), dimNames(columns)});
    body += "    %r0 = arith.mulf %s, %x2 : f32\n";
  } else {
    body += "    %r0 = arith.addf %s, %x1 : f32\n";
  }
  return t.finish(
      t.generic(all, inputs,
                {t.empty(shapeOf(out, domain), "f32"), dimNames(out)}, body));
}

TextTensor TaskDraw::wideSum(const TextOperand &x, const std::string &kinds,
                             const Dims &rows, const Shape &domain) {
  std::string all(kinds.size(), 'p'), flat(rows.size(), 'p');
  TextOperand start{t.filled(shapeOf(rows, domain), "f64", "0.0"),
                    dimNames(rows)};
  TextOperand wide{t.generic(all, {x}, {t.empty(x.tensor.shape, "f64"), x.map},
                             "    %r0 = arith.extf %x0 : f32 to f64\n"),
                   x.map};
  TextTensor sum =
      t.generic(kinds, {wide}, start, "    %r0 = arith.addf %y0, %x0 : f64\n");
  auto here = allDims(rows.size());
  return t.generic(flat, {{sum, here}},
                   {t.empty(shapeOf(rows, domain), "f32"), here},
                   "    %r0 = arith.truncf %x0 : f64 to f32\n");
}

std::string TaskDraw::elementwise() {
  static const char *const elements[] = {"f32", "f32", "f32", "f16",
                                         "f64", "i32", "i8"};
  unsigned rank = 1 + random.uniform(4);
  Shape domain = extents(rank, 1 << 13);
  std::string e = pick(elements), result = e, body;
  unsigned count = 1 + random.uniform(3);
  std::vector<TextOperand> inputs;
  for (unsigned n = 0; n < count; ++n)
    inputs.push_back(operand(domain, e, /*whole=*/n == 0));
  std::string last = "%x0";
  for (unsigned n = 1; n < count; ++n) {
    std::string name = "%s" + std::to_string(n);
    body += bodyLine(name, arithOf(e, "addf", "addi"),
                     last + ", %x" + std::to_string(n), e);
    last = name;
  }
  unsigned kind = random.uniform(4);
  if (kind == 0) { // A mask.
    result = "i1";
    body += bodyLine("%r0", arithOf(e, "cmpf olt,", "cmpi slt,"),
                     last + ", %x0", e);
  } else if (kind == 1) { // A selection by a mask.
    inputs.push_back(operand(domain, "i1", false));
    body += bodyLine("%r0", "arith.select",
                     "%x" + std::to_string(count) + ", " + last + ", %x0", e);
  } else if (kind == 2 && (e == "f32" || e == "f16")) {
    body += bodyLine("%r0", "math.tanh", last, e);
  } else {
    body += bodyLine("%r0", arithOf(e, "mulf", "muli"), last + ", %x0", e);
  }
  Dims out = maybePermuted(iota(rank), 25);
  return t.finish(
      t.generic(std::string(rank, 'p'), inputs,
                {t.empty(shapeOf(out, domain), result), dimNames(out)}, body));
}
