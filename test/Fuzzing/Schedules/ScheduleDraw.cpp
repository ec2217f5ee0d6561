//===- ScheduleDraw.cpp - draw schedules of one task ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Schedules/ScheduleFuzz.h"
#include "pruner/Machine/HostCpu.h"
#include "pruner/Sketch/Resources.h"

using namespace pruner;

Machine pruner::anyCpu(int64_t vectorBytes) {
  Machine machine;
  machine.name = "cpu:any";
  // The matrix instructions of this CPU, because the code is run.
  static const Machine host = queryHostCpu();
  machine.arch = host.arch;
  machine.features = host.features;
  machine.kind = Machine::Kind::Cpu;
  machine.peakFlops = 1e11;
  machine.memoryBandwidth = 1e10;
  machine.units = machine.schedulersPerUnit = 1;
  machine.lanes = vectorBytes / 4;
  machine.vectorBytes = vectorBytes;
  machine.vectorRegisters = vectorBytes == 64 ? 32 : 16;
  machine.registersPerThread = machine.maxRegistersPerThread =
      machine.registersPerUnit = machine.vectorRegisters * machine.lanes;
  machine.maxThreadsPerBlock = machine.maxThreadsPerUnit =
      machine.maxBlocksPerUnit = machine.activeBlocksPerUnit =
          machine.activeWarpsPerUnit = machine.maxVirtualThreads = 1;
  machine.transactionBytes = 64;
  machine.l1Bytes = 32 << 10;
  machine.l2Bytes = 512 << 10;
  machine.l3Bytes = 32 << 20;
  return machine;
}

ScheduleDraw::ScheduleDraw(const TaskDesc &task, const Machine &machine)
    : space(task, machine) {}

std::optional<Schedule> ScheduleDraw::sample(Random &random) {
  // A schedule that takes long to compile is mostly drawn again.
  std::optional<Schedule> schedule = space.sample(random);
  for (unsigned again = 0; again < 4 && schedule; ++again) {
    bool large = space.machine().isGpu()
                     ? resourcesOf(space.task(), *schedule).accumulators > 64
                     : isLong(*schedule);
    if (!large)
      break;
    schedule = space.sample(random);
  }
  return schedule;
}

Schedule ScheduleDraw::draw(Random &random) {
  bool beyond = random.uniform(2);
  std::optional<Schedule> schedule;
  if (space.machine().isGpu()) {
    if (beyond)
      schedule = randomGpuSchedule(space.task(), space.machine(), random);
    if (!schedule)
      schedule = sample(random);
    // The schedule without tiles is legal if it fits into one block.
    if (!schedule)
      return Schedule();
    limitUnrolling(space.task(), *schedule);
    return *schedule;
  }
  if (!beyond)
    schedule = sample(random);
  return schedule ? *schedule : randomCpuSchedule(space.task(), random);
}

Schedule ScheduleDraw::drawForWarps(Random &random) {
  bool beyond = random.uniform(2);
  std::optional<Schedule> last;
  for (unsigned again = 0; again < 20; ++again) {
    std::optional<Schedule> schedule;
    if (beyond) {
      schedule = randomGpuSchedule(space.task(), space.machine(), random);
    } else {
      schedule = space.sample(random);
      if (schedule && random.uniform(2))
        schedule = space.mutate(*schedule, random);
    }
    if (!schedule)
      continue;
    last = schedule;
    if (schedule->instruction)
      break;
  }
  if (!last)
    return draw(random);
  limitUnrolling(space.task(), *last);
  return *last;
}
