//===- DynamicShapes.cpp - changes of dynamic shapes ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DynamicDraw.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace pruner;

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
