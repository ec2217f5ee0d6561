//===- DrawShapes.cpp - operations that move data -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkDraw.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace llvm;
using namespace pruner;

void NetworkDraw::slicing() {
  TextTensor x = any();
  if (x.rank() == 0)
    return;
  Shape offsets(x.rank(), 0), sizes = x.shape, strides(x.rank(), 1);
  for (size_t d = 0; d < x.rank(); ++d) {
    if (!chance(60) && d + 1 < x.rank())
      continue;
    offsets[d] = random.uniform(x.shape[d]);
    int64_t left = x.shape[d] - offsets[d];
    strides[d] = chance(25) ? between(2, 3) : 1;
    sizes[d] = between(1, (left - 1) / strides[d] + 1);
  }
  TextTensor y = slice(x, offsets, sizes, strides);
  if (chance(30)) { // Without dimensions of extent one, like indexing.
    Shape kept;
    for (int64_t extent : sizes)
      if (extent != 1)
        kept.push_back(extent);
    y = reshape(y, kept);
  }
  commit({y});
}

void NetworkDraw::joining() {
  TextTensor x = any();
  if (x.rank() == 0)
    return;
  unsigned dim = random.uniform(x.rank());
  std::vector<TextTensor> parts;
  if (chance(25) && x.shape[dim] > 1) { // Rotated: two slices, swapped.
    int64_t cut = between(1, x.shape[dim] - 1);
    Shape zero(x.rank(), 0), one(x.rank(), 1), low = x.shape, from = zero,
                                               high = x.shape;
    low[dim] = cut;
    from[dim] = cut;
    high[dim] -= cut;
    TextTensor front = slice(x, zero, low, one),
               back = slice(x, from, high, one);
    if (chance(50) && x.isReal())
      back = elementwise({back}, back.shape, x.element,
                         "    %r0 = arith.negf %x0 : " + x.element + "\n");
    parts = {back, front};
  } else {
    parts = {x};
    for (int64_t more = between(1, 2); more > 0; --more) {
      std::vector<TextTensor> fitting;
      for (const TextTensor &value : values) {
        Shape shape = value.shape;
        if (value.element != x.element || shape.size() != x.rank())
          continue;
        shape[dim] = x.shape[dim];
        if (shape == x.shape)
          fitting.push_back(value);
      }
      if (!fitting.empty() && chance(70)) {
        parts.push_back(fitting[random.uniform(fitting.size())]);
        continue;
      }
      Shape shape = x.shape;
      shape[dim] = extent(9);
      parts.push_back(argument(shape, x.element));
    }
    random.shuffle(parts);
  }
  commit({concat(parts, dim)});
}

void NetworkDraw::padding() {
  TextTensor x = any();
  if (x.rank() == 0)
    return;
  Shape low(x.rank(), 0), high(x.rank(), 0);
  for (size_t d = 0; d < x.rank(); ++d)
    if (chance(50)) {
      low[d] = random.uniform(3);
      high[d] = random.uniform(3);
      if (chance(30)) // Cut off, on one side or both.
        for (int64_t *end : {&low[d], &high[d]})
          if (chance(60))
            *end = -*end;
      if (x.shape[d] + low[d] + high[d] < 1)
        low[d] = high[d] = 0;
    }
  std::string outside =
      x.isReal() ? number(oneOf({0.0, 0.0, -1.5}), x.element) : "0";
  commit({pad(x, low, high, constant(outside, x.element))});
}

void NetworkDraw::reshaping() {
  TextTensor x = any();
  int64_t count = x.elements();
  // Some factors of the number of elements, in any order.
  Shape shape;
  for (int64_t factor = 2; factor <= count && count > 1;) {
    if (count % factor == 0) {
      if (!shape.empty() && chance(45))
        shape.back() *= factor;
      else
        shape.push_back(factor);
      count /= factor;
    } else {
      ++factor;
    }
  }
  random.shuffle(shape);
  while (shape.size() > 4) {
    shape[0] *= shape.back();
    shape.pop_back();
  }
  for (unsigned ones = chance(50) ? random.uniform(3) : 0; ones > 0; --ones)
    shape.insert(shape.begin() + random.uniform(shape.size() + 1), 1);
  if (chance(25)) { // Only dimensions of extent one.
    shape = x.shape;
    shape.insert(shape.begin() + random.uniform(shape.size() + 1), 1);
  }
  TextTensor y = reshape(x, shape);
  if (y.name != x.name)
    commit({y});
}

void NetworkDraw::permuting() {
  TextTensor x = any();
  if (x.rank() < 2)
    return;
  Dims order(x.rank());
  std::iota(order.begin(), order.end(), 0u);
  if (chance(50))
    std::swap(order[order.size() - 1], order[order.size() - 2]);
  else
    random.shuffle(order);
  commit({transpose(x, order)});
}

/// With a new dimension `at` of `extent` equal parts.
TextTensor NetworkDraw::repeated(const TextTensor &x, size_t at,
                                 int64_t extent) {
  Shape shape = x.shape;
  shape.insert(shape.begin() + at, extent);
  TextTensor into = empty(shape, x.element);
  return op(shape, x.element,
            "linalg.broadcast ins(" + x.name + " : " + x.type() + ") outs(" +
                into.name + " : " + into.type() + ") dimensions = [" +
                std::to_string(at) + "]");
}

/// To more dimensions, or more elements along some.
void NetworkDraw::spreading() {
  TextTensor x = any();
  if (x.elements() > 512 || x.rank() > 4)
    return;
  if (chance(40)) {
    size_t at = random.uniform(x.rank() + 1);
    commit({repeated(x, at, extent(8))});
    return;
  }
  Shape shape = x.shape;
  if (chance(50))
    shape.insert(shape.begin(), extent(4));
  for (int64_t &each : shape)
    each = each == 1 && chance(70) ? extent(8) : each;
  commit({elementwise({x}, shape, x.element, "")});
}

/// Into a larger tensor, as in caches and transposed convolutions.
void NetworkDraw::inserting() {
  TextTensor x = real(1, 4, 512);
  Shape whole = x.shape, offsets(x.rank(), 0), strides(x.rank(), 1);
  for (size_t d = 0; d < x.rank(); ++d) {
    strides[d] = chance(30) ? 2 : 1;
    offsets[d] = random.uniform(3);
    whole[d] = offsets[d] + (x.shape[d] - 1) * strides[d] + 1 +
               int64_t(random.uniform(3));
  }
  TextTensor into = chance(50) ? filled(whole, x.element, number(0, x.element))
                               : like(whole, x.element);
  commit({insert(x, into, offsets, strides)});
}

/// Rows of a table by index, as in embeddings, or single elements.
void NetworkDraw::gather() {
  TextTensor table = real(1, 3, 1 << 12);
  if (table.shape[0] < 8 || chance(30)) {
    int64_t rows = 8 + random.uniform(10);
    table = chance(50) ? weight({rows, extent(17)}, base, 1)
                       : argument({rows, extent(17)}, base, true);
  }
  bool wide = chance(60);
  TextTensor ids;
  if (chance(60)) {
    Shape shape(between(1, 2));
    for (int64_t &each : shape)
      each = extent(13);
    ids = argument(shape, wide ? "i64" : "i32");
  } else {
    ids = integer(1, 2);
    if (ids.elements() * table.elements() / table.shape[0] > 1 << 12)
      return;
    // The number of rows is a constant of that type.
    unsigned bits = std::stoi(ids.element.substr(1));
    if (bits < 32 && table.shape[0] >> (bits - 1) != 0)
      return;
    std::string rows = constant(std::to_string(table.shape[0]), ids.element);
    ids = elementwise({ids}, ids.shape, ids.element,
                      "    %r0 = arith.remui %x0, " + rows + " : " +
                          ids.element + "\n");
  }
  Shape shape = ids.shape;
  shape.insert(shape.end(), table.shape.begin() + 1, table.shape.end());
  std::vector<std::string> map, out;
  for (size_t d = 0; d < shape.size(); ++d) {
    out.push_back("d" + std::to_string(d));
    if (d < ids.rank())
      map.push_back(out.back());
  }
  std::string zero = constant("0", ids.element),
              rows = constant(std::to_string(table.shape[0]), ids.element);
  std::string t = " : " + ids.element + "\n", index = "%k", body;
  bool negative = chance(40); // Negative indices count from the end.
  if (negative)
    body += "    %n = arith.cmpi slt, %x0, " + zero + t +
            "    %m = arith.addi %x0, " + rows + t +
            "    %x = arith.select %n, %m, %x0" + t;
  body += std::string("    %k = arith.index_cast ") +
          (negative ? "%x" : "%x0") + " : " + ids.element + " to index\n";
  for (size_t d = ids.rank(); d < shape.size(); ++d) {
    std::string i = "%i" + std::to_string(d);
    body += "    " + i + " = linalg.index " + std::to_string(d) + " : index\n";
    index += ", " + i;
  }
  body += "    %r0 = tensor.extract " + table.name + "[" + index +
          "] : " + table.type() + "\n";
  TextTensor y = generic(std::string(shape.size(), 'p'), {{ids, map}},
                         {{empty(shape, table.element), out}}, body)[0];
  commit({y});
}

/// Nearest and flipped, read at computed coordinates.
void NetworkDraw::resize() {
  TextTensor x = real(2, 4, 1024);
  Shape shape = x.shape;
  size_t d = x.rank() - 1;
  bool flip = chance(40);
  int64_t factor = between(2, 3);
  if (!flip)
    shape[d] *= factor;
  std::string body, index;
  std::vector<std::string> out;
  for (size_t r = 0; r < x.rank(); ++r) {
    std::string i = "%i" + std::to_string(r);
    body += "    " + i + " = linalg.index " + std::to_string(r) + " : index\n";
    out.push_back("d" + std::to_string(r));
    index += (r ? ", " : "") + (r == d ? std::string("%k") : i);
  }
  std::string c =
      constant(std::to_string(flip ? x.shape[d] - 1 : factor), "index");
  std::string i = "%i" + std::to_string(d);
  if (flip)
    body += "    %k = arith.subi " + c + ", " + i + " : index\n";
  else if (chance(50))
    body += "    %k = arith.divui " + i + ", " + c + " : index\n";
  else
    body += "    %k = arith.floordivsi " + i + ", " + c + " : index\n";
  body += "    %r0 = tensor.extract " + x.name + "[" + index +
          "] : " + x.type() + "\n";
  commit({generic(std::string(x.rank(), 'p'), {},
                  {{empty(shape, x.element), out}}, body)[0]});
}
