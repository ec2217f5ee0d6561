//===- PaddedSumsTest.cpp - products with padding may be omitted ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoundedTask.h"

using namespace pruner;

namespace {
constexpr int kRows = 24, kImage = 6, kTaps = 3, kChannels = 2;

/// Which products with padding a program computes.
enum class Computed { All, None, First };

class PaddedSumsTest : public BoundedTaskTest {
protected:
  /// A convolution along rows: `filters` of them read all channels, or one for
  /// each channel.
  void convolve(bool depthwise) {
    std::string x = depthwise ? "24x6" : "2x6", p = depthwise ? "24x8" : "2x8";
    std::string w = depthwise ? "24x3" : "24x2x3";
    std::string maps = depthwise ? "affine_map<(f, i, k) -> (f, i + k)>, "
                                   "affine_map<(f, i, k) -> (f, k)>, "
                                   "affine_map<(f, i, k) -> (f, i)>"
                                 : "affine_map<(f, i, c, k) -> (c, i + k)>, "
                                   "affine_map<(f, i, c, k) -> (f, c, k)>, "
                                   "affine_map<(f, i, c, k) -> (f, i)>";
    std::string kinds = depthwise ? "" : ", \"reduction\"";
    make("func.func @conv(%x: tensor<" + x + "xf32>, %w: tensor<" + w +
         "xf32>) -> tensor<24x6xf32> {\n"
         "  %z = arith.constant 0.0 : f32\n"
         "  %p = tensor.pad %x low[0, 1] high[0, 1] {\n"
         "  ^bb0(%a: index, %b: index):\n    tensor.yield %z : f32\n"
         "  } : tensor<" +
         x + "xf32> to tensor<" + p +
         "xf32>\n"
         "  %e = tensor.empty() : tensor<24x6xf32>\n"
         "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<24x6xf32>) -> "
         "tensor<24x6xf32>\n"
         "  %r = linalg.generic {indexing_maps = [" +
         maps +
         "], iterator_types = [\"parallel\", \"parallel\", \"reduction\"" +
         kinds + "]} ins(%p, %w : tensor<" + p + "xf32>, tensor<" + w +
         "xf32>) outs(%f : tensor<24x6xf32>) {\n"
         "  ^bb0(%u: f32, %v: f32, %o: f32):\n"
         "    %m = arith.mulf %u, %v : f32\n"
         "    %s = arith.addf %o, %m : f32\n"
         "    linalg.yield %s : f32\n  } -> tensor<24x6xf32>\n"
         "  return %r : tensor<24x6xf32>\n}\n");
  }

  /// `omitted` is a tap of the first result that is also left out; -1: none.
  static Kernel kernel(bool depthwise, Computed computed, int omitted = -1) {
    return [=](const std::vector<const float *> &in, float *out) {
      int channels = depthwise ? 1 : kChannels;
      for (int f = 0; f < kRows; ++f)
        for (int i = 0; i < kImage; ++i) {
          float sum = 0;
          for (int c = 0; c < channels; ++c)
            for (int k = 0; k < kTaps; ++k) {
              int at = i + k - 1;
              bool inside = at >= 0 && at < kImage;
              if ((!inside && (computed == Computed::None ||
                               (computed == Computed::First && at >= 0))) ||
                  (i == 0 && k == omitted))
                continue;
              int row = depthwise ? f : c;
              float x = inside ? in[0][row * kImage + at] : 0;
              sum += x * in[1][(f * channels + c) * kTaps + k];
            }
          out[f * kImage + i] = sum;
        }
    };
  }

  /// Whether some expected result is NaN or a number.
  bool permitsBoth() const {
    for (const ReferenceSet &set : reference.sets)
      for (auto [want, others] :
           llvm::zip(set.outputs[0].want, set.outputs[0].others))
        if (std::isfinite(want) && (others & NotANumber))
          return true;
    return false;
  }
};
} // namespace

TEST_F(PaddedSumsTest, ConvolutionsMayOmitPadding) {
  for (bool depthwise : {false, true}) {
    convolve(depthwise);
    EXPECT_TRUE(permitsBoth());
    EXPECT_EQ(check(kernel(depthwise, Computed::All)), "");
    EXPECT_EQ(check(kernel(depthwise, Computed::None)), "");
    EXPECT_EQ(check(kernel(depthwise, Computed::First)), "");
  }
}

TEST_F(PaddedSumsTest, OtherProductsCount) {
  for (bool depthwise : {false, true}) {
    convolve(depthwise);
    for (int tap : {1, 2})
      EXPECT_NE(check(kernel(depthwise, Computed::None, tap)), "");
  }
}
