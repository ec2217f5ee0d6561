//===- FactsTest.cpp - the machine code of good schedules -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// Good schedules must give good code: all multiply-adds of a register tile in
// full vectors, loads of operands only, no stack accesses.
//
//===----------------------------------------------------------------------===//

#include "MatmulText.h"

#include "pruner/Builder/Candidate.h"
#include "pruner/Conversion/PrunerToCPU/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Transforms/EmitKernel.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Recognition/TaskFromIR.h"
#include "pruner/Sketch/BuildProgram.h"
#include "pruner/Target/ObjectCode.h"
#include "pruner/Target/ObjectFacts.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace pruner;

namespace {
/// A CPU and its register tile.
struct Target {
  const char *cpu;
  int64_t rows, columns, vector;

  // NOLINTNEXTLINE(llvm-prefer-static-over-anonymous-namespace): a friend.
  friend void PrintTo(const Target &target, std::ostream *os) {
    *os << target.cpu;
  }
};

class CpuFacts : public ::testing::TestWithParam<Target> {
protected:
  CpuFacts() {
    mlir::DialectRegistry registry;
    registerBuilderDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Facts about the matmul under a schedule with register tiles of the CPU,
  /// `blocks` of them in each direction of a cache tile.
  FunctionFacts facts(int64_t m, int64_t n, int64_t k, int64_t blocks,
                      int64_t slice, const char *stages, int64_t prefetch = 0) {
    FunctionFacts none;
    const Target &target = GetParam();
    std::string text =
        llvm::formatv("#pruner.schedule<cpu_tile, tiles = [[1, {0}, {1}], "
                      "[1, {0}, {2}], [{3}]], stages = [{4}], vector = {5}, "
                      "unroll = {6}, prefetch = {7}>",
                      blocks, target.rows, target.columns, slice, stages,
                      target.vector, unroll, prefetch)
            .str();
    auto schedule = llvm::dyn_cast_or_null<ScheduleAttr>(
        mlir::parseAttribute(text, &context));
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        test::matmulText(m, n, k), &context);
    if (!schedule || !module) {
      ADD_FAILURE() << text;
      return none;
    }
    auto task = readTask(*module->getOps<mlir::func::FuncOp>().begin());
    if (mlir::failed(task)) {
      ADD_FAILURE() << "not a task";
      return none;
    }
    mlir::OwningOpRef<mlir::ModuleOp> kernels =
        mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    auto builder = mlir::OpBuilder::atBlockEnd(kernels->getBody());
    emitKernel(builder, "kernel", *task,
               buildTiledProgram(task->desc, schedule.getValue()));
    mlir::PassManager passes(&context);
    passes.addPass(createConvertPrunerToCPUPass());
    buildToLLVMPipeline(passes, ToLLVMOptions());
    CpuOptions options;
    options.cpu = target.cpu;
    if (mlir::failed(passes.run(*kernels))) {
      ADD_FAILURE() << "lowering failed";
      return none;
    }
    auto object = compileToObject(*kernels, options);
    if (!object) {
      ADD_FAILURE() << llvm::toString(object.takeError());
      return none;
    }
    auto read = readObjectFacts(object->bytes);
    if (!read) {
      ADD_FAILURE() << llvm::toString(read.takeError());
      return none;
    }
    const FunctionFacts *function = read->find("kernel");
    return function ? *function : none;
  }

  /// The hot loop is exactly `unroll` steps of the register tile.
  void expectGoodLoop(const FunctionFacts &function) {
    const Target &target = GetParam();
    ASSERT_TRUE(function.hotLoop.has_value());
    const CodeFacts &code = function.hotLoop->code;
    int64_t vectors = target.columns / target.vector;
    unsigned wide = target.vector == 16 ? code.fmaZmm : code.fmaYmm;
    EXPECT_EQ(wide, target.rows * vectors * unroll);
    EXPECT_EQ(code.packedFmas(), wide);
    EXPECT_EQ(code.scalarFmas, 0u);
    EXPECT_EQ(code.stackAccesses, 0u);
    EXPECT_EQ(code.stores, 0u);
    EXPECT_EQ(code.calls, 0u);
    // Per step, a scalar for each row and the vectors of one row of B.
    EXPECT_LE(code.loads, (target.rows + vectors) * unroll);
    // Loop control and addresses: no moves between registers.
    EXPECT_LE(code.instructions,
              wide + (target.rows + vectors) * unroll + 8 + 2 * vectors);
  }

  static constexpr int64_t unroll = 4;
  mlir::MLIRContext context;
};
} // namespace

TEST_P(CpuFacts, SplitReductionBothPacked) {
  expectGoodLoop(facts(1024, 1024, 1024, 8, 256, "inner, inner"));
}

/// Rows do not divide and A is read in place, so there are two versions of the
/// loop, one with clamped rows. The facts are those of the longer one.
TEST_P(CpuFacts, WholeReductionOnePacked) {
  const Target &target = GetParam();
  FunctionFacts function = facts(128, 3072, 768, 4, 768, "none, inner");
  expectGoodLoop(function);
  // Rows clamped to the same row are equal, so LLVM may compute some of them
  // once.
  unsigned most = 2 * target.rows * (target.columns / target.vector) * unroll;
  EXPECT_LE(function.code.packedFmas(), most);
  EXPECT_GE(function.code.packedFmas(), most - most / 10);
  EXPECT_EQ(function.code.indexedStack, 0u);
}

TEST_P(CpuFacts, NothingDivides) {
  expectGoodLoop(facts(511, 513, 509, 8, 256, "inner, inner"));
}

/// Prefetching costs at most one instruction for each cache line of B that is
/// used, and one for each copy of the loop body.
TEST_P(CpuFacts, NextPanelFetched) {
  FunctionFacts plain = facts(1024, 1024, 1024, 8, 256, "inner, inner");
  FunctionFacts ahead = facts(1024, 1024, 1024, 8, 256, "inner, inner", 1);
  ASSERT_TRUE(plain.hotLoop && ahead.hotLoop);
  const CodeFacts &with = ahead.hotLoop->code, &without = plain.hotLoop->code;
  EXPECT_EQ(with.packedFmas(), without.packedFmas());
  EXPECT_EQ(with.loads, without.loads);
  EXPECT_EQ(with.stackAccesses, 0u);
  EXPECT_GT(with.instructions, without.instructions);
  int64_t lines = GetParam().columns * 4 / 64;
  EXPECT_LE(with.instructions, without.instructions + (lines + 1) * unroll);
}

INSTANTIATE_TEST_SUITE_P(Cpus, CpuFacts,
                         ::testing::Values(Target{"znver3", 6, 16, 8},
                                           Target{"skylake-avx512", 12, 32, 16},
                                           Target{"znver5", 12, 32, 16}));
