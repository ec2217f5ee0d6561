//===- MeasureStatus.cpp - the status of a measurement --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/MeasureStatus.h"

using namespace llvm;
using namespace pruner;

ArrayRef<MeasureStatus> pruner::allMeasureStatuses() {
  static const MeasureStatus all[] = {
      MeasureStatus::Ok,           MeasureStatus::BuildError,
      MeasureStatus::BuildTimeout, MeasureStatus::BuildCrash,
      MeasureStatus::RunError,     MeasureStatus::RunTimeout,
      MeasureStatus::RunCrash,     MeasureStatus::OutOfMemory,
      MeasureStatus::WrongResult,  MeasureStatus::Unmeasured};
  return all;
}

StringRef pruner::stringifyMeasureStatus(MeasureStatus status) {
  switch (status) {
  case MeasureStatus::Ok:
    return "ok";
  case MeasureStatus::BuildError:
    return "build-error";
  case MeasureStatus::BuildTimeout:
    return "build-timeout";
  case MeasureStatus::BuildCrash:
    return "build-crash";
  case MeasureStatus::RunError:
    return "run-error";
  case MeasureStatus::RunTimeout:
    return "run-timeout";
  case MeasureStatus::RunCrash:
    return "run-crash";
  case MeasureStatus::OutOfMemory:
    return "out-of-memory";
  case MeasureStatus::WrongResult:
    return "wrong-result";
  case MeasureStatus::Unmeasured:
    return "unmeasured";
  }
  return "unmeasured";
}

std::optional<MeasureStatus> pruner::symbolizeMeasureStatus(StringRef name) {
  for (MeasureStatus status : allMeasureStatuses())
    if (stringifyMeasureStatus(status) == name)
      return status;
  return std::nullopt;
}
