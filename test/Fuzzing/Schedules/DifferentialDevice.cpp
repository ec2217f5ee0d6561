//===- DifferentialDevice.cpp - run GPU kernels on a GPU ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Schedules/Differential.h"

#include "pruner/Builder/Candidate.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Worker/RunArtifact.h"

using namespace llvm;
using namespace pruner;

DifferentialTask::DeviceVerdict
DifferentialTask::checkOnDevice(const Schedule &schedule,
                                const CodeTarget &target) {
  DeviceVerdict verdict;
  std::string text;
  raw_string_ostream(text) << ScheduleAttr::get(module->getContext(), schedule);
  BuildOptions options;
  // The driver also compiles PTX, with a ptxas of its own version.
  options.assemble = false;
  auto built = buildCandidate(program, text, target, options);
  if (!built) {
    verdict.wrong = "does not build: " + toString(built.takeError());
    return verdict;
  }
  RunRequest request;
  request.target = target.str();
  request.format = built->format;
  request.artifact = built->artifact;
  request.entry = built->entry;
  request.facts = std::move(built->facts);
  request.minSamples = 0; // Not timed.
  RunReply reply = runKernel(program, reference, request);
  verdict.lost = reply.retire;
  if (reply.status == MeasureStatus::Unmeasured ||
      reply.status == MeasureStatus::OutOfMemory)
    verdict.skipped = reply.reason;
  else if (reply.status != MeasureStatus::Ok)
    verdict.wrong = reply.reason;
  return verdict;
}
