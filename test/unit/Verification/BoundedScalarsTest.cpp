//===- BoundedScalarsTest.cpp - elementwise results near their bounds -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoundedTask.h"

using namespace pruner;

namespace {
class BoundedScalarsTest : public BoundedTaskTest {};
} // namespace

TEST_F(BoundedScalarsTest, FunctionsOfNarrowTypes) {
  // tanh of f16: 1.45 times too large is far outside of two ulp.
  make(mapTask(256, "    %y = math.tanh %a : f16\n    linalg.yield %y : f16\n",
               "1.0", "f16"));
  const TensorSpec &spec = task->outputs()[0];
  auto wrongSets = [&](double factor) {
    int wrong = 0;
    for (const ReferenceSet &set : reference.sets) {
      std::vector<uint8_t> got(spec.bytes());
      for (int64_t i = 0; i < spec.elements(); ++i)
        writeElement(got.data(), spec.type, i,
                     factor * std::tanh(readElement(set.inputs[0].data(),
                                                    spec.type, i)));
      double worst = 0;
      wrong += bool(compareOutput(spec, got.data(), set.outputs[0], worst));
    }
    return wrong;
  };
  EXPECT_EQ(wrongSets(1), 0);
  EXPECT_EQ(wrongSets(1.45), int(reference.sets.size()));
  EXPECT_EQ(wrongSets(1.01), int(reference.sets.size()));
}

/// q = int(roundeven(x / 0.1)) on f32, an i32.
static std::string quantize(int n) {
  std::string x = "tensor<" + std::to_string(n) + "xf32>",
              q = "tensor<" + std::to_string(n) + "xi32>";
  return "#id = affine_map<(d0) -> (d0)>\nfunc.func @quantize(%x: " + x +
         ") -> " + q + " {\n  %scale = arith.constant 0.1 : f32\n" +
         "  %e = tensor.empty() : " + q +
         "\n  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types "
         "= [\"parallel\"]} ins(%x : " +
         x + ") outs(%e : " + q +
         ") {\n  ^bb0(%a: f32, %o: i32):\n"
         "    %y = arith.divf %a, %scale : f32\n"
         "    %z = math.roundeven %y : f32\n"
         "    %i = arith.fptosi %z : f32 to i32\n"
         "    linalg.yield %i : i32\n  } -> " +
         q + "\n  return %r : " + q + "\n}\n";
}

TEST_F(BoundedScalarsTest, IntegersDifferOnlyAtBorders) {
  make(quantize(100000));
  int open = 0;
  for (const ReferenceSet &set : reference.sets) {
    const ExpectedOutput &expected = set.outputs[0];
    ASSERT_EQ(expected.bound.size(), expected.want.size());
    for (size_t i = 0; i < expected.want.size(); ++i) {
      float x = reinterpret_cast<const float *>(set.inputs[0].data())[i];
      if (!std::isfinite(x) || std::fabs(x) > 1e5) {
        continue; // No such integer, or quotients apart by integers.
      }
      double scaled = double(x) / double(0.1f);
      double border =
          std::fabs(std::fabs(scaled - std::nearbyint(scaled)) - 0.5);
      // Within an ulp of the quotient.
      bool near = border <= std::ldexp(std::fabs(scaled), -23) * 1.01;
      if (expected.bound[i] > 0) {
        EXPECT_TRUE(near) << x << " " << scaled;
        EXPECT_EQ(expected.bound[i], 1);
        ++open;
      }
      EXPECT_LE(std::fabs(std::nearbyint(x / 0.1f) - expected.want[i]),
                expected.bound[i])
          << x;
    }
  }
  EXPECT_GT(open, 0);
  EXPECT_LT(open, 1000); // Of 400,000 and more.
}

TEST_F(BoundedScalarsTest, SelectionsMayGoEitherWayOnlyWhereTheyTie) {
  // (x + 0.1) - 0.1 > x ? 1 : 0 is a matter of rounding; x > 0 is not.
  make(mapTask(1024,
               "    %s = arith.addf %a, %c : f32\n"
               "    %d = arith.subf %s, %c : f32\n"
               "    %g = arith.cmpf ogt, %d, %a : f32\n"
               "    %y = arith.select %g, %c, %a : f32\n"
               "    linalg.yield %y : f32\n",
               "0.1"));
  const ExpectedOutput &real = reference.sets.back().outputs[0];
  int open = 0;
  for (size_t i = 0; i < real.want.size(); ++i) {
    float x = reinterpret_cast<const float *>(
        reference.sets.back().inputs[0].data())[i];
    double sum = double(x) + double(0.1f);
    if (sum == double(float(sum))) {
      EXPECT_EQ(real.bound[i], 0); // Nothing is rounded.
      continue;
    }
    EXPECT_GE(real.bound[i], std::fabs(double(0.1f) - x) * 0.999999);
    ++open;
  }
  EXPECT_GT(open, 256);
  make(mapTask(1024, "    %g = arith.cmpf ogt, %a, %c : f32\n"
                     "    %y = arith.select %g, %c, %a : f32\n"
                     "    linalg.yield %y : f32\n"));
  for (const ReferenceSet &set : reference.sets)
    EXPECT_TRUE(set.outputs[0].bound.empty());
}

TEST_F(BoundedScalarsTest, InputsAreTimedAwayFromBorders) {
  make(mapTask(1024,
               "    %y = arith.minimumf %a, %c : f32\n"
               "    linalg.yield %y : f32\n",
               "50.0"));
  auto largest = [](const std::vector<uint8_t> &input) {
    float result = 0;
    for (size_t i = 0; i < 1024; ++i)
      result = std::max(
          result, std::fabs(reinterpret_cast<const float *>(input.data())[i]));
    return result;
  };
  ASSERT_EQ(reference.timedInputs().size(), 1u);
  EXPECT_LE(largest(reference.timedInputs()[0]), 1);
  EXPECT_GE(largest(reference.sets.back().inputs[0]), 50);
}

TEST_F(BoundedScalarsTest, MaskedScoresKeepTheirBounds) {
  // max(x, -1e30 + x) is x: the rounding of -1e30 + x is not its error.
  make(mapTask(64,
               "    %s = arith.addf %a, %c : f32\n"
               "    %y = arith.maximumf %s, %a : f32\n"
               "    linalg.yield %y : f32\n",
               "-1.0e30"));
  for (double bound : reference.sets.back().outputs[0].bound)
    EXPECT_EQ(bound, 0);
}

TEST_F(BoundedScalarsTest, LongIntegersAreComparedWithoutLoss) {
  make(mapTask(64,
               "    %s = arith.muli %a, %c : i64\n"
               "    linalg.yield %s : i64\n",
               "1073741827", "i64"));
  const ReferenceSet &set = reference.sets.back();
  std::vector<int64_t> got(64);
  const auto *x = reinterpret_cast<const int64_t *>(set.inputs[0].data());
  for (int i = 0; i < 64; ++i)
    got[i] = int64_t(uint64_t(x[i]) * 1073741827);
  double worst = 0;
  const TensorSpec &spec = task->outputs()[0];
  EXPECT_FALSE(compareOutput(spec, got.data(), set.outputs[0], worst));
  // One too large is the same double.
  size_t largest = 0;
  for (size_t i = 0; i < 64; ++i)
    if (std::abs(got[i]) > std::abs(got[largest]))
      largest = i;
  ASSERT_EQ(double(got[largest]), double(got[largest] ^ 1));
  got[largest] ^= 1;
  EXPECT_TRUE(compareOutput(spec, got.data(), set.outputs[0], worst));
}

TEST_F(BoundedScalarsTest, WhatNothingDecidesIsNotVerified) {
  // e^(e^x 1000) overflows f16 or not, depending on how e^x is rounded; for
  // inputs of any size it does, and that is certain.
  std::string text = mapTask(8,
                             "    %1 = arith.subf %a, %a : f32\n"
                             "    %2 = arith.addf %1, %c : f32\n"
                             "    %3 = math.exp %2 : f32\n"
                             "    %4 = arith.subf %3, %3 : f32\n"
                             "    %y = math.log %4 : f32\n"
                             "    linalg.yield %y : f32\n",
                             "0.7");
  auto parsed = TaskProgram::parse(context, text);
  ASSERT_TRUE(bool(parsed));
  auto made = makeReference(*parsed, text, 7, "");
  ASSERT_FALSE(bool(made));
  EXPECT_NE(toString(made.takeError()).find("cannot be checked"),
            std::string::npos);
}

/// In the first column %v is x 2^120 64 - x 2^120 64, where a product may be
/// fused with the difference: infinity, its negation or NaN. Elsewhere it is x.
/// `body` makes %u of it.
static std::string openDifference(std::string body) {
  std::string text = std::string(maps) + "func.func @t(%x: " + rows(8, 128) +
                     ") -> " + rows(8, 128) + " {\n" + prologue(8, 128) +
                     "  %c = arith.constant 1048576.0 : f32\n"
                     "  %d = arith.constant 64.0 : f32\n"
                     "  %f = arith.constant -64.0 : f32\n"
                     "  %one = arith.constant 1.0 : f32\n"
                     "  %first = arith.constant 0 : index\n"
                     "  %two = arith.constant -2.0 : f32\n";
  std::string scale = "    %1 = arith.mulf %a0, %c : f32\n";
  for (int n = 2; n <= 6; ++n)
    scale += "    %" + std::to_string(n) + " = arith.mulf %" +
             std::to_string(n - 1) + ", %c : f32\n";
  text += generic("%y", 8, 128, {{"%x", false}}, "%e", false,
                  scale +
                      "    %7 = arith.mulf %6, %d : f32\n"
                      "    %8 = arith.mulf %6, %f : f32\n"
                      "    %9 = arith.addf %7, %8 : f32\n"
                      "    %j = linalg.index 1 : index\n"
                      "    %i = arith.cmpi eq, %j, %first : index\n"
                      "    %v = arith.select %i, %9, %a0 : f32\n" +
                      body + "    linalg.yield %u : f32\n");
  return text + "  return %y : " + rows(8, 128) + "\n}\n";
}

// What may be anything may be NaN, so nothing bounds what is made of it.
TEST_F(BoundedScalarsTest, OpenValuesStayOpen) {
  struct {
    const char *body;
    float (*function)(float);
  } cases[] = {
      {"    %u = math.tanh %v : f32\n", [](float v) { return std::tanh(v); }},
      {"    %u = math.erf %v : f32\n", [](float v) { return std::erf(v); }},
      {"    %u = math.atan %v : f32\n", [](float v) { return std::atan(v); }},
      {"    %w = arith.minimumf %v, %one : f32\n"
       "    %u = arith.maximumf %w, %two : f32\n",
       [](float v) {
         return std::isnan(v) ? v : std::max(std::min(v, 1.0f), -2.0f);
       }},
      {"    %u = math.copysign %one, %v : f32\n",
       [](float v) { return std::copysign(1.0f, v); }},
      {"    %w = arith.cmpf ogt, %v, %zero : f32\n"
       "    %u = arith.select %w, %one, %two : f32\n",
       [](float v) { return v > 0 ? 1.0f : -2.0f; }},
      {"    %n = arith.negf %v : f32\n    %w = math.exp %n : f32\n"
       "    %s = arith.addf %w, %one : f32\n"
       "    %u = arith.divf %one, %s : f32\n",
       [](float v) { return 1 / (1 + std::exp(-v)); }}};
  for (auto &[body, function] : cases) {
    SCOPED_TRACE(body);
    make(openDifference(body));
    for (int fused : {0, 1, 2})
      EXPECT_EQ(check([&, function = function](auto &in, float *out) {
                  for (int i = 0; i < 8 * 128; ++i) {
                    float x = in[0][i] * 0x1p120f;
                    volatile float a = x * 64, b = x * -64;
                    out[i] = function(i % 128 > 0  ? in[0][i]
                                      : fused == 0 ? a + b
                                      : fused == 1 ? std::fma(x, 64.0f, b)
                                                   : std::fma(x, -64.0f, a));
                  }
                }),
                "")
          << fused;
  }
}

// An integer that may be 0 or -1 is the least number without a sign, or the
// largest.
TEST_F(BoundedScalarsTest, UncertainIntegersMayChangeTheirSign) {
  for (const char *body : {"    %y = arith.extui %i : i32 to i64\n",
                           "    %m = arith.maxui %i, %five : i32\n"
                           "    %y = arith.extsi %m : i32 to i64\n",
                           "    %f = arith.uitofp %i : i32 to f64\n"
                           "    %y = arith.fptosi %f : f64 to i64\n",
                           "    %b = arith.cmpi ult, %i, %five : i32\n"
                           "    %y = arith.select %b, %none, %many : i64\n"}) {
    SCOPED_TRACE(body);
    make(std::string(R"(
#id = affine_map<(i) -> (i)>
func.func @sign(%x: tensor<1024xf32>) -> tensor<1024xi64> {
  %tenth = arith.constant 0.1 : f32
  %ten = arith.constant 10.0 : f32
  %five = arith.constant 5 : i32
  %first = arith.constant 0 : index
  %step = arith.constant 128 : index
  %none = arith.constant 0 : i64
  %many = arith.constant 5000000000 : i64
  %e = tensor.empty() : tensor<1024xi64>
  %r = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xi64>) {
  ^bb0(%a: f32, %o: i64):
    %p = arith.mulf %a, %tenth : f32
    %q = arith.mulf %p, %ten : f32
    %d = arith.subf %q, %a : f32
    %w = math.floor %d : f32
    %j = linalg.index 0 : index
    %k = arith.remui %j, %step : index
    %c = arith.cmpi eq, %k, %first : index
    %u = arith.select %c, %w, %ten : f32
    %i = arith.fptosi %u : f32 to i32
)") + body +
         R"(    linalg.yield %y : i64
  } -> tensor<1024xi64>
  return %r : tensor<1024xi64>
})");
    const ExpectedOutput &output = reference.sets.back().outputs[0];
    int open = 0;
    for (double bound : output.bound) {
      EXPECT_TRUE(bound == 0 || bound >= 4294967290.0) << bound;
      open += bound > 0;
    }
    EXPECT_GE(open, 4);
  }
}
