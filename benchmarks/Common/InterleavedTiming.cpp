//===- InterleavedTiming.cpp - time contenders interleaved ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterleavedTiming.h"

#include "pruner/Runtime/Timer.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <dirent.h>
#include <string>
#include <thread>

using namespace pruner;
using namespace pruner::bench;

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

static double seconds(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Seconds in which threads of this process were ready to run but had no CPU,
/// or -1. (The second number of schedstat is nanoseconds of waiting for a CPU.)
static double secondsWaited() {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks)
    return -1;
  double total = -1;
  while (dirent *entry = readdir(tasks)) {
    if (entry->d_name[0] == '.')
      continue;
    std::string path =
        std::string("/proc/self/task/") + entry->d_name + "/schedstat";
    std::FILE *file = std::fopen(path.c_str(), "r");
    if (!file)
      continue;
    unsigned long long ran, waited;
    if (std::fscanf(file, "%llu %llu", &ran, &waited) == 2)
      total = std::max(total, 0.0) + 1e-9 * double(waited);
    std::fclose(file);
  }
  closedir(tasks);
  return total;
}

/// Replaces the content of all caches of this core, including shared ones.
static void readOtherMemory(size_t bytes) {
  static std::vector<uint8_t> memory;
  if (memory.size() < bytes)
    memory.assign(bytes, 1);
  uint64_t sum = 0;
  for (size_t at = 0; at < bytes; at += 64)
    sum += memory[at];
  volatile uint64_t sink = sum;
  (void)sink;
}

std::vector<Batch> bench::timeBatches(const std::function<void()> &run,
                                      const TimeRequest &request) {
  std::vector<Batch> batches;
  // Also warms up the caches after the previous contender.
  double start = seconds(CLOCK_MONOTONIC);
  run();
  double once = std::max(seconds(CLOCK_MONOTONIC) - start, 1e-9);
  int64_t runs = std::max<int64_t>(1, int64_t(request.batchSeconds / once));
  if (request.coldBytes)
    runs = 1;
  double total = 0;
  while (batches.empty() || total < request.seconds) {
    double begin = seconds(CLOCK_MONOTONIC);
    if (request.coldBytes) {
      readOtherMemory(request.coldBytes);
      total += seconds(CLOCK_MONOTONIC) - begin;
    }
    Batch batch;
    batch.runs = runs;
    double waited = request.watchThreads ? secondsWaited() : -1;
    double cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    double wall = seconds(CLOCK_MONOTONIC);
    for (int64_t i = 0; i < runs; ++i)
      run();
    batch.wall = seconds(CLOCK_MONOTONIC) - wall;
    batch.cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    if (waited >= 0)
      batch.waited = secondsWaited() - waited;
    total += batch.wall;
    batches.push_back(batch);
  }
  return batches;
}

/// Waits until the threads of the previous contender stop spinning for work;
/// they would take CPUs from the next one.
static void settle() {
  for (int i = 0; i < 100; ++i) {
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu < 0.5e-3)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

void bench::timeInterleaved(std::vector<Contender> &contenders,
                            const InterleavedOptions &options,
                            const std::function<void()> &halfway) {
  std::vector<Contender *> live;
  auto fail = [&](Contender &contender, llvm::Error error) {
    contender.failure = llvm::toString(std::move(error));
    llvm::erase(live, &contender);
  };
  for (Contender &contender : contenders)
    if (contender.failure.empty())
      live.push_back(&contender);
  for (Contender *contender : std::vector<Contender *>(live))
    if (contender->verify)
      if (llvm::Error error = contender->verify())
        fail(*contender, std::move(error));

  TimeRequest request;
  request.seconds = options.minSeconds / options.rounds;
  request.batchSeconds = options.batchSeconds;
  request.watchThreads = options.threads > 1;
  request.coldBytes = options.coldBytes;
  auto wants = [&](const Contender &contender, unsigned round) {
    double total = 0;
    unsigned clean = 0;
    for (const Batch &batch : contender.batches) {
      total += batch.wall;
      clean += batch.clean();
    }
    if (round < options.rounds && options.coldBytes)
      return true;
    if (round < options.rounds)
      // Slow contenders (plain loops) need not run in every round.
      return contender.batches.size() < 3 || total < options.minSeconds;
    return clean < 5 && total < 3 * options.minSeconds;
  };
  for (unsigned round = 0; round < 3 * options.rounds && !live.empty();
       ++round) {
    if (round == options.rounds / 2)
      halfway();
    bool any = false;
    const std::vector<Contender *> present = live;
    for (size_t n : interleavedOrder(round, present.size())) {
      Contender *contender = present[n];
      if (!wants(*contender, round))
        continue;
      any = true;
      if (options.threads > 1)
        settle();
      auto batches = contender->time(request);
      if (!batches)
        fail(*contender, batches.takeError());
      else
        contender->batches.insert(contender->batches.end(), batches->begin(),
                                  batches->end());
    }
    if (!any && round >= options.rounds)
      break;
  }
}
