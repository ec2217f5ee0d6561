//===- OperatorText.cpp - operations as PyTorch exports them --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Operator.h"

#include "Fuzzing/Text/ElementName.h"
#include "Fuzzing/Text/LinalgWriter.h"

using namespace pruner;
using namespace pruner::bench;

static const char *const kMinusInfinity = "0xFF800000";

/// x / 2 * (1 + erf(x / sqrt(2))).
static std::string geluBody(LinalgWriter &writer) {
  std::string one = writer.constant("1.000000e+00"),
              half = writer.constant("5.000000e-01"),
              root = writer.constant("1.41421354");
  return bodyLine("%g0", "arith.divf", "%x0, " + root, "f32") +
         bodyLine("%g1", "math.erf", "%g0", "f32") +
         bodyLine("%g2", "arith.addf", "%g1, " + one, "f32") +
         bodyLine("%g3", "arith.mulf", "%g2, " + half, "f32") +
         bodyLine("%r0", "arith.mulf", "%x0, %g3", "f32");
}

/// max(x, 0), a compare and a select.
static std::string reluBody(const std::string &zero) {
  return bodyLine("%p", "arith.cmpf ugt,", "%x0, " + zero, "f32") +
         bodyLine("%r0", "arith.select", "%p, %x0, " + zero, "f32");
}

static std::string binary(const char *op, const std::string &other,
                          const std::string &type = "f32") {
  return bodyLine("%r0", std::string("arith.") + op, "%x0, " + other, type);
}

static TextTensor fill(LinalgWriter &writer, const Shape &shape,
                       const std::string &scalar,
                       const std::string &element = "f32") {
  return writer.fill(writer.empty(shape, element), scalar);
}

/// Applies `body` to every element of `value` and of `others`, which are
/// broadcast by their maps.
static TextTensor elementwise(LinalgWriter &writer, const TextTensor &value,
                              llvm::ArrayRef<TextOperand> others,
                              const std::string &body) {
  TextMap all = allDims(value.rank());
  std::vector<TextOperand> inputs{{value, all}};
  inputs.insert(inputs.end(), others.begin(), others.end());
  return writer.generic(std::string(value.rank(), 'p'), inputs,
                        {writer.empty(value.shape, value.element), all}, body);
}

/// `value` in another float type.
static TextTensor convert(LinalgWriter &writer, const TextTensor &value,
                          const char *op, const std::string &type) {
  TextMap all = allDims(value.rank());
  return writer.generic(
      std::string(value.rank(), 'p'), {{value, all}},
      {writer.empty(value.shape, type), all},
      bodyLine("%r0", op, "%x0", value.element + " to " + type));
}

//===----------------------------------------------------------------------===//
// Products and convolutions
//===----------------------------------------------------------------------===//

/// The body that adds the product of two narrow operands to a wide sum.
static std::string wideProductBody(const ElementTypes &types) {
  std::string narrow = elementName(types.operands).str(),
              wide = types.integers() ? "i32" : "f32";
  std::string widening = narrow + " to " + wide;
  const char *first =
      types.integers() ? (types.unsignedFirst ? "arith.extui" : "arith.extsi")
                       : "arith.extf";
  const char *second = types.integers() ? "arith.extsi" : "arith.extf";
  return bodyLine("%a", first, "%x0", widening) +
         bodyLine("%b", second, "%x1", widening) +
         bodyLine("%p", types.integers() ? "arith.muli" : "arith.mulf",
                  "%a, %b", wide) +
         bodyLine("%r0", types.integers() ? "arith.addi" : "arith.addf",
                  "%y0, %p", wide);
}

/// A product of narrow operands, whose sums are wide: the result of an integer
/// product, or rounded to the type of float operands.
static TextTensor wideProduct(LinalgWriter &writer, const Operator &op,
                              llvm::StringRef iterators, TextOperand a,
                              TextOperand b, TextMap map) {
  std::string wide = op.types->integers() ? "i32" : "f32";
  TextTensor init =
      writer.filled(op.result, wide, op.types->integers() ? "0" : "0.0");
  TextTensor sums =
      writer.generic(iterators, {std::move(a), std::move(b)},
                     {init, std::move(map)}, wideProductBody(*op.types));
  return op.types->integers() ? sums
                              : convert(writer, sums, "arith.truncf",
                                        elementName(op.types->result).str());
}

static TextTensor narrowProduct(LinalgWriter &writer, const Operator &op,
                                llvm::ArrayRef<TextTensor> in) {
  if (op.kind == "bmm")
    return wideProduct(writer, op, "pppr", {in[0], {"d0", "d1", "d3"}},
                       {in[1], {"d0", "d3", "d2"}}, {"d0", "d1", "d2"});
  return wideProduct(writer, op, "ppr", {in[0], {"d0", "d2"}},
                     {in[1], {"d2", "d1"}}, {"d0", "d1"});
}

static TextTensor product(LinalgWriter &writer, const Operator &op,
                          llvm::ArrayRef<TextTensor> in) {
  if (op.types->operands != ElementType::F32)
    return narrowProduct(writer, op, in);
  TextTensor init = fill(writer, op.result, writer.constant("0.000000e+00"));
  TextTensor sums =
      writer.named(op.kind == "bmm" ? "linalg.batch_matmul" : "linalg.matmul",
                   in.take_front(2), init);
  if (op.kind != "mm_bias_gelu")
    return sums;
  TextMap all{"d0", "d1"};
  TextTensor bias = writer.generic("pp", {{in[2], {"d1"}}},
                                   {writer.empty(op.result), all}, "");
  TextTensor biased =
      elementwise(writer, sums, {{bias, all}}, binary("addf", "%x1"));
  return elementwise(writer, biased, {}, geluBody(writer));
}

static std::string window(int64_t stride) {
  return "{dilations = dense<1> : vector<2xi64>, strides = dense<" +
         std::to_string(stride) + "> : vector<2xi64>}";
}

/// `x` with `amount` elements on both sides of two of its dimensions.
static TextTensor padded(LinalgWriter &writer, const TextTensor &x,
                         size_t firstDim, int64_t amount,
                         const std::string &scalar) {
  if (amount == 0)
    return x;
  Shape amounts(x.rank(), 0);
  amounts[firstDim] = amounts[firstDim + 1] = amount;
  return writer.pad(x, amounts, amounts, scalar);
}

static Shape permute(llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> permutation) {
  Shape result;
  for (int64_t from : permutation)
    result.push_back(shape[from]);
  return result;
}

/// The initial value of a convolution: its bias, or zero.
static TextTensor convolutionInit(LinalgWriter &writer, const Operator &op,
                                  llvm::ArrayRef<TextTensor> in,
                                  const Shape &shape, const std::string &zero,
                                  llvm::ArrayRef<int64_t> dimensions) {
  if (op.get("bias"))
    return writer.broadcast(in[2], writer.empty(shape), dimensions);
  return fill(writer, shape, zero);
}

/// A coordinate of the image of a convolution.
static std::string imageCoordinate(const Operator &op, const char *result,
                                   const char *filter) {
  return std::string(result) + " * " + std::to_string(op.get("s")) + " + " +
         filter;
}

static TextTensor narrowConvolution(LinalgWriter &writer, const Operator &op,
                                    llvm::ArrayRef<TextTensor> in) {
  std::string zero =
      writer.constant(op.types->integers() ? "0" : "0.0", in[0].element);
  TextTensor image = padded(writer, in[0], 2, op.get("p"), zero);
  return wideProduct(writer, op, "pppprrr",
                     {image,
                      {"d0", "d4", imageCoordinate(op, "d2", "d5"),
                       imageCoordinate(op, "d3", "d6")}},
                     {in[1], {"d1", "d4", "d5", "d6"}},
                     {"d0", "d1", "d2", "d3"});
}

static TextTensor convolution(LinalgWriter &writer, const Operator &op,
                              llvm::ArrayRef<TextTensor> in) {
  if (op.types->operands != ElementType::F32)
    return narrowConvolution(writer, op, in);
  std::string zero = writer.constant("0.000000e+00");
  std::string attributes = window(op.get("s"));
  TextTensor image = padded(writer, in[0], 2, op.get("p"), zero);
  TextTensor filters = in[1];
  TextTensor init = convolutionInit(writer, op, in, op.result, zero, {0, 2, 3});
  int64_t c = op.get("c"), f = op.get("f"), g = op.get("g"), k = op.get("k");
  TextTensor result;
  if (op.depthwise()) {
    filters = writer.reshape(filters, {f, k, k}, "[[0, 1], [2], [3]]");
    result = writer.named("linalg.depthwise_conv_2d_nchw_chw", {image, filters},
                          init, attributes);
  } else if (g > 1) {
    auto split = [&](const TextTensor &value, int64_t channels) {
      return writer.reshape(
          value, {1, g, channels / g, value.shape[2], value.shape[3]},
          "[[0], [1, 2], [3], [4]]");
    };
    filters = writer.reshape(filters, {g, f / g, c / g, k, k},
                             "[[0, 1], [2], [3], [4]]");
    TextTensor groups = split(image, c);
    result = writer.named("linalg.conv_2d_ngchw_gfchw", {groups, filters},
                          split(init, f), attributes);
    result = writer.reshape(result, op.result, "[[0], [1, 2], [3], [4]]");
  } else {
    result = writer.named("linalg.conv_2d_nchw_fchw", {image, filters}, init,
                          attributes);
  }
  return op.get("relu") ? elementwise(writer, result, {}, reluBody(zero))
                        : result;
}

/// A transposed convolution as zeros between the elements of the image,
/// reversed filters, and a convolution of stride 1.
static TextTensor transposedConvolution(LinalgWriter &writer,
                                        const Operator &op,
                                        llvm::ArrayRef<TextTensor> in) {
  int64_t c = op.get("c"), h = op.get("h"), f = op.get("f"), k = op.get("k"),
          s = op.get("s"), edge = k - 1 - op.get("p");
  std::string zero = writer.constant("0.000000e+00");
  std::string last = writer.constant(std::to_string(k - 1), "index");
  Shape shape{f, c, k, k};
  TextTensor turned = writer.generic(
      "pppp", {}, {fill(writer, shape, zero), allDims(4)},
      "    %i0 = linalg.index 0 : index\n"
      "    %i1 = linalg.index 1 : index\n"
      "    %i2 = linalg.index 2 : index\n"
      "    %i3 = linalg.index 3 : index\n" +
          bodyLine("%i4", "arith.subi", last + ", %i2", "index") +
          bodyLine("%i5", "arith.subi", last + ", %i3", "index") +
          bodyLine("%r0", "tensor.extract", in[1].name + "[%i1, %i0, %i4, %i5]",
                   in[1].type()));
  int64_t extent = (h - 1) * s + 1 + 2 * edge;
  TextTensor spread =
      writer.insert(in[0], fill(writer, {1, c, extent, extent}, zero),
                    {0, 0, edge, edge}, {1, 1, s, s});
  TextTensor init = fill(writer, op.result, zero);
  return writer.named("linalg.conv_2d_nchw_fchw", {spread, turned}, init,
                      window(1));
}

//===----------------------------------------------------------------------===//
// Rows, sums, pools
//===----------------------------------------------------------------------===//

namespace {
/// Maps of an operand and of its reduction along the last dimension.
struct RowMaps {
  explicit RowMaps(const Operator &op)
      : rank(op.shape().size()), kinds(rank, 'p'), all(allDims(rank)),
        without(allDims(rank - 1)), one(without), kept(op.shape()),
        dropped(op.shape()) {
    kinds.back() = 'r';
    one.push_back("0");
    kept.back() = 1;
    dropped.pop_back();
  }
  size_t rank;
  std::string kinds;
  TextMap all;
  TextMap without; ///< Without the last dimension.
  TextMap one;     ///< With a last dimension of extent 1.
  Shape kept, dropped;
};
} // namespace

/// The maximum comes with an unused index, because torch.max returns both.
static TextTensor softmax(LinalgWriter &writer, const Operator &op,
                          TextTensor in) {
  RowMaps maps(op);
  size_t last = maps.rank - 1;
  std::string zero = writer.constant("0.000000e+00"),
              lowest = writer.constant(kMinusInfinity),
              index = writer.constant("0", "i64");
  TextTensor largest = fill(writer, maps.dropped, lowest);
  TextTensor where = fill(writer, maps.dropped, index, "i64");
  TextTensor maximum =
      writer.generic(maps.kinds, {{in, maps.all}},
                     {{largest, maps.without}, {where, maps.without}},
                     "    %i = linalg.index " + std::to_string(last) +
                         " : index\n"
                         "    %j = arith.index_cast %i : index to i64\n"
                         "    %r0 = arith.maximumf %x0, %y0 : f32\n"
                         "    %c = arith.cmpf ogt, %x0, %y0 : f32\n"
                         "    %r1 = arith.select %c, %j, %y1 : i64\n",
                     {})[0];
  std::string groups;
  for (size_t d = 0; d + 1 < last; ++d)
    groups += "[" + std::to_string(d) + "], ";
  groups = "[" + groups + "[" + std::to_string(last - 1) + ", " +
           std::to_string(last) + "]]";
  maximum = writer.reshape(maximum, maps.kept, groups);
  TextTensor shifted =
      elementwise(writer, in, {{maximum, maps.one}}, binary("subf", "%x1"));
  TextTensor powers = elementwise(writer, shifted, {},
                                  bodyLine("%r0", "math.exp", "%x0", "f32"));
  TextTensor sums = writer.generic(maps.kinds, {{powers, maps.all}},
                                   {fill(writer, maps.kept, zero), maps.one},
                                   binary("addf", "%y0"));
  return elementwise(writer, powers, {{sums, maps.one}}, binary("divf", "%x1"));
}

/// The mean along the last dimension.
static TextTensor rowMean(LinalgWriter &writer, const RowMaps &maps,
                          const TextTensor &value) {
  const std::string &type = value.element;
  std::string zero = writer.constant("0.000000e+00", type),
              count = writer.constant(
                  std::to_string(value.shape.back()) + ".000000e+00", type);
  TextTensor sums =
      writer.generic(maps.kinds, {{value, maps.all}},
                     {fill(writer, maps.kept, zero, type), maps.one},
                     binary("addf", "%y0", type));
  return elementwise(writer, sums, {}, binary("divf", count, type));
}

/// The variance along the last dimension, in the type of `value`.
static TextTensor rowVariance(LinalgWriter &writer, const RowMaps &maps,
                              const TextTensor &value, const TextTensor &mean) {
  TextTensor centered = elementwise(writer, value, {{mean, maps.one}},
                                    binary("subf", "%x1", value.element));
  TextTensor squares = elementwise(writer, centered, {{centered, maps.all}},
                                   binary("mulf", "%x1", value.element));
  return rowMean(writer, maps, squares);
}

/// With `f64=1` the variance is that of the extended tensor, truncated.
static TextTensor layerNorm(LinalgWriter &writer, const Operator &op,
                            llvm::ArrayRef<TextTensor> in) {
  RowMaps maps(op);
  size_t last = maps.rank - 1;
  std::string epsilon = writer.constant("1.000000e-05");
  TextTensor variance, mean;
  if (op.get("f64")) {
    TextTensor wide = convert(writer, in[0], "arith.extf", "f64");
    variance = rowVariance(writer, maps, wide, rowMean(writer, maps, wide));
    variance = convert(writer, variance, "arith.truncf", "f32");
    mean = rowMean(writer, maps, in[0]);
  } else {
    mean = rowMean(writer, maps, in[0]);
    variance = rowVariance(writer, maps, in[0], mean);
  }
  TextTensor centered =
      elementwise(writer, in[0], {{mean, maps.one}}, binary("subf", "%x1"));
  TextTensor biased =
      elementwise(writer, variance, {}, binary("addf", epsilon));
  TextTensor inverse = elementwise(writer, biased, {},
                                   bodyLine("%r0", "math.rsqrt", "%x0", "f32"));
  TextTensor normal = elementwise(writer, centered, {{inverse, maps.one}},
                                  binary("mulf", "%x1"));
  TextMap column{"d" + std::to_string(last)};
  TextTensor scaled =
      elementwise(writer, normal, {{in[1], column}}, binary("mulf", "%x1"));
  return elementwise(writer, scaled, {{in[2], column}}, binary("addf", "%x1"));
}

static TextTensor sum(LinalgWriter &writer, const Operator &op,
                      const TextTensor &in) {
  size_t axis = size_t(op.get("axis"));
  TextMap kept = allDims(in.rank());
  kept.erase(kept.begin() + axis);
  std::string kinds(in.rank(), 'p');
  kinds[axis] = 'r';
  TextTensor init = fill(writer, op.result, writer.constant("0.000000e+00"));
  return writer.generic(kinds, {{in, allDims(in.rank())}}, {init, kept},
                        binary("addf", "%y0"));
}

static TextTensor maxPool(LinalgWriter &writer, const Operator &op,
                          const TextTensor &in) {
  std::string lowest = writer.constant(kMinusInfinity);
  TextTensor image = padded(writer, in, 2, op.get("p"), lowest);
  TextTensor init = fill(writer, op.result, lowest);
  TextTensor extent = writer.empty({op.get("k"), op.get("k")});
  return writer.named("linalg.pooling_nchw_max", {image, extent}, init,
                      window(op.get("s")));
}

static TextTensor averagePool(LinalgWriter &writer, const Operator &op,
                              const TextTensor &in) {
  std::string area = writer.constant(std::to_string(op.get("h") * op.get("h")) +
                                     ".000000e+00");
  TextTensor init = fill(writer, op.result, writer.constant("0.000000e+00"));
  TextTensor sums =
      writer.generic("pprr", {{in, allDims(4)}}, {init, {"d0", "d1", "0", "0"}},
                     binary("addf", "%y0"));
  return elementwise(writer, sums, {}, binary("divf", area));
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

std::string bench::operandName(size_t n) { return "input" + std::to_string(n); }

static TextTensor write(LinalgWriter &writer, const Operator &op,
                        llvm::ArrayRef<TextTensor> in) {
  llvm::StringRef kind = op.kind;
  if (kind == "conv")
    return convolution(writer, op, in);
  if (kind == "conv_transposed")
    return transposedConvolution(writer, op, in);
  if (kind == "softmax")
    return softmax(writer, op, in[0]);
  if (kind == "layernorm")
    return layerNorm(writer, op, in);
  if (kind == "gelu")
    return elementwise(writer, in[0], {}, geluBody(writer));
  if (kind == "relu")
    return elementwise(writer, in[0], {},
                       reluBody(writer.constant("0.000000e+00")));
  if (kind == "sum")
    return sum(writer, op, in[0]);
  if (kind == "transpose")
    return writer.transpose(in[0], writer.empty(op.result), {1, 0});
  if (kind == "maxpool")
    return maxPool(writer, op, in[0]);
  if (kind == "avgpool")
    return averagePool(writer, op, in[0]);
  return product(writer, op, in);
}

std::string bench::moduleText(const Operator &op, Weights weights) {
  LinalgWriter writer;
  std::vector<TextTensor> arguments;
  for (auto [n, input] : llvm::enumerate(op.inputs)) {
    std::string attributes;
    if (weights == Weights::Constant)
      attributes = "{pruner.name = \"" + operandName(n) + "\"" +
                   (input.constant ? ", pruner.constant}" : "}");
    arguments.push_back(writer.argument(
        input.shape, elementName(op.types->operands), attributes));
  }
  return writer.finish(write(writer, op, arguments), "main");
}

ChannelsLast bench::channelsLastText(const Operator &op) {
  ChannelsLast result;
  if (op.kind != "conv" || (op.get("g") > 1 && !op.depthwise()) ||
      op.types->operands != ElementType::F32)
    return result;
  bool depthwise = op.depthwise();
  result.inputPermutations = {
      {0, 2, 3, 1}, depthwise ? Shape{2, 3, 0, 1} : Shape{2, 3, 1, 0}};
  if (op.get("bias"))
    result.inputPermutations.push_back({0});
  result.resultPermutation = {0, 3, 1, 2};

  LinalgWriter writer;
  std::vector<TextTensor> in;
  for (size_t i = 0; i < op.inputs.size(); ++i)
    in.push_back(writer.argument(
        permute(op.inputs[i].shape, result.inputPermutations[i])));
  std::string zero = writer.constant("0.000000e+00");
  TextTensor image = padded(writer, in[0], 1, op.get("p"), zero);
  TextTensor filters = in[1];
  if (depthwise)
    filters = writer.reshape(filters, {op.get("k"), op.get("k"), op.get("c")},
                             "[[0], [1], [2, 3]]");
  TextTensor init = convolutionInit(
      writer, op, in, permute(op.result, {0, 2, 3, 1}), zero, {0, 1, 2});
  TextTensor sums = writer.named(depthwise ? "linalg.depthwise_conv_2d_nhwc_hwc"
                                           : "linalg.conv_2d_nhwc_hwcf",
                                 {image, filters}, init, window(op.get("s")));
  result.text = writer.finish(
      op.get("relu") ? elementwise(writer, sums, {}, reluBody(zero)) : sums,
      "main");
  return result;
}
