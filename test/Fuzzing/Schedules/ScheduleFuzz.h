//===- ScheduleFuzz.h - test random schedules of tasks ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_SCHEDULES_SCHEDULEFUZZ_H
#define PRUNER_FUZZING_SCHEDULES_SCHEDULEFUZZ_H

#include "pruner/Machine/Machine.h"
#include "pruner/Program/Task.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Sketch/Schedule.h"
#include "pruner/Support/Random.h"
#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// A random task function as MLIR text: a contraction (any operand layout,
/// batches, f16/bf16/f32/f64/integers, prologue, epilogue, with an initial
/// constant or argument), a convolution, a reduction or an elementwise op with
/// broadcast, permuted and strided operands, or a chain over rows. Any operand
/// may be a part of a larger tensor that is read in place: at constant offsets,
/// with strides, or in one of several blocks. Extents are often primes, ones
/// and the neighbors of tile sizes; the iteration domain stays below about 2^17
/// points.
std::string randomTask(Random &random);

/// A random chain between two products as MLIR text: any layouts, batches,
/// masks, a softmax or other elementwise ops and reductions of rows in between.
std::string randomJoinedTask(Random &random);
/// A product with weights of bytes or of halves of bytes.
std::string randomWeightOnlyTask(Random &random);
/// A random product, batch of products or convolution as MLIR text, whose types
/// an instruction of warps of `machine` multiplies (f16, bf16, bytes, f32
/// rounded to tf32). Most extents are not multiples of a product's, and sums
/// may be shorter than one.
std::string randomWarpTask(const Machine &machine, Random &random);

/// A random CPU schedule of the right shape for `task`, for any machine:
/// vectors wider than its registers, register tiles of one element or far too
/// large ones, tiles beyond the extent. Never one that `isLong`.
Schedule randomCpuSchedule(const TaskDesc &task, Random &random);

/// Whether the straight-line code of a CPU schedule is more than 128 vector
/// operations or 1024 elements, which take long to compile.
bool isLong(const Schedule &schedule);

/// A random GPU schedule that is legal for `task` on `machine`, but beyond
/// those that search draws: any number of threads, thread tiles that divide
/// nothing, row padding and all kinds of stages. std::nullopt if 200 draws were
/// illegal.
std::optional<Schedule>
randomGpuSchedule(const TaskDesc &task, const Machine &machine, Random &random);

/// Reduces the unrolling of a GPU schedule if a thread would have more than
/// about 256 iterations, which take long to compile for the emulator.
void limitUnrolling(const TaskDesc &task, Schedule &schedule);

/// A CPU with registers of `vectorBytes` (16, 32 or 64: SSE, AVX2, AVX-512).
/// Fixed, so that draws for it are the same on every host.
Machine anyCpu(int64_t vectorBytes);

/// Draws schedules of one task for one machine. Half of them come from search;
/// the other half are more unusual (randomCpuSchedule, randomGpuSchedule). Few
/// take long to compile.
class ScheduleDraw {
public:
  ScheduleDraw(const TaskDesc &task, const Machine &machine);
  Schedule draw(Random &random);
  /// The same with an instruction of warps. Those from search are of any size,
  /// and half of them are mutated. Of 20 draws without one, the last.
  Schedule drawForWarps(Random &random);

private:
  std::optional<Schedule> sample(Random &random);
  ScheduleSpace space;
};

struct FuzzOptions {
  /// CPU schedules run as compiled code. GPU schedules (for an sm_80) run in
  /// the emulator or, for `chip`, as PTX in the PTX machine or on the first
  /// CUDA device.
  enum class Target { Cpu, Gpu, Ptx, Device } target = Target::Cpu;
  /// Architectures or devices that Ptx and Device schedules are for, separated
  /// by commas ("sm_90a", "h200"). Tasks take turns.
  std::string chip = "sm_80";
  uint64_t seed = 1;
  /// The number of the first case, and how many to run. A case depends only on
  /// its number and the seed.
  uint64_t first = 0, count = 150;
  /// Draw chains between two products (randomJoinedTask) instead of all other
  /// tasks. For CPUs.
  bool joined = false;
  /// Draw tasks and schedules for tensor cores (randomWarpTask). For Ptx and
  /// Device.
  bool tensorCores = false;
  /// Cases of one task, which share its reference.
  unsigned schedulesPerTask = 10;
  /// Seconds of processor time after which a case counts as hanging. The limit
  /// of wall-clock time is ten times as long.
  unsigned timeout = 60;
  /// Print each case, or the task with its schedule attached.
  bool verbose = false, dump = false;
  /// Print one JSON object per case and line instead of text: `case`, `family`
  /// (sketch, kind of task, element type), `status` (`right`, `wrong`,
  /// `skipped`, `crashed`), `exact`, `reason`.
  bool json = false;
};

struct FuzzReport {
  uint64_t ran = 0, wrong = 0, crashed = 0;
  /// Cases that the device or its driver could not run.
  uint64_t skipped = 0;
  /// Cases compared bit for bit (the others within a bound).
  uint64_t exact = 0;
  /// Cases whose schedule has an instruction of warps.
  uint64_t ofWarps = 0;
  /// An interrupt or termination signal ended the run before its last case.
  bool interrupted = false;
};

/// Runs cases in forked children, a new one after each crash. Writes errors to
/// `log`, with the command that repeats them. The first SIGINT or SIGTERM ends
/// the run after the current case. The calling process must have no other
/// threads.
FuzzReport runFuzz(const FuzzOptions &options, llvm::raw_ostream &log);

} // namespace pruner

#endif // PRUNER_FUZZING_SCHEDULES_SCHEDULEFUZZ_H
