//===- EmulateKernel.cpp - verify a GPU kernel without a device -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelProgram.h"
#include "RunReplies.h"
#include "pruner/Ptx/Machine.h"
#include "pruner/Worker/RunArtifact.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;
using namespace pruner;

/// The detector of races in global memory takes up to 60 times the memory of
/// the buffers.
static constexpr uint64_t maxRaceCheckedBytes = uint64_t(16) << 20;
/// How many instructions a block may execute for each that the first block
/// does. Blocks at edges have more branches, but no more work.
static constexpr uint64_t stepsPerStep = 8;

namespace {
/// One candidate in the PTX machine.
class Emulation {
public:
  Emulation(const TaskProgram &task, const KernelProgram &program,
            uint64_t limit)
      : task(task), program(program), limit(limit) {}

  /// Decodes the kernels.
  Error decode(StringRef text, StringRef entry);
  /// Runs the first block alone, and chooses the blocks that run on each of
  /// `sets` sets.
  Error choose(const ReferenceSet &set, size_t sets);
  /// Runs the chosen blocks on a set. `number` selects the addresses, the error
  /// of approximate functions and the time of asynchronous copies.
  Error run(const ReferenceSet &set, size_t number);

  /// The number of sets for which the limit suffices, at least 1.
  size_t numSets() const {
    return size_t(std::max<uint64_t>(1, limit / stepsOfSet));
  }
  /// The part of the blocks that run.
  double share() const {
    return blocks.empty() ? 1 : double(blocks.size()) / double(numBlocks);
  }
  /// The defect of the code.
  const std::string &wrong() const { return defect; }
  double errorOverBound = 0;

private:
  Expected<uint64_t> launchAll(const ReferenceSet &set,
                               ptx::LaunchOptions options);
  void compare(const ReferenceSet &set);

  const TaskProgram &task;
  const KernelProgram &program;
  const uint64_t limit;
  std::vector<std::unique_ptr<ptx::Program>> kernels;
  std::vector<std::vector<uint8_t>> results, written;
  std::vector<uint32_t> blocks; ///< Empty for all.
  uint64_t numBlocks = 0;
  uint64_t stepsOfSet = 0; ///< About the instructions of a set.
  std::string defect;
};
} // namespace

Error Emulation::decode(StringRef text, StringRef entry) {
  auto module = ptx::parse(text);
  if (!module)
    return module.takeError();
  for (const CudaLaunch &launch : program.launches) {
    if (launch.cluster != std::array<unsigned, 3>{1, 1, 1})
      return createStringError("the PTX machine has no clusters");
    auto kernel = ptx::Program::decode(
        *module, launch.kernel.empty() ? entry : StringRef(launch.kernel));
    if (!kernel)
      return kernel.takeError();
    kernels.push_back(std::move(*kernel));
  }
  const auto &grid = program.launches.front().grid;
  numBlocks = uint64_t(grid[0]) * grid[1] * grid[2];
  if (numBlocks > UINT32_MAX)
    return createStringError("the grid is too large");
  return Error::success();
}

/// Returns the number of instructions. A violation becomes the defect, except
/// for the limit of instructions, which is an error.
Expected<uint64_t> Emulation::launchAll(const ReferenceSet &set,
                                        ptx::LaunchOptions options) {
  results.clear();
  written.clear();
  std::vector<ptx::Argument> arguments;
  uint64_t bytes = 0;
  for (const std::vector<uint8_t> &input : set.inputs) {
    ptx::Argument &argument = arguments.emplace_back();
    argument.data = const_cast<uint8_t *>(input.data());
    argument.bytes = input.size();
    argument.isReadOnly = true;
    bytes += input.size();
  }
  auto addWritten = [&](uint64_t size) {
    results.emplace_back(size, 0xff);
    written.emplace_back(size);
    ptx::Argument &argument = arguments.emplace_back();
    argument.data = results.back().data();
    argument.written = written.back().data();
    argument.bytes = size;
    bytes += size;
  };
  for (const TensorSpec &spec : task.outputs())
    addWritten(spec.bytes());
  for (size_t size : program.workspaces)
    addWritten(size);
  options.checkGlobalRaces = bytes <= maxRaceCheckedBytes;
  uint64_t steps = 0;
  for (auto [launch, kernel] : zip_equal(program.launches, kernels)) {
    options.grid = launch.grid;
    options.block = launch.block;
    options.dynamicSharedBytes = launch.dynamicSharedBytes;
    auto counts = kernel->launch(arguments, options);
    if (!counts) {
      bool isLimit = false;
      std::string text;
      handleAllErrors(counts.takeError(), [&](const ptx::Fault &fault) {
        isLimit = fault.violation == ptx::Violation::StepLimit;
        text = kernel->kernel().name + ": " + fault.text;
      });
      if (isLimit)
        return createStringError(text);
      defect = text;
      return steps;
    }
    steps += counts->steps;
  }
  return steps;
}

/// Elements of a result of which some byte was written.
static int64_t numWritten(const TensorSpec &spec, ArrayRef<uint8_t> written) {
  int64_t width = byteWidth(spec.type), count = 0;
  for (int64_t i = 0, e = spec.elements(); i < e; ++i)
    count += is_contained(written.slice(i * width, width), 1);
  return count;
}

/// Numbers of `count` of `all` blocks: the corners of the grid, then others in
/// a fixed order without a period.
static std::vector<uint32_t> sample(const std::array<unsigned, 3> &grid,
                                    uint64_t count) {
  uint64_t x = grid[0], xy = x * grid[1], all = xy * grid[2];
  SetVector<uint32_t> chosen;
  for (uint64_t corner : {uint64_t(0), all - 1, x - 1, xy - x, all - x,
                          all - xy, xy - 1, all - xy + x - 1})
    if (chosen.size() < count)
      chosen.insert(uint32_t(corner));
  // Multiples of the golden ratio are spread evenly.
  for (uint64_t n = 1; chosen.size() < count; ++n)
    chosen.insert(uint32_t((n * 0x9E3779B97F4A7C15u >> 32) * all >> 32));
  std::vector<uint32_t> numbers(chosen.begin(), chosen.end());
  sort(numbers);
  return numbers;
}

Error Emulation::choose(const ReferenceSet &set, size_t sets) {
  auto tooLong = [&] {
    return createStringError("the PTX machine would execute more than " +
                             Twine(limit) + " instructions of warps");
  };
  const uint32_t first = 0;
  ptx::LaunchOptions options;
  options.stepLimit = limit;
  if (program.launches.size() == 1) {
    options.blocks = first;
    auto steps = launchAll(set, options);
    if (!steps) {
      consumeError(steps.takeError());
      return tooLong();
    }
    stepsOfSet = std::max<uint64_t>(*steps, 1);
    uint64_t count = std::max<uint64_t>(limit / sets / stepsOfSet, 1);
    if (!defect.empty() || count >= numBlocks) {
      stepsOfSet *= numBlocks;
      return Error::success();
    }
    // No other block has a larger tile than the first one.
    for (auto [n, spec] : enumerate(task.outputs())) {
      int64_t least = divideCeil(spec.elements(), numBlocks);
      int64_t wrote = numWritten(spec, written[n]);
      if (wrote < least) {
        defect = ("result " + Twine(n) + ": the first of " + Twine(numBlocks) +
                  " blocks wrote " + Twine(wrote) + " elements, expected " +
                  Twine(least) + " or more")
                     .str();
        return Error::success();
      }
    }
    blocks = sample(program.launches.front().grid, count);
    stepsOfSet *= count;
    return Error::success();
  }
  // Later kernels need what all blocks of the first one wrote.
  auto steps = launchAll(set, options);
  if (!steps) {
    consumeError(steps.takeError());
    return tooLong();
  }
  stepsOfSet = std::max<uint64_t>(*steps, 1);
  return Error::success();
}

Error Emulation::run(const ReferenceSet &set, size_t number) {
  ptx::LaunchOptions options;
  options.addressOffset = number % 2 ? 16 : 0;
  options.approximationError = double(number % 3) - 1;
  options.copies =
      number / 2 % 2 ? ptx::CopyTiming::AtIssue : ptx::CopyTiming::AtWait;
  options.blocks = blocks;
  options.stepLimit = stepsPerStep * std::max(limit, stepsOfSet);
  if (auto steps = launchAll(set, options); !steps)
    return steps.takeError();
  if (defect.empty())
    compare(set);
  return Error::success();
}

void Emulation::compare(const ReferenceSet &set) {
  for (auto [n, spec] : enumerate(task.outputs())) {
    const int64_t width = byteWidth(spec.type);
    ExpectedOutput expected = set.outputs[n];
    for (int64_t i = 0, e = spec.elements(); i < e; ++i) {
      ArrayRef<uint8_t> bytes = ArrayRef(written[n]).slice(i * width, width);
      if (!is_contained(bytes, 0))
        continue;
      if (blocks.empty()) {
        defect = ("result " + Twine(n) + ": element " + Twine(i) +
                  " was never written")
                     .str();
        return;
      }
      // Another block writes it.
      expected.bound.resize(expected.want.size(), 0);
      expected.bound[i] = INFINITY;
    }
    if (auto wrong =
            compareOutput(spec, results[n].data(), expected, errorOverBound)) {
      defect = "result " + std::to_string(n) + ": " + *wrong;
      return;
    }
  }
}

RunReply pruner::emulateKernel(const TaskProgram &task,
                               const Reference &reference,
                               const RunRequest &request) {
  Laps laps;
  RunCosts spent;
  auto failed = [&](MeasureStatus status, std::string reason) {
    return failedRun(request.id, status, std::move(reason));
  };
  auto unmeasured = [&](Error error) {
    return failed(MeasureStatus::Unmeasured, toString(std::move(error)));
  };
  if (request.format != "ptx")
    return failed(MeasureStatus::Unmeasured,
                  "the PTX machine does not run '" + request.format + "'");
  auto program = KernelProgram::read(request.facts);
  if (!program)
    return failed(MeasureStatus::RunError,
                  "facts.launch does not describe a launch");
  Emulation emulation(task, *program, uint64_t(request.emulate));
  if (Error error = emulation.decode(request.artifact, request.entry))
    return unmeasured(std::move(error));
  spent.load = laps.next();
  auto wrong = [&](const ReferenceSet &set) {
    return failed(MeasureStatus::WrongResult,
                  "in the PTX machine, " + patternName(set.pattern).str() +
                      ": " + emulation.wrong());
  };
  const auto &sets = reference.sets;
  if (Error error = emulation.choose(sets.front(), sets.size()))
    return unmeasured(std::move(error));
  if (!emulation.wrong().empty())
    return wrong(sets.front());
  // The last set, of reals, and the first ones if the limit is too low for all.
  for (size_t n = 0; n < std::min(sets.size(), emulation.numSets()); ++n) {
    const ReferenceSet &set = n == 0 ? sets.back() : sets[n - 1];
    if (Error error = emulation.run(set, n))
      return unmeasured(std::move(error));
    if (!emulation.wrong().empty())
      return wrong(set);
  }
  RunReply reply;
  reply.id = request.id;
  reply.emulated = emulation.share();
  spent.check = laps.next();
  reply.spent = spent;
  return reply;
}
