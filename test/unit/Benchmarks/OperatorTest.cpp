//===- OperatorTest.cpp - operations of a suite ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OperatorData.h"

#include "pruner/Verification/ElementData.h"

#include "gtest/gtest.h"

#include <cmath>
#include <initializer_list>

using namespace pruner;
using namespace pruner::bench;

static Operator parsed(llvm::StringRef line) {
  llvm::Expected<Operator> op = Operator::parse(line);
  if (op)
    return *op;
  ADD_FAILURE() << llvm::toString(op.takeError());
  return {};
}

static std::string error(llvm::StringRef line) {
  llvm::Expected<Operator> op = Operator::parse(line);
  return op ? "no error" : llvm::toString(op.takeError());
}

static FloatBuffer values(std::initializer_list<float> list) {
  FloatBuffer buffer(list.size());
  llvm::copy(list, buffer.begin());
  return buffer;
}

static std::vector<double>
computed(llvm::StringRef line,
         std::initializer_list<std::initializer_list<float>> inputs) {
  Operator op = parsed(line);
  std::vector<FloatBuffer> buffers;
  for (const auto &list : inputs)
    buffers.push_back(values(list));
  return reference(op, buffers);
}

using Values = std::vector<double>;

TEST(Operator, ShapesAndCosts) {
  Operator mm = parsed("x mm m=2 n=3 k=5");
  ASSERT_EQ(mm.inputs.size(), 2u);
  EXPECT_EQ(mm.inputs[1].shape, (std::vector<int64_t>{5, 3}));
  EXPECT_FALSE(mm.inputs[0].constant);
  EXPECT_TRUE(mm.inputs[1].constant);
  EXPECT_EQ(mm.flops, 60);
  EXPECT_EQ(mm.bytes(), 4 * (10 + 15 + 6));

  Operator conv = parsed("x conv c=4 h=7 f=6 k=3 s=2 p=1 g=2 bias=1");
  EXPECT_EQ(conv.inputs[1].shape, (std::vector<int64_t>{6, 2, 3, 3}));
  EXPECT_EQ(conv.inputs[2].shape, (std::vector<int64_t>{6}));
  EXPECT_EQ(conv.result, (std::vector<int64_t>{1, 6, 4, 4}));
  EXPECT_EQ(conv.flops, 2.0 * 6 * 4 * 4 * 2 * 9);
  EXPECT_FALSE(conv.depthwise());
  EXPECT_TRUE(parsed("x conv c=4 h=7 f=4 k=3 g=4").depthwise());

  // Does not count the zeros between the elements of the image.
  Operator up = parsed("x conv_transposed c=3 h=5 f=2 k=4 s=2 p=1");
  EXPECT_EQ(up.result, (std::vector<int64_t>{1, 2, 10, 10}));
  EXPECT_EQ(up.flops, 2.0 * 3 * 25 * 2 * 16);

  EXPECT_EQ(parsed("x bmm b=2 m=3 n=4 k=5").flops, 240);
  EXPECT_EQ(parsed("x sum shape=4x5x6 axis=1").result,
            (std::vector<int64_t>{4, 6}));
  EXPECT_EQ(parsed("x maxpool c=2 h=7 k=3 s=2 p=1").result,
            (std::vector<int64_t>{1, 2, 4, 4}));
}

TEST(Operator, ElementTypes) {
  EXPECT_EQ(parsed("x mm m=2 n=3 k=5").types->name, "f32");
  Operator mm = parsed("x mm m=2 n=3 k=5 types=u8s8");
  EXPECT_EQ(mm.bytes(), 10 + 15 + 4 * 6);
  EXPECT_NE(moduleText(mm).find("arith.extui %x0 : i8 to i32"),
            std::string::npos);
  EXPECT_EQ(parsed("x conv c=2 h=3 f=4 k=1 types=bf16").bytes(),
            2 * (2 * 9 + 8 + 4 * 9));

  // Every value is exact in its type, and bytes keep their signs.
  for (llvm::StringRef types : {"f32", "bf16", "f16", "u8s8", "s8s8"}) {
    Operator op = parsed(("x mm m=9 n=8 k=7 types=" + types).str());
    OperatorData data(op);
    std::vector<double> expected;
    for (int64_t i = 0; i < 9; ++i)
      for (int64_t j = 0; j < 8; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < 7; ++k) {
          double a = readElement(data.inputs()[0].data(), op.types->operands,
                                 i * 7 + k);
          if (op.types->unsignedFirst && a < 0)
            a += 256;
          sum += a * readElement(data.inputs()[1].data(), op.types->operands,
                                 k * 8 + j);
        }
        expected.push_back(sum);
      }
    auto write = [&](double error) {
      for (auto [index, value] : llvm::enumerate(expected))
        writeElement(data.output().data(), op.types->result, int64_t(index),
                     op.types->integers() ? value + (index == 5 ? error : 0)
                                          : double(float(value)));
    };
    if (op.types->result != ElementType::F32 && !op.types->integers())
      continue; // Such sums are not exact in the type of the result.
    EXPECT_FALSE(bool(data.verify([&] { write(0); }))) << types.str();
    if (op.types->integers()) {
      llvm::Error wrong = data.verify([&] { write(1); });
      EXPECT_TRUE(bool(wrong)) << types.str();
      llvm::consumeError(std::move(wrong));
    }
  }
}

TEST(Operator, Errors) {
  EXPECT_EQ(error("x mm m=1 n=1 k=1 types=s4"),
            "'x': unknown types 's4', expected one of f32, bf16, f16, u8s8, "
            "s8s8");
  EXPECT_EQ(error("x relu shape=8 types=f16"),
            "'x': 'types' other than f32 are for mm, bmm, and for conv without "
            "groups, bias and relu");
  EXPECT_EQ(error("x"), "'x' is not a name, a kind and parameters");
  EXPECT_EQ(error("x lstm n=1"), "'x': unknown kind of operation 'lstm'");
  EXPECT_EQ(error("x mm m=1 n=1"), "'x': a mm needs m n k, but 'k' is missing");
  EXPECT_EQ(error("x mm m=1 n=1 k=1 z=1"), "'x': a mm has no 'z'");
  EXPECT_EQ(error("x mm m=1 n=1 k=0"), "'x': 'k' must be at least 1");
  EXPECT_EQ(error("x mm m=1 n=1 k=2x2"), "'x': 'k' expects one number");
  EXPECT_EQ(error("x mm m=1 m=1 n=1 k=1"), "'x': 'm' is given more than once");
  EXPECT_EQ(error("x mm m"), "'x': 'm': expected name=number or "
                             "name=numberxnumber...");
  EXPECT_EQ(error("x conv c=3 h=4 f=4 k=3 g=2"),
            "'x': 2 groups of 3 and 4 channels");
  EXPECT_EQ(error("x conv c=1 h=4 f=1 k=7 p=1"),
            "'x': a window of 7 on 4 elements padded by 1");
  EXPECT_EQ(error("x conv c=1 h=4 f=1 k=1 s=0"), "'x': 's' must be at least 1");
  EXPECT_EQ(error("x sum shape=2x2 axis=2"), "'x': axis 2 of 2 dimensions");
  EXPECT_EQ(error("x softmax shape=8"), "'x': a softmax has at least 2 "
                                        "dimensions");
}

TEST(Operator, CommandLineOperationsGetDerivedNames) {
  auto operators = readOperators({"mm m=2  n=3 k=4", "sum shape=3x4 axis=1"});
  ASSERT_TRUE(bool(operators)) << llvm::toString(operators.takeError());
  ASSERT_EQ(operators->size(), 2u);
  EXPECT_EQ((*operators)[0].name, "mm_m2_n3_k4");
  EXPECT_EQ((*operators)[0].get("k"), 4);
  EXPECT_EQ((*operators)[1].name, "sum_shape3x4_axis1");
  auto none = readOperators({""});
  ASSERT_FALSE(bool(none));
  EXPECT_NE(llvm::toString(none.takeError()).find("is not a name"),
            std::string::npos);
}

TEST(Reference, Products) {
  EXPECT_EQ(
      computed("x mm m=2 n=2 k=3", {{1, 2, 3, 4, 5, 6}, {1, 0, 0, 1, 1, 1}}),
      (Values{4, 5, 10, 11}));
  EXPECT_EQ(computed("x bmm b=2 m=1 n=2 k=1", {{2, 3}, {1, 4, 5, 6}}),
            (Values{2, 8, 15, 18}));
  Values gelu = computed("x mm_bias_gelu m=1 n=1 k=1", {{2}, {3}, {-5}});
  EXPECT_NEAR(gelu[0], 0.8413447460685429, 1e-12); // x = 1: its normal CDF.
}

TEST(Reference, Convolutions) {
  // A window of ones sums neighbors; the padding is zero.
  EXPECT_EQ(
      computed("x conv c=1 h=3 f=1 k=3 p=1",
               {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 1, 1, 1, 1, 1, 1, 1, 1}}),
      (Values{12, 21, 16, 27, 45, 33, 24, 39, 28}));
  EXPECT_EQ(computed("x conv c=2 h=2 f=1 k=1 s=2 bias=1 relu=1",
                     {{1, 2, 3, 4, 5, 6, 7, 8}, {10, -3}, {-2}}),
            (Values{0}));
  // Each group sees its own channel.
  EXPECT_EQ(computed("x conv c=2 h=1 f=4 k=1 g=2", {{1, 10}, {1, 2, 3, 4}}),
            (Values{1, 2, 30, 40}));
  // Every element spreads its filter, with a distance of two.
  EXPECT_EQ(computed("x conv_transposed c=1 h=2 f=1 k=2 s=2",
                     {{1, 2, 3, 4}, {1, 10, 100, 1000}}),
            (Values{1, 10, 2, 20, 100, 1000, 200, 2000, 3, 30, 4, 40, 300, 3000,
                    400, 4000}));
}

TEST(Reference, RowsSumsPools) {
  Values softmax = computed("x softmax shape=1x2", {{0, std::log(3.0f)}});
  EXPECT_NEAR(softmax[0], 0.25, 1e-7);
  EXPECT_NEAR(softmax[1], 0.75, 1e-7);
  Values norm = computed("x layernorm shape=1x2", {{1, 3}, {2, 2}, {0, 5}});
  EXPECT_NEAR(norm[0], -2, 2e-5);
  EXPECT_NEAR(norm[1], 7, 2e-5);
  EXPECT_EQ(computed("x sum shape=2x3 axis=1", {{1, 2, 3, 4, 5, 6}}),
            (Values{6, 15}));
  EXPECT_EQ(computed("x sum shape=2x3 axis=0", {{1, 2, 3, 4, 5, 6}}),
            (Values{5, 7, 9}));
  EXPECT_EQ(computed("x transpose shape=2x3", {{1, 2, 3, 4, 5, 6}}),
            (Values{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(computed("x maxpool c=1 h=3 k=3 s=2 p=1",
                     {{-9, -8, -7, -6, -5, -4, -3, -2, -1}}),
            (Values{-5, -4, -2, -1}));
  EXPECT_EQ(computed("x avgpool c=2 h=2", {{1, 2, 3, 4, 5, 6, 7, 8}}),
            (Values{2.5, 6.5}));
  EXPECT_EQ(computed("x relu shape=3", {{-1, 0, 2}}), (Values{0, 0, 2}));
}
