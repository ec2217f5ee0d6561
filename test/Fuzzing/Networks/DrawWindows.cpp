//===- DrawWindows.cpp - convolutions and poolings ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkDraw.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pruner;

static std::string windowAttributes(const Shape &strides,
                                    const Shape &dilations) {
  auto dense = [](const Shape &values) {
    return "dense<" + listText(values) + "> : vector<" +
           std::to_string(values.size()) + "xi64>";
  };
  return "{dilations = " + dense(dilations) + ", strides = " + dense(strides) +
         "}";
}

namespace {
/// How a window moves along the spatial dimensions of a tensor.
struct Window {
  Shape sizes, strides, dilations, before, behind, out;
};
} // namespace

/// A window that fits `extents`, with padding if necessary.
static Window drawWindow(Random &random, const Shape &extents, bool padded) {
  Window window;
  auto below = [&](int64_t n) { return int64_t(random.uniform(n)); };
  for (int64_t extent : extents) {
    int64_t size = 1 + below(3), stride = 1 + below(random.uniform(2) ? 1 : 3),
            dilation = 1 + below(random.uniform(3) ? 1 : 2);
    int64_t reach = (size - 1) * dilation + 1, before = 0, behind = 0;
    if (padded) {
      before = below(std::min<int64_t>(reach, 3));
      behind = below(std::min<int64_t>(reach, 3));
    }
    if (extent + before + behind < reach) {
      before = reach / 2;
      behind = std::max<int64_t>(0, reach - extent - before);
      if (extent + before + behind < reach)
        behind = reach - extent;
    }
    window.sizes.push_back(size);
    window.strides.push_back(stride);
    window.dilations.push_back(dilation);
    window.before.push_back(before);
    window.behind.push_back(behind);
    window.out.push_back((extent + before + behind - reach) / stride + 1);
  }
  return window;
}

static bool isPadded(const Window &window) {
  return any_of(window.before, [](int64_t n) { return n > 0; }) ||
         any_of(window.behind, [](int64_t n) { return n > 0; });
}

/// Amounts of padding for `rank` dimensions, of which those from `at` have
/// `sides`.
static Shape alongWindow(size_t rank, size_t at, const Shape &sides) {
  Shape amounts(rank, 0);
  std::copy(sides.begin(), sides.end(), amounts.begin() + at);
  return amounts;
}

void NetworkDraw::convolution() {
  TextTensor x = real(4, 4, 2048);
  bool last = chance(30); // Channels last.
  size_t at = last ? 1 : 2;
  int64_t batch = x.shape[0], channels = x.shape[last ? 3 : 1];
  Window w = drawWindow(random, {x.shape[at], x.shape[at + 1]}, chance(60));
  std::string attributes = windowAttributes(w.strides, w.dilations);
  std::string sum = accumulatorOf(x.element);
  if (isPadded(w))
    x = pad(x, alongWindow(4, at, w.before), alongWindow(4, at, w.behind),
            constant(number(0, x.element), x.element));
  int64_t summed = w.sizes[0] * w.sizes[1];
  auto output = [&](int64_t filters) {
    return last ? Shape{batch, w.out[0], w.out[1], filters}
                : Shape{batch, filters, w.out[0], w.out[1]};
  };
  TextTensor y;
  unsigned kind = random.uniform(10);
  if (kind < 3) { // Depthwise.
    Shape shape = last ? Shape{w.sizes[0], w.sizes[1], channels}
                       : Shape{channels, w.sizes[0], w.sizes[1]};
    TextTensor f = weight(shape, x.element, summed);
    y = named(last ? "linalg.depthwise_conv_2d_nhwc_hwc"
                   : "linalg.depthwise_conv_2d_nchw_chw",
              {x, f}, start(output(channels), sum), attributes);
  } else if (kind < 5 && !last && channels > 1) { // In groups.
    int64_t groups = 2;
    while (channels % groups)
      ++groups;
    int64_t each = channels / groups, filters = 1 + random.uniform(4);
    TextTensor parts =
        reshape(x, {batch, groups, each, x.shape[2], x.shape[3]});
    TextTensor f = weight({groups, filters, each, w.sizes[0], w.sizes[1]},
                          x.element, summed * each);
    y = named("linalg.conv_2d_ngchw_gfchw", {parts, f},
              start({batch, groups, filters, w.out[0], w.out[1]}, sum),
              attributes);
    y = reshape(y, output(groups * filters));
  } else {
    int64_t filters = extent(17);
    Shape shape = last ? Shape{w.sizes[0], w.sizes[1], channels, filters}
                       : Shape{filters, channels, w.sizes[0], w.sizes[1]};
    TextTensor f = weight(shape, x.element, summed * channels);
    TextTensor init = start(output(filters), sum);
    if (!last && chance(20) && sum == x.element) { // The bias comes first.
      TextTensor b = weight({filters}, sum, 1), into = empty(init.shape, sum);
      init =
          op(init.shape, sum,
             "linalg.broadcast ins(" + b.name + " : " + b.type() + ") outs(" +
                 into.name + " : " + into.type() + ") dimensions = [0, 2, 3]");
    }
    y = named(last ? "linalg.conv_2d_nhwc_hwcf" : "linalg.conv_2d_nchw_fchw",
              {x, f}, init, attributes);
  }
  if (y.element != x.element)
    y = cast(y, x.element);
  y = bias(y, last ? 3 : 1);
  if (chance(50)) {
    std::string body = unaryBody(y.element);
    y = elementwise({y}, y.shape, y.element, body);
  }
  commit({y});
}

/// A convolution of stride one with constant filters, whose tiles Winograd's
/// algorithm can transform, and what follows it in networks.
void NetworkDraw::tiledConvolution() {
  TextTensor x = real(4, 4, 2048);
  if (x.element != "f32")
    return;
  bool last = chance(40), grouped = !last && chance(20) && x.shape[1] % 2 == 0;
  size_t at = last ? 1 : 2;
  int64_t batch = x.shape[0], channels = x.shape[last ? 3 : 1],
          filters = grouped ? 2 * extent(5) : extent(17);
  Shape sizes = oneOf<Shape>(
            {{3, 3}, {3, 3}, {1, 3}, {3, 1}, {1, 7}, {7, 1}, {5, 1}, {3, 4}}),
        before, behind;
  for (size_t d : {0, 1}) {
    before.push_back(between(0, sizes[d] - 1));
    int64_t rest = sizes[d] - x.shape[at + d] - before[d];
    behind.push_back(std::max<int64_t>(between(0, sizes[d] - 1), rest));
  }
  Shape image = last ? Shape{batch, x.shape[1], x.shape[2], filters}
                     : Shape{batch, filters, x.shape[2], x.shape[3]};
  for (size_t d : {0, 1})
    image[at + d] += before[d] + behind[d] - sizes[d] + 1;
  if (image[at] * image[at + 1] > 512)
    return;
  if (before != Shape{0, 0} || behind != Shape{0, 0})
    x = pad(x, alongWindow(4, at, before), alongWindow(4, at, behind),
            constant(chance(90) ? "0.0" : "0.5"));
  std::string attributes = windowAttributes({1, 1}, {1, 1});
  TextTensor y;
  if (grouped) {
    TextTensor parts =
        reshape(x, {batch, 2, channels / 2, x.shape[2], x.shape[3]});
    TextTensor f = argument({2, filters / 2, channels / 2, sizes[0], sizes[1]},
                            "f32", /*weight=*/true);
    y = named("linalg.conv_2d_ngchw_gfchw", {parts, f},
              start({batch, 2, filters / 2, image[2], image[3]}, "f32"),
              attributes);
    y = reshape(y, image);
  } else {
    TextTensor f = argument(last ? Shape{sizes[0], sizes[1], channels, filters}
                                 : Shape{filters, channels, sizes[0], sizes[1]},
                            "f32", /*weight=*/true);
    y = named(last ? "linalg.conv_2d_nhwc_hwcf" : "linalg.conv_2d_nchw_fchw",
              {x, f}, start(image, "f32"), attributes);
  }
  if (chance(15)) { // A reader with one more dimension.
    Shape shape = y.shape;
    shape.insert(shape.begin(), 2);
    commit({elementwise({y}, shape, "f32", "    %r0 = math.tanh %x0 : f32\n")});
    return;
  }
  if (chance(60))
    y = bias(y, last ? 3 : 1);
  if (chance(30)) // A residual connection.
    y = elementwise({y, like(image, "f32")}, image, "f32",
                    "    %r0 = arith.addf %x0, %x1 : f32\n");
  if (chance(50))
    y = elementwise({y}, image, "f32", unaryBody("f32"));
  commit({y});
}

void NetworkDraw::convolution1() {
  TextTensor x = real(3, 3, 2048);
  Window w = drawWindow(random, {x.shape[2]}, chance(50));
  if (isPadded(w))
    x = pad(x, {0, 0, w.before[0]}, {0, 0, w.behind[0]},
            constant(number(0, x.element), x.element));
  int64_t filters = extent(17), channels = x.shape[1];
  TextTensor f =
      weight({filters, channels, w.sizes[0]}, x.element, channels * w.sizes[0]);
  TextTensor y =
      named("linalg.conv_1d_ncw_fcw", {x, f},
            start({x.shape[0], filters, w.out[0]}, accumulatorOf(x.element)),
            windowAttributes(w.strides, w.dilations));
  commit({bias(y, 1)});
}

void NetworkDraw::convolution3() {
  TextTensor x = real(5, 5, 2048);
  Window w =
      drawWindow(random, {x.shape[2], x.shape[3], x.shape[4]}, chance(40));
  if (isPadded(w)) {
    Shape low{0, 0}, high{0, 0};
    low.insert(low.end(), w.before.begin(), w.before.end());
    high.insert(high.end(), w.behind.begin(), w.behind.end());
    x = pad(x, low, high, constant(number(0, x.element), x.element));
  }
  int64_t filters = extent(9), channels = x.shape[1];
  Shape shape{filters, channels}, out{x.shape[0], filters};
  shape.insert(shape.end(), w.sizes.begin(), w.sizes.end());
  out.insert(out.end(), w.out.begin(), w.out.end());
  TextTensor f =
      weight(shape, x.element, channels * w.sizes[0] * w.sizes[1] * w.sizes[2]);
  commit({named("linalg.conv_3d_ncdhw_fcdhw", {x, f},
                start(out, accumulatorOf(x.element)),
                windowAttributes(w.strides, w.dilations))});
}

/// As exporters write it: the input with zeros between its elements, and a
/// convolution with stride one.
void NetworkDraw::transposedConvolution() {
  TextTensor x = real(4, 4, 512);
  int64_t channels = x.shape[1], filters = extent(9);
  Shape sizes{between(1, 4), between(1, 4)}, whole = x.shape, offsets(4, 0),
                                             strides(4, 1),
                                             out{x.shape[0], filters, 0, 0};
  for (size_t d : {0, 1}) {
    strides[2 + d] = between(1, 3);
    offsets[2 + d] = sizes[d] - 1;
    whole[2 + d] = (x.shape[2 + d] - 1) * strides[2 + d] + 1 +
                   2 * (sizes[d] - 1) + int64_t(random.uniform(2));
    out[2 + d] = whole[2 + d] - sizes[d] + 1;
  }
  TextTensor zeros = filled(whole, x.element, number(0, x.element));
  TextTensor spread = insert(x, zeros, offsets, strides);
  TextTensor f = weight({filters, channels, sizes[0], sizes[1]}, x.element,
                        channels * sizes[0] * sizes[1]);
  commit({named("linalg.conv_2d_nchw_fchw", {spread, f},
                start(out, accumulatorOf(x.element)),
                windowAttributes({1, 1}, {1, 1}))});
}

void NetworkDraw::pooling() {
  size_t spatial = chance(80) ? 2 : 1;
  TextTensor x = real(spatial + 2, spatial + 2, 2048);
  bool last = spatial == 2 && chance(30), most = chance(60);
  size_t at = last ? 1 : 2;
  Shape extents(x.shape.begin() + at, x.shape.begin() + at + spatial);
  Window w = drawWindow(random, extents, chance(50));
  std::string outside = most ? infinityOf(x.element, true) : "0.0";
  if (isPadded(w))
    x = pad(x, alongWindow(x.rank(), at, w.before),
            alongWindow(x.rank(), at, w.behind), constant(outside, x.element));
  Shape out = x.shape;
  std::copy(w.out.begin(), w.out.end(), out.begin() + at);
  std::string mnemonic =
      spatial == 1
          ? (most ? "linalg.pooling_ncw_max" : "linalg.pooling_ncw_sum")
      : last ? (most ? "linalg.pooling_nhwc_max" : "linalg.pooling_nhwc_sum")
             : (most ? "linalg.pooling_nchw_max" : "linalg.pooling_nchw_sum");
  TextTensor y = named(mnemonic, {x, empty(w.sizes, x.element)},
                       filled(out, x.element, outside),
                       windowAttributes(w.strides, w.dilations));
  if (!most) {
    int64_t count = 1;
    for (int64_t size : w.sizes)
      count *= size;
    std::string by = constant(number(double(count), x.element), x.element);
    y = elementwise({y}, out, x.element,
                    "    %r0 = arith.divf %x0, " + by + " : " + x.element +
                        "\n");
  }
  commit({y});
}

/// Products of bytes, each minus its zero point, summed in i32.
void NetworkDraw::quantizedConvolution() {
  bool last = chance(70);
  int64_t channels = extent(9), filters = extent(9), batch = between(1, 2);
  Shape extents{2 + extent(9), 2 + extent(9)};
  Window w = drawWindow(random, extents, /*padded=*/false);
  if (isPadded(w))
    return;
  Shape input{batch, extents[0], extents[1], channels},
      out{batch, w.out[0], w.out[1], filters};
  Shape filter{w.sizes[0], w.sizes[1], channels, filters};
  std::string mnemonic = "linalg.conv_2d_nhwc_hwcf_q";
  if (!last) {
    input = {batch, channels, extents[0], extents[1]};
    out = {batch, filters, w.out[0], w.out[1]};
    filter = {filters, channels, w.sizes[0], w.sizes[1]};
    mnemonic = "linalg.conv_2d_nchw_fchw_q";
  } else if (chance(30)) {
    filter = {filters, w.sizes[0], w.sizes[1], channels};
    mnemonic = "linalg.conv_2d_nhwc_fhwc_q";
  } else if (chance(30)) {
    filter.pop_back();
    out.back() = channels;
    mnemonic = "linalg.depthwise_conv_2d_nhwc_hwc_q";
  }
  TextTensor x = like(input, "i8"), f = argument(filter, "i8", chance(60));
  std::string a = constant(std::to_string(between(-9, 9)), "i32"),
              b = constant(std::to_string(chance(50) ? 0 : between(-5, 5)),
                           "i32");
  TextTensor init = start(out, "i32");
  commit({op(out, "i32",
             mnemonic + " " + windowAttributes(w.strides, w.dilations) +
                 " ins(" + x.name + ", " + f.name + ", " + a + ", " + b +
                 " : " + x.type() + ", " + f.type() + ", i32, i32) outs(" +
                 init.name + " : " + init.type() + ") -> " + init.type())});
}

/// A convolution of reals that stand for bytes, padded with zeros.
void NetworkDraw::dequantizedConvolution() {
  bool last = chance(40), isDepthwise = chance(20);
  size_t at = last ? 1 : 2;
  int64_t channels = extent(17), batch = between(1, 2),
          filters = isDepthwise ? channels : extent(17);
  Shape extents{2 + extent(9), 2 + extent(9)};
  Window w = drawWindow(random, extents, chance(70));
  auto image = [&](const Shape &sides, int64_t depth) {
    return last ? Shape{batch, sides[0], sides[1], depth}
                : Shape{batch, depth, sides[0], sides[1]};
  };
  Shape input = image(extents, channels);
  TextTensor x = chance(50) ? quantized(like(input, "f32")) : like(input, "i8");
  Shape shape = last ? Shape{w.sizes[0], w.sizes[1], channels, filters}
                     : Shape{filters, channels, w.sizes[0], w.sizes[1]};
  if (isDepthwise)
    shape.erase(shape.begin() + (last ? 3 : 1));
  TextTensor f = weight(shape, "i8", w.sizes[0] * w.sizes[1] * channels);
  TextTensor a = dequantize(x, std::nullopt), factor = a;
  std::optional<size_t> channel;
  if (chance(70))
    channel = last ? shape.size() - 1 : 0;
  TextTensor b = dequantize(f, channel);
  if (isPadded(w))
    a = pad(a, alongWindow(4, at, w.before), alongWindow(4, at, w.behind),
            constant(chance(90) ? "0.0" : "1.0"));
  std::string mnemonic =
      isDepthwise ? "linalg.depthwise_conv_2d_" : "linalg.conv_2d_";
  mnemonic += last          ? isDepthwise ? "nhwc_hwc" : "nhwc_hwcf"
              : isDepthwise ? "nchw_chw"
                            : "nchw_fchw";
  TextTensor y = named(mnemonic, {a, b}, start(image(w.out, filters), "f32"),
                       windowAttributes(w.strides, w.dilations));
  commitSum(y, last ? 3 : 1, factor);
}

/// Convolutions of images of bytes or floats, channels first, with constant
/// filters and views between them; some are depthwise. Their channels can
/// become the last dimension everywhere.
void NetworkDraw::imageChain() {
  const std::string element =
      oneOf<std::string>({"i8", "i8", "i8", "bf16", "f32", "f32"});
  const bool bytes = element == "i8";
  const std::string sum = bytes ? "i32" : "f32";
  const std::string narrow = bytes ? "    %r0 = arith.trunci %x0 : i32 to i8\n"
                             : element == "bf16"
                                 ? "    %r0 = arith.truncf %x0 : f32 to bf16\n"
                                 : "    %r0 = arith.negf %x0 : f32\n";
  int64_t channels = 4 * extent(9), batch = chance(70) ? 1 : 2;
  TextTensor x = like({batch, channels, 3 + extent(9), 3 + extent(9)}, element);
  std::string zero = constant(bytes ? "0" : "0.0", element);
  std::vector<TextTensor> sums;
  for (int64_t layer = 0, layers = between(2, 4); layer < layers; ++layer) {
    if (layer == 0 || chance(80)) {
      Shape extents{x.shape[2], x.shape[3]};
      Window w = drawWindow(random, extents, chance(50));
      if (chance(30)) // One point.
        w = {{1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, extents};
      if (isPadded(w))
        x = pad(x, alongWindow(4, 2, w.before), alongWindow(4, 2, w.behind),
                zero);
      bool isDepthwise = chance(35);
      int64_t depth = x.shape[1], filters = isDepthwise ? depth : 4 * extent(9);
      Shape shape{filters, depth, w.sizes[0], w.sizes[1]};
      if (isDepthwise)
        shape.erase(shape.begin());
      TextTensor f = weight(
          shape, element, (isDepthwise ? 1 : depth) * w.sizes[0] * w.sizes[1]);
      sums.push_back(named(isDepthwise ? "linalg.depthwise_conv_2d_nchw_chw"
                                       : "linalg.conv_2d_nchw_fchw",
                           {x, f},
                           start({batch, filters, w.out[0], w.out[1]}, sum),
                           windowAttributes(w.strides, w.dilations)));
      x = elementwise({sums.back()}, sums.back().shape, element, narrow);
    }
    if (chance(25))
      x = concat({x, x}, unsigned(between(1, 3)));
    if (chance(25)) {
      Shape flat{batch, x.shape[1], x.shape[2] * x.shape[3]}, image = x.shape;
      x = reshape(
          elementwise({reshape(x, flat)}, flat, element,
                      bytes ? "    %r0 = arith.addi %x0, %x0 : i8\n"
                            : "    %r0 = arith.negf %x0 : " + element + "\n"),
          image);
    }
    if (chance(15))
      x = transpose(x, {0, 1, 3, 2});
    if (chance(15)) // Everything as one dimension.
      sums.push_back(reshape(x, {batch, x.shape[1] * x.shape[2] * x.shape[3]}));
  }
  sums.push_back(x);
  commit(sums);
}
