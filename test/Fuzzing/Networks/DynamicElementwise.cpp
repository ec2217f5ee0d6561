//===- DynamicElementwise.cpp - elements of dynamic tensors ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DynamicDraw.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace pruner;

std::string DynamicDraw::combined(const std::string &e, const std::string &a,
                                  const std::string &b, BodyText &body) {
  std::string both = a + ", " + b;
  if (isFloatName(e))
    return body.add(oneOf<const char *>({"arith.addf", "arith.subf",
                                         "arith.mulf", "arith.maximumf",
                                         "arith.minimumf", "arith.maxnumf"}),
                    both, e);
  if (chance(15)) {
    std::string which =
        body.add("arith.cmpi " +
                     std::string(oneOf<const char *>({"sgt,", "ult,", "eq,"})),
                 both, e);
    return body.add("arith.select", which + ", " + both, e);
  }
  return body.add(oneOf<const char *>(
                      {"arith.addi", "arith.subi", "arith.muli", "arith.maxsi",
                       "arith.minsi", "arith.maxui", "arith.minui",
                       "arith.andi", "arith.ori", "arith.xori"}),
                  both, e);
}

/// One or two tensors, the second one of the same shape or of some of its
/// dimensions, and sometimes a number that follows from the size.
void DynamicDraw::elementwise() {
  SizedTensor x = anyTensor();
  std::string e = x.element;
  TextMap all = allDims(x.rank()), some;
  Extents extents;
  for (auto [n, extent] : enumerate(x.extents))
    if (chance(70)) {
      some.push_back(all[n]);
      extents.push_back(extent);
    }
  SizedTensor y = like(extents, e);
  BodyText body;
  std::string value = combined(e, "%x0", "%x1", body);
  double most = std::max(x.most + y.most, x.most * y.most);
  if (chance(25)) {
    std::string size = sizeNumber(e);
    value = e[0] == 'i' ? combined(e, value, size, body)
                        : body.add("arith.divf", value + ", " + size, e);
  }
  SizedTensor out = chance(20) ? x : emptyOf(x.extents, e);
  add(generic(std::string(x.rank(), 'p'), {{x, all}, {y, some}}, {out, all},
              body.text + bodyLine("%r0", arithOf(e, "addf", "addi"),
                                   value + ", %x0", e),
              most + x.most));
}

/// A mask or a number by position, as causal masks are made.
void DynamicDraw::positions() {
  SizedTensor x = anyTensor();
  std::string e = x.element;
  unsigned first = random.uniform(x.rank()), second = random.uniform(x.rank());
  std::string limit =
      extentText(chance(50) ? SizedExtent::size() : SizedExtent::fixed(3),
                 /*value=*/true);
  std::string other = constant(isFloatName(e) ? "0.5" : "3", e);
  std::string text = "    %i = linalg.index " + std::to_string(first) +
                     " : index\n    %j = linalg.index " +
                     std::to_string(second) + " : index\n";
  BodyText body;
  body.text = text;
  std::string sum = body.add("arith.addi", "%i, %j", "index");
  std::string which = body.add(
      "arith.cmpi " +
          std::string(oneOf<const char *>({"slt,", "uge,", "eq,", "sle,"})),
      sum + ", " + (chance(40) && first != second ? "%i" : limit), "index");
  std::string value = body.add("arith.select", which + ", %x0, " + other, e);
  if (e != "i1" && e[0] == 'i' && chance(50)) {
    std::string at = body.add("arith.index_cast", "%i", "index to " + e);
    value = body.add("arith.xori", value + ", " + at, e);
  }
  TextMap all = allDims(x.rank());
  add(generic(std::string(x.rank(), 'p'), {{x, all}},
              {emptyOf(x.extents, e), all},
              body.text + bodyLine("%r0", arithOf(e, "maximumf", "addi"),
                                   value + ", %x0", e),
              2 * x.most + 1));
}

/// extent - position: positive, but zero or negative in padding.
SizedTensor DynamicDraw::remaining(const SizedExtent &extent) {
  std::string e = "i32";
  std::string size = extentText(extent, /*value=*/true);
  SizedTensor out = emptyOf({extent}, e);
  return generic("p", {}, {out, {"d0"}},
                 "    %i = linalg.index 0 : index\n    %j = arith.subi " +
                     size +
                     ", %i : index\n    %r0 = arith.index_cast %j : index to "
                     "i32\n");
}

SizedTensor DynamicDraw::divisor(const SizedExtent &extent) {
  return extent.isFixed() || extent == SizedExtent::size()
             ? argument({extent}, "i32", "divisor")
             : remaining(extent);
}

void DynamicDraw::division() {
  SizedTensor x = anyTensor();
  if (x.element != "i32")
    x = like(x.extents, "i32");
  unsigned dim = random.uniform(x.rank());
  SizedTensor y =
      chance(60) ? remaining(x.extents[dim]) : divisor(x.extents[dim]);
  const char *operation = oneOf<const char *>(
      {"arith.divsi", "arith.divui", "arith.remsi", "arith.remui",
       "arith.ceildivsi", "arith.floordivsi", "arith.ceildivui"});
  TextMap all = allDims(x.rank());
  add(generic(std::string(x.rank(), 'p'), {{x, all}, {y, {all[dim]}}},
              {emptyOf(x.extents, "i32"), all},
              bodyLine("%r0", operation, "%x0, %x1", "i32")));
}

/// linalg.add and its like, whose body is not in the text.
void DynamicDraw::named() {
  SizedTensor x = anyTensor();
  std::string e = x.element, operation;
  SizedTensor y;
  if (e == "i32" && x.rank() == 1 && chance(60)) {
    y = chance(60) ? remaining(x.extents[0]) : divisor(x.extents[0]);
    operation = chance(70) ? "linalg.div" : "linalg.div_unsigned";
  } else {
    y = like(x.extents, e);
    operation = oneOf<const char *>(
        {"linalg.add", "linalg.sub", "linalg.mul", "linalg.max", "linalg.min"});
  }
  SizedTensor result = emptyOf(x.extents, e);
  result.name = LinalgWriter::named(operation, {x, y}, result).name;
  result.most = std::max(x.most + y.most, x.most * y.most);
  add(result);
}

/// Operations of arith on whole tensors.
void DynamicDraw::onTensors() {
  SizedTensor x = anyTensor();
  std::string e = x.element, operation;
  SizedTensor y;
  if (e == "i32" && x.rank() == 1 && chance(60)) {
    y = chance(60) ? remaining(x.extents[0]) : divisor(x.extents[0]);
    operation = oneOf<const char *>(
        {"arith.divsi", "arith.remsi", "arith.divui", "arith.ceildivsi"});
  } else {
    y = like(x.extents, e);
    operation =
        e[0] == 'i'
            ? oneOf<const char *>({"arith.addi", "arith.muli", "arith.maxsi"})
            : oneOf<const char *>(
                  {"arith.addf", "arith.mulf", "arith.maximumf"});
  }
  SizedTensor result =
      sized(op(x.shape, e,
               operation + " " + x.name + ", " + y.name + " : " + x.type())
                .name,
            x.extents, e, std::max(x.most + y.most, x.most * y.most));
  add(result);
}

/// A check that holds: two extents are equal, or the size has a limit.
void DynamicDraw::checking() {
  std::string a = extentText(SizedExtent::size()),
              b = chance(60) ? extentText(SizedExtent::size())
                             : constant("100000", "index"),
              holds = name("q");
  written += "  " + holds + " = arith.cmpi sle, " + a + ", " + b +
             " : index\n  cf.assert " + holds + ", \"sizes\"\n";
}
