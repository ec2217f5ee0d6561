//===- SummaryPropertyTest.cpp - equality of the two summaries ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For every family of tasks and random schedules, the summary that is read from
// the IR of pruner-tile equals the one computed without IR, field by field. It
// stays equal after the IR was printed and parsed, and after canonicalization.
// The summary of search, which reuses memory and stores no program, is equal
// too, and so are its predicted seconds.
//
// Converting the same schedules to sequences of primitives, to text, and to the
// rows of numbers for models loses nothing.

#include "TaskFixtures.h"
#include "TaskText.h"

#include "pruner/Analysis/DraftModel.h"
#include "pruner/Analysis/Legality.h"
#include "pruner/Analysis/PrimitiveFeatures.h"
#include "pruner/Analysis/SummaryFromIR.h"
#include "pruner/Dialect/Pruner/Transforms/EmitKernel.h"
#include "pruner/Schedule/Space.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace mlir;
using namespace pruner;

static unsigned schedulesPerFamily() {
  const char *text = std::getenv("PRUNER_PROPERTY_SCHEDULES");
  return text ? std::max(1, std::atoi(text)) : 300;
}

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Draws a schedule that ignores machine limits: registers, threads and shared
/// memory overflow. Factors are small, large or fill the extent.
static Schedule drawWild(const TaskDesc &task, bool gpu, Random &random) {
  const StatementDesc &anchor = task.anchorStatement();
  Schedule s;
  bool across = task.rows;
  if (gpu && !task.rows && task.hasReduction() && random.uniform(3) == 0)
    across = !findSketch("simt_row")->fits(task);
  if (gpu)
    s.sketch = across                ? SketchId::SimtRow
               : task.hasReduction() ? SketchId::SimtTile
                                     : SketchId::SimtMap;
  else
    s.sketch = task.joinsProducts()  ? SketchId::CpuChain
               : task.rows           ? SketchId::CpuRow
               : task.hasReduction() ? SketchId::CpuTile
                                     : SketchId::CpuMap;
  // CPU tiles are whole vectors; their length depends on their dimension.
  auto drawKnobs = [&](bool beforeTiles) {
    for (const Knob *knob : llvm::reverse(allKnobs()))
      if ((!gpu && knob->has(Knob::BeforeTiles)) == beforeTiles)
        knob->drawAny(task, s, random);
  };
  drawKnobs(/*beforeTiles=*/true);
  for (unsigned d = 0; d < task.dims().size(); ++d) {
    const int64_t unit = innermostUnit(task, s, d);
    unsigned levels = sketchOf(s).levels(task.kindOf(d)).size();
    auto &factors = s.tiles.emplace_back(levels, 1);
    int64_t inside = 1;
    for (unsigned level = levels; level-- > 0;) {
      int64_t limit = ceilDiv(task.dims()[d].extent, inside);
      int64_t most = random.uniform(2) ? limit : std::min<int64_t>(limit, 8);
      factors[level] = random.uniform(3) ? 1 + random.uniform(most) : 1;
      if (unit && level + 1 == levels)
        factors[level] = ceilDiv(factors[level], unit) * unit;
      // A power of two of threads shares a reduction, if any do.
      if (s.sketch == SketchId::SimtRow && level == 0 &&
          anchor.dims[d].reduction)
        factors[level] =
            anchor.associative ? llvm::bit_floor(uint64_t(factors[level])) : 1;
      inside *= factors[level];
    }
  }
  drawKnobs(/*beforeTiles=*/false);
  if (!anchor.associative)
    s.split.clear();
  if (s.sketch == SketchId::SimtMap)
    s.unroll = random.uniform(2) ? 0 : 64;
  return s;
}

/// Converts to primitives and back, through text.
static void checkPrimitives(const TaskDesc &task, const Schedule &schedule) {
  PrimitiveSequence sequence = PrimitiveWriter(task)(schedule);
  std::string text;
  llvm::raw_string_ostream os(text);
  printPrimitives(sequence, os);
  auto parsed = parsePrimitives(text);
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError()) << text;
  EXPECT_EQ(*parsed, sequence) << text;
  auto again = scheduleOf(*parsed);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError()) << text;
  EXPECT_TRUE(*again == schedule) << text;
  // Rows are not cropped, and types and parameters are in the expected columns.
  // Numbers are exact up to 2^24.
  std::vector<float> rows = primitiveRows(sequence);
  unsigned types = primitiveTypeCount();
  ASSERT_EQ(rows.size(), sequence.size() * kPrimitiveFeatureSize);
  for (auto [n, primitive] : llvm::enumerate(sequence)) {
    const float *row = &rows[n * kPrimitiveFeatureSize];
    size_t count = primitive.parameters.size();
    ASSERT_LE(types + count, size_t(kPrimitiveFeatureSize)) << text;
    for (unsigned type = 0; type < types; ++type)
      EXPECT_EQ(row[type], float(type == primitive.type));
    for (size_t p = 0; p < count; ++p)
      EXPECT_EQ(row[types + p], float(primitive.parameters[p]));
    for (size_t c = types + count; c < size_t(kPrimitiveFeatureSize); ++c)
      EXPECT_EQ(row[c], 0.0f);
  }
}

static std::string toText(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  return text;
}

/// The lines of both texts, with markers at differences.
static std::string difference(const ProgramSummary &ir,
                              const ProgramSummary &plain) {
  std::string left = toString(ir), right = toString(plain), out;
  llvm::SmallVector<llvm::StringRef> a, b;
  llvm::StringRef(left).split(a, '\n');
  llvm::StringRef(right).split(b, '\n');
  for (size_t n = 0; n < std::max(a.size(), b.size()); ++n) {
    llvm::StringRef x = n < a.size() ? a[n] : "", y = n < b.size() ? b[n] : "";
    if (x == y)
      out += "   " + x.str() + "\n";
    else
      out += "IR " + x.str() + "\n== " + y.str() + "\n";
  }
  return out;
}

namespace {
class SummaryProperty : public ::testing::Test {
protected:
  SummaryProperty() : canonicalize(&context) {
    context.loadDialect<PrunerDialect, linalg::LinalgDialect, func::FuncDialect,
                        arith::ArithDialect, math::MathDialect,
                        tensor::TensorDialect, memref::MemRefDialect>();
    canonicalize.addPass(createCanonicalizerPass());
  }

  /// The summary of the kernels in `module`.
  static FailureOr<KernelSummary> summaryOf(ModuleOp module) {
    FailureOr<KernelSummary> summary = failure();
    module.walk([&](KernelOp first) {
      summary = summarizeKernels(first);
      return WalkResult::interrupt();
    });
    return summary;
  }

  void expectEqual(ModuleOp module, const ProgramSummary &plain,
                   const char *when) {
    FailureOr<KernelSummary> read = summaryOf(module);
    ASSERT_TRUE(succeeded(read)) << when << "\n" << toText(module);
    EXPECT_TRUE(read->summary == plain)
        << when << "\n"
        << difference(read->summary, plain) << toText(module);
    EXPECT_EQ(read->ops.size(), read->summary.statements.size());
  }

  void check(const TaskIR &task, const Schedule &schedule) {
    auto attribute = ScheduleAttr::get(&context, schedule);
    SCOPED_TRACE(toString(attribute));
    TiledProgram program = buildTiledProgram(task.desc, schedule);
    ProgramSummary plain = summarize(task.desc, program);

    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    func::FuncOp kernel = emitKernel(builder, "kernel", task, program);
    kernel->setAttr(PrunerDialect::getScheduleAttrName(), attribute);
    ASSERT_TRUE(succeeded(verify(*module))) << toText(*module);
    expectEqual(*module, plain, "as emitted");

    std::string text = toText(*module);
    auto again = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(bool(again)) << text;
    expectEqual(*again, plain, "printed and parsed");
    auto kept = *again->getOps<func::FuncOp>().begin();
    EXPECT_EQ(kept->getAttr(PrunerDialect::getScheduleAttrName()), attribute);
    EXPECT_EQ(toText(*again), text);

    ASSERT_TRUE(succeeded(canonicalize.run(*module)));
    expectEqual(*module, plain, "canonicalised");
  }

  static std::string toString(Attribute attribute) {
    std::string text;
    llvm::raw_string_ostream(text) << attribute;
    return text;
  }
  static std::string toString(const ProgramSummary &summary) {
    return pruner::toString(summary);
  }

  void run(const Machine &machine, uint64_t seed) {
    Random random(seed);
    unsigned count = schedulesPerFamily();
    std::vector<test::Family> families = test::allFamilies();
    if (machine.isCpu())
      families.push_back(test::joinedProducts());
    for (const test::Family &family : families) {
      SCOPED_TRACE(family.name);
      unsigned perTask = ceilDiv(count, family.tasks.size());
      for (const std::string &text : family.tasks) {
        auto module = parseSourceString<ModuleOp>(text, &context);
        ASSERT_TRUE(bool(module)) << text;
        auto task = readTask(*module->getOps<func::FuncOp>().begin());
        ASSERT_TRUE(succeeded(task)) << text;
        ScheduleSpace space(task->desc, machine);
        DraftModel drafts(task->desc, machine);
        for (unsigned n = 0; n < perTask; ++n) {
          // Half of the draws are those of search, half ignore limits.
          std::optional<Schedule> schedule;
          if (n % 2)
            schedule = drawWild(task->desc, machine.isGpu(), random);
          else
            schedule = space.sample(random);
          ASSERT_TRUE(schedule.has_value()) << text;
          auto broken = checkScheduleShape(task->desc, *schedule);
          ASSERT_FALSE(broken) << broken->message;
          check(*task, *schedule);
          checkPrimitives(task->desc, *schedule);
          ProgramSummary plain =
              summarize(task->desc, buildTiledProgram(task->desc, *schedule));
          EXPECT_EQ(drafts(*schedule), analyzePsa(plain, machine).seconds)
              << difference(plain, drafts.summaryOf(*schedule));
          EXPECT_TRUE(drafts.summaryOf(*schedule) == plain)
              << difference(plain, drafts.summaryOf(*schedule));
          if (HasFailure())
            return;
        }
      }
    }
  }

  MLIRContext context;
  PassManager canonicalize;
};
} // namespace

TEST_F(SummaryProperty, CpuSchedules) { run(test::cpu(64, 32, 8), 1); }

TEST_F(SummaryProperty, GpuSchedules) { run(test::gpu(), 2); }
