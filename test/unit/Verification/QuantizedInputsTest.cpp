//===- QuantizedInputsTest.cpp - inputs detect wrong requantizations ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InputSetsTest.h"

using namespace pruner;

/// A product of rows x depth and depth x columns elements of i8 plus a bias,
/// requantized. `term` computes %m from %a and %b, `clamp` computes %r from %x.
static std::string biasedProduct(int64_t rows, int64_t depth, int64_t columns,
                                 const std::string &term,
                                 const std::string &clamp) {
  auto shape = [](int64_t a, int64_t b) {
    return std::to_string(a) + "x" + std::to_string(b);
  };
  std::string l = tensor(shape(rows, depth), "i8"),
              w = tensor(shape(depth, columns), "i8"),
              bias = tensor(std::to_string(columns), "i32"),
              sum = tensor(shape(rows, columns), "i32"),
              out = tensor(shape(rows, columns), "i8");
  return R"(
#l = affine_map<(i, j, k) -> (i, k)>
#r = affine_map<(i, j, k) -> (k, j)>
#o = affine_map<(i, j, k) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @f(%l: )" +
         l + ", %w: " + w + ", %bias: " + bias + ") -> " + out +
         " {\n  %e = tensor.empty() : " + sum + R"(
  %zero = arith.constant 0 : i32
  %init = linalg.fill ins(%zero : i32) outs(%e : )" +
         sum + ") -> " + sum + R"(
  %sums = linalg.generic {indexing_maps = [#l, #r, #o],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%l, %w : )" +
         l + ", " + w + ") outs(%init : " + sum + R"() {
  ^bb0(%a: i8, %b: i8, %acc: i32):
)" + term +
         R"(    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> )" +
         sum + "\n  %out = tensor.empty() : " + out + R"(
  %q = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : )" +
         sum + ", " + bias + ") outs(%out : " + out + R"() {
  ^bb0(%a: i32, %b: i32, %old: i8):
    %x = arith.addi %a, %b : i32
)" + clamp +
         "    linalg.yield %r : i8\n  } -> " + out + "\n  return %q : " + out +
         "\n}\n";
}

static const char *const bytesProduct = R"(    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %m = arith.muli %x, %y : i32
)";

// A fault at any single weight of a small quantized product shows, although the
// full range of the bias saturates most results: some sets have a narrow bias
// and weights of the full range.
TEST_F(InputSetsTest, EverySingleWeightOfAQuantizedProductCounts) {
  Faults faults;
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 3; ++column)
      faults.emplace_back(bytesProduct, R"(    %x = arith.extsi %a : i8 to i32
    %ik = linalg.index 2 : index
    %ij = linalg.index 1 : index
    %ck = arith.constant )" + std::to_string(row) +
                                            R"( : index
    %cj = arith.constant )" + std::to_string(column) +
                                            R"( : index
    %ek = arith.cmpi eq, %ik, %ck : index
    %ej = arith.cmpi eq, %ij, %cj : index
    %here = arith.andi %ek, %ej : i1
    %ys = arith.extsi %b : i8 to i32
    %yu = arith.extui %b : i8 to i32
    %y = arith.select %here, %yu, %ys : i32
    %m = arith.muli %x, %y : i32
)");
  rejects(
      biasedProduct(64, 8, 3, bytesProduct, requantize("%x", "2.79083935e-03")),
      faults);
}

/// Faults that omit a clamp of `requantize` in one column.
static Faults unclampedColumns(int columns) {
  Faults faults;
  for (int column = 0; column < columns; ++column)
    for (const std::string end :
         {"%c = arith.maxsi %p, %lo", "%d = arith.minsi %c, %hi"})
      faults.emplace_back(
          end, "%j = linalg.index 1 : index\n"
               "    %cj = arith.constant " +
                   std::to_string(column) +
                   " : index\n    %here = arith.cmpi eq, %j, "
                   "%cj : index\n    %kept" +
                   end.substr(2) + " : i32\n    " + end.substr(0, 2) +
                   " = arith.select %here, " + end.substr(17, 2) + ", %kept");
  return faults;
}

// Every single result saturates at both ends, even in a task that is too large
// for many sets: one set has the opposite biases of another one.
TEST_F(InputSetsTest, EveryResultSaturatesAtBothEnds) {
  rejects(biasedProduct(2, 100000, 6, bytesProduct, requantize("%x", "0.0001")),
          unclampedColumns(6));
}

// Without a bias all terms of a sum have the same sign.
TEST_F(InputSetsTest, EveryShortSumOfProductsSaturatesAtBothEnds) {
  rejects(product(1, 40, 7, requantize("%v", "0.0036")), unclampedColumns(40));
}

// One of many sums in a single row loses its high half.
TEST_F(InputSetsTest, EveryWideSumOfASingleRowCounts) {
  std::string sum = "    %r = arith.addi %o, %a : i64\n";
  Faults faults;
  for (int column : {77, 32768, 65535})
    faults.emplace_back(sum, R"(    %j = linalg.index 1 : index
    %cj = arith.constant )" + std::to_string(column) +
                                 R"( : index
    %here = arith.cmpi eq, %j, %cj : index
    %low = arith.trunci %o : i64 to i32
    %cut = arith.extui %low : i32 to i64
    %before = arith.select %here, %cut, %o : i64
    %r = arith.addi %before, %a : i64
)");
  rejects(reduction(1, 65536, true, "i64", "0", sum), faults);
}
