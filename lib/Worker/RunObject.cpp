//===- RunObject.cpp - verify and time host code --------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunReplies.h"
#include "pruner/Builder/PackedArguments.h"
#include "pruner/Runtime/CacheReplay.h"
#include "pruner/Runtime/GuardedBuffer.h"
#include "pruner/Runtime/KernelTeam.h"
#include "pruner/Target/InvokeKernel.h"
#include "pruner/Target/JitModule.h"
#include "pruner/Worker/CrashReporter.h"
#include "pruner/Worker/RunArtifact.h"
#include <cstring>

using namespace llvm;
using namespace pruner;

namespace {
/// The buffers of one kernel.
class Operands {
public:
  explicit Operands(const TaskProgram &task) : task(task) {}
  ~Operands() { forgetArguments(); }

  /// False when there is no memory for them.
  bool allocate() {
    auto add = [&](const TensorSpec &spec) {
      auto buffer = GuardedBuffer::allocate(spec.bytes());
      if (!buffer)
        return false;
      buffers.push_back(std::move(*buffer));
      return true;
    };
    for (const TensorSpec &spec : task.inputs())
      if (!add(spec))
        return false;
    for (const TensorSpec &spec : task.outputs())
      if (!add(spec))
        return false;
    for (GuardedBuffer &buffer : buffers) {
      pointers.push_back(buffer.data());
      reportArgument(buffer.data(), buffer.size());
    }
    return true;
  }

  void fill(const ReferenceSet &set) {
    for (auto [buffer, input] : zip(buffers, set.inputs))
      if (!input.empty())
        std::memcpy(buffer.data(), input.data(), input.size());
    for (size_t i = task.inputs().size(); i < buffers.size(); ++i)
      buffers[i].poison();
  }

  GuardedBuffer &output(size_t i) { return buffers[task.inputs().size() + i]; }

  /// What the kernel did to memory that is not its own.
  std::optional<std::string> trespass(const ReferenceSet &set) const {
    for (auto [n, buffer] : enumerate(buffers))
      if (auto damage = buffer.damage())
        return "argument " + std::to_string(n) + ": " + *damage;
    for (auto [n, input] : enumerate(set.inputs))
      if (!input.empty() &&
          std::memcmp(buffers[n].data(), input.data(), input.size()))
        return "input " + std::to_string(n) + " was changed";
    return std::nullopt;
  }

  const TaskProgram &task;
  std::vector<GuardedBuffer> buffers; ///< Inputs, then outputs.
  std::vector<void *> pointers;
};
} // namespace

/// Breaks a result as the fault says.
static void applyFault(std::optional<Fault> fault, Operands &operands) {
  if (fault == Fault::WrongResult)
    operands.output(0).as<uint8_t>()[operands.output(0).size() / 2] ^= 0x55;
  else if (fault == Fault::WriteAfter)
    operands.buffers.back()
        .as<volatile uint8_t>()[operands.buffers.back().size()] = 1;
  else if (fault == Fault::WriteInput)
    operands.buffers.front().as<uint8_t>()[0] ^= 1;
}

/// Adds an operand, in pieces where its ends are not equally far away.
static void addPieces(SmallVectorImpl<ReplayedOperand> &operands, uint8_t *data,
                      size_t bytes, const ReuseDistance &distance) {
  const size_t pieces = distance.first == distance.last ? 1 : 16;
  for (size_t n = 0; n < pieces; ++n) {
    size_t begin = alignTo(bytes * n / pieces, 64);
    size_t end = n + 1 < pieces ? alignTo(bytes * (n + 1) / pieces, 64) : bytes;
    double where = pieces > 1 ? double(n) / double(pieces - 1) : 0;
    if (begin < end)
      operands.push_back({data + begin, end - begin,
                          int64_t(double(distance.first) * (1 - where) +
                                  double(distance.last) * where)});
  }
}

/// What brings the caches into the state before each run.
static Expected<CacheReplay>
replayOf(const TaskProgram &task, const RunRequest &request, JitModule &module,
         const PackedArguments &packed, ArrayRef<void *> arguments) {
  size_t inputs = task.inputs().size();
  if (request.reuseDistances.size() != arguments.size())
    return createStringError(
        "there are " + Twine(request.reuseDistances.size()) +
        " reuse distances of " + Twine(arguments.size()) + " operands");
  SmallVector<ReplayedOperand> operands;
  for (auto [n, argument] : enumerate(arguments)) {
    size_t bytes = n < inputs ? task.inputs()[n].bytes()
                              : task.outputs()[n - inputs].bytes();
    addPieces(operands, static_cast<uint8_t *>(argument),
              packed.bytes(n).value_or(bytes), request.reuseDistances[n]);
  }
  auto code = module.sectionOf(request.entry);
  if (!code)
    return code.takeError();
  CacheReplay::Options options;
  options.threads = unsigned(std::max<int64_t>(1, request.threads));
  options.team = runOnKernelThreads;
  return CacheReplay(operands, *code, options);
}

RunReply pruner::runObject(const TaskProgram &task, const Reference &reference,
                           const RunRequest &request,
                           std::optional<Fault> fault) {
  Laps laps;
  RunCosts spent;
  auto module = loadObject(
      ArrayRef<char>(request.artifact.data(), request.artifact.size()));
  if (!module)
    return failedRun(request.id, MeasureStatus::RunError,
                     toString(module.takeError()));
  auto function = (*module)->lookup(request.entry);
  if (!function)
    return failedRun(request.id, MeasureStatus::RunError,
                     toString(function.takeError()));
  Operands operands(task);
  if (!operands.allocate())
    return failedRun(request.id, MeasureStatus::OutOfMemory,
                     "no memory for the arguments");
  setKernelThreads(unsigned(std::max<int64_t>(1, request.threads)));
  auto packs = readPacks(request.facts, task.inputs().size());
  if (!packs)
    return failedRun(request.id, MeasureStatus::RunError,
                     toString(packs.takeError()));
  auto packed = PackedArguments::create(**module, *packs);
  if (!packed)
    return failedRun(request.id, MeasureStatus::RunError,
                     toString(packed.takeError()));
  std::vector<void *> arguments;
  spent.load = laps.next();

  RunReply reply;
  reply.id = request.id;
  double errorOverBound = 0;
  for (const ReferenceSet &set : reference.sets) {
    if (!request.verify && &set != &reference.sets.back())
      continue;
    operands.fill(set);
    arguments = packed->pack(operands.pointers);
    if (!request.verify)
      break;
    invokeKernel(*function, arguments);
    applyFault(fault, operands);
    auto trespass = operands.trespass(set);
    if (!trespass)
      trespass = packed->damage();
    if (trespass) {
      RunReply bad =
          failedRun(request.id, MeasureStatus::WrongResult, *trespass);
      bad.retire = true; // It may have written elsewhere too.
      return bad;
    }
    for (auto [n, expected] : enumerate(set.outputs))
      if (auto wrong =
              compareOutput(task.outputs()[n], operands.output(n).data(),
                            expected, errorOverBound))
        return wrongResult(request.id, n, set.pattern, *wrong);
  }
  setVerdict(reply, request, reference, errorOverBound);
  spent.check = laps.next();
  TimingOptions timing = timingOptions(request);
  if (!request.reuseDistances.empty()) {
    auto replay = replayOf(task, request, **module, *packed, arguments);
    if (!replay)
      return failedRun(request.id, MeasureStatus::RunError,
                       toString(replay.takeError()));
    timing.before = std::move(*replay);
  }
  setTimes(reply,
           timeCallback([&] { invokeKernel(*function, arguments); }, timing));
  spent.timing = laps.next();
  reply.spent = spent;
  return reply;
}
