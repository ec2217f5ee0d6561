//===- MaskedInputsTest.cpp - rows whose last columns are masked ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention whose programs may leave out masked columns. The sets of this
// pattern alone must show that a program leaves out too many, or that it leaves
// them out in spite of values that are not finite.

#include "MaskedInputs.h"
#include "InputSetsTest.h"

using namespace pruner;

namespace {
constexpr int64_t rows = 40, keys = 40;

/// The mask is added (an argument of floats), selects (of bits), or is computed
/// from positions.
enum class Mask { Added, Selecting, Positions };

std::string attention(Mask mask) {
  std::string type = mask == Mask::Added       ? "tensor<40x40xf32>"
                     : mask == Mask::Selecting ? "tensor<40x40xi1>"
                                               : "tensor<40xi64>";
  std::string text = R"(
#q = affine_map<(i, j, k) -> (i, k)>
#k = affine_map<(i, j, k) -> (j, k)>
#s = affine_map<(i, j, k) -> (i, j)>
#v = affine_map<(i, j, k) -> (k, j)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @f(%q: tensor<40x8xf32>, %k: tensor<40x8xf32>, %m: MASK, %v: tensor<40x8xf32>) -> tensor<40x8xf32> {
  %inf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i64
  %e = tensor.empty() : tensor<40x40xf32>
  %h = tensor.empty() : tensor<40xf32>
  %o = tensor.empty() : tensor<40x8xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%e : tensor<40x40xf32>) -> tensor<40x40xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<40x8xf32>, tensor<40x8xf32>) outs(%s0 : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<40x40xf32>
  %x = HIDE
  %m0 = linalg.fill ins(%inf : f32) outs(%h : tensor<40xf32>) -> tensor<40xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<40x40xf32>) outs(%m0 : tensor<40xf32>) {
  ^bb0(%a: f32, %c: f32):
    %r = arith.maximumf %c, %a : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %most : tensor<40x40xf32>, tensor<40xf32>) outs(%e : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<40x40xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%h : tensor<40xf32>) -> tensor<40xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<40x40xf32>) outs(%l0 : tensor<40xf32>) {
  ^bb0(%a: f32, %c: f32):
    %r = arith.addf %c, %a : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %w = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %l : tensor<40x40xf32>, tensor<40xf32>) outs(%e : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<40x40xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%o : tensor<40x8xf32>) -> tensor<40x8xf32>
  %y = linalg.generic {indexing_maps = [#q, #v, #s], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %v : tensor<40x40xf32>, tensor<40x8xf32>) outs(%y0 : tensor<40x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p2 = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p2 : f32
    linalg.yield %r : f32
  } -> tensor<40x8xf32>
  return %y : tensor<40x8xf32>
}
)";
  std::string hide =
      mask == Mask::Positions
          ? R"(linalg.generic {indexing_maps = [#id, #column, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m, %m : tensor<40x40xf32>, MASK, MASK) outs(%e : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: i64, %c: i64, %d: f32):
    %see = arith.cmpi sle, %b, %c : i64
    %r = arith.select %see, %a, %inf : f32
    linalg.yield %r : f32
  } -> tensor<40x40xf32>)"
          : R"(linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<40x40xf32>, MASK) outs(%e : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: BIT, %d: f32):
    %r = APPLY
    linalg.yield %r : f32
  } -> tensor<40x40xf32>)";
  auto replace = [](std::string in, const std::string &from,
                    const std::string &to) {
    for (size_t at = 0; (at = in.find(from, at)) != std::string::npos;
         at += to.size())
      in.replace(at, from.size(), to);
    return in;
  };
  text = replace(text, "HIDE", hide);
  text = replace(text, "BIT", mask == Mask::Added ? "f32" : "i1");
  text = replace(text, "APPLY",
                 mask == Mask::Added ? "arith.addf %a, %b : f32"
                                     : "arith.select %b, %a, %inf : f32");
  return replace(text, "MASK", type);
}

class MaskedInputsTest : public InputSetsTest {
protected:
  /// Whether the masked sets accept `candidate` as a program for `text`.
  bool accepts(const std::string &text, const std::string &candidate) {
    auto task = parse(text);
    if (!task)
      return false;
    std::vector<Reference> references;
    references.push_back(llvm::cantFail(makeReference(*task, text, 5, "")));
    auto &sets = references[0].sets;
    llvm::erase_if(sets, [](const ReferenceSet &set) {
      return set.pattern != InputPattern::Masked;
    });
    EXPECT_EQ(sets.size(), 4u);
    return check(*task, references, candidate)[0].empty();
  }
};

TEST_F(MaskedInputsTest, FindTooFewColumns) {
  for (Mask mask : {Mask::Added, Mask::Selecting, Mask::Positions}) {
    std::string text = attention(mask);
    EXPECT_TRUE(accepts(text, text));
    // The last column that the first 16 rows need is left out.
    EXPECT_FALSE(accepts(
        text,
        changed(text, "%d = arith.subf %a, %b : f32",
                "%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n"
                "%c8 = arith.constant 8 : index\n"
                "%i8 = arith.remui %i, %c8 : index\n"
                "%end = arith.subi %i, %i8 : index\n"
                "%late = arith.cmpi sgt, %j, %end : index\n"
                "%a0 = arith.select %late, %inf, %a : f32\n"
                "%d = arith.subf %a0, %b : f32")));
  }
}

TEST_F(MaskedInputsTest, FindValuesThatAreIgnored) {
  std::string text = attention(Mask::Added);
  EXPECT_FALSE(
      accepts(text, changed(text, "%p2 = arith.mulf %a, %b : f32",
                            "%n = arith.cmpf oeq, %a, %zero : f32\n"
                            "%p1 = arith.mulf %a, %b : f32\n"
                            "%p2 = arith.select %n, %zero, %p1 : f32")));
}

TEST_F(MaskedInputsTest, AreOnlyForMasks) {
  for (Mask mask : {Mask::Added, Mask::Selecting, Mask::Positions}) {
    auto task = parse(attention(mask));
    ASSERT_TRUE(task);
    EXPECT_EQ(maskArguments(*task),
              (std::vector<bool>{false, false, true, false}));
  }
  // A single reduction has no rows of scores.
  auto task = parse(R"(
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%1, %c : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
)");
  ASSERT_TRUE(task);
  EXPECT_EQ(maskArguments(*task), std::vector<bool>(3, false));
}

TEST_F(MaskedInputsTest, MaskTheLastElements) {
  TensorSpec spec{{rows, keys}, ElementType::F32};
  std::vector<float> data(rows * keys, 1);
  ElementStream random(3);
  fillMasked(data.data(), spec, ArgumentBoxes(spec.shape, {1, keys}), 0,
             random);
  int64_t masked = 0;
  for (int64_t row = 0; row < rows; ++row) {
    bool ended = false;
    for (int64_t key = 0; key < keys; ++key) {
      float value = data[row * keys + key];
      EXPECT_FALSE(ended && value == 1) << row << ", " << key;
      ended |= value != 1;
      masked += ended;
    }
  }
  EXPECT_GT(masked, rows * keys / 4);
  EXPECT_LT(masked, rows * keys * 3 / 4);
}

TEST_F(MaskedInputsTest, AreTimedWithPositions) {
  std::string text = attention(Mask::Positions);
  auto task = parse(text);
  ASSERT_TRUE(task);
  Reference reference = llvm::cantFail(makeReference(*task, text, 5, ""));
  const auto *positions =
      reinterpret_cast<const int64_t *>(reference.timedInputs()[2].data());
  for (int64_t n = 0; n < keys; ++n)
    EXPECT_EQ(positions[n], n);
}
} // namespace
