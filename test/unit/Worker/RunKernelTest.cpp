//===- RunKernelTest.cpp - GPU kernels with and without a GPU -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Measure/Tasks.h"
#include "RunReplies.h"
#include "mlir/IR/MLIRContext.h"
#include "pruner/Builder/Candidate.h"
#include "pruner/Runtime/CudaDriver.h"
#include "pruner/Worker/RunArtifact.h"
#include "gtest/gtest.h"

using namespace pruner;

/// Computes y[i] = 2 x[i], or 3 x[i].
static std::string kernel(const char *factor) {
  return std::string(R"(.version 6.3
.target sm_75
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y) {
  .reg .u64 %rd<6>;
  .reg .u32 %r<2>;
  .reg .f32 %f<3>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd1, %rd3;
  add.u64 %rd5, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4];
  mul.f32 %f2, %f1, )") +
         factor + ";\n  st.global.f32 [%rd5], %f2;\n  ret;\n}\n";
}

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
