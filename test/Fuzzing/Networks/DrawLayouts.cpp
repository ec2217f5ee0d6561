//===- DrawLayouts.cpp - packed tiles and gathers -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkDraw.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace llvm;
using namespace pruner;

/// Into tiles, which may extend past the edge, and mostly back again.
void NetworkDraw::packing() {
  TextTensor x = any();
  if (x.rank() < 1 || x.rank() > 3 || x.elements() > 1024)
    return;
  Shape dims, order(x.rank());
  std::iota(order.begin(), order.end(), 0);
  bool permuted = chance(50);
  if (permuted)
    random.shuffle(order);
  Shape all = order;
  random.shuffle(all);
  dims.assign(all.begin(), all.begin() + between(1, x.rank()));
  Shape tiles, outer = x.shape;
  for (int64_t dim : dims) {
    tiles.push_back(oneOf<int64_t>({1, 2, 4, 8, 3}));
    outer[dim] = (outer[dim] + tiles.back() - 1) / tiles.back();
  }
  Shape shape;
  for (int64_t dim : order)
    shape.push_back(outer[dim]);
  shape.insert(shape.end(), tiles.begin(), tiles.end());
  std::string how =
      std::string(permuted ? " outer_dims_perm = " + listText(order) : "") +
      " inner_dims_pos = " + listText(dims) +
      " inner_tiles = " + listText(tiles) + " into ";
  std::string value = constant(
      x.isReal() ? number(oneOf({0.0, 0.5}), x.element) : "0", x.element);
  TextTensor into = empty(shape, x.element);
  TextTensor packed = op(shape, x.element,
                         "linalg.pack " + x.name + " padding_value(" + value +
                             " : " + x.element + ")" + how + into.name + " : " +
                             x.type() + " -> " + into.type());
  if (chance(35)) {
    commit({packed});
    return;
  }
  TextTensor changed = packed;
  if (x.isReal())
    changed = elementwise({packed}, shape, x.element,
                          "    %r0 = arith.negf %x0 : " + x.element + "\n");
  TextTensor plain = empty(x.shape, x.element);
  TextTensor y = op(x.shape, x.element,
                    "linalg.unpack " + changed.name + how + plain.name + " : " +
                        changed.type() + " -> " + plain.type());
  commit(chance(70) ? std::vector<TextTensor>{y}
                    : std::vector<TextTensor>{packed, y});
}

/// Rows of a table by tensor.gather.
void NetworkDraw::gatherOperation() {
  int64_t rows = 8 + int64_t(random.uniform(9)), columns = extent(13);
  TextTensor table = like({rows, columns}, base);
  TextTensor ids =
      argument({extent(13), 1}, oneOf<const char *>({"index", "i32", "i64"}));
  bool kept = chance(40);
  Shape shape{ids.shape[0], columns};
  if (kept)
    shape.insert(shape.begin() + 1, 1);
  TextTensor to{"", shape, base};
  commit({op(shape, base,
             "tensor.gather " + table.name + "[" + ids.name +
                 "] gather_dims([0]) : (" + table.type() + ", " + ids.type() +
                 ") -> " + to.type())});
}
