//===- DrawDequantized.cpp - products of dequantized factors --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantized networks as exporters write them: bytes become reals, the product
// or convolution is one of f32, and its result becomes bytes again.

#include "NetworkDraw.h"

using namespace pruner;

TextTensor NetworkDraw::quantized(const TextTensor &x) {
  std::string e = x.element, t = " : " + e + "\n";
  bool isSigned = chance(60);
  std::string scale = constant(number(oneOf({20.0, 31.75, 12.3}), e), e),
              zero = constant(number(isSigned ? between(-9, 9) : 128, e), e),
              low = constant(number(isSigned ? -128 : 0, e), e),
              high = constant(number(isSigned ? 127 : 255, e), e);
  return elementwise(
      {x}, x.shape, "i8",
      "    %s = arith.mulf %x0, " + scale + t + "    %u = math.roundeven %s" +
          t + "    %z = arith.addf %u, " + zero + t +
          "    %l = arith.maximumf %z, " + low + t +
          "    %h = arith.minimumf %l, " + high + t + "    %r0 = arith." +
          (isSigned ? "fptosi" : "fptoui") + " %h : " + e + " to i8\n");
}

/// A body of operations, each on the result ("@") of the one before. The first
/// one is on %x0, and the result of the last one is %r0.
static std::string chain(llvm::ArrayRef<std::string> operations) {
  std::string body, value = "%x0";
  for (unsigned n = 0; n < operations.size(); ++n) {
    std::string operation = operations[n];
    operation.replace(operation.find('@'), 1, value);
    value = n + 1 == operations.size() ? "%r0" : "%s" + std::to_string(n);
    body += "    " + value + " = " + operation + "\n";
  }
  return body;
}

TextTensor NetworkDraw::dequantize(const TextTensor &q,
                                   std::optional<size_t> channel) {
  // One number, or one for each channel, with dimensions of one after it.
  Shape shape;
  if (channel) {
    shape.assign(q.rank() - *channel, 1);
    shape[0] = q.shape[*channel];
  } else if (chance(30)) {
    shape.assign(between(0, q.rank()), 1);
  }
  bool isSigned = chance(70), inIntegers = chance(60);
  std::string sign = isSigned ? "si" : "ui",
              wide = oneOf<const char *>({"i16", "i32", "i64"});
  std::vector<std::string> convert, multiply;
  std::vector<TextTensor> points, scales;
  std::string before; // The zero point in the wide type.
  if (inIntegers)
    convert.push_back("arith.ext" + sign + " @ : i8 to " + wide);
  else
    convert.push_back("arith." + sign + "tofp @ : i8 to f32");
  if (chance(70)) {
    int64_t value = oneOf<int64_t>({-128, 3, -7, 11});
    if (inIntegers && chance(40)) {
      points.push_back(argument(shape, "i8", chance(70)));
      before = "    %p = arith.ext" + sign + " %x1 : i8 to " + wide + "\n";
      convert.push_back("arith.subi @, %p : " + wide);
    } else if (inIntegers) {
      convert.push_back("arith.subi @, " +
                        constant(std::to_string(value), wide) + " : " + wide);
    } else {
      convert.push_back("arith.subf @, " +
                        constant(number(double(value), "f32"), "f32") +
                        " : f32");
    }
  }
  if (inIntegers)
    convert.push_back("arith.sitofp @ : " + wide + " to f32");
  std::string scale;
  if (!channel && chance(50)) {
    scale = constant(number(oneOf({0.05, 0.0123, 0.5}), "f32"), "f32");
  } else {
    TextTensor any = argument(shape, "f32", chance(70));
    std::string least = constant("0.01"), most = constant("0.5");
    scales.push_back(elementwise(
        {any}, shape, "f32",
        chain({"math.absf @ : f32", "arith.maximumf @, " + least + " : f32",
               "arith.minimumf @, " + most + " : f32"})));
    scale = "%x" + std::to_string(points.size() + 1);
  }
  std::vector<TextTensor> inputs{q};
  inputs.insert(inputs.end(), points.begin(), points.end());
  if (chance(40)) { // In two operations.
    TextTensor whole =
        elementwise(inputs, q.shape, "f32", before + chain(convert));
    inputs = {whole};
    convert.clear();
    before.clear();
    if (scale[0] == '%' && scale[1] == 'x')
      scale = "%x1";
  }
  inputs.insert(inputs.end(), scales.begin(), scales.end());
  convert.push_back("arith.mulf @, " + scale + " : f32");
  return elementwise(inputs, q.shape, "f32", before + chain(convert));
}

void NetworkDraw::commitSum(TextTensor y, size_t channel,
                            const TextTensor &factor) {
  if (chance(60))
    y = bias(y, channel);
  if (chance(40)) { // A residual, from bytes that are read twice.
    TextTensor other = factor.shape == y.shape
                           ? factor
                           : dequantize(like(y.shape, "i8"), std::nullopt);
    y = elementwise({y, other}, y.shape, "f32",
                    "    %r0 = arith.addf %x0, %x1 : f32\n");
  }
  if (chance(40)) {
    std::string zero = constant("0.0");
    y = elementwise({y}, y.shape, "f32",
                    "    %r0 = arith.maximumf %x0, " + zero + " : f32\n");
  }
  if (chance(50))
    y = quantized(y);
  commit({y});
}

void NetworkDraw::dequantizedProduct() {
  int64_t m = extent(17), k = extent(33), n = extent(17);
  TextTensor x =
      chance(50) ? quantized(like({m, k}, "f32")) : like({m, k}, "i8");
  TextTensor w = weight(chance(50) ? Shape{k, n} : Shape{n, k}, "i8", k);
  bool isTransposed = w.shape[0] != k || (n == k && chance(50));
  // Sometimes a number for each row, as for tokens, or in each term.
  std::optional<size_t> rows, columns(isTransposed ? 0 : 1);
  if (chance(20))
    rows = chance(80) ? 0 : 1;
  if (chance(30))
    columns.reset();
  else if (chance(10))
    columns = 1 - *columns;
  TextTensor a = dequantize(x, rows), b = dequantize(w, columns);
  if (isTransposed)
    b = transpose(b, {1, 0});
  TextTensor factor = a;
  if (chance(20)) { // As another shape of the same numbers.
    a = reshape(reshape(a, {m * k}), {m, k});
  } else if (chance(20) && k > 1) {
    a = slice(a, {0, 1}, {m, k - 1}, {1, 1});
    b = slice(b, {1, 0}, {k - 1, n}, {1, 1});
  }
  commitSum(matmul(a, b, "f32"), 1, factor);
}
