//===- BoundedSumsTest.cpp - sums and products near their bounds ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoundedTask.h"

#include <cfloat>
#include <cmath>
#include <cstring>

using namespace pruner;

namespace {
class BoundedSumsTest : public BoundedTaskTest {};
} // namespace

TEST_F(BoundedSumsTest, SumsOfOneTermRound) {
  // init + a b, where one of both is far below the other: rounded away.
  make("#a = affine_map<(i, k) -> (i, k)>\n#c = affine_map<(i, k) -> (i)>\n"
       "func.func @one(%a: tensor<4096x1xf32>, %b: tensor<4096x1xf32>, "
       "%c: tensor<4096xf32>) -> tensor<4096xf32> {\n"
       "  %r = linalg.generic {indexing_maps = [#a, #a, #c], iterator_types = "
       "[\"parallel\", \"reduction\"]} ins(%a, %b : tensor<4096x1xf32>, "
       "tensor<4096x1xf32>) outs(%c : tensor<4096xf32>) {\n"
       "  ^bb0(%x: f32, %y: f32, %o: f32):\n"
       "    %p = arith.mulf %x, %y : f32\n"
       "    %s = arith.addf %o, %p : f32\n"
       "    linalg.yield %s : f32\n  } -> tensor<4096xf32>\n"
       "  return %r : tensor<4096xf32>\n}\n");
  for (const ReferenceSet &set : reference.sets)
    for (size_t i = 0; i < set.outputs[0].bound.size(); ++i) {
      double want = set.outputs[0].want[i];
      if (std::isfinite(want) && double(float(want)) != want)
        EXPECT_GT(set.outputs[0].bound[i], 0) << want;
    }
}

TEST_F(BoundedSumsTest, ProductsMayUnderflowInAnyOrder) {
  constexpr int rows = 64, factors = 16;
  make("func.func @product(%a: tensor<64x16xf32>, %one: tensor<64xf32>) -> "
       "tensor<64xf32> {\n"
       "  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, "
       "affine_map<(i, k) -> (i)>], iterator_types = [\"parallel\", "
       "\"reduction\"]} ins(%a : tensor<64x16xf32>) outs(%one : "
       "tensor<64xf32>) {\n"
       "  ^bb0(%x: f32, %o: f32):\n"
       "    %p = arith.mulf %o, %x : f32\n"
       "    linalg.yield %p : f32\n  } -> tensor<64xf32>\n"
       "  return %r : tensor<64xf32>\n}\n");
  auto product = [](int first, int step, int count) {
    return [=](const std::vector<const float *> &in, float *out) {
      for (int i = 0; i < rows; ++i) {
        out[i] = in[1][i];
        for (int k = 0; k < count; ++k)
          out[i] *= in[0][i * factors + (first + k * step) % factors];
      }
    };
  };
  EXPECT_EQ(check(product(0, 1, factors)), "");
  // Other partial products underflow.
  EXPECT_EQ(check(product(factors - 1, factors - 1, factors)), "");
  EXPECT_EQ(check(product(0, 5, factors)), "");
  EXPECT_NE(check(product(0, 1, factors - 1)), "");
}

// A partial product that underflows to zero is NaN with an infinite factor.
TEST_F(BoundedSumsTest, ProductsOfInfinitiesMayBeNaN) {
  constexpr int rows = 64, factors = 256;
  make("func.func @product(%a: tensor<64x256xf32>, %one: tensor<64xf32>) -> "
       "tensor<64xf32> {\n"
       "  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, "
       "affine_map<(i, k) -> (i)>], iterator_types = [\"parallel\", "
       "\"reduction\"]} ins(%a : tensor<64x256xf32>) outs(%one : "
       "tensor<64xf32>) {\n"
       "  ^bb0(%x: f32, %o: f32):\n"
       "    %p = arith.mulf %o, %x : f32\n"
       "    linalg.yield %p : f32\n  } -> tensor<64xf32>\n"
       "  return %r : tensor<64xf32>\n}\n");
  // Whether some row is NaN in one order and infinite in another.
  std::vector<std::array<bool, 2>> seen;
  auto product = [&](int first, int count) {
    return [=, &seen](const std::vector<const float *> &in, float *out) {
      for (int i = 0; i < rows; ++i) {
        out[i] = in[1][i];
        for (int k = 0; k < count; ++k)
          out[i] *= in[0][i * factors + (first + k) % factors];
      }
      size_t set = seen.size();
      seen.resize(set + rows);
      for (int i = 0; i < rows; ++i)
        seen[set + i] = {std::isnan(out[i]), std::isinf(out[i])};
    };
  };
  std::vector<std::vector<std::array<bool, 2>>> orders;
  for (int first = 0; first < factors; first += 32) {
    EXPECT_EQ(check(product(first, factors)), "") << first;
    orders.push_back(std::exchange(seen, {}));
  }
  int differ = 0;
  for (size_t n = 0; n < orders[0].size(); ++n)
    for (auto &order : orders)
      differ += order[n][0] && orders[0][n][1];
  EXPECT_GT(differ, 0);
  // No number is right there.
  auto finite = product(0, factors);
  EXPECT_NE(check([&](const std::vector<const float *> &in, float *out) {
              finite(in, out);
              for (int i = 0; i < rows; ++i)
                if (std::isinf(out[i]))
                  out[i] = 0;
            }),
            "");
}

// A sum of thousands of terms is so large that tanh is 1 whatever it is, or its
// rounding errors are larger than a term. Of integers times a small power of
// two it is neither.
TEST_F(BoundedSumsTest, FunctionOfALongSum) {
  const int m = 4, n = 3, k = 4096;
  make(finishedMatmulTask(
      m, n, k, "1.0",
      "    %t = math.tanh %in : f32\n    linalg.yield %t : f32\n"));
  // `columnOf` says which column is read in place of another.
  auto kernel = [&](int step, int terms, auto columnOf) -> Kernel {
    return [=](const std::vector<const float *> &in, float *out) {
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          std::vector<float> parts(step, 0);
          for (int p = 0; p < terms; ++p)
            parts[p % step] += in[0][i * k + p] * in[1][p * n + columnOf(j, p)];
          float sum = 0;
          for (float part : parts)
            sum += part;
          out[i * n + j] = std::tanh(sum);
        }
    };
  };
  auto same = [](int j, int) { return j; };
  EXPECT_EQ(check(kernel(1, k, same)), "");
  EXPECT_EQ(check(kernel(16, k, same)), "");
  EXPECT_NE(check(kernel(1, k - 1, same)).find("scaled: "), std::string::npos);
  EXPECT_NE(
      check(kernel(1, k, [](int j, int p) { return p == 9 && j == 1 ? 2 : j; }))
          .find("scaled: "),
      std::string::npos);
}

// Terms off by a power of two from integers are as exact as these; one that has
// more bits is not.
TEST_F(BoundedSumsTest, SumsAreExactOnAnyGrid) {
  for (auto [scale, exact] : {std::pair("0.03125", true), {"0.7", false}}) {
    make(scaledMatmulTask(4, 4, 32, scale));
    const ExpectedOutput &output = reference.sets[0].outputs[0];
    bool none = llvm::all_of(output.bound, [](double b) { return b == 0; });
    EXPECT_EQ(none, exact) << scale;
  }
}

// A product of 2^128 and more overflows. A fused multiply-add brings its exact
// value back into the type, and both are right.
TEST_F(BoundedSumsTest, ProductsThatOverflowMayBeFused) {
  std::string text = std::string(maps) + "func.func @t(%x: " + rows(8, 16) +
                     ") -> " + rows(8, 16) + " {\n" + prologue(8, 16) +
                     "  %c = arith.constant 1048576.0 : f32\n"
                     "  %d = arith.constant 64.0 : f32\n"
                     "  %f = arith.constant -32.0 : f32\n";
  std::string body = "    %1 = arith.mulf %a0, %c : f32\n";
  for (int n = 2; n <= 6; ++n) // x 2^120.
    body += "    %" + std::to_string(n) + " = arith.mulf %" +
            std::to_string(n - 1) + ", %c : f32\n";
  body += "    %7 = arith.mulf %6, %d : f32\n"
          "    %8 = arith.mulf %6, %f : f32\n"
          "    %9 = arith.addf %7, %8 : f32\n"
          "    linalg.yield %9 : f32\n";
  text += generic("%y", 8, 16, {{"%x", false}}, "%e", false, body);
  make(text + "  return %y : " + rows(8, 16) + "\n}\n");
  bool differ = false;
  EXPECT_EQ(check([&](auto &in, float *out) {
              for (int i = 0; i < 8 * 16; ++i) {
                float x = in[0][i] * 0x1p120f;
                volatile float product = x * 64;
                out[i] = product + x * -32;
                float fused = std::fma(x, 64.0f, x * -32);
                differ |= std::isinf(out[i]) && std::isfinite(fused);
              }
            }),
            "");
  EXPECT_TRUE(differ);
  EXPECT_EQ(check([](auto &in, float *out) {
              for (int i = 0; i < 8 * 16; ++i) {
                float x = in[0][i] * 0x1p120f;
                out[i] = std::fma(x, 64.0f, x * -32);
              }
            }),
            "");
}

/// A number of bf16; subnormal ones are zero.
static float brainFloat(const uint8_t *bytes) {
  uint32_t bits = uint32_t(bytes[0]) << 16 | uint32_t(bytes[1]) << 24;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return std::fabs(value) < FLT_MIN ? std::copysign(0.0f, value) : value;
}

static float withoutSubnormals(float value) {
  return std::fabs(value) < FLT_MIN ? std::copysign(0.0f, value) : value;
}

// vdpbf16ps takes subnormal operands as zero, and gives zero for subnormal
// results. Its results are within the bounds on all inputs; a set has rows
// where this matters.
TEST_F(BoundedSumsTest, DotProductsOfBrainFloatsLoseSubnormals) {
  constexpr int rows = 16, terms = 32;
  make("#a = affine_map<(i, j, k) -> (i, k)>\n"
       "#b = affine_map<(i, j, k) -> (k, j)>\n"
       "#c = affine_map<(i, j, k) -> (i, j)>\n"
       "func.func @dot(%a: tensor<16x32xbf16>, %b: tensor<32x16xbf16>) -> "
       "tensor<16x16xf32> {\n"
       "  %z = arith.constant 0.0 : f32\n"
       "  %e = tensor.empty() : tensor<16x16xf32>\n"
       "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x16xf32>) -> "
       "tensor<16x16xf32>\n"
       "  %r = linalg.matmul ins(%a, %b : tensor<16x32xbf16>, "
       "tensor<32x16xbf16>) outs(%f : tensor<16x16xf32>) -> "
       "tensor<16x16xf32>\n"
       "  return %r : tensor<16x16xf32>\n}\n");
  unsigned lost = 0;
  for (const ReferenceSet &set : reference.sets)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j) {
        float sum = 0;
        auto add = [&](int k) {
          float a = brainFloat(&set.inputs[0][2 * (i * terms + k)]);
          float b = brainFloat(&set.inputs[1][2 * (k * rows + j)]);
          sum = withoutSubnormals(std::fma(a, b, sum));
        };
        for (int k = 0; k < terms; k += 2) {
          add(k + 1);
          add(k);
        }
        const ExpectedOutput &output = set.outputs[0];
        size_t n = size_t(i * rows + j);
        double want = output.want[n];
        double bound = output.bound.empty() ? 0 : output.bound[n];
        if (!std::isfinite(want) || !std::isfinite(bound) ||
            !std::isfinite(sum))
          continue;
        EXPECT_LE(std::fabs(double(sum) - want), bound)
            << patternName(set.pattern).str() << " " << n;
        lost += sum == 0 && want != 0;
      }
  EXPECT_GT(lost, 0u);
}

// A result in bf16 that follows products of bf16 may be rounded by an
// instruction that takes subnormal numbers as zero. Behind products of f32 that
// is an error.
TEST_F(BoundedSumsTest, RoundingsBehindBrainFloatProductsLoseSubnormals) {
  for (const std::string type : {"bf16", "f32"}) {
    make("#c = affine_map<(i, j) -> (i, j)>\n"
         "func.func @dot(%a: tensor<16x32x" +
         type + ">, %b: tensor<32x16x" + type +
         ">) -> tensor<16x16xbf16> {\n"
         "  %z = arith.constant 0.0 : f32\n"
         "  %s = arith.constant 1.0e-38 : f32\n"
         "  %e = tensor.empty() : tensor<16x16xf32>\n"
         "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x16xf32>) -> "
         "tensor<16x16xf32>\n"
         "  %p = linalg.matmul ins(%a, %b : tensor<16x32x" +
         type + ">, tensor<32x16x" + type +
         ">) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>\n"
         "  %h = tensor.empty() : tensor<16x16xbf16>\n"
         "  %r = linalg.generic {indexing_maps = [#c, #c], iterator_types = "
         "[\"parallel\", \"parallel\"]} ins(%p : tensor<16x16xf32>) outs(%h : "
         "tensor<16x16xbf16>) {\n"
         "  ^bb0(%x: f32, %o: bf16):\n"
         "    %0 = arith.mulf %x, %s : f32\n"
         "    %1 = arith.truncf %0 : f32 to bf16\n"
         "    linalg.yield %1 : bf16\n"
         "  } -> tensor<16x16xbf16>\n"
         "  return %r : tensor<16x16xbf16>\n}\n");
    unsigned lost = 0, accepted = 0;
    for (const ReferenceSet &set : reference.sets) {
      const ExpectedOutput &output = set.outputs[0];
      for (size_t n = 0; n < output.want.size(); ++n) {
        double want = output.want[n];
        double bound = output.bound.empty() ? 0 : output.bound[n];
        // Far from the errors of the sum.
        if (!(std::fabs(want) > 0x1p-130 && std::fabs(want) < 0x1p-127))
          continue;
        ++lost;
        accepted += std::fabs(want) <= bound;
      }
    }
    EXPECT_GT(lost, 0u) << type;
    if (type == "bf16")
      EXPECT_EQ(accepted, lost);
    else
      EXPECT_LT(accepted, lost);
  }
}

// A relu of a sum that overflows to either infinity, or to NaN, may be
// anything. Anything times zero is zero or NaN.
TEST_F(BoundedSumsTest, AnythingTimesZeroIsAnything) {
  constexpr int rows = 16, terms = 31, columns = 24;
  make(R"(
    #ij = affine_map<(i, j) -> (i, j)>
    func.func @relu(%a: tensor<16x31xbf16>, %b: tensor<31x24xbf16>)
        -> tensor<16x1xf32> {
      %zero = arith.constant 0.0 : f32
      %none = arith.constant 0.0 : bf16
      %es = tensor.empty() : tensor<16x24xf32>
      %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<16x24xf32>)
        -> tensor<16x24xf32>
      %s = linalg.matmul ins(%a, %b : tensor<16x31xbf16>, tensor<31x24xbf16>)
        outs(%s0 : tensor<16x24xf32>) -> tensor<16x24xf32>
      %ep = tensor.empty() : tensor<16x24xbf16>
      %p = linalg.generic {indexing_maps = [#ij, #ij],
          iterator_types = ["parallel", "parallel"]}
          ins(%s : tensor<16x24xf32>) outs(%ep : tensor<16x24xbf16>) {
      ^bb0(%x: f32, %o: bf16):
        %m = arith.maximumf %x, %zero : f32
        %t = arith.truncf %m : f32 to bf16
        linalg.yield %t : bf16
      } -> tensor<16x24xbf16>
      %ev = tensor.empty() : tensor<24x1xbf16>
      %v = linalg.fill ins(%none : bf16) outs(%ev : tensor<24x1xbf16>)
        -> tensor<24x1xbf16>
      %er = tensor.empty() : tensor<16x1xf32>
      %r0 = linalg.fill ins(%zero : f32) outs(%er : tensor<16x1xf32>)
        -> tensor<16x1xf32>
      %r = linalg.matmul ins(%p, %v : tensor<16x24xbf16>, tensor<24x1xbf16>)
        outs(%r0 : tensor<16x1xf32>) -> tensor<16x1xf32>
      return %r : tensor<16x1xf32>
    })");
  auto number = [](const float *in, int i) {
    uint16_t bits;
    std::memcpy(&bits, reinterpret_cast<const char *>(in) + 2 * i, 2);
    uint32_t wide = uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &wide, 4);
    return value;
  };
  for (int step : {1, terms - 1, 7})
    EXPECT_EQ(check([&](const std::vector<const float *> &in, float *out) {
                for (int i = 0; i < rows; ++i) {
                  out[i] = 0;
                  for (int j = 0; j < columns; ++j) {
                    float sum = 0;
                    for (int k = 0; k < terms; ++k) {
                      int term = (k * step) % terms;
                      sum += number(in[0], i * terms + term) *
                             number(in[1], term * columns + j);
                    }
                    // A relu keeps NaN.
                    out[i] += (sum < 0 ? 0 : sum) * 0;
                  }
                }
              }),
              "");
}

// The bodies of `tf32-products`: factors are rounded to nearest, ties away from
// zero. Factors that are cut or not rounded at all give other results.
TEST_F(BoundedSumsTest, TensorFloatsAreRounded) {
  make("func.func @dot(%a: tensor<64x8xf32>, %b: tensor<64x8xf32>) -> "
       "tensor<64xf32> {\n"
       "  %z = arith.constant 0.0 : f32\n"
       "  %e = tensor.empty() : tensor<64xf32>\n"
       "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> "
       "tensor<64xf32>\n"
       "  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, "
       "affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], "
       "iterator_types = [\"parallel\", \"reduction\"]} ins(%a, %b : "
       "tensor<64x8xf32>, tensor<64x8xf32>) outs(%f : tensor<64xf32>) {\n"
       "  ^bb0(%x: f32, %y: f32, %s: f32):\n"
       "    %u = arith.truncf %x to_nearest_away : f32 to tf32\n"
       "    %v = arith.truncf %y to_nearest_away : f32 to tf32\n"
       "    %p = arith.extf %u : tf32 to f32\n"
       "    %q = arith.extf %v : tf32 to f32\n"
       "    %m = arith.mulf %p, %q : f32\n"
       "    %t = arith.addf %s, %m : f32\n"
       "    linalg.yield %t : f32\n  } -> tensor<64xf32>\n"
       "  return %r : tensor<64xf32>\n}\n");
  auto dot = [](uint32_t half, uint32_t mask) {
    auto rounded = [=](float x) {
      uint32_t bits;
      std::memcpy(&bits, &x, 4);
      bits = std::isnan(x) ? bits : (bits + half) & mask;
      std::memcpy(&x, &bits, 4);
      return x;
    };
    return [=](const std::vector<const float *> &in, float *out) {
      for (int i = 0; i < 64; ++i) {
        out[i] = 0;
        for (int k = 0; k < 8; ++k)
          out[i] += rounded(in[0][8 * i + k]) * rounded(in[1][8 * i + k]);
      }
    };
  };
  EXPECT_EQ(check(dot(0x1000, ~0x1fffu)), "");
  EXPECT_NE(check(dot(0, ~0x1fffu)), "");
  EXPECT_NE(check(dot(0, ~0u)), "");
}

static double halfFloat(const uint8_t *bytes) {
  llvm::APFloat value(llvm::APFloat::IEEEhalf(),
                      llvm::APInt(16, uint64_t(bytes[0]) | bytes[1] << 8));
  bool inexact;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::RoundingMode::TowardZero,
                &inexact);
  return value.convertToDouble();
}

static double roundToHalf(double number) {
  llvm::APFloat value(number);
  bool inexact;
  value.convert(llvm::APFloat::IEEEhalf(),
                llvm::RoundingMode::NearestTiesToEven, &inexact);
  value.convert(llvm::APFloat::IEEEdouble(), llvm::RoundingMode::TowardZero,
                &inexact);
  return value.convertToDouble();
}

// Sums in f16 whose operations may be contracted: tensor cores add groups of
// exact products and round each group once. Sums without their last product are
// wrong.
TEST_F(BoundedSumsTest, HalfSumsAreRoundedInGroups) {
  constexpr int rows = 16, terms = 48;
  make("func.func @dot(%a: tensor<16x48xf16>, %b: tensor<48x16xf16>) -> "
       "tensor<16x16xf16> {\n"
       "  %z = arith.constant 0.0 : f16\n"
       "  %e = tensor.empty() : tensor<16x16xf16>\n"
       "  %f = linalg.fill ins(%z : f16) outs(%e : tensor<16x16xf16>) -> "
       "tensor<16x16xf16>\n"
       "  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, "
       "k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, "
       "j)>], iterator_types = [\"parallel\", \"parallel\", "
       "\"reduction\"]} ins(%a, %b : tensor<16x48xf16>, "
       "tensor<48x16xf16>) outs(%f : tensor<16x16xf16>) {\n"
       "  ^bb0(%x: f16, %y: f16, %s: f16):\n"
       "    %m = arith.mulf %x, %y fastmath<contract> : f16\n"
       "    %t = arith.addf %s, %m fastmath<contract> : f16\n"
       "    linalg.yield %t : f16\n  } -> tensor<16x16xf16>\n"
       "  return %r : tensor<16x16xf16>\n}\n");
  unsigned compared = 0, grouped = 0, missing = 0;
  for (const ReferenceSet &set : reference.sets)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j) {
        const ExpectedOutput &output = set.outputs[0];
        size_t n = size_t(i * rows + j);
        double want = output.want[n],
               bound = output.bound.empty() ? 0 : output.bound[n];
        auto sumOf = [&](int end) {
          double sum = 0;
          for (int k = 0; k < end; ++k) {
            sum += halfFloat(&set.inputs[0][2 * (i * terms + k)]) *
                   halfFloat(&set.inputs[1][2 * (k * rows + j)]);
            if (k % 16 == 15 || k + 1 == end)
              sum = roundToHalf(sum);
          }
          return sum;
        };
        double whole = sumOf(terms), part = sumOf(terms - 1);
        if (!std::isfinite(want) || !std::isfinite(bound) ||
            !std::isfinite(whole))
          continue;
        ++compared;
        grouped += std::fabs(whole - want) <= bound;
        missing += std::fabs(part - want) <= bound;
      }
  EXPECT_GT(compared, 500u);
  EXPECT_LT(missing, compared * 3 / 4); // Many products are zero.
  EXPECT_EQ(grouped, compared);
}
