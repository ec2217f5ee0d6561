//===- DynamicReductions.cpp - reductions of dynamic extent ---------------===//
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
  case 4: // A term that is not an element.
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
  // The body yields %r0.
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

/// A sum or a maximum over three neighbors along one dimension.
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
