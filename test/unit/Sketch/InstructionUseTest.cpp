//===- InstructionUseTest.cpp ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskFixtures.h"

#include "pruner/Program/WarpInstruction.h"
#include "pruner/Sketch/BuildProgram.h"

#include "gtest/gtest.h"

using namespace pruner;
using namespace pruner::test;

using Shape = llvm::SmallVector<int64_t, 4>;

/// A product of bytes with these signs, or of bf16.
static TaskDesc product(int64_t m, int64_t n, int64_t k, bool aSigned,
                        bool bSigned, ElementType type = ElementType::I8) {
  TaskDesc task = matmul(m, n, k, false, false, /*batch=*/0, type);
  task.tensors[2].type =
      type == ElementType::BF16 ? ElementType::F32 : ElementType::I32;
  task.statements[0].product = {aSigned, bSigned};
  return task;
}

static std::optional<InstructionUse> use(const char *name, const TaskDesc &task,
                                         unsigned vectorDim = 1) {
  return useOf(*findMatrixInstruction(name), task, vectorDim);
}

TEST(InstructionUse, NamesAreDistinct) {
  for (const MatrixInstruction *instruction : allMatrixInstructions()) {
    EXPECT_EQ(findMatrixInstruction(instruction->name), instruction);
    EXPECT_EQ(instruction->sums % instruction->group, 0);
    // A lane of factors is as wide as one of c, and on GPUs a register.
    EXPECT_EQ(instruction->group * byteWidth(instruction->factorType),
              WarpInstruction::of(instruction)
                  ? 4
                  : byteWidth(instruction->accumulators));
  }
  EXPECT_EQ(findMatrixInstruction("vpdpbusds"), nullptr);
}

TEST(InstructionUse, SignsDecideTheFactors) {
  auto factors = [](const char *name, bool aSigned, bool bSigned) {
    auto found = findMatrixInstruction(name)->factorsOf(aSigned, bSigned);
    return !found           ? "none"
           : found->shiftsA ? "shifts a"
           : found->bFirst  ? "b first"
                            : "a first";
  };
  EXPECT_STREQ(factors("vpdpbusd", false, true), "a first");
  EXPECT_STREQ(factors("vpdpbusd", true, false), "b first");
  EXPECT_STREQ(factors("vpdpbusd", true, true), "shifts a");
  EXPECT_STREQ(factors("vpdpbusd", false, false), "none");
  EXPECT_STREQ(factors("vpdpwssd", true, true), "b first");
  EXPECT_STREQ(factors("vdpbf16ps", true, true), "b first");
  // Tiles have an instruction for each pair of signs.
  EXPECT_STREQ(factors("tdpbssd", true, true), "a first");
  EXPECT_STREQ(factors("tdpbssd", true, false), "none");
  EXPECT_STREQ(factors("tdpbsud", true, false), "a first");
  EXPECT_STREQ(factors("tdpbusd", false, true), "a first");
  EXPECT_STREQ(factors("tdpbuud", false, false), "a first");
  EXPECT_STREQ(factors("vpdpbssd", true, true), "b first");
  EXPECT_STREQ(factors("vpdpbsud", true, false), "a first");
  EXPECT_STREQ(factors("vpdpbsud", false, true), "b first");
  EXPECT_STREQ(factors("vpdpbuud", false, false), "b first");
  EXPECT_STREQ(factors("vpdpbuud", true, false), "none");
  EXPECT_STREQ(factors("vpmaddwd", true, true), "b first");
  // Bytes are extended by their own signs.
  for (bool aSigned : {false, true})
    for (bool bSigned : {false, true})
      EXPECT_STREQ(
          findMatrixInstruction("vpmaddwd_bytes")->factorsOf(aSigned, bSigned)
              ? "any"
              : "none",
          "any");
}

TEST(InstructionUse, OperandsFollowVectors) {
  TaskDesc task = product(64, 64, 128, true, true);
  auto columns = use("vpdpbusd", task);
  ASSERT_TRUE(columns);
  EXPECT_EQ(columns->aInput, 0u);
  EXPECT_EQ(columns->bInput, 1u);
  EXPECT_EQ(columns->sumDim, 2u);
  EXPECT_EQ(columns->sums, 4);
  EXPECT_TRUE(columns->shiftsA);
  auto rows = use("vpdpbusd", task, /*vectorDim=*/0);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->bInput, 0u);
  // Vectors along the sum, another type, and no product.
  EXPECT_FALSE(use("vpdpbusd", task, /*vectorDim=*/2));
  EXPECT_FALSE(use("vdpbf16ps", task));
  EXPECT_TRUE(
      use("vdpbf16ps", product(8, 8, 8, true, true, ElementType::BF16)));
  task.statements[0].product.reset();
  EXPECT_FALSE(use("vpdpbusd", task));
}

TEST(InstructionUse, FewSumsCoverExtents) {
  auto text = [](int64_t m, int64_t k) {
    auto found = use("tdpbssd", product(m, 64, k, true, true));
    return found ? std::to_string(found->rows) + " x " +
                       std::to_string(found->sums) +
                       (found->reachesBehind ? " behind" : "")
                 : "none";
  };
  EXPECT_EQ(text(64, 128), "16 x 64");
  EXPECT_EQ(text(64, 96), "16 x 48");
  EXPECT_EQ(text(64, 20), "16 x 20");
  EXPECT_EQ(text(64, 126), "16 x 64 behind");
  EXPECT_EQ(text(64, 3), "16 x 4 behind");
  EXPECT_EQ(text(64, 100), "16 x 52 behind"); // Not five times 20.
  // 56 rows are four tiles of 14, 49 are four of 13.
  EXPECT_EQ(text(56, 64), "14 x 64");
  EXPECT_EQ(text(49, 64), "13 x 64");
  EXPECT_EQ(text(5, 64), "5 x 64");
  EXPECT_EQ(text(1, 64), "none"); // A single row gains nothing.
}

/// A convolution of an image of bytes or bf16 of 32 x 32 pixels, of which each
/// row has its channels of a pixel side by side or apart.
static TaskDesc convolution(int64_t channels, int64_t kernel, bool last,
                            ElementType type = ElementType::I8) {
  // Filters f, rows y, columns x, channels c, window rows i, window columns j.
  auto expr = [](std::initializer_list<std::pair<unsigned, int64_t>> terms) {
    LinearExpr result;
    result.coeffs.assign(6, 0);
    for (auto [dim, coefficient] : terms)
      result.coeffs[dim] = coefficient;
    return result;
  };
  int64_t size = 32, out = size - kernel + 1;
  LinearExpr y = expr({{1, 1}, {4, 1}}), x = expr({{2, 1}, {5, 1}}),
             c = expr({{3, 1}});
  TaskDesc task;
  task.tensors = {
      {"image", {}, type, 0}, {"filter", {}, type, 1}, {"result", {}, type, 2}};
  task.tensors[0].shape =
      last ? Shape{size, size, channels} : Shape{channels, size, size};
  task.tensors[1].shape = {channels, kernel, kernel, 64};
  task.tensors[2].shape = {64, out, out};
  task.tensors[2].type =
      type == ElementType::BF16 ? ElementType::F32 : ElementType::I32;
  StatementDesc conv;
  conv.dims = {{64, false},      {out, false},   {out, false},
               {channels, true}, {kernel, true}, {kernel, true}};
  conv.inputs = {{0, last ? AccessMap{y, x, c} : AccessMap{c, y, x}},
                 {1, {c, expr({{4, 1}}), expr({{5, 1}}), expr({{0, 1}})}}};
  conv.output = {2, {expr({{0, 1}}), expr({{1, 1}}), expr({{2, 1}})}};
  conv.product = {true, true};
  task.statements = {conv};
  task.prologues = {-1, -1};
  return task;
}

TEST(InstructionUse, WindowsAreSumsWhereTheyAreContiguous) {
  auto text = [](const TaskDesc &task, const char *name) {
    auto found = use(name, task, /*vectorDim=*/0);
    return found ? "d" + std::to_string(found->sumDim) + " " +
                       std::to_string(found->sums) +
                       (found->reachesBehind ? " behind" : "")
                 : "none";
  };
  // Rows of the window, seven pixels for eight, take fewer steps than channels,
  // three for four.
  EXPECT_EQ(text(convolution(3, 7, /*last=*/false), "vpdpbusd"), "d5 4 behind");
  EXPECT_EQ(text(convolution(8, 7, /*last=*/false), "vpdpbusd"), "d3 4");
  // Here only channels are contiguous.
  EXPECT_EQ(text(convolution(3, 7, /*last=*/true), "vpdpbusd"), "d3 4 behind");
  // The same for floats, whose copies have zeros after each window.
  ElementType bf16 = ElementType::BF16;
  EXPECT_EQ(text(convolution(3, 7, /*last=*/false, bf16), "vdpbf16ps"),
            "d5 2 behind");
  EXPECT_EQ(text(convolution(3, 8, /*last=*/false, bf16), "vdpbf16ps"), "d5 2");
  // With padding, a column alone is not a coordinate.
  TaskDesc still = convolution(3, 8, /*last=*/false, bf16);
  LinearExpr &column = still.statements[0].inputs[0].map.back();
  column.coeffs[2] = 0;
  column.constant = -1;
  EXPECT_EQ(text(still, "vdpbf16ps"), "d3 2 behind");
  // Windows that move along two dimensions have no such copies.
  TaskDesc skewed = convolution(3, 7, /*last=*/false, bf16);
  skewed.statements[0].inputs[0].map[2].coeffs[1] = 1;
  EXPECT_EQ(text(skewed, "vdpbf16ps"), "d3 2 behind");
  // A filter with padding is not zero beyond its end.
  TaskDesc padded = convolution(3, 7, /*last=*/true);
  padded.statements[0].inputs[1].padded = true;
  EXPECT_EQ(text(padded, "vpdpbusd"), "none");
}

TEST(InstructionUse, StagesWhatCannotBeReadInPlace) {
  auto stages = [](const TaskDesc &task, int64_t number) {
    Schedule s;
    s.instruction = number;
    s.vector = 16;
    s.stages = {StageLevel::None, StageLevel::None};
    stageForInstruction(task, s);
    std::string text;
    for (StageLevel level : s.stages)
      text += level == StageLevel::None ? "-" : "s";
    return text;
  };
  int64_t dot = 0, tile = 0, number = 0;
  for (const MatrixInstruction *each : allMatrixInstructions()) {
    ++number;
    dot = each->name == "vpdpbusd" ? number : dot;
    tile = each->name == "tdpbssd" ? number : tile;
  }
  TaskDesc task = product(64, 64, 128, true, true);
  EXPECT_EQ(stages(task, 0), "--");
  EXPECT_EQ(stages(task, dot), "-s");
  EXPECT_EQ(stages(task, tile), "-s");
  // The last tile of rows would reach beyond a.
  EXPECT_EQ(stages(product(67, 64, 128, true, true), tile), "ss");
  // So would the last sum.
  EXPECT_EQ(stages(product(64, 64, 126, true, true), dot), "ss");
  // a is not contiguous along the sum.
  TaskDesc transposed =
      matmul(64, 64, 128, /*transposeA=*/true, false, 0, ElementType::I8);
  transposed.tensors[2].type = ElementType::I32;
  transposed.statements[0].product = {true, true};
  EXPECT_EQ(stages(transposed, dot), "ss");
  // Positions outside of a have no neighbors in memory.
  TaskDesc padded = task;
  padded.statements[0].inputs[0].padded = true;
  EXPECT_EQ(stages(padded, dot), "ss");
  EXPECT_EQ(stages(padded, 0), "--");
}

TEST(InstructionUse, LayoutsHaveNeighborsInnermost) {
  TaskDesc task = product(64, 64, 128, true, true);
  Schedule s;
  s.tiles = {{1, 1, 32}, {1, 1, 32}, {128}};
  s.stages = {StageLevel::Inner, StageLevel::Inner};
  s.vector = 16;
  s.instruction = 1 + (llvm::find(allMatrixInstructions(),
                                  findMatrixInstruction("tdpbssd")) -
                       allMatrixInstructions().begin());
  auto text = [&](unsigned input) {
    StageLayout layout = stageLayout(task, s, input);
    std::string result;
    for (auto [extent, term] : llvm::zip_equal(layout.shape, layout.layout))
      result += (result.empty() ? "" : ", ") + std::to_string(extent) + " d" +
                std::to_string(term.coord) +
                (term.div > 1 ? "/" + std::to_string(term.div) : "") +
                (term.mod ? "%" + std::to_string(term.mod) : "");
    return result;
  };
  EXPECT_EQ(text(0), "2 d1/64, 32 d0, 64 d1%64");
  EXPECT_EQ(text(1), "32 d0/4, 32 d1, 4 d0%4");
  // An input that does not move along vectors keeps the order of its tensor,
  // whichever of its coordinates are dimensions.
  TaskDesc image = convolution(8, 3, /*last=*/true);
  image.statements[0].inputs[0].map[0].coeffs[4] = 0;
  Schedule ordered;
  ordered.tiles = {{1, 1, 16}, {1, 1, 2}, {1, 1, 5}, {8}, {3}, {3}};
  ordered.stages = {StageLevel::Inner, StageLevel::Inner};
  ordered.vector = 16;
  ordered.vectorDim = 0;
  EXPECT_EQ(stageLayout(image, ordered, 0).shape, (Shape{2, 7, 8}));
  // Copies of windows of floats do not overlap, and have room for a zero.
  TaskDesc windows = convolution(3, 7, /*last=*/false, ElementType::BF16);
  Schedule apart;
  apart.tiles = {{1, 1, 16}, {1, 1, 2}, {1, 1, 16}, {3}, {7}, {8}};
  apart.stages = {StageLevel::Inner, StageLevel::Inner};
  apart.vector = 16;
  apart.vectorDim = 0;
  for (const char *name : {"vdpbf16ps", "tdpbf16ps"}) {
    apart.instruction =
        1 + (llvm::find(allMatrixInstructions(), findMatrixInstruction(name)) -
             allMatrixInstructions().begin());
    StageLayout layout = stageLayout(windows, apart, 0);
    EXPECT_EQ(layout.box, (Shape{3, 8, 16, 8}));
    EXPECT_EQ(layout.elements(), 3 * 8 * 16 * 8);
  }
  // The buffers have room for whole sums.
  task = product(64, 64, 100, true, true);
  s.tiles[2] = {104};
  EXPECT_EQ(text(0), "2 d1/52, 32 d0, 52 d1%52");
  EXPECT_EQ(text(1), "26 d0/4, 32 d1, 4 d0%4");
  // Windows that slide over the sum are contiguous.
  task = convolution(3, 8, /*last=*/false, ElementType::BF16);
  s.tiles = {{1, 1, 64}, {1, 5, 1}, {1, 1, 5}, {3}, {8}, {8}};
  s.vectorDim = 0;
  s.instruction = 1 + (llvm::find(allMatrixInstructions(),
                                  findMatrixInstruction("vdpbf16ps")) -
                       allMatrixInstructions().begin());
  EXPECT_EQ(text(0), "3 d0, 12 d1, 12 d2");
}

static TaskDesc halfProduct(bool transposeA, bool transposeB,
                            int64_t extent = 64) {
  TaskDesc task = matmul(extent, extent, extent, transposeA, transposeB, 0,
                         ElementType::F16);
  task.tensors[2].type = ElementType::F32;
  task.statements[0].product = {true, true};
  return task;
}

TEST(InstructionUse, WarpsLoadChunksOfTheLastCoordinate) {
  for (bool transposeA : {false, true})
    for (bool transposeB : {false, true}) {
      TaskDesc task = halfProduct(transposeA, transposeB);
      auto found = use("mma_m16n8k16_f16", task);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->aInput, 0u);
      EXPECT_EQ(found->rowDim, 0u);
      EXPECT_EQ(found->sumDim, 2u);
      EXPECT_EQ(found->sums, 16);
      EXPECT_EQ(found->unitAlong(2), 16);
      EXPECT_FALSE(found->reachesBehind);
      EXPECT_FALSE(use("mma_m16n8k16_bf16", task));
      // The buffers keep the order of the tensors, with room for the padding.
      Schedule s;
      s.sketch = SketchId::SimtTile;
      s.tiles = {{1, 16, 2, 1}, {1, 4, 2, 2}, {2, 16}};
      s.instruction =
          1 + (llvm::find(allMatrixInstructions(), found->instruction) -
               allMatrixInstructions().begin());
      s.stages = {StageLevel::None, StageLevel::None};
      stageForInstruction(task, s);
      EXPECT_EQ(s.stages[0], StageLevel::Inner);
      EXPECT_EQ(s.stages[1], StageLevel::Inner);
      s.pad = 8;
      StageLayout a = stageLayout(task, s, 0), b = stageLayout(task, s, 1);
      EXPECT_EQ(a.shape[0], 32);
      EXPECT_EQ(a.shape[1], 40);
      EXPECT_EQ(a.layout[1].coord, 1u);
      EXPECT_EQ(b.shape[0], transposeB ? 16 : 32);
      EXPECT_EQ(b.shape[1], transposeB ? 40 : 24);
    }
  // Bytes cannot be transposed by their load, so the sum comes last.
  TaskDesc bytes = product(64, 64, 64, true, false);
  auto found = use("mma_m16n8k32_s8u8", bytes);
  ASSERT_TRUE(found);
  EXPECT_FALSE(use("mma_m16n8k32_s8", bytes));
  Schedule s;
  s.sketch = SketchId::SimtTile;
  s.tiles = {{1, 16, 2, 1}, {1, 4, 2, 2}, {1, 32}};
  s.instruction = 1 + (llvm::find(allMatrixInstructions(), found->instruction) -
                       allMatrixInstructions().begin());
  s.stages = {StageLevel::Inner, StageLevel::Inner};
  StageLayout b = stageLayout(bytes, s, 1);
  EXPECT_EQ(b.layout[0].coord, 1u);
  EXPECT_EQ(b.shape[0], 16);
  EXPECT_EQ(b.shape[1], 32);
  EXPECT_TRUE(
      use("mma_m16n8k8_f16", halfProduct(false, false, 20))->reachesBehind);
  EXPECT_FALSE(use("mma_m16n8k16_f16", product(8, 8, 8, true, true)));
}

TEST(InstructionUse, TensorFloatsAreRoundedByTheTask) {
  TaskDesc task = matmul(64, 64, 64);
  task.statements[0].product = {true, true};
  EXPECT_FALSE(use("mma_m16n8k8_tf32", task));
  task.statements[0].tensorFloats = true;
  auto found = use("mma_m16n8k8_tf32", task);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sums, 8);
  // Lanes load the elements of B, so it keeps the order of the tensor. Its rows
  // are padded by twice as much as those of A.
  Schedule s;
  s.sketch = SketchId::SimtTile;
  s.tiles = {{1, 16, 2, 1}, {1, 4, 2, 2}, {1, 16}};
  s.instruction = 1 + (llvm::find(allMatrixInstructions(), found->instruction) -
                       allMatrixInstructions().begin());
  s.stages = {StageLevel::Inner, StageLevel::Inner};
  s.pad = 4;
  StageLayout a = stageLayout(task, s, 0), b = stageLayout(task, s, 1);
  EXPECT_EQ(a.shape[1], 16 + 4);
  EXPECT_EQ(b.layout[0].coord, 0u);
  EXPECT_EQ(b.shape[0], 16);
  EXPECT_EQ(b.shape[1], 16 + 2 * 4);
}

TEST(InstructionUse, AccumulatorsSelectTheInstruction) {
  TaskDesc task = halfProduct(false, false);
  EXPECT_TRUE(use("mma_m16n8k16_f16", task));
  EXPECT_FALSE(use("mma_m16n8k16_f16_f16", task));
  task.tensors[task.anchorStatement().output.tensor].type = ElementType::F16;
  EXPECT_FALSE(use("mma_m16n8k16_f16", task));
  auto found = use("mma_m16n8k16_f16_f16", task);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sums, 16);
  // Two of the four results of a lane share a register.
  EXPECT_EQ(WarpInstruction::of(found->instruction)->cRegisters(), 2);
}

TEST(InstructionUse, RowsOfWarpsFillProducts) {
  // 7 rows fill less than half of a product, 32 images two.
  TaskDesc task = halfProduct(false, false);
  auto rowDimOf = [&](int64_t batch, int64_t rows) {
    TaskDesc both = task;
    StatementDesc &statement = both.statements[0];
    statement.dims.insert(statement.dims.begin(), IterDim{batch, false});
    for (OperandDesc *operand :
         {&statement.inputs[0], &statement.inputs[1], &statement.output})
      for (LinearExpr &expr : operand->map)
        expr.coeffs.insert(expr.coeffs.begin(), 0);
    statement.dims[1].extent = rows;
    LinearExpr first;
    first.coeffs.assign(4, 0);
    first.coeffs[0] = 1;
    for (OperandDesc *operand : {&statement.inputs[0], &statement.output})
      operand->map.insert(operand->map.begin(), first);
    both.tensors[0].shape = {batch, rows, 64};
    both.tensors[2].shape = {batch, rows, 64};
    return use("mma_m16n8k16_f16", both, 2)->rowDim;
  };
  EXPECT_EQ(rowDimOf(32, 7), 0u);
  EXPECT_EQ(rowDimOf(32, 14), 1u);
  EXPECT_EQ(rowDimOf(32, 56), 1u);
  EXPECT_EQ(rowDimOf(4, 7), 1u);
}
