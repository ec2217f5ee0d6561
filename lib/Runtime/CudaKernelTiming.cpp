//===- CudaKernelTiming.cpp - time one GPU kernel ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaKernelArgument.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <cmath>

using namespace pruner;

void CudaKernelRunner::dropCopies() {
  for (Argument &argument : arguments)
    while (argument.pointers.size() > 1) {
      (void)cu.memFree(argument.pointers.back());
      argument.pointers.pop_back();
    }
  copies = 1;
}

llvm::Error CudaKernelRunner::makeCopies(size_t bytes) {
  size_t one = 0;
  for (const Argument &argument : arguments)
    if (argument.isBuffer())
      one += argument.size;
  if (one == 0 || bytes <= one)
    return llvm::Error::success();
  // A small operand set does not need more copies than launches in a sample.
  copies = std::min<size_t>((bytes + one - 1) / one, 4096);
  for (Argument &argument : arguments) {
    while (argument.isBuffer() && argument.pointers.size() < copies) {
      cuda::DevicePtr pointer = 0;
      if (llvm::Error error =
              check(cu.memAlloc(&pointer, std::max<size_t>(1, argument.size)),
                    "cannot allocate a copy of " + llvm::Twine(argument.size) +
                        " bytes"))
        return error;
      argument.pointers.push_back(pointer);
      if (argument.size)
        if (llvm::Error error =
                check(cu.memcpyDtoD(pointer, argument.pointers.front(),
                                    argument.size),
                      "cannot copy on the device"))
          return error;
    }
  }
  return waitForCopies();
}

/// The events and the graph of one call of `time`.
class CudaKernelRunner::Timing {
public:
  Timing(CudaKernelRunner &runner, llvm::ArrayRef<CudaLaunch> program)
      : r(runner), cu(runner.cu), program(program) {}
  ~Timing() {
    if (exec)
      (void)cu.graphExecDestroy(exec);
    if (graph)
      (void)cu.graphDestroy(graph);
    for (cuda::Event event : {start, end})
      if (event)
        (void)cu.eventDestroy(event);
  }

  llvm::Error setUp() {
    for (cuda::Event *event : {&start, &end})
      if (llvm::Error error =
              r.check(cu.eventCreate(event, 0), "cannot make an event"))
        return error;
    return llvm::Error::success();
  }

  /// Records launches as a graph that `sample` submits. Rounds `launches` up to
  /// a whole number of graphs; instantiation costs microseconds per node.
  llvm::Error capture(int &launches) {
    perGraph = std::min(launches, 1000);
    launches = (launches + perGraph - 1) / perGraph * perGraph;
    // 1: only this thread's work belongs to the capture.
    if (llvm::Error error =
            r.check(cu.streamBeginCapture(r.stream, 1), "cannot begin a graph"))
      return error;
    llvm::Error failed = submitAll(perGraph);
    // The capture must end, even after an error.
    llvm::Error ended =
        r.check(cu.streamEndCapture(r.stream, &graph), "cannot end a graph");
    if (failed || ended)
      return llvm::joinErrors(std::move(failed), std::move(ended));
    if (llvm::Error error = r.check(cu.graphInstantiate(&exec, graph, 0),
                                    "cannot instantiate a graph"))
      return error;
    // The first launch of a graph uploads it.
    return sample(launches).takeError();
  }

  /// Seconds per launch over `launches` launches between two events.
  llvm::Expected<double> sample(int launches) {
    if (llvm::Error error =
            r.check(cu.eventRecord(start, r.stream), "cannot record an event"))
      return error;
    if (llvm::Error error = exec ? submitGraphs(launches) : submitAll(launches))
      return error;
    if (llvm::Error error =
            r.check(cu.eventRecord(end, r.stream), "cannot record an event"))
      return error;
    if (llvm::Error error =
            r.check(cu.eventSynchronize(end), "failed while running"))
      return error;
    float milliseconds = 0;
    if (llvm::Error error =
            r.check(cu.eventElapsedTime(&milliseconds, start, end),
                    "cannot read the time"))
      return error;
    return milliseconds * 1e-3 / launches;
  }

private:
  llvm::Error submitAll(int launches) {
    for (int i = 0; i < launches; ++i)
      if (llvm::Error error = r.submit(program, next++ % r.copies))
        return error;
    return llvm::Error::success();
  }

  llvm::Error submitGraphs(int launches) {
    for (int i = 0; i < launches; i += perGraph)
      if (llvm::Error error =
              r.check(cu.graphLaunch(exec, r.stream), "cannot launch a graph"))
        return error;
    return llvm::Error::success();
  }

  CudaKernelRunner &r;
  const CudaFunctions &cu;
  llvm::ArrayRef<CudaLaunch> program;
  cuda::Event start = nullptr, end = nullptr;
  cuda::Graph graph = nullptr;
  cuda::GraphExec exec = nullptr;
  int perGraph = 1; ///< Launches in the graph.
  size_t next = 0;  ///< The next copy of the buffers.
};

llvm::Expected<TimingResult>
CudaKernelRunner::time(llvm::ArrayRef<CudaLaunch> program,
                       const CudaTimingOptions &options) {
  if (llvm::Error error =
          check(cu.ctxSetCurrent(context), "cannot use the context"))
    return error;
  if (llvm::Error error = prepare(program))
    return error;
  llvm::scope_exit cleanUp([&] { dropCopies(); });
  if (llvm::Error error = makeCopies(options.rotateBytes))
    return error;
  // Declared after `cleanUp`, so it is destroyed first: graphs hold addresses
  // of buffers.
  Timing timing(*this, program);
  if (llvm::Error error = timing.setUp())
    return error;

  double spent = 0;
  for (int i = 0; i < options.warmUps && spent < options.minSampleSeconds;
       ++i) {
    llvm::Expected<double> seconds = timing.sample(1);
    if (!seconds)
      return seconds.takeError();
    spent += *seconds;
  }
  llvm::Expected<double> first = timing.sample(1);
  if (!first)
    return first.takeError();
  if (options.censorAbove > 0 && *first > options.censorAbove)
    return censoredTime(*first);

  // The first run includes the CPU cost of a launch. Estimate R again from a
  // tenth of it; otherwise short kernels get samples that are too short.
  int launches = 1;
  double estimate = *first;
  for (int round = 0; round < 2; ++round) {
    double wanted = options.minSampleSeconds / (round == 0 ? 10 : 1);
    launches = std::clamp<double>(std::ceil(wanted / std::max(estimate, 1e-8)),
                                  1, std::max(1, options.maxLaunchesPerSample));
    if (round == 1)
      break;
    llvm::Expected<double> seconds = timing.sample(launches);
    if (!seconds)
      return seconds.takeError();
    estimate = *seconds;
  }
  if (options.useGraph && launches > 1 && cu.hasGraphs())
    if (llvm::Error error = timing.capture(launches))
      return error;

  return repeatWhileNoisy(
      options.maxSpread, options.maxRepeats, /*repeatBelow=*/0, launches,
      [&](int) -> llvm::Expected<std::vector<double>> {
        std::vector<double> samples;
        for (int i = 0; i < std::max(1, options.samples); ++i) {
          llvm::Expected<double> seconds = timing.sample(launches);
          if (!seconds)
            return seconds.takeError();
          samples.push_back(*seconds);
        }
        return samples;
      });
}
