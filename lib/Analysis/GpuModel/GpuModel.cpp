//===- GpuModel.cpp - the analytical model for GPUs -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the work of one warp for a statement: instructions, multiply-adds,
// address arithmetic, passes of the load/store units, products of tensor cores,
// and waits. The pipes of an SM work for all its resident blocks and overlap,
// but not perfectly. Waits concern each warp alone and are added. Blocks run in
// whole waves:
//
//   cycles(b) = (issue^4 + multiply-adds^4 + integer^4 + load/store^4
//                + tensor^4)^(1/4) + wait       of b resident blocks
//   compute   = (full waves x cycles(b) + cycles(rest)) / clock
//   seconds   = (compute^3 + (bytes / bandwidth)^3)^(1/3)
//
// An SM starts the blocks of a kernel one after the other, while others run:
//
//   kernel    = ((sum of seconds)^3 + (blocks / SMs x start / clock)^3)^(1/3)

#include "Terms/Registry.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace pruner;
using namespace pruner::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The registers of a block and their allocation granularity (CUDA C++
/// Programming Guide, compute capabilities).
static constexpr double kBlockRegisters = 65536, kRegisterStep = 8;
/// The standard deviation of the registers that a kernel needs around the
/// estimate. It is 25 to 36 for random schedules of products and convolutions
/// (the fewest registers with which ptxas 13.0 spills at most 8 bytes).
static constexpr double kRegisterDeviation = 24;
/// The share of the registers for addresses of synchronous copies that ptxas
/// gives up where they do not fit; it computes the addresses again. Drafts in
/// tf32 for sm_80 and sm_90 with 70 to 140 of them give up 15 to 100 %.
static constexpr double kGivenUp = 0.7;
/// Cycles of an SM between the starts of two blocks: 140 to 160 on an H200
/// (blocks of 4 to 32 threads with next to no work), 190 on a V100 (sums of
/// short rows).
static constexpr double kStartCycles = 160;
/// Instructions with which a warp begins: the position of its thread, bounds
/// and addresses. The PTX has 11 to 44 before the first access to main memory,
/// half of the kernels at most 20 (14 random schedules), and up to two machine
/// instructions for each.
static constexpr double kPrologue = 40;
#define PRUNER_COUNT_TERM(name) +1
static constexpr size_t kNumTerms = 0 PRUNER_GPU_TERMS(PRUNER_COUNT_TERM);
#undef PRUNER_COUNT_TERM

llvm::ArrayRef<const GpuTerm *> detail::allGpuTerms() {
#define PRUNER_GET_TERM(name) &get##name(),
  static const std::array<const GpuTerm *, kNumTerms> terms = {
      PRUNER_GPU_TERMS(PRUNER_GET_TERM)};
#undef PRUNER_GET_TERM
  return terms;
}

llvm::ArrayRef<const ModelTerm *> pruner::gpuTerms() {
  static const auto terms = [] {
    std::array<const ModelTerm *, kNumTerms> list;
    llvm::copy(allGpuTerms(), list.begin());
    return list;
  }();
  return terms;
}

/// Combines two times that overlap, but not perfectly: the third-order norm.
static double overlap(double a, double b) {
  double larger = std::max(a, b), ratio = std::min(a, b) / larger;
  if (!(larger > 0))
    return 0;
  // The series spares search most of the cube roots.
  double cube = ratio * ratio * ratio;
  return larger * (ratio < 0.05 ? 1 + cube / 3 : std::cbrt(1 + cube));
}

/// Serial loops around the copies of the statement's kernel.
static unsigned stepsOf(const ProgramSummary &program, unsigned kernel) {
  unsigned steps = 0;
  for (const StatementSummary &s : program.statements)
    if (s.kernel == kernel && s.kind == StatementKind::Stage)
      steps = std::max<unsigned>(
          steps, llvm::count_if(ArrayRef(s.loops).drop_back(s.ownLoops),
                                Nest::isSerial));
  return steps;
}

static double warpsOf(const KernelShape &kernel, const Machine &machine) {
  return std::ceil(double(std::max<int64_t>(1, kernel.block)) /
                   double(machine.lanes));
}

/// The mean of max(0, x) for a normal distribution of x.
static double expectedExcess(double mean, double deviation) {
  double z = mean / deviation;
  // Less than 0.0005 deviations from the exact value.
  if (std::abs(z) > 3)
    return std::max(0.0, mean);
  double density = std::exp(-z * z / 2) / std::sqrt(2 * llvm::numbers::pi);
  double below = std::erfc(-z / llvm::numbers::sqrt2) / 2;
  return deviation * (density + z * below);
}

/// The registers beyond `limit` that a kernel is expected to spill if it needs
/// `registers` and ptxas gives up `spare` of them first.
static double spilledWithout(double spare, double registers, double limit) {
  return expectedExcess(registers - kGivenUp * spare - limit,
                        hypotenuse(kRegisterDeviation, (1 - kGivenUp) * spare));
}

static double threadsOf(const KernelShape &kernel, const Machine &machine) {
  return warpsOf(kernel, machine) * double(machine.lanes);
}

/// The registers that a thread can use.
static double registerLimit(const KernelShape &kernel, const Machine &machine) {
  double most = std::min(double(machine.registersPerUnit), kBlockRegisters);
  // The last registers below a limit are of little use: accumulators and
  // fragments are aligned groups of four, and ptxas loads ahead until it runs
  // out.
  double limit = std::min(double(machine.maxRegistersPerThread),
                          most / threadsOf(kernel, machine));
  return std::floor(limit / kRegisterStep) * kRegisterStep;
}

/// The blocks that are resident on an SM if their threads need `registers`.
static Occupancy occupancyOf(const KernelShape &kernel, double registers,
                             const Machine &machine) {
  Occupancy out;
  double threads = threadsOf(kernel, machine);
  double limit = registerLimit(kernel, machine);
  out.spilled = expectedExcess(registers - limit, kRegisterDeviation);
  out.registers =
      std::ceil(std::min(registers, limit) / kRegisterStep) * kRegisterStep;
  auto fit = [&](double has, double each, OccupancyLimit limit) {
    double blocks = std::floor(has / each);
    if (blocks >= out.blocks)
      return;
    out.blocks = blocks;
    out.limit = limit;
  };
  out.blocks = double(machine.maxBlocksPerUnit);
  out.limit = OccupancyLimit::Blocks;
  fit(double(machine.maxThreadsPerUnit), threads, OccupancyLimit::Threads);
  fit(double(machine.registersPerUnit), out.registers * threads,
      OccupancyLimit::Registers);
  if (kernel.sharedBytes > 0)
    fit(double(machine.sharedBytesPerUnit), double(kernel.sharedBytes),
        OccupancyLimit::SharedMemory);
  out.blocks = std::max(1.0, out.blocks);
  return out;
}

/// Whether loads of other copies of the same step are in flight together with
/// those of statement `index`. The largest copy waits for all of them.
static bool waitsForLoads(const ProgramSummary &program, unsigned index) {
  auto elements = [](const StatementSummary &stage) {
    double product = 1;
    for (const LoopSummary &loop :
         ArrayRef(stage.loops).take_back(stage.ownLoops))
      product *= double(loop.extent);
    return product;
  };
  const StatementSummary &own = program.statements[index];
  for (auto [n, other] : llvm::enumerate(program.statements)) {
    if (n == index || other.kind != StatementKind::Stage ||
        other.kernel != own.kernel ||
        other.loops.size() - other.ownLoops != own.loops.size() - own.ownLoops)
      continue;
    double more = elements(other) - elements(own);
    if (more > 0 || (more == 0 && n < index))
      return false;
  }
  return true;
}

namespace {

class Model {
public:
  Model(const ProgramSummary &program, const Machine &machine,
        const ModelTerm *without, bool timeOnly)
      : program(program), machine(machine), without(without),
        timeOnly(timeOnly) {
    for (unsigned k = 0; k < program.kernels.size(); ++k) {
      steps.push_back(stepsOf(program, k));
      registers.push_back(double(program.kernels[k].accumulators) +
                          kBaseRegisters);
    }
    times.resize(program.kernels.size());
    for (const StatementSummary &s : program.statements) {
      ++times[s.kernel].statements;
      nests.emplace_back(program, s, steps[s.kernel]);
      findLoaded();
      reductionOf.push_back(reductions.size());
      if (s.kind != StatementKind::Update)
        continue;
      reductions.emplace_back(nests.back(), machine);
      double &most = registers[s.kernel];
      most = std::max(most, reductions.back().registers);
    }
    spare.resize(program.kernels.size());
    for (const Nest &nest : nests)
      if (nest.statement.kind == StatementKind::Stage) {
        spare[nest.statement.kernel] += spareRegisters(nest, machine);
        registers[nest.statement.kernel] +=
            heldRegisters(nest, machine) + addressRegisters(nest, machine);
      }
    for (auto [kernel, each, own] :
         llvm::zip_equal(program.kernels, registers, spare)) {
      Occupancy fitted = occupancyOf(kernel, each, machine);
      double left = fitted.spilled;
      if (own > 0)
        left = std::min(
            left, spilledWithout(own, each, registerLimit(kernel, machine)));
      lostShare.push_back(own > 0 ? (fitted.spilled - left) / own : 0);
      fitted.spilled = left;
      occupancy.push_back(fitted);
    }
  }

  /// Returns the statements in order.
  StatementPsa next() {
    unsigned index = done++;
    const StatementSummary &statement = program.statements[index];
    const Nest &nest = nests[index];
    StatementPsa out;
    out.occupancy = occupancy[statement.kernel];
    WarpWork work = workOf(index);
    if (times[statement.kernel].statements == 1) {
      work.issue += kPrologue;
      work.integer += kPrologue;
    }
    addCycles(program.kernelOf(statement), work, workBeside(index), out);
    addBytes(nest, out);
    out.seconds = overlap(out.computeSeconds, out.memorySeconds);
    addLaunch(statement.kernel, out);
    if (!timeOnly)
      addTermSeconds(out);
    return out;
  }

private:
  /// Marks the accesses of the last nest that earlier statements loaded.
  void findLoaded() {
    Nest &nest = nests.back();
    for (const Nest &other : ArrayRef(nests).drop_back()) {
      if (other.statement.kernel != nest.statement.kernel ||
          other.statement.kind == StatementKind::Stage)
        continue;
      for (auto [n, access] : llvm::enumerate(nest.statement.accesses))
        for (const AccessSummary &others : other.statement.accesses)
          if (nest.rereads(access, other, others))
            nest.loaded |= uint64_t(1) << n;
    }
  }

  WarpWork workOf(unsigned index) const {
    const StatementSummary &statement = program.statements[index];
    const Nest &nest = nests[index];
    if (statement.kind == StatementKind::Update)
      return reductions[reductionOf[index]].work(
          nest, machine, occupancy[statement.kernel].spilled);
    if (statement.kind == StatementKind::Stage)
      return copyWork(nest, machine, waitsForLoads(program, index),
                      lostShare[statement.kernel] *
                          spareRegisters(nest, machine));
    return elementwiseWork(nest, machine);
  }

  /// The products on tensor cores that overlap with asynchronous copies of
  /// statement `index`, or null. Other copies that run ahead do not overlap,
  /// which agrees with the records of several devices.
  const StatementSummary *productsBeside(unsigned index) const {
    const StatementSummary &copy = program.statements[index];
    if (copy.kind != StatementKind::Stage || copy.buffers == 1 || !copy.async ||
        !machine.copiesAsynchronously())
      return nullptr;
    const StatementSummary *update = nests[index].updateOf(copy.written());
    return update && WarpInstruction::of(update->instruction) ? update
                                                              : nullptr;
  }

  /// The work that statement `index` overlaps with: that of the update, and of
  /// the copies before it.
  WarpWork workBeside(unsigned index) const {
    const StatementSummary *update = productsBeside(index);
    if (!update)
      return {};
    WarpWork sum = workOf(update - program.statements.data());
    for (unsigned other = 0; other < index; ++other)
      if (productsBeside(other) == update)
        sum += workOf(other);
    return sum;
  }

  SmCycles cyclesOf(const WarpWork &work, double warps) const {
    SmCycles c;
    for (const GpuTerm *term : allGpuTerms())
      if (term->field && term != without)
        c.*(term->field) = term->cycles(work, warps, machine);
    return c;
  }

  /// Adds the cycles by which statement `out` with this work prolongs the work
  /// `beside`, which runs at the same time.
  void addCycles(const KernelShape &kernel, const WarpWork &work,
                 const WarpWork &beside, StatementPsa &out) const {
    double grid = double(std::max<int64_t>(1, kernel.grid));
    double units = double(machine.units), blocks = out.occupancy.blocks;
    double warps = warpsOf(kernel, machine);
    double full = std::floor(grid / (blocks * units));
    double rest = (grid - full * blocks * units) / units;
    if (without != &getLastWave())
      rest = std::ceil(rest);
    double cycles = 0;
    bool overlaps = beside.tensor > 0;
    WarpWork both = beside;
    both += work;
    auto add = [&](double waves, double warps) {
      out.cycles = cyclesOf(work, warps);
      cycles += waves * (overlaps ? cyclesOf(both, warps).total() -
                                        cyclesOf(beside, warps).total()
                                  : out.cycles.total());
    };
    if (rest > 0)
      add(1, rest * warps);
    if (full > 0) {
      add(full, blocks * warps);
    } else {
      out.occupancy.limit = OccupancyLimit::Grid;
      out.occupancy.blocks = rest;
    }
    out.penalties.l1Compute =
        double(kernel.block) / (warps * double(machine.lanes));
    out.penalties.l2Compute = waveUse(grid, out.occupancy.blocks * units);
    out.computeSeconds = cycles / (machine.clockMHz * 1e6);
  }

  void addBytes(const Nest &nest, StatementPsa &out) const {
    const KernelShape &kernel = program.kernelOf(nest.statement);
    double wave = std::min(double(std::max<int64_t>(1, kernel.grid)),
                           out.occupancy.blocks * double(machine.units));
    for (const AccessSummary &access : nest.statement.accesses)
      if (program.buffers[access.buffer].level == MemoryLevel::Global &&
          !nest.isLoaded(access))
        out.bytes += access.kind == AccessKind::Read
                         ? bytesRead(nest, access, wave, machine)
                         : bytesWritten(nest, access, wave, machine);
    out.memorySeconds = without == &getMemoryBandwidth()
                            ? 0
                            : out.bytes / machine.memoryBandwidth;
  }

  void addLaunch(unsigned kernel, StatementPsa &out) {
    KernelTime &time = times[kernel];
    time.seconds += out.seconds;
    if (--time.statements > 0 || without == &getBlockLaunch())
      return;
    double start = kStartCycles * double(program.kernels[kernel].grid) /
                   double(machine.units) / (machine.clockMHz * 1e6);
    out.launchSeconds = overlap(time.seconds, start) - time.seconds;
    out.seconds += out.launchSeconds;
  }

  /// The seconds of each term; those of computing without the lack of blocks.
  static void addTermSeconds(StatementPsa &out) {
    double total = out.cycles.total();
    double computing = out.computeSeconds * out.penalties.l2Compute;
    for (const GpuTerm *term : allGpuTerms())
      out.termSeconds.push_back(!term->field ? term->seconds(out)
                                : total > 0  ? out.cycles.*(term->field) /
                                                   total * computing
                                             : 0);
    out.limitTerm = gpuTerms()[llvm::max_element(out.termSeconds) -
                               out.termSeconds.begin()];
  }

  const ProgramSummary &program;
  const Machine &machine;
  const ModelTerm *without;
  bool timeOnly;
  SmallVector<unsigned, 2> steps;
  SmallVector<double, 2> registers;
  SmallVector<Occupancy, 2> occupancy;
  /// By kernel: the registers that a thread can do without, and the share of
  /// them that is not available.
  SmallVector<double, 2> spare, lostShare;
  SmallVector<Nest, 6> nests;
  SmallVector<Reduction, 2> reductions;
  struct KernelTime {
    unsigned statements = 0; ///< That are not analyzed yet.
    double seconds = 0;      ///< Of those that are.
  };
  SmallVector<KernelTime, 2> times;
  /// For each statement the number of its reduction.
  SmallVector<unsigned, 6> reductionOf;
  unsigned done = 0;
};

} // namespace

double SmCycles::total() const {
  auto fourth = [](double x) { return x * x * x * x; };
  return std::sqrt(std::sqrt(fourth(issue) + fourth(multiplyAdds) +
                             fourth(integer) + fourth(loadStore) +
                             fourth(tensor))) +
         wait;
}

void detail::throughputStatements(
    const ProgramSummary &program, const Machine &machine,
    const PsaOptions &options, bool timeOnly,
    llvm::function_ref<void(StatementPsa &&)> take) {
  Model model(program, machine, options.withoutTerm, timeOnly);
  for (size_t n = 0; n < program.statements.size(); ++n)
    take(model.next());
}
