//===- Tasks.cpp - tasks for mutation tests -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tasks.h"

#include "Fuzzing/Text/LinalgWriter.h"
#include "TaskDraws.h"

using namespace llvm;
using namespace pruner;

//===--- products and windows ---------------------------------------------===//

/// After a product: nothing, a bias, or a bias and a function.
static TextTensor finished(TaskWriter &t, TextTensor c, Random &random) {
  if (random.uniform(3) == 0)
    return c;
  const std::string &e = c.element;
  TextMap all = allDims(c.rank());
  TextTensor bias = t.argument({c.shape.back()}, e);
  std::string body = bodyLine("%s", arithOf(e, "addf", "addi"), "%x0, %x1", e);
  if (isFloatName(e))
    body += functionOf(e, "%s", "%r0", random);
  else
    body += bodyLine("%z", "arith.constant", "0", e) +
            bodyLine("%r0", "arith.maxsi", "%s, %z", e);
  return t.generic(std::string(all.size(), 'p'),
                   {{c, all}, {bias, {all.back()}}}, {t.empty(c.shape, e), all},
                   body);
}

static std::string drawProduct(StringRef type, Random &random, bool batched) {
  TaskWriter t;
  int64_t k = random.uniform(6) == 0 ? 4096 : drawExtent(random, 300);
  int64_t n = drawExtent(random, std::max<int64_t>(1, (1 << 16) / k));
  int64_t m = drawExtent(random, std::max<int64_t>(1, (1 << 16) / k / n));
  Shape left{m, k}, right{k, n}, result{m, n};
  TextMap a{"d0", "d2"}, b{"d2", "d1"}, c{"d0", "d1"};
  std::string kinds = "ppr";
  if (random.uniform(3) == 0) {
    std::swap(left[0], left[1]);
    std::swap(a[0], a[1]);
  }
  if (random.uniform(3) == 0) {
    std::swap(right[0], right[1]);
    std::swap(b[0], b[1]);
  }
  if (batched) {
    int64_t batch = 1 + random.uniform(4);
    kinds = "pprp";
    for (auto *shape : {&left, &right, &result})
      shape->insert(shape->begin(), batch);
    for (auto *names : {&a, &b, &c})
      names->insert(names->begin(), "d3");
  }
  std::string to = accumulatorOf(type);
  TextOperand x{t.argument(left, type), a}, y{t.argument(right, type), b};
  TextTensor out =
      t.generic(kinds, {x, y}, {t.filled(result, to, zeroOf(to)), c},
                multiplyAddBody(type, to));
  return t.finish(finished(t, out, random));
}

static std::string drawMatmul(StringRef type, Random &random) {
  return drawProduct(type, random, /*batched=*/false);
}
static std::string drawBatchMatmul(StringRef type, Random &random) {
  return drawProduct(type, random, /*batched=*/true);
}

namespace {
/// Positions of a window along one coordinate.
struct Window {
  int64_t size, kernel, stride, dilation, low, high;

  Window(Random &random, int64_t most) {
    size = 1 + random.uniform(most);
    kernel = 1 + random.uniform(3);
    stride = 1 + random.uniform(2);
    dilation = 1 + random.uniform(2);
    int64_t pad = (kernel - 1) * dilation;
    low = random.uniform(2) ? random.uniform(pad + 1) : 0;
    high = random.uniform(2) ? random.uniform(pad + 1) : 0;
    if (whole() - low - high < 1)
      low = high = 0;
  }
  int64_t whole() const {
    return (size - 1) * stride + (kernel - 1) * dilation + 1;
  }
  std::string map(const std::string &at, const std::string &tap) const {
    return at + " * " + std::to_string(stride) + " + " + tap + " * " +
           std::to_string(dilation);
  }
};
} // namespace

/// An argument of shape n x channels... x whole x whole, padded for the windows
/// if necessary. `channels` are the extents before the two coordinates.
static TextTensor windowed(TaskWriter &t, Shape front, const Window &h,
                           const Window &w, const std::string &element,
                           const std::string &outside) {
  Shape shape = front;
  shape.push_back(h.whole() - h.low - h.high);
  shape.push_back(w.whole() - w.low - w.high);
  TextTensor x = t.argument(shape, element);
  if (h.low + h.high + w.low + w.high == 0)
    return x;
  Shape low(front.size(), 0), high = low;
  low.insert(low.end(), {h.low, w.low});
  high.insert(high.end(), {h.high, w.high});
  return t.pad(x, low, high, t.constant(outside, element));
}

static std::string drawConvolution(StringRef type, Random &random) {
  TaskWriter t;
  Window h(random, 9), w(random, 13);
  int64_t n = 1 + random.uniform(2), c = 1 + random.uniform(9),
          f = 1 + random.uniform(17);
  std::string to = accumulatorOf(type), from = type.str();
  TextTensor x = windowed(t, {n, c}, h, w, from, zeroOf(from));
  TextTensor k = t.argument({f, c, h.kernel, w.kernel}, from);
  TextTensor y =
      t.generic("pppprrr",
                {{x, {"d0", "d6", h.map("d2", "d4"), w.map("d3", "d5")}},
                 {k, {"d1", "d6", "d4", "d5"}}},
                {t.filled({n, f, h.size, w.size}, to, zeroOf(to)),
                 {"d0", "d1", "d2", "d3"}},
                multiplyAddBody(type, to));
  return t.finish(finished(t, y, random));
}

/// Each group of channels separately; depthwise if a group is one channel.
static std::string drawGrouped(StringRef type, Random &random) {
  TaskWriter t;
  Window h(random, 9), w(random, 9);
  int64_t n = 1, groups = 1 + random.uniform(9);
  bool depthwise = random.uniform(2);
  int64_t c = depthwise ? 1 : 1 + random.uniform(4),
          f = depthwise ? 1 : 1 + random.uniform(4);
  std::string to = accumulatorOf(type), from = type.str();
  TextTensor x = windowed(t, {n, groups, c}, h, w, from, zeroOf(from));
  TextTensor k = t.argument({groups, f, c, h.kernel, w.kernel}, from);
  TextTensor y =
      t.generic("ppppprrr",
                {{x, {"d0", "d1", "d7", h.map("d3", "d5"), w.map("d4", "d6")}},
                 {k, {"d1", "d2", "d7", "d5", "d6"}}},
                {t.filled({n, groups, f, h.size, w.size}, to, zeroOf(to)),
                 {"d0", "d1", "d2", "d3", "d4"}},
                multiplyAddBody(type, to));
  return t.finish(finished(t, y, random));
}

static std::string drawPooling(StringRef type, Random &random) {
  TaskWriter t;
  Window h(random, 12), w(random, 12);
  int64_t n = 1 + random.uniform(2), c = 1 + random.uniform(17);
  std::string e = type.str();
  Combination how = drawCombination(e, random);
  TextTensor x = windowed(t, {n, c}, h, w, e, how.neutral);
  TextTensor taps = t.empty({h.kernel, w.kernel}, e);
  TextTensor y =
      t.generic("pppprr",
                {{x, {"d0", "d1", h.map("d2", "d4"), w.map("d3", "d5")}},
                 {taps, {"d4", "d5"}}},
                {t.filled({n, c, h.size, w.size}, e, how.neutral),
                 {"d0", "d1", "d2", "d3"}},
                how.body);
  if (!isFloatName(e) || random.uniform(2))
    return t.finish(y);
  TextMap all = allDims(4);
  return t.finish(t.generic("pppp", {{y, all}}, {t.empty(y.shape, e), all},
                            functionOf(e, "%x0", "%r0", random)));
}

/// A step of Winograd's convolution: tiles of a padded image times a matrix, or
/// products times a matrix, as tiles of the result.
static std::string drawTileTransform(StringRef type, Random &random) {
  TaskWriter t;
  const std::string e = type.str();
  int64_t tiles = 1 + random.uniform(5), channels = 1 + random.uniform(40),
          results = random.uniform(2) ? 2 : 4, window = 3,
          elements = results + window - 1, terms = elements * elements;
  TextTensor y;
  if (random.uniform(2)) {
    // Element, row, column, channel; row and column of the tile.
    int64_t whole = (tiles - 1) * results + elements, low = random.uniform(2);
    TextTensor image = t.argument({whole - 2 * low, whole - low, channels}, e);
    if (low)
      image =
          t.pad(image, {low, low, 0}, {low, 0, 0}, t.constant(zeroOf(e), e));
    std::string by = " * " + std::to_string(results) + " + ";
    y = t.generic(
        "pppprr",
        {{t.argument({terms, elements, elements}, e), {"d0", "d4", "d5"}},
         {image, {"d1" + by + "d4", "d2" + by + "d5", "d3"}}},
        {t.filled({terms, tiles, tiles, channels}, e, zeroOf(e)),
         {"d0", "d1", "d2", "d3"}},
        multiplyAddBody(e, e));
    return t.finish(y);
  }
  // Row, row of the tile, column, column of the tile, channel; element.
  y = t.generic(
      "pppppr",
      {{t.argument({terms, results, results}, e), {"d5", "d1", "d3"}},
       {t.argument({terms, tiles, tiles, channels}, e),
        {"d5", "d0", "d2", "d4"}}},
      {t.filled({tiles, results, tiles, results, channels}, e, zeroOf(e)),
       {"d0", "d1", "d2", "d3", "d4"}},
      multiplyAddBody(e, e));
  return t.finish(finished(t, y, random));
}

/// `x`, with `neutral` where the mask of its last coordinate does not hold.
static TextTensor masked(TaskWriter &t, const TextTensor &x,
                         const TextOperand &mask, const std::string &neutral) {
  TextMap all = allDims(x.rank());
  std::string outside = t.constant(neutral, x.element);
  return t.generic(
      "pp", {{x, all}, mask}, {t.empty(x.shape, x.element), all},
      bodyLine("%r0", "arith.select", "%x1, %x0, " + outside, x.element));
}

/// A reduction along a dimension of several sizes: a mask says which positions
/// a call has.
static std::string drawPadded(StringRef type, Random &random) {
  TaskWriter t;
  const std::string e = type.str();
  int64_t n = 1 + random.uniform(9), m = 1 + random.uniform(40);
  TextTensor x = t.argument({n, m}, e), mask = t.argument({m}, "i1");
  if (random.uniform(2)) {
    Combination how = drawCombination(e, random);
    TextTensor y = masked(t, x, {mask, {"d1"}}, how.neutral);
    return t.finish(t.generic("pr", {{y, {"d0", "d1"}}},
                              {t.filled({n}, e, how.neutral), {"d0"}},
                              how.body));
  }
  int64_t f = 1 + random.uniform(17);
  TextTensor a = masked(t, x, {mask, {"d1"}}, zeroOf(e)),
             b = masked(t, t.argument({m, f}, e), {mask, {"d0"}}, zeroOf(e));
  TextTensor y = t.generic("ppr", {{a, {"d0", "d2"}}, {b, {"d2", "d1"}}},
                           {t.filled({n, f}, e, zeroOf(e)), {"d0", "d1"}},
                           multiplyAddBody(e, e));
  return t.finish(finished(t, y, random));
}

static constexpr const char *productTypes[] = {"f32", "f16", "i8", "bf16",
                                               "f64", "i32", "i64"};
static constexpr const char *windowTypes[] = {"f32", "f16", "bf16",
                                              "f64", "i32", "i8"};
static constexpr const char *poolTypes[] = {"f32", "f16", "i32", "f64"};
static constexpr const char *numberTypes[] = {"f32", "f16", "bf16", "f64",
                                              "i32", "i64", "i8"};
static constexpr const char *mapTypes[] = {"f32", "f16", "f64", "bf16",
                                           "i32", "i8",  "i16"};
static constexpr const char *realTypes[] = {"f32", "f16", "bf16"};
static constexpr const char *onlyF32[] = {"f32"};
static constexpr const char *onlyI8[] = {"i8"};
static constexpr const char *onlyI64[] = {"i64"};
static constexpr const char *narrowTypes[] = {"bf16", "f16"};
static constexpr const char *smallTypes[] = {"f32", "f16", "i32", "bf16",
                                             "f64"};

ArrayRef<TaskKind> pruner::taskKinds() {
  static const TaskKind kinds[] = {
      {"matmul", productTypes, drawMatmul},
      {"softmax", realTypes, drawSoftmax},
      {"reduction", numberTypes, drawReduction},
      {"elementwise", mapTypes, drawElementwise},
      {"layernorm", realTypes, drawLayerNorm},
      {"convolution", windowTypes, drawConvolution},
      {"rmsnorm", realTypes, drawRmsNorm},
      {"pooling", poolTypes, drawPooling},
      {"attention", onlyF32, drawAttention},
      {"grouped", windowTypes, drawGrouped},
      {"quantize", onlyF32, drawQuantize},
      {"batch-matmul", productTypes, drawBatchMatmul},
      {"function", realTypes, drawFunction},
      {"random", onlyF32, drawAny},
      {"requantize", onlyI8, drawRequantization},
      {"quantized-matmul", onlyI8, drawQuantizedMatmul},
      {"quantized-convolution", onlyI8, drawQuantizedConvolution},
      {"wide", onlyI64, drawWide},
      {"masked-softmax", realTypes, drawMaskedSoftmax},
      {"chain", narrowTypes, drawChain},
      {"small", smallTypes, drawSmall},
      {"joined", onlyF32, drawJoined},
      {"weight-only", onlyI8, drawWeightOnly},
      {"tile-transform", onlyF32, drawTileTransform},
      {"padded", poolTypes, drawPadded}};
  return kinds;
}
