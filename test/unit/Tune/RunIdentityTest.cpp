//===- RunIdentityTest.cpp - ids of older databases -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunIdentity.h"

#include "gtest/gtest.h"

using namespace pruner;

namespace {

/// The identity of a run of version 0.1.0.
RunIdentity storedIdentity() {
  RunIdentity run;
  run.strategy = "draft-verify";
  run.seed = 7;
  run.target = "cpu";
  run.pipelineOptions = "threads=1";
  run.machineKey =
      "cpu:znver5;znver5;features=57411b36b264d1e3;units=2;lanes=16;"
      "maxRegistersPerThread=512;registersPerUnit=512;maxThreadsPerBlock=1;"
      "maxThreadsPerUnit=1;maxBlocksPerUnit=1;transactionBytes=64;"
      "l1Bytes=49152;l2Bytes=1048576;l3Bytes=33554432;vectorRegisters=32;"
      "vectorBytes=64";
  run.toolchain = "llvm-22.1.8 pruner-0.1.0";
  run.generator = "d8b61e1f03f2f71752a552fe3e4c6dc3";
  run.verification = "running-error-bounds-5";
  run.prefetches = true;
  run.model = "linear";
  run.tasks = {{"32b4f84d6a7582f9438e601b14942737", "", {}},
               {"befb8ca8edab658a80743627b490c403", "", {}}};
  return run;
}

/// An identity with a value in every field.
RunIdentity fullIdentity() {
  RunIdentity run = storedIdentity();
  run.machineKey = "cpu:znver5;units=2";
  run.weights = "0123456789abcdef0123456789abcdef";
  run.adaptation = "moses 0.500000";
  run.certainty = {0.05, 4};
  run.accuracy = "wide-sums";
  run.network = "0*1 (1*2 | 2*1)";
  run.tasks[1].cacheState = "64M 1536K-0 0";
  run.tasks[1].similar = {"#pruner.schedule<a>", "#pruner.schedule<b>"};
  return run;
}

// A database with this run can be continued.
TEST(RunIdentity, KeepsTheIdsOfRecords) {
  EXPECT_EQ(storedIdentity().id(), "b34c084b9f538b0d23482ad11471d71b");
  RunIdentity none = fullIdentity();
  none.prefetches = false;
  none.model = none.weights = none.adaptation = "";
  none.certainty = {};
  none.accuracy = none.network = "";
  none.tasks.pop_back();
  EXPECT_EQ(none.text(),
            "draft-verify\n7\ncputhreads=1cpu:znver5;units=2llvm-22.1.8 "
            "pruner-0.1.0d8b61e1f03f2f71752a552fe3e4c6dc3"
            "running-error-bounds-5none\n32b4f84d6a7582f9438e601b14942737");
  EXPECT_EQ(fullIdentity().text(),
            "draft-verify\n7\ncputhreads=1cpu:znver5;units=2llvm-22.1.8 "
            "pruner-0.1.0d8b61e1f03f2f71752a552fe3e4c6dc3"
            "running-error-bounds-5aheadlinear0123456789abcdef0123456789abcdef"
            "\nadapt moses 0.500000\nend 0.050000 4\naccuracy wide-sums\n"
            "network 0*1 (1*2 | 2*1)\n"
            "32b4f84d6a7582f9438e601b14942737\n"
            "befb8ca8edab658a80743627b490c40364M 1536K-0 0\n"
            "similar #pruner.schedule<a>\nsimilar #pruner.schedule<b>");
}

TEST(RunIdentity, EveryFieldCounts) {
  using Change = void (*)(RunIdentity &);
  const Change changes[] = {
      [](RunIdentity &run) { run.strategy = "random"; },
      [](RunIdentity &run) { run.seed = 8; },
      [](RunIdentity &run) { run.network = "0*1 (1*1 | 2*1)"; },
      [](RunIdentity &run) { run.target = "nvidia:sm_80"; },
      [](RunIdentity &run) { run.pipelineOptions = "threads=2"; },
      [](RunIdentity &run) { run.machineKey = "cpu:znver4"; },
      [](RunIdentity &run) { run.toolchain = "llvm-23"; },
      [](RunIdentity &run) { run.generator = "0"; },
      [](RunIdentity &run) { run.verification = "bounded-6"; },
      [](RunIdentity &run) { run.prefetches = false; },
      [](RunIdentity &run) { run.model = "tlp"; },
      [](RunIdentity &run) { run.weights = ""; },
      [](RunIdentity &run) { run.adaptation = "none"; },
      [](RunIdentity &run) { run.certainty.below = 0.06; },
      [](RunIdentity &run) { run.certainty.batches = 5; },
      [](RunIdentity &run) { run.accuracy = "bf16-products"; },
      [](RunIdentity &run) { run.tasks.pop_back(); },
      [](RunIdentity &run) { run.tasks[0].key = "0"; },
      [](RunIdentity &run) { run.tasks[1].cacheState = ""; },
      [](RunIdentity &run) { run.tasks[1].similar.pop_back(); },
  };
  EXPECT_EQ(fullIdentity(), fullIdentity());
  for (Change change : changes) {
    RunIdentity other = fullIdentity();
    change(other);
    EXPECT_NE(other, fullIdentity());
    EXPECT_NE(other.id(), fullIdentity().id());
  }
}

} // namespace
