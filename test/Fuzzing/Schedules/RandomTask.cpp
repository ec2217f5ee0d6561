//===- RandomTask.cpp - random tasks --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Schedules/ScheduleFuzz.h"
#include "TaskDraw.h"

using namespace pruner;

std::string TaskDraw::draw() {
  switch (random.uniform(14)) {
  default:
    return contraction();
  case 5:
    return weightOnly();
  case 6:
    return reduction();
  case 7:
  case 10:
  case 11:
    return convolution();
  case 8:
  case 9:
    return elementwise();
  case 12:
  case 13:
    return rowChain();
  }
}

namespace {
/// The types of operands and of the accumulator of a product.
struct ProductTypes {
  const char *operand, *result;
};
} // namespace

/// f32 every second time, otherwise any of the types.
static ProductTypes productTypes(Random &random) {
  static const ProductTypes all[] = {
      {"f32", "f32"}, {"f16", "f32"}, {"bf16", "f32"},
      {"f64", "f64"}, {"i8", "i32"},  {"i16", "i32"},
      {"i64", "i64"}, {"f16", "f16"}, {"bf16", "bf16"}};
  return all[random.uniform(100) < 55 ? 0 : random.uniform(std::size(all))];
}

std::string TaskDraw::contraction() {
  bool batched = chance(25);
  Shape domain = extents(3, int64_t(1) << (10 + random.uniform(8)));
  if (batched)
    domain.insert(domain.begin(), 1 + random.uniform(5));
  unsigned m = batched, n = m + 1, k = m + 2;
  auto dims = [&](unsigned x, unsigned y, bool withBatch) {
    return withBatch && batched ? Dims{0, x, y} : Dims{x, y};
  };
  bool swapA = random.uniform(2), swapB = random.uniform(2);
  Dims a = maybePermuted(swapA ? dims(k, m, true) : dims(m, k, true), 15);
  Dims b = swapB ? dims(n, k, !chance(30)) : dims(k, n, !chance(30));
  b = maybePermuted(b, 15);
  Dims c = maybePermuted(dims(m, n, true), 25);

  ProductTypes type = productTypes(random);
  // Matrix instructions add up several terms of narrow numbers. The others
  // reach beyond the extent.
  bool isNarrow = llvm::StringRef(type.operand) != type.result;
  if (isNarrow && chance(40))
    domain[k] = (domain[k] + 3) / 4 * 4;
  // Tensor cores multiply no less than 16 rows and 8 columns.
  if (isNarrow && chance(50)) {
    domain[m] = std::max<int64_t>(domain[m], 16 + random.uniform(17));
    domain[n] = std::max<int64_t>(domain[n], 8 + random.uniform(25));
  }
  // One of the operands determines the extent of the reduction.
  bool whole = chance(50);
  auto operand = [&](const Dims &dims, bool moves) {
    std::vector<bool> free;
    for (unsigned d : dims)
      free.push_back(d != k || moves);
    return argument(shapeOf(dims, domain), type.operand, dimNames(dims), free);
  };
  TextOperand x = operand(a, !whole), y = operand(b, whole);
  if (chance(20))
    x.tensor = prologue(x.tensor);
  if (chance(15))
    y.tensor = prologue(y.tensor);
  TextTensor result = t.generic(
      batched ? "pppr" : "ppr", {x, y},
      {accumulator(shapeOf(c, domain), type.result), dimNames(c)},
      multiplyAddBody(type.operand, type.result, isNarrow && chance(40),
                      isNarrow && chance(40)));
  return t.finish(chance(50) ? epilogue(result) : result);
}

/// A product by integers of 8 or 4 bits that the body converts to floats, with
/// scales and zero points for groups of terms.
std::string TaskDraw::weightOnly() {
  Shape domain = extents(4, int64_t(1) << (10 + random.uniform(8)));
  enum : unsigned { M, N, Group, Term, Half };
  bool halves = chance(40), zeros = chance(40), swapped = chance(30);
  static const char *const types[] = {"f32", "f32", "f16", "bf16"};
  std::string e = pick(types), same = " : " + e + "\n";
  Dims x{M, Group, Term},
      w = swapped ? Dims{Group, Term, N} : Dims{N, Group, Term};
  if (halves) {
    domain.push_back(2);
    x.push_back(Half);
  }
  Dims each = maybePermuted({N, Group}, 30);
  auto operand = [&](const Dims &dims, const std::string &type,
                     bool fixed = false) {
    return argument(shapeOf(dims, domain), type, dimNames(dims),
                    std::vector<bool>(dims.size(), !fixed));
  };
  std::vector<TextOperand> inputs{operand(x, e, /*fixed=*/true),
                                  operand(w, "i8", /*fixed=*/true),
                                  operand(each, e)};
  std::string body, number = "%x1 : i8";
  if (halves) {
    inputs.push_back({t.argument({2}, "i32"), dimNames({Half})});
    body = "    %most = arith.constant 28 : i32\n"
           "    %by = arith.andi %x3, %most : i32\n"
           "    %wide = arith.extsi %x1 : i8 to i32\n"
           "    %up = arith.shli %wide, %by : i32\n"
           "    %down = arith.shrsi %up, %most : i32\n";
    number = "%down : i32";
  }
  body += "    %w0 = arith.sitofp " + number + " to " + e + "\n";
  std::string weight = "%w0";
  if (zeros) {
    inputs.push_back(operand(each, "i8"));
    body += "    %z = arith.sitofp %x" + std::to_string(inputs.size() - 1) +
            " : i8 to " + e + "\n    %w1 = arith.subf %w0, %z" + same;
    weight = "%w1";
  }
  body += "    %d = arith.mulf " + weight + ", %x2" + same;
  std::string result = "f32";
  if (e == "f32")
    body += "    %p = arith.mulf %x0, %d : f32\n";
  else
    body += "    %xf = arith.extf %x0 : " + e +
            " to f32\n    %df = arith.extf %d : " + e +
            " to f32\n    %p = arith.mulf %xf, %df : f32\n";
  body += "    %r0 = arith.addf %y0, %p : f32\n";
  Dims c = maybePermuted({M, N}, 20);
  TextTensor y =
      t.generic(halves ? "pprrr" : "pprr", inputs,
                {accumulator(shapeOf(c, domain), result), dimNames(c)}, body);
  return t.finish(chance(50) ? epilogue(y) : y);
}

TextTensor TaskDraw::accumulator(Shape shape, const std::string &element) {
  if (chance(20))
    return t.argument(std::move(shape), element);
  std::string start = chance(80)             ? zeroOf(element)
                      : isFloatName(element) ? "-3.0"
                                             : "-3";
  return t.filled(std::move(shape), element, start);
}

TextTensor TaskDraw::prologue(const TextTensor &x) {
  const std::string &e = x.element;
  TextMap all = allDims(x.rank());
  TextOperand out{t.empty(x.shape, e), all};
  std::string kinds(x.rank(), 'p');
  if (chance(50))
    return t.generic(kinds, {{x, all}}, out,
                     "    %r0 = " + arithOf(e, "addf", "addi") +
                         " %x0, %x0 : " + e + "\n");
  unsigned along = random.uniform(x.rank());
  TextTensor scale = t.argument({x.shape[along]}, e);
  return t.generic(kinds, {{x, all}, {scale, dimNames({along})}}, out,
                   "    %r0 = " + arithOf(e, "mulf", "muli") +
                       " %x0, %x1 : " + e + "\n");
}

TextTensor TaskDraw::epilogue(const TextTensor &c) {
  const std::string &e = c.element;
  Dims all = iota(c.rank());
  Dims order = maybePermuted(all, 30);
  std::string kinds(all.size(), 'p');
  auto write = [&](std::vector<TextOperand> inputs, const std::string &type,
                   const std::string &body) {
    return t.generic(kinds, inputs,
                     {t.empty(shapeOf(order, c.shape), type), dimNames(order)},
                     body);
  };
  TextOperand result{c, dimNames(all)};
  // The lowered code has no erf for f64.
  unsigned kind = random.uniform(e == "f32" ? 5 : 2);
  if (kind == 0 && !all.empty()) { // Bias and ReLU.
    unsigned along = chance(70) ? all.back() : random.uniform(all.size());
    TextTensor bias = t.argument({c.shape[along]}, e);
    return write({result, {bias, dimNames({along})}}, e,
                 "    %z = arith.constant " + zeroOf(e) + " : " + e +
                     "\n    %s = " + arithOf(e, "addf", "addi") +
                     " %x0, %x1 : " + e + "\n    %r0 = " +
                     arithOf(e, "maximumf", "maxsi") + " %s, %z : " + e + "\n");
  }
  if (kind <= 1) { // A residual.
    Dims from = maybePermuted(all, 30);
    return write(
        {argument(shapeOf(from, c.shape), e, dimNames(from)), result}, e,
        "    %r0 = " + arithOf(e, "addf", "addi") + " %x0, %x1 : " + e + "\n");
  }
  if (kind == 2 || kind == 3) // GELU by the error function.
    return write({result}, e,
                 "    %c = arith.constant 0.70710678 : " + e +
                     "\n    %h = arith.constant 0.5 : " + e +
                     "\n    %o = arith.constant 1.0 : " + e +
                     "\n    %s = arith.mulf %x0, %c : " + e +
                     "\n    %f = math.erf %s : " + e +
                     "\n    %g = arith.addf %f, %o : " + e +
                     "\n    %m = arith.mulf %x0, %h : " + e +
                     "\n    %r0 = arith.mulf %m, %g : " + e + "\n");
  return write({result}, "f16",
               "    %r0 = arith.truncf %x0 : " + e + " to f16\n");
}

std::string TaskDraw::reduction() {
  unsigned rank = 1 + random.uniform(4);
  Shape domain = extents(rank, 1 << 15);
  std::string kinds;
  Dims kept;
  unsigned reduced = random.uniform(rank);
  for (unsigned d = 0; d < rank; ++d) {
    bool reduce = d == reduced || chance(40);
    kinds += reduce ? 'r' : 'p';
    if (!reduce)
      kept.push_back(d);
  }
  Dims in = maybePermuted(iota(rank), 40), out = maybePermuted(kept, 30);
  std::vector<bool> free;
  for (unsigned d : in)
    free.push_back(kinds[d] == 'p');
  static const struct {
    const char *element, *op, *start;
  } all[] = {{"f32", "addf", "0.0"},
             {"f32", "addf", "0.0"},
             {"f32", "maximumf", "0xFF800000"},
             {"f32", "minimumf", "0x7F800000"},
             {"f32", "mulf", "1.0"},
             {"f64", "addf", "0.0"},
             {"f16", "addf", "0.0"},
             {"bf16", "addf", "0.0"},
             {"bf16", "mulf", "1.0"},
             {"i32", "addi", "0"},
             {"i64", "addi", "0"},
             {"i64", "maxsi", "-9"},
             {"i16", "minsi", "9"},
             {"i32", "muli", "1"},
             {"i64", "muli", "1"}};
  const auto &how = pick(all);
  std::string e = how.element;
  // Products of many numbers are zero or infinite.
  if (isFloatName(e) && std::string(how.op) == "mulf")
    for (unsigned d = 0; d < rank; ++d)
      if (kinds[d] == 'r')
        domain[d] = std::min<int64_t>(domain[d], reduced == d ? 17 : 2);
  TextOperand x = argument(shapeOf(in, domain), e, dimNames(in), free);
  TextTensor c = t.filled(shapeOf(out, domain), e, how.start);
  return t.finish(t.generic(kinds, {x}, {c, dimNames(out)},
                            std::string("    %r0 = arith.") + how.op +
                                " %y0, %x0 : " + e + "\n"));
}

TextOperand TaskDraw::window(int64_t size, int64_t kernel, bool last, int64_t n,
                             int64_t c, const std::string &channel,
                             const std::string &element,
                             const std::string &outside) {
  int64_t stride = 1 + random.uniform(3), dilation = 1 + random.uniform(2);
  int64_t in = (size - 1) * stride + (kernel - 1) * dilation + 1;
  auto along = [&](const char *o, const char *k) {
    return std::string(o) + " * " + std::to_string(stride) + " + " + k + " * " +
           std::to_string(dilation);
  };
  std::string h = along("d1", "d4"), w = along("d2", "d5");
  int64_t before = 0, behind = 0;
  if (chance(60) && in > 1) {
    before = random.uniform(std::min<int64_t>(in, 4));
    behind = random.uniform(std::min<int64_t>(in - before, 4));
  }
  int64_t inside = in - before - behind;
  Shape shape =
      last ? Shape{n, inside, inside, c} : Shape{n, c, inside, inside};
  TextMap map =
      last ? TextMap{"d0", h, w, channel} : TextMap{"d0", channel, h, w};
  if (before + behind == 0) {
    TextOperand x = argument(std::move(shape), element, std::move(map));
    if (element == "f32" && chance(20))
      x.tensor = prologue(x.tensor);
    return x;
  }
  TextTensor x = t.argument(std::move(shape), element);
  if (element == "f32" && chance(20))
    x = prologue(x);
  {
    Shape low(4, 0), high(4, 0);
    for (unsigned r : {last ? 1 : 2, last ? 2 : 3}) {
      low[r] = before;
      high[r] = behind;
    }
    x = t.pad(x, low, high, t.constant(outside, x.element));
  }
  return {x, map};
}

std::string TaskDraw::convolution() {
  if (chance(30))
    return pooling();
  int64_t size = 1 + random.uniform(15), kernel = 1 + random.uniform(3);
  int64_t channels = 1 + random.uniform(9), filters = 1 + random.uniform(33);
  bool last = chance(50), depthwise = chance(35);
  ProductTypes type = productTypes(random);
  bool isNarrow = llvm::StringRef(type.operand) != type.result;
  std::string zero = zeroOf(type.operand);
  int64_t batch = 1 + random.uniform(2);
  TextOperand x =
      window(size, kernel, last, batch, depthwise ? filters : channels,
             depthwise ? "d3" : "d6", type.operand,
             chance(80)    ? zero
             : zero == "0" ? "-2"
                           : "-2.0");
  bool oihw = chance(50);
  Shape shape = oihw ? Shape{filters, channels, kernel, kernel}
                     : Shape{kernel, kernel, channels, filters};
  TextMap map =
      oihw ? TextMap{"d3", "d6", "d4", "d5"} : TextMap{"d4", "d5", "d6", "d3"};
  if (depthwise) {
    shape.erase(shape.begin() + (oihw ? 1 : 2));
    map.erase(map.begin() + (oihw ? 1 : 2));
  }
  // Only the extent of the filters is determined by another tensor, the result.
  std::vector<bool> free;
  for (const std::string &expr : map)
    free.push_back(expr == "d3");
  TextOperand f = argument(shape, type.operand, map, free);
  TextTensor y = accumulator(last ? Shape{batch, size, size, filters}
                                  : Shape{batch, filters, size, size},
                             type.result);
  TextTensor result = t.generic(depthwise ? "pppprr" : "pppprrr", {x, f},
                                {y, last ? TextMap{"d0", "d1", "d2", "d3"}
                                         : TextMap{"d0", "d3", "d1", "d2"}},
                                multiplyAddBody(type.operand, type.result,
                                                isNarrow && chance(40),
                                                isNarrow && chance(40)));
  return t.finish(chance(40) ? epilogue(result) : result);
}

std::string TaskDraw::pooling() {
  int64_t size = 1 + random.uniform(15), kernel = 1 + random.uniform(3);
  int64_t channels = 1 + random.uniform(20), batch = 1 + random.uniform(2);
  bool last = chance(50), max = chance(60);
  TextOperand x = window(size, kernel, last, batch, channels, "d3", "f32",
                         max ? "0xFF800000" : "0.0");
  TextTensor window = t.empty({kernel, kernel}, "f32");
  TextTensor y = t.filled(last ? Shape{batch, size, size, channels}
                               : Shape{batch, channels, size, size},
                          "f32", max ? "0xFF800000" : "0.0");
  TextTensor result =
      t.generic("pppprr", {x, {window, {"d4", "d5"}}},
                {y, last ? TextMap{"d0", "d1", "d2", "d3"}
                         : TextMap{"d0", "d3", "d1", "d2"}},
                max ? "    %r0 = arith.maximumf %y0, %x0 : f32\n"
                    : "    %r0 = arith.addf %y0, %x0 : f32\n");
  return t.finish(chance(40) ? epilogue(result) : result);
}

TextOperand TaskDraw::operand(const Shape &domain, const std::string &element,
                              bool whole) {
  Dims dims;
  for (unsigned d = 0; d < domain.size(); ++d)
    if (whole || chance(65))
      dims.push_back(d);
  dims = maybePermuted(dims, 40);
  return argument(shapeOf(dims, domain), element, dimNames(dims));
}

std::string pruner::randomTask(Random &random) {
  return TaskDraw(random).draw();
}

std::string pruner::randomWeightOnlyTask(Random &random) {
  return TaskDraw(random).weightOnly();
}
