//===- DynamicPrograms.cpp - control flow on tensors of dynamic shape -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DynamicDraw.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace pruner;

/// A comparison of the size with a number.
std::string DynamicDraw::sizeCondition() {
  std::string size = extentText(SizedExtent::size()),
              limit = constant(std::to_string(between(1, 20)), "index"),
              which = name("q");
  written +=
      "  " + which + " = arith.cmpi sgt, " + size + ", " + limit + " : index\n";
  return which;
}

/// The next state of `x`: its elements combined with those of `y`, with
/// magnitudes that do not grow.
SizedTensor DynamicDraw::step(const SizedTensor &x, const SizedTensor &y) {
  const std::string &e = x.element;
  BodyText body;
  std::string value, from = "%x1";
  if (isFloatName(e)) {
    std::string half = constant("0.5", e);
    value = body.add("arith.mulf", "%x0, " + half, e);
    from = body.add("arith.mulf", "%x1, " + half, e);
  } else {
    value = combined(e, "%x0", "%x1", body);
  }
  TextMap all = allDims(x.rank());
  bool overwrites = chance(50);
  SizedTensor out = overwrites ? (chance(50) ? x : y) : emptyOf(x.extents, e);
  return generic(std::string(x.rank(), 'p'), {{x, all}, {y, all}}, {out, all},
                 body.text + bodyLine("%r0", arithOf(e, "subf", "subi"),
                                      value + ", " + from, e),
                 std::max(x.most, y.most));
}

/// Buffers of dynamic shape may outlive a block only in networks with a range.
bool DynamicDraw::mayLeaveBlocks(const SizedTensor &x) const {
  return ranged || !is_contained(x.shape, -1);
}

/// `x`, or `other` after the operations `computed`, in blocks of the function.
SizedTensor DynamicDraw::branching(const std::string &which,
                                   const std::string &computed,
                                   const SizedTensor &x,
                                   const SizedTensor &other) {
  std::string compute = "^" + name("b").substr(1),
              end = "^" + name("b").substr(1), result = name("v"),
              type = " : " + x.type() + ")";
  written += "  cf.cond_br " + which + ", " + end + "(" + x.name + type + ", " +
             compute + "\n" + compute + ":\n" + computed + "  cf.br " + end +
             "(" + other.name + type + "\n" + end + "(" + result + ": " +
             x.type() + "):\n";
  return sized(result, x.extents, x.element, std::max(x.most, other.most));
}

/// A whole tensor by a number that follows from the size.
void DynamicDraw::selecting() {
  SizedTensor x = anyTensor(), y = like(x.extents, x.element);
  std::string which = sizeCondition(), type = x.type();
  std::string operation =
      "arith.select " + which + ", " + x.name + ", " + y.name + " : " + type;
  if (chance(60)) {
    std::string before = std::exchange(written, "");
    SizedTensor other = chance(60) && mayLeaveBlocks(x) ? step(x, y) : y;
    std::string computed = std::exchange(written, std::move(before));
    if (ranged && chance(30))
      return add(branching(which, computed, x, other));
    operation = "scf.if " + which + " -> (" + type + ") {\n  scf.yield " +
                x.name + " : " + type + "\n  } else {\n" + computed +
                "  scf.yield " + other.name + " : " + type + "\n  }";
  }
  add(sized(op(x.shape, x.element, operation).name, x.extents, x.element,
            std::max(x.most, y.most)));
}

/// A loop that carries a tensor.
void DynamicDraw::repeating() {
  SizedTensor x = anyTensor(), y = like(x.extents, x.element);
  if (!mayLeaveBlocks(x))
    return;
  std::string zero = constant("0", "index"), one = constant("1", "index"),
              count = chance(50)
                          ? extentText(SizedExtent::size(), /*value=*/true)
                          : constant(std::to_string(between(0, 3)), "index"),
              type = x.type(), at = name("q");
  SizedTensor carried = x;
  carried.name = name("z");
  carried.most = std::max(x.most, y.most);
  std::string before = std::exchange(written, "");
  SizedTensor next = step(carried, y);
  std::string body = std::exchange(written, std::move(before)), operation;
  if (chance(60)) {
    operation = "scf.for " + at + " = " + zero + " to " + count + " step " +
                one + " iter_args(" + carried.name + " = " + x.name + ") -> (" +
                type + ") {\n" + body + "  scf.yield " + next.name + " : " +
                type + "\n  }";
    add(sized(op(x.shape, x.element, operation).name, x.extents, x.element,
              carried.most));
    return;
  }
  // The tensor is computed before the condition is checked.
  std::string goes = name("q"), last = name("q"), more = name("q"),
              result = name("v"), passed = name("z");
  written += "  " + result + ":2 = scf.while (" + at + " = " + zero + ", " +
             carried.name + " = " + x.name + ") : (index, " + type +
             ") -> (index, " + type + ") {\n" + body + "  " + goes +
             " = arith.cmpi slt, " + at + ", " + count +
             " : index\n  scf.condition(" + goes + ") " + at + ", " +
             next.name + " : index, " + type + "\n  } do {\n  ^bb0(" + last +
             ": index, " + passed + ": " + type + "):\n  " + more +
             " = arith.addi " + last + ", " + one + " : index\n  scf.yield " +
             more + ", " + passed + " : index, " + type + "\n  }\n";
  add(sized(result + "#1", x.extents, x.element, carried.most));
}

/// Writes one element of a tensor.
void DynamicDraw::insertingElement() {
  SizedTensor x = anyTensor();
  std::vector<std::string> at;
  for (const SizedExtent &extent : x.extents) {
    if (extent.at(least) <= 0)
      return;
    at.push_back(chance(50) ? extentText(extent + -1, /*value=*/true)
                            : constant("0", "index"));
  }
  std::string number =
      constant(isFloatName(x.element) ? "0.5" : "1", x.element);
  add(sized(op(x.shape, x.element,
               "tensor.insert " + number + " into " + x.name + listText(at) +
                   " : " + x.type())
                .name,
            x.extents, x.element, std::max(x.most, 0.5)));
}
