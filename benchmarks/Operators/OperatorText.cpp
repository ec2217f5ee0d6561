//===- OperatorText.cpp - operations as PyTorch exports them --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModuleWriter.h"
#include "Operator.h"

using namespace pruner;
using namespace pruner::bench;

using Body = std::vector<std::string>;

static const char *const kMinusInfinity = "0xFF800000";

/// The lines of x / 2 * (1 + erf(x / sqrt(2))).
static Body geluBody(ModuleWriter &writer) {
  std::string one = writer.constant("1.000000e+00"),
              half = writer.constant("5.000000e-01"),
              root = writer.constant("1.41421354");
  return {"%g0 = arith.divf %in0, " + root + " : f32",
          "%g1 = math.erf %g0 : f32",
          "%g2 = arith.addf %g1, " + one + " : f32",
          "%g3 = arith.mulf %g2, " + half + " : f32",
          "%g4 = arith.mulf %in0, %g3 : f32",
          "%g4"};
}

/// max(x, 0), a compare and a select.
static Body reluBody(const std::string &zero) {
  return {"%r0 = arith.cmpf ugt, %in0, " + zero + " : f32",
          "%r1 = arith.select %r0, %in0, " + zero + " : f32", "%r1"};
}

static Body binary(const char *op, const char *other,
                   const std::string &type = "f32") {
  return {std::string("%r = arith.") + op + " %in0, " + other + " : " + type,
          "%r"};
}

/// Applies `body` to every element of `value` and of `others`, which are
/// broadcast by their maps.
static Value elementwise(ModuleWriter &writer, const Value &value,
                         llvm::ArrayRef<ModuleWriter::Mapped> others,
                         const Body &body) {
  size_t rank = value.shape.size();
  std::string all = identityMap(rank);
  std::vector<ModuleWriter::Mapped> inputs{{value, all}};
  inputs.insert(inputs.end(), others.begin(), others.end());
  return writer.generic(rank, {}, inputs,
                        {writer.empty(value.shape, value.element), all}, body);
}

/// `value` in another float type.
static Value convert(ModuleWriter &writer, const Value &value, const char *op,
                     const std::string &type) {
  size_t rank = value.shape.size();
  std::string all = identityMap(rank);
  return writer.generic(rank, {}, {{value, all}},
                        {writer.empty(value.shape, type), all},
                        {std::string("%r = arith.") + op +
                             " %in0 : " + value.element + " to " + type,
                         "%r"});
}

//===----------------------------------------------------------------------===//
// Products and convolutions
//===----------------------------------------------------------------------===//

static Value product(ModuleWriter &writer, const Operator &op,
                     llvm::ArrayRef<Value> in) {
  Value init = writer.fill(op.result, writer.constant("0.000000e+00"));
  Value sums = writer.named(op.kind == "bmm" ? "batch_matmul" : "matmul", "",
                            in.take_front(2), init);
  if (op.kind != "mm_bias_gelu")
    return sums;
  Value bias = writer.generic(2, {}, {{in[2], "d1"}},
                              {writer.empty(op.result), "d0, d1"}, {"%in0"});
  Value biased =
      elementwise(writer, sums, {{bias, "d0, d1"}}, binary("addf", "%in1"));
  return elementwise(writer, biased, {}, geluBody(writer));
}

static std::string window(int64_t stride) {
  return "{dilations = dense<1> : vector<2xi64>, strides = dense<" +
         std::to_string(stride) + "> : vector<2xi64>}";
}

static std::vector<int64_t> permute(llvm::ArrayRef<int64_t> shape,
                                    llvm::ArrayRef<int64_t> permutation) {
  std::vector<int64_t> result;
  for (int64_t from : permutation)
    result.push_back(shape[from]);
  return result;
}

/// The initial value of a convolution: its bias, or zero.
static Value convolutionInit(ModuleWriter &writer, const Operator &op,
                             llvm::ArrayRef<Value> in,
                             const std::vector<int64_t> &shape,
                             const std::string &zero, const char *dimensions) {
  if (op.get("bias"))
    return writer.broadcast(in[2], writer.empty(shape), dimensions);
  return writer.fill(shape, zero);
}

static Value convolution(ModuleWriter &writer, const Operator &op,
                         llvm::ArrayRef<Value> in) {
  std::string zero = writer.constant("0.000000e+00");
  std::string attributes = window(op.get("s"));
  Value image = writer.pad(in[0], {2, 3}, op.get("p"), zero);
  Value filters = in[1];
  Value init = convolutionInit(writer, op, in, op.result, zero, "[0, 2, 3]");
  int64_t c = op.get("c"), f = op.get("f"), g = op.get("g"), k = op.get("k");
  Value result;
  if (op.depthwise()) {
    filters = writer.reshape(filters, {f, k, k}, "[[0, 1], [2], [3]]");
    result = writer.named("depthwise_conv_2d_nchw_chw", attributes,
                          {image, filters}, init);
  } else if (g > 1) {
    auto split = [&](const Value &value, int64_t channels) {
      return writer.reshape(
          value, {1, g, channels / g, value.shape[2], value.shape[3]},
          "[[0], [1, 2], [3], [4]]");
    };
    filters = writer.reshape(filters, {g, f / g, c / g, k, k},
                             "[[0, 1], [2], [3], [4]]");
    result = writer.named("conv_2d_ngchw_gfchw", attributes,
                          {split(image, c), filters}, split(init, f));
    result = writer.reshape(result, op.result, "[[0], [1, 2], [3], [4]]");
  } else {
    result =
        writer.named("conv_2d_nchw_fchw", attributes, {image, filters}, init);
  }
  return op.get("relu") ? elementwise(writer, result, {}, reluBody(zero))
                        : result;
}

/// A transposed convolution as zeros between the elements of the image,
/// reversed filters, and a convolution of stride 1.
static Value transposedConvolution(ModuleWriter &writer, const Operator &op,
                                   llvm::ArrayRef<Value> in) {
  int64_t c = op.get("c"), h = op.get("h"), f = op.get("f"), k = op.get("k"),
          s = op.get("s"), edge = k - 1 - op.get("p");
  std::string zero = writer.constant("0.000000e+00");
  std::string last = writer.constant(std::to_string(k - 1), "index");
  std::vector<int64_t> shape{f, c, k, k};
  std::string all = identityMap(4);
  Value turned = writer.generic(
      4, {}, {}, {writer.fill(shape, zero), all},
      {"%i0 = linalg.index 0 : index", "%i1 = linalg.index 1 : index",
       "%i2 = linalg.index 2 : index", "%i3 = linalg.index 3 : index",
       "%i4 = arith.subi " + last + ", %i2 : index",
       "%i5 = arith.subi " + last + ", %i3 : index",
       "%x = tensor.extract " + in[1].name +
           "[%i1, %i0, %i4, %i5] : " + tensorType(in[1].shape),
       "%x"});
  int64_t extent = (h - 1) * s + 1 + 2 * edge;
  Value spread = writer.fill({1, c, extent, extent}, zero);
  std::string at = std::to_string(edge), step = std::to_string(s);
  spread.name = writer.line(
      "tensor.insert_slice " + in[0].name + " into " + spread.name + "[0, 0, " +
      at + ", " + at + "] [1, " + std::to_string(c) + ", " + std::to_string(h) +
      ", " + std::to_string(h) + "] [1, 1, " + step + ", " + step +
      "] : " + tensorType(in[0].shape) + " into " + tensorType(spread.shape));
  return writer.named("conv_2d_nchw_fchw", window(1), {spread, turned},
                      writer.fill(op.result, zero));
}

//===----------------------------------------------------------------------===//
// Rows, sums, pools
//===----------------------------------------------------------------------===//

namespace {
/// Maps of an operand and of its reduction along the last dimension.
struct RowMaps {
  explicit RowMaps(const Operator &op)
      : rank(op.shape().size()), all(identityMap(rank)),
        without(identityMap(rank - 1)), one(rank > 1 ? without + ", 0" : "0"),
        kept(op.shape()), dropped(op.shape()) {
    kept.back() = 1;
    dropped.pop_back();
  }
  size_t rank;
  std::string all;
  std::string without; ///< Without the last dimension.
  std::string one;     ///< With a last dimension of extent 1.
  std::vector<int64_t> kept, dropped;
};
} // namespace

/// The maximum comes with an unused index, because torch.max returns both.
static Value softmax(ModuleWriter &writer, const Operator &op, Value in) {
  RowMaps maps(op);
  size_t last = maps.rank - 1;
  std::string zero = writer.constant("0.000000e+00"),
              lowest = writer.constant(kMinusInfinity),
              index = writer.constant("0", "i64");
  Value largest = writer.fill(maps.dropped, lowest);
  Value where = writer.fill(maps.dropped, index, "i64");
  std::string head = "affine_map<(" + maps.all + ") -> (", tail = ")>",
              iterators;
  for (size_t d = 0; d < last; ++d)
    iterators += "\"parallel\", ";
  std::string types =
      tensorType(maps.dropped) + ", " + tensorType(maps.dropped, "i64");
  Value maximum = {
      writer.line("linalg.generic {indexing_maps = [" + head + maps.all + tail +
                      ", " + head + maps.without + tail + ", " + head +
                      maps.without + tail + "], iterator_types = [" +
                      iterators + "\"reduction\"]} ins(" + in.name + " : " +
                      tensorType(in.shape) + ") outs(" + largest.name + ", " +
                      where.name + " : " + types +
                      ") {\n  ^bb0(%in: f32, %out: f32, %at: i64):\n"
                      "    %i = linalg.index " +
                      std::to_string(last) +
                      " : index\n"
                      "    %j = arith.index_cast %i : index to i64\n"
                      "    %m = arith.maximumf %in, %out : f32\n"
                      "    %c = arith.cmpf ogt, %in, %out : f32\n"
                      "    %s = arith.select %c, %j, %at : i64\n"
                      "    linalg.yield %m, %s : f32, i64\n  } -> (" +
                      types + ")",
                  /*results=*/2),
      maps.dropped};
  std::string groups;
  for (size_t d = 0; d + 1 < last; ++d)
    groups += "[" + std::to_string(d) + "], ";
  groups = "[" + groups + "[" + std::to_string(last - 1) + ", " +
           std::to_string(last) + "]]";
  maximum = writer.reshape(maximum, maps.kept, groups);
  Value shifted =
      elementwise(writer, in, {{maximum, maps.one}}, binary("subf", "%in1"));
  Value powers =
      elementwise(writer, shifted, {}, {"%r = math.exp %in0 : f32", "%r"});
  Value sums = writer.generic(maps.rank, {last}, {{powers, maps.all}},
                              {writer.fill(maps.kept, zero), maps.one},
                              binary("addf", "%out"));
  return elementwise(writer, powers, {{sums, maps.one}},
                     binary("divf", "%in1"));
}

/// The mean along the last dimension.
static Value rowMean(ModuleWriter &writer, const RowMaps &maps,
                     const Value &value) {
  const std::string &type = value.element;
  std::string zero = writer.constant("0.000000e+00", type),
              count = writer.constant(
                  std::to_string(value.shape.back()) + ".000000e+00", type);
  Value sums = writer.generic(maps.rank, {maps.rank - 1}, {{value, maps.all}},
                              {writer.fill(maps.kept, zero, type), maps.one},
                              binary("addf", "%out", type));
  return elementwise(writer, sums, {}, binary("divf", count.c_str(), type));
}

/// The variance along the last dimension, in the type of `value`.
static Value rowVariance(ModuleWriter &writer, const RowMaps &maps,
                         const Value &value, const Value &mean) {
  Value centered = elementwise(writer, value, {{mean, maps.one}},
                               binary("subf", "%in1", value.element));
  Value squares = elementwise(writer, centered, {{centered, maps.all}},
                              binary("mulf", "%in1", value.element));
  return rowMean(writer, maps, squares);
}

/// With `f64=1` the variance is that of the extended tensor, truncated.
static Value layerNorm(ModuleWriter &writer, const Operator &op,
                       llvm::ArrayRef<Value> in) {
  RowMaps maps(op);
  size_t last = maps.rank - 1;
  std::string epsilon = writer.constant("1.000000e-05");
  Value variance, mean;
  if (op.get("f64")) {
    Value wide = convert(writer, in[0], "extf", "f64");
    variance = rowVariance(writer, maps, wide, rowMean(writer, maps, wide));
    variance = convert(writer, variance, "truncf", "f32");
    mean = rowMean(writer, maps, in[0]);
  } else {
    mean = rowMean(writer, maps, in[0]);
    variance = rowVariance(writer, maps, in[0], mean);
  }
  Value centered =
      elementwise(writer, in[0], {{mean, maps.one}}, binary("subf", "%in1"));
  Value biased =
      elementwise(writer, variance, {}, binary("addf", epsilon.c_str()));
  Value inverse =
      elementwise(writer, biased, {}, {"%r = math.rsqrt %in0 : f32", "%r"});
  Value normal = elementwise(writer, centered, {{inverse, maps.one}},
                             binary("mulf", "%in1"));
  std::string column = "d" + std::to_string(last);
  Value scaled =
      elementwise(writer, normal, {{in[1], column}}, binary("mulf", "%in1"));
  return elementwise(writer, scaled, {{in[2], column}}, binary("addf", "%in1"));
}

static Value sum(ModuleWriter &writer, const Operator &op, const Value &in) {
  size_t rank = op.shape().size(), axis = size_t(op.get("axis"));
  std::string kept;
  for (size_t d = 0; d < rank; ++d)
    if (d != axis)
      kept += (kept.empty() ? "d" : ", d") + std::to_string(d);
  Value init = writer.fill(op.result, writer.constant("0.000000e+00"));
  return writer.generic(rank, {axis}, {{in, identityMap(rank)}}, {init, kept},
                        binary("addf", "%out"));
}

static Value maxPool(ModuleWriter &writer, const Operator &op,
                     const Value &in) {
  std::string lowest = writer.constant(kMinusInfinity);
  Value padded = writer.pad(in, {2, 3}, op.get("p"), lowest);
  Value init = writer.fill(op.result, lowest);
  Value extent = writer.empty({op.get("k"), op.get("k")});
  return writer.named("pooling_nchw_max", window(op.get("s")), {padded, extent},
                      init);
}

static Value averagePool(ModuleWriter &writer, const Operator &op,
                         const Value &in) {
  std::string area = writer.constant(std::to_string(op.get("h") * op.get("h")) +
                                     ".000000e+00");
  Value init = writer.fill(op.result, writer.constant("0.000000e+00"));
  Value sums = writer.generic(4, {2, 3}, {{in, identityMap(4)}},
                              {init, "d0, d1, 0, 0"}, binary("addf", "%out"));
  return elementwise(writer, sums, {}, binary("divf", area.c_str()));
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

std::string bench::operandName(size_t n) { return "input" + std::to_string(n); }

static Value write(ModuleWriter &writer, const Operator &op,
                   llvm::ArrayRef<Value> in) {
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
    return writer.transpose(in[0], writer.empty(op.result));
  if (kind == "maxpool")
    return maxPool(writer, op, in[0]);
  if (kind == "avgpool")
    return averagePool(writer, op, in[0]);
  return product(writer, op, in);
}

std::string bench::moduleText(const Operator &op, Weights weights) {
  ModuleWriter writer;
  std::vector<Value> arguments;
  for (auto [n, input] : llvm::enumerate(op.inputs)) {
    std::string attributes;
    if (weights == Weights::Constant)
      attributes = " {pruner.name = \"" + operandName(n) + "\"" +
                   (input.constant ? ", pruner.constant}" : "}");
    arguments.push_back(writer.argument(input.shape, std::move(attributes)));
  }
  return writer.finish(write(writer, op, arguments));
}

ChannelsLast bench::channelsLastText(const Operator &op) {
  ChannelsLast result;
  if (op.kind != "conv" || (op.get("g") > 1 && !op.depthwise()))
    return result;
  bool depthwise = op.depthwise();
  result.inputPermutations = {{0, 2, 3, 1},
                              depthwise ? std::vector<int64_t>{2, 3, 0, 1}
                                        : std::vector<int64_t>{2, 3, 1, 0}};
  if (op.get("bias"))
    result.inputPermutations.push_back({0});
  result.resultPermutation = {0, 3, 1, 2};

  ModuleWriter writer;
  std::vector<Value> in;
  for (size_t i = 0; i < op.inputs.size(); ++i)
    in.push_back(writer.argument(
        permute(op.inputs[i].shape, result.inputPermutations[i])));
  std::string zero = writer.constant("0.000000e+00");
  Value image = writer.pad(in[0], {1, 2}, op.get("p"), zero);
  Value filters = in[1];
  if (depthwise)
    filters = writer.reshape(filters, {op.get("k"), op.get("k"), op.get("c")},
                             "[[0], [1], [2, 3]]");
  Value init = convolutionInit(writer, op, in, permute(op.result, {0, 2, 3, 1}),
                               zero, "[0, 1, 2]");
  Value sums = writer.named(depthwise ? "depthwise_conv_2d_nhwc_hwc"
                                      : "conv_2d_nhwc_hwcf",
                            window(op.get("s")), {image, filters}, init);
  result.text = writer.finish(
      op.get("relu") ? elementwise(writer, sums, {}, reluBody(zero)) : sums);
  return result;
}
