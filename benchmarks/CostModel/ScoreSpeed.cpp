//===- ScoreSpeed.cpp - programs scored per second ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pruner-bench-costmodel [model [weights]]: programs scored per second on one
// core, and the time of one training step, with the libraries they ran on.
//
//   taskset -c 0 pruner-bench-costmodel pacm
//
// Programs have five or six statement rows, as tiled matrix products and
// convolutions have, all with a dataflow pattern (the expensive case). Figures
// are per second of CPU time, so that other work on the machine does not change
// them; the wall time is also printed. They are the median and the best of many
// batches.

#include "pruner/CostModel/ModelKind.h"
#include "pruner/CostModel/WeightFile.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>
#include <unistd.h>

using namespace pruner;

/// Programs with the sparsity of real features: most one-hot and unused-buffer
/// columns are 0, the rest are logarithms.
static std::vector<ProgramFeatures> makePrograms(std::size_t count) {
  std::mt19937_64 engine(0);
  auto uniform = [&] { return float(engine() >> 40) * 0x1p-24f; };
  std::vector<ProgramFeatures> programs(count);
  for (ProgramFeatures &program : programs) {
    program.rows = 5 + int(engine() % 2);
    program.hasDataflow = true;
    program.statements.resize(std::size_t(program.rows) *
                              kStatementFeatureSize);
    for (float &value : program.statements)
      value = uniform() < 0.5f ? 0.0f : 30.0f * uniform();
    for (float &value : program.dataflow)
      value = uniform() < 0.3f ? 0.0f : 30.0f * uniform();
  }
  return programs;
}

static double cpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

static double wallSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Runs \p work \p times times; prints the rate of \p units per run.
template <typename Work>
static void report(const char *what, double units, int times, Work work) {
  std::vector<double> cpu, wall;
  for (int i = 0; i < times; ++i) {
    double c = cpuSeconds(), w = wallSeconds();
    work();
    cpu.push_back(cpuSeconds() - c);
    wall.push_back(wallSeconds() - w);
  }
  std::sort(cpu.begin(), cpu.end());
  std::sort(wall.begin(), wall.end());
  std::printf("%-28s median %9.0f /s   best %9.0f /s   (wall: median %.0f /s) "
              "  %.2f ms each\n",
              what, units / cpu[times / 2], units / cpu[0],
              units / wall[times / 2], 1e3 * cpu[times / 2]);
}

int main(int argc, char **argv) {
  std::string name = argc > 1 ? argv[1] : "pacm";
  CostModelOrError made = createCostModel(
      name, {{"epochs", 1}, {"steps", 0}, {"batch", 512}, {"list-size", 512}});
  if (!made.model) {
    std::fprintf(stderr, "%s\n", made.error.c_str());
    return 1;
  }
  for (const std::string &warning : made.warnings)
    std::fprintf(stderr, "warning: %s\n", warning.c_str());
  CostModel &model = *made.model;
  std::string weights = argc > 2 ? argv[2] : "";
  std::string error;
  if (weights.empty() && name != "random") {
    // Untrained models return zeros without work; any weights will do.
    std::string path = "/tmp/pruner-bench-" + std::to_string(getpid());
    error = saveWeights(model, path);
    if (error.empty())
      error = loadWeights(model, path);
    std::remove(path.c_str());
  } else if (!weights.empty()) {
    error = loadWeights(model, weights);
  }
  if (!error.empty()) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  std::printf("%s\n", model.describe().c_str());

  std::vector<ProgramFeatures> programs = makePrograms(512);
  model.predict(programs); // First-touch costs.
  report("score, batch 512", 512, 60, [&] { model.predict(programs); });
  for (ProgramFeatures &program : programs) {
    program.hasDataflow = false;
    program.dataflow.fill(0.0f);
  }
  report("score, no dataflow pattern", 512, 60,
         [&] { model.predict(programs); });
  programs = makePrograms(512);
  std::vector<float> labels(programs.size());
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = float(i) / float(labels.size());
  std::vector<int> groups(programs.size(), 0);
  TrainingReport trained = model.update(programs, labels, groups);
  if (trained.trained)
    report("train, batch 512", 512, 10,
           [&] { model.update(programs, labels, groups); });
  return 0;
}
