//===- TaskText.cpp - task functions as text ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskText.h"

#include "Fuzzing/Text/LinalgWriter.h"

using namespace pruner;
using namespace pruner::test;

namespace {
struct MatmulOptions {
  int64_t batch = 0;
  bool transposeA = false, transposeB = false;
  bool half = false;       ///< f16 operands, f32 accumulation, f16 result.
  bool biasRelu = false;   ///< Epilogue.
  bool scale = false;      ///< Prologue on the first operand.
  bool biasInit = false;   ///< The accumulator starts from an argument.
  bool transposed = false; ///< The epilogue writes the transposed result.
};
} // namespace

/// A tensor with zeros.
static TextTensor zeros(LinalgWriter &w, Shape shape) {
  std::string zero = w.constant("0.0");
  return w.fill(w.empty(std::move(shape)), zero);
}

static std::string matmul(int64_t m, int64_t n, int64_t k,
                          MatmulOptions o = {}) {
  LinalgWriter w;
  std::string element = o.half ? "f16" : "f32";
  const unsigned first = o.batch ? 1 : 0;
  const int64_t extents[] = {m, n, k};
  // The operand with dimensions x and y, which are 0 for m, 1 for n, 2 for k.
  auto shape = [&](unsigned x, unsigned y) {
    Shape result{extents[x], extents[y]};
    if (o.batch)
      result.insert(result.begin(), o.batch);
    return result;
  };
  auto map = [&](unsigned x, unsigned y) {
    TextMap result = dimNames({x + first, y + first});
    if (o.batch)
      result.insert(result.begin(), "d0");
    return result;
  };
  auto operand = [&](unsigned x, unsigned y) {
    return TextOperand{w.argument(shape(x, y), element), map(x, y)};
  };
  TextOperand a = o.transposeA ? operand(2, 0) : operand(0, 2);
  TextOperand b = o.transposeB ? operand(1, 2) : operand(2, 1);
  TextTensor bias;
  if (o.biasRelu)
    bias = w.argument({n});
  TextMap all = allDims(2);
  if (o.scale)
    a.tensor = w.generic("pp", {{a.tensor, all}},
                         {w.empty(a.tensor.shape, element), all},
                         bodyLine("%c", "arith.constant", "2.5", element) +
                             bodyLine("%r0", "arith.mulf", "%x0, %c", element));
  TextTensor init =
      o.biasInit ? w.argument(shape(0, 1)) : zeros(w, shape(0, 1));
  TextTensor c = w.generic(o.batch ? "pppr" : "ppr", {a, b}, {init, map(0, 1)},
                           multiplyAddBody(element, "f32"));
  if (o.biasRelu) {
    TextOperand out{w.empty(o.transposed ? Shape{n, m} : Shape{m, n}), all};
    if (o.transposed)
      out.map = {"d1", "d0"};
    c = w.generic("pp", {{c, all}, {bias, {"d1"}}}, out,
                  "    %z = arith.constant 0.0 : f32\n"
                  "    %s = arith.addf %x0, %x1 : f32\n"
                  "    %r0 = arith.maximumf %s, %z : f32\n");
  } else if (o.half) {
    all = allDims(c.rank());
    c = w.generic(std::string(c.rank(), 'p'), {{c, all}},
                  {w.empty(c.shape, "f16"), all},
                  "    %r0 = arith.truncf %x0 : f32 to f16\n");
  }
  return w.finish(c);
}

/// Two operands, the second read by `map`.
static std::string elementwise(const Shape &shape, const Shape &second,
                               const TextMap &map) {
  LinalgWriter w;
  TextMap all = allDims(shape.size());
  TextTensor a = w.argument(shape), b = w.argument(second);
  return w.finish(w.generic(std::string(shape.size(), 'p'),
                            {{a, all}, {b, map}}, {w.empty(shape), all},
                            "    %s = arith.addf %x0, %x1 : f32\n"
                            "    %m = math.exp %s : f32\n"
                            "    %r0 = arith.divf %m, %x0 : f32\n"));
}

/// NHWC x HWCF with stride and dilation.
static std::string conv2d(int64_t size, int64_t channels, int64_t filters,
                          int64_t kernel, int64_t stride, int64_t dilation) {
  LinalgWriter w;
  int64_t in = (size - 1) * stride + (kernel - 1) * dilation + 1;
  TextTensor x = w.argument({2, in, in, channels}),
             f = w.argument({kernel, kernel, channels, filters}),
             y = zeros(w, {2, size, size, filters});
  auto along = [&](const char *o, const char *k) {
    return std::string(o) + " * " + std::to_string(stride) + " + " + k + " * " +
           std::to_string(dilation);
  };
  return w.finish(
      w.generic("pppprrr",
                {{x, {"d0", along("d1", "d4"), along("d2", "d5"), "d6"}},
                 {f, {"d4", "d5", "d6", "d3"}}},
                {y, allDims(4)}, multiplyAddBody("f32", "f32")));
}

/// The sum along the dimensions marked 'r'.
static std::string sum(const Shape &shape, llvm::StringRef iterators) {
  LinalgWriter w;
  TextMap all = allDims(shape.size()), kept;
  Shape rest;
  for (size_t d = 0; d < shape.size(); ++d)
    if (iterators[d] == 'p') {
      kept.push_back(all[d]);
      rest.push_back(shape[d]);
    }
  TextTensor x = w.argument(shape);
  return w.finish(w.generic(iterators, {{x, all}}, {zeros(w, rest), kept},
                            "    %r0 = arith.addf %y0, %x0 : f32\n"));
}

/// softmax(q k^T) v, or without the softmax. The factors have the type `type`.
static std::string attention(int64_t queries, int64_t keys, int64_t size,
                             bool softmax, llvm::StringRef type = "f32") {
  LinalgWriter w;
  TextTensor q = w.argument({3, queries, size}, type),
             k = w.argument({3, keys, size}, type),
             v = w.argument({keys, size + 1}, type);
  TextMap all = allDims(3), rows = allDims(2);
  TextOperand x{w.generic("pppr",
                          {{q, {"d0", "d1", "d3"}}, {k, {"d0", "d2", "d3"}}},
                          {zeros(w, {3, queries, keys}), all},
                          multiplyAddBody(type, "f32")),
                all};
  auto wide = [&] {
    return TextOperand{w.empty({3, queries, keys}, "f32"), all};
  };
  auto sum = [&](const char *combiner) {
    return TextOperand{w.generic("ppr", {x}, {zeros(w, {3, queries}), rows},
                                 bodyLine("%r0", combiner, "%y0, %x0", "f32")),
                       rows};
  };
  x = {w.generic("ppp", {x}, wide(), "    %r0 = arith.addf %x0, %x0 : f32\n"),
       all};
  if (softmax) {
    TextOperand most = sum("arith.maximumf");
    x = {w.generic("ppp", {x, most}, wide(),
                   "    %d = arith.subf %x0, %x1 : f32\n"
                   "    %r0 = math.exp %d : f32\n"),
         all};
    TextOperand total = sum("arith.addf");
    x = {w.generic("ppp", {x, total}, wide(),
                   "    %r0 = arith.divf %x0, %x1 : f32\n"),
         all};
  }
  if (type != "f32")
    x = {w.generic(
             "ppp", {x}, {w.empty({3, queries, keys}, type), all},
             bodyLine("%r0", "arith.truncf", "%x0", ("f32 to " + type).str())),
         all};
  return w.finish(w.generic(
      "pppr", {{x.tensor, {"d0", "d1", "d3"}}, {v, {"d3", "d2"}}},
      {zeros(w, {3, queries, size + 1}), all}, multiplyAddBody(type, "f32")));
}

static MatmulOptions with(bool MatmulOptions::*flag, bool more = false) {
  MatmulOptions options;
  options.*flag = true;
  options.transposeB = more;
  return options;
}

std::vector<Family> pruner::test::allFamilies() {
  std::vector<Family> families;
  Family layouts{"matmul, four operand layouts", {}};
  for (bool a : {false, true})
    for (bool b : {false, true}) {
      MatmulOptions options;
      options.transposeA = a;
      options.transposeB = b;
      layouts.tasks.push_back(matmul(128, 96, 64, options));
    }
  families.push_back(layouts);
  families.push_back({"matmul, odd shapes",
                      {matmul(37, 53, 29), matmul(1, 129, 65), matmul(17, 1, 1),
                       matmul(101, 31, 1)}});
  MatmulOptions batched;
  batched.batch = 6;
  MatmulOptions batchedT = batched;
  batchedT.transposeB = true;
  families.push_back(
      {"batch matmul",
       {matmul(48, 32, 24, batched), matmul(13, 11, 7, batchedT)}});
  MatmulOptions transposedOut = with(&MatmulOptions::biasRelu);
  transposedOut.transposed = true;
  families.push_back({"bias and relu after a matmul",
                      {matmul(64, 64, 64, with(&MatmulOptions::biasRelu)),
                       matmul(33, 47, 19, transposedOut)}});
  families.push_back({"a scaled operand",
                      {matmul(64, 48, 32, with(&MatmulOptions::scale)),
                       matmul(35, 21, 49, with(&MatmulOptions::scale, true))}});
  families.push_back({"accumulator from an argument",
                      {matmul(64, 48, 32, with(&MatmulOptions::biasInit))}});
  families.push_back({"f16 operands, f32 accumulation",
                      {matmul(64, 64, 32, with(&MatmulOptions::half)),
                       matmul(31, 45, 22, with(&MatmulOptions::half, true))}});
  families.push_back(
      {"convolution", {conv2d(14, 8, 16, 3, 1, 1), conv2d(7, 3, 5, 3, 2, 2)}});
  families.push_back({"reductions",
                      {sum({64, 128}, "pr"), sum({64, 33}, "rp"),
                       sum({9, 8, 7}, "rpr"), sum({1000}, "r")}});
  families.push_back({"elementwise, 1 to 3 dimensions",
                      {elementwise({1000}, {1000}, {"d0"}),
                       elementwise({64, 96}, {96}, {"d1"}),
                       elementwise({37, 53}, {53, 37}, {"d1", "d0"}),
                       elementwise({5, 7, 33}, {7, 33}, {"d1", "d2"})}});
  return families;
}

Family pruner::test::joinedProducts() {
  return {"chains between products",
          {attention(32, 64, 16, true), attention(13, 37, 11, true),
           attention(17, 48, 5, false), attention(32, 64, 16, true, "bf16"),
           attention(35, 96, 20, false, "bf16")}};
}
