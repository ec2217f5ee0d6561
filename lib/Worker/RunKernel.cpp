//===- RunKernel.cpp - verify and time a GPU kernel -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelProgram.h"
#include "RunReplies.h"
#include "pruner/Worker/RunArtifact.h"

using namespace llvm;
using namespace pruner;

/// Bytes of pattern after every output on the device.
static constexpr size_t guardBytes = 256;
static constexpr uint8_t guardByte = 0xA5;
static constexpr uint8_t poisonByte = 0xFF;

namespace {
/// One kernel under verification. An error of the device ends the worker,
/// because the device context is lost.
class KernelRun {
public:
  KernelRun(const TaskProgram &task, const KernelProgram &program,
            CudaKernelRunner &runner)
      : task(task), program(program), runner(runner) {}

  Error verify(const ReferenceSet &set, std::optional<std::string> &wrong,
               double &errorOverBound) {
    if (Error error = upload(set.inputs))
      return error;
    if (Error error = runner.launch(program.launches))
      return error;
    for (size_t i = 0; i < set.inputs.size(); ++i) {
      std::vector<uint8_t> after(set.inputs[i].size());
      if (Error error = runner.download(i, after))
        return error;
      if (after != set.inputs[i]) {
        wrong = "input " + std::to_string(i) + " was changed";
        return Error::success();
      }
    }
    for (auto [n, expected] : enumerate(set.outputs)) {
      const TensorSpec &spec = task.outputs()[n];
      // Guard bytes follow every output.
      std::vector<uint8_t> after(spec.bytes() + guardBytes);
      if (Error error = runner.download(set.inputs.size() + n, after))
        return error;
      for (size_t i = spec.bytes(); i < after.size(); ++i)
        if (after[i] != guardByte) {
          wrong = "result " + std::to_string(n) + " was written " +
                  std::to_string(i - spec.bytes()) + " bytes past its end";
          return Error::success();
        }
      if ((wrong =
               compareOutput(spec, after.data(), expected, errorOverBound))) {
        wrong = "result " + std::to_string(n) + ": " + *wrong;
        return Error::success();
      }
    }
    return Error::success();
  }

  /// Adds the buffers at the first call, then sets their contents.
  Error upload(ArrayRef<std::vector<uint8_t>> inputs) {
    for (auto [i, input] : enumerate(inputs))
      if (Error error = place(i, input))
        return error;
    for (auto [n, spec] : enumerate(task.outputs())) {
      std::vector<uint8_t> bytes(spec.bytes(), poisonByte);
      bytes.resize(bytes.size() + guardBytes, guardByte);
      if (Error error = place(inputs.size() + n, bytes))
        return error;
    }
    size_t next = inputs.size() + task.outputs().size();
    for (size_t bytes : program.workspaces)
      if (Error error = place(next++, std::vector<uint8_t>(bytes, poisonByte)))
        return error;
    present = true;
    return Error::success();
  }

private:
  Error place(size_t argument, ArrayRef<uint8_t> bytes) {
    return present ? runner.upload(argument, bytes) : runner.addBuffer(bytes);
  }

  const TaskProgram &task;
  const KernelProgram &program;
  CudaKernelRunner &runner;
  bool present = false;
};
} // namespace

/// Keeps a reference to the context of the device until the process ends.
/// Otherwise the context would be destroyed with each runner, and creating the
/// next one takes longer than most measurements.
static Error holdContext(const CudaDriver &driver) {
  static cuda::Context context = nullptr;
  if (context)
    return Error::success();
  cuda::Device device = 0;
  const CudaFunctions &cu = driver.functions();
  if (Error error =
          driver.check(cu.deviceGet(&device, 0), "cannot open the device"))
    return error;
  return driver.check(cu.primaryCtxRetain(&context, device),
                      "cannot make a context");
}

RunReply pruner::runKernel(const TaskProgram &task, const Reference &reference,
                           const RunRequest &request) {
  Laps laps;
  RunCosts spent;
  auto driver = CudaDriver::load();
  if (!driver)
    return failedRun(request.id, MeasureStatus::Unmeasured,
                     "no CUDA device: " + toString(driver.takeError()));
  auto program = KernelProgram::read(request.facts);
  if (!program)
    return failedRun(request.id, MeasureStatus::RunError,
                     "facts.launch does not describe a launch");
  // After any error below the context may be lost. Starting a new worker costs
  // less than checking.
  auto lost = [&](Error error) {
    std::string text = toString(std::move(error));
    RunReply reply = failedRun(request.id,
                               StringRef(text).contains("OUT_OF_MEMORY")
                                   ? MeasureStatus::OutOfMemory
                                   : MeasureStatus::RunError,
                               text);
    reply.retire = true;
    return reply;
  };
  if (Error error = holdContext(**driver))
    return lost(std::move(error));
  auto runner =
      CudaKernelRunner::create(*driver, request.artifact, request.entry);
  if (!runner)
    return lost(runner.takeError());
  KernelRun run(task, *program, **runner);
  spent.load = laps.next();
  RunReply reply;
  reply.id = request.id;
  double errorOverBound = 0;
  for (const ReferenceSet &set : reference.sets) {
    if (!request.verify)
      break;
    std::optional<std::string> wrong;
    if (Error error = run.verify(set, wrong, errorOverBound))
      return lost(std::move(error));
    if (wrong)
      return failedRun(request.id, MeasureStatus::WrongResult,
                       patternName(set.pattern).str() + ": " + *wrong);
  }
  setVerdict(reply, request, reference, errorOverBound);
  spent.check = laps.next();
  if (request.minSamples == 0)
    return reply;
  if (!request.verify || !reference.plainReals.empty())
    if (Error error = run.upload(reference.timedInputs()))
      return lost(std::move(error));
  CudaTimingOptions options;
  options.minSampleSeconds = std::clamp(request.minSeconds / 2, 1e-3, 1.0);
  options.samples = int(std::clamp<int64_t>(request.minSamples, 1, 1000));
  options.censorAbove = request.censorAbove;
  auto times = (*runner)->time(program->launches, options);
  if (!times)
    return lost(times.takeError());
  setTimes(reply, *times);
  spent.timing = laps.next();
  reply.spent = spent;
  return reply;
}
