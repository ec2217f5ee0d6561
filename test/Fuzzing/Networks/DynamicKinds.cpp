//===- DynamicKinds.cpp - operations of dynamic shape ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DynamicDraw.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace pruner;

/// The least and the greatest integer of a type, or infinities.
static std::string extremeOf(const std::string &element, bool least) {
  if (isFloatName(element))
    return infinityOf(element, least);
  unsigned width = 0;
  StringRef(element).drop_front().getAsInteger(10, width);
  int64_t most = int64_t(~uint64_t(0) >> (65 - width));
  return std::to_string(least ? -most - 1 : most);
}

//===--- elementwise ------------------------------------------------------===//

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

//===--- reductions -------------------------------------------------------===//

SizedTensor DynamicDraw::reduced(const SizedTensor &x,
                                 const std::vector<bool> &over,
                                 const std::string &body,
                                 const std::string &element,
                                 const std::string &start, double most) {
  TextMap all = allDims(x.rank()), kept;
  Extents extents;
  std::string kinds;
  for (auto [n, extent] : enumerate(x.extents)) {
    kinds += over[n] ? 'r' : 'p';
    if (over[n])
      continue;
    kept.push_back(all[n]);
    extents.push_back(extent);
  }
  return generic(kinds, {{x, all}}, {filledWith(extents, element, start), kept},
                 body, most);
}

static double countOf(const SizedTensor &x, const std::vector<bool> &over) {
  double count = 1;
  for (auto [extent, is] : zip_equal(x.extents, over))
    count *= is ? double(std::max<int64_t>(extent.at(40), 1)) : 1;
  return count;
}

static std::vector<bool> someDims(size_t rank, Random &random) {
  std::vector<bool> over(rank);
  over[random.uniform(rank)] = true;
  for (size_t n = 0; n < rank; ++n)
    over[n] = over[n] || random.uniform(3) == 0;
  return over;
}

void DynamicDraw::reduction() {
  SizedTensor x = anyTensor();
  std::string e = x.element, start = zeroOf(e), to = e;
  std::vector<bool> over = someDims(x.rank(), random);
  double most = x.most;
  BodyText body;
  std::string term = "%x0", result;
  bool real = isFloatName(e);
  auto widen = [&] {
    if (e == "i8" || e == "i16" || e == "f16" || e == "bf16") {
      to = accumulatorOf(e);
      term =
          body.add(real ? "arith.extf" : "arith.extsi", term, e + " to " + to);
    }
  };
  switch (random.uniform(7)) {
  case 0:
    widen();
    result = body.add(arithOf(to, "addf", "addi"), "%y0, " + term, to);
    most *= countOf(x, over);
    break;
  case 1: {
    bool least = chance(50);
    start = extremeOf(e, least);
    result = body.add(least ? arithOf(e, "maximumf", "maxsi")
                            : arithOf(e, "minimumf", "minsi"),
                      "%y0, %x0", e);
    break;
  }
  case 2: // A select instead of a maximum.
    if (real) {
      start = extremeOf(e, true);
      std::string which = body.add("arith.cmpf ogt,", "%x0, %y0", e);
      result = body.add("arith.select", which + ", %x0, %y0", e);
    } else {
      start = std::to_string(between(-3, 3));
      std::string which = body.add("arith.cmpi slt,", "%x0, %y0", e);
      result = body.add("arith.select", which + ", %x0, %y0", e);
    }
    break;
  case 3: // Squares.
    widen();
    result = body.add(arithOf(to, "mulf", "muli"), term + ", " + term, to);
    result = body.add(arithOf(to, "addf", "addi"), result + ", %y0", to);
    most = most * most * countOf(x, over);
    break;
  case 4: // A term that is no element.
    if (real) {
      result = body.add("arith.subf", "%y0, %x0", e);
      most *= countOf(x, over);
    } else {
      std::string one = constant("5", e);
      result = body.add("arith.addi", "%x0, " + one, e);
      result = body.add(oneOf<const char *>({"arith.addi", "arith.maxui",
                                             "arith.minui", "arith.subi"}),
                        "%y0, " + result, e);
    }
    break;
  case 5:
    if (real) {
      start = extremeOf(e, true);
      result = body.add("arith.maxnumf", "%x0, %y0", e);
    } else {
      start = chance(50) ? "-1" : "0";
      result = body.add(
          oneOf<const char *>({"arith.andi", "arith.ori", "arith.xori",
                               "arith.muli", "arith.minui", "arith.maxui"}),
          "%x0, %y0", e);
    }
    break;
  default: { // How many are positive.
    if (real)
      to = "i32";
    std::string zero = constant(zeroOf(e), e);
    std::string which = body.add(real ? "arith.cmpf ogt," : "arith.cmpi sge,",
                                 "%x0, " + zero, e);
    std::string one = body.add("arith.extui", which, "i1 to " + to);
    start = "0";
    result = body.add("arith.addi", "%y0, " + one, to);
  }
  }
  // %r0 is what the body yields.
  std::string text = body.text;
  size_t at = text.rfind(result + " =");
  text.replace(at, result.size(), "%r0");
  SizedTensor y =
      reduced(x, over, text, to,
              isFloatName(to) == isFloatName(e) || to == e ? start : "0", most);
  add(y);
}

/// A reduction whose order matters.
void DynamicDraw::orderedReduction() {
  SizedTensor x = anyTensor();
  if (x.isReal())
    x = like(x.extents, "i32");
  std::string e = x.element;
  std::vector<bool> over(x.rank());
  over[random.uniform(x.rank())] = true;
  BodyText body;
  std::string three = constant("3", e);
  std::string value = body.add("arith.muli", "%y0, " + three, e);
  if (chance(40)) {
    body.text = "    %i = linalg.index " +
                std::to_string(find(over, true) - over.begin()) + " : index\n" +
                body.text;
    std::string at = body.add("arith.index_cast", "%i", "index to " + e);
    value = body.add("arith.xori", value + ", " + at, e);
  }
  add(reduced(x, over,
              body.text + bodyLine("%r0", "arith.addi", value + ", %x0", e), e,
              "1", 1));
}

void DynamicDraw::argMax() {
  SizedTensor x = anyTensor();
  if (x.isReal())
    x = like(x.extents, "i32");
  std::string e = x.element;
  unsigned dim = random.uniform(x.rank());
  TextMap all = allDims(x.rank()), kept;
  Extents extents;
  std::string kinds;
  for (auto [n, extent] : enumerate(x.extents)) {
    kinds += n == dim ? 'r' : 'p';
    if (n == dim)
      continue;
    kept.push_back(all[n]);
    extents.push_back(extent);
  }
  SizedTensor best = filledWith(extents, e, extremeOf(e, true)),
              place = filledWith(extents, "i32", "0");
  std::string body = "    %i = linalg.index " + std::to_string(dim) +
                     " : index\n    %j = arith.index_cast %i : index to i32\n"
                     "    %w = arith.cmpi " +
                     (chance(50) ? "sgt" : "sge") + ", %x0, %y0 : " + e +
                     "\n    %r0 = arith.select %w, %x0, %y0 : " + e +
                     "\n    %r1 = arith.select %w, %j, %y1 : i32\n";
  auto results = LinalgWriter::generic(
      kinds, {{x, all}}, {TextOperand{best, kept}, TextOperand{place, kept}},
      body, {});
  best.name = results[0].name;
  place.name = results[1].name;
  add(place);
  if (chance(60))
    add(best);
}

/// [.., M, K] times [K, N], [N, K] or [.., K, N].
void DynamicDraw::product() {
  SizedTensor a = anyTensor(1, 3);
  std::string e = a.element, to = chance(40) ? e : accumulatorOf(e);
  SizedExtent k = a.extents.back(), n = anyExtent();
  bool batched = a.rank() == 3 && chance(50), turned = chance(30),
       vector = chance(15);
  Extents right;
  if (batched)
    right.push_back(a.extents[0]);
  right.push_back(turned && !vector ? n : k);
  if (!vector)
    right.push_back(turned ? k : n);
  auto accept = [&](const SizedTensor &value) {
    return value.element == e && value.rank() == right.size() &&
           value.extents[turned && !vector ? right.size() - 1
                                           : right.size() - (vector ? 1 : 2)] ==
               k &&
           (!batched || value.extents[0] == a.extents[0]);
  };
  if (!fits(right))
    return;
  SizedTensor b = pick(accept, [&] { return argument(right, e); });
  if (!vector)
    n = b.extents[turned ? right.size() - 2 : right.size() - 1];
  Extents out(a.extents.begin(), a.extents.end() - 1);
  if (!vector)
    out.push_back(n);
  if (!fits(out))
    return;
  SizedTensor init =
      chance(25) ? like(out, to) : filledWith(out, to, zeroOf(to));
  // Loops: those of `a` without K, N, K.
  size_t outer = a.rank() - 1, nLoop = outer, kLoop = outer + !vector;
  auto d = [](size_t loop) { return "d" + std::to_string(loop); };
  TextMap left = allDims(outer), rightMap, outMap = allDims(outer);
  left.push_back(d(kLoop));
  if (batched)
    rightMap.push_back(d(0));
  if (vector) {
    rightMap.push_back(d(kLoop));
  } else {
    rightMap.push_back(d(turned ? nLoop : kLoop));
    rightMap.push_back(d(turned ? kLoop : nLoop));
    outMap.push_back(d(nLoop));
  }
  double most =
      init.most + a.most * b.most * double(std::max<int64_t>(k.at(40), 1));
  const char *named = !turned && !vector && a.rank() == 2 ? "linalg.matmul"
                      : !turned && batched && !vector ? "linalg.batch_matmul"
                                                      : nullptr;
  if (named && chance(60) && (to == e || !isFloatName(e))) {
    init.name = LinalgWriter::named(named, {a, b}, init).name;
    init.most = most;
    add(init);
    return;
  }
  add(generic(std::string(outer + !vector, 'p') + "r",
              {{a, left}, {b, rightMap}}, {init, outMap},
              multiplyAddBody(e, to), most));
}

void DynamicDraw::softmax() {
  SizedTensor x = anyTensor();
  std::string e = "f32";
  if (x.element != e)
    x = like(x.extents, e);
  unsigned dim = random.uniform(x.rank());
  if (chance(40) && x.extents[dim].at(least) > 0) {
    SizedTensor out = emptyOf(x.extents, e);
    out.name = op(out.shape, e,
                  "linalg.softmax dimension(" + std::to_string(dim) + ") ins(" +
                      x.name + " : " + x.type() + ") outs(" + out.name + " : " +
                      out.type() + ") -> " + out.type())
                   .name;
    out.most = 1;
    add(out);
    return;
  }
  std::vector<bool> over(x.rank());
  over[dim] = true;
  TextMap all = allDims(x.rank()), kept = all;
  kept.erase(kept.begin() + dim);
  std::string kinds(x.rank(), 'p');
  SizedTensor top =
      reduced(x, over, bodyLine("%r0", "arith.maximumf", "%y0, %x0", e), e,
              extremeOf(e, true), x.most);
  SizedTensor powers = generic(
      kinds, {{x, all}, {top, kept}}, {emptyOf(x.extents, e), all},
      "    %s = arith.subf %x0, %x1 : f32\n    %r0 = math.exp %s : f32\n");
  SizedTensor sum = reduced(
      powers, over, bodyLine("%r0", "arith.addf", "%y0, %x0", e), e, "0.0", 40);
  add(generic(kinds, {{powers, all}, {sum, kept}}, {emptyOf(x.extents, e), all},
              "    %r0 = arith.divf %x0, %x1 : f32\n"));
}

/// Subtracts the mean, whose divisor follows from the size.
void DynamicDraw::norm() {
  SizedTensor x = anyTensor();
  std::string e = "f32";
  if (x.element != e)
    x = like(x.extents, e);
  std::vector<bool> over = someDims(x.rank(), random);
  TextMap all = allDims(x.rank()), kept;
  std::string count;
  for (auto [n, extent] : enumerate(x.extents)) {
    if (!over[n]) {
      kept.push_back(all[n]);
      continue;
    }
    std::string each = extentText(extent, /*value=*/true);
    if (!count.empty()) {
      std::string both = name("q");
      written +=
          "  " + both + " = arith.muli " + count + ", " + each + " : index\n";
      each = both;
    }
    count = each;
  }
  std::string divisor = castIndex(count, e);
  SizedTensor sum = reduced(
      x, over, bodyLine("%r0", "arith.addf", "%y0, %x0", e), e, "0.0", 1);
  add(generic(std::string(x.rank(), 'p'), {{x, all}, {sum, kept}},
              {emptyOf(x.extents, e), all},
              "    %m = arith.divf %x1, " + divisor +
                  " : f32\n    %r0 = arith.subf %x0, %m : f32\n",
              2 * x.most));
}

//===--- shapes -----------------------------------------------------------===//

void DynamicDraw::slicing() {
  SizedTensor x = anyTensor();
  std::vector<std::string> offsets, sizes, strides;
  Extents extents;
  for (const SizedExtent &extent : x.extents) {
    SizedExtent offset = SizedExtent::fixed(0), size = extent;
    int64_t stride = 1;
    bool has = extent.at(least) > 0;
    switch (random.uniform(8)) {
    case 0:
      if (has) { // All but the first, or but the last.
        size = extent + -1;
        // An empty slice of a static shape begins in it.
        bool second = chance(50) && !(size == SizedExtent::fixed(0));
        offset = SizedExtent::fixed(second);
      }
      break;
    case 1:
      if (has) { // The last one, or the first.
        offset = chance(60) ? extent + -1 : offset;
        size = SizedExtent::fixed(1);
      }
      break;
    case 2: // As many as a call has.
      if (extent.isFixed() && extent.at(0) >= greatest && chance(70))
        size = SizedExtent::size();
      break;
    case 3:
      if (extent.isFixed() && extent.at(0) > 1) {
        stride = 2;
        size = SizedExtent::fixed((extent.at(0) + 1) / 2);
      }
      break;
    default:
      break;
    }
    offsets.push_back(extentText(offset));
    sizes.push_back(extentText(size));
    strides.push_back(std::to_string(stride));
    extents.push_back(size);
  }
  if (!fits(extents) || extents == x.extents)
    return;
  SizedTensor to = sized("", extents, x.element, x.most);
  to.name = op(to.shape, to.element,
               "tensor.extract_slice " + x.name + listText(offsets) + " " +
                   listText(sizes) + " " + listText(strides) + " : " +
                   x.type() + " to " + to.type())
                .name;
  add(to);
}

void DynamicDraw::padding() {
  SizedTensor x = anyTensor();
  Shape low, high;
  std::vector<std::string> indices;
  Extents extents = x.extents;
  for (auto [n, extent] : enumerate(extents)) {
    low.push_back(chance(30) ? between(0, 2) : 0);
    high.push_back(chance(30) ? between(0, 3) : 0);
    extent = extent + (low.back() + high.back());
    indices.push_back("%i" + std::to_string(n) + ": index");
  }
  if (extents == x.extents || !fits(extents))
    return;
  SizedTensor to = sized("", extents, x.element, x.most + 1);
  std::string value = constant(isFloatName(x.element) ? "1.0" : "7", x.element);
  to.name = op(to.shape, to.element,
               "tensor.pad " + x.name + " low" + listText(low) + " high" +
                   listText(high) + " {\n  ^bb0(" + join(indices, ", ") +
                   "):\n    tensor.yield " + value + " : " + x.element +
                   "\n  } : " + x.type() + " to " + to.type())
                .name;
  add(to);
}

void DynamicDraw::joining() {
  SizedTensor x = anyTensor();
  unsigned dim = random.uniform(x.rank());
  Extents other = x.extents;
  if (chance(50))
    other[dim] = anyExtent();
  SizedTensor y = like(other, x.element);
  Extents extents = x.extents;
  extents[dim] = extents[dim] + other[dim];
  if (!fits(extents))
    return;
  SizedTensor to = sized("", extents, x.element, std::max(x.most, y.most));
  to.name =
      op(to.shape, to.element,
         "tensor.concat dim(" + std::to_string(dim) + ") " + x.name + ", " +
             y.name + " : (" + x.type() + ", " + y.type() + ") -> " + to.type())
          .name;
  add(to);
}

/// The product of two extents; false if it has terms that extents lack.
static bool multiply(const SizedExtent &a, const SizedExtent &b,
                     SizedExtent &product) {
  product = {};
  for (size_t n = 0; n < 3; ++n)
    for (size_t m = 0; m < 3; ++m) {
      int64_t term = a.terms[n] * b.terms[m];
      if (term != 0 && n + m > 2)
        return false;
      if (term != 0)
        product.terms[n + m] += term;
    }
  return true;
}

static std::string groupsText(size_t rank, size_t at) {
  std::vector<std::string> groups;
  size_t next = 0;
  for (size_t n = 0; n < rank; ++n) {
    std::string first = std::to_string(next++);
    groups.push_back(n == at ? "[" + first + ", " + std::to_string(next++) + "]"
                             : "[" + first + "]");
  }
  return listText(groups);
}

void DynamicDraw::collapsing() {
  SizedTensor x = anyTensor(2, 4);
  size_t at = random.uniform(x.rank() - 1);
  Extents extents = x.extents;
  SizedExtent product;
  if (!multiply(extents[at], extents[at + 1], product))
    return;
  extents[at] = product;
  extents.erase(extents.begin() + at + 1);
  SizedTensor to = sized("", extents, x.element, x.most);
  to.name = op(to.shape, to.element,
               "tensor.collapse_shape " + x.name + " " +
                   groupsText(extents.size(), at) + " : " + x.type() +
                   " into " + to.type())
                .name;
  add(to);
}

void DynamicDraw::expanding() {
  SizedTensor x = anyTensor(1, 3);
  size_t at = random.uniform(x.rank());
  SizedExtent extent = x.extents[at];
  SizedExtent outer = SizedExtent::fixed(1), inner = extent;
  if (extent.terms[0] == 0 && extent.terms[2] == 0 && extent.terms[1] > 1) {
    outer = SizedExtent::fixed(extent.terms[1]);
    inner = SizedExtent::size();
  } else if (extent == SizedExtent{{0, 0, 1}}) {
    outer = inner = SizedExtent::size();
  } else if (extent.isFixed() && extent.at(0) % 2 == 0) {
    outer = SizedExtent::fixed(2);
    inner = SizedExtent::fixed(extent.at(0) / 2);
  }
  if (chance(50))
    std::swap(outer, inner);
  Extents extents = x.extents;
  extents[at] = outer;
  extents.insert(extents.begin() + at + 1, inner);
  std::vector<std::string> sizes = extentTexts(extents);
  SizedTensor to = sized("", extents, x.element, x.most);
  to.name = op(to.shape, to.element,
               "tensor.expand_shape " + x.name + " " +
                   groupsText(x.rank(), at) + " output_shape " +
                   listText(sizes) + " : " + x.type() + " into " + to.type())
                .name;
  add(to);
}

void DynamicDraw::permuting() {
  SizedTensor x = anyTensor(2, 4);
  Shape order;
  for (size_t n = 0; n < x.rank(); ++n)
    order.insert(order.begin() + random.uniform(order.size() + 1), int64_t(n));
  Extents extents;
  for (int64_t n : order)
    extents.push_back(x.extents[n]);
  SizedTensor to = emptyOf(extents, x.element);
  to.name = transpose(x, to, order).name;
  to.most = x.most;
  add(to);
}

/// Overwrites a part of a tensor of numbers, or of another tensor.
void DynamicDraw::inserting() {
  SizedTensor x = anyTensor();
  Extents extents = x.extents;
  std::vector<std::string> offsets;
  bool larger = chance(50);
  for (SizedExtent &extent : extents) {
    // An offset must be in the tensor even if nothing is inserted there.
    bool empty = extent == SizedExtent::fixed(0);
    int64_t before = larger && !empty && chance(30) ? between(0, 2) : 0;
    offsets.push_back(std::to_string(before));
    extent = extent + (before + (larger && chance(30) ? between(0, 2) : 0));
  }
  // No place is in an empty dimension.
  if (!fits(extents) || is_contained(extents, SizedExtent::fixed(0)))
    return;
  SizedTensor into =
      chance(50)
          ? filledWith(extents, x.element, isFloatName(x.element) ? "0.5" : "9")
          : like(extents, x.element);
  into.name =
      op(into.shape, into.element,
         "tensor.insert_slice " + x.name + " into " + into.name +
             listText(offsets) + " " + listText(extentTexts(x.extents)) + " " +
             listText(Shape(x.rank(), 1)) + " : " + x.type() + " into " +
             into.type())
          .name;
  into.most = std::max(x.most, 1.0);
  add(into);
}

/// Rows of a table by indices, sometimes shifted by a position.
void DynamicDraw::gather() {
  SizedExtent rows = anyExtent(), columns = anyExtent();
  SizedTensor indices = argument({rows}, "i64");
  bool shifted = chance(40);
  SizedExtent length = SizedExtent::fixed(8);
  if (shifted)
    length = rows + 8;
  Extents shape = {length, columns}, out = {rows, columns};
  if (!fits(shape) || !fits(out))
    return;
  SizedTensor table =
      rows.isFixed() || !shifted ? like(shape, base) : SizedTensor();
  if (table.name.empty()) {
    // Rows that a call has, and eight more.
    table = like({SizedExtent::fixed(8), columns}, base);
    SizedTensor own = like({rows, columns}, base),
                both = sized("", shape, base);
    both.name =
        op(both.shape, base,
           "tensor.concat dim(0) " + table.name + ", " + own.name + " : (" +
               table.type() + ", " + own.type() + ") -> " + both.type())
            .name;
    table = both;
  }
  std::string text =
      "    %i = arith.index_cast %x0 : i64 to index\n"
      "    %p = linalg.index 0 : index\n    %j = linalg.index 1 : index\n";
  text += shifted ? "    %k = arith.addi %i, %p : index\n" : "";
  text += "    %r0 = tensor.extract " + table.name + "[" +
          (shifted ? "%k" : "%i") + ", %j] : " + table.type() + "\n";
  add(generic("pp", {{indices, {"d0"}}}, {emptyOf(out, base), {"d0", "d1"}},
              text));
}

/// From the last element to the first.
void DynamicDraw::reversing() {
  SizedTensor x = anyTensor();
  unsigned dim = random.uniform(x.rank());
  if (x.extents[dim].at(least) <= 0)
    return;
  std::string last = extentText(x.extents[dim] + -1, /*value=*/true), text;
  std::vector<std::string> at;
  for (size_t n = 0; n < x.rank(); ++n) {
    std::string number = std::to_string(n);
    text += "    %i" + number + " = linalg.index " + number + " : index\n";
    at.push_back("%i" + number);
  }
  text += "    %k = arith.subi " + last + ", " + at[dim] + " : index\n";
  at[dim] = "%k";
  text += "    %r0 = tensor.extract " + x.name + listText(at) + " : " +
          x.type() + "\n";
  SizedTensor out = emptyOf(x.extents, x.element);
  TextMap all = allDims(x.rank());
  add(generic(std::string(x.rank(), 'p'), {}, {out, all}, text, x.most));
}

/// A sum or a maximum over three neighbours along one dimension.
void DynamicDraw::window() {
  SizedTensor x = anyTensor(1, 3);
  unsigned dim = random.uniform(x.rank());
  if (x.extents[dim].at(least) < 3)
    return;
  Extents extents = x.extents;
  extents[dim] = extents[dim] + -2;
  std::string e = x.element;
  bool sums = chance(50);
  TextMap map = allDims(x.rank()), all = map;
  std::string last = "d" + std::to_string(x.rank());
  map[dim] += " + " + last;
  SizedTensor offsets = emptyOf({SizedExtent::fixed(3)}, e);
  SizedTensor out =
      filledWith(extents, e, sums ? zeroOf(e) : extremeOf(e, true));
  add(generic(std::string(x.rank(), 'p') + "r", {{x, map}, {offsets, {last}}},
              {out, all},
              bodyLine("%r0",
                       sums ? arithOf(e, "addf", "addi")
                            : arithOf(e, "maximumf", "maxsi"),
                       "%y0, %x0", e),
              3 * x.most));
}

/// Repeats a tensor along a new dimension.
void DynamicDraw::spreading() {
  SizedTensor x = anyTensor(0, 3);
  size_t at = random.uniform(x.rank() + 1);
  Extents extents = x.extents;
  extents.insert(extents.begin() + at, anyExtent());
  if (!fits(extents))
    return;
  SizedTensor to = emptyOf(extents, x.element);
  to.name = broadcast(x, to, {int64_t(at)}).name;
  to.most = x.most;
  add(to);
}
