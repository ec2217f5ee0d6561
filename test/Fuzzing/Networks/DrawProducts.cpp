//===- DrawProducts.cpp - products and attention --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkDraw.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace llvm;
using namespace pruner;

/// The initial value of sums, mostly zero.
TextTensor NetworkDraw::start(Shape shape, const std::string &element) {
  if (chance(15))
    return like(shape, element);
  return filled(shape, element, zeroOf(element));
}

TextTensor NetworkDraw::matmul(const TextTensor &a, const TextTensor &b,
                               const std::string &result) {
  Shape shape = a.shape;
  shape.back() = b.shape.back();
  return named(a.rank() == 3 ? "linalg.batch_matmul" : "linalg.matmul", {a, b},
               start(shape, result));
}

TextTensor NetworkDraw::bias(const TextTensor &x, unsigned dim) {
  if (!chance(60) || !x.isReal())
    return x;
  Shape shape(x.rank() - dim, 1);
  shape[0] = x.shape[dim];
  TextTensor vector = weight({x.shape[dim]}, x.element, 1);
  return elementwise({x, reshape(vector, shape)}, x.shape, x.element,
                     "    %r0 = arith.addf %x0, %x1 : " + x.element + "\n");
}

void NetworkDraw::product() {
  TextTensor a = chance(85) ? real(2, 3, 2048) : integer(2, 3);
  std::string result = accumulatorOf(a.element);
  if (a.isReal() && chance(15))
    result = a.element;
  int64_t k = a.shape.back(), n = extent(33);
  Shape shape{k, n};
  if (a.rank() == 3)
    shape.insert(shape.begin(), a.shape[0]);
  bool swapped = chance(40);
  if (swapped)
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  TextTensor b =
      chance(30) ? like(shape, a.element) : weight(shape, a.element, k);
  if (swapped && a.rank() == 2 && chance(40)) { // Transposed by its map.
    TextTensor init = start({a.shape[0], n}, result);
    commit({named("linalg.matmul", {a, b}, init,
                  "indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
                  "affine_map<(m, n, k) -> (n, k)>, "
                  "affine_map<(m, n, k) -> (m, n)>]")});
    return;
  }
  if (swapped)
    b = transpose(b, a.rank() == 3 ? Dims{0, 2, 1} : Dims{1, 0});
  TextTensor y = matmul(a, b, result);
  if (y.isReal() && y.element != a.element && chance(60))
    y = cast(y, a.element);
  commit({y});
}

void NetworkDraw::vectorProduct() {
  TextTensor x = real(1, 2, 1024);
  if (x.rank() == 2) {
    bool left = chance(50);
    int64_t k = x.shape[left ? 0 : 1], m = x.shape[left ? 1 : 0];
    TextTensor v = weight({k}, x.element, k);
    TextTensor y = start({m}, accumulatorOf(x.element));
    commit({left ? named("linalg.vecmat", {v, x}, y)
                 : named("linalg.matvec", {x, v}, y)});
    return;
  }
  TextTensor v = weight(x.shape, x.element, x.shape[0]);
  commit({named("linalg.dot", {x, v}, start({}, accumulatorOf(x.element)))});
}

/// A transposed weight, a bias, an activation.
void NetworkDraw::linearLayer() {
  TextTensor x = real(1, 4, 2048);
  int64_t k = x.shape.back(), n = extent(33), rows = x.elements() / k;
  TextTensor flat = reshape(x, {rows, k});
  TextTensor w = transpose(weight({n, k}, x.element, k), {1, 0});
  TextTensor y = matmul(flat, w, accumulatorOf(x.element));
  Shape shape = x.shape;
  shape.back() = n;
  y = reshape(y, shape);
  if (y.element != x.element)
    y = cast(y, x.element);
  y = bias(y, y.rank() - 1);
  if (chance(60)) {
    std::string body = unaryBody(y.element);
    y = elementwise({y}, y.shape, y.element, body);
  }
  commit({y});
}

/// Products of bytes, summed in i32, and converted back to floats.
void NetworkDraw::quantizedProduct() {
  TextTensor x = real(2, 2, 1024);
  std::string e = x.element, t = " : " + e + "\n";
  int64_t m = x.shape[0], k = x.shape[1], n = extent(24);
  std::string scale = constant(number(25, e), e),
              low = constant(number(-128, e), e),
              high = constant(number(127, e), e);
  TextTensor q = elementwise(
      {x}, x.shape, "i8",
      "    %s = arith.mulf %x0, " + scale + t + "    %u = math.roundeven %s" +
          t + "    %l = arith.maximumf %u, " + low + t +
          "    %h = arith.minimumf %l, " + high + t +
          "    %r0 = arith.fptosi %h : " + e + " to i8\n");
  TextTensor w = weight({k, n}, "i8", k);
  TextTensor sum;
  switch (random.uniform(3)) {
  case 0: // With zero points.
  {
    TextTensor into = filled({m, n}, "i32", "0");
    std::string a = constant(std::to_string(between(-3, 3)), "i32"),
                b = constant(std::to_string(between(-3, 3)), "i32");
    sum = op({m, n}, "i32",
             "linalg.quantized_matmul ins(" + q.name + ", " + w.name + ", " +
                 a + ", " + b + " : " + q.type() + ", " + w.type() +
                 ", i32, i32) outs(" + into.name + " : " + into.type() +
                 ") -> " + into.type());
    break;
  }
  case 1: // Widened first.
    sum = matmul(cast(q, "i32"), cast(w, "i32"), "i32");
    break;
  default:
    sum = matmul(q, w, "i32");
  }
  std::string back = constant(number(0.0016, e), e);
  TextTensor y = elementwise({sum}, sum.shape, e,
                             "    %s = arith.sitofp %x0 : i32 to " + e +
                                 "\n    %r0 = arith.mulf %s, " + back + t);
  commit({y});
}

/// A product with a weight of integers that are converted to floats, with
/// scales and zero points for each column or for groups of terms.
void NetworkDraw::weightOnlyProduct() {
  int64_t groups = oneOf({1, 2, 3, 8}), size = oneOf({1, 2, 5, 16, 32});
  int64_t m = extent(9), n = extent(33), k = groups * size;
  std::string e = base, t = " : " + e + "\n";
  std::string q = k % 2 == 0 && chance(40) ? "i4" : "i8";
  TextTensor x = like({m, k}, e);
  TextTensor w =
      q == "i4" ? argument({n, k}, q, chance(70)) : weight({n, k}, q, k);
  Shape shape{n, groups, size}, each{n, groups, 1};
  w = reshape(w, shape);
  std::string from = chance(50) ? "arith.sitofp" : "arith.uitofp";
  TextTensor d = elementwise(
      {w}, shape, e, "    %r0 = " + from + " %x0 : " + q + " to " + e + "\n");
  if (chance(50)) {
    bool whole = chance(50);
    TextTensor zero = weight({n, groups}, whole ? "i8" : e, 1);
    if (whole)
      zero = elementwise({zero}, {n, groups}, e,
                         "    %r0 = " + from + " %x0 : i8 to " + e + "\n");
    d = elementwise({d, reshape(zero, each)}, shape, e,
                    "    %r0 = arith.subf %x0, %x1" + t);
  }
  if (chance(80))
    d = elementwise({d, reshape(weight({n, groups}, e, 64 * k), each)}, shape,
                    e, "    %r0 = arith.mulf %x0, %x1" + t);
  d = transpose(reshape(d, {n, k}), {1, 0});
  TextTensor y = matmul(x, d, accumulatorOf(e));
  commit({bias(y, 1)});
}

/// A product of three dimensions, with a constant scale and offset of some of
/// them, in any order. Sometimes a product and a wider type also read the sums.
void NetworkDraw::scaledProduct() {
  bool large = chance(20);
  int64_t k = extent(9), c = large ? 8 : extent(9);
  Shape shape{large ? 64 : extent(9), large || chance(60) ? c : extent(9), c};
  TextTensor x = like({shape[0], k}, "f32");
  TextTensor w = argument({k, shape[1], shape[2]}, "f32", /*weight=*/true);
  TextMap all = allDims(3);
  TextTensor sums = generic(
      "pppr", {{x, {"d0", "d3"}}, {w, {"d3", "d1", "d2"}}},
      {{filled(shape, "f32", "0.0"), all}}, multiplyAddBody("f32", "f32"))[0];
  auto parameter = [&] {
    Dims dims{0, 1, 2};
    random.shuffle(dims);
    dims.resize(1 + random.uniform(2));
    Shape extents;
    TextMap map;
    for (unsigned d : dims) {
      extents.push_back(shape[d]);
      map.push_back("d" + std::to_string(d));
    }
    return TextOperand{argument(extents, "f32", /*weight=*/true), map};
  };
  TextOperand scale = parameter(), offset = parameter();
  const char *body = chance(50) ? "    %s = arith.mulf %x0, %x1 : f32\n"
                                  "    %r0 = arith.addf %s, %x2 : f32\n"
                                : "    %s = arith.subf %x2, %x0 : f32\n"
                                  "    %r0 = arith.mulf %s, %x1 : f32\n";
  TextTensor y = generic("ppp", {{sums, all}, scale, offset},
                         {{empty(shape, "f32"), all}}, body)[0];
  if (!large) {
    commit({y});
    return;
  }
  TextTensor rows = reshape(sums, {shape[0] * shape[1], shape[2]});
  commit(
      {y, cast(sums, "f64"),
       matmul(rows, argument({shape[2], 3}, "f32", /*weight=*/true), "f32")});
}

void NetworkDraw::attention() {
  // Rows of features in heads: [batch, tokens, heads x size].
  int64_t batch = between(1, 2), tokens = chance(15) ? 1 : extent(17),
          heads = oneOf({1, 2, 3, 4}), size = oneOf({1, 4, 5, 8, 16});
  int64_t keys = tokens > 1 && chance(70) ? tokens : extent(13);
  // Groups of heads share keys and values.
  int64_t group = heads % 2 == 0 && chance(50) ? oneOf<int64_t>({2, heads}) : 1;
  Shape rows{batch, tokens, heads * size};
  TextTensor x = like(rows, base);
  TextTensor other = keys == tokens ? x : like({batch, keys, rows[2]}, base);
  std::string e = base, t = " : " + e + "\n";
  auto project = [&](const TextTensor &from, int64_t heads) {
    int64_t count = from.shape[0] * from.shape[1], k = from.shape[2];
    bool turned = chance(60);
    TextTensor w =
        weight(turned ? Shape{heads * size, k} : Shape{k, heads * size}, e, k);
    if (turned)
      w = transpose(w, {1, 0});
    TextTensor y = matmul(reshape(from, {count, k}), w, accumulatorOf(e));
    if (y.element != e)
      y = cast(y, e);
    y = reshape(y, {from.shape[0], from.shape[1], heads, size});
    return transpose(y, {0, 2, 1, 3});
  };
  auto shared = [&](const TextTensor &from) {
    TextTensor y = project(from, heads / group);
    return group == 1
               ? y
               : reshape(repeated(y, 2, group), {batch, heads, keys, size});
  };
  TextTensor q = project(x, heads), k = shared(other), v = shared(other);
  k = transpose(k, {0, 1, 3, 2});
  int64_t all = batch * heads;
  TextTensor scores = matmul(reshape(q, {all, tokens, size}),
                             reshape(k, {all, size, keys}), accumulatorOf(e));
  if (scores.element != e)
    scores = cast(scores, e);
  scores = reshape(scores, {batch, heads, tokens, keys});
  std::string scale = constant(number(1 / std::sqrt(double(size)), e), e);
  scores = elementwise({scores}, scores.shape, e,
                       "    %r0 = arith.mulf %x0, " + scale + t);
  if (chance(50)) { // Causal, or a mask that is added.
    std::string low =
        constant(chance(50) ? infinityOf(e, true) : number(-1e2, e), e);
    scores =
        chance(50)
            ? elementwise({scores}, scores.shape, e,
                          "    %i = linalg.index 2 : index\n"
                          "    %j = linalg.index 3 : index\n"
                          "    %p = arith.cmpi sle, %j, %i : index\n"
                          "    %r0 = arith.select %p, %x0, " +
                              low + t)
            : elementwise({scores, like({batch, 1, 1, keys}, e)}, scores.shape,
                          e, "    %r0 = arith.addf %x0, %x1" + t);
  }
  TextTensor weights = rowSoftmax(scores, random.uniform(4));
  TextTensor y = matmul(reshape(weights, {all, tokens, keys}),
                        reshape(v, {all, keys, size}), accumulatorOf(e));
  if (y.element != e)
    y = cast(y, e);
  y = transpose(reshape(y, {batch, heads, tokens, size}), {0, 2, 1, 3});
  commit({reshape(y, rows)});
}
