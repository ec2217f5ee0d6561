//===- FeatureVersionsTest.cpp - features change only with versions -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights are useless if the meaning of features changes. These tests hash the
// features of fixed programs on fixed machines. A failing test names the
// version to increase. Changing only the hash would let old weights be loaded.

#include "PsaFixtures.h"

#include "pruner/Analysis/Features.h"
#include "pruner/Analysis/PrimitiveFeatures.h"
#include "pruner/Analysis/ProgramTerms.h"
#include "pruner/Analysis/ScheduleFeatures.h"
#include "pruner/CostModel/TermsVersion.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Support/Hashing.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <set>

using namespace pruner;
using namespace pruner::test;

namespace {
/// A task under a schedule on a machine.
struct Sample {
  TaskDesc task;
  Schedule schedule;
  Machine machine;
};
} // namespace

/// Without copies ahead (Schedule::pipeline). No shipped weights have seen
/// these, so what they add to columns may change until some have.
static std::vector<Sample> samples() {
  std::vector<Sample> all;
  const StageLevel none = StageLevel::None, inner = StageLevel::Inner,
                   outer = StageLevel::Outer;
  auto add = [&](const TaskDesc &task, const Machine &machine,
                 const Schedule &schedule) {
    all.push_back({task, schedule, machine});
  };
  for (const char *name : {"nvidia:a100-40", "nvidia:v100", "nvidia:k80"}) {
    Machine gpu = *knownMachine(name);
    Schedule tile;
    tile.sketch = SketchId::SimtTile;
    tile.tiles = {{1, 16, 2, 2}, {2, 16, 1, 2}, {8, 2}};
    tile.stages = {inner, inner};
    tile.unroll = 64;
    for (const TaskDesc &task :
         {matmul(1024, 1024, 1024), withBiasRelu(matmul(480, 512, 768)),
          matmul(500, 300, 700, true)})
      add(task, gpu, tile);
    tile.vector = 4;
    tile.pad = 4;
    add(matmul(1024, 1024, 1024), gpu, tile);
    tile.stages = {none, inner};
    tile.unroll = 512;
    add(matmul(1024, 512, 2048), gpu, tile);
    tile.split = {4};
    add(matmul(128, 128, 8192), gpu, tile);
    Schedule map;
    map.sketch = SketchId::SimtMap;
    map.tiles = {{1, 1}, {256, 4}};
    map.stages = {none, none};
    add(elementwise(64, 4096), gpu, map);
    Schedule row;
    row.sketch = SketchId::SimtRow;
    row.tiles = {{1, 2}, {1, 1}, {128, 2}};
    row.stages = {none, none};
    row.unroll = 16;
    add(matmul(216, 1, 4096), gpu, row);
    Schedule window;
    window.sketch = SketchId::SimtTile;
    window.tiles = {{1, 1, 1, 1}, {1, 2, 1, 1}, {1, 14, 2, 1}, {1, 8, 2, 4},
                    {1, 1},       {1, 3},       {8, 2}};
    window.stages = {inner, inner};
    window.unroll = 1024;
    add(conv2d(56, 64, 64, 3), gpu, window);
    window.tiles[6] = {64, 1};
    window.tiles[2] = {2, 7, 4, 1};
    add(conv2d(28, 64, 128, 3, 2), gpu, window);
  }
  for (const Machine &machine : {cpu(), cpu(64, 32, 4)}) {
    for (StageLevel left : {none, inner, outer})
      for (StageLevel right : {none, inner}) {
        Schedule tile = cpuTile(6, 16);
        tile.stages = {left, right};
        tile.unroll = left == inner ? 2 : 1;
        add(matmul(480, 512, 512), machine, tile);
      }
    add(withBiasRelu(matmul(480, 512, 512)), machine, cpuTile(4, 24));
    add(withPrologue(matmul(480, 512, 512)), machine, cpuTile(6, 16));
    Schedule ordered = cpuTile(6, 16);
    ordered.order = {1, 0};
    ordered.raster = 0;
    ordered.prefetch = 1;
    add(matmul(481, 509, 1000, true), machine, ordered);
    Schedule map;
    map.sketch = SketchId::CpuMap;
    map.tiles = {{4, 1}, {64, 16}};
    map.stages = {none, none};
    map.vector = 8;
    add(elementwise(512, 4096), machine, map);
    Schedule sum;
    sum.tiles = {{32}};
    sum.stages = {none};
    sum.vector = 8;
    sum.vectorDim = 0;
    add(fullReduction(1 << 20), machine, sum);
    Schedule window;
    window.tiles = {{1, 1, 1}, {1, 1, 4}, {2, 1, 8}, {1, 4, 2}, {3}, {3}, {8}};
    window.stages = {inner, none};
    window.vector = 8;
    window.vectorDim = 2;
    for (int64_t stride : {1, 2})
      add(conv2d(56, 64, 64, 3, stride), machine, window);
    Schedule depthwise;
    depthwise.tiles = {{1, 1, 1}, {1, 2, 2}, {1, 1, 4}, {2, 2, 16}, {3}, {1}};
    depthwise.stages = {none, none};
    depthwise.vector = 8;
    depthwise.vectorDim = 3;
    add(conv2d(28, 96, 96, 3, 1, true), machine, depthwise);
  }
  return all;
}

/// Prints numbers with four digits, so that other compilers may round
/// differently.
static std::string hashOf(llvm::ArrayRef<std::string> names,
                          llvm::ArrayRef<std::vector<float>> rows) {
  std::string text = llvm::join(names, ",");
  for (const std::vector<float> &row : rows) {
    text += "\n";
    for (float value : row)
      text += llvm::formatv("{0:e4} ", double(value) == 0 ? 0.0 : value).str();
  }
  return contentHash(text);
}

static void append(std::vector<float> &row, llvm::ArrayRef<float> more) {
  row.insert(row.end(), more.begin(), more.end());
}

static std::string because(const char *version) {
  return std::string("the inputs of models have changed. Increase ") + version +
         " (pruner/CostModel), replace the hash below by the "
         "new one, and retrain the shipped weights "
         "(docs/guides/TrainingModels.md)";
}

/// A panel is fetched while another one is multiplied.
static Sample fetchesAhead() {
  Schedule schedule = cpuTile(6, 16);
  schedule.stages = {StageLevel::None, StageLevel::Inner};
  schedule.prefetch = 1;
  return {matmul(480, 2048, 2048), schedule, cpu()};
}

/// Rows of B that share sets of L1 are read again and again.
static Sample rereadsRows() {
  Schedule schedule = cpuTile(2, 64);
  schedule.tiles = {{4, 32, 2}, {4, 2, 64}, {128}};
  schedule.stages = {StageLevel::None, StageLevel::None};
  return {matmul(256, 512, 128), schedule, cpu()};
}

TEST(FeatureVersions, Terms) {
  std::vector<std::vector<float>> rows;
  std::vector<Sample> all = samples();
  all.push_back(fetchesAhead());
  all.push_back(rereadsRows());
  for (const Sample &sample : all)
    rows.push_back(
        programTerms(program(sample.task, sample.schedule), sample.machine));
  std::vector<std::string> names = programTermNames();
  for (llvm::ArrayRef<const ModelTerm *> terms : {cpuTerms(), gpuTerms()})
    for (const ModelTerm *term : terms)
      if (term->hasColumns())
        names.push_back(llvm::formatv("{0} {1}", term->name, term->version));
  EXPECT_EQ(hashOf(names, rows), kProgramTermsFingerprint)
      << because("kProgramTermsVersion");
  EXPECT_EQ(kProgramTermsVersion, 15);
}

// Nearly every column must be nonzero, and differ, in some sample.
TEST(FeatureVersions, SamplesShowNearlyAllTerms) {
  std::vector<std::string> names = programTermNames();
  std::vector<std::set<float>> seen(names.size());
  for (const Sample &sample : samples()) {
    std::vector<float> row =
        programTerms(program(sample.task, sample.schedule), sample.machine);
    for (size_t n = 0; n < row.size(); ++n)
      seen[n].insert(row[n]);
  }
  std::string constant;
  unsigned count = 0;
  for (size_t n = 0; n < names.size(); ++n)
    if (seen[n].size() == 1) {
      constant += " " + names[n];
      ++count;
    }
  EXPECT_LE(count, names.size() / 10) << constant;
}

// The same for the inputs of other models. Files store only these versions.
TEST(FeatureVersions, StatementsTreesAndPrimitives) {
  std::vector<std::vector<float>> statements, trees, primitives;
  for (const Sample &sample : samples()) {
    FeatureParts parts;
    parts.statements = true;
    ProgramFeatures of =
        ScheduleFeatures(sample.task, sample.machine, parts)(sample.schedule);
    append(statements.emplace_back(of.statements), of.dataflow);
    parts = {};
    parts.tree = true;
    of = ScheduleFeatures(sample.task, sample.machine, parts)(sample.schedule);
    append(trees.emplace_back(of.statements), of.positions);
    append(trees.back(), of.device);
    parts = {};
    parts.primitives = true;
    of = ScheduleFeatures(sample.task, sample.machine, parts)(sample.schedule);
    primitives.push_back(of.primitives);
  }
  EXPECT_EQ(hashOf({}, statements), "82ffb733a7056da4bce51e297589fcd2")
      << because("kFeatureSchemaVersion");
  EXPECT_EQ(kFeatureSchemaVersion, 2);
  EXPECT_EQ(hashOf({}, trees), "e9fd3eb36d5b39946d4fce5f3509bd7c")
      << because("kProgramTreeVersion");
  EXPECT_EQ(kProgramTreeVersion, 1);
  EXPECT_EQ(hashOf({}, primitives), "52b974becd2d4d2d541a1d96fb8be516")
      << because("kPrimitivesVersion");
  EXPECT_EQ(kPrimitivesVersion, 4);
}
