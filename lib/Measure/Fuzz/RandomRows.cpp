//===- RandomRows.cpp - random chains over rows and maps ------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskDraw.h"

using namespace pruner;

std::string TaskDraw::rowChain() {
  unsigned rank = 2 + random.uniform(3), along = 1 + (rank > 2 && chance(30));
  Shape domain = extents(rank, 1 << 13);
  // Which dimensions run along rows, and how the tensors lie.
  Dims order = maybePermuted(iota(rank), 40), rows, in, out;
  Dims columns(order.end() - along, order.end());
  for (unsigned d = 0; d < rank; ++d)
    if (!llvm::is_contained(columns, d))
      rows.push_back(d);
  in = maybePermuted(iota(rank), 30);
  out = maybePermuted(iota(rank), 20);
  std::string kinds(rank, 'p'), flat(rows.size(), 'p');
  for (unsigned d : columns)
    kinds[d] = 'r';
  std::string all(rank, 'p');
  TextTensor x = t.argument(shapeOf(in, domain), "f32");
  TextOperand wide{x, dimNames(in)};
  auto start = [&](const char *value) {
    return TextOperand{t.filled(shapeOf(rows, domain), "f32", value),
                       dimNames(rows)};
  };
  bool max = chance(50);
  TextOperand first{t.generic(kinds, {wide}, start(max ? "0xFF800000" : "0.0"),
                              max ? "    %r = arith.maximumf %acc, %x0 : f32\n"
                                  : "    %r = arith.addf %acc, %x0 : f32\n"),
                    dimNames(rows)};
  if (chance(40)) { // Once a row.
    Dims here = iota(rows.size());
    first.tensor =
        t.generic(flat, {{first.tensor, dimNames(here)}},
                  {t.empty(shapeOf(rows, domain), "f32"), dimNames(here)},
                  "    %r = arith.addf %x0, %x0 : f32\n");
  }
  std::string difference = "    %d = arith.subf %x0, %x1 : f32\n";
  TextOperand middle = wide;
  bool kept = chance(60);
  if (kept)
    middle = {t.generic(all, {wide, first},
                        {t.empty(shapeOf(in, domain), "f32"), dimNames(in)},
                        difference + "    %r = arith.addf %d, %d : f32\n"),
              dimNames(in)};
  TextOperand second = first;
  if (chance(30)) // Summed in a wider type.
    second = {wideSum(middle, kinds, rows, domain), dimNames(rows)};
  else if (chance(70))
    second = {
        kept ? t.generic(kinds, {middle}, start("0.0"),
                         "    %r = arith.addf %acc, %x0 : f32\n")
             : t.generic(kinds, {middle, first}, start("0.0"),
                         difference + "    %r = arith.addf %acc, %d : f32\n"),
        dimNames(rows)};
  std::vector<TextOperand> inputs{middle, second};
  std::string body = "    %s = arith.subf %x0, %x1 : f32\n";
  if (chance(50)) { // A scale along the rows.
    inputs.push_back(
        {t.argument(shapeOf(columns, domain), "f32"), dimNames(columns)});
    body += "    %r = arith.mulf %s, %x2 : f32\n";
  } else {
    body += "    %r = arith.addf %s, %x1 : f32\n";
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
                             "    %r = arith.extf %x0 : f32 to f64\n"),
                   x.map};
  TextTensor sum =
      t.generic(kinds, {wide}, start, "    %r = arith.addf %acc, %x0 : f64\n");
  auto here = dimNames(iota(rows.size()));
  return t.generic(flat, {{sum, here}},
                   {t.empty(shapeOf(rows, domain), "f32"), here},
                   "    %r = arith.truncf %x0 : f64 to f32\n");
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
    body += "    " + name + " = " + binary(e, "addf", "addi") + " " + last +
            ", %x" + std::to_string(n) + " : " + e + "\n";
    last = name;
  }
  bool isFloat = e[0] == 'f';
  unsigned kind = random.uniform(4);
  if (kind == 0) { // A mask.
    result = "i1";
    body += std::string("    %r = arith.") +
            (isFloat ? "cmpf olt, " : "cmpi slt, ") + last + ", %x0 : " + e +
            "\n";
  } else if (kind == 1) { // A selection by a mask.
    inputs.push_back(operand(domain, "i1", false));
    body += "    %r = arith.select %x" + std::to_string(count) + ", " + last +
            ", %x0 : " + e + "\n";
  } else if (kind == 2 && (e == "f32" || e == "f16")) {
    body += "    %r = math.tanh " + last + " : " + e + "\n";
  } else {
    body += "    %r = " + binary(e, "mulf", "muli") + " " + last +
            ", %x0 : " + e + "\n";
  }
  Dims out = maybePermuted(iota(rank), 25);
  return t.finish(
      t.generic(std::string(rank, 'p'), inputs,
                {t.empty(shapeOf(out, domain), result), dimNames(out)}, body));
}
