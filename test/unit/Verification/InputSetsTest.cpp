//===- InputSetsTest.cpp - inputs detect wrong programs -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InputSetsTest.h"

using namespace pruner;

namespace {
/// Faults of `requantize`. `ties`: operands are fine enough to be at ties.
Faults requantizationFaults(const std::string &scale, bool ties) {
  Faults faults = {{"%s = arith.constant " + scale, "%s = arith.constant 25.0"},
                   {"%z = arith.constant 3", "%z = arith.constant 33"},
                   {"%z = arith.constant 3", "%z = arith.constant 4"},
                   {"%d : i32 to i8", "%w : i32 to i8"},
                   {"%hi = arith.constant 127", "%hi = arith.constant 126"},
                   {"%lo = arith.constant -128", "%lo = arith.constant -127"},
                   {"arith.maxsi %p, %lo", "arith.maxsi %p, %p"},
                   {"arith.minsi %c, %hi", "arith.minsi %c, %c"}};
  // Only the sign.
  faults[3] = {"%r = arith.trunci %d", "%u = arith.cmpi slt, %p, %z : i32\n"
                                       "    %w = arith.select %u, %lo, %hi"
                                       " : i32\n    %r = arith.trunci %w"};
  if (ties)
    for (const char *other : {"math.round ", "math.floor ", "math.trunc "})
      faults.emplace_back("math.roundeven ", other);
  return faults;
}

/// A softmax of the rows of m x n numbers; the maximum includes %a if `sees`
/// holds for the column %j.
std::string softmax(int64_t m, int64_t n, const std::string &sees) {
  std::string in = tensor(std::to_string(m) + "x" + std::to_string(n), "f32"),
              row = tensor(std::to_string(m), "f32");
  auto generic = [&](const std::string &name, const std::string &ins,
                     const std::string &types, const std::string &maps,
                     const std::string &out, const std::string &type,
                     const std::string &kinds, const std::string &body) {
    return "  " + name + " = linalg.generic {indexing_maps = [" + maps +
           "], iterator_types = [\"parallel\", \"" + kinds + "\"]} ins(" + ins +
           " : " + types + ") outs(" + out + " : " + type + ") {\n  ^bb0(" +
           body + "    linalg.yield %r : f32\n  } -> " + type + "\n";
  };
  return "#id = affine_map<(i, j) -> (i, j)>\n#row = affine_map<(i, j) -> (i)>"
         "\nfunc.func @f(%x: " +
         in + ") -> " + in +
         " {\n  %inf = arith.constant 0xFF800000 : f32\n"
         "  %zero = arith.constant 0.0 : f32\n  %e = tensor.empty() : " +
         in + "\n  %h = tensor.empty() : " + row +
         "\n  %l = linalg.fill ins(%inf : f32) outs(%h : " + row + ") -> " +
         row + "\n  %z = linalg.fill ins(%zero : f32) outs(%h : " + row +
         ") -> " + row + "\n" +
         generic("%top", "%x", in, "#id, #row", "%l", row, "reduction",
                 "%a: f32, %o: f32):\n    %j = linalg.index 1 : index\n" +
                     sees +
                     "    %b = arith.select %see, %a, %inf : f32\n"
                     "    %r = arith.maximumf %o, %b : f32\n") +
         generic("%p", "%x, %top", in + ", " + row, "#id, #row, #id", "%e", in,
                 "parallel",
                 "%a: f32, %t: f32, %o: f32):\n"
                 "    %d = arith.subf %a, %t : f32\n"
                 "    %r = math.exp %d : f32\n") +
         generic("%sum", "%p", in, "#id, #row", "%z", row, "reduction",
                 "%a: f32, %o: f32):\n    %r = arith.addf %o, %a : f32\n") +
         generic("%y", "%p, %sum", in + ", " + row, "#id, #row, #id", "%e", in,
                 "parallel",
                 "%a: f32, %t: f32, %o: f32):\n"
                 "    %r = arith.divf %a, %t : f32\n") +
         "  return %y : " + in + "\n}\n";
}
} // namespace

TEST_F(InputSetsTest, RequantizationIsCheckedNextToItsBorders) {
  for (auto [size, scale] :
       {std::pair(40, "0.25"), {40, "1.52587890625E-5"}, {3000, "0.001953125"}})
    rejects(elementwise(size, {"i32"}, "i8", requantize("%a", scale)),
            requantizationFaults(scale, true));
  // Faults that a single element can show.
  Faults faults = requantizationFaults("0.02", false);
  faults.resize(4);
  rejects(elementwise(1, {"i32"}, "i8", requantize("%a", "0.02")), faults);
  rejects(elementwise(500, {"i32"}, "i8", requantize("%a", "0.0123")),
          requantizationFaults("0.0123", false));
}

TEST_F(InputSetsTest, SumsOfProductsReachTheBordersOfTheirRequantization) {
  for (auto [m, n, k, scale] : {std::tuple(33, 17, 300, "0.0009765625"),
                                {64, 3, 27, "0.0009765625"},
                                {1, 64, 128, "0.0078125"}})
    rejects(product(m, n, k, requantize("%v", scale)),
            requantizationFaults(scale, true));
}

TEST_F(InputSetsTest, FixedPointIsCheckedAtItsTies) {
  std::string body = "    %w = arith.extsi %a : i32 to i64\n"
                     "    %k = arith.constant 1518500250 : i64\n"
                     "    %h = arith.constant 17179869184 : i64\n"
                     "    %s = arith.constant 35 : i64\n"
                     "    %m = arith.muli %w, %k : i64\n"
                     "    %n = arith.addi %m, %h : i64\n"
                     "    %q = arith.shrsi %n, %s : i64\n"
                     "    %lo = arith.constant -128 : i64\n"
                     "    %hi = arith.constant 127 : i64\n"
                     "    %c = arith.maxsi %q, %lo : i64\n"
                     "    %d = arith.minsi %c, %hi : i64\n"
                     "    %r = arith.trunci %d : i64 to i8\n";
  rejects(elementwise(400, {"i32"}, "i8", body),
          {{"arith.addi %m, %h", "arith.addi %m, %s"},
           {"constant 35", "constant 34"},
           {"constant 1518500250", "constant 1530000000"},
           {"constant 127", "constant 126"},
           {"arith.muli %w, %k : i64",
            "arith.muli %w, %w : i64\n    %t32 = arith.constant 0 : i64"},
           {"%q = arith.shrsi %n, %s", "%q = arith.shrui %n, %s"}});
}

TEST_F(InputSetsTest, RoundingFloatsIsCheckedAtTies) {
  std::string body = "    %k = arith.constant 16.0 : f32\n"
                     "    %lo = arith.constant -128.0 : f32\n"
                     "    %hi = arith.constant 127.0 : f32\n"
                     "    %m = arith.mulf %a, %k : f32\n"
                     "    %n = math.roundeven %m : f32\n"
                     "    %c = arith.maximumf %n, %lo : f32\n"
                     "    %d = arith.minimumf %c, %hi : f32\n"
                     "    %r = arith.fptosi %d : f32 to i8\n";
  for (int64_t size : {60, 1000})
    rejects(elementwise(size, {"f32"}, "i8", body),
            {{"math.roundeven", "math.round"},
             {"math.roundeven", "math.floor"},
             {"constant 127.0", "constant 126.0"},
             {"constant -128.0", "constant -127.0"}});
}

TEST_F(InputSetsTest, ClampsOfRealsHaveElementsOnBothSides) {
  std::string body = "    %lo = arith.constant -0.375 : f32\n"
                     "    %hi = arith.constant 1000.5 : f32\n"
                     "    %c = arith.maximumf %a, %lo : f32\n"
                     "    %r = arith.minimumf %c, %hi : f32\n";
  rejects(elementwise(50, {"f32"}, "f32", body),
          {{"1000.5", "1000.4"}, {"-0.375", "-0.376"}, {"-0.375", "-0.374"}});
}

TEST_F(InputSetsTest, WideIntegersHaveAHighHalf) {
  std::string narrow = "arith.trunci %a : i64 to i32\n"
                       "    %a2 = arith.extsi %a1 : i32 to i64\n";
  for (int64_t size : {9, 200})
    for (const char *op : {"addi", "muli", "maxsi", "xori"}) {
      std::string line = "%r = arith." + std::string(op) + " ";
      rejects(elementwise(size, {"i64", "i64"}, "i64",
                          "    " + line + "%a, %b : i64\n"),
              {{line + "%a", "%a1 = " + narrow + "    " + line + "%a2"}});
    }
  for (const char *how : {"eq", "slt", "ult"}) {
    std::string line = "%r = arith.cmpi " + std::string(how) + ", ";
    rejects(elementwise(200, {"i64", "i64"}, "i1",
                        "    " + line + "%a, %b : i64\n"),
            {{line + "%a, %b : i64",
              "%a1 = arith.trunci %a : i64 to i32\n"
              "    %b1 = arith.trunci %b : i64 to i32\n    " +
                  line + "%a1, %b1 : i32"}});
  }
  rejects(
      reduction(5, 40, true, "i64", "0", "    %r = arith.addi %o, %a : i64\n"),
      {{"%r = arith.addi %o, %a",
        "%a1 = " + narrow + "    %r = arith.addi %o, %a2"}});
}

TEST_F(InputSetsTest, RowsOfMinusInfinityShowTheStartOfAMaximum) {
  std::string body = "    %r = arith.maximumf %o, %a : f32\n";
  for (bool rows : {true, false})
    for (auto [m, n] : {std::pair(1, 5), {7, 3}, {40, 300}})
      rejects(reduction(m, n, rows, "f32", "0xFF800000", body),
              {{"0xFF800000", "0xFF7FFFFF"},
               {"0xFF800000", "-1.0e+30"},
               {"arith.maximumf", "arith.maxnumf"}});
  rejects(reduction(3, 9, true, "f32", "0x7F800000",
                    "    %r = arith.minimumf %o, %a : f32\n"),
          {{"0x7F800000", "0x7F7FFFFF"}});
}

TEST_F(InputSetsTest, SelectionsMeetNaNInSmallTensors) {
  std::string body = "    %g1 = arith.cmpf ogt, %o, %a : f32\n"
                     "    %r = arith.select %g1, %o, %a : f32\n";
  for (auto [m, n] : {std::pair(1, 6), {4, 8}, {16, 33}})
    rejects(reduction(m, n, true, "f32", "0xFF800000", body),
            {{"cmpf ogt, %o, %a", "cmpf ugt, %o, %a"},
             {"%r = arith.select %g1, %o, %a", "%r = arith.maximumf %o, %a"},
             {"%r = arith.select %g1, %o, %a", "%r = arith.maxnumf %o, %a"}});
}

TEST_F(InputSetsTest, EveryPlaceOfASoftmaxDominates) {
  for (auto [m, n] : {std::pair(1, 100), {3, 1000}, {64, 100}, {2, 4000}}) {
    std::string all = "    %see = arith.constant true\n";
    auto without = [&](int64_t column) {
      return std::pair(all, "    %k = arith.constant " +
                                std::to_string(column) +
                                " : index\n    %see = arith.cmpi ne, %j, %k "
                                ": index\n");
    };
    Faults faults{without(n - 1), without(0)};
    if (m == 64)
      for (int64_t column : {31, 50, 63, 77})
        faults.push_back(without(column));
    rejects(softmax(m, n, all), faults);
  }
}

// A softmax is the same for every shift that does not overflow or underflow.
TEST_F(InputSetsTest, SoftmaxesShowAFiniteStartOfTheMaximum) {
  for (auto [m, n] : {std::pair(1, 65536), {3, 1000}})
    for (const char *start : {"1.0", "0.0", "-100.0", "-10000.0"})
      rejects(softmax(m, n, "    %see = arith.constant true\n"),
              {{"%inf = arith.constant 0xFF800000",
                "%inf = arith.constant " + std::string(start)}});
}

// Also in one of several unrolled copies of the comparison.
TEST_F(InputSetsTest, EveryElementIsComparedWithNaN) {
  std::string body = "    %i = linalg.index 0 : index\n"
                     "    %c = arith.cmpf olt, %a, %b : f32\n"
                     "    %r = arith.select %c, %a, %b : f32\n";
  Faults faults;
  for (int at : {0, 1, 7, 30, 38, 39})
    faults.emplace_back("%c = arith.cmpf olt, %a, %b : f32",
                        "%ci = arith.constant " + std::to_string(at) +
                            " : index\n"
                            "    %here = arith.cmpi eq, %i, %ci : index\n"
                            "    %c0 = arith.cmpf olt, %a, %b : f32\n"
                            "    %c1 = arith.cmpf ult, %a, %b : f32\n"
                            "    %c = arith.select %here, %c1, %c0 : i1");
  rejects(elementwise(40, {"f32", "f32"}, "f32", body), faults);
}

// One operand of a product is not rounded, which seldom decides the comparison.
TEST_F(InputSetsTest, FewElementsMeetRareRoundings) {
  std::string body = "    %s = arith.addf %a, %b : bf16\n"
                     "    %q = arith.mulf %s, %s : bf16\n"
                     "    %c = arith.cmpf ogt, %q, %b : bf16\n"
                     "    %r = arith.select %c, %q, %s : bf16\n",
              wide = "%wa = arith.extf %a : bf16 to f32\n"
                     "    %wb = arith.extf %b : bf16 to f32\n"
                     "    %w = arith.addf %wa, %wb : f32\n"
                     "    %ws = arith.extf %s : bf16 to f32\n"
                     "    %wq = arith.mulf %ws, %w : f32\n"
                     "    %q = arith.truncf %wq : f32 to bf16";
  for (int64_t size : {1, 2})
    rejects(elementwise(size, {"bf16", "bf16"}, "bf16", body),
            {{"%q = arith.mulf %s, %s : bf16", wide}});
}

// One copy of an unrolled loop does not round a square to f16. The square root
// hides most of the differences.
TEST_F(InputSetsTest, FewElementsOfHalvesMeetRareRoundings) {
  std::string body = "    %q = arith.mulf %a, %a : f16\n"
                     "    %k = arith.constant 0.25 : f16\n"
                     "    %s = arith.addf %q, %k : f16\n"
                     "    %r = math.sqrt %s : f16\n",
              wide = "    %i = linalg.index 0 : index\n"
                     "    %c8 = arith.constant 8 : index\n"
                     "    %here = arith.cmpi ult, %i, %c8 : index\n"
                     "    %wa = arith.extf %a : f16 to f32\n"
                     "    %wq = arith.mulf %wa, %wa : f32\n"
                     "    %wk = arith.extf %k : f16 to f32\n"
                     "    %ws = arith.addf %wq, %wk : f32\n"
                     "    %once = arith.truncf %ws : f32 to f16\n"
                     "    %twice = arith.addf %q, %k : f16\n"
                     "    %s = arith.select %here, %once, %twice : f16";
  rejects(elementwise(1285, {"f16"}, "f16", body),
          {{"    %s = arith.addf %q, %k : f16", wide}});
}

// x - floor(x) is exact except for small negative x.
TEST_F(InputSetsTest, FewElementsMeetSmallDifferences) {
  std::string body = "    %k = arith.constant 5.0 : f16\n"
                     "    %q = arith.mulf %a, %k : f16\n"
                     "    %f = math.floor %q : f16\n"
                     "    %s = arith.subf %q, %f : f16\n"
                     "    %r = arith.mulf %s, %b : f16\n",
              wide = "    %i = linalg.index 0 : index\n"
                     "    %c8 = arith.constant 8 : index\n"
                     "    %here = arith.cmpi ult, %i, %c8 : index\n"
                     "    %wq = arith.extf %q : f16 to f32\n"
                     "    %wf = arith.extf %f : f16 to f32\n"
                     "    %ws = arith.subf %wq, %wf : f32\n"
                     "    %wb = arith.extf %b : f16 to f32\n"
                     "    %wr = arith.mulf %ws, %wb : f32\n"
                     "    %once = arith.truncf %wr : f32 to f16\n"
                     "    %twice = arith.mulf %s, %b : f16\n"
                     "    %r = arith.select %here, %once, %twice : f16";
  rejects(elementwise(221, {"f16", "f16"}, "f16", body),
          {{"    %r = arith.mulf %s, %b : f16", wide}});
}

TEST_F(InputSetsTest, MasksLeaveNothingOfSomeRows) {
  // Masked elements count as -inf; a row of these alone gives another number.
  for (auto [m, n] : {std::pair(1, 40), {5, 300}}) {
    std::string row = tensor(std::to_string(m), "f32"),
                in = tensor(std::to_string(m) + "x" + std::to_string(n), "f32"),
                mask =
                    tensor(std::to_string(m) + "x" + std::to_string(n), "i1");
    std::string text =
        "#id = affine_map<(i, j) -> (i, j)>\n#row = affine_map<(i, j) -> (i)>\n"
        "func.func @f(%x: " +
        in + ", %m: " + mask + ") -> " + row +
        " {\n  %inf = arith.constant 0xFF800000 : f32\n"
        "  %e = tensor.empty() : " +
        row + "\n  %g = linalg.fill ins(%inf : f32) outs(%e : " + row +
        ") -> " + row +
        "\n  %y = linalg.generic {indexing_maps = [#id, #id, #row], "
        "iterator_types = [\"parallel\", \"reduction\"]} ins(%x, %m : " +
        in + ", " + mask + ") outs(%g : " + row +
        ") {\n  ^bb0(%a: f32, %b: i1, %o: f32):\n"
        "    %k = arith.constant 0xFF800000 : f32\n"
        "    %s = arith.select %b, %a, %k : f32\n"
        "    %r = arith.maximumf %o, %s : f32\n    linalg.yield %r : f32\n"
        "  } -> " +
        row + "\n  return %y : " + row + "\n}\n";
    rejects(text,
            {{"%k = arith.constant 0xFF800000", "%k = arith.constant -1.0e9"},
             {"%s = arith.select %b, %a, %k", "%s = arith.select %b, %a, %a"}});
  }
}

TEST_F(InputSetsTest, BoxesFollowReductionsAndWindows) {
  auto task = parse(R"(
func.func @f(%x: tensor<2x3x20x20xf32>, %k: tensor<4x3x3x3xf32>,
             %b: tensor<4xf32>) -> tensor<2x4x18x18xf32> {
  %e = tensor.empty() : tensor<2x4x18x18xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>)
      outs(%e : tensor<2x4x18x18xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw
      ins(%x, %k : tensor<2x3x20x20xf32>, tensor<4x3x3x3xf32>)
      outs(%i : tensor<2x4x18x18xf32>) -> tensor<2x4x18x18xf32>
  return %y : tensor<2x4x18x18xf32>
})");
  ASSERT_TRUE(task);
  std::vector<ArgumentBoxes> boxes = argumentBoxes(*task);
  ASSERT_EQ(boxes.size(), 3u);
  // Windows of 3 in boxes of 6: 4 along each side of 20.
  EXPECT_EQ(boxes[0].length(), 3 * 6 * 6);
  EXPECT_EQ(boxes[0].count(), 2 * 4 * 4);
  EXPECT_EQ(boxes[1].length(), 27);
  EXPECT_EQ(boxes[1].count(), 4);
  EXPECT_FALSE(boxes[2].reduced());
  EXPECT_EQ(boxes[2].count(), 4);
  // Every element is in exactly one box.
  std::vector<int> seen(2 * 3 * 20 * 20, 0);
  llvm::SmallVector<int64_t> places;
  for (int64_t box = 0; box < boxes[0].count(); ++box) {
    boxes[0].elements(box, places);
    for (int64_t place : places)
      ++seen[place];
  }
  EXPECT_TRUE(llvm::all_of(seen, [](int count) { return count == 1; }));
}
