//===- Rounds.cpp - interleaved timing ------------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rounds.h"

#include "pruner/Support/Random.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <dirent.h>
#include <limits>
#include <numeric>
#include <thread>

using namespace pruner;
using namespace pruner::bench;

//===----------------------------------------------------------------------===//
// Shapes and operands
//===----------------------------------------------------------------------===//

std::string Shape::text() const {
  return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
}

llvm::Expected<Shape> Shape::parse(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x');
  Shape shape;
  int64_t *extents[] = {&shape.m, &shape.n, &shape.k};
  bool good = parts.size() == 3;
  for (unsigned i = 0; good && i < 3; ++i)
    good = !parts[i].getAsInteger(10, *extents[i]) && *extents[i] > 0 &&
           *extents[i] <= 1 << 16;
  if (!good)
    return llvm::createStringError(
        "'%s' is no shape; expected MxNxK with extents from 1 to 65536",
        text.str().c_str());
  return shape;
}

static float *allocate(size_t elements) {
  size_t bytes = (elements * sizeof(float) + 63) / 64 * 64;
  void *memory = std::aligned_alloc(64, bytes);
  if (!memory)
    llvm::report_fatal_error("out of memory");
  return static_cast<float *>(memory);
}

Operands::Operands(const Shape &shape)
    : shape(shape), sizeA(size_t(shape.m * shape.k)),
      sizeB(size_t(shape.k * shape.n)), sizeC(size_t(shape.m * shape.n)) {
  buffers[0].reset(allocate(sizeA));
  buffers[1].reset(allocate(sizeB));
  buffers[2].reset(allocate(sizeC));
  fillReals();
}

void Operands::fillReals() {
  Random random(1);
  for (auto [data, size] :
       {std::pair(buffers[0].get(), sizeA), std::pair(buffers[1].get(), sizeB)})
    for (size_t i = 0; i < size; ++i)
      data[i] = float(2 * random.uniformReal() - 1);
  // Written once, so that no contender pays for the first touch.
  std::fill_n(c(), sizeC, 0.0f);
}

llvm::Error Operands::verify(const MatmulFunction &function) {
  // |sums| <= 9 * 65536 < 2^24: exact in f32 in any order.
  Random random(2);
  for (auto [data, size] :
       {std::pair(buffers[0].get(), sizeA), std::pair(buffers[1].get(), sizeB)})
    for (size_t i = 0; i < size; ++i)
      data[i] = float(int64_t(random.uniform(7)) - 3);
  if (exact.empty()) {
    exact.assign(sizeC, 0.0f);
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t l = 0; l < shape.k; ++l) {
        float factor = a()[i * shape.k + l];
        const float *row = b() + l * shape.n;
        float *sum = exact.data() + i * shape.n;
        for (int64_t j = 0; j < shape.n; ++j)
          sum[j] += factor * row[j];
      }
  }
  std::fill_n(c(), sizeC, std::numeric_limits<float>::quiet_NaN());
  function(a(), b(), c());
  for (size_t i = 0; i < sizeC; ++i)
    if (!(c()[i] == exact[i]))
      return llvm::createStringError(
          "wrong result: element [%lld, %lld] is %g instead of %g",
          (long long)(int64_t(i) / shape.n), (long long)(int64_t(i) % shape.n),
          double(c()[i]), double(exact[i]));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

static double seconds(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Seconds that the threads of this process were ready to run and did not, or
/// -1. (The second number of schedstat is nanoseconds of waiting for a CPU.)
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

std::vector<Batch> bench::timeBatches(const std::function<void()> &run,
                                      const TimeRequest &request) {
  std::vector<Batch> batches;
  // Also warms caches up after the contender before.
  double start = seconds(CLOCK_MONOTONIC);
  run();
  double once = std::max(seconds(CLOCK_MONOTONIC) - start, 1e-9);
  int64_t runs = std::max<int64_t>(1, int64_t(request.batchSeconds / once));
  double total = 0;
  while (batches.empty() || total < request.seconds) {
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

void bench::bindFunction(Contender &contender, Operands &operands,
                         MatmulFunction function) {
  contender.verify = [&operands, function] {
    return operands.verify(function);
  };
  contender.time =
      [&operands, function](
          const TimeRequest &request) -> llvm::Expected<std::vector<Batch>> {
    return timeBatches(
        [&] { function(operands.a(), operands.b(), operands.c()); }, request);
  };
}

/// Waits until the threads that the last contender left behind stop spinning
/// for more work; they would take CPUs from the next one.
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

const char *bench::roleName(Role role) {
  switch (role) {
  case Role::Tuned:
    return "tuned";
  case Role::Own:
    return "own";
  case Role::Peer:
    return "peer";
  case Role::Packed:
    return "packed";
  }
  return "";
}

Statistics bench::summarize(const std::vector<Batch> &batches) {
  Statistics result;
  std::vector<double> kept, byCpu;
  double wall = 0, cpu = 0;
  for (const Batch &batch : batches) {
    wall += batch.wall;
    cpu += batch.cpu;
    byCpu.push_back(batch.cpu / double(batch.runs));
    if (batch.clean())
      kept.push_back(batch.wall / double(batch.runs));
  }
  result.kept = kept.size();
  result.dropped = batches.size() - kept.size();
  result.cpuShare = wall > 0 ? cpu / wall : 0;
  result.byCpu = kept.size() < 3;
  std::vector<double> &samples = result.byCpu ? byCpu : kept;
  if (samples.empty())
    return result;
  llvm::sort(samples);
  size_t half = samples.size() / 2;
  result.median = samples.size() % 2 ? samples[half]
                                     : (samples[half - 1] + samples[half]) / 2;
  result.minimum = samples.front();
  result.spread = result.median / result.minimum;
  return result;
}

void bench::runRounds(std::vector<Contender> &contenders, Operands &operands,
                      const RoundOptions &options,
                      const std::function<void()> &between) {
  std::vector<Contender *> live;
  auto fail = [&](Contender &contender, llvm::Error error) {
    contender.failure = llvm::toString(std::move(error));
    llvm::erase(live, &contender);
  };
  for (Contender &contender : contenders)
    if (contender.failure.empty())
      live.push_back(&contender);
  for (Contender *contender : std::vector<Contender *>(live))
    if (llvm::Error error = contender->verify())
      fail(*contender, std::move(error));
  operands.fillReals();

  TimeRequest request;
  request.seconds = options.minSeconds / options.rounds;
  request.batchSeconds = options.batchSeconds;
  request.watchThreads = options.threads > 1;
  auto wants = [&](const Contender &contender, unsigned round) {
    double total = 0;
    unsigned clean = 0;
    for (const Batch &batch : contender.batches) {
      total += batch.wall;
      clean += batch.clean();
    }
    if (round < options.rounds)
      // Slow ones (plain loops) need not be run in every round.
      return contender.batches.size() < 3 || total < options.minSeconds;
    return clean < 5 && total < 3 * options.minSeconds;
  };
  for (unsigned round = 0; round < 3 * options.rounds && !live.empty();
       ++round) {
    if (round == options.rounds / 2)
      between();
    bool any = false;
    std::vector<Contender *> order = live;
    std::rotate(order.begin(), order.begin() + round % order.size(),
                order.end());
    for (Contender *contender : order) {
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
