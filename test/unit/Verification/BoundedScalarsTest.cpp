//===- BoundedScalarsTest.cpp - elementwise results beside their bounds ---===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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
    got[i] = x[i] * 1073741827;
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
