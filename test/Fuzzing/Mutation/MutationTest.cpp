//===- MutationTest.cpp - does the check reject faults? -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Mutation/MutationTest.h"

#include "Fuzzing/Schedules/Forked.h"
#include "TaskRun.h"
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

using namespace llvm;
using namespace pruner;

std::vector<std::string> pruner::mutationTaskNames() {
  std::vector<std::string> names;
  for (const TaskKind &kind : taskKinds())
    names.push_back(kind.name);
  return names;
}

static MutationTestReport collect(const MutationTestMemory &shared) {
  MutationTestReport report;
  for (auto [k, kind] : enumerate(taskKinds()))
    for (auto [t, type] : enumerate(kind.types)) {
      if (shared.right[k][t].ran)
        report.right[{kind.name, type}] = shared.right[k][t];
      for (unsigned m = 0; m < numMutationKinds; ++m)
        if (shared.mutants[k][t][m].made)
          report.mutants[{kind.name, type, MutationKind(m)}] =
              shared.mutants[k][t][m];
    }
  report.failedTasks = shared.failedTasks;
  report.next = shared.next;
  return report;
}

MutationTestReport pruner::runMutationTest(const MutationTestOptions &options,
                                           raw_ostream &log) {
  MutationTestReport failure;
  failure.failedTasks = 1;
  for (const TaskKind &kind : taskKinds())
    if (taskKinds().size() > MutationTestMemory::maxKinds ||
        kind.types.size() > MutationTestMemory::maxTypes) {
      log << "cannot start: more kinds or types of tasks than counters\n";
      return failure;
    }
  std::vector<size_t> kinds;
  for (auto [n, kind] : enumerate(taskKinds()))
    if (options.tasks.empty() || is_contained(options.tasks, kind.name))
      kinds.push_back(n);
  void *memory =
      mmap(nullptr, sizeof(MutationTestMemory), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || kinds.empty() || !options.mutantsPerTask ||
      !options.schedules) {
    log << "cannot start: no memory, no such kind of task, or no mutants or "
           "schedules per task\n";
    return failure;
  }
  auto &shared = *new (memory) MutationTestMemory();
  std::optional<StopOnSignals> signals(std::in_place, shared.stop);
  uint64_t end = options.first + options.count;
  shared.next = options.first;
  while (shared.next < end && !shared.stop) {
    uint64_t number = shared.next / options.mutantsPerTask;
    uint64_t stop = std::min(end, (number + 1) * options.mutantsPerTask);
    log.flush();
    std::optional<int> status = runForked([&] {
      TaskRun(options, shared, log, kinds, number).run(shared.next, stop);
      log.flush();
    });
    if (!status) {
      log << "cannot fork: " << std::strerror(errno) << "\n";
      return failure;
    }
    if (*status != 0) {
      log << "FAILED task " << number << ": " << describeEnd(*status) << "\n";
      ++shared.failedTasks;
    }
    if (!shared.stop)
      shared.next = stop;
  }
  MutationTestReport report = collect(shared);
  report.interrupted = shared.stop && shared.next < end;
  signals.reset();
  munmap(memory, sizeof(MutationTestMemory));
  return report;
}
