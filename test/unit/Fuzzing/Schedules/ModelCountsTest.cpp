//===- ModelCountsTest.cpp - counts of the machine and of the model -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PTX machine and the analytical model count the same things in different
// ways: the machine while a kernel runs, the model from loops and strides. Both
// are exact for the passes of shared memory of the first warp, and for the
// products of tensor cores with the loads of their fragments.

#include "Execution.h"
#include "GpuModel.h"

#include "Fuzzing/Schedules/Differential.h"
#include "Fuzzing/Schedules/PtxKernels.h"
#include "Fuzzing/Schedules/ScheduleFuzz.h"

#include "pruner/Builder/Candidate.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Program/WarpInstruction.h"
#include "pruner/Sketch/Sketch.h"
#include "pruner/Support/Random.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <array>
#include <map>

using namespace pruner;

namespace {

/// Random addresses of lanes as kernels have them: multiples of the length of
/// the access, with few strides, in rows, or scattered.
std::vector<int64_t> randomAddresses(Random &random, int64_t bytes,
                                     unsigned lanes) {
  std::vector<int64_t> addresses(lanes);
  int64_t row = int64_t(1) << random.uniform(6), stride = random.uniform(40),
          pitch = random.uniform(70);
  bool scattered = random.uniform(4) == 0;
  for (unsigned lane = 0; lane < lanes; ++lane)
    addresses[lane] = bytes * (scattered ? int64_t(random.uniform(512))
                                         : int64_t(lane) % row * stride +
                                               int64_t(lane) / row * pitch);
  return addresses;
}

TEST(ModelCounts, FunctionsCountTheSame) {
  Random random(uint64_t(11));
  for (int n = 0; n < 20000; ++n) {
    int64_t bytes = int64_t(1) << random.uniform(5);
    unsigned lanes = random.uniform(3) ? 32 : 1 + unsigned(random.uniform(32));
    std::vector<int64_t> addresses = randomAddresses(random, bytes, lanes);
    uint64_t padded[ptx::kWarpSize] = {};
    for (unsigned lane = 0; lane < lanes; ++lane)
      padded[lane] = uint64_t(addresses[lane]);
    uint32_t mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
    ASSERT_EQ(detail::bankPasses(addresses, double(bytes), 128),
              double(ptx::countWavefronts(padded, mask, unsigned(bytes))))
        << bytes << " bytes, " << lanes << " lanes";
    ASSERT_EQ(detail::pieces(addresses, 32),
              double(ptx::countSectors(padded, mask, unsigned(bytes))))
        << bytes << " bytes, " << lanes << " lanes";
  }
}

/// A product of `m` x `k` and `k` x `n` elements; B is transposed if
/// `transposed`.
std::string product(int64_t m, int64_t n, int64_t k, const std::string &element,
                    bool transposed) {
  auto tensor = [&](int64_t a, int64_t b) {
    return "tensor<" + std::to_string(a) + "x" + std::to_string(b) + "x" +
           element + ">";
  };
  std::string b = transposed ? tensor(n, k) : tensor(k, n);
  return "func.func @t(%a: " + tensor(m, k) + ", %b: " + b + ") -> " +
         tensor(m, n) + " {\n  %z = arith.constant 0.0 : " + element +
         "\n  %e = tensor.empty() : " + tensor(m, n) +
         "\n  %f = linalg.fill ins(%z : " + element +
         ") outs(%e : " + tensor(m, n) + ") -> " + tensor(m, n) +
         "\n  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> "
         "(i, k)>, affine_map<(i, j, k) -> (" +
         (transposed ? "j, k" : "k, j") +
         ")>, affine_map<(i, j, k) -> (i, j)>], iterator_types = "
         "[\"parallel\", \"parallel\", \"reduction\"]} ins(%a, %b : " +
         tensor(m, k) + ", " + b + ") outs(%f : " + tensor(m, n) +
         ") {\n  ^bb0(%x: " + element + ", %y: " + element +
         ", %o: " + element + "):\n    %p = arith.mulf %x, %y : " + element +
         "\n    %s = arith.addf %o, %p : " + element +
         "\n    linalg.yield %s : " + element + "\n  } -> " + tensor(m, n) +
         "\n  return %r : " + tensor(m, n) + "\n}\n";
}

/// The sums of the rows, or of the columns, of `m` x `k` elements.
std::string sums(int64_t m, int64_t k, const std::string &element,
                 bool columns) {
  std::string x = "tensor<" + std::to_string(columns ? k : m) + "x" +
                  std::to_string(columns ? m : k) + "x" + element + ">",
              y = "tensor<" + std::to_string(m) + "x" + element + ">";
  return "func.func @t(%a: " + x + ") -> " + y +
         " {\n  %z = arith.constant 0.0 : " + element +
         "\n  %e = tensor.empty() : " + y +
         "\n  %f = linalg.fill ins(%z : " + element + ") outs(%e : " + y +
         ") -> " + y +
         "\n  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (" +
         (columns ? "k, i" : "i, k") +
         ")>, affine_map<(i, k) -> (i)>], iterator_types = [\"parallel\", "
         "\"reduction\"]} ins(%a : " +
         x + ") outs(%f : " + y + ") {\n  ^bb0(%x: " + element +
         ", %o: " + element + "):\n    %s = arith.addf %o, %x : " + element +
         "\n    linalg.yield %s : " + element + "\n  } -> " + y +
         "\n  return %r : " + y + "\n}\n";
}

/// What the first block of the only kernel of `code` counts.
llvm::Expected<ptx::Counts> countFirstBlock(const PtxKernels &code) {
  const PtxKernels::Launch &launch = code.launches().front();
  std::vector<std::vector<uint8_t>> memory;
  std::vector<ptx::Argument> arguments;
  for (uint64_t bytes : launch.argumentBytes) {
    memory.emplace_back(bytes);
    ptx::Argument &argument = arguments.emplace_back();
    argument.data = memory.back().data();
    argument.bytes = bytes;
  }
  const uint32_t first = 0;
  ptx::LaunchOptions options;
  options.grid = launch.grid;
  options.block = launch.block;
  options.dynamicSharedBytes = launch.dynamicSharedBytes;
  options.blocks = first;
  return launch.program->launch(arguments, options);
}

/// What the model says about the requests of the first warp to shared memory.
struct ModelPasses {
  double passes = 0; ///< Of a request.
  int64_t bytes = 0; ///< Of a lane.
};

/// The loads of the only operand that `program` reads from shared memory.
std::optional<ModelPasses> modelLoads(const ProgramSummary &program,
                                      const Machine &machine) {
  std::optional<ModelPasses> found;
  for (const StatementSummary &statement : program.statements) {
    if (statement.kind != StatementKind::Update)
      continue;
    detail::Nest nest(program, statement, /*steps=*/1);
    for (const AccessSummary &access : statement.accesses) {
      if (nest.bufferOf(access).level != MemoryLevel::Shared)
        continue;
      if (found || access.kind != AccessKind::Read)
        return std::nullopt;
      int64_t bytes = nest.loadWidth(access, machine) *
                      int64_t(nest.bufferOf(access).elementBytes);
      found = {detail::bankPasses(nest.laneAddresses(access, machine),
                                  double(bytes),
                                  machine.sm.sharedBytesPerCycle),
               bytes};
    }
  }
  return found;
}

/// The loops of a copy whose box has an element for each lane of a warp. Later
/// turns of larger boxes begin elsewhere, and the model has the first one.
std::optional<detail::Loops> boxOfOneTurn(const detail::Nest &nest) {
  const StatementSummary &statement = nest.statement;
  unsigned own = statement.loops.size() - statement.ownLoops;
  detail::Loops box;
  int64_t elements = 1;
  for (unsigned l = statement.loops.size(); l-- > own;) {
    elements *= statement.loops[l].extent;
    if (statement.loops[l].extent > 1)
      box.push_back(l);
  }
  if (statement.vector > 1 || elements != 32)
    return std::nullopt;
  return box;
}

/// The stores of the only copy to shared memory.
std::optional<ModelPasses> modelStores(const ProgramSummary &program,
                                       const Machine &machine) {
  std::optional<ModelPasses> found;
  for (const StatementSummary &statement : program.statements) {
    if (statement.kind != StatementKind::Stage)
      continue;
    if (found)
      return std::nullopt;
    detail::Nest nest(program, statement, /*steps=*/1);
    auto box = boxOfOneTurn(nest);
    if (!box)
      return std::nullopt;
    const AccessSummary &written = statement.written();
    int64_t bytes = int64_t(nest.bufferOf(written).elementBytes);
    found = {detail::bankPasses(nest.addresses(written, *box, 32),
                                double(bytes), machine.sm.sharedBytesPerCycle),
             bytes};
  }
  return found;
}

/// The sectors of a request for the only operand in main memory: of the update
/// in place, or of a copy of one turn.
std::optional<ModelPasses> modelSectors(const ProgramSummary &program,
                                        const Machine &machine) {
  std::optional<ModelPasses> found;
  for (const StatementSummary &statement : program.statements) {
    detail::Nest nest(program, statement, /*steps=*/1);
    for (const AccessSummary &access : statement.accesses) {
      if (nest.bufferOf(access).level != MemoryLevel::Global ||
          access.kind != AccessKind::Read)
        continue;
      if (found)
        return std::nullopt;
      int64_t size = int64_t(nest.bufferOf(access).elementBytes);
      if (statement.kind == StatementKind::Update) {
        found = {detail::pieces(nest.laneAddresses(access, machine), 32),
                 nest.loadWidth(access, machine) * size};
        continue;
      }
      auto box = boxOfOneTurn(nest);
      if (statement.kind != StatementKind::Stage || !box)
        return std::nullopt;
      found = {detail::pieces(nest.addresses(access, *box, 32), 32), size};
    }
  }
  return found;
}

/// The points of the first block's tiles over those of them that exist; 1 if no
/// tile extends beyond the end of its dimension.
double pointsBeyond(const TaskDesc &task, const Schedule &schedule) {
  double beyond = 1;
  for (auto [dim, factors] :
       llvm::zip(task.anchorStatement().dims, schedule.tiles)) {
    int64_t tile = 1;
    for (int64_t factor : factors)
      tile *= factor;
    int64_t covered = dim.reduction ? (dim.extent + tile - 1) / tile * tile
                                    : std::max(tile, dim.extent);
    beyond *= double(covered) / double(dim.extent);
  }
  return beyond;
}

/// Random schedules whose blocks are one warp. Products stage one operand, and
/// sums have one, so that what the machine counts belongs to one access.
TEST(ModelCounts, KernelsOfOneWarpTakeThePassesOfTheModel) {
  mlir::DialectRegistry registry;
  registerBuilderDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  Machine machine = llvm::cantFail(knownMachine("sm_80"));
  Random random(uint64_t(5));
  // Requests of the width that the model expects, and of another one, which the
  // compiler may choose.
  unsigned same = 0, other = 0, conflicts = 0, whole = 0;
  std::map<std::string, unsigned> compared;
  const char *const elements[] = {"f32", "f16", "f64"};
  for (int task = 0; task < 32; ++task) {
    int64_t m = 8 << random.uniform(4), n = 8 << random.uniform(4),
            k = 8 << random.uniform(3);
    const char *element = elements[task % 3];
    bool turned = random.uniform(2) == 0, isSum = task % 2;
    std::string text = isSum ? sums(4 * m, k, element, turned)
                             : product(m, n, k, element, turned);
    auto subject = DifferentialTask::create(context, text, 1);
    ASSERT_TRUE(bool(subject)) << llvm::toString(subject.takeError());
    const TaskDesc &desc = (*subject)->desc();
    for (int draw = 0, taken = 0; draw < 4000 && taken < 5; ++draw) {
      std::optional<Schedule> schedule =
          randomGpuSchedule(desc, machine, random);
      if (!schedule || schedule->sketch != SketchId::SimtTile ||
          schedule->splitsReduction())
        continue;
      limitUnrolling(desc, *schedule);
      ProgramSummary program =
          summarize(desc, buildTiledProgram(desc, *schedule));
      if (program.kernels.size() != 1 || program.kernels[0].block != 32)
        continue;
      auto loads = modelLoads(program, machine);
      auto stores = modelStores(program, machine);
      auto sectors = isSum ? modelSectors(program, machine) : std::nullopt;
      if (!loads && !stores && !sectors)
        continue;
      ++taken;
      std::string shown = (*subject)->withSchedule(*schedule);
      auto code = (*subject)->compilePtx(*schedule, "sm_80",
                                         /*asyncCopies=*/false);
      ASSERT_TRUE(bool(code)) << llvm::toString(code.takeError()) << shown;
      auto counts = countFirstBlock(*code);
      ASSERT_TRUE(bool(counts)) << llvm::toString(counts.takeError()) << shown;
      auto compare = [&](const char *what,
                         const std::optional<ModelPasses> &model,
                         const ptx::MemoryCounts &machine, uint64_t passes) {
        if (!model || machine.requests == 0)
          return;
        if (machine.bytes != machine.requests * 32 * uint64_t(model->bytes)) {
          ++other;
          return;
        }
        ++same;
        ++compared[what];
        conflicts += machine.wavefronts > machine.idealWavefronts;
        double expected = double(machine.requests) * model->passes;
        if (model->bytes >= 4) {
          EXPECT_EQ(double(passes), expected) << what << shown;
          return;
        }
        // Other loads of a thread may begin at the other half of a word, so
        // that other lanes share words. The model has the first one.
        EXPECT_LE(double(passes), 2 * expected) << what << shown;
        EXPECT_GE(2 * double(passes), expected) << what << shown;
      };
      // Products of f32 take one instruction for each point of a tile.
      if (task % 6 == 0) {
        double points = 0;
        for (const StatementSummary &statement : program.statements)
          if (statement.kind == StatementKind::Update) {
            detail::Nest nest(program, statement, /*steps=*/1);
            points += detail::Reduction(nest, machine)
                          .work(nest, machine, /*spilled=*/0)
                          .multiplyAdds;
          }
        ++compared["multiply-adds"];
        auto fma = counts->executedOpcodes.find("fma.rn.f32");
        ASSERT_NE(fma, counts->executedOpcodes.end()) << shown;
        // The model counts what tiles have beyond the end of a reduction.
        double executed = double(fma->second.warps);
        double beyond = pointsBeyond(desc, *schedule);
        whole += beyond == 1;
        // Of a warp at an edge, some lanes take the path of whole tiles and
        // others the path with conditions.
        EXPECT_GE(beyond == 1 ? points : 2 * points, executed) << shown;
        EXPECT_LE(points, beyond * executed) << shown;
      }
      compare("shared loads", loads, counts->sharedLoads,
              counts->sharedLoads.wavefronts);
      compare("shared stores", stores, counts->sharedStores,
              counts->sharedStores.wavefronts);
      compare("global loads", sectors, counts->globalLoads,
              counts->globalLoads.sectors);
    }
  }
  // Enough cases are left.
  EXPECT_GE(compared["shared loads"], 80u);
  EXPECT_GE(compared["global loads"], 15u);
  EXPECT_GE(compared["shared stores"], 1u);
  EXPECT_GE(compared["multiply-adds"], 20u);
  EXPECT_GE(whole, 5u);
  EXPECT_GE(conflicts, 1u);
  EXPECT_LT(other, same);
}

/// A product of `m` x `k` and `k` x `n` elements that are extended first; b is
/// transposed if `transposed`.
std::string narrowProduct(int64_t m, int64_t n, int64_t k,
                          const std::string &element, bool transposed) {
  bool isFloat = element != "i8", isTensorFloat = element == "tf32";
  std::string stored = isTensorFloat ? "f32" : element;
  auto cut = [&](const char *to, const char *from) -> std::string {
    return isTensorFloat ? std::string("    %") + to + " = arith.truncf %" +
                               from + " to_nearest_away : f32 to tf32\n"
                         : "";
  };
  std::string x = isTensorFloat ? "%cx" : "%x",
              y = isTensorFloat ? "%cy" : "%y";
  std::string sum = isFloat ? "f32" : "i32", kind = isFloat ? "f" : "i",
              extension = isFloat ? "extf" : "extsi";
  auto tensor = [&](int64_t x, int64_t y, const std::string &type) {
    return "tensor<" + std::to_string(x) + "x" + std::to_string(y) + "x" +
           type + ">";
  };
  std::string a = tensor(m, k, stored),
              b = transposed ? tensor(n, k, stored) : tensor(k, n, stored),
              c = tensor(m, n, sum);
  return "func.func @t(%a: " + a + ", %b: " + b + ") -> " + c +
         " {\n  %z = arith.constant " + (isFloat ? "0.0" : "0") + " : " + sum +
         "\n  %e = tensor.empty() : " + c +
         "\n  %f = linalg.fill ins(%z : " + sum + ") outs(%e : " + c + ") -> " +
         c +
         "\n  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> "
         "(i, k)>, affine_map<(i, j, k) -> (" +
         (transposed ? "j, k" : "k, j") +
         ")>, affine_map<(i, j, k) -> (i, j)>], iterator_types = "
         "[\"parallel\", \"parallel\", \"reduction\"]} ins(%a, %b : " +
         a + ", " + b + ") outs(%f : " + c + ") {\n  ^bb0(%x: " + stored +
         ", %y: " + stored + ", %o: " + sum + "):\n" + cut("cx", "x") +
         cut("cy", "y") + "    %v = arith." + extension + " " + x + " : " +
         element + " to " + sum + "\n    %w = arith." + extension + " " + y +
         " : " + element + " to " + sum + "\n    %p = arith.mul" + kind +
         " %v, %w : " + sum + "\n    %s = arith.add" + kind +
         " %o, %p : " + sum + "\n    linalg.yield %s : " + sum + "\n  } -> " +
         c + "\n  return %r : " + c + "\n}\n";
}

/// Executions of warps of the instructions whose names begin with `prefix`.
uint64_t executionsOf(const ptx::Counts &counts, llvm::StringRef prefix) {
  uint64_t total = 0;
  for (const auto &[name, executions] : counts.executedOpcodes)
    if (llvm::StringRef(name).starts_with(prefix))
      total += executions.warps;
  return total;
}

/// The requests and sectors of the copies of a block whose tiles are whole.
/// Every warp has the sectors of the first one if rows are whole sectors.
struct CopyCounts {
  uint64_t requests = 0, sectors = 0;
  /// Whether all copies move contiguous vectors, as many by each thread.
  bool isEven = true;
};
CopyCounts modelCopies(const ProgramSummary &program) {
  CopyCounts counts;
  for (const StatementSummary &statement : program.statements) {
    if (statement.kind != StatementKind::Stage)
      continue;
    detail::Nest nest(program, statement, /*steps=*/1);
    unsigned own = statement.loops.size() - statement.ownLoops;
    detail::Loops box;
    int64_t elements = 1, steps = 1;
    for (unsigned l = statement.loops.size(); l-- > 0;) {
      const LoopSummary &loop = statement.loops[l];
      if (l < own) {
        steps *= loop.level == LoopLevel::Serial ? loop.extent : 1;
        continue;
      }
      elements *= loop.extent;
      if (loop.extent > 1)
        box.push_back(l);
    }
    int64_t chunks = elements / statement.vector;
    counts.isEven &= !box.empty() && chunks % statement.sharingThreads == 0 &&
                     statement.accesses.front().strides[box.front()] == 1;
    uint64_t requests = uint64_t(steps * ((chunks + 31) / 32));
    counts.requests += requests;
    counts.sectors +=
        requests *
        uint64_t(detail::pieces(nest.addresses(statement.accesses.front(), box,
                                               std::min<int64_t>(32, chunks),
                                               statement.vector),
                                32));
  }
  return counts;
}

/// Products of matrices by warps: everything that the model counts.
TEST(ModelCounts, ProductsOfMatricesAreCountedExactly) {
  mlir::DialectRegistry registry;
  registerBuilderDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  Random random(uint64_t(17));
  unsigned compared = 0, conflicts = 0, copies = 0, splits = 0;
  const char *const elements[] = {"f16", "bf16", "i8", "tf32"};
  unsigned across = 0;
  std::map<std::string, unsigned> comparedOn;
  for (int task = 0; task < 36; ++task) {
    const char *chip = std::array{"sm_80", "sm_75", "sm_90a"}[task / 4 % 3];
    Machine machine = llvm::cantFail(knownMachine(chip));
    // Long sums are split more often.
    int64_t m = 32 << random.uniform(2), n = 32 << random.uniform(2),
            k = 32 << (random.uniform(2) + (task < 24 ? 0 : 3));
    std::string text =
        narrowProduct(m, n, k, elements[task % 4], random.uniform(2) == 0);
    auto subject = DifferentialTask::create(context, text, 1);
    ASSERT_TRUE(bool(subject)) << llvm::toString(subject.takeError());
    const TaskDesc &desc = (*subject)->desc();
    for (int draw = 0, taken = 0; draw < 400 && taken < 4; ++draw) {
      std::optional<Schedule> schedule =
          randomGpuSchedule(desc, machine, random);
      if (!schedule || !schedule->instruction ||
          pointsBeyond(desc, *schedule) != 1)
        continue;
      ++taken;
      splits += schedule->splitsReduction();
      limitUnrolling(desc, *schedule);
      ProgramSummary program =
          summarize(desc, buildTiledProgram(desc, *schedule));
      double warps = double(program.kernels[0].block) / 32;
      detail::MatrixCounts model;
      double instructions = 0;
      for (const StatementSummary &statement : program.statements)
        if (auto *product = WarpInstruction::of(statement.instruction)) {
          model = detail::countMatrices(
              detail::Nest(program, statement, /*steps=*/1), machine);
          instructions = double(product->deviceInstructions());
        }
      std::string shown = (*subject)->withSchedule(*schedule);
      auto code = (*subject)->compilePtx(*schedule, chip,
                                         /*asyncCopies=*/true);
      ASSERT_TRUE(bool(code)) << llvm::toString(code.takeError()) << shown;
      auto counts = countFirstBlock(*code);
      ASSERT_TRUE(bool(counts)) << llvm::toString(counts.takeError()) << shown;
      ++compared;
      ++comparedOn[chip];
      EXPECT_EQ(double(executionsOf(*counts, "mma.sync")),
                warps * model.products * instructions)
          << shown;
      EXPECT_EQ(double(executionsOf(*counts, "ldmatrix") +
                       executionsOf(*counts, "ld.shared")),
                warps * model.loads)
          << shown;
      across += executionsOf(*counts, "ld.shared") > 0;
      // The banks of sm_75 need two cycles for a wavefront.
      double cycles = 128 / double(machine.sm.sharedBytesPerCycle);
      EXPECT_EQ(double(counts->sharedLoads.wavefronts) * cycles,
                warps * model.passes)
          << shown;
      conflicts +=
          counts->sharedLoads.wavefronts > counts->sharedLoads.idealWavefronts;
      CopyCounts expected = modelCopies(program);
      if (!expected.isEven || schedule->splitsReduction())
        continue;
      ++copies;
      EXPECT_EQ(counts->globalLoads.requests, expected.requests) << shown;
      EXPECT_EQ(counts->globalLoads.sectors, expected.sectors) << shown;
    }
  }
  EXPECT_GE(compared, 50u);
  EXPECT_GE(comparedOn["sm_75"], 10u);
  EXPECT_GE(comparedOn["sm_90a"], 15u);
  EXPECT_GE(conflicts, 5u);
  EXPECT_GE(copies, 10u);
  EXPECT_GE(splits, 5u);
  EXPECT_GE(across, 3u);
}

} // namespace
