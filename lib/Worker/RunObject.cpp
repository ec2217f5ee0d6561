//===- RunObject.cpp - verify and time host code --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CrashReporter.h"
#include "RunReplies.h"
#include "pruner/Builder/PackedArguments.h"
#include "pruner/Runtime/CacheReplay.h"
#include "pruner/Runtime/KernelTeam.h"
#include "pruner/Target/InvokeKernel.h"
#include "pruner/Target/JitModule.h"
#include "pruner/Worker/RunArtifact.h"
#include <cstring>
#include <limits>

using namespace llvm;
using namespace pruner;

std::unique_ptr<Operands> Operands::allocate(const TaskProgram &task) {
  std::unique_ptr<Operands> operands(new Operands(task.inputs().size()));
  for (ArrayRef<TensorSpec> specs : {task.inputs(), task.outputs()})
    for (const TensorSpec &spec : specs) {
      auto buffer = GuardedBuffer::allocate(spec.bytes());
      if (!buffer)
        return nullptr;
      operands->places.push_back(buffer->data());
      operands->buffers.push_back(std::move(*buffer));
    }
  for (GuardedBuffer &buffer : operands->buffers)
    reportArgument(buffer.data(), buffer.size());
  return operands;
}

Operands::~Operands() { forgetArguments(); }

void Operands::fill(ArrayRef<std::vector<uint8_t>> inputs) {
  for (auto [buffer, input] : zip(buffers, inputs))
    if (!input.empty())
      std::memcpy(buffer.data(), input.data(), input.size());
  for (size_t i = numInputs; i < buffers.size(); ++i)
    buffers[i].poison();
}

std::optional<std::string> Operands::damage() const {
  for (auto [n, buffer] : enumerate(buffers))
    if (auto damage = buffer.damage())
      return "argument " + std::to_string(n) + ": " + *damage;
  return std::nullopt;
}

std::optional<std::string>
Operands::forbiddenWrites(const ReferenceSet &set) const {
  if (auto beside = damage())
    return beside;
  for (auto [n, input] : enumerate(set.inputs))
    if (!input.empty() &&
        std::memcmp(buffers[n].data(), input.data(), input.size()))
      return "input " + std::to_string(n) + " was changed";
  return std::nullopt;
}

void Operands::open(OpenFences &fences) {
  for (GuardedBuffer &buffer : buffers)
    fences.of(buffer);
}

/// Breaks a result as the fault describes.
static void applyFault(std::optional<Fault> fault, const TaskProgram &task,
                       const Operands &operands) {
  auto *result = static_cast<uint8_t *>(operands.output(0));
  if (fault == Fault::WrongResult)
    result[task.outputs()[0].bytes() / 2] ^= 0x55;
  else if (fault == Fault::WriteAfter)
    *static_cast<volatile uint8_t *>(
        static_cast<uint8_t *>(operands.addresses().back()) +
        task.outputs().back().bytes()) = 1;
  else if (fault == Fault::WriteInput)
    *static_cast<uint8_t *>(operands.addresses().front()) ^= 1;
}

static RunReply forbiddenWriteReply(int64_t id, const std::string &what) {
  RunReply reply = failedRun(id, MeasureStatus::WrongResult, what);
  reply.retire = true; // It may have written elsewhere as well.
  return reply;
}

/// Adds an operand, in pieces if its ends have different reuse distances.
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

/// The replay that restores the cache state before each run.
static Expected<CacheReplay>
replayOf(const TaskProgram &task, const RunRequest &request, JitModule &module,
         const PackedArguments &packed, ArrayRef<void *> arguments) {
  size_t inputs = task.inputs().size();
  if (request.reuseDistances.size() != arguments.size())
    return createStringError("expected " + Twine(arguments.size()) +
                             " reuse distances, one per operand, but got " +
                             Twine(request.reuseDistances.size()));
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

namespace {
/// Detects slow code by the runs of a comparison. Code for which two runs are
/// too long cannot win, so it is neither compared on the other sets nor timed.
/// These runs are cold, so they are not used for code that takes less than a
/// millisecond, where nothing would be saved either.
class SlowRuns {
public:
  explicit SlowRuns(const RunRequest &request) : limit(request.censorAbove) {}

  void time(llvm::function_ref<void()> run) {
    int64_t start = nowNanoseconds();
    run();
    fastest = std::min(fastest, double(nowNanoseconds() - start) * 1e-9);
    ++runs;
  }
  bool enough() const {
    constexpr double atOnce = 1e-3;
    return limit > 0 && runs >= 2 && fastest > std::max(limit, atOnce);
  }
  TimingResult result() const { return censoredTime(fastest); }

private:
  double limit, fastest = std::numeric_limits<double>::infinity();
  int runs = 0;
};
} // namespace

RunReply pruner::runObject(const TaskProgram &task, const Reference &reference,
                           const RunRequest &request,
                           std::unique_ptr<Operands> &operands,
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
  if (!operands)
    operands = Operands::allocate(task);
  if (!operands)
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
  SlowRuns slow(request);
  auto prepare = [&](ArrayRef<std::vector<uint8_t>> inputs) {
    operands->fill(inputs);
    arguments = packed->pack(operands->addresses());
  };
  for (const ReferenceSet &set : reference.sets) {
    if (!request.verify)
      break;
    prepare(set.inputs);
    slow.time([&] { invokeKernel(*function, arguments); });
    applyFault(fault, task, *operands);
    auto forbiddenWrites = operands->forbiddenWrites(set);
    if (!forbiddenWrites)
      forbiddenWrites = packed->damage();
    if (forbiddenWrites)
      return forbiddenWriteReply(request.id, *forbiddenWrites);
    for (auto [n, expected] : enumerate(set.outputs))
      if (auto wrong = compareOutput(task.outputs()[n], operands->output(n),
                                     expected, errorOverBound))
        return wrongResult(request.id, n, set.pattern, *wrong);
    if (slow.enough()) {
      setTimes(reply, slow.result());
      spent.check = laps.next();
      reply.spent = spent;
      return reply;
    }
  }
  setVerdict(reply, request, reference, errorOverBound);
  if (!request.verify || !reference.plainReals.empty())
    prepare(reference.timedInputs());
  spent.check = laps.next();
  TimingOptions timing = timingOptions(request);
  if (!request.reuseDistances.empty()) {
    auto replay = replayOf(task, request, **module, *packed, arguments);
    if (!replay)
      return failedRun(request.id, MeasureStatus::RunError,
                       toString(replay.takeError()));
    timing.before = std::move(*replay);
  }
  OpenFences fences;
  operands->open(fences);
  packed->open(fences);
  setTimes(reply,
           timeCallback([&] { invokeKernel(*function, arguments); }, timing));
  // The next candidate finds the same zones around the arguments.
  if (auto damage = operands->damage())
    return forbiddenWriteReply(request.id, *damage);
  spent.timing = laps.next();
  reply.spent = spent;
  return reply;
}
