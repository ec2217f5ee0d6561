//===- FuzzTasks.cpp - tasks, and schedules for them ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The input is the text of a task as records and datasets have it, a line
// "---", and a schedule.

#include "pruner/Analysis/DraftModel.h"
#include "pruner/Analysis/Legality.h"
#include "pruner/Analysis/ScheduleFeatures.h"
#include "pruner/Dataset/DatasetView.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Machine/MachineFile.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Recognition/TaskText.h"

#include "mlir/IR/Diagnostics.h"

#include <cmath>
#include <cstdlib>

using namespace pruner;

/// Round numbers.
static constexpr llvm::StringLiteral kCpu = R"({
 "version": 1, "name": "cpu:round", "kind": "cpu", "arch": "generic",
 "features": "", "peakFlops": 16e9, "memoryBandwidth": 16e9, "units": 4,
 "schedulersPerUnit": 1, "lanes": 8, "registersPerThread": 128,
 "maxRegistersPerThread": 128, "registersPerUnit": 128,
 "sharedBytesPerBlock": 0, "sharedBytesPerBlockOptIn": 0,
 "sharedBytesPerUnit": 0, "maxThreadsPerBlock": 1, "maxThreadsPerUnit": 1,
 "maxBlocksPerUnit": 1, "activeBlocksPerUnit": 1, "activeWarpsPerUnit": 1,
 "maxVirtualThreads": 1, "transactionBytes": 64, "l1Bytes": 32768,
 "l2Bytes": 262144, "l3Bytes": 0, "vectorRegisters": 16, "vectorBytes": 32,
 "memoryBytes": 1073741824, "clockMHz": 1000, "notes": []
})";

static void require(bool condition) {
  if (!condition)
    std::abort();
}

static void examine(const TaskDesc &task, const Schedule &schedule,
                    const Machine &machine) {
  if (checkProgramExists(task, schedule, machine))
    return;
  // A program that can be built can be analyzed, even if it is not legal.
  FeatureParts all;
  all.statements = all.terms = all.primitives = true;
  ScheduleFeatures features(task, machine, all);
  ProgramFeatures found = features(schedule);
  require(found.rows > 0 && !found.terms.empty() && !found.primitives.empty());
  double seconds = DraftModel(task, machine)(schedule);
  require(!std::isnan(seconds) && seconds > 0);
  // The features of a legal program are finite, because models rank by them.
  if (!checkSchedule(task, schedule, machine))
    require(found.isValid(all) && std::isfinite(seconds));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned used = 0;
  static const Machine gpu = llvm::cantFail(knownMachine("a100-40"));
  static const Machine cpu = llvm::cantFail(parseMachine(kCpu, "cpu"));
  // Attributes live as long as their context.
  if (!context || ++used % 1000 == 0)
    context = createTaskContext();
  auto [text, end] = llvm::StringRef(reinterpret_cast<const char *>(data), size)
                         .split("\n---\n");
  auto task = parseTaskText(text, context.get());
  if (!task) {
    llvm::consumeError(task.takeError());
    return 0;
  }
  taskKind(task->ir);
  taskStem(task->ir);
  // The key does not depend on the form of the text.
  std::string printed;
  llvm::raw_string_ostream(printed) << *task->module;
  auto again = parseTaskText(printed, context.get());
  require(again && again->key == task->key);
  auto schedule = readScheduleText(end, context.get());
  if (!schedule) {
    llvm::consumeError(schedule.takeError());
    return 0;
  }
  for (const Machine *machine : {&cpu, &gpu})
    examine(task->ir.desc, schedule->getValue(), *machine);
  return 0;
}
