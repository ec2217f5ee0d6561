//===- DrawRows.cpp - reductions, norms and softmax -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkDraw.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pruner;

TextTensor NetworkDraw::reduce(const TextTensor &x,
                               const std::vector<bool> &reduced,
                               const std::string &kind, bool keep) {
  const std::string &e = x.element;
  std::string kinds, how, init;
  std::vector<std::string> in, out;
  Shape shape;
  for (size_t d = 0; d < x.rank(); ++d) {
    in.push_back("d" + std::to_string(d));
    kinds += reduced[d] ? 'r' : 'p';
    if (!reduced[d])
      out.push_back(in.back());
    else if (keep)
      out.push_back("0");
    if (!reduced[d] || keep)
      shape.push_back(reduced[d] ? 1 : x.shape[d]);
  }
  bool real = x.isReal();
  if (kind == "sum")
    how = real ? "addf" : "addi", init = real ? "0.0" : "0";
  else if (kind == "product")
    how = real ? "mulf" : "muli", init = real ? "1.0" : "1";
  else if (kind == "max")
    how = real ? "maximumf" : "maxsi",
    init = real ? infinityOf(e, true) : "-100";
  else if (kind == "min")
    how = real ? "minimumf" : "minsi",
    init = real ? infinityOf(e, false) : "100";
  else if (kind == "maxnum")
    how = "maxnumf", init = infinityOf(e, true);
  else
    how = kind, init = kind == "ori" ? "0" : "1";
  return generic(kinds, {{x, in}}, {{filled(shape, e, init), out}},
                 "    %r0 = arith." + how + " " +
                     (chance(50) ? "%x0, %y0" : "%y0, %x0") + " : " + e +
                     "\n")[0];
}

void NetworkDraw::reduction() {
  TextTensor x = chance(80) ? real(1) : any();
  if (x.rank() == 0)
    return;
  std::vector<bool> reduced(x.rank());
  for (size_t d = 0; d < x.rank(); ++d)
    reduced[d] = chance(40);
  reduced[random.uniform(x.rank())] = true;
  if (x.element == "i1") {
    commit(
        {reduce(x, reduced, oneOf<const char *>({"ori", "andi"}), chance(40))});
    return;
  }
  std::string kind = oneOf<const char *>(
      {"sum", "sum", "sum", "max", "min", "product", "maxnum"});
  if (kind == "maxnum" && !x.isReal())
    kind = "max";
  // Sums and products of bytes wrap, which exporters never use.
  if (x.element == "i8" && kind != "max" && kind != "min")
    x = cast(x, "i32");
  TextTensor y = reduce(x, reduced, kind, chance(50));
  if (kind == "sum" && x.isReal() && chance(60)) { // A mean.
    int64_t count = x.elements() / std::max<int64_t>(1, y.elements());
    std::string by = constant(number(double(count), x.element), x.element);
    y = elementwise({y}, y.shape, x.element,
                    "    %r0 = arith.divf %x0, " + by + " : " + x.element +
                        "\n");
  }
  commit({y});
}

/// The maximum along a dimension and its position, in one op.
void NetworkDraw::argMax() {
  TextTensor x = real(1, 4, 2048);
  size_t along = random.uniform(x.rank());
  std::string kinds, e = x.element;
  std::vector<std::string> in, out;
  Shape shape;
  for (size_t d = 0; d < x.rank(); ++d) {
    in.push_back("d" + std::to_string(d));
    kinds += d == along ? 'r' : 'p';
    if (d != along) {
      out.push_back(in.back());
      shape.push_back(x.shape[d]);
    }
  }
  std::string body = "    %i = linalg.index " + std::to_string(along) +
                     " : index\n    %k = arith.index_cast %i : index to i64\n"
                     "    %r0 = arith.maximumf %x0, %y0 : " +
                     e + "\n    %p = arith.cmpf ogt, %x0, %y0 : " + e +
                     "\n    %r1 = arith.select %p, %k, %y1 : i64\n";
  auto both = generic(kinds, {{x, in}},
                      {{filled(shape, e, infinityOf(e, true)), out},
                       {filled(shape, "i64", "0"), out}},
                      body);
  commit(chance(40)   ? std::vector<TextTensor>{both[0], both[1]}
         : chance(50) ? std::vector<TextTensor>{both[1]}
                      : std::vector<TextTensor>{both[0]});
}

TextTensor NetworkDraw::rowSoftmax(const TextTensor &x, unsigned style) {
  const std::string &e = x.element;
  std::string t = " : " + e + "\n";
  if (style == 0)
    return op(x.shape, e,
              "linalg.softmax dimension(" + std::to_string(x.rank() - 1) +
                  ") ins(" + x.name + " : " + x.type() + ") outs(" +
                  empty(x.shape, e).name + " : " + x.type() + ") -> " +
                  x.type());
  std::vector<bool> last(x.rank(), false);
  last.back() = true;
  TextTensor most = reduce(x, last, "max", true);
  TextTensor shifted =
      elementwise({x, most}, x.shape, e, "    %r0 = arith.subf %x0, %x1" + t);
  TextTensor power =
      elementwise({shifted}, x.shape, e, "    %r0 = math.exp %x0" + t);
  TextTensor sum = reduce(power, last, "sum", true);
  return elementwise({power, sum}, x.shape, e,
                     "    %r0 = arith.divf %x0, %x1" + t);
}

void NetworkDraw::softmax() {
  TextTensor x = real(2, 4, 4096);
  commit({rowSoftmax(x, random.uniform(4))});
}

TextTensor NetworkDraw::norm(const TextTensor &x,
                             const std::vector<bool> &reduced, bool wide,
                             bool center) {
  std::string e = x.element, s = wide ? "f64" : e;
  std::string t = " : " + e + "\n";
  int64_t count = 1;
  for (size_t d = 0; d < x.rank(); ++d)
    count *= reduced[d] ? x.shape[d] : 1;
  TextTensor centered = x;
  if (center) {
    TextTensor sum = reduce(x, reduced, "sum", true);
    std::string by = constant(number(double(count), e), e);
    TextTensor mean =
        elementwise({sum}, sum.shape, e, "    %r0 = arith.divf %x0, " + by + t);
    centered =
        elementwise({x, mean}, x.shape, e, "    %r0 = arith.subf %x0, %x1" + t);
  }
  // The variance, sometimes in f64 as exporters write it.
  TextTensor squares = wide && e != "f64" ? cast(centered, "f64") : centered;
  if (wide && center && e != "f64") {
    TextTensor values = cast(x, "f64");
    TextTensor sum = reduce(values, reduced, "sum", true);
    std::string by = constant(number(double(count), s), s);
    TextTensor mean =
        elementwise({sum}, sum.shape, s,
                    "    %r0 = arith.divf %x0, " + by + " : " + s + "\n");
    squares = elementwise({values, mean}, x.shape, s,
                          "    %r0 = arith.subf %x0, %x1 : " + s + "\n");
  }
  squares = elementwise({squares}, x.shape, s,
                        "    %r0 = arith.mulf %x0, %x0 : " + s + "\n");
  TextTensor sum = reduce(squares, reduced, "sum", true);
  std::string by = constant(number(double(count), s), s);
  TextTensor variance =
      elementwise({sum}, sum.shape, s,
                  "    %r0 = arith.divf %x0, " + by + " : " + s + "\n");
  if (s != e)
    variance = cast(variance, e);
  std::string epsilon =
      constant(number(e == "f32" || e == "f64" ? 1e-3 : 1e-1, e), e);
  TextTensor shifted = elementwise({variance}, variance.shape, e,
                                   "    %r0 = arith.addf %x0, " + epsilon + t);
  TextTensor scale =
      elementwise({shifted}, variance.shape, e, "    %r0 = math.rsqrt %x0" + t);
  return elementwise({centered, scale}, x.shape, e,
                     "    %r0 = arith.mulf %x0, %x1" + t);
}

void NetworkDraw::layerNorm() {
  TextTensor x = real(2, 4, 4096);
  std::vector<bool> reduced(x.rank(), false);
  reduced.back() = true;
  bool rms = chance(30);
  TextTensor y = norm(x, reduced, chance(50), !rms);
  if (chance(70)) {
    TextTensor scale = weight({x.shape.back()}, x.element, 1);
    std::string t = " : " + x.element + "\n";
    if (rms || chance(40))
      y = elementwise({y, scale}, x.shape, x.element,
                      "    %r0 = arith.mulf %x0, %x1" + t);
    else
      y = elementwise({elementwise({y, scale}, x.shape, x.element,
                                   "    %r0 = arith.mulf %x0, %x1" + t),
                       weight({x.shape.back()}, x.element, 1)},
                      x.shape, x.element, "    %r0 = arith.addf %x0, %x1" + t);
  }
  commit({y});
}

void NetworkDraw::batchNorm() {
  TextTensor x = real(2, 5, 4096);
  const std::string &e = x.element;
  int64_t channels = x.shape[1];
  Shape along(x.rank() - 1, 1);
  along[0] = channels;
  std::string t = " : " + e + "\n";
  std::vector<TextTensor> weights;
  for (unsigned n = 0; n < 4; ++n)
    weights.push_back(argument({channels}, e, true));
  std::string epsilon = constant(number(0.25, e), e);
  TextTensor scale =
      elementwise({weights[1]}, {channels}, e,
                  "    %s = math.absf %x0" + t + "    %u = arith.addf %s, " +
                      epsilon + t + "    %r0 = math.rsqrt %u" + t);
  for (TextTensor *each : {&scale, &weights[0], &weights[2], &weights[3]})
    *each = reshape(*each, along);
  if (chance(50)) {
    commit({elementwise(
        {x, weights[0], scale, weights[2], weights[3]}, x.shape, e,
        "    %s = arith.subf %x0, %x1" + t + "    %u = arith.mulf %s, %x2" + t +
            "    %w = arith.mulf %u, %x3" + t + "    %r0 = arith.addf %w, %x4" +
            t)});
    return;
  }
  TextTensor y = elementwise({x, weights[0]}, x.shape, e,
                             "    %r0 = arith.subf %x0, %x1" + t);
  y = elementwise({y, scale}, x.shape, e, "    %r0 = arith.mulf %x0, %x1" + t);
  y = elementwise({y, weights[2]}, x.shape, e,
                  "    %r0 = arith.mulf %x0, %x1" + t);
  commit({elementwise({y, weights[3]}, x.shape, e,
                      "    %r0 = arith.addf %x0, %x1" + t)});
}

/// Channels in groups: a reshape around a norm over several dimensions.
void NetworkDraw::groupNorm() {
  TextTensor x = real(3, 5, 4096);
  int64_t channels = x.shape[1], groups = 1;
  for (int64_t divisor = 1; divisor <= channels; ++divisor)
    if (channels % divisor == 0 && chance(50))
      groups = divisor;
  Shape shape{x.shape[0], groups, channels / groups};
  shape.insert(shape.end(), x.shape.begin() + 2, x.shape.end());
  TextTensor y = reshape(x, shape);
  std::vector<bool> reduced(shape.size(), true);
  reduced[0] = reduced[1] = false;
  y = reshape(norm(y, reduced, chance(50), true), x.shape);
  Shape along(x.rank() - 1, 1);
  along[0] = channels;
  TextTensor scale = reshape(weight({channels}, x.element, 1), along);
  commit({elementwise({y, scale}, x.shape, x.element,
                      "    %r0 = arith.mulf %x0, %x1 : " + x.element + "\n")});
}
