//===- NormInputsTest.cpp - inputs detect wrong norms of long rows --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InputSetsTest.h"

using namespace pruner;

/// A layer norm of one row of `length` numbers. `mean` computes %t, a term of
/// the mean, from %a, and `square` computes %t from the distance %d.
static std::string layerNorm(int64_t length, const std::string &mean,
                             const std::string &square) {
  const std::string row = tensor("1x" + std::to_string(length), "f32");
  auto sum = [&](const std::string &name, const std::string &body,
                 const std::string &inputs, const std::string &types,
                 const std::string &maps, const std::string &arguments) {
    return "  " + name + " = linalg.generic {indexing_maps = [" + maps +
           R"(], iterator_types = ["parallel", "reduction"]}
      ins()" +
           inputs + " : " + types + R"() outs(%zeros : tensor<1xf32>) {
  ^bb0()" + arguments +
           "%o: f32):\n" + body + R"(    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<1xf32>
)";
  };
  return R"(
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @f(%x: )" +
         row + ") -> " + row + R"( {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant )" +
         std::to_string(length) + R"(.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e1 = tensor.empty() : tensor<1xf32>
  %e = tensor.empty() : )" +
         row + R"(
  %zeros = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1xf32>) -> tensor<1xf32>
)" + sum("%sum", mean, "%x", row, "#id, #row", "%a: f32, ") +
         sum("%squares",
             "    %m = arith.divf %s, %n : f32\n"
             "    %d = arith.subf %a, %m : f32\n" +
                 square,
             "%x, %sum", row + ", tensor<1xf32>", "#id, #row, #row",
             "%a: f32, %s: f32, ") +
         R"(  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : )" +
         row + R"(, tensor<1xf32>, tensor<1xf32>) outs(%e : )" + row + R"() {
  ^bb0(%a: f32, %s: f32, %q: f32, %o: f32):
    %m = arith.divf %s, %n : f32
    %d = arith.subf %a, %m : f32
    %v = arith.divf %q, %n : f32
    %w = arith.addf %v, %eps : f32
    %k = math.rsqrt %w : f32
    %r = arith.mulf %d, %k : f32
    linalg.yield %r : f32
  } -> )" +
         row + "\n  return %y : " + row + "\n}\n";
}

// One of 2048 elements gets a slightly wrong factor, as in one lane of one
// unrolled step. The bound of a sum of 65,536 terms in any order is far larger
// than this fault, so only sums without rounding show it.
TEST_F(InputSetsTest, SmallFaultsInNormsOfLongRowsCount) {
  const std::string mean = "    %t = arith.addf %a, %zero : f32\n";
  const std::string square = "    %t = arith.mulf %d, %d : f32\n";
  auto scaled = [](const std::string &value) {
    return R"(    %j = linalg.index 1 : index
    %step = arith.constant 2048 : index
    %lane = arith.remui %j, %step : index
    %cl = arith.constant 12 : index
    %here = arith.cmpi eq, %lane, %cl : index
    %one = arith.constant 1.0 : f32
    %wrong = arith.constant 1.0078125 : f32
    %f = arith.select %here, %wrong, %one : f32
    %t0 = )" +
           value + R"(
    %t = arith.mulf %t0, %f : f32
)";
  };
  rejects(layerNorm(65536, mean, square),
          {{mean, scaled("arith.addf %a, %zero : f32")},
           {square, scaled("arith.mulf %d, %d : f32")}});
}
