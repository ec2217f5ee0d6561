//===- CodeTargetTest.cpp - names of targets ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/CodeTarget.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Machine/Machine.h"

#include "gtest/gtest.h"

using namespace pruner;

TEST(CodeTarget, ReadsWhatItPrints) {
  for (const char *text : {"cpu", "cpu:znver3", "nvidia:sm_90a"}) {
    auto target = CodeTarget::parse(text);
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    EXPECT_EQ(target->str(), text);
  }
  EXPECT_EQ(llvm::cantFail(CodeTarget::parse("cpu")), CodeTarget());
  EXPECT_EQ(llvm::cantFail(CodeTarget::parse("cpu:znver3")).chip(), "znver3");
  EXPECT_TRUE(llvm::cantFail(CodeTarget::parse("nvidia:sm_80")).isGpu());
}

TEST(CodeTarget, RejectsOtherFamiliesAndEmptyChips) {
  for (const char *text : {"", "cpu:", "nvidia:", "nvidia", "amd:gfx90a",
                           "cpus", "file:machine.json"}) {
    auto target = CodeTarget::parse(text);
    EXPECT_FALSE(bool(target)) << text;
    EXPECT_EQ(llvm::toString(target.takeError()),
              "unknown target '" + std::string(text) +
                  "'; expected 'cpu', 'cpu:<name>' or 'nvidia:<chip>'");
  }
}

TEST(CodeTarget, MachinesOfOneChipShareIt) {
  Machine h200 = llvm::cantFail(knownMachine("h200"));
  EXPECT_EQ(CodeTarget::of(h200).str(), "nvidia:" + h200.arch);
  EXPECT_EQ(CodeTarget::of(h200),
            CodeTarget::of(llvm::cantFail(knownMachine(h200.arch))));
  Machine cpu;
  cpu.name = "cpu:znver3";
  EXPECT_EQ(CodeTarget::of(cpu), CodeTarget());
}
