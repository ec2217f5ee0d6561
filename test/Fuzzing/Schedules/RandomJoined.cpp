//===- RandomJoined.cpp - random chains between products ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Schedules/ScheduleFuzz.h"
#include "TaskDraw.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

/// The dimensions: batches, rows, elements of a row, terms, columns.
namespace {
struct JoinedShape {
  Shape domain;
  TaskDraw::Dims rows, along, terms, columns;
};
} // namespace

/// A first product, whose factors may be scaled before it, elementwise ops (a
/// scale, a mask) after it, then a softmax, another use of reductions of rows,
/// or neither, and a second product.
std::string TaskDraw::joinedProducts() {
  JoinedShape s;
  // Attention with a mask, of rows that are long enough to end early.
  const bool masked = chance(20);
  unsigned batches = random.uniform(masked ? 2 : 3);
  for (unsigned b = 0; b < batches; ++b) {
    s.rows.push_back(s.domain.size());
    s.domain.push_back(1 + random.uniform(3));
  }
  // One dimension of each kind, or sometimes two.
  auto add = [&](Dims &dims, int64_t limit) {
    if (chance(20)) {
      int64_t outer = 1 + random.uniform(4);
      dims.push_back(s.domain.size());
      s.domain.push_back(outer);
      limit = std::max<int64_t>(1, limit / outer);
    }
    dims.push_back(s.domain.size());
    s.domain.push_back(extent(limit));
  };
  auto addLong = [&](Dims &dims, int64_t least, int64_t span) {
    dims.push_back(s.domain.size());
    s.domain.push_back(least + int64_t(random.uniform(span)));
  };
  // The factors, what their products are added up in, and numbers between the
  // products. Matrix instructions multiply narrow factors, and often all terms
  // of their sums are inside.
  const char *factorType = "f32", *wideType = "f32";
  if (unsigned draw = random.uniform(100); draw < 25)
    factorType = "bf16";
  else if (draw < 40 && !masked)
    factorType = "i8", wideType = "i32";
  const bool narrow = factorType != wideType, integers = wideType[0] == 'i';
  const std::string wideName = wideType;
  if (masked)
    addLong(s.rows, 16, 50);
  else
    add(s.rows, 65);
  unsigned row = s.rows.back();
  if (masked)
    addLong(s.along, 48, 100);
  else
    add(s.along, 130);
  add(s.terms, 33);
  add(s.columns, 49);
  if (narrow)
    for (unsigned d : {s.along.back(), s.terms.back()})
      if (int64_t unit = pick({1, 2, 4, 16, 16, 32}); chance(60))
        s.domain[d] = (s.domain[d] + unit - 1) / unit * unit;
  auto joined = [](Dims dims, const Dims &more) {
    dims.insert(dims.end(), more.begin(), more.end());
    return dims;
  };
  Dims wide = joined(s.rows, s.along), result = joined(s.rows, s.columns);

  // Sums over dimension `reduced` of the products of a and b.
  auto product = [&](const Dims &loops, TextOperand a, TextOperand b,
                     const Dims &out, const Dims &reduced) {
    auto renamed = [&](TextMap map) {
      for (std::string &expr : map)
        for (size_t n = 0; n < loops.size(); ++n)
          if (expr == "d" + std::to_string(loops[n])) {
            expr = "d" + std::to_string(n);
            break;
          }
      return map;
    };
    std::string kinds;
    for (unsigned d : loops)
      kinds += llvm::is_contained(reduced, d) ? 'r' : 'p';
    TextMap to = renamed(dimNames(out));
    a.map = renamed(a.map);
    b.map = renamed(b.map);
    return t.generic(
        kinds, {a, b},
        {t.filled(shapeOf(out, s.domain), wideType, integers ? "0" : "0.0"),
         to},
        multiplyAddBody(factorType, wideType));
  };
  // The dimensions `r` by `c`, for each batch or for all, in either layout.
  auto factor = [&](const Dims &r, const Dims &c, bool batched) {
    Dims dims;
    if (batched)
      dims.assign(s.rows.begin(), llvm::find(s.rows, row));
    bool swap = chance(50);
    dims = joined(joined(dims, swap ? c : r), swap ? r : c);
    return TextOperand{t.argument(shapeOf(dims, s.domain), factorType),
                       dimNames(dims)};
  };
  auto scaled = [&](TextOperand x) {
    if (integers || !chance(35))
      return x;
    TextMap here = allDims(x.tensor.rank());
    x.tensor =
        t.generic(std::string(here.size(), 'p'), {{x.tensor, here}},
                  {t.empty(x.tensor.shape, factorType), here},
                  "    %c = arith.constant 2.0 : " + std::string(factorType) +
                      "\n    %r0 = arith.mulf %x0, %c : " + factorType + "\n");
    return x;
  };
  TextOperand q = scaled(factor({row}, s.terms, true));
  TextOperand k = scaled(factor(s.along, s.terms, chance(70)));
  Dims loops = joined(wide, s.terms);
  TextOperand x{product(maybePermuted(loops, 20), q, k, wide, s.terms),
                allDims(wide.size())};

  std::string all(wide.size(), 'p'), sums = all, flat(s.rows.size(), 'p');
  for (size_t n = s.rows.size(); n < sums.size(); ++n)
    sums[n] = 'r';
  TextMap whole = allDims(wide.size()), here = allDims(s.rows.size());
  auto emptyWide = [&] {
    return TextOperand{t.empty(shapeOf(wide, s.domain), wideType), whole};
  };
  auto start = [&](const char *value) {
    return TextOperand{t.filled(shapeOf(s.rows, s.domain), wideType, value),
                       here};
  };
  if (!integers && (masked || chance(40))) {
    // A mask or a bias, often the same for all batches.
    Dims dims = wide;
    if (chance(50))
      dims.erase(dims.begin(), llvm::find(dims, row));
    bool selects = chance(50);
    TextOperand mask{
        t.argument(shapeOf(dims, s.domain), selects ? "i1" : "f32"),
        dimNames(dims)};
    x = {t.generic(all, {x, mask}, emptyWide(),
                   selects ? "    %c = arith.constant 0xFF800000 : f32\n"
                             "    %r0 = arith.select %x1, %x0, %c : f32\n"
                           : "    %r0 = arith.addf %x0, %x1 : f32\n"),
         whole};
  }
  switch (masked ? 0 : integers ? 2 + random.uniform(2) : random.uniform(4)) {
  case 0: // A softmax; rows that are entirely masked become zeros.
  case 1: {
    TextOperand most{t.generic(sums, {x}, start("0xFF800000"),
                               "    %r0 = arith.maximumf %y0, %x0 : f32\n"),
                     here};
    TextOperand power{t.generic(all, {x, most}, emptyWide(),
                                "    %d = arith.subf %x0, %x1 : f32\n"
                                "    %r0 = math.exp %d : f32\n"),
                      whole};
    TextOperand sum{t.generic(sums, {power}, start("0.0"),
                              "    %r0 = arith.addf %y0, %x0 : f32\n"),
                    here};
    if (chance(50)) {
      TextOperand none{
          t.generic(flat, {most},
                    {t.empty(shapeOf(s.rows, s.domain), "i1"), here},
                    "    %c = arith.constant 0xFF800000 : f32\n"
                    "    %r0 = arith.cmpf oeq, %x0, %c : f32\n"),
          here};
      x = {t.generic(all, {none, power, sum}, emptyWide(),
                     "    %z = arith.constant 0.0 : f32\n"
                     "    %q = arith.divf %x1, %x2 : f32\n"
                     "    %r0 = arith.select %x0, %z, %q : f32\n"),
           whole};
    } else {
      x = {t.generic(all, {power, sum}, emptyWide(),
                     "    %r0 = arith.divf %x0, %x1 : f32\n"),
           whole};
    }
    break;
  }
  case 2: { // The distance from the least or largest element; exact.
    bool max = chance(50);
    const char *least = integers ? "-2147483648" : "0xFF800000",
               *most = integers ? "2147483647" : "0x7F800000",
               *larger = integers ? "maxsi" : "maximumf",
               *smaller = integers ? "minsi" : "minimumf";
    TextOperand end{t.generic(sums, {x}, start(max ? least : most),
                              std::string("    %r0 = arith.") +
                                  (max ? larger : smaller) +
                                  " %y0, %x0 : " + wideName + "\n"),
                    here};
    x = {t.generic(all, {x, end}, emptyWide(),
                   std::string("    %r0 = arith.sub") + (integers ? "i" : "f") +
                       " %x0, %x1 : " + wideName + "\n"),
         whole};
    break;
  }
  default: // No reduction of rows, as between the products of an MLP.
    if (chance(60))
      x = {t.generic(all, {x}, emptyWide(),
                     integers ? "    %z = arith.constant 0 : i32\n"
                                "    %r0 = arith.maxsi %x0, %z : i32\n"
                              : "    %z = arith.constant 0.0 : f32\n"
                                "    %r0 = arith.maximumf %x0, %z : f32\n"),
           whole};
    break;
  }
  if (narrow) // Back to the type of the factors.
    x = {t.generic(all, {x},
                   {t.empty(shapeOf(wide, s.domain), factorType), whole},
                   integers ? "    %lo = arith.constant -128 : i32\n"
                              "    %hi = arith.constant 127 : i32\n"
                              "    %m = arith.maxsi %x0, %lo : i32\n"
                              "    %n = arith.minsi %m, %hi : i32\n"
                              "    %r0 = arith.trunci %n : i32 to i8\n"
                            : "    %r0 = arith.truncf %x0 : f32 to bf16\n"),
         whole};

  TextOperand w{x.tensor, dimNames(wide)};
  TextOperand v = factor(s.along, s.columns, chance(70));
  loops = joined(result, s.along);
  TextTensor y = product(maybePermuted(loops, 20), w, v, result, s.along);
  if (!chance(40))
    return t.finish(y);
  // After the product a bias of its columns, sometimes written transposed.
  Dims out = result;
  if (chance(40))
    std::swap(out[out.size() - 1], out[out.size() - 2]);
  auto own = [&](const Dims &dims) {
    TextMap map;
    for (unsigned d : dims)
      map.push_back("d" +
                    std::to_string(llvm::find(result, d) - result.begin()));
    return map;
  };
  TextOperand bias{t.argument(shapeOf(s.columns, s.domain), wideType),
                   own(s.columns)};
  return t.finish(
      t.generic(std::string(result.size(), 'p'), {{y, own(result)}, bias},
                {t.empty(shapeOf(out, s.domain), wideType), own(out)},
                std::string("    %r0 = arith.add") + (integers ? "i" : "f") +
                    " %x0, %x1 : " + wideName + "\n"));
}

std::string pruner::randomJoinedTask(Random &random) {
  return TaskDraw(random).joinedProducts();
}
