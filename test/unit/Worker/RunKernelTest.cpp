//===- RunKernelTest.cpp - GPU kernels with and without a GPU -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Measure/Tasks.h"
#include "DoublingKernel.h"
#include "RunReplies.h"
#include "mlir/IR/MLIRContext.h"
#include "pruner/Builder/Candidate.h"
#include "pruner/Runtime/CudaDriver.h"
#include "pruner/Worker/RunArtifact.h"
#include "gtest/gtest.h"

using namespace pruner;

TEST(RunKernel, VerifiesOrReportsThatThereIsNoDevice) {
  mlir::DialectRegistry registry;
  registerBuilderDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::string text = mapTask(64,
                             "    %y = arith.mulf %a, %c : f32\n"
                             "    linalg.yield %y : f32\n",
                             "2.0");
  auto task = TaskProgram::parse(context, text);
  ASSERT_TRUE(bool(task));
  auto reference = makeReference(*task, text, 1, "");
  ASSERT_TRUE(bool(reference));
  RunRequest request;
  request.id = 5;
  request.format = "ptx";
  request.entry = "k";
  request.artifact = kernel("0f40000000"); // 2.0
  request.facts["launch"] = llvm::json::Object{
      {"grid", llvm::json::Array{1}}, {"block", llvm::json::Array{64}}};
  RunReply reply = runKernel(*task, *reference, request);
  EXPECT_EQ(reply.id, 5);
  auto driver = CudaDriver::load();
  if (!driver) {
    EXPECT_EQ(int(reply.status), int(MeasureStatus::Unmeasured));
    EXPECT_EQ(reply.reason, "no CUDA device: " + toString(driver.takeError()));
    return;
  }
  EXPECT_EQ(int(reply.status), int(MeasureStatus::Ok)) << reply.reason;
  EXPECT_TRUE(reply.verified && reply.exact.value_or(false));
  EXPECT_GT(reply.median, 0);
  request.artifact = kernel("0f40400000"); // 3.0
  reply = runKernel(*task, *reference, request);
  EXPECT_EQ(int(reply.status), int(MeasureStatus::WrongResult));
  request.facts = {};
  reply = runKernel(*task, *reference, request);
  EXPECT_EQ(int(reply.status), int(MeasureStatus::RunError));
  EXPECT_EQ(reply.reason, "facts.launch does not describe a launch");
}

TEST(RunReplies, TimesAreRoundedToSevenDigits) {
  TimingResult times = summarizeSamples({1.23456789e-3, 0.1 + 0.2, 2e-7});
  RunReply reply;
  setTimes(reply, times);
  EXPECT_EQ(reply.times, (std::vector<double>{1.234568e-3, 0.3, 2e-7}));
  EXPECT_EQ(times.samples,
            (std::vector<double>{1.23456789e-3, 0.1 + 0.2, 2e-7}));
}
